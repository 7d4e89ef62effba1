#include "compile/discrete_part.hpp"

#include "compile/compilation.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"
#include "problem/delays.hpp"
#include "problem/transports.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;
using problem::Environment;

NodeId in_remaining_variables(const Compilation& c, NodeId expression) {
    return in_remaining_variables(c, std::vector{expression}).front();
}

std::vector<NodeId> in_remaining_variables(const Compilation& c, std::vector<NodeId> expressions) {
    expr::Graph& g = c.system.graph();
    if (!c.eliminations.empty()) {
        expr::TimeDerivative ddt(g);
        std::unordered_map<int, NodeId> value_of;
        for (const transform::Elimination& e : c.eliminations) value_of.emplace(e.variable, e.value);
        expr::Substitution substitute(g, [&](NodeId leaf) {
            if (g.op(leaf) != Op::variable) return leaf;
            const auto it = value_of.find(g.variable_id(leaf));
            if (it == value_of.end()) return leaf;
            NodeId value = it->second;
            for (int k = 0; k < g.derivative_order(leaf); ++k) value = ddt(value);
            return value;
        });
        for (NodeId& e : expressions) e = substitute(e);
    }
    if (!c.formulation.inlined.empty()) {
        std::unordered_map<std::uint32_t, NodeId> value;
        for (const auto& [entry, node] : c.formulation.inlined)
            value.emplace(expr::index(g.variable(entry.variable, entry.order)), node);
        expr::Substitution substitute(g, [&](NodeId leaf) {
            const auto it = value.find(expr::index(leaf));
            return it == value.end() ? leaf : it->second;
        });
        for (NodeId& e : expressions) e = substitute(e);
    }
    return expressions;
}

std::vector<NodeId> discrete_expressions(Compilation& c) {
    const model::Model& m = *c.model;
    std::vector<NodeId> list;
    for (const model::When& when : m.clauses)
        for (const model::WhenBranch& branch : when.branches)
            for (const NodeId condition : branch.conditions) list.push_back(condition);
    for (const model::Memory& memory : m.memories) list.push_back(memory.value);
    for (const auto e : m.past_expressions()) list.push_back(e);
    for (const model::DiscreteVariable& v : m.discrete) list.push_back(v.value);
    return in_remaining_variables(c, std::move(list));
}

void build_discrete_part(Compilation& c, const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen) {
    const model::Model& m = *c.model;
    const expr::Graph& g = c.system.graph();
    const auto ready = [&](NodeId e) { return frozen({in_remaining_variables(c, e)}).front(); };
    const auto reserve = [&](std::size_t count) {
        const std::size_t begin = c.parameters.size() + c.discrete.memory;
        c.discrete.memory += count;
        return begin;
    };
    for (const model::When& when : m.clauses) {
        auto& clause = c.discrete.clauses.emplace_back();
        for (const model::WhenBranch& written : when.branches) {
            DiscretePart::Branch& branch = clause.emplace_back();
            for (const NodeId condition : written.conditions) branch.conditions.push_back(ready(condition));
            branch.held = reserve(branch.conditions.size());
            for (const auto& setting : written.settings)
                branch.settings.push_back({setting.parameter, ready(setting.value)});
            for (const auto& reinit : written.reinits) {
                NodeId target = in_remaining_variables(c, reinit.variable);
                double sign = 1.0;
                if (g.op(target) == Op::neg) {
                    target = g.operand(target, 0);
                    sign = -1.0;
                }
                if (g.op(target) != Op::variable) continue; // known in advance: there is nothing to set
                const auto place = c.formulation.place({g.variable_id(target), g.derivative_order(target)});
                if (place.unknown >= 0)
                    branch.reinits.push_back({place.unknown, place.derivative, sign, ready(reinit.value)});
            }
            branch.ends = written.terminates;
            for (const auto& a : written.assertions)
                branch.assertions.push_back(
                    {ready(a.holds), a.message, a.span.known() ? std::optional(a.span.locate()) : std::nullopt});
            branch.also_at_start = written.also_at_start;
            branch.message = written.message;
        }
    }
    std::vector<int> set;
    for (const auto& clause : c.discrete.clauses)
        for (const DiscretePart::Branch& branch : clause)
            for (const auto& setting : branch.settings) set.push_back(setting.parameter);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    for (const int parameter : set) c.discrete.held.push_back({parameter, reserve(1)});
    c.discrete.solving = reserve(1);
    for (const model::Memory& memory : m.memories)
        (memory.left_limit ? c.discrete.left_limits : c.discrete.memories)
            .push_back({memory.parameter, ready(memory.value)});
    for (const model::Sample& sample : m.samples) {
        c.discrete.samples.push_back({sample.parameter, sample.start, sample.interval, reserve(1)});
        // Until the run begins, no instant has come.
        c.parameters[static_cast<std::size_t>(sample.parameter)] = std::numeric_limits<double>::infinity();
    }
    for (IntegerPart& part : c.discrete.integers) part.argument = frozen({part.argument}).front();
    for (PastReader& reader : c.discrete.readers) {
        reader.argument = frozen({reader.argument}).front();
        const bool delayed = reader.past.kind == Past::Kind::delayed;
        c.parameters[static_cast<std::size_t>(reader.next)] = problem::never;
        c.parameters[static_cast<std::size_t>(reader.begins)] = delayed ? problem::never : -problem::never;
    }
    for (const model::Signal& signal : m.signals) c.discrete.tables = c.discrete.tables || !signal.is_function();
    c.discrete.initial_flag = m.initial_flag;
    c.discrete.terminal_flag = m.terminal_flag;
}

