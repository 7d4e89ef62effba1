#include "simulation/solve_model.hpp"

#include "analysis/derivative_array_reduction.hpp"
#include "compile/sample_check.hpp"
#include "integrate/methods/registry.hpp"
#include "simulation/array_reduction.hpp"
#include "simulation/convert.hpp"
#include "simulation/departure_runs.hpp"
#include "simulation/describe.hpp"
#include "simulation/discrete_start.hpp"
#include "simulation/files_of_run.hpp"
#include "simulation/formulation_parameters.hpp"
#include "simulation/growth_runs.hpp"
#include "simulation/hidden_structure.hpp"
#include "simulation/homotopy_start.hpp"
#include "simulation/input_signals.hpp"
#include "simulation/mass_metric_start.hpp"
#include "simulation/mode_runs.hpp"
#include "simulation/model_digest.hpp"
#include "simulation/redundant_constraints.hpp"
#include "simulation/redundant_runs.hpp"
#include "simulation/regularisation_error.hpp"
#include "simulation/regularity_watch.hpp"
#include "simulation/run_warnings.hpp"
#include "simulation/several_solutions.hpp"
#include "simulation/start_check.hpp"
#include "simulation/start_options.hpp"
#include "simulation/strict_start.hpp"
#include "tape/machine_code_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace daedalus::simulation {

