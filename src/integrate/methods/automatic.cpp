#include "integrate/methods/automatic.hpp"

#include "integrate/methods/registry.hpp"
#include "integrate/stiffness_probe.hpp"
#include "linalg/klu_solver.hpp"
#include "problem/explicit_form.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace daedalus::integrate {

namespace {

// Above this size it depends on the fill whether Radau's complex factorisations cost more than its few steps save.
constexpr int always_for_radau = 2000;

/// Factors stay thin along chains, lines and narrow strips: a factorisation takes little more than a solve. Operations
/// per entry of the factors against the time of Radau over that of BDF, both at more digits by Radau: reaction and
/// diffusion on strips of 4,000 unknowns 6.6: 0.9 (at 1e-6 0.75), 13: 0.9 (1.1), 32: 2.2 (1.3); on lines, with one
/// operation, 0.4 to 1.1; 500 pendulums in a chain, with 8, 0.7.
bool thin_factors(const problem::ImplicitProblem& problem) {
    constexpr double thin = 12.0;
    const linalg::KluCounts expected = linalg::expected_counts(problem.pattern());
    return expected.entries > 0.0 && expected.operations <= thin * expected.entries;
}

// Above this relative tolerance low orders do, see radau_variable.cpp.
constexpr double few_digits = 3e-5;

/// Time and the constraints determine everything: there is nothing to integrate.
bool determined(const problem::ImplicitProblem& problem) {
    const auto is_differential = [](const problem::UnknownInfo& info) { return info.differential; };
    return problem.links().empty() &&
           (!problem.state_choice().blocks.empty() ||
            std::none_of(problem.unknowns().begin(), problem.unknowns().end(), is_differential));
}

bool has_algebraic(const problem::ImplicitProblem& problem) {
    return std::any_of(problem.unknowns().begin(), problem.unknowns().end(),
                       [](const problem::UnknownInfo& info) { return !info.differential; });
}

/// Where a run begins and what moves there, measured when it is first asked for.
class Start {
public:
    Start(const problem::ImplicitProblem& problem, const IntegrationOptions& options, const Journey& journey)
        : problem_(problem), options_(options), journey_(journey) {}
    [[nodiscard]] const FastestMotion& fastest() {
        if (!fastest_)
            fastest_ = fastest_motion(problem_, journey_.t0, journey_.x0, journey_.dx0, options_.linear_solver);
        return *fastest_;
    }
    /// The fastest rate over the length of the run.
    [[nodiscard]] double times() { return fastest().rate * std::abs(journey_.t1 - journey_.t0); }

private:
    const problem::ImplicitProblem& problem_;
    const IntegrationOptions& options_;
    const Journey& journey_;
    std::optional<FastestMotion> fastest_;
};

/// Nothing that an implicit method would step over, and stages that cost little.
bool explicit_method_pays(const problem::ImplicitProblem& problem, Start& start) {
    // Where one iteration of Newton solves all stages, high implicit orders cost no more than explicit ones and need
    // fewer steps, unless factorisations are dear.
    constexpr int large = 50, few = 8; // unknowns, entries per row
    if (problem.linear() && (problem.size() < large || problem.pattern().nonzeros() <= few * problem.size()))
        return false;
    // Nonlinear equations at every stage cost as much as the stages of an implicit method, until the factorisations of
    // the latter, of larger matrices and complex ones, outweigh them.
    const bool as_code = !problem.facet<problem::ExplicitForm>().empty(); // stages are formulas, and watched
    const bool linear_stages = problem.linear_leading() || as_code;
    if (!linear_stages && problem.size() < large && has_algebraic(problem)) return false;
    const FastestMotion& fastest = start.fastest();
    if (!fastest.known) return false;
    const bool linear = linear_stages || (fastest.constant_matrix && !fastest.algebraic);
    if (!linear && problem.size() < large) return false;
    constexpr int watched = 60; // unknowns of a stage: larger systems may go to KLU, which does not tell determinants
    if (linear && !as_code && fastest.algebraic && fastest.unknowns > watched) return false;
    // Stability makes an explicit method take rate × time / 6 steps. What decays quickly is gone soon, and those steps
    // are for nothing; so are they where fast oscillations have no part in the motion. Where they have, every method
    // must follow them. How many such steps are worth it depends on what a stage costs beside a step of Radau.
    constexpr double all_motions = 1e6, part = 0.2;
    const bool one_evaluation = fastest.constant_matrix && !fastest.algebraic;
    const double cheap = one_evaluation ? 1.0 : linear ? 1.0 / 3.0 : 0.1 * problem.size();
    const double affordable = cheap * (fastest.decaying && !one_evaluation ? 100.0 : 300.0);
    const bool takes_part = !fastest.decaying && fastest.present > part * fastest.rate;
    return start.times() <= (takes_part ? all_motions : affordable);
}

/// Few digits of what decays far faster than the run lasts, with equations coupled enough for factors to fill in: one
/// real factorisation per step and no iteration beat Radau's real and complex ones. With fewer unknowns or entries
/// factorisations are not what a step costs, and what is linear is solved by fewer steps of high order.
bool rosenbrock_pays(const problem::ImplicitProblem& problem, const IntegrationOptions& options, Start& start) {
    constexpr double long_ago = 1e4;
    constexpr int unknowns = 15, entries = 4; // at least; entries per row
    if (options.tolerance.relative <= few_digits || problem.linear() || problem.steep() || problem.size() < unknowns ||
        problem.pattern().nonzeros() < entries * problem.size())
        return false;
    const FastestMotion& fastest = start.fastest();
    return fastest.known && fastest.decaying && start.times() >= long_ago;
}

} // namespace