namespace {

/// A point at which expressions are evaluated one by one.
struct Point {
    const Compilation& c;
    const Environment& environment;
    double t;
    const double* x;
    const double* dx;
    [[nodiscard]] double operator()(NodeId e) const {
        const expr::Graph& g = c.system.graph();
        return expr::evaluate(g, e, [&](NodeId leaf) {
            if (g.op(leaf) == Op::time) return t;
            if (g.op(leaf) == Op::parameter) return parameter(g.parameter_id(leaf));
            const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
            if (place.unknown < 0) return std::numeric_limits<double>::quiet_NaN();
            return place.derivative ? dx[place.unknown] : x[place.unknown];
        });
    }
    /// Functions of the caller's are asked at the time meant.
    [[nodiscard]] double parameter(int id) const {
        for (const model::Signal& signal : c.model->signals)
            if (signal.is_function() && signal.owns(id)) {
                std::vector<double> slots(static_cast<std::size_t>(signal.slots()));
                signal.at(t, slots.data());
                return slots[static_cast<std::size_t>(id - signal.first_parameter)];
            }
        return environment[static_cast<std::size_t>(id)];
    }
};

const Compilation& compilation(const void* code) { return *static_cast<const Compilation*>(code); }

std::size_t at(int parameter) { return static_cast<std::size_t>(parameter); }

/// Instant number `count` of a sample.
double instant(const Compilation& c, const Environment& e, const DiscretePart::Sample& s, double count) {
    const Point parameters{c, e, 0.0, nullptr, nullptr};
    return parameters(s.start) + count * parameters(s.interval);
}

/// To the first instant that is not past. Instants that are a rounding apart are not gone through one by one: the
/// quotient tells where they are, and rounding puts it off by one or two. True where it is another one than before.
template <class Past>
bool advance(const Compilation& c, Environment& e, const DiscretePart::Sample& s, double t, const Past& past) {
    const double start = instant(c, e, s, 0.0), interval = instant(c, e, s, 1.0) - start;
    const double guess = std::floor((t - start) / interval) - 1.0, before = e[at(s.parameter)];
    double count = std::isfinite(guess) ? std::max(e[s.count], guess) : e[s.count];
    for (int k = 0; k < 4 && past(instant(c, e, s, count)); ++k) ++count;
    e.set(s.count, count);
    e.set(at(s.parameter), instant(c, e, s, count));
    return e[at(s.parameter)] != before;
}

/// Integer parts whose argument has left their interval.
bool follow_integers(const Compilation& c, Environment& e, const Point& point) {
    bool changed = false;
    for (const IntegerPart& part : c.discrete.integers) {
        const double before = e[at(part.parameter)];
        const double whole = std::floor(point(part.argument));
        double n = before;
        if (e[c.first_mode + part.above] != 0.0) n = std::max(whole, before + 1.0);
        if (e[c.first_mode + part.below] != 0.0) n = std::min(whole, before - 1.0);
        if (!std::isfinite(n) || n == before) continue;
        e.set(at(part.parameter), n);
        changed = true;
    }
    return changed;
}

/// Readers of the past whose time has left their stretch move on to the next one, or back.
bool follow_past(const Compilation& c, Environment& e, const Point& point) {
    if (e.history() == nullptr) return false;
    const History& past = *e.history();
    bool changed = false;
    for (const PastReader& reader : c.discrete.readers) {
        const int before = static_cast<int>(e[at(reader.stretch)]);
        int now = before;
        if (e[c.first_mode + reader.ahead] != 0.0) {
            const double theta = point(reader.argument);
            if (const int next = past.next_stretch(reader.past, now); next > 0) now = next;
            for (int next = past.next_stretch(reader.past, now); next > 0 && theta >= past.beginning(reader.past, next);
                 next = past.next_stretch(reader.past, now))
                now = next;
        } else if (reader.back && e[c.first_mode + *reader.back] != 0.0) {
            now = past.stretch_before(reader.past, now);
        }
        if (now == before) continue;
        const int next = past.next_stretch(reader.past, now);
        e.set(at(reader.stretch), now);
        const double end = next > 0 ? past.beginning(reader.past, next) : problem::never;
        const double beginning = now > 0 ? past.beginning(reader.past, now) : -problem::never;
        const bool carried = reader.past.kind == Past::Kind::transported, back = e[c.first_mode + reader.ahead] == 0.0;
        e.set(at(reader.next), end + (carried && back ? problem::doubt_of_place(end) : 0.0));
        e.set(at(reader.begins), beginning - (carried && !back ? problem::doubt_of_place(beginning) : 0.0));
        changed = true;
    }
    return changed;
}

/// Tables are on the piece that begins at t, in runs forward, which all are that have one.
bool follow_tables(const Compilation& c, Environment& e, double t) {
    if (!c.discrete.tables) return false;
    std::vector<double> values(e.values().begin(), e.values().end());
    for (const model::Signal& signal : c.model->signals)
        if (!signal.is_function() && values[at(signal.replaced())] == 0.0)
            signal.at(problem::just_after(t, true), values.data() + signal.first_parameter);
    if (std::equal(values.begin(), values.end(), e.values().begin())) return false;
    std::copy(values.begin(), values.end(), e.change().begin());
    return true;
}

using Acting = std::vector<const DiscretePart::Branch*>;

/// Whether one of the conditions has become true since pre() was last renewed.
bool fires(const DiscretePart::Branch& branch, const Environment& e, const Point& point) {
    for (std::size_t k = 0; k < branch.conditions.size(); ++k)
        if (e[branch.held + k] == 0.0 && point(branch.conditions[k]) != 0.0) return true;
    return false;
}

/// Whether a value is another one. Algebraic unknowns are found anew in every pass, and where rounding errors move them
/// to and fro, what follows them flickers for ever: values that differ by this little are the same, unless they count.
bool differs(double now, double before) {
    constexpr double flicker = 1e-12; // of the value: a hundredth of the smallest tolerance
    if (now == before) return false;
    const bool counts = now == std::floor(now) && before == std::floor(before);
    return counts || !(std::abs(now - before) <= flicker * std::max(std::abs(now), std::abs(before)));
}

/// Held values as the acting branches and the present values of everything else make them, pre() staying what it is
/// (specification 3.5, appendix B: the equations of an event are solved together before pre is renewed). True if one
/// changed: branches of F and algebraic unknowns follow then, and this is asked again.
bool solve_clauses(const Compilation& c, Environment& e, const Point& point, Acting& acting) {
    if (e[c.discrete.solving] == 0.0) {
        for (const auto& held : c.discrete.held) e.set(held.before, e[at(held.parameter)]);
        e.set(c.discrete.solving, 1.0);
    }
    bool changed = false;
    const auto give = [&](int parameter, double value) {
        changed = changed || differs(value, e[at(parameter)]);
        e.set(at(parameter), value);
    };
    std::vector<int> given;
    for (const auto& clause : c.discrete.clauses) {
        const auto first =
            std::find_if(clause.begin(), clause.end(), [&](const auto& b) { return fires(b, e, point); });
        if (first == clause.end()) continue;
        acting.push_back(&*first);
        for (const auto& setting : first->settings) {
            give(setting.parameter, point(setting.value));
            given.push_back(setting.parameter);
        }
    }
    for (const auto& held : c.discrete.held) // a branch that acted on an intermediate value no longer does
        if (std::find(given.begin(), given.end(), held.parameter) == given.end()) give(held.parameter, e[held.before]);
    return changed;
}

using Jumps = std::vector<std::pair<const DiscretePart::Branch::Reinit*, double>>;

/// What acting branches do besides setting values: assertions, the end of the run, and the jumps that they ask for.
Jumps act(const Acting& acting, const Point& point, problem::Discrete::Change& change) {
    Jumps jumps;
    for (const DiscretePart::Branch* branch : acting) {
        for (const auto& reinit : branch->reinits) jumps.emplace_back(&reinit, point(reinit.value));
        for (const auto& assertion : branch->assertions) {
            if (change.fails || point(assertion.holds) != 0.0) continue;
            change.fails = true;
            change.message = assertion.message;
            change.where = assertion.where;
        }
        if (branch->ends && !change.ends && !change.fails) {
            change.ends = true;
            change.message = branch->message;
        }
    }
    return jumps;
}

/// pre() of everything becomes what it is now. True if something it stands for changed: the equations are then solved
/// once more.
bool renew_pre(const Compilation& c, Environment& e, const Point& point) {
    bool changed = false;
    for (const auto& clause : c.discrete.clauses)
        for (const DiscretePart::Branch& branch : clause)
            for (std::size_t k = 0; k < branch.conditions.size(); ++k)
                e.set(branch.held + k, point(branch.conditions[k]) != 0.0 ? 1.0 : 0.0);
    std::vector<double> values; // all from the values before: a memory may stand in what another one remembers
    for (const auto& memory : c.discrete.memories) values.push_back(point(memory.value));
    for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t slot = at(c.discrete.memories[k].parameter);
        changed = changed || differs(values[k], e[slot]);
        e.set(slot, values[k]);
    }
    for (const auto& held : c.discrete.held) changed = changed || differs(e[at(held.parameter)], e[held.before]);
    e.set(c.discrete.solving, 0.0);
    return changed;
}

