// Zeros of the problem's root functions inside an accepted step, located on its continuous output to round-off. Where a
// function comes near zero, algebraic unknowns are solved for from the states: between steps they are interpolated less
// well than those, and a zero that their equations do not have would be undone by them at the event. The same is done
// throughout a step where one look at them shows that the functions depend on more than the interpolant knows: no
// method controls the error of what only a condition depends on.
//
// A step is looked at in pieces that are halved until the functions are resolved (piecewise_look.hpp) or cannot vanish:
// two crossings between two looks are found as well. Where bounds of a function can be had, they and not the looks
// decide whether it can vanish between them (root_enclosure.hpp).
//
// Where the problem has modes, a function counts as being on the side that F's branches were made for. It leaves that
// side at an event only (hysteresis): right behind a located zero its value is round-off and says nothing.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/observer.hpp"
#include "integrate/options.hpp"
#include "integrate/piecewise_look.hpp"
#include "integrate/root_enclosure.hpp"
#include "integrate/stepper.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class RootFinder {
public:
    RootFinder(problem::ImplicitProblem& problem, EventOptions options, const Tolerance& tolerance);

    [[nodiscard]] bool active() const {
        return (options_.locate || problem_.hybrid().modes.size > 0) && problem_.hybrid().roots.size > 0;
    }
    /// Signs at the start of the integration or after a restart. Functions that vanish there count from the side that
    /// the next step shows.
    void begin(double t, const double* x, const double* dx);
    /// Modes from the first point of a run.
    void begin_modes(double t, const double* x, const double* dx, bool forward);
    /// Sides of an earlier run, which functions keep that are as near to zero as the tolerance tells, until they leave.
    void carry(double t, const double* x, const double* dx, const std::vector<signed char>& sides);
    /// Functions just located are on their other side from now on.
    void cross();
    /// Changes the side of functions that are on the other one at (t, x, x'), beyond doubt where they were just
    /// located; true if there were some. F has changed then.
    [[nodiscard]] bool settle(double t, const double* x, const double* dx, bool forward);
    /// Functions that were not located just now and can change sides.
    [[nodiscard]] std::vector<int> decided_elsewhere() const;
    /// Whether all functions that can change F are on their sides at (t, x, x'), or next to zero.
    [[nodiscard]] bool agree(double t, const double* x, const double* dx);
    [[nodiscard]] bool has_modes() const { return problem_.hybrid().modes.size > 0; }
    [[nodiscard]] const std::vector<signed char>& sides() const { return side_; }
    /// What is known of the functions besides: for checkpoints.
    [[nodiscard]] std::vector<double> state() const;
    void set_state(const std::vector<double>& state);
    /// Sides of an earlier run, handed to F.
    void set_sides(std::vector<signed char> sides);
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

    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] const std::vector<int>& which() const { return which_; }
    [[nodiscard]] const std::vector<int>& direction() const { return direction_; }
    /// Remembers what errors of the size of 1/weights, and rounding, do to the functions just located, at (t, x, x').
    void note_tolerance(double t, const double* x, const double* dx, std::span<const double> weights);
    [[nodiscard]] bool unresolved() const { return unresolved_ >= 0; }
    /// Adds functions whose events cannot be trusted and that are not listed yet.
    void list_doubtful(double t, std::vector<DoubtfulCondition>& list) const;

private:
    void set_modes();
    /// A part of a step, with the functions' values at its points.
    struct Piece {
        double begin, end;
        int depth; ///< halvings
    };
    struct Sample {
        double t;
        std::vector<double> g;
    };
    void evaluate(const Interpolant& step, double t, bool exactly, std::vector<double>& g);
    [[nodiscard]] bool watched(std::size_t root) const {
        return active_[root] && !(has_modes() && problem_.hybrid().modes.known_instant[root]);
    }
    [[nodiscard]] double interpolation_error(const Interpolant& step, double t);
    [[nodiscard]] bool interpolation_tells(const Interpolant& step);
    void look(const Interpolant& step, const Piece& piece, bool exactly);
    [[nodiscard]] PiecewiseLook::Verdict judge(const Interpolant& step, const Piece& piece, bool exactly);
    void look_into_dip(const Interpolant& step, std::size_t root, const PiecewiseLook::Result& dip);
    void measure_noise(const Interpolant& step, double t);
    [[nodiscard]] bool crossed() const;
    [[nodiscard]] bool pass(const Interpolant& step, const Sample& sample, double& left);
    void begin_pieces(double t_before, double t_end);
    [[nodiscard]] bool just_located(std::size_t root, double t) const;
    [[nodiscard]] bool counts(std::size_t root, int direction) const;
    [[nodiscard]] int side_of(std::size_t root, double value) const;
    [[nodiscard]] double locate(const Interpolant& step, int root, double a, double ga, double b, double gb);

    problem::ImplicitProblem& problem_;
    EventOptions options_;
    ErrorNorm norm_;
    std::vector<double> x_, dx_, g_, g_probe_, g_before_, moved_, x_probe_, dx_probe_;
    std::vector<Sample> samples_; ///< of the present piece, in the order of time
    std::vector<Sample> dips_;    ///< between them
    std::vector<double> noise_;   ///< of the functions, where it was measured; empty: not yet in this step
    RootEnclosure enclosure_;
    bool only_bounds_ = false;      ///< nothing but bounds asks for smaller pieces
    std::vector<Piece> pieces_;     ///< still to be looked at, the next one last
    double resolved_ = 0.0;         ///< length of the pieces that the last step had to be halved to; 0: none
    int doubted_ = 0;               ///< steps for which the interpolant is not asked
    int doubtful_ = -1;             ///< the function that is least resolved in the present piece
    int unresolved_ = -1;           ///< … and remained so
    std::vector<int> sign_;         ///< of each function up to now; 0: not yet known
    std::vector<signed char> side_; ///< modes; empty: F looks at the functions' values itself
    std::vector<double> largest_;   ///< |g| in the last step: the measure of round-off
    std::vector<double> scale_;     ///< |g| in the run
    std::vector<double> allowed_;   ///< change of g that errors within the tolerance make, the largest at an event
    std::vector<double> border_;    ///< up to this |g| it stays on the side that an event put it on
    std::vector<char> active_;      ///< can change F at present
    std::vector<char> rests_;       ///< … and for good, by rest()
    std::vector<int> which_, direction_;
    bool all_states_ = true; ///< no unknown is algebraic
    double time_ = 0.0;
};

} // namespace daedalus::integrate
