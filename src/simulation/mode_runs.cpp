#include "simulation/mode_runs.hpp"

#include "compile/compilation.hpp"
#include "expr/evaluate.hpp"
#include "integrate/event_watch.hpp"
#include "simulation/append_record.hpp"
#include "simulation/convert.hpp"
#include "simulation/impulse_jump.hpp"
#include "tape/machine_code_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>

namespace daedalus::simulation {

namespace {

using compile::Beginning;
using compile::Compilation;
using expr::NodeId;
using expr::Op;

/// Where a mode ended: what the next one begins with.
struct LeftLimit {
    double t = 0.0;
    std::vector<StartValue> values;
    std::shared_ptr<const Compilation> compilation;
    problem::Environment environment;
};

class ModeRuns {
public:
    ModeRuns(const Compilations& compilations, const SolveOptions& options, Detail detail)
        : compilations_(compilations), options_(options), detail_(detail), m_(*compilations.model()),
          conditions_(compilations.structural_conditions()) {
        // Integrals are variables like others here, and what belongs to the model is in it.
        options_.quadratures = false;
        options_.stop_when.clear();
        options_.integrals.clear();
        options_.inputs.clear();
        find_orders();
    }

    Expected<Record> solve();

private:
    void find_orders();
    [[nodiscard]] Expected<std::vector<bool>> first_guess() const;
    [[nodiscard]] Diagnostics begin();
    [[nodiscard]] Diagnostics go_on(const LeftLimit& from, Record& piece);
    [[nodiscard]] Diagnostics make(const SolveOptions& options, Beginning beginning, const Way& way, Record& record);
    void keep_end(const Record& record, bool moved);
    void carry_environment(const LeftLimit& from, compile::CompiledModel& to) const;
    [[nodiscard]] std::vector<signed char> carried_sides(const LeftLimit& from) const;
    void report_change(const LeftLimit& from, Record& piece);
    [[nodiscard]] std::vector<double> values_at_start() const;
    [[nodiscard]] bool differ(int variable, double a, double b, double tolerances) const;
    [[nodiscard]] std::optional<std::vector<StartValue>> along_impulses(const Compilations& mode,
                                                                        const SolveOptions& options) const;
    [[nodiscard]] std::string mode_text() const;
    [[nodiscard]] std::optional<Diagnostic> never_ends(double t, integrate::EventWatch& watch,
                                                       std::deque<double>& recent) const;
    [[nodiscard]] std::set<std::string> free_variables() const;

