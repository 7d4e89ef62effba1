// Newton's method, once for all methods, with the convergence monitor of stiff integrators.
//
// The equation solved per step is an object; Newton knows three things of it:
//     eq.residual()   evaluate at the current iterate; false: not finite (outside the domain)
//     eq.solve()      correction Δ from the (approximate, usually frozen) iteration matrix
//     eq.update()     apply Δ and return its weighted norm, in which 1 is the integrator's tolerance
// A frozen matrix gives linear convergence with a rate Θ that is measured; the iteration stops when the estimated
// remaining error Θ/(1-Θ) ‖Δ‖ is below κ, and gives up as soon as the rate predicts that the remaining iterations
// cannot get there (HW IV.8, (8.10)-(8.11); Brenan, Campbell & Petzold 1996, 5.2.2).
#pragma once

#include <limits>

namespace daedalus::nonlinear {

enum class NewtonStatus {
    converged,
    stagnated,  ///< no further progress because of round-off, at a level far below the tolerance: usable
    diverged,   ///< Θ ≥ 1
    too_slow,   ///< converges, but not within the iterations allowed
    not_finite, ///< a residual or a correction is NaN or infinite
};

struct NewtonOptions {
    int max_iterations = 7;
    double kappa = 0.03;           ///< wanted: remaining error ≤ kappa (in the weighted norm)
    double divergence_rate = 0.99; ///< Θ from which on the iteration is given up
    double growth_at_first = 0.0;  ///< if > 1: the second correction may be so much larger than the first, which a good
                                   ///< predictor made small; where the predictor is poor, that leads to other solutions
    double stagnation_level = 0.1; ///< corrections that stay below this and no longer shrink count as round-off
    double first_eta = 1.0;        ///< Θ/(1-Θ) assumed while nothing is known about the rate
    bool rate_at_round_off = false; ///< a second correction within round-off tells the rate too
    double smallest_eta = 1e-3; ///< a remembered Θ/(1-Θ) is not trusted below this: rates change with the solution
};

struct NewtonResult {
    NewtonStatus status = NewtonStatus::converged;
    int iterations = 0;
    double rate = 0.0;      ///< Θ, the last estimate; 0 if only one iteration was made
    double predicted = 0.0; ///< predicted remaining error / kappa when given up as too slow
    double last_norm = 0.0; ///< ‖Δ‖ of the last correction
    [[nodiscard]] bool usable() const { return status == NewtonStatus::converged || status == NewtonStatus::stagnated; }
};

/// Judges a sequence of correction norms. Remembers Θ/(1-Θ) between solves with the same matrix.
class ConvergenceMonitor {
public:
    enum class Verdict { iterate, stop };

    /// The iteration matrix changed: what is known about the rate is void.
    void forget_rate() { eta_ = unknown; }
    /// `roundoff_norm`: weighted size of a change of the iterate that is only round-off.
    void begin(const NewtonOptions& options, double roundoff_norm);
    [[nodiscard]] Verdict observe(double norm);
    [[nodiscard]] Verdict not_finite();
    [[nodiscard]] const NewtonResult& result() const { return result_; }

private:
    static constexpr double unknown = -1.0;
    Verdict stop(NewtonStatus status);

