// A stepper attempts steps and commits nothing until it is told to; the integration decides.
//
// One virtual call per step, none per stage or component. A stepper owns its workspace, allocated in start().
#pragma once

#include "integrate/options.hpp"
#include "integrate/statistics.hpp"
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace daedalus::integrate {

enum class StepStatus {
    ok,              ///< the equations of the step are solved; `error` tells whether it is good enough
    newton_failed,   ///< diverged or too slow
    not_finite,      ///< a residual, Jacobian or correction was NaN or infinite
    singular_matrix, ///< the iteration matrix could not be factorised
};

struct Attempt {
    StepStatus status = StepStatus::ok;
    double error = 0.0;  ///< weighted norm; 1 = at tolerance
    double next_h = 0.0; ///< what the method would try next (signed): after acceptance if ok and error ≤ 1, else again
    [[nodiscard]] bool acceptable() const { return status == StepStatus::ok && error <= 1.0; }
};

/// The last attempt as a failure report wants to see it.
struct Trial {
    double t = 0.0;
    double shift = 0.0;        ///< σ of the iteration matrix ∂F/∂x + σ ∂F/∂x'
    std::span<const double> x; ///< last iterate
    std::span<const double> dx;
    std::span<const double> error; ///< error estimate or last Newton correction
    std::span<const double> weights;
    double size = 0.0; ///< of `error` as the method sees it; 0: as that of the attempt
};

/// What a method remembers of the past, so that it goes on at a point without a start-up phase: plain numbers that a
/// checkpoint can hold.
struct MethodMemory {
    int order = 0;              ///< or the like; 0: nothing is remembered
    std::vector<double> times;  ///< the present first; empty: one-step methods need no past
    std::vector<double> values; ///< of the unknowns at these times
};

class KeptStep;

/// A piece of the solution, all of it.
class ContinuousOutput {
public:
    virtual ~ContinuousOutput() = default;
    /// x and x' at a time in the piece.
    virtual void interpolate(double time, double* x, double* dx) const = 0;
    /// Of the polynomial.
    [[nodiscard]] virtual int degree() const { return 3; }
    /// The states are right as they are there, and all else follows from them: nothing is stiff.
    [[nodiscard]] virtual bool keeps_states() const { return false; }
    /// The states as interpolate() gives them, all else roughly: where F = 0 is solved for it from there.
    virtual void interpolate_states(double time, double* x, double* dx) const { interpolate(time, x, dx); }
    /// The piece for later; null: its values are all that there is.
    [[nodiscard]] virtual std::unique_ptr<const KeptStep> keep() const;
};

/// Its continuous output is that of the last accepted step.
class Stepper : public ContinuousOutput {
public:
    /// Begins (again) at t with consistent x and x'. The next attempts are of size h and its like.
    virtual void start(double t, std::span<const double> x, std::span<const double> dx, double h) = 0;
    /// What is worth keeping at t, a time in the last accepted step.
    [[nodiscard]] virtual MethodMemory remember(double /*t*/) const { return {}; }
    /// Begins as start() does, but with what was remembered at t. What lies behind t may be less smooth than that: the
    /// error test decides whether it holds.
    virtual void go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
                       const MethodMemory& /*memory*/) {
        start(t, x, dx, h);
    }
    /// A step of size h (signed) to t_new = t + h up to rounding, which t() will be after acceptance.
    [[nodiscard]] virtual Attempt attempt(double h, double t_new) = 0;
    /// The point that accept() would go to; false: not known before.
    [[nodiscard]] virtual bool proposal(double* /*x*/) const { return false; }
    /// Commits the last attempt.
    virtual void accept() = 0;

    /// Moves a point at t, the end of a step of size h, onto constraints besides F; false: not possible.
    using Projector = std::function<bool(double t, double h, double* x, double* dx)>;
    /// Methods that judge a step by differences of solution points project before they judge, and return true. For the
    /// others the loop projects what was accepted.
    [[nodiscard]] virtual bool project_with(const Projector& /*projector*/) { return false; }
    /// Replaces the point just accepted by a better one nearby (projected onto constraints) and goes on from there. The
    /// history is that of steps which had ended at this point: nothing restarts.
    virtual void correct(std::span<const double> x, std::span<const double> dx) = 0;

    [[nodiscard]] virtual double t() const = 0;
    [[nodiscard]] virtual std::span<const double> x() const = 0;
    [[nodiscard]] virtual std::span<const double> dx() const = 0;
    /// Order of the last accepted step.
    [[nodiscard]] virtual int order() const = 0;
    /// The longest step after the last accepted one for which continuous output will do.
    [[nodiscard]] virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }

    /// What follows from the unknowns is off by `factor` times as many tolerances as they are, at the last attempt:
    /// what Newton's iteration leaves counts as much.
    virtual void magnified(double /*factor*/) {}

    /// The problem's links changed: rebuild matrices, keep the history (the unknowns are the same).
    virtual void links_changed() = 0;
    /// Values of ∂F/∂x on the problem's pattern as last evaluated (counters().jacobians tells whether it is new).
    [[nodiscard]] virtual const double* latest_jacobian() const = 0;
    [[nodiscard]] virtual Trial trial() const = 0;
    [[nodiscard]] const Counters& counters() const { return counters_; }
    /// What solves the linear systems, in words.
    [[nodiscard]] virtual std::string linear_solver() const { return {}; }
    /// Stability, not accuracy, has limited the latest steps: an implicit method would take fewer.
    [[nodiscard]] virtual bool stiff() const { return false; }
    /// The run hardly gets on: round-off may be what the error test sees. Looks for it, and grants what it needs.
    virtual void suspect_noise() {}
    /// Unknowns whose accuracy round-off limits.
    [[nodiscard]] virtual std::span<const NoiseFloor> noise() const { return {}; }