    const Compilations& compilations_;
    SolveOptions options_;
    Detail detail_;
    const model::Model& m_;
    const std::vector<NodeId>& conditions_;
    std::vector<int> order_; ///< highest derivative of each variable in the model as written
    std::vector<bool> truth_;
    std::unique_ptr<Prepared> prepared_; ///< of the present mode
    double t0_ = 0.0;
    LeftLimit limit_;
    std::set<std::string> free_before_;
    int freedom_before_ = 0;
    int reported_ = 0;
    Record whole_;
};

void ModeRuns::find_orders() {
    const expr::Graph& g = *m_.graph;
    order_.assign(m_.variables.size(), 0);
    std::vector<NodeId> all;
    for (const model::Equation& e : m_.equations) all.insert(all.end(), {e.left, e.right});
    for (const NodeId node : g.reachable(all))
        if (g.op(node) == Op::variable) {
            int& order = order_[static_cast<std::size_t>(g.variable_id(node))];
            order = std::max(order, g.derivative_order(node));
        }
}

/// From start values as they are given. A wrong guess is found out by the mode's own clauses at the start.
Expected<std::vector<bool>> ModeRuns::first_guess() const {
    const expr::Graph& g = *m_.graph;
    std::vector<model::ParameterOverride> given;
    for (const auto& [name, value] : options_.parameters)
        if (m_.find_parameter(name)) given.push_back({name, value});
    auto parameters = model::parameter_values(m_, given);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    const auto of_parameters = [&](NodeId leaf) {
        return g.op(leaf) == Op::parameter ? (*parameters)[static_cast<std::size_t>(g.parameter_id(leaf))] : 0.0;
    };
    const double t0 = options_.from.value_or(m_.experiment.start_time.value_or(0.0));
    const auto start = [&](NodeId leaf) {
        if (g.op(leaf) == Op::time) return problem::just_after(t0, true);
        if (g.op(leaf) != Op::variable) return of_parameters(leaf);
        const std::string name = m_.variable_name(g.variable_id(leaf), g.derivative_order(leaf));
        for (const StartValue& s : options_.starts)
            if (s.name == name) return s.value;
        const NodeId own = m_.variables[static_cast<std::size_t>(g.variable_id(leaf))].start;
        if (g.derivative_order(leaf) > 0 || own == expr::no_node) return 0.0;
        return expr::evaluate(g, own, of_parameters);
    };
    std::vector<bool> truth;
    for (const NodeId c : conditions_) truth.push_back(expr::evaluate(g, c, start) != 0.0);
    return truth;
}

/// A run in the present mode. What is known in advance altogether would leave no step in which to look for the end of
/// the mode: then nothing is taken for known.
Diagnostics ModeRuns::make(const SolveOptions& given, Beginning beginning, const Way& way, Record& record) {
    const std::shared_ptr<const Compilations> mode = compilations_.in_mode(truth_, beginning);
    SolveOptions options = given;
    for (const bool eliminate : {options.eliminate_aliases, false}) {
        options.eliminate_aliases = eliminate;
        record = {};
        auto prepared = prepare(*mode, options, record, way);
        if (!prepared) return std::move(prepared.error());
        prepared_ = *std::move(prepared);
        if (prepared_->compiled.problem.size() > 0) break;
    }
    if (beginning == Beginning::continued)
        if (auto values = along_impulses(*mode, options)) {
            SolveOptions jumped = options;
            jumped.starts = *std::move(values);
            Record again;
            if (auto prepared = prepare(*mode, jumped, again, way)) {
                prepared_ = *std::move(prepared);
                record = std::move(again);
            }
        }
    Job& job = prepared_->job;
    job.earlier = whole_.dense;
    if (beginning == Beginning::continued) {
        job.output_from = t0_;
        job.continuation = {true, carried_sides(limit_)};
    } else {
        t0_ = job.t0;
    }
    return run(job, options, record);
}

std::vector<double> ModeRuns::values_at_start() const {
    problem::ImplicitProblem p = prepared_->compiled.problem;
    std::vector<double> y(static_cast<std::size_t>(p.output_count()));
    (void)p.outputs(prepared_->job.t0, prepared_->job.x0.data(), prepared_->job.dx0.data(), y.data());
    return y;
}

/// Whether two values of a variable differ by more than so many tolerances.
bool ModeRuns::differ(int variable, double a, double b, double tolerances) const {
    const NodeId nominal = m_.variables[static_cast<std::size_t>(variable)].nominal;
    const double size =
        nominal != expr::no_node && m_.graph->is_constant(nominal) ? std::abs(m_.graph->constant_value(nominal)) : 1.0;
    return std::abs(a - b) > tolerances * prepared_->job.rtol * std::max({std::abs(a), std::abs(b), size});
}

/// Values to begin with where those from before contradict the mode: what its own equations make of them. Nothing:
/// they do not, or there is no such jump, and the least change is what remains.
std::optional<std::vector<StartValue>> ModeRuns::along_impulses(const Compilations& mode,
                                                                const SolveOptions& options) const {
    constexpr double seen = 10.0;    // tolerances: more than what steps may have left
    constexpr double nearly = 100.0; // … and less than this is the error of the place where the event was located
    const std::vector<double> least = values_at_start();
    bool contradicts = false;
    for (const StartValue& v : limit_.values)
        if (const auto id = m_.find_variable(v.name); id && v.strength == StartStrength::preferred)
            contradicts = contradicts || differ(*id, v.value, least[static_cast<std::size_t>(*id)], seen);
    if (!contradicts) return std::nullopt;
    SolveOptions plain = options;
    plain.starts.clear();
    compile::CompileOptions how = compile_options(plain, limit_.t);
    how.reduce = Reduction::none;
    how.eliminate_aliases = false;
    auto as_written = mode.get(how);
    if (!as_written) return std::nullopt;
    carry_environment(limit_, *as_written);
    const auto before = [&](int variable, int order) {
        const std::string name = m_.variable_name(variable, order);
        const auto v = std::find_if(limit_.values.begin(), limit_.values.end(),
                                    [&](const StartValue& one) { return one.name == name; });
        if (v == limit_.values.end()) return 0.0;
        const double consistent = least[static_cast<std::size_t>(variable)];
        return order == 0 && !differ(variable, v->value, consistent, nearly) ? consistent : v->value;
    };
    const auto behind = impulse_jump(*as_written, limit_.t, prepared_->job.t1 - limit_.t, before);
    if (!behind) return std::nullopt;
    std::vector<StartValue> values = limit_.values;
    for (StartValue& v : values) {
        const auto id = m_.find_variable(v.name);
        if (!id || v.strength != StartStrength::preferred) continue;
        const double after = (*behind)[static_cast<std::size_t>(*id)];
        if (differ(*id, v.value, after, nearly)) v.value = after;
    }
    return values;
}

/// The first mode, from the model's own initial conditions.
Diagnostics ModeRuns::begin() {
    auto guess = first_guess();
    if (!guess) return std::move(guess.error());
    truth_ = *std::move(guess);
    std::set<std::vector<bool>> tried;
    while (tried.insert(truth_).second) {
        if (auto errors = make(options_, Beginning::initial, {.detail = detail_}, whole_); !errors.empty())
            return errors;
        const bool at_once = whole_.end.structure_changes && whole_.trajectory.steps.empty();
        if (whole_.end.structure_changes) keep_end(whole_, true);
        if (!at_once) return {};
        whole_.dense.reset();
    }
    Diagnostic d = make_error("no-initial-mode",
                              fmt::format("no branches agree with the initial values that follow from them: at the "
                                          "start, {} contradicts its own consequences",
                                          m_.text(conditions_.front(), 200)),
                              "give start values that decide the condition, or write it with a discrete variable");
    return {std::move(d)};
}

/// Values where a mode has ended, and the truth of its conditions behind that.
void ModeRuns::keep_end(const Record& record, bool moved) {
    const compile::CompiledModel& c = prepared_->compiled;
    limit_.t = record.end.t;
    limit_.compilation = c.compilation;
    limit_.environment = c.problem.environment();
    const auto& clauses = c.compilation->discrete.clauses;
    const std::size_t own = clauses.size() - conditions_.size();
    for (std::size_t k = 0; k < conditions_.size(); ++k)
        if (limit_.environment[clauses[own + k].front().held] != 0.0) truth_[k] = !truth_[k];
    if (!moved) return; // nothing but conditions has changed: the values are those from before
    std::vector<double> y(static_cast<std::size_t>(c.problem.output_count()));
    (void)c.problem.outputs(record.end.t, record.end.x.data(), record.end.dx.data(), y.data());
    limit_.values.clear();
    for (std::size_t v = 0; v < m_.variables.size(); ++v) {
        const auto add = [&](int order, double value, StartStrength strength) {
            if (std::isfinite(value))
                limit_.values.push_back({m_.variable_name(static_cast<int>(v), order), value, strength});
        };
        add(0, y[v],
            m_.variables[v].is_parameter ? StartStrength::fixed
            : order_[v] > 0              ? StartStrength::preferred
                                         : StartStrength::guess);
        for (int order = 1; order < order_[v]; ++order) {
            const auto place = c.compilation->formulation.place({static_cast<int>(v), order});
            if (place.unknown < 0) continue;
            const auto at = static_cast<std::size_t>(place.unknown);
            add(order, place.derivative ? record.end.dx[at] : record.end.x[at], StartStrength::preferred);
        }
    }
}

/// Held values and the memory of clauses and samples. Clauses that watch the mode begin anew.
void ModeRuns::carry_environment(const LeftLimit& from, compile::CompiledModel& to) const {
    const Compilation &before = *from.compilation, &behind = *to.compilation;
    problem::Environment e = to.problem.environment();
    for (std::size_t p = 0; p < m_.parameters.size(); ++p)
        if (m_.parameters[p].is_held) e.set(p, from.environment[p]);
    const auto &old = before.discrete.clauses, &now = behind.discrete.clauses;
    const std::size_t own = now.size() - conditions_.size();
    for (std::size_t k = 0; k < now.size(); ++k)
        for (std::size_t b = 0; b < now[k].size(); ++b)
            for (std::size_t i = 0; i < now[k][b].conditions.size(); ++i)
                e.set(now[k][b].held + i, k < own ? from.environment[old[k][b].held + i] : 0.0);
    for (std::size_t k = 0; k < behind.discrete.samples.size(); ++k)
        e.set(behind.discrete.samples[k].count, from.environment[before.discrete.samples[k].count]);
    if (from.environment.history() != nullptr)
        e.set_history(from.environment.history(), static_cast<std::size_t>(m_.history));
    to.problem.environment() = e;
    to.initial.binding.environment() = std::move(e);
}

/// Relations that both modes have keep their sides where their values do not tell.
std::vector<signed char> ModeRuns::carried_sides(const LeftLimit& from) const {
    const Compilation &before = *from.compilation, &behind = *prepared_->compiled.compilation;
    std::unordered_map<std::string, bool> holds;
    for (std::size_t k = 0; k < before.root_shown.size(); ++k)
        holds[before.model->text(before.root_shown[k])] = from.environment[before.first_mode + k] != 0.0;
    std::vector<signed char> sides(behind.root_shown.size(), 0);
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const auto known = holds.find(behind.model->text(behind.root_shown[k]));
        if (known == holds.end()) continue;
        const Op op = behind.system.graph().op(behind.root_relations[k]);
        const bool above = op == Op::gt || op == Op::ge;
        sides[k] = known->second == above ? 1 : -1;
    }
    return sides;
}

std::string ModeRuns::mode_text() const {
    std::string text;
    for (std::size_t k = 0; k < conditions_.size(); ++k)
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", truth_[k] ? "" : "not ",
                            fmt::format("({})", m_.text(conditions_[k], 80)));
    return text;
}

