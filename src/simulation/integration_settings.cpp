#include "simulation/integration_settings.hpp"

#include "base/expected.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/methods/registry.hpp"

#include <fmt/format.h>

namespace daedalus::simulation {

namespace {

/// The theory that a method has for unknowns of this index, or a refusal.
Expected<integrate::MethodChoice> within_theory(integrate::MethodChoice choice, int max_order, int index) {
    if (index <= choice.method->highest_index(max_order)) return choice;
    Diagnostic d = make_error("method-and-index", integrate::index_refusal(*choice.method, max_order, index),
                              index > 3 ? "let the index be reduced (without `--reduce none`)"
                                        : "let the index be reduced (`--reduce dummy`), or use 'radau'");
    return fail(std::move(d));
}

} // namespace

Expected<integrate::MethodChoice> choose_method(const std::string& name, const Job& job,
                                                const integrate::IntegrationOptions& settings) {
    const problem::ImplicitProblem& problem = *job.problem;
    const int index = problem.highest_index();
    if (is_automatic(name)) {
        const integrate::Journey journey{job.t0, job.t1, job.x0, job.dx0};
        return within_theory(integrate::choose_method(problem, settings, &journey), settings.method.max_order, index);
    }
    if (const integrate::Method* method = integrate::find_method(name))
        return within_theory({method, "as asked"}, settings.method.max_order, index);
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