protected:
    Counters counters_;
};

/// What of a mechanism's constraints a method keeps by itself, and so which formulation it is made for.
enum class MechanicalLevel {
    none,     ///< the method is for any DAE
    velocity, ///< steps end on the constraints on velocities: index 2
    position, ///< steps end on the constraints on positions: index 3
};

/// What a method is like, for those who choose among methods: nothing compares names.
struct Capabilities {
    bool explicit_stages = false;      ///< stiff problems limit its steps
    bool linearly_implicit = false;    ///< no iteration that could fail
    bool coupled_stages = false;       ///< one iteration for all stages of a step, L-stable
    bool multistep = false;            ///< has a start-up phase
    bool constant_steps_only = false;  ///< no error estimate
    bool end_variants = false;         ///< obeys MethodOptions::variant
    bool differences_quantity = false; ///< steps solve G(t, x, x', q') = 0 (problem/differentiated_quantity.hpp)
    bool without_entries = false;      ///< of the derivatives it needs products and solutions with J + σ M only
    MechanicalLevel mechanics = MechanicalLevel::none; ///< needs problem/mechanical_structure.hpp
    bool any_index_two = false;                        ///< … or problem/index_two.hpp
    bool hamiltonian = false;                          ///< … with problem/mechanical_structure.hpp's Hamiltonian
    bool separable = false;                            ///< … which must be T(p) + U(q)
    int start_ups = 0;                                 ///< obeys MethodOptions::start_up, with this many steps
};

/// A method is immutable and serves many threads; a stepper is a method plus a workspace.
struct Method {
    std::string name;
    std::vector<std::string> aliases;
    std::string description;
    std::function<std::unique_ptr<Stepper>(const problem::ImplicitProblem& problem, const IntegrationOptions& options)>
        make;
    int index_limit = 3;                  ///< of unknowns that it can integrate at its highest order
    int (*index_limit_at)(int) = nullptr; ///< … and where the user limits the order
    Capabilities can = {};

    /// Of unknowns that it integrates with step sizes that change, at orders up to `max_order`. Index reduction brings
    /// them all to 1. A step that ends in a projection integrates index 2 whatever the stages are like (W (3.21)).
    [[nodiscard]] int highest_index(int max_order, EndOfStep variant = EndOfStep::automatic) const {
        if (can.end_variants && variant == EndOfStep::projected) return 2;
        return index_limit_at == nullptr ? index_limit : std::min(index_limit, index_limit_at(max_order));
    }
};

} // namespace daedalus::integrate