problem::Discrete::Change update(const void* code, Environment& e, double t, double* x, double* dx) {
    const Compilation& c = compilation(code);
    const Point point{c, e, t, x, dx};
    problem::Discrete::Change change;
    change.values = follow_tables(c, e, t);
    change.values = follow_past(c, e, point) || change.values;
    change.values = follow_integers(c, e, point) || change.values;
    if (change.values) return change; // branches follow before anything else is decided
    Acting acting;
    change.values = solve_clauses(c, e, point, acting);
    if (change.values) return change;
    const Jumps jumps = act(acting, point, change); // all from the values before
    change.values = renew_pre(c, e, point);
    for (const auto& [reinit, value] : jumps) {
        (reinit->derivative ? dx : x)[reinit->unknown] = reinit->sign * value;
        change.states = true;
        if (!reinit->derivative) change.set.push_back(reinit->unknown);
    }
    // Initialization is one solution of all equations; what follows from new values of pre() is an event like any
    // other.
    if (c.discrete.initial_flag >= 0 && e[at(c.discrete.initial_flag)] != 0.0) {
        e.set(at(c.discrete.initial_flag), 0.0);
        change.values = true;
    }
    return change;
}

void follow(const void* code, Environment& e, double t, const double* x, const double* dx, bool forward) {
    const Compilation& c = compilation(code);
    follow_tables(c, e, t);
    for (const IntegerPart& part : c.discrete.integers) {
        const Point point{c, e, part.of_time ? problem::just_after(t, forward) : t, x, dx};
        const double n = std::floor(point(part.argument));
        if (std::isfinite(n)) e.set(at(part.parameter), n);
    }
}

