#include "modelica/flat_text.hpp"

#include "modelica/flat_writer.hpp"

#include <fmt/format.h>

namespace daedalus::modelica {

namespace {

std::string_view type_name(ValueType type) {
    return type == ValueType::boolean ? "Boolean" : type == ValueType::integer ? "Integer" : "Real";
}
/// What is computed from the solution, not with it.
constexpr const char* afterwards = " annotation(__Daedalus(afterwards=true))";

} // namespace

std::string FlatText::run() {
    refuse();
    const auto used = g_.reachable(roots(false)); // by more than outputs
    for (const model::DiscreteVariable& d : m_.discrete)
        if (const NodeId value = value_of(d.value);
            !expr::is_leaf(g_.op(value)) &&
            !(d.type == ValueType::real && std::binary_search(used.begin(), used.end(), value)))
            shorter_.emplace(value, quoted(d.name));
    name_large_parts();
    find_outputs();
    const std::string name = quoted(m_.name.substr(m_.name.rfind('.') + 1));
    declarations();
    std::string equations = equation_section();
    return "model " + name + comment(m_.description) + "\n" + functions() + declared_ + equations + experiment_text() +
           "end " + name + ";\n";
}

const model::Parameter& FlatText::parameter(int id) const { return m_.parameters[static_cast<std::size_t>(id)]; }

bool FlatText::is_output(const model::DiscreteVariable& d) const { return d.type == ValueType::real && !is_held(d); }

std::string FlatText::comment(const std::string& description) {
    return description.empty() ? "" : " " + string_text(description);
}

void FlatText::declare(bool is_protected, const std::string& declaration, const std::string& attributes,
                       const std::string& behind) {
    if (is_protected != protected_) declared_ += is_protected ? "protected\n" : "public\n";
    protected_ = is_protected;
    declared_ += "  " + declaration + (attributes.empty() ? "" : "(" + attributes + ")") + behind + ";\n";
}

void FlatText::add(std::string& list, std::string_view name, const std::string& value) {
    list += (list.empty() ? "" : ", ") + std::string(name) + "=" + value;
}

void FlatText::declarations() {
    for (std::size_t p = 0; p < m_.parameters.size(); ++p) {
        const model::Parameter& one = m_.parameters[p];
        if (is_hidden(static_cast<int>(p)) || fixed_.contains(static_cast<int>(p))) continue;
        std::string attributes;
        if (!one.unit.empty()) add(attributes, "unit", string_text(one.unit));
        declare(one.is_protected,
                std::string(one.is_constant ? "constant " : "parameter ") + std::string(type_name(one.type)) + " " +
                    quoted(one.name),
                attributes,
                (one.binding == expr::no_node ? "" : " = " + text(one.binding, wanted(one.type), one.span)) +
                    comment(one.description));
    }
    for (const NodeId part : parts_)
        if (is_parameter(part))
            declare(true, "parameter Real " + shorter_.at(part), "", " = " + text(part, Wanted::real, {}, part));
    for (std::size_t v = 0; v < m_.variables.size(); ++v)
        if (!known_.contains(static_cast<int>(v))) declare(m_.variables[v]);
    for (const NodeId part : parts(false)) declare(true, "Real " + shorter_.at(part), "", "");
    for (const bool outputs : {false, true}) {
        if (outputs)
            for (const NodeId part : parts(true)) declare(true, "Real " + shorter_.at(part), "", afterwards);
        for (const model::DiscreteVariable& d : m_.discrete)
            if (is_output(d) == outputs) declare(d);
    }
}

void FlatText::declare(const model::Variable& v) {
    std::string attributes;
    const auto expression = [&](const char* name, NodeId value) {
        if (value != expr::no_node) add(attributes, name, text(value, Wanted::real, v.span));
    };
    if (!v.unit.empty()) add(attributes, "unit", string_text(v.unit));
    expression("start", v.start);
    if (v.fixed) add(attributes, "fixed", "true");
    if (v.is_parameter) add(attributes, "fixed", "false");
    expression("nominal", v.nominal);
    expression("min", v.min);
    expression("max", v.max);
    constexpr const char* selections[] = {"never", "avoid", "default", "prefer", "always"};
    if (v.state_select != model::StateSelect::default_)
        add(attributes, "stateSelect", std::string("StateSelect.") + selections[static_cast<int>(v.state_select) + 2]);
    std::string behind = comment(v.description);
    if (v.final_value != expr::no_node)
        behind += " annotation(__Daedalus(finalValue=" + text(v.final_value, Wanted::real, v.span) + "))";
    declare(v.is_protected,
            std::string(v.is_parameter ? "parameter "
                        : v.is_input   ? "input "
                                       : "") +
                "Real " + quoted(v.name),
            attributes, behind);
}

void FlatText::declare(const model::DiscreteVariable& d) {
    NodeId start = expr::no_node;
    if (is_held(d))
        start = parameter(g_.parameter_id(d.value)).binding;
    else if (const auto it = starts_.find(d.name); it != starts_.end())
        if (is_used(it->second)) start = parameter(it->second).binding;
    std::string attributes;
    if (start != expr::no_node && !g_.is_constant(start, 0.0))
        add(attributes, "start", text(start, wanted(d.type), d.span));
    declare(d.is_protected,
            std::string(is_held(d) ? "discrete " : "") + std::string(type_name(d.type)) + " " + quoted(d.name),
            attributes, comment(d.description) + (is_output(d) ? afterwards : ""));
}

void FlatText::equation(std::string& out, const model::Equation& e) {
    if (e.homotopy != expr::no_node) return homotopy(out, e);
    const Wanted as = wanted_by(e.left, e.right);
    out += "  " + text(e.left, as, e.span) + " = " + text(e.right, as, e.span) + comment(e.description) + ";\n";
}

void FlatText::homotopy(std::string& out, const model::Equation& e) {
    expr::Substitution from(g_, [&](NodeId leaf) {
        return g_.op(leaf) == Op::parameter && g_.parameter_id(leaf) == m_.homotopy ? zero_ : leaf;
    });
    const NodeId simplified = from(e.homotopy);
    const bool same_left = g_.op(simplified) == Op::sub && g_.operand(simplified, 0) == e.left;
    const NodeId left = same_left ? e.left : zero_;
    const NodeId actual = same_left ? e.right : g_.sub(e.left, e.right);
    const NodeId easy = same_left ? g_.operand(simplified, 1) : simplified;
    const std::string both =
        "homotopy(" + text(actual, Wanted::real, e.span) + ", " + text(easy, Wanted::real, e.span) + ")";
    out += "  " + (same_left ? text(left, Wanted::real, e.span) + " = " + both : both + " = 0") +
           comment(e.description) + ";\n";
}

std::string FlatText::equation_section() {
    std::string initial, always;
    for (const model::Equation& e : m_.initial_equations)
        if (!known_parameter(e, true)) equation(initial, e);
    for (const model::When& clause : m_.clauses)
        if (const auto* begin = begins_pre(clause))
            initial += "  " + names_[static_cast<std::size_t>(begin->parameter)] + " = " +
                       text(begin->value, wanted(parameter(begin->parameter).type), {}) + ";\n";
    for (const model::Equation& e : m_.equations)
        if (!is_constancy(e)) equation(always, e);
    const auto define = [&](NodeId part) {
        always += "  " + shorter_.at(part) + " = " + text(part, Wanted::real, {}, part) + ";\n";
    };
    for (const NodeId part : parts(false)) define(part);
    for (const model::DiscreteVariable& d : m_.discrete)
        if (!is_held(d) && !is_output(d)) always += definition(d);
    for (const NodeId part : parts(true)) define(part);
    for (const model::DiscreteVariable& d : m_.discrete)
        if (is_output(d)) always += definition(d);
    for (const model::When& clause : m_.clauses)
        if (begins_pre(clause) == nullptr) always += clause_text(clause);
    return (initial.empty() ? "" : "initial equation\n" + initial) + "equation\n" + always;
}

std::string FlatText::definition(const model::DiscreteVariable& d) {
    const NodeId value = value_of(d.value);
    const auto named = shorter_.find(value); // of two that are equal, the second is defined by the first
    const bool own = named != shorter_.end() && named->second == quoted(d.name);
    return "  " + quoted(d.name) + " = " + text(value, wanted(d.type), d.span, own ? value : expr::no_node) + ";\n";
}

const model::WhenBranch::Setting* FlatText::begins_pre(const model::When& clause) const {
    const model::WhenBranch& only = clause.branches.front();
    if (clause.branches.size() != 1 || !is_initial(only) || only.settings.size() != 1) return nullptr;
    const int target = only.settings[0].parameter;
    const bool is_memory = std::any_of(m_.memories.begin(), m_.memories.end(),
                                       [&](const model::Memory& memory) { return memory.parameter == target; });
    return is_memory ? &only.settings[0] : nullptr;
}

bool FlatText::is_constancy(const model::Equation& e) const {
    return g_.op(e.left) == Op::variable && g_.derivative_order(e.left) == 1 && g_.is_constant(e.right, 0.0) &&
           m_.variables[static_cast<std::size_t>(g_.variable_id(e.left))].is_parameter;
}

std::string FlatText::clause_text(const model::When& clause) {
    const model::WhenBranch& first = clause.branches.front();
    const bool only_asserts = clause.branches.size() == 1 && first.settings.empty() && first.reinits.empty() &&
                              !first.terminates && first.assertions.size() == 1 && first.conditions.size() == 1;
    if (only_asserts && first.also_at_start &&
        first.conditions[0] == g_.unary(Op::logical_not, first.assertions[0].holds))
        return "  " + assertion(first.assertions[0]);
    std::string out;
    for (const model::WhenBranch& branch : clause.branches) {
        std::string conditions;
        const bool starts = branch.also_at_start && !is_initial(branch);
        for (const NodeId condition : branch.conditions) {
            const std::string one = text(condition, Wanted::boolean, branch.span);
            conditions += (conditions.empty() ? "" : ", ") + one;
            if (starts) conditions += ", initial() and (" + one + ")";
        }
        if (branch.conditions.size() > 1 || starts) conditions = "{" + conditions + "}";
        out += (out.empty() ? "  when " : "  elsewhen ") + conditions + " then\n" + actions(branch);
    }
    return out + "  end when;\n";
}

bool FlatText::is_initial(const model::WhenBranch& branch) const {
    return branch.conditions.size() == 1 && g_.op(branch.conditions[0]) == Op::parameter &&
           g_.parameter_id(branch.conditions[0]) == m_.initial_flag;
}

std::string FlatText::assertion(const model::WhenBranch::Assertion& a) {
    return "assert(" + text(a.holds, Wanted::boolean, a.span) + ", " + string_text(a.message) +
           ", AssertionLevel.error);\n";
}

std::string FlatText::actions(const model::WhenBranch& branch) {
    std::string out;
    // What happens under a further condition is kept as a choice between the new value and the one that is there.
    const auto act = [&](NodeId value, NodeId unchanged, Wanted as, const SourceSpan& where, const auto& say) {
        value = value_of(value);
        if (g_.op(value) == Op::select && g_.operand(value, 2) == unchanged)
            out += "    if " + text(g_.operand(value, 0), Wanted::boolean, where) + " then\n      " +
                   say(text(g_.operand(value, 1), as, where)) + "    end if;\n";
        else
            out += "    " + say(text(value, as, where));
    };
    for (const model::WhenBranch::Setting& s : branch.settings) {
        const model::Parameter& p = parameter(s.parameter);
        act(s.value, g_.parameter(s.parameter), wanted(p.type), branch.span,
            [&](const std::string& value) { return quoted(p.name) + " = " + value + ";\n"; });
    }
    for (const model::WhenBranch::Reinit& r : branch.reinits) {
        const std::string name = quoted(m_.variables[static_cast<std::size_t>(g_.variable_id(r.variable))].name);
        act(r.value, r.variable, Wanted::real, r.span,
            [&](const std::string& value) { return "reinit(" + name + ", " + value + ");\n"; });
    }
    for (const model::WhenBranch::Assertion& a : branch.assertions) out += "    " + assertion(a);
    if (branch.terminates) out += "    terminate(" + string_text(branch.message) + ");\n";
    return out;
}

std::string FlatText::experiment_text() const {
    std::string list;
    const auto number = [&](const char* name, const std::optional<double>& value) {
        if (value) add(list, name, fmt::format("{}", *value));
    };
    number("StartTime", m_.experiment.start_time);
    number("StopTime", m_.experiment.stop_time);
    number("Tolerance", m_.experiment.tolerance);
    number("Interval", m_.experiment.interval);
    return "  annotation(__Daedalus(flat=true)" + (list.empty() ? "" : ", experiment(" + list + ")") + ");\n";
}

Expected<std::string> flat_text(const model::Model& model) {
    try {
        return FlatText(model).run();
    } catch (const NoText& no) {
        return daedalus::fail(no.diagnostic);
    }
}

} // namespace daedalus::modelica