namespace {

/// Values at the end of the run are not for an initial value solver, which would go on from any start values.
std::optional<Diagnostic> check_final_values(const model::Model& m) {
    for (const model::Variable& v : m.variables) {
        if (v.final_value == expr::no_node) continue;
        Diagnostic d = make_error(
            "boundary-value-problem",
            fmt::format("'{}' has a value at the end of the run (finalValue): this is a boundary value problem, and "
                        "start values alone, which `solve` works from, do not determine its solution",
                        v.name),
            "remove the finalValue to integrate from start values that you give");
        if (v.span.known()) d.where = v.span.locate();
        return d;
    }
    return std::nullopt;
}

/// When-clauses look forward: what was true before an event is not known when time runs backward through it.
std::optional<Diagnostic> check_clauses(const model::Model& m, const Job& job) {
    if (job.t1 >= job.t0) return std::nullopt;
    if (m.has_past())
        return make_error("backward-delay",
                          fmt::format("a model with {}() cannot be solved backward in time: it would need what is to "
                                      "come",
                                      m.delays.empty() ? "spatialDistribution" : "delay"),
                          m.span_of_past(), "solve it forward, from a start before the interval of interest");
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
    const bool reduced = c.reduce == Reduction::dummy || c.reduce == Reduction::underlying_ode ||
                         c.reduce == Reduction::projection || c.reduce == Reduction::ggl ||
                         c.reduce == Reduction::baumgarte || c.reduce == Reduction::index2 ||
                         c.reduce == Reduction::stabilised_index1 || of_mechanisms(c.reduce);
    const problem::ImplicitProblem& p = c.problem;
    if (!reduced || !p.hybrid().changes()) return {};
    for (const model::When& clause : c.model->clauses)
        for (const model::WhenBranch& branch : clause.branches)
            if (!branch.reinits.empty()) return {};
    std::vector<int> list;
    for (std::size_t k = 0; k < c.outputs.size(); ++k)
        if (c.outputs[k].differential) list.push_back(static_cast<int>(k));
    return list;
}

compile::CompileOptions compile_options_of(const SolveOptions& options, double t0) {
    compile::CompileOptions how = compile_options(options, t0);
    how.quadratures = options.quadratures && !how.steady_state && !by_arrays(how.reduce);
    how.inline_definitions = true;
    const integrate::Method* method = integrate::find_method(options.method);
    how.needs_states = method != nullptr && method->highest_index(options.max_order) < 3;
    if (method != nullptr && method->can.mechanics != integrate::MechanicalLevel::none) {
        how.mechanics = true;
        how.or_index_two = method->can.any_index_two;
        how.quadratures = false; // a coordinate that nothing depends on is a coordinate all the same
        if (how.reduce == Reduction::automatic)
            how.reduce =
                method->can.mechanics == integrate::MechanicalLevel::velocity ? Reduction::index2 : Reduction::none;
    }
    for (const auto* list : {&options.atol_each, &options.rtol_each})
        for (const auto& [name, value] : *list) how.kept.push_back(name);
    return how;
}

/// Nothing is integrated that hides a constraint.
Diagnostic refusal(const model::Model& m, const Diagnostic& why) {
    Diagnostic d = make_error("hidden-constraint",
                              fmt::format("{} hides a constraint that its structure does not show, so that nothing "
                                          "that is built on structure can be trusted",
                                          m.name),
                              "write the hidden constraint as an equation of its own, or give --reduce auto or "
                              "derivative-array; --reduce none integrates the equations as written");
    d.where = why.where;
    d.notes.push_back({Severity::note, "", why.message, why.where, "", {}});
    d.notes.insert(d.notes.end(), why.notes.begin(), why.notes.end());
    return d;
}

/// Errors that kept the run from beginning.
Diagnostics solve_once(const Compilations& compilations, const SolveOptions& options, const Way& way, Record& record) {
    const tape::MachineCodeScope scope(options.machine_code);
    auto prepared = prepare(compilations, options, record, way);
    if (!prepared) return std::move(prepared.error());
    Diagnostics trouble = run((*prepared)->job, options, record);
    const compile::CompiledModel& c = (*prepared)->compiled;
    if (by_arrays(c.reduce)) record.index = std::max(record.index, analysis::highest_index_met(c.problem));
    return trouble;
}

/// To the error about what is hidden.
void add_note(Diagnostics& errors, std::string text) {
    for (Diagnostic& d : errors)
        if (d.code == "hidden-constraint")
            return d.notes.push_back({Severity::note, "", std::move(text), std::nullopt, "", {}});
}

/// Conditions on the solution decide about branches.
bool switches_on_the_way(const Compilations& compilations, const SolveOptions& options) {
    auto extended = compilations.extended(options);
    if (!extended) return false;
    const double t0 = options.from.value_or((*extended)->model()->experiment.start_time.value_or(0.0));
    auto compiled = (*extended)->get(compile_options_of(options, t0));
    if (!compiled) return false;
    const std::vector<char>& known = compiled->problem.hybrid().modes.known_instant;
    return std::find(known.begin(), known.end(), 0) != known.end();
}

/// A run that went on over a singular system Jacobian, by what its events found.
Diagnostic structure_lost(const Diagnostic& lost, const std::string& where, const std::string& why_not) {
    Diagnostic d = make_error(
        "structure-lost",
        fmt::format("{}, and derivative arrays do not take over ({}): the run went on with what structure says there, "
                    "and with values that its events found; what is not determined by that may be wrong",
                    where.substr(0, where.rfind(": the run cannot go on")), why_not),
        "compare with a run of a smaller tolerance, or write the constraint of that branch as an equation of its own");
    d.severity = Severity::warning;
    d.where = lost.where;
    d.notes.push_back({Severity::note, "", lost.message, lost.where, "", {}});
    d.notes.insert(d.notes.end(), lost.notes.begin(), lost.notes.end());
    return d;
}

/// Where equations hide a constraint, it may be found by eliminating leading derivatives from those that depend on each
/// other (transform/leading_elimination), in a model of any size; what is found may hide more. Replaces `first` where
/// that succeeds.
bool solve_by_elimination(const Compilations& compilations, const SolveOptions& options, const Way& way,
                          Record& first) {
    constexpr int most = 20; // constraints; each takes a compilation
    const std::optional<Diagnostic> misled = first.misled;
    const int index = first.index;
    Way other = way;
    std::vector<int> hiding = first.hiding;
    for (int found = 0; found < most && !hiding.empty(); ++found) {
        other.dependent.push_back(hiding);
        Record record;
        const Diagnostics trouble = solve_once(compilations, options, other, record);
        if (!trouble.empty() && record.hidden) {
            hiding = record.hiding;
            continue;
        }
        if (!trouble.empty() || !complete(record)) return false;
        Diagnostic note = make_error(
            "hidden-constraint",
            fmt::format("structure says index {}, but its system Jacobian is singular at every consistent point near "
                        "the start: {}; eliminating leading derivatives uncovers {}, and the index is {}",
                        index, misled->message,
                        other.dependent.size() == 1 ? "a constraint"
                                                    : fmt::format("{} constraints", other.dependent.size()),
                        record.index));
        note.severity = Severity::warning;
        note.where = misled->where;
        record.report.diagnostics.push_back(std::move(note));
        first = std::move(record);
        return true;
    }
    return false;
}

/// Where structure was misled, or may have been, derivative arrays are asked. What they find replaces `first` where it
/// succeeds; else `first` and its errors stay, with what they said.
Diagnostics solve_by_arrays(const Compilations& compilations, const SolveOptions& options, const Way& way,
                            Record& first, Diagnostics errors) {
    if (!options.inputs.empty()) { // arrays know nothing of what changes at the knots of tables
        if (!errors.empty() && solve_by_elimination(compilations, options, way, first)) return {};
        return errors;
    }
    using compile::largest_for_arrays;
    const int size = static_cast<int>(compilations.model()->variables.size());
    // Singular at the start, where nothing was integrated yet, or on the way.
    const bool on_the_way = first.hidden && errors.empty();
    Diagnostics& said = on_the_way ? first.report.diagnostics : errors;
    // Ideal switches: the index is another one on every branch, and the loop finds values behind each event in its
    // own ways. Where arrays cannot take over, it does, and what it relies on is said.
    const auto leave_to_loop = [&](const std::string& why_not) {
        const Diagnostic lost = *first.misled;
        const std::string where = first.message;
        first = {};
        Diagnostics trouble = solve_once(compilations, options, {.detail = way.detail, .trust_structure = true}, first);
        if (trouble.empty()) first.report.diagnostics.push_back(structure_lost(lost, where, why_not));
        return trouble;
    };
    if (size > largest_for_arrays && on_the_way && switches_on_the_way(compilations, options))
        return leave_to_loop(fmt::format("they are not tried by themselves on more than {} variables; here there "
                                         "are {}",
                                         largest_for_arrays, size));
    if (size > largest_for_arrays) {
        if (!on_the_way && solve_by_elimination(compilations, options, way, first)) return {};
        if (!said.empty() && first.hidden)
            add_note(said, fmt::format("derivative arrays are not tried by themselves on more than {} variables; "
                                       "here there are {}",
                                       largest_for_arrays, size));
        return errors;
    }
    SolveOptions other = options;
    other.reduction = Reduction::derivative_array;
    Record record;
    const std::string why =
        on_the_way     ? fmt::format("structure says index {}, but its system Jacobian becomes singular "
                                         "on the way: {}",
                                     first.index, first.message)
        : first.hidden ? fmt::format("structure says index {}, but its system Jacobian is singular at every "
                                     "consistent point near the start: {}",
                                     first.index, first.misled->message)
                       : fmt::format("what was built on structure, which says index {}, failed: {}", first.index,
                                     first.misled->message);
    const Diagnostics trouble = solve_once(compilations, other, {.detail = way.detail, .why_arrays = why}, record);
    // Where structure finds the same index, both are the same system, and its singularity is the solution's own. Up to
    // index 1 nothing is hidden that has to be differentiated: implicit methods integrate the equations as written.
    if (first.hidden && record.index >= 0 && record.index <= std::max(1, first.index)) {
        first = {};
        return solve_once(compilations, options, {.detail = way.detail, .trust_structure = true}, first);
    }
    if (trouble.empty() && complete(record) && (first.hidden || record.index >= 2)) {
        Diagnostic note =
            make_error("derivative-arrays",
                       on_the_way ? fmt::format("derivative arrays are used: {}", why)
                                  : fmt::format("derivative arrays find index {} and are used: {}", record.index, why));
        note.severity = Severity::warning;
        record.report.diagnostics.push_back(std::move(note));
        first = std::move(record);
        return {};
    }
    if (on_the_way && switches_on_the_way(compilations, options))
        return leave_to_loop(trouble.empty() ? record.message : trouble.front().message);
    if (!on_the_way && solve_by_elimination(compilations, options, way, first)) return {};
    if (!said.empty() && first.hidden)
        add_note(said,
                 "derivative arrays do not help: " + (trouble.empty() ? record.message : trouble.front().message));
    return errors;
}

/// A reduction that was asked for and is built on structure does without it only where arrays find nothing hidden.
Diagnostics confirm_refusal(const Compilations& compilations, const SolveOptions& options, const Way& way,
                            Record& first, Diagnostics errors) {
    if (static_cast<int>(compilations.model()->variables.size()) > compile::largest_for_arrays ||
        !options.inputs.empty())
        return errors;
    SolveOptions other = options;
    other.reduction = Reduction::derivative_array;
    Record record;
    (void)solve_once(compilations, other, {.detail = way.detail, .why_arrays = "asked for the index"}, record);
    if (record.index < 0 || record.index > std::max(1, first.index)) return errors;
    first = {};
    return solve_once(compilations, options, {.detail = way.detail, .trust_structure = true}, first);
}

/// The run passed a point where what it integrates determines nothing, or came so near to one that residuals grew
/// beyond what the tolerance explains. Where arrays see no such point, it was none of the model's, and theirs is the
/// solution.
void replace_doubtful(const Compilations& compilations, const SolveOptions& options, const Way& way, Record& first) {
    const auto says = [](const Record& record, const char* code) {
        const Diagnostics& list = record.report.diagnostics;
        return std::any_of(list.begin(), list.end(), [&](const Diagnostic& d) { return d.code == code; });
    };
    const char* const passed = "singular-point-passed";
    const bool singular = says(first, passed), unexplained = first.residual_in_tolerances > 1.0;
    if ((!singular && !unexplained) || !options.inputs.empty() || !options.resume.empty() ||
        compilations.model()->known_index >= 0 ||
        static_cast<int>(compilations.model()->variables.size()) > compile::largest_for_arrays)
        return;
    SolveOptions other = options;
    other.reduction = Reduction::derivative_array;
    const std::string why =
        fmt::format("what was built on structure, which says index {}, {}", first.index,
                    singular ? "is singular at a point that the solution passes"
                             : fmt::format("left a residual of {:.2g} times what the tolerance explains",
                                           first.residual_in_tolerances));
    Record record;
    const Diagnostics trouble = solve_once(compilations, other, {.detail = way.detail, .why_arrays = why}, record);
    if (!trouble.empty() || !complete(record) || says(record, passed) || says(record, "singular-point-stepped-over"))
        return;
    // Where structure finds the same index, both are the same system.
    if (!singular &&
        (record.index <= std::max(1, first.index) || record.residual_in_tolerances > first.residual_in_tolerances))
        return;
    Diagnostic note = make_error("derivative-arrays",
                                 fmt::format("derivative arrays find index {} and are used: {}", record.index, why));
    note.severity = Severity::warning;
    record.report.diagnostics.push_back(std::move(note));
    first = std::move(record);
}

} // namespace

