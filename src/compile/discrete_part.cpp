#include "compile/discrete_part.hpp"

#include "compile/compilation.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

NodeId in_remaining_variables(const Compilation& c, NodeId expression) {
    return in_remaining_variables(c, std::vector{expression}).front();
}

std::vector<NodeId> in_remaining_variables(const Compilation& c, std::vector<NodeId> expressions) {
    expr::Graph& g = c.system.graph();
    if (!c.eliminations.empty()) {
        expr::TimeDerivative ddt(g);
        expr::Substitution substitute(g, [&](NodeId leaf) {
            if (g.op(leaf) != Op::variable) return leaf;
            for (const transform::Elimination& e : c.eliminations) {
                if (e.variable != g.variable_id(leaf)) continue;
                NodeId value = e.value;
                for (int k = 0; k < g.derivative_order(leaf); ++k) value = ddt(value);
                return value;
            }
            return leaf;
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
    for (const model::DiscreteVariable& v : m.discrete) list.push_back(v.value);
    return in_remaining_variables(c, std::move(list));
}

void build_discrete_part(Compilation& c, const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen) {
    const model::Model& m = *c.model;
    const expr::Graph& g = c.system.graph();
    const auto ready = [&](NodeId e) { return frozen({in_remaining_variables(c, e)}).front(); };
    for (const model::When& when : m.clauses) {
        auto& clause = c.discrete.clauses.emplace_back();
        for (const model::WhenBranch& written : when.branches) {
            DiscretePart::Branch& branch = clause.emplace_back();
            for (const NodeId condition : written.conditions) branch.conditions.push_back(ready(condition));
            branch.held.assign(branch.conditions.size(), 0);
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
    for (const model::Memory& memory : m.memories)
        c.discrete.memories.push_back({memory.parameter, ready(memory.value)});
    const auto number = [&](NodeId e) {
        return expr::evaluate(
            g, e, [&](NodeId leaf) { return c.parameters[static_cast<std::size_t>(g.parameter_id(leaf))]; });
    };
    for (const model::Sample& sample : m.samples) {
        c.discrete.samples.push_back({sample.parameter, number(sample.start), number(sample.interval)});
        // Until the run begins, no instant has come.
        c.parameters[static_cast<std::size_t>(sample.parameter)] = std::numeric_limits<double>::infinity();
    }
    for (IntegerPart& part : c.discrete.integers) part.argument = frozen({part.argument}).front();
    c.discrete.initial_flag = m.initial_flag;
    c.discrete.terminal_flag = m.terminal_flag;
}

namespace {

/// A point at which expressions are evaluated one by one.
struct Point {
    const Compilation& c;
    double t;
    const double* x;
    const double* dx;
    [[nodiscard]] double operator()(NodeId e) const {
        const expr::Graph& g = c.system.graph();
        return expr::evaluate(g, e, [&](NodeId leaf) {
            if (g.op(leaf) == Op::time) return t;
            if (g.op(leaf) == Op::parameter) return c.parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
            const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
            if (place.unknown < 0) return std::numeric_limits<double>::quiet_NaN();
            return place.derivative ? dx[place.unknown] : x[place.unknown];
        });
    }
};

double& held(Compilation& c, int parameter) { return c.parameters[static_cast<std::size_t>(parameter)]; }

double instant(const DiscretePart::Sample& s) { return s.start + s.count * s.interval; }

/// To the first instant that is not past. Instants that are a rounding apart are not gone through one by one: the
/// quotient tells where they are, and rounding puts it off by one or two.
template <class Past>
void advance(DiscretePart::Sample& s, double t, const Past& past) {
    const double guess = std::floor((t - s.start) / s.interval) - 1.0;
    if (std::isfinite(guess)) s.count = std::max(s.count, guess);
    for (int k = 0; k < 4 && past(); ++k) ++s.count;
}

/// Integer parts whose argument has left their interval.
bool follow_integers(Compilation& c, const Point& at) {
    bool changed = false;
    for (const IntegerPart& part : c.discrete.integers) {
        double& n = held(c, part.parameter);
        const double e = std::floor(at(part.argument));
        const double before = n;
        if (c.parameters[c.first_mode + part.above] != 0.0) n = std::max(e, before + 1.0);
        if (c.parameters[c.first_mode + part.below] != 0.0) n = std::min(e, before - 1.0);
        if (!std::isfinite(n)) n = before;
        changed = changed || n != before;
    }
    return changed;
}

problem::Discrete::Change update(void* context, double t, double* x, double* dx) {
    Compilation& c = *static_cast<Compilation*>(context);
    const Point at{c, t, x, dx};
    problem::Discrete::Change change;
    change.values = follow_integers(c, at);
    if (change.values) {
        update_parameters(c);
        return change; // branches follow before anything else is decided
    }
    std::vector<const DiscretePart::Branch*> acting;
    for (auto& clause : c.discrete.clauses) {
        bool taken = false;
        for (DiscretePart::Branch& branch : clause) {
            bool fires = false;
            for (std::size_t k = 0; k < branch.conditions.size(); ++k) {
                const bool now = at(branch.conditions[k]) != 0.0;
                fires = fires || (now && !branch.held[k]);
                branch.held[k] = now ? 1 : 0;
            }
            if (!fires || taken) continue;
            taken = true;
            acting.push_back(&branch);
            for (const auto& setting : branch.settings) {
                const double value = at(setting.value);
                change.values = change.values || value != held(c, setting.parameter);
                held(c, setting.parameter) = value;
            }
        }
    }
    std::vector<std::pair<const DiscretePart::Branch::Reinit*, double>> jumps; // all from the values before
    for (const DiscretePart::Branch* branch : acting) {
        for (const auto& reinit : branch->reinits) jumps.emplace_back(&reinit, at(reinit.value));
        for (const auto& assertion : branch->assertions) {
            if (change.fails || at(assertion.holds) != 0.0) continue;
            change.fails = true;
            change.message = assertion.message;
            change.where = assertion.where;
        }
        if (branch->ends && !change.ends && !change.fails) {
            change.ends = true;
            change.message = branch->message;
        }
    }
    for (const auto& [reinit, value] : jumps) {
        (reinit->derivative ? dx : x)[reinit->unknown] = reinit->sign * value;
        change.states = true;
        if (!reinit->derivative) change.set.push_back(reinit->unknown);
    }
    for (const auto& memory : c.discrete.memories) {
        const double value = at(memory.value);
        change.values = change.values || value != held(c, memory.parameter);
        held(c, memory.parameter) = value;
    }
    if (change.values) update_parameters(c);
    return change;
}

void follow(void* context, double t, const double* x, const double* dx, bool forward) {
    Compilation& c = *static_cast<Compilation*>(context);
    if (c.discrete.integers.empty()) return;
    for (const IntegerPart& part : c.discrete.integers) {
        const Point at{c, part.of_time ? problem::just_after(t, forward) : t, x, dx};
        const double n = std::floor(at(part.argument));
        if (std::isfinite(n)) held(c, part.parameter) = n;
    }
    update_parameters(c);
}

void note(void* context, double t, const double* x, const double* dx) {
    Compilation& c = *static_cast<Compilation*>(context);
    const Point at{c, t, x, dx};
    for (auto& clause : c.discrete.clauses)
        for (DiscretePart::Branch& branch : clause)
            for (std::size_t k = 0; k < branch.conditions.size(); ++k)
                branch.held[k] = at(branch.conditions[k]) != 0.0 ? 1 : 0;
}

void begin(void* context, double t, const double* x, const double* dx) {
    Compilation& c = *static_cast<Compilation*>(context);
    note(context, t, x, dx);
    for (auto& clause : c.discrete.clauses)
        for (DiscretePart::Branch& branch : clause)
            if (branch.also_at_start) branch.held.assign(branch.held.size(), 0);
    for (DiscretePart::Sample& s : c.discrete.samples) {
        s.count = 0.0;
        advance(s, t, [&] { return instant(s) < t; });
        held(c, s.parameter) = instant(s);
    }
    if (c.discrete.initial_flag >= 0) held(c, c.discrete.initial_flag) = 1.0;
    update_parameters(c);
}

bool end(void* context, double t) {
    Compilation& c = *static_cast<Compilation*>(context);
    bool changed = false;
    for (DiscretePart::Sample& s : c.discrete.samples) {
        const double before = s.count, now = problem::just_after(t, true);
        advance(s, now, [&] { return instant(s) <= now; });
        if (s.count == before) continue;
        held(c, s.parameter) = instant(s);
        changed = true;
    }
    if (c.discrete.initial_flag >= 0 && held(c, c.discrete.initial_flag) != 0.0) {
        held(c, c.discrete.initial_flag) = 0.0;
        changed = true;
    }
    if (changed) update_parameters(c);
    return changed;
}

void last(void* context) {
    Compilation& c = *static_cast<Compilation*>(context);
    held(c, c.discrete.terminal_flag) = 1.0;
    update_parameters(c);
}

std::vector<double> state(const void* context) {
    const Compilation& c = *static_cast<const Compilation*>(context);
    std::vector<double> s;
    const std::size_t end_of_holds = std::min(c.first_mode, c.parameters.size());
    for (std::size_t p = 0; p < end_of_holds; ++p)
        if (p >= c.first_hold || (p < c.model->parameters.size() && c.model->parameters[p].is_held))
            s.push_back(c.parameters[p]);
    for (const DiscretePart::Sample& sample : c.discrete.samples) s.push_back(sample.count);
    for (const auto& clause : c.discrete.clauses)
        for (const DiscretePart::Branch& branch : clause) s.insert(s.end(), branch.held.begin(), branch.held.end());
    return s;
}

void set_state(void* context, std::span<const double> s) {
    Compilation& c = *static_cast<Compilation*>(context);
    std::size_t at = 0;
    const std::size_t end_of_holds = std::min(c.first_mode, c.parameters.size());
    for (std::size_t p = 0; p < end_of_holds; ++p)
        if (p >= c.first_hold || (p < c.model->parameters.size() && c.model->parameters[p].is_held))
            c.parameters[p] = s[at++];
    for (DiscretePart::Sample& sample : c.discrete.samples) sample.count = s[at++];
    for (auto& clause : c.discrete.clauses)
        for (DiscretePart::Branch& branch : clause)
            for (char& h : branch.held) h = s[at++] != 0.0 ? 1 : 0;
    update_parameters(c);
}

problem::Instant next_instant(void* context, double t, double end_time) {
    const Compilation& c = *static_cast<const Compilation*>(context);
    problem::Instant first;
    const bool forward = end_time >= t;
    first.t = forward ? first.t : -first.t;
    for (const TimeFunction& f : c.discrete.time_functions) {
        const problem::Instant one = f.next(t, end_time, c.parameters);
        if (!std::isfinite(one.t)) continue;
        if (forward ? one.t < first.t : one.t > first.t) first = one;
    }
    return first;
}

} // namespace

problem::Discrete discrete_of(Compilation& c) {
    if (c.discrete.empty()) return {};
    return {.context = &c,
            .update = &update,
            .follow = &follow,
            .begin = &begin,
            .end = &end,
            .last = c.discrete.terminal_flag >= 0 ? &last : nullptr,
            .note = &note,
            .state = &state,
            .set_state = &set_state};
}

problem::InstantFunction instants_of(Compilation& c) {
    if (c.discrete.time_functions.empty()) return {};
    return {&c, &next_instant};
}

} // namespace daedalus::compile
