#include "daedalus/solve.hpp"

#include "base/expected.hpp"
#include "compile/baumgarte.hpp"
#include "compile/compile.hpp"
#include "daedalus/black_box.hpp"
#include "expr/functions/function.hpp"
#include "facade/convert.hpp"
#include "facade/derivative_array.hpp"
#include "facade/extend_model.hpp"
#include "facade/hidden_structure.hpp"
#include "facade/initial_values.hpp"
#include "facade/run.hpp"
#include "facade/run_warnings.hpp"
#include "facade/start_check.hpp"
#include "integrate/methods/registry.hpp"
#include "problem/black_box.hpp"
#include "tape/machine_code_scope.hpp"
#include "tape/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace daedalus {

namespace {

output::VariableKind kind_of(const compile::OutputVariable& v) {
    if (v.discrete) return output::VariableKind::discrete;
    if (v.eliminated) return output::VariableKind::eliminated;
    return v.differential ? output::VariableKind::differential : output::VariableKind::algebraic;
}

void describe_model(const compile::CompiledModel& c, const SolveOptions& options, Solution::Impl& impl) {
    constexpr std::size_t most_equations = 5000; // of larger models the report shows the beginning
    output::ModelSummary& m = impl.report.model;
    m.name = c.model->name;
    m.description = c.model->description;
    if (!c.model->sources.empty()) {
        m.source_name = c.model->sources.front()->name();
        m.source_text = std::string(c.model->sources.front()->text().substr(0, 1U << 20U));
    }
    for (std::size_t v = 0; v < c.outputs.size(); ++v) {
        const compile::OutputVariable& o = c.outputs[v];
        impl.trajectory.variables.push_back(
            {o.name, o.unit, o.description, kind_of(o), o.discrete ? 0 : c.structure.variable_facts[v].index});
    }
    m.variables = impl.trajectory.variables;
    const expr::Names names = c.model->names();
    const auto latex = [&](expr::NodeId e) {
        return expr::to_string(*c.model->graph, e, names, expr::Notation::latex, 2000);
    };
    for (std::size_t i = 0; i < c.model->equations.size() && i < most_equations; ++i) {
        const model::Equation& e = c.model->equations[i];
        m.equations.push_back({c.structure.equation_facts[i].text, latex(e.left) + " = " + latex(e.right),
                               e.description, c.structure.equation_facts[i].where});
    }
    // The first equation at a place, or with a text where it has no place.
    const auto key = [](const std::optional<Location>& where, const std::string& text) {
        return where ? fmt::format("{}:{}:{}", where->file, where->line, where->column) : text;
    };
    std::unordered_map<std::string, int> equation_at;
    if (!c.structure.hidden_constraints.empty())
        for (std::size_t i = 0; i < m.equations.size(); ++i)
            equation_at.emplace(key(m.equations[i].where, m.equations[i].text), static_cast<int>(i));
    for (const compile::HiddenConstraint& h : c.structure.hidden_constraints) {
        std::vector<int> from;
        if (const auto it = equation_at.find(key(h.where, h.from)); it != equation_at.end()) from.push_back(it->second);
        m.hidden_constraints.push_back({h.text, "", std::move(from), h.differentiations});
    }
    for (std::size_t b = 0; b < c.structure.blocks.size() && b < most_equations; ++b) {
        output::EquationBlock block;
        block.equations = c.structure.blocks[b].equations;
        for (const int v : c.structure.blocks[b].variables)
            block.variables.push_back(c.structure.variable_facts[static_cast<std::size_t>(v)].name);
        m.blocks.push_back(std::move(block));
    }
    m.structural_index = c.structure.structural_index;
    m.degrees_of_freedom = c.structure.degrees_of_freedom;
    for (std::size_t p = 0; p < c.model->parameters.size(); ++p) {
        const model::Parameter& parameter = c.model->parameters[p];
        if (parameter.is_held) continue;
        const bool overridden = std::any_of(options.parameters.begin(), options.parameters.end(),
                                            [&](const auto& o) { return o.first == parameter.name; });
        m.parameters.push_back({parameter.name, c.parameters[p], parameter.unit, parameter.description, overridden});
    }
    for (const compile::PassRecord& p : c.passes)
        impl.report.passes.push_back({p.name, p.summary, p.reason, p.details, p.seconds});
    impl.report.options.push_back({"reduce", std::string(compile::to_string(c.reduce)), "", c.reduce_reason});
    if (c.definitions > 0)
        impl.report.options.push_back({"definitions", std::int64_t{c.definitions}, "",
                                       "put into the other equations; they hold by construction"});
    impl.report.diagnostics = c.model->warnings;
    for (const std::string& warning : c.structure.warnings) {
        Diagnostic d = make_error("structure", warning);
        d.severity = Severity::warning;
        impl.report.diagnostics.push_back(std::move(d));
    }
    const std::string trouble = tape::machine_code_trouble();
    if (options.machine_code && c.backend == "interpreter" && !trouble.empty()) {
        Diagnostic d =
            make_error("no-machine-code", fmt::format("the equations are interpreted, which is slower: {}", trouble),
                       "results are the same; --no-jit asks for the interpreter and silences this");
        d.severity = Severity::warning;
        impl.report.diagnostics.push_back(std::move(d));
    }
}

void describe_start(const problem::InitialProblem& p, const integrate::ConsistentStart& start, Solution::Impl& impl) {
    constexpr std::size_t most_values = 2000;
    for (std::size_t i = 0; i < p.unknowns.size() && i < most_values; ++i)
        impl.report.initial_values.push_back(
            {p.legend->variable(static_cast<int>(i)), "", p.unknowns[i].start, start.u[i], p.unknowns[i].strength});
    impl.report.diagnostics.insert(impl.report.diagnostics.end(), start.warnings.begin(), start.warnings.end());
    output::PassRecord record;
    record.name = "consistent start";
    record.what = start.attempts.empty()
                      ? ""
                      : fmt::format("{}: {} iterations, largest residual {:.2g}", start.attempts.back().method,
                                    start.attempts.back().iterations, start.largest_residual);
    record.why = start.analysed ? fmt::format("{} degrees of freedom", start.degrees_of_freedom) : "";
    for (const integrate::StartAttempt& a : start.attempts)
        record.details.push_back(
            fmt::format("{}: {}{}", a.method, a.success ? "succeeded" : "failed", a.note.empty() ? "" : ", " + a.note));
    for (std::size_t k = 0; k < start.changes.size() && k < 50; ++k)
        record.details.push_back(fmt::format("{}: {:.10g} → {:.10g}", start.changes[k].name, start.changes[k].before,
                                             start.changes[k].after));
    for (std::size_t k = 0; k < start.solutions.size() && start.solutions.size() > 1; ++k)
        record.details.push_back(
            fmt::format("solution {}: distance {:.6g} from the start values", k + 1, start.solutions[k].distance));
    impl.report.passes.push_back(std::move(record));
    impl.start_notes = facade::start_notes(start);
}

void set_baumgarte(compile::CompiledModel& compiled, const SolveOptions& options, std::span<const double> u,
                   double interval, Solution::Impl& impl) {
    compile::BaumgarteChoice choice;
    if (options.baumgarte_alpha)
        choice = {*options.baumgarte_alpha, "as asked"};
    else
        choice = compile::choose_baumgarte_alpha(compiled, u, interval);
    compile::set_baumgarte_alpha(compiled, choice.alpha);
    impl.report.options.push_back({"baumgarte-alpha", choice.alpha, "", choice.reason});
}

/// The caller's event functions as root functions; zeros of those that only count in one direction are filtered.
void watch(std::vector<EventFunction>& events, std::size_t n, problem::ImplicitProblem& problem, facade::Job& job) {
    if (events.empty()) return;
    struct Roots {
        std::vector<EventFunction>& events;
        std::size_t n;
        static problem::EvalStatus evaluate(void* context, double t, const double* x, const double* dx, double* g) {
            auto& self = *static_cast<Roots*>(context);
            for (const EventFunction& e : self.events) *g++ = e.function(t, {x, self.n}, {dx, self.n});
            return problem::EvalStatus::ok;
        }
    };
    struct Names final : problem::Legend {
        explicit Names(const std::vector<EventFunction>& e) : events(e) {}
        [[nodiscard]] std::string equation(int row) const override {
            const std::string& name = events[static_cast<std::size_t>(row)].name;
            return name.empty() ? fmt::format("event function {}", row + 1) : name;
        }
        const std::vector<EventFunction>& events;
    };
    const auto roots = std::make_shared<Roots>(Roots{events, n});
    problem.roots = {static_cast<int>(events.size()), roots.get(), &Roots::evaluate};
    problem.roots_legend = std::make_shared<Names>(events);
    for (const EventFunction& e : events)
        problem.root_direction.push_back(e.direction == EventFunction::Direction::both     ? 0
                                         : e.direction == EventFunction::Direction::rising ? 1
                                                                                           : -1);
    job.at_event = [&events, roots, &problem, by = job.stopped_by](const integrate::EventPoint& point) {
        auto action = integrate::Action::proceed;
        for (const int k : point.roots) {
            const EventFunction& e = events[static_cast<std::size_t>(k)];
            if (e.action) e.action(point.t, point.x, point.dx);
            if (!e.terminal) continue;
            action = integrate::Action::stop;
            *by = problem.roots_legend->equation(k);
        }
        return action;
    };
}

/// When-clauses look forward: what was true before an event is not known when time runs backward through it.
std::optional<Diagnostic> check_clauses(const model::Model& m, const facade::Job& job) {
    if (job.t1 >= job.t0) return std::nullopt;
    bool acts = !m.samples.empty() || !m.memories.empty();
    SourceSpan where;
    for (const model::When& clause : m.clauses)
        for (const model::WhenBranch& branch : clause.branches)
            if (!branch.settings.empty() || !branch.reinits.empty()) {
                acts = true;
                if (!where.known()) where = branch.span;
            }
    if (!acts) return std::nullopt;
    Diagnostic d = make_error("backward-events",
                              "a model whose variables change at events cannot be solved backward in time: what they "
                              "were before an event does not follow from what they are behind it",
                              "solve it forward, from a start before the interval of interest");
    if (where.known()) d.where = where.locate();
    return d;
}

/// Outputs that may jump while their derivatives come from differentiated branches. What reinit does is meant.
std::vector<int> differentiated_outputs(const compile::CompiledModel& c) {
    const bool reduced = c.reduce == compile::Reduce::dummy || c.reduce == compile::Reduce::underlying_ode ||
                         c.reduce == compile::Reduce::projection || c.reduce == compile::Reduce::ggl ||
                         c.reduce == compile::Reduce::baumgarte;
    const problem::ImplicitProblem& p = c.problem;
    const bool jumps = p.modes.size > 0 || !p.discrete.empty() || !p.time_events.empty() || p.instants.next != nullptr;
    if (!reduced || !jumps) return {};
    for (const model::When& clause : c.model->clauses)
        for (const model::WhenBranch& branch : clause.branches)
            if (!branch.reinits.empty()) return {};
    std::vector<int> list;
    for (std::size_t k = 0; k < c.outputs.size(); ++k)
        if (c.outputs[k].differential) list.push_back(static_cast<int>(k));
    return list;
}

/// How much structure is trusted where the reduction is left to the program.
struct Way {
    bool trust_structure = false; ///< even where its system Jacobian is singular
    std::string why_arrays = {};  ///< why derivative arrays are used, where they were not asked for
};

/// Nothing is integrated that hides a constraint.
Diagnostic refusal(const model::Model& m, const Diagnostic& why) {
    Diagnostic d = make_error("hidden-constraint",
                              fmt::format("{} hides a constraint that its structure does not show, so that nothing "
                                          "that is built on structure can be trusted",
                                          m.name),
                              "write the hidden constraint as an equation of its own, or give --reduce "
                              "derivative-array; --reduce none integrates the equations as written");
    d.where = why.where;
    d.notes.push_back({Severity::note, "", why.message, why.where, "", {}});
    d.notes.insert(d.notes.end(), why.notes.begin(), why.notes.end());
    return d;
}

Expected<Solution> solve_once(const Model& model, const SolveOptions& options, std::shared_ptr<Solution::Impl> impl,
                              const Way& way = {}) {
    const tape::MachineCodeScope scope(options.machine_code);
    auto extended = facade::extend_model(model.impl().model, options);
    if (!extended) return Unexpected{std::move(extended.error())};
    const std::shared_ptr<const model::Model> m = *std::move(extended);
    auto job = facade::make_job(options, {m->experiment.start_time, m->experiment.stop_time, m->experiment.tolerance});
    if (!job) return Unexpected{std::move(job.error())};
    if (auto trouble = check_clauses(*m, *job)) return fail(*std::move(trouble));
    compile::CompileOptions how = facade::compile_options(options, job->t0);
    how.quadratures = options.quadratures && !how.steady_state && how.reduce != compile::Reduce::derivative_array &&
                      how.reduce != compile::Reduce::campbell_moore;
    how.inline_definitions = true;
    const integrate::Method* method = integrate::find_method(options.method);
    how.needs_states = method != nullptr && method->highest_index < 3;
    for (const auto* list : {&options.atol_each, &options.rtol_each})
        for (const auto& [name, value] : *list) how.kept.push_back(name);
    auto compiled = compile::compile(m, how);
    if (!compiled) return Unexpected{std::move(compiled.error())};
    if (!way.why_arrays.empty()) compiled->reduce_reason = way.why_arrays;
    impl->index = way.why_arrays.empty() ? compiled->structure.structural_index : -1; // until the arrays tell
    const bool by_arrays =
        compiled->reduce == compile::Reduce::derivative_array || compiled->reduce == compile::Reduce::campbell_moore;
    // What the arrays give is exact to some 1e-10 only: a small absolute tolerance would ask for its noise.
    if (by_arrays && !options.atol) job->atol = job->rtol;
    std::vector<double> x0, dx0;
    auto start = [&]() -> Expected<integrate::ConsistentStart> {
        if (!by_arrays) return integrate::consistent_start(compiled->initial, facade::start_options(options));
        auto reduced = facade::reduce_by_arrays(*compiled, facade::compile_options(options, job->t0),
                                                facade::start_options(options));
        if (!reduced) return Unexpected{std::move(reduced.error())};
        impl->index = reduced->differentiation;
        x0 = std::move(reduced->x);
        dx0 = std::move(reduced->dx);
        return std::move(reduced->start);
    }();
    if (!start) {
        impl->misled = start.error().front();
        return Unexpected{std::move(start.error())};
    }
    if (options.reduction == Reduction::automatic && !way.trust_structure)
        if (auto found =
                facade::hidden_structure(*compiled, job->t0, job->t1, start->u, facade::start_options(options))) {
            impl->misled = std::move(found);
            impl->hidden = true;
            return fail(refusal(*m, *impl->misled));
        }
    describe_model(*compiled, options, *impl);
    describe_start(compiled->initial, *start, *impl);
    job->x0 = by_arrays ? std::move(x0) : start->x(compiled->initial);
    job->dx0 = by_arrays ? std::move(dx0) : start->dx(compiled->initial);
    std::vector<signed char> side;
    compiled->problem.set_modes_at(job->t0, job->x0.data(), job->dx0.data(), job->t1 >= job->t0, side);
    const Diagnostics singular =
        by_arrays ? Diagnostics{} : facade::check_start(*compiled, job->t0, start->u); // in the reduction's jets
    impl->report.diagnostics.insert(impl->report.diagnostics.end(), singular.begin(), singular.end());
    if (compiled->reduce == compile::Reduce::baumgarte)
        set_baumgarte(*compiled, options, start->u, job->t1 - job->t0, *impl);
    job->problem = &compiled->problem;
    job->differentiated = differentiated_outputs(*compiled);
    // A run stops next to a singular point, at a distance that the tolerance decides, or round-off.
    if (!by_arrays) // whose unknowns are others than those of the system Jacobian
        job->explain_stop = [&, t0 = job->t0, level = std::max(1e-4, std::sqrt(job->rtol))](
                                double t, const std::vector<double>& x, const std::vector<double>& dx) {
            return facade::check_end(*compiled, t0, start->u, t, x, dx, level);
        };
    return facade::run(*std::move(job), options, std::move(impl));
}

} // namespace