namespace {
/// What the front end knows of the start, where nobody says otherwise.
Expected<std::vector<compile::StartOverride>> known_start(const model::StartSource& source,
                                                          const compile::CompileOptions& how) {
    auto found = source.find(how.parameters);
    if (!found) return Unexpected{std::move(found.error())};
    std::unordered_set<std::string> given;
    for (const compile::StartOverride& s : how.starts) given.insert(s.name);
    std::vector<compile::StartOverride> starts;
    for (const model::StartSource::Start& s : *found)
        if (!given.contains(s.name))
            starts.push_back({s.name, s.value, s.preferred ? problem::Strength::preferred : problem::Strength::guess});
    return starts;
}
} // namespace

Expected<std::unique_ptr<Prepared>> prepare(const Compilations& compilations, const SolveOptions& options,
                                            Record& record, const Way& way) {
    auto extended = compilations.extended(options);
    if (!extended) return Unexpected{std::move(extended.error())};
    const model::Model& m = *(*extended)->model();
    auto made = make_job(options, {m.experiment.start_time, m.experiment.stop_time, m.experiment.tolerance});
    if (!made) return Unexpected{std::move(made.error())};
    auto prepared = std::make_unique<Prepared>();
    prepared->job = *std::move(made);
    Job& job = prepared->job;
    if (auto trouble = check_range(options.inputs, job.t0, job.t1)) return fail(*std::move(trouble));
    if (auto trouble = check_clauses(m, job)) return fail(*std::move(trouble));
    if (auto trouble = check_final_values(m)) return fail(*std::move(trouble));
    compile::CompileOptions how = compile_options_of(options, job.t0);
    how.dependent = way.dependent;
    const auto led = homotopy_start(**extended, how, start_options(options));
    how.starts.insert(how.starts.end(), led.begin(), led.end());
    if (m.start_source) {
        const auto found = known_start(*m.start_source, how);
        if (!found) return Unexpected{found.error()};
        how.starts.insert(how.starts.end(), found->begin(), found->end());
    }
    auto compiled_for_run = (*extended)->get(how);
    if (!compiled_for_run) return Unexpected{std::move(compiled_for_run.error())};
    prepared->compiled = *std::move(compiled_for_run);
    if (auto trouble = compile::check_sample_count(m, prepared->compiled.parameters, job.t0, job.t1))
        return fail(*std::move(trouble));
    compile::CompiledModel& compiled = prepared->compiled;
    if (compiled.structure.uncovered < static_cast<int>(way.dependent.size()))
        return fail(make_error("hidden-constraint", "what the equations hide cannot be found by elimination"));
    if (way.compiled) way.compiled(compiled);
    if (!way.why_arrays.empty()) compiled.reduce_reason = way.why_arrays;
    record.index = way.why_arrays.empty() ? compiled.structure.structural_index : -1; // until the arrays tell
    const bool by_arrays = daedalus::by_arrays(compiled.reduce);
    if (by_arrays && !options.inputs.empty())
        return fail(make_error("inputs-and-arrays", "derivative arrays do not know inputs that are given from outside",
                               "write the input as an equation of the model, or take another --reduce"));
    // What the arrays give is exact to some 1e-10 only: a small absolute tolerance would ask for its noise.
    // Likewise multipliers over ε.
    if ((by_arrays || regularises(compiled.reduce)) && !options.atol) job.atol = job.rtol;
    if (by_arrays) {
        auto reduced =
            reduce_by_arrays(compiled, compile_options(options, job.t0), start_options(options), job.t1 >= job.t0);
        if (!reduced) {
            record.misled = reduced.error().front();
            return Unexpected{std::move(reduced.error())};
        }
        record.index = reduced->differentiation;
        record.report.model.differentiation_index = reduced->differentiation;
        record.report.model.degrees_of_freedom = reduced->differential;
        job.x0 = std::move(reduced->x);
        job.dx0 = std::move(reduced->dx);
        prepared->start = std::move(reduced->start);
    } else {
        auto start = consistent_start(compiled, start_options(options), job.t1 >= job.t0);
        if (!start) {
            record.misled = start.error().front();
            return Unexpected{std::move(start.error())};
        }
        if (!options.strict)
            use_mass_metric(**extended, how, start_options(options), job.t1 >= job.t0, compiled, *start);
        start->hold_constants(compiled.initial, compiled.problem);
        job.x0 = start->x(compiled.initial);
        job.dx0 = start->dx(compiled.initial);
        prepared->start = *std::move(start);
    }
    if (options.strict)
        if (auto changed = changed_start(compiled.initial, prepared->start, job.rtol)) return fail(*std::move(changed));
    const std::vector<double>& u = prepared->start.u;
    const bool relies_on_structure =
        options.reduction != Reduction::none && m.known_index < 0 && !by_arrays && !way.trust_structure;
    if (relies_on_structure)
        if (auto found = hidden_structure(compiled, job.t0, job.t1, u, start_options(options))) {
            record.misled = std::move(found);
            record.hidden = true;
            record.hiding = hiding_equations(compiled, job.t0, job.t1, u, start_options(options));
            return fail(refusal(m, *record.misled));
        }
    describe_variables(compiled, record);
    if (way.detail == Detail::full) {
        describe_model(compiled, options, record);
        describe_start(compiled.initial, prepared->start, record);
    }
    std::vector<signed char> side;
    compiled.problem.set_modes_at(job.t0, job.x0.data(), job.dx0.data(), job.t1 >= job.t0, side);
    // In the jets of the reduction. An index that is known needs no regularity of what structure says.
    const Diagnostics singular = by_arrays || m.known_index >= 0 ? Diagnostics{} : check_start(compiled, job.t0, u);
    if (!by_arrays)
        if (auto several = several_solutions(compiled, job.t0, job.t1, u, singular, start_options(options)))
            return fail(*std::move(several));
    record.report.diagnostics.insert(record.report.diagnostics.end(), singular.begin(), singular.end());
    set_formulation_parameters(compiled, options, u, job, record);
    job.problem = &compiled.problem;
    if (!options.checkpoint.empty() || !options.resume.empty()) job.model_digest = model_digest(m, compiled.parameters);
    job.differentiated = differentiated_outputs(compiled);
    for (int v = 0; v < static_cast<int>(m.variables.size()); ++v)
        if (!m.is_shown(v)) job.unseen.push_back(v);
    // Where structure is known to be lost, the matrix that makes points consistent is singular: they are found in the
    // run, each from the one before it, not from the polynomial alone.
    // Points in tangent space satisfy the constraints to the last bit; a polynomial that is kept gives them to 1e-13.
    job.points_may_wait = !by_arrays && !way.trust_structure && compiled.reduce != Reduction::tangent;
    // A run stops next to a singular point, at a distance that the tolerance decides, or round-off.
    if (!by_arrays) // whose unknowns are others than those of the system Jacobian
        job.explain_stop = [&p = *prepared, t0 = job.t0, level = std::max(1e-4, std::sqrt(job.rtol))](
                               double t, const std::vector<double>& x, const std::vector<double>& dx) {
            return check_end(p.compiled, t0, p.start.u, t, x, dx, level);
        };
    if (relies_on_structure)
        job.watch = [watch =
                         std::make_shared<RegularityWatch>(compiled, u, job.t1, job.rtol, start_options(options), how)](
                        const integrate::AcceptedStep& step) { return watch->look(step); };
    return prepared;
}

