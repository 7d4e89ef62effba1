#include "simulation/integration_settings.hpp"

#include "base/expected.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/methods/projected_end.hpp"
#include "integrate/methods/registry.hpp"
#include "integrate/numerical_start.hpp"
#include "problem/index_two.hpp"
#include "problem/mechanical_structure.hpp"

#include <fmt/format.h>

namespace daedalus::simulation {

namespace {

/// A method for mechanisms and a problem that is none, or not of the kind it needs.
std::optional<Diagnostic> no_mechanics(const integrate::Method& method, const problem::ImplicitProblem& problem) {
    const bool of_mechanisms = method.can.mechanics != integrate::MechanicalLevel::none;
    if (problem.facet<problem::MechanicalStructure>().tangent && (of_mechanisms || !method.can.explicit_stages))
        return make_error(
            "method-and-mechanics",
            fmt::format("coordinates of the tangent space are for explicit Runge-Kutta methods, and method "
                        "'{}' is none",
                        method.name),
            "`--method dopri5` or dop853; `--reduce partition` and projection are for any method");
    if (!of_mechanisms) return std::nullopt;
    if (method.can.any_index_two && !problem.facet<problem::IndexTwo>().empty()) return std::nullopt;
    if (problem.facet<problem::MechanicalStructure>().empty())
        return make_error(
            "method-and-mechanics",
            fmt::format("method '{}' is for mechanisms, and the problem as formulated has no equations of "
                        "motion M v' = f - L lambda",
                        method.name),
            "leave `--reduce` out, or give index2, projection or underlying-ode");
    const problem::Hamiltonian& h = problem.facet<problem::Hamiltonian>();
    if (method.can.hamiltonian && !h.present)
        return make_error("method-and-mechanics",
                          fmt::format("method '{}' is for Hamiltonian systems, with masses and forces of a potential: "
                                      "{}",
                                      method.name, h.why_not),
                          "'hem5', 'phem56' and 'dop853' are for any mechanism");
    if (method.can.separable && !h.separable)
        return make_error("method-and-mechanics",
                          fmt::format("method '{}' needs H = T(p) + U(q): {}", method.name, h.why_not_separable),
                          "'rattle' and 'lobatto3ab-3' are for any Hamiltonian system");
    return std::nullopt;
}

/// The theory that a method has for unknowns of this index and for steps as they are wanted, or a refusal.
Expected<integrate::MethodChoice> within_theory(integrate::MethodChoice choice, const problem::ImplicitProblem& problem,
                                                const integrate::MethodOptions& options) {
    const int max_order = options.max_order, index = problem.highest_index();
    const integrate::Method& method = *choice.method;
    if (method.can.constant_steps_only && !options.fixed_step)
        return fail(make_error("method-and-steps", fmt::format("method '{}' has constant steps only", method.name),
                               "give their size (`--fixed-step H`), or use a method with an error estimate, such as "
                               "'bdf' or 'radau'"));
    if (auto refused = no_mechanics(method, problem)) return fail(*std::move(refused));
    if (problem.quantity().required && !method.can.differences_quantity)
        return fail(make_error("method-and-quantity",
                               fmt::format("method '{}' does not difference a quantity of the unknowns", method.name),
                               "'bdf', 'radau' and 'esdirk4' do"));
    if (options.variant != integrate::EndOfStep::automatic) {
        if (!method.can.end_variants)
            return fail(make_error("end-of-step",
                                   fmt::format("the end of a step cannot be chosen for method '{}'", method.name),
                                   "it can for implicit Runge-Kutta methods by tableau, such as 'gauss-3'"));
        std::string refused;
        if (options.variant == integrate::EndOfStep::projected)
            refused = integrate::ProjectedEnd::refusal(problem);
        else if (options.variant == integrate::EndOfStep::indirect && index > 1)
            refused = fmt::format("constraints do not determine algebraic unknowns of index {}", index);
        if (!refused.empty())
            return fail(make_error("end-of-step", "steps cannot end as asked: " + refused,
                                   index > 1 ? "leave `--end-of-step` out, or let the index be reduced"
                                             : "projection is for index 2 as written (`--reduce none`)"));
    }
    if (options.start_up != integrate::StartUp::exact) {
        std::string refused;
        if (method.can.start_ups == 0)
            refused = fmt::format("method '{}' is not BDF with constant steps (bdf1 to bdf6)", method.name);
        else if (options.start_up == integrate::StartUp::corrected && method.can.start_ups > 1)
            refused = "multipliers are corrected after the first step of bdf1 only";
        else
            refused = integrate::NumericalStart::refusal(problem);
        if (!refused.empty())
            return fail(make_error("start-up", "the run cannot start up as asked: " + refused,
                                   "numerically consistent starts are for index 3 as written: `--reduce none --method "
                                   "bdf1 --fixed-step H`"));
    }
    if (index <= method.highest_index(max_order, options.variant)) return choice;
    Diagnostic d = make_error("method-and-index", integrate::index_refusal(*choice.method, max_order, index),
                              index > 3 ? "let the index be reduced (without `--reduce none`)"
                                        : "let the index be reduced (`--reduce dummy`), or use 'radau'");
    return fail(std::move(d));
}

} // namespace

Expected<integrate::MethodChoice> choose_method(const std::string& name, const Job& job,
                                                const integrate::IntegrationOptions& settings) {
    const problem::ImplicitProblem& problem = *job.problem;
    if (is_automatic(name) && problem.facet<problem::MechanicalStructure>().tangent)
        return integrate::MethodChoice{integrate::find_method("dop853"),
                                       "coordinates of the tangent space are for explicit methods"};
    if (is_automatic(name)) {
        const integrate::Journey journey{job.t0, job.t1, job.x0, job.dx0};
        return within_theory(integrate::choose_method(problem, settings, &journey), problem, settings.method);
    }
    if (const integrate::Method* method = integrate::find_method(name))
        return within_theory({method, "as asked"}, problem, settings.method);
    std::vector<std::string> names{"auto"};
    for (const integrate::Method& m : integrate::methods()) names.push_back(m.name);
    const auto close = closest(name, names);
    return fail(make_error("unknown-method", fmt::format("there is no method '{}'", name),
                           close ? fmt::format("did you mean '{}'?", *close) : "see `daedalus list methods`"));
}

namespace {

Expected<linalg::SolverKind> linear_solver_of(const std::string& name) {
    constexpr std::pair<std::string_view, linalg::SolverKind> kinds[] = {
        {"auto", linalg::SolverKind::automatic},
        {"dense", linalg::SolverKind::dense},
        {"straight-line", linalg::SolverKind::straight_line},
        {"klu", linalg::SolverKind::klu},
        {"umfpack", linalg::SolverKind::umfpack}};
    for (const auto& [known, kind] : kinds)
        if (name == known) return kind;
    return fail(make_error("unknown-linear-solver", fmt::format("there is no linear solver '{}'", name),
                           "there are: auto, dense, straight-line, klu, umfpack"));
}

Expected<integrate::EndOfStep> end_of_step_of(const std::string& name) {
    constexpr std::pair<std::string_view, integrate::EndOfStep> kinds[] = {
        {"auto", integrate::EndOfStep::automatic},
        {"direct", integrate::EndOfStep::direct},
        {"indirect", integrate::EndOfStep::indirect},
        {"projected", integrate::EndOfStep::projected}};
    for (const auto& [known, kind] : kinds)
        if (name == known) return kind;
    return fail(make_error("end-of-step", fmt::format("steps cannot end in the way '{}'", name),
                           "there are: auto, direct, indirect, projected"));
}

Expected<integrate::StartUp> start_up_of(const std::string& name) {
    constexpr std::pair<std::string_view, integrate::StartUp> kinds[] = {{"exact", integrate::StartUp::exact},
                                                                         {"numerical", integrate::StartUp::numerical},
                                                                         {"corrected", integrate::StartUp::corrected}};
    for (const auto& [known, kind] : kinds)
        if (name == known) return kind;
    return fail(make_error("start-up", fmt::format("a run cannot start up in the way '{}'", name),
                           "there are: exact, numerical, corrected"));
}

/// Values of single variables into those of all unknowns; the complaint if one cannot be used.
std::optional<Diagnostic> set_tolerances(const problem::ImplicitProblem& p,
                                         const std::vector<std::pair<std::string, double>>& given, const char* kind,
                                         std::vector<double>& each) {
    for (const auto& [name, value] : given) {
        bool found = false;
        std::vector<std::string> names;
        for (int i = 0; i < p.size(); ++i) {
            names.push_back(p.names().variable(i));
            if (names.back() != name) continue;
            each[static_cast<std::size_t>(i)] = value;
            found = true;
        }
        const auto close = found ? std::nullopt : closest(name, names);
        if (!found || !(value > 0))
            return make_error("bad-tolerance",
                              fmt::format("{} tolerance {} for '{}' cannot be used", kind, value, name),
                              found   ? "it must be positive"
                              : close ? fmt::format("did you mean '{}'?", *close)
                                      : "the integrator has no unknown of that name");
    }
    return std::nullopt;
}

} // namespace

Expected<integrate::IntegrationOptions> integration_options(const Job& job, const SolveOptions& options) {
    integrate::IntegrationOptions o;
    const auto solver = linear_solver_of(options.linear_solver);
    if (!solver) return Unexpected{solver.error()};
    o.linear_solver = *solver;
    const auto variant = end_of_step_of(options.end_of_step);
    if (!variant) return Unexpected{variant.error()};
    o.method.variant = *variant;
    const auto start_up = start_up_of(options.start_up);
    if (!start_up) return Unexpected{start_up.error()};
    o.method.start_up = *start_up;
    o.tolerance.relative = job.rtol;
    o.tolerance.absolute = job.atol;
    const problem::ImplicitProblem& p = *job.problem;
    if (!options.atol_each.empty()) {
        for (int i = 0; i < p.size(); ++i)
            o.tolerance.absolute_each.push_back(job.atol * p.unknowns()[static_cast<std::size_t>(i)].nominal);
        if (auto refused = set_tolerances(p, options.atol_each, "absolute", o.tolerance.absolute_each))
            return fail(*std::move(refused));
    }
    if (!options.rtol_each.empty()) {
        o.tolerance.relative_each.assign(static_cast<std::size_t>(p.size()), job.rtol);
        if (auto refused = set_tolerances(p, options.rtol_each, "relative", o.tolerance.relative_each))
            return fail(*std::move(refused));
    }
    o.step.first = options.first_step;
    o.step.max = options.max_step;
    if (options.fixed_step != 0.0) {
        o.step.first = options.fixed_step;
        o.method.fixed_step = true;
    }
    o.step.max_steps = options.max_steps;
    o.method.max_order = options.max_order;
    o.stop_times = options.stop_times;
    o.bounds.keep = options.keep_bounds;
    o.checkpoint.every = options.checkpoint_every;
    o.interrupt = options.interrupt;
    o.progress = options.progress;
    return o;
}

} // namespace daedalus::simulation