/// An admissible set of variables to begin with, in the present mode.
std::set<std::string> ModeRuns::free_variables() const {
    std::set<std::string> names;
    for (const int u : prepared_->start.free_unknowns) names.insert(prepared_->compiled.initial.names().variable(u));
    return names;
}

/// What the change did to degrees of freedom and values.
void ModeRuns::report_change(const LeftLimit& from, Record& piece) {
    const int freedom = prepared_->compiled.structure.degrees_of_freedom;
    const std::set<std::string> free = free_variables();
    std::string kept, moved;
    for (const std::string& name : free) {
        const auto value =
            std::find_if(from.values.begin(), from.values.end(), [&](const StartValue& v) { return v.name == name; });
        if (free_before_.contains(name) || value == from.values.end() || freedom <= freedom_before_) continue;
        kept += fmt::format("{}{} = {:.6g}", kept.empty() ? "" : ", ", name, value->value);
    }
    // Variables that are known in this mode are no unknowns of its start: all are compared as the model has them.
    const std::vector<double> y = values_at_start();
    constexpr double seen = 10.0; // tolerances: more than what steps may have left
    for (const StartValue& before : from.values) {
        const auto v = m_.find_variable(before.name);
        if (!v || before.strength != StartStrength::preferred) continue;
        const double after = y[static_cast<std::size_t>(*v)];
        if (!differ(*v, before.value, after, seen)) continue;
        moved += fmt::format("{}{}: {:.6g} → {:.6g}", moved.empty() ? "" : ", ", before.name, before.value, after);
    }
    std::string text = fmt::format("the structure changes to {}: {} degree{} of freedom, {} before", mode_text(),
                                   freedom, freedom == 1 ? "" : "s", freedom_before_);
    if (!kept.empty()) text += "; free from here on and kept as it was: " + kept;
    if (!moved.empty()) text += "; projected onto the constraints: " + moved;
    constexpr int most = 5; // of the same kind are said aloud; all are among the events
    if ((!moved.empty() || !kept.empty()) && ++reported_ <= most) {
        Diagnostic d = make_error(
            moved.empty() ? "freedom-gained" : "freedom-lost", fmt::format("at t = {:.10g} {}", from.t, text),
            moved.empty() || reported_ > 1 ? "" : "reinit at the event says which values the model means behind it");
        d.severity = moved.empty() ? Severity::note : Severity::warning;
        piece.report.diagnostics.insert(piece.report.diagnostics.begin(), std::move(d));
    }
    piece.trajectory.events.insert(piece.trajectory.events.begin(), {from.t, std::move(text)});
    free_before_ = free;
    freedom_before_ = freedom;
}

