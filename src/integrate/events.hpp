// What the root functions of a problem do to a run: events inside steps (root_search.hpp), and the sides on which
// functions are at events, at borders and at rest (root_sides.hpp).
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/options.hpp"
#include "integrate/root_search.hpp"
#include "integrate/root_sides.hpp"
#include "integrate/root_values.hpp"
#include "integrate/statistics.hpp"
#include "integrate/stepper.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class RootFinder {
public:
    RootFinder(problem::ImplicitProblem& problem, EventOptions options, const Tolerance& tolerance);
    RootFinder(const RootFinder&) = delete; ///< its parts refer to each other
    RootFinder& operator=(const RootFinder&) = delete;

    [[nodiscard]] bool active() const { return (options_.locate || has_modes()) && sides_.size() > 0; }
    /// Signs at the start of the integration or after a restart. Functions that vanish there count from the side that
    /// the next step shows.
    void begin(double t, const double* x, const double* dx);
    /// Modes from the first point of a run.
    void begin_modes(double t, const double* x, const double* dx, bool forward) {
        sides_.set_modes_at(t, x, dx, forward);
    }
    /// Sides of an earlier run, which functions keep that are as near to zero as the tolerance tells, until they leave.
    void carry(double t, const double* x, const double* dx, const std::vector<signed char>& sides);
    /// Functions just located are on their other side from now on.
    void cross();
    /// Changes the side of functions that are on the other one at (t, x, x'), beyond doubt where they were just
    /// located; true if there were some. F has changed then.
    [[nodiscard]] bool settle(double t, const double* x, const double* dx, bool forward);
    /// The same for those only that the way from another point, at which all were on their sides, passes first; the
    /// part of the way to them, in (x, x'). Nothing: all are on their sides.
    [[nodiscard]] std::optional<double> settle_first(double t, std::span<const double> from_x,
                                                     std::span<const double> from_dx, const double* x, const double* dx,
                                                     bool forward);
    /// Functions that were not located just now and can change sides.
    [[nodiscard]] std::vector<int> decided_elsewhere() const;
    /// Whether all functions that can change F are on their sides at (t, x, x'), or next to zero.
    [[nodiscard]] bool agree(double t, const double* x, const double* dx);
    /// Whether none of these functions is near zero at (t, x, x'), compared with what it has been in the run.
    [[nodiscard]] bool far_from_zero(const std::vector<int>& roots, double t, const double* x, const double* dx);
    [[nodiscard]] bool has_modes() const { return sides_.has_modes(); }
    [[nodiscard]] const std::vector<signed char>& sides() const { return sides_.modes(); }
    /// What is known of the functions besides: for checkpoints.
    [[nodiscard]] std::vector<double> state() const { return sides_.state(); }
    void set_state(const std::vector<double>& state) { sides_.set_state(state); }
    /// Sides of an earlier run, handed to F.
    void set_sides(std::vector<signed char> sides) { sides_.set_modes(std::move(sides)); }
    /// The first root in (t_before, stepper.t()], or false. Fills time(), which() and direction().
    [[nodiscard]] bool find(const Stepper& stepper, ConsistentOutput& consistent, double t_before);
    /// Where F has no value beyond the present point: functions that have come as near to zero as the tolerance tells.
    /// The branch ends there (a tank that runs empty: √x for x > 0), although its zero is never passed.
    [[nodiscard]] bool at_border(const Stepper& stepper, double tolerance);
    /// Where the branches beyond that border have no value at the point itself either (-√-x): time() and the states go
    /// on along x' until they have, by `smallest` at least and no further than `room`.
    void pass_border(std::vector<double>& x, const std::vector<double>& dx, double smallest, double room);
    /// The sides as they are, with those of functions changed that vanish at (t, x, x') up to `tolerance`.
    [[nodiscard]] std::vector<signed char> other_sides(double t, const double* x, const double* dx, double tolerance,
                                                       std::vector<signed char> sides);
    /// Whether F hardly depends on the sides of these functions at (t, x, x'): its rows change by less than errors of
    /// the size of the tolerance change them. Then they keep their sides as long as they are no larger than the
    /// tolerance: a transistor at rest, whose branches agree, makes no events of round-off.
    [[nodiscard]] bool rest(const std::vector<int>& roots, double t, const double* x, const double* dx,
                            double tolerance);

    [[nodiscard]] double time() const { return located_.time; }
    [[nodiscard]] const std::vector<int>& which() const { return located_.which; }
    [[nodiscard]] const std::vector<int>& direction() const { return located_.direction; }
    /// Remembers what errors of the size of 1/weights, and rounding, do to the functions just located, at (t, x, x').
    void note_tolerance(double t, const double* x, const double* dx, std::span<const double> weights);
    [[nodiscard]] bool unresolved() const { return search_.unresolved() >= 0; }
    /// Adds functions whose events cannot be trusted and that are not listed yet.
    void list_doubtful(double t, std::vector<DoubtfulCondition>& list) const;

private:
    void find_changes(double t, const double* x, const double* dx, bool forward);

    problem::ImplicitProblem& problem_;
    EventOptions options_;
    ErrorNorm norm_;
    RootSides sides_;
    RootValues values_;
    RootSearch search_;
    LocatedRoots located_; ///< by find() or at_border()
    std::vector<double> g_, g_probe_, moved_;
    std::vector<std::pair<std::size_t, int>> changes_; ///< functions that are on another side, and on which
};

} // namespace daedalus::integrate