MethodChoice choose_method(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                           const Journey* journey) {
    const int index = problem.highest_index();
    if (!problem.has_entries())
        return {find_method("bdf"), "no entries of the Jacobian: one real system per step, solved by its products"};
    if (index <= 1 && determined(problem)) {
        // Estimates of order 4 and 6 make steps tol^(1/6 - 1/4) = 3.8 times as long here, at 1.7 times the work each
        // (two complex factorisations for one, and a real one). Looser tolerances are met by the first step anyway.
        constexpr double many_digits = 1e-7;
        const bool more = options.tolerance.relative < many_digits && !problem.linear();
        return {find_method(more ? "radau9" : "radau5"),
                "the constraints determine everything, no degree of freedom is left: long steps, "
                "and more stages would make them no longer"};
    }
    std::optional<Start> start;
    if (journey != nullptr && index <= 1) start.emplace(problem, options, *journey);
    // Neither explicit nor linearly implicit methods difference a quantity of the unknowns.
    if (problem.quantity().required) start.reset();
    if (start && explicit_method_pays(problem, *start)) {
        // Events cut steps short, and few digits make none that twelve stages would be needed for.
        const bool low = options.tolerance.relative > few_digits && problem.hybrid().roots.size > 0;
        return {find_method(low ? "dopri5" : "dop853"),
                std::string("nothing is stiff at the start, and derivatives follow from the states at little cost: ") +
                    (low ? "explicit, order 5 for few digits between events" : "explicit, order 8") +
                    "; should the problem become stiff, an implicit method takes over"};
    }
    const bool large = problem.size() > always_for_radau;
    if (large && !thin_factors(problem)) {
        std::string reason = std::to_string(problem.size()) + " unknowns: one real factorisation per step is cheaper";
        if (problem.hybrid().roots.size > 0) reason += "; if events are dense, a one-step method takes over";
        return {find_method("bdf"), std::move(reason)};
    }
    if (start && rosenbrock_pays(problem, options, *start))
        return {find_method("rodas4p"),
                "few digits of something stiff whose factors fill in: no iteration, and one real factorisation per "
                "step is cheaper"};
    std::string reason = options.tolerance.relative > few_digits
                             ? "L-stable, order 5 at this tolerance and higher where it pays: few steps"
                             : "orders 5 to 17 and L-stable: few steps at any tolerance";
    reason += problem.hybrid().roots.size > 0 ? ", and no start-up phase after events" : ", no start-up phase";
    if (large) reason += "; factors stay thin, and long steps save more than complex ones cost";
    if (index > 1) reason += "; unknowns of index " + std::to_string(index) + " are integrated directly";
    return {find_method("radau"), std::move(reason)};
}

Reconsider reconsider_at_restarts(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                  const Method& chosen) {
    if (chosen.can.explicit_stages) {
        const Method* implicit = choose_method(problem, options).method;
        return [implicit](const RunSoFar& run) { return run.stiff || run.stuck ? implicit : nullptr; };
    }
    if (chosen.can.linearly_implicit) {
        const Method* robust = find_method("radau");
        return [robust](const RunSoFar& run) { return run.stuck ? robust : nullptr; };
    }
    // Where Newton's iteration for all stages of Radau fails whatever the step, linear systems alone may do.
    if (chosen.can.coupled_stages && problem.highest_index() <= 1 && !problem.quantity().required) {
        const Method* linear = find_method("rodas5");
        return [linear](const RunSoFar& run) { return run.stuck && run.steps_of_method > 0 ? linear : nullptr; };
    }
    if (!chosen.can.multistep || problem.hybrid().roots.size == 0) return {};
    // An order k is kept for k + 1 steps at least, and the step doubles at most then: from order 1 and a small step it
    // takes tens of steps until both have settled: 65 to 140 between jumps of the heat at the end of a rod, at 1e-6.
    constexpr long start_up = 150;
    constexpr long enough = 4; // restarts before it is judged
    const Method* other = find_method(problem.highest_index() > 1 ? "radau5" : "esdirk4");
    return [other](const RunSoFar& run) -> const Method* {
        if (run.restarts < enough || run.steps_of_method >= start_up * run.restarts) return nullptr;
        return other;
    };
}

} // namespace daedalus::integrate