/// The next mode, from where the last one ended.
Diagnostics ModeRuns::go_on(const LeftLimit& from, Record& piece) {
    SolveOptions options = options_;
    options.from = from.t;
    options.until = whole_.report.outcome.t_requested;
    options.starts = from.values;
    options.initial = {};
    options.first_step = 0.0;
    Way way{.detail = detail_};
    way.compiled = [&](compile::CompiledModel& compiled) { carry_environment(from, compiled); };
    Diagnostics errors = make(options, Beginning::continued, way, piece);
    if (errors.empty()) report_change(from, piece);
    return errors;
}

bool reinitialises(const model::Model& m) {
    for (const model::When& clause : m.clauses)
        for (const model::WhenBranch& branch : clause.branches)
            if (!branch.reinits.empty()) return true;
    return false;
}

/// Changes that accumulate, or come so often that no time passes: each mode drives the solution into the other one.
std::optional<Diagnostic> ModeRuns::never_ends(double t, integrate::EventWatch& watch,
                                               std::deque<double>& recent) const {
    constexpr std::size_t many = 200;        // changes looked back at, and …
    constexpr double next_to_nothing = 1e-4; // … the part of the run that they take: as in integrate/event_watch
    if (watch.accumulating(t))
        return make_error(
            "integration-failed",
            fmt::format("changes between modes come faster and faster and would be infinitely many before "
                        "t = {:.8g}; the model does not say how it goes on from there",
                        watch.limit()),
            "say in the model how it comes to rest");
    recent.push_back(t);
    if (recent.size() <= many) return std::nullopt;
    const double before = recent.front();
    recent.pop_front();
    if (std::abs(t - before) >= next_to_nothing * std::abs(prepared_->job.t1 - t0_)) return std::nullopt;
    return make_error("integration-failed",
                      fmt::format("at t = {:.10g} the model goes back and forth between modes of different structure: "
                                  "each drives the solution into the other one",
                                  t),
                      "give the conditions a hysteresis, or write the motion along the border as a mode of its own");
}