namespace {

/// Where structure was misled, or may have been, derivative arrays are asked. What they find replaces `first` where it
/// succeeds; else `first` stays, with what they said.
Expected<Solution> solve_by_arrays(const Model& model, const SolveOptions& options, const Solution::Impl& first_impl,
                                   Expected<Solution> first) {
    const std::size_t size = model.variable_count();
    if (size > facade::largest_for_arrays) {
        if (!first && first_impl.hidden)
            first.error().front().notes.push_back(
                {Severity::note,
                 "",
                 fmt::format("derivative arrays are not tried by themselves on more than {} variables; here there are "
                             "{}",
                             facade::largest_for_arrays, size),
                 std::nullopt,
                 "",
                 {}});
        return first;
    }
    SolveOptions other = options;
    other.reduction = Reduction::derivative_array;
    const auto impl = std::make_shared<Solution::Impl>();
    const std::string why = first_impl.hidden
                                ? fmt::format("structure says index {}, but its system Jacobian is singular at every "
                                              "consistent point near the start: {}",
                                              first_impl.index, first_impl.misled->message)
                                : fmt::format("what was built on structure, which says index {}, failed: {}",
                                              first_impl.index, first_impl.misled->message);
    auto second = solve_once(model, other, impl, {.why_arrays = why});
    // Where structure finds the same index, both are the same system, and its singularity is the solution's own. Up to
    // index 1 nothing is hidden that has to be differentiated: implicit methods integrate the equations as written.
    if (first_impl.hidden && impl->index >= 0 && impl->index <= std::max(1, first_impl.index))
        return solve_once(model, options, std::make_shared<Solution::Impl>(), {.trust_structure = true});
    if (second && second->success() && (first_impl.hidden || impl->index >= 2)) {
        Diagnostic note = make_error("derivative-arrays",
                                     fmt::format("derivative arrays find index {} and are used: {}", impl->index, why));
        note.severity = Severity::warning;
        impl->report.diagnostics.push_back(std::move(note));
        return second;
    }
    if (!first && first_impl.hidden)
        first.error().front().notes.push_back(
            {Severity::note,
             "",
             "derivative arrays do not help: " + (second ? second->message() : second.error().front().message),
             std::nullopt,
             "",
             {}});
    return first;
}

} // namespace

