// Daedalus itself: the model as written, default reduction, consistent start found once.
#include "integrate/consistent_start.hpp"
#include "integrate/integration.hpp"
#include "integrate/methods/automatic.hpp"
#include "integrate/methods/registry.hpp"
#include "peers/peer_code.hpp"

#include <unordered_map>

namespace daedalus::benchmarks {

namespace {

struct Run {
    compile::CompiledModel compiled;
    const integrate::Method* method = nullptr; ///< null: chosen for each run
    double t0 = 0.0, t1 = 0.0;
    std::vector<double> x0, dx0;
    std::vector<double> scale;        ///< per unknown
    std::vector<int> from;            ///< per unknown of the problem: output
    std::vector<problem::Link> links; ///< at the start: a run may exchange them
    Work work;

    std::vector<double> operator()(double tolerance) {
        if (compiled.problem.links() != links) compiled.problem.set_links(links);
        integrate::IntegrationOptions o;
        o.tolerance.relative = o.tolerance.absolute = tolerance;
        o.tolerance.absolute_each.reserve(scale.size());
        for (const double s : scale) o.tolerance.absolute_each.push_back(tolerance * s);
        o.step.max_steps = 200'000;
        integrate::Observer nobody;
        const integrate::Journey journey{t0, t1, x0, dx0};
        const integrate::Method& used =
            method != nullptr ? *method : *integrate::choose_method(compiled.problem, o, &journey).method;
        const auto result = integrate::integrate(
            compiled.problem, used, t0, t1, x0, dx0, o, nobody,
            method != nullptr ? integrate::Reconsider{} : integrate::reconsider_at_restarts(compiled.problem, o, used));
        const integrate::Counters& c = result.statistics.counters;
        work = {c.steps + c.error_rejections + c.newton_rejections + c.domain_rejections,
                c.residuals,
                c.jacobians,
                c.factorizations,
                c.solves,
                c.complex_factorizations,
                c.complex_solves};
        if (!result.finished()) return {};
        std::vector<double> all(compiled.outputs.size()), values;
        static_cast<void>(compiled.problem.outputs(t1, result.x.data(), result.dx.data(), all.data()));
        values.reserve(from.size());
        for (const int k : from) values.push_back(all[static_cast<std::size_t>(k)]);
        return values;
    }
};

} // namespace

PeerCode make_daedalus(const TestProblem& problem, const std::string& method) {
    PeerCode code{"Daedalus " + method, "Daedalus", {}, {}, {}};
    auto run = std::make_shared<Run>();
    run->method = integrate::find_method(method);
    if (run->method == nullptr && method != "auto") return code;
    auto compiled = compile::compile(problem.model, {.inline_definitions = true});
    if (!compiled) return code;
    run->compiled = *std::move(compiled);
    const problem::ImplicitProblem& p = run->compiled.problem;
    if (run->method != nullptr &&
        p.highest_index() > run->method->highest_index(integrate::IntegrationOptions{}.method.max_order))
        return code;
    auto start = integrate::consistent_start(run->compiled.initial);
    if (!start) return code;
    start->hold_constants(run->compiled.initial, run->compiled.problem);
    run->x0 = start->x(run->compiled.initial);
    run->dx0 = start->dx(run->compiled.initial);
    run->t0 = problem.t0;
    run->t1 = problem.t1;
    run->links = p.links();
    std::unordered_map<std::string, std::size_t> position, output;
    for (std::size_t i = 0; i < problem.unknowns.size(); ++i) position[problem.unknowns[i]] = i;
    for (std::size_t i = 0; i < run->compiled.outputs.size(); ++i) output[run->compiled.output_name(i)] = i;
    for (int i = 0; i < p.size(); ++i) {
        const auto at = position.find(p.names().variable(i));
        run->scale.push_back(at != position.end() ? problem.scale[at->second]
                                                  : p.unknowns()[static_cast<std::size_t>(i)].nominal);
    }
    for (const std::string& name : problem.unknowns) run->from.push_back(static_cast<int>(output.at(name)));
    code.work = [run] { return run->work; };
    code.costs = [run](double step) { return unit_costs(run->compiled.problem, run->t0, run->x0, run->dx0, step); };
    code.run = [run](double tolerance) { return (*run)(tolerance); };
    return code;
}

} // namespace daedalus::benchmarks