Diagnostics compile_for(const Compilations& compilations, const SolveOptions& options) {
    auto extended = compilations.extended(options);
    if (!extended) return std::move(extended.error());
    if (!(*extended)->structural_conditions().empty()) return {}; // modes are compiled when a run comes to them
    const double t0 = options.from.value_or((*extended)->model()->experiment.start_time.value_or(0.0));
    Diagnostics errors = (*extended)->ensure(compile_options_of(options, t0));
    if (!may_be_redundant(errors)) return errors;
    auto regular = regular_model(compilations, options); // which is made when a run comes to it
    if (!regular) return std::move(regular.error());
    return *regular ? Diagnostics{} : errors;
}

namespace {

/// An absolute tolerance with which no trace is lost. Start values tell how large variables are; one that is smaller
/// than the smallest of them by all digits of a number, so that sums with it no longer show it, is still held to rtol.
/// (E5 of STIFF DETEST, with traces of 1e-21 and the tolerance 1.7e-24 in HW IV.10, gets 4e-25 at rtol = 1e-6.)
double tolerance_of_traces(const Record& failed, double rtol) {
    const output::Trajectory& of = failed.trajectory;
    double smallest = 0.0;
    for (std::size_t k = 0; k < of.values.size(); ++k) {
        if (of.variables[k].kind != output::VariableKind::differential || of.values[k].empty()) continue;
        const double start = std::abs(of.values[k].front());
        if (start > 0.0 && (smallest == 0.0 || start < smallest)) smallest = start;
    }
    return rtol * std::numeric_limits<double>::epsilon() * (smallest > 0.0 ? smallest : 1.0);
}

struct Tolerances {
    double rtol, atol;
};

Tolerances tolerances_of(const Compilations& compilations, const SolveOptions& options) {
    const auto extended = compilations.extended(options);
    const model::Experiment e = extended ? (*extended)->model()->experiment : model::Experiment{};
    const auto job = make_job(options, {e.start_time, e.stop_time, e.tolerance});
    if (job) return {job->rtol, job->atol};
    const double rtol = options.rtol.value_or(1e-6);
    return {rtol, options.atol.value_or(1e-3 * rtol)};
}

/// Once, as far as tolerances are concerned.
Expected<Record> solve_at_tolerance(const Compilations& compilations, const SolveOptions& options, Detail detail) {
    if (auto trouble = check_checkpoint_path(compilations.model().get(), options)) return fail(*std::move(trouble));
    if (auto extended = compilations.extended(options); extended && !(*extended)->structural_conditions().empty()) {
        const model::Experiment& e = (*extended)->model()->experiment;
        if (const auto job = make_job(options, {e.start_time, e.stop_time, e.tolerance}))
            if (auto trouble = check_range(options.inputs, job->t0, job->t1)) return fail(*std::move(trouble));
        return solve_by_modes(**extended, options, detail);
    }
    const Way way{.detail = detail};
    Record record;
    Diagnostics errors = solve_once(compilations, options, way, record);
    if (may_be_redundant(errors) || (record.misled && (!errors.empty() || !complete(record)))) {
        auto regular = regular_model(compilations, options);
        if (!regular) return Unexpected{std::move(regular.error())};
        if (*regular) return solve_regular(compilations, options, **std::move(regular), detail);
    }
    if (record.misled && !record.integrand_failed && !record.traces_failed &&
        options.reduction == Reduction::automatic && options.resume.empty() && (!errors.empty() || !complete(record)))
        errors = solve_by_arrays(compilations, options, way, record, std::move(errors));
    else if (record.hidden)
        errors = confirm_refusal(compilations, options, way, record, std::move(errors));
    if (errors.empty() && options.reduction == Reduction::automatic && complete(record))
        replace_doubtful(compilations, options, way, record);
    if (!errors.empty()) return Unexpected{std::move(errors)};
    SolveOptions other = options;
    if (record.integrand_failed) {
        // As part of the system the integrand limits the steps, and what is wrong with it can be named.
        other.quadratures = false;
        return solve_at_tolerance(compilations, other, detail);
    }
    if (!record.traces_failed) return record;
    other.atol = tolerance_of_traces(record, tolerances_of(compilations, options).rtol);
    Record finer;
    if (!solve_once(compilations, other, way, finer).empty() || !complete(finer)) return record;
    warn_of_finer_tolerance(record, *other.atol, finer);
    return finer;
}

} // namespace

Expected<Record> solve_model(const Compilations& compilations, const SolveOptions& options, Detail detail) {
    auto record = solve_at_tolerance(compilations, options, detail);
    const bool regularised = regularises(options.reduction) && options.certify != Certify::none;
    if (!record || !(record->departure || record->growth || regularised)) return record;
    const auto repeat = [&](const SolveOptions& other) -> std::optional<Record> {
        auto repeated = solve_at_tolerance(compilations, other, detail);
        return repeated ? std::optional(*std::move(repeated)) : std::nullopt;
    };
    const Tolerances given = tolerances_of(compilations, options);
    if (record->departure)
        confirm_departure(options, given.rtol, given.atol, repeat, *record);
    else
        confirm_growth(options, given.rtol, given.atol, repeat, *record);
    if (regularised) judge_regularisation(options, given.rtol, given.atol, repeat, *record);
    return record;
}

} // namespace daedalus::simulation