Expected<Solution> solve(const Model& model, const SolveOptions& options) {
    const auto impl = std::make_shared<Solution::Impl>();
    auto solution = solve_once(model, options, impl);
    if (impl->misled && !impl->integrand_failed && !impl->traces_failed && options.reduction == Reduction::automatic &&
        options.resume.empty() && (!solution || !solution->success()))
        return solve_by_arrays(model, options, *impl, std::move(solution));
    SolveOptions other = options;
    if (impl->integrand_failed) {
        // As part of the system the integrand limits the steps, and what is wrong with it can be named.
        other.quadratures = false;
        return solve(model, other);
    }
    if (!impl->traces_failed) return solution;
    constexpr double finest = 1.7e-24; // what E5 needs, whose traces are the smallest that are known (HW IV.10)
    other.atol = finest;
    const auto finer = std::make_shared<Solution::Impl>();
    auto again = solve_once(model, other, finer);
    if (!again || !again->success()) return solution;
    facade::warn_of_finer_tolerance(*impl, finest, *finer);
    return again;
}

Expected<Solution> solve(const BlackBox& box, const SolveOptions& options) {
    const tape::MachineCodeScope scope(options.machine_code);
    auto job = facade::make_job(options, {});
    if (!job) return Unexpected{std::move(job.error())};
    const std::size_t n = box.x0.size();
    problem::BlackBox inner;
    inner.residual = [f = box.residual](double t, std::span<const double> x, std::span<const double> dx,
                                        std::span<double> r) {
        f(t, x, dx, r);
        return true;
    };
    if (box.jacobian)
        inner.jacobian = [f = box.jacobian](double t, std::span<const double> x, std::span<const double> dx,
                                            std::span<double> jx, std::span<double> jdx) {
            f(t, x, dx, jx, jdx);
            return true;
        };
    if (!box.pattern.empty())
        inner.pattern = SparsityPattern::from_entries(static_cast<int>(n), static_cast<int>(n), box.pattern);
    inner.t0 = job->t0;
    inner.x0 = box.x0;
    inner.dx0 = box.dx0;
    inner.names = box.names;
    if (!box.index.empty()) {
        inner.unknowns.resize(n);
        for (std::size_t i = 0; i < std::min(n, box.index.size()); ++i) inner.unknowns[i].index = box.index[i];
    }
    auto initial = problem::make_initial_problem(inner);
    if (!initial) return Unexpected{std::move(initial.error())};
    auto problem = problem::make_implicit_problem(inner);
    if (!problem) return Unexpected{std::move(problem.error())};
    auto start = integrate::consistent_start(*initial, facade::start_options(options));
    if (!start) return Unexpected{std::move(start.error())};
    auto impl = std::make_shared<Solution::Impl>();
    impl->report.model.name = "black box";
    for (std::size_t i = 0; i < n; ++i) {
        const bool differential = problem->unknowns()[i].differential;
        impl->trajectory.variables.push_back(
            {problem->legend->variable(static_cast<int>(i)), "", "",
             differential ? output::VariableKind::differential : output::VariableKind::algebraic,
             problem->unknowns()[i].index});
    }
    impl->report.model.variables = impl->trajectory.variables;
    describe_start(*initial, *start, *impl);
    job->problem = &*problem;
    job->x0 = start->x(*initial);
    job->dx0 = start->dx(*initial);
    struct Identity {
        static problem::EvalStatus copy(void* context, double, const double* x, const double*, double* y) {
            std::copy_n(x, *static_cast<std::size_t*>(context), y);
            return problem::EvalStatus::ok;
        }
    };
    std::size_t count = n;
    problem->outputs = {static_cast<int>(n), &count, &Identity::copy};
    std::vector<EventFunction> events = box.events;
    watch(events, n, *problem, *job);
    return facade::run(*std::move(job), options, std::move(impl));
}

std::vector<MethodInfo> methods() {
    std::vector<MethodInfo> list;
    for (const integrate::Method& m : integrate::methods()) list.push_back({m.name, m.description});
    return list;
}

std::vector<FunctionInfo> functions() {
    std::vector<FunctionInfo> list;
    for (const expr::Function* f : expr::all_functions())
        list.push_back({std::string(f->name), std::string(f->meaning)});
    return list;
}

} // namespace daedalus
