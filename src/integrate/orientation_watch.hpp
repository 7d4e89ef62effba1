// Singular points that methods step over. The determinant of the local matrix (local_system.hpp) changes its
// sign where the equations stop to determine x' and the algebraic unknowns for a moment: a leading coefficient that
// passes through zero, two branches that meet. Solutions need not exist or be unique from there on, and estimates of
// errors know nothing of that.
//
// It is looked at now and then, on the branches of the last start, where states are not chosen on the way; where the
// sign has changed since the last look, the point is found on the straight line between. Two changes between two looks
// are not seen.
#pragma once

#include "integrate/local_system.hpp"
#include "integrate/participant.hpp"
#include "integrate/statistics.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::integrate {

/// Adds a point, unless one of its kind is known.
void note_singular_point(Statistics& statistics, const SingularPoint& point);

class OrientationWatch final : public Participant {
public:
    OrientationWatch(const problem::ImplicitProblem& problem, linalg::SolverKind kind);

    [[nodiscard]] std::string_view name() const override { return "orientation watch"; }
    void started(Run& run) override;
    [[nodiscard]] Flow settled(Run& run) override;
    void finish(Run& run) override { look_now(run); }
    void load(Run& run, const Checkpoint& c) override;

    /// Whether there is anything to see: the matrix varies.
    [[nodiscard]] bool active() const { return active_; }
    /// Other branches: what was seen tells nothing about what follows.
    void reset() { sign_ = 0; }
    /// A point of the solution: what lies between it and the last one.
    [[nodiscard]] std::optional<SingularPoint> look(double t, std::span<const double> x, std::span<const double> dx);

private:
    struct Point {
        double t = 0.0;
        std::vector<double> x, dx;
    };
    void look_now(Run& run);
    [[nodiscard]] int sign_at(const Point& point);
    [[nodiscard]] SingularPoint locate(const Point& now);

    const problem::ImplicitProblem& problem_;
    linalg::SolverKind kind_;
    LocalSystem local_;
    bool active_ = false;
    int sign_ = 0; ///< at the last look; 0: there was none
    Point last_;
    bool at_start_ = true; ///< looks where the method starts next
    long looked_ = 0;      ///< after so many steps
    Counters uncounted_;
};

} // namespace daedalus::integrate