    NewtonOptions options_;
    NewtonResult result_;
    double eta_ = unknown;
    double roundoff_norm_ = 0.0;
    double previous_norm_ = 0.0;
    double previous_ratio_ = 0.0;
    bool promised_ = false; ///< the first ratio alone would have ended the iteration
};

template <class Equation>
NewtonResult newton(Equation& equation, ConvergenceMonitor& monitor, const NewtonOptions& options,
                    double roundoff_norm) {
    monitor.begin(options, roundoff_norm);
    for (;;) {
        if (!equation.residual()) {
            (void)monitor.not_finite();
            break;
        }
        equation.solve();
        if (monitor.observe(equation.update()) == ConvergenceMonitor::Verdict::stop) break;
    }
    return monitor.result();
}

/// A fresh matrix at every iterate: far from the solution, or where nothing but round-off may remain. It knows of the
/// equation
///     eq.linearise()    residual and matrix at the iterate; false: not finite or singular there
///     eq.solve()        correction Δ
///     eq.update(λ)      goes to iterate + λ Δ and returns the relative size of λ Δ
/// and, where the equation has them,
///     eq.finished()     the residual just found is as small as it can or need be
///     eq.merit()        of the iterate, and
///     eq.attempt(λ)     merit at iterate + λ Δ, infinite outside the domain: steps are halved until the merit
///                       decreases (Armijo; Deuflhard 2004, 3.1); without a merit steps are whole
///     eq.settled(δ)     after a step of relative size δ: what is left is noise
/// `stagnated` means that no step lowers the merit, or that corrections below `round_off_level` no longer shrink: at
/// round-off, or stuck; the residual tells which. Sizes are double in whatever arithmetic the equation is solved.
struct DampingOptions {
    int max_iterations = 60;       ///< not counting those that lower the merit to a quarter, …
    int most_iterations = 1000;    ///< … but of all of them
    double smallest_step = 1e-6;   ///< λ below which the search is given up
    double sufficient = 1e-4;      ///< share of the decrease that the linearisation promises
    double negligible = 1e-14;     ///< relative size of a correction that ends the iteration
    double round_off_level = 0.0;  ///< corrections below it that hardly shrink are round-off …
    double shrinks = 0.25;         ///< … if they are more than this share of the one before
    bool equal_full_steps = false; ///< a whole step is taken unless the merit grows
};

template <class Equation>
NewtonResult damped_newton(Equation& equation, const DampingOptions& options = {}) {
    NewtonResult result;
    const auto ends = [&](NewtonStatus status) {
        result.status = status;
        return result;
    };
    double previous = std::numeric_limits<double>::infinity();
    // Down exponentials the iteration goes by one unit of the exponent at a time, straight to the solution.
    int steady = 0;
    constexpr double quarter = 0.25;
    while (result.iterations - steady < options.max_iterations && result.iterations < options.most_iterations) {
        if (!equation.linearise()) return ends(NewtonStatus::not_finite);
        if constexpr (requires { equation.finished(); })
            if (equation.finished()) return ends(NewtonStatus::converged);
        equation.solve();
        double lambda = 1.0;
        if constexpr (requires { equation.merit(); }) {
            const double before = equation.merit();
            double there = before;
            const auto lowers = [&] {
                there = equation.attempt(lambda);
                // An infinite merit may mean that there was no step at all.
                if (!(there < std::numeric_limits<double>::infinity())) return false;
                return there < before * (1.0 - options.sufficient * lambda) ||
                       (options.equal_full_steps && lambda == 1.0 && there <= before);
            };
            while (lambda > options.smallest_step && !lowers()) lambda *= 0.5;
            if (lambda <= options.smallest_step) return ends(NewtonStatus::stagnated);
            if (there < quarter * before) ++steady;
        }
        const double change = result.last_norm = equation.update(lambda);
        ++result.iterations;
        if (!(change < std::numeric_limits<double>::infinity())) return ends(NewtonStatus::not_finite);
        if (change < options.negligible) return ends(NewtonStatus::converged);
        if (change < options.round_off_level && change > options.shrinks * previous)
            return ends(NewtonStatus::stagnated);
        if constexpr (requires { equation.settled(change); })
            if (equation.settled(change)) return ends(NewtonStatus::converged);
        previous = change;
    }
    return ends(NewtonStatus::too_slow);
}

/// Down to round-off with a matrix that may come from elsewhere and is renewed where it converges too slowly; far from
/// the solution, as where an event changes what algebraic unknowns follow, Newton's own method with damping. It knows
/// of the equation
///     eq.residual()     at the iterate; false: not finite
///     eq.solve()        correction Δ from the matrix at hand
///     eq.update()       goes to iterate + Δ and returns the relative size of Δ
///     eq.renew()        the matrix at the iterate; false: not finite or singular
///     eq.shorten()      takes back as much of the last Δ as makes the next one shorter; false: nothing does
///     eq.begin_again()  back to the first iterate
/// `last_norm` of the result is infinite where F or a correction was not finite.
struct RenewalOptions {
    double accuracy = 0.0;                         ///< corrections below it that shrink as they should are the last
    int max_iterations = 10;                       ///< and one more for each step from afar
    double round_off = 8 * 2.2204460492503131e-16; ///< relative size of a correction that says nothing
    double round_off_level = 1e-11;                ///< corrections below it that hardly shrink are round-off …
    double shrinks = 0.25;                         ///< … if they are more than this share of the one before
    double far = 0.05;                             ///< relative size of a correction from which on it is damped
    int far_steps = 20;                            ///< at most
    int renewals = 2;                              ///< of the matrix near the solution
    double rate_of_old_matrix = 0.1;               ///< slower, and the matrix is renewed
    double known_rate = 1.0; ///< of an iteration that is linear: what is left behind the first correction, over it
    double rate_of_new_matrix = 0.5;
};

/// `fresh`: the matrix belongs to the first iterate.
template <class Equation>
NewtonResult renewing_newton(Equation& equation, bool fresh, const RenewalOptions& options = {}) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    NewtonResult result;
    const auto ends = [&](NewtonStatus status) {
        result.status = status;
        return result;
    };
    double previous = infinity;
    int renewals = options.renewals, far_steps = 0;
    while (result.iterations < options.max_iterations + far_steps) {
        result.last_norm = infinity;
        if (!equation.residual()) return ends(NewtonStatus::not_finite);
        equation.solve();
        const double change = equation.update();
        const bool first = result.iterations++ == 0;
        if (!(change < infinity)) return ends(NewtonStatus::not_finite);
        result.last_norm = change;
        if (result.iterations == 2 && previous < infinity) result.rate = change / previous;
        const double slow = renewals == options.renewals ? options.rate_of_old_matrix : options.rate_of_new_matrix;
        const bool converged = change <= options.round_off || options.known_rate * change <= options.round_off ||
                               (change <= options.round_off_level && change > options.shrinks * previous) ||
                               (change <= options.accuracy && previous < infinity && change <= slow * previous);
        if (converged) return ends(NewtonStatus::converged);
        if (change > options.far && !fresh) { // a direction from elsewhere is not worth damping
            fresh = true;
            equation.begin_again();
            if (!equation.renew()) return ends(NewtonStatus::diverged);
            continue;
        }
        if (change > options.far && far_steps < options.far_steps) {
            ++far_steps;
            if (!equation.shorten() || !equation.renew()) return ends(NewtonStatus::diverged);
            previous = infinity;
            continue;
        }
        const bool too_old = !first && change > slow * previous; // is the matrix for this point
        if (too_old && (renewals-- == 0 || !equation.renew())) return ends(NewtonStatus::diverged);
        previous = too_old ? infinity : change;
    }
    return ends(NewtonStatus::too_slow);
}

} // namespace daedalus::nonlinear