void arrive(const void* code, Environment& e, double t, const double* x, const double* dx) {
    const Compilation& c = compilation(code);
    const Point point{c, e, t, x, dx};
    for (const auto& limit : c.discrete.left_limits) e.set(at(limit.parameter), point(limit.value));
}

void note(const void* code, Environment& e, double t, const double* x, const double* dx) {
    const Compilation& c = compilation(code);
    const Point point{c, e, t, x, dx};
    for (const auto& clause : c.discrete.clauses)
        for (const DiscretePart::Branch& branch : clause)
            for (std::size_t k = 0; k < branch.conditions.size(); ++k)
                e.set(branch.held + k, point(branch.conditions[k]) != 0.0 ? 1.0 : 0.0);
}

void begin(const void* code, Environment& e, double t, const double* x, const double* dx) {
    const Compilation& c = compilation(code);
    note(code, e, t, x, dx);
    for (const auto& clause : c.discrete.clauses)
        for (const DiscretePart::Branch& branch : clause)
            if (branch.also_at_start)
                for (std::size_t k = 0; k < branch.conditions.size(); ++k) e.set(branch.held + k, 0.0);
    for (const DiscretePart::Sample& s : c.discrete.samples) {
        e.set(s.count, 0.0);
        advance(c, e, s, t, [t](double next) { return next < t; });
    }
    if (c.discrete.initial_flag >= 0) e.set(at(c.discrete.initial_flag), 1.0);
}

