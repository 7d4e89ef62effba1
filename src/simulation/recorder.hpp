// Watches an integration and keeps what the user will see: variables at the output points, the step history, and the
// certificate, residuals of every equation and hidden constraint at the steps and at a sample of points between them.
//
// Where the solution is kept whole, output points wait until somebody asks for them (pending_points).
#pragma once

#include "daedalus/options.hpp"
#include "integrate/observer.hpp"
#include "output/trajectory.hpp"
#include "problem/implicit_problem.hpp"
#include "simulation/bytes.hpp"
#include "simulation/dense_solution.hpp"
#include "simulation/output_points.hpp"
#include "simulation/pending_points.hpp"
#include "simulation/point_check.hpp"
#include "simulation/residual_scale.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::simulation {

struct RecorderOptions {
    double t0 = 0.0;
    double t1 = 0.0;
    int points = 500; ///< equally spaced; 0: one per step
    bool consistent_output = true;
    double rtol = 1e-6, atol = 1e-6;
    std::function<integrate::Action(const integrate::EventPoint&)> at_event = {}; ///< the caller's own events
    Certify certify = Certify::all;
    std::shared_ptr<DenseSolution> dense = {}; ///< told every step; null: nobody asks
    bool points_may_wait = false;              ///< output points are found in it when they are asked for
    std::vector<int> differentiated = {};      ///< outputs whose derivatives F takes from differentiated equations
    std::optional<std::vector<int>> kept = {}; ///< outputs that are recorded, in this order; none given: all
    bool any_matrix = true;      ///< samples may be found with that of an earlier step; not where runs are resumed
    bool constant_steps = false; ///< no tolerance says how large errors may be
};

/// Such an output has jumped: its derivative is an impulse, which differentiated branches do not have.
struct LostImpulse {
    int output = 0;
    double t = 0.0, before = 0.0, after = 0.0;
};

/// An equation that a step left unsatisfied, far beyond what the tolerance explains.
struct Violation {
    int row = 0;         ///< of F, or
    bool hidden = false; ///< of the hidden constraints
    double t = 0.0, residual = 0.0;
};

class Recorder final : public integrate::Observer {
public:
    Recorder(const problem::ImplicitProblem& problem, RecorderOptions options, output::Trajectory& trajectory);

    void begin(double t, std::span<const double> x, std::span<const double> dx) override;
    integrate::Action step(const integrate::AcceptedStep& step) override;
    integrate::Action event(const integrate::EventPoint& event) override;
    void end(double t, std::span<const double> x, std::span<const double> dx) override;

    /// What was recorded so far, for a checkpoint; load() in place of begin().
    void save(ByteWriter& out);
    /// All that is left to read; false: it cannot be from a run like this one.
    [[nodiscard]] bool load(ByteReader& in);

    /// All output points of a problem without unknowns.
    void known_solution();
    /// The last accepted point becomes an output point if it is not one already (early end).
    void finish();
    /// Another run goes on from here: everything recorded is in the trajectory.
    void hand_over() { deliver(); }
    /// Output points that nobody has asked for; null: all are in the trajectory.
    [[nodiscard]] std::shared_ptr<const PendingPoints> pending() const;
    /// The last of them; empty: not known before the others.
    [[nodiscard]] const std::vector<double>& end_row() const { return end_row_; }
    /// The worst equation that does not hold, if there is one.
    /// The worst of those that waited and no longer do.
    [[nodiscard]] const integrate::DoubtfulPoint& doubtful() const { return doubtful_; }
    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }
    [[nodiscard]] const std::optional<WrittenViolation>& written_violation() const {
        return check_.written().violation();
    }
    /// At how many ends of steps, and points between them, equations were evaluated.
    [[nodiscard]] long checked_at_steps() const { return checked_at_steps_; }
    [[nodiscard]] long checked_between() const { return checked_between_; }
    [[nodiscard]] const ResidualScale& scale() const { return scale_; }
    /// The first of each output.
    [[nodiscard]] const std::vector<LostImpulse>& lost_impulses() const { return impulses_; }
    /// The largest residual at a step, in units of what an error of the size of the tolerance would make.
    [[nodiscard]] double largest_in_tolerances() const { return worst_; }

private:
    template <class Archive, class Self>
    static void fields(Archive& archive, Self& self);
    void certify(const integrate::AcceptedStep& step, bool also_between);
    void measure(double t, double h, const double* x, const double* dx, std::vector<double>& rows);
    void look_for_violation(const integrate::AcceptedStep& step);
    void look_for_drift(const integrate::AcceptedStep& step);
    [[nodiscard]] double explained_drift(int k, double t) const;
    [[nodiscard]] bool demanded(std::size_t i) const;
    void look_for_impulses(const integrate::AcceptedStep& step);
    [[nodiscard]] bool is_sampled(const integrate::AcceptedStep& step) const;
    void keep_piece(const integrate::AcceptedStep& step);
    void deliver();
    [[nodiscard]] bool is_possible() const;

    const problem::ImplicitProblem& problem_;
    RecorderOptions options_;
    output::Trajectory& trajectory_;
    PointCheck check_;
    OutputPoints points_;
    bool waiting_ = false;        ///< output points are left to those who ask
    std::vector<double> end_row_; ///< the last of them, which is known
    long steps_ = 0;
    long certify_every_ = 1; ///< powers of two, the second one never below the first
    long between_every_ = 1;
    long checked_at_steps_ = 0, checked_between_ = 0;
    bool other_branches_ = false; ///< the step begins behind an event
    bool keep_series_ = true;
    std::vector<double> x_, dx_, y_, at_step_, at_midpoint_, last_x_, last_dx_;
    double last_t_ = 0.0;
    ResidualScale scale_;
    std::optional<Violation> violation_;
    integrate::DoubtfulPoint doubtful_;
    bool behind_event_ = false;
    std::vector<double> before_; ///< outputs at the end of the last step
    std::vector<LostImpulse> impulses_;
    double worst_ = 0.0; ///< largest residual in units of its scale
};

} // namespace daedalus::simulation