Expected<Record> ModeRuns::solve() {
    if (!options_.checkpoint.empty() || !options_.resume.empty())
        return fail(make_error(
            "checkpoint-of-modes",
            fmt::format("{} changes its structure at events: such runs cannot be saved and resumed", m_.name),
            "run it without --checkpoint and --resume"));
    const tape::MachineCodeScope scope(options_.machine_code);
    if (Diagnostics errors = begin(); !errors.empty()) return Unexpected{std::move(errors)};
    free_before_ = free_variables();
    freedom_before_ = prepared_->compiled.structure.degrees_of_freedom;
    std::set<std::vector<bool>> at_this_time;
    const double t1 = prepared_->job.t1;
    integrate::EventWatch watch(t1 >= t0_, t1, std::abs(t1 - t0_));
    std::deque<double> recent{limit_.t};
    while (whole_.end.structure_changes) {
        Record piece;
        const LeftLimit from = limit_;
        Diagnostics errors = go_on(from, piece);
        const bool moved = !piece.trajectory.steps.empty();
        if (moved) at_this_time.clear();
        const bool again = !moved && !at_this_time.insert(truth_).second;
        if (errors.empty() && again && piece.end.structure_changes)
            errors = {make_error("modes-alternate",
                                 fmt::format("at t = {:.10g} no branches agree with the values that follow from them: "
                                             "the model goes back and forth between modes; the last is {}",
                                             from.t, mode_text()),
                                 "give the conditions a hysteresis, or decide them by a discrete variable")};
        if (errors.empty() && moved && piece.end.structure_changes)
            if (auto endless = never_ends(piece.end.t, watch, recent)) errors = {*std::move(endless)};
        if (!errors.empty()) {
            whole_.outcome = Outcome::failed;
            whole_.message = fmt::format("the structure of the model changes at t = {:.10g}, to {}, and the run cannot "
                                         "go on there: {}",
                                         from.t, mode_text(), errors.front().message);
            errors.front().notes.push_back(
                {Severity::note, "", fmt::format("behind the change of modes at t = {:.10g}", from.t), {}, "", {}});
            whole_.report.diagnostics.insert(whole_.report.diagnostics.end(), errors.begin(), errors.end());
            whole_.report.outcome.kind = output::OutcomeKind::failed;
            whole_.report.outcome.reason = whole_.message;
            break;
        }
        if (piece.end.structure_changes) keep_end(piece, moved || reinitialises(m_));
        append_record(whole_, std::move(piece));
    }
    return std::move(whole_);
}

} // namespace

Expected<Record> solve_by_modes(const Compilations& compilations, const SolveOptions& options, Detail detail) {
    return ModeRuns(compilations, options, detail).solve();
}

} // namespace daedalus::simulation