bool end(const void* code, Environment& e, double t) {
    const Compilation& c = compilation(code);
    bool changed = false;
    for (const DiscretePart::Sample& s : c.discrete.samples) {
        const double now = problem::just_after(t, true);
        changed = advance(c, e, s, now, [now](double next) { return next <= now; }) || changed;
    }
    if (c.discrete.initial_flag >= 0 && e[at(c.discrete.initial_flag)] != 0.0) {
        e.set(at(c.discrete.initial_flag), 0.0);
        changed = true;
    }
    return changed;
}

void last(const void* code, Environment& e) { e.set(at(compilation(code).discrete.terminal_flag), 1.0); }

problem::Instant next_instant(const void* code, const Environment& e, double t, double end_time) {
    problem::Instant first;
    const bool forward = end_time >= t;
    first.t = forward ? first.t : -first.t;
    for (const TimeFunction& f : compilation(code).discrete.time_functions) {
        const problem::Instant one = f.next(t, end_time, e.values());
        if (!std::isfinite(one.t)) continue;
        if (forward ? one.t < first.t : one.t > first.t) first = one;
    }
    return first;
}

} // namespace

problem::Discrete discrete_of(const Compilation& c) {
    if (c.discrete.empty()) return {};
    return {.update = &update,
            .follow = &follow,
            .arrive = c.discrete.left_limits.empty() ? nullptr : &arrive,
            .begin = &begin,
            .end = &end,
            .last = c.discrete.terminal_flag >= 0 ? &last : nullptr,
            .note = &note};
}

decltype(problem::Hybrid::next_instant) instants_of(const Compilation& c) {
    return c.discrete.time_functions.empty() ? nullptr : &next_instant;
}

std::vector<std::pair<int, double>> settings_at_start(const Compilation& c, const Environment& e, double t,
                                                      const double* x, const double* dx) {
    std::vector<std::pair<int, double>> list;
    if (c.discrete.initial_flag < 0) return list;
    const expr::Graph& g = c.system.graph();
    const Point point{c, e, t, x, dx};
    for (const auto& clause : c.discrete.clauses)
        for (const DiscretePart::Branch& branch : clause)
            for (const NodeId condition : branch.conditions)
                if (g.op(condition) == Op::parameter && g.parameter_id(condition) == c.discrete.initial_flag)
                    for (const auto& setting : branch.settings)
                        if (const double value = point(setting.value);
                            std::isfinite(value) && value != e[at(setting.parameter)])
                            list.emplace_back(setting.parameter, value);
    return list;
}

std::vector<double> fixed_instants(const Compilation& c, std::span<const double> parameters) {
    std::vector<double> list;
    for (const TimeFunction& f : c.discrete.fixed_functions)
        if (const double zero = f.zero(parameters); std::isfinite(zero)) list.push_back(zero);
    for (const model::Signal& signal : c.model->signals)
        list.insert(list.end(), signal.knots.begin(), signal.knots.end());
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

} // namespace daedalus::compile
