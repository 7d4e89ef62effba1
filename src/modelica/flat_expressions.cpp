// Names and expressions of flat text.
#include "expr/routine.hpp"
#include "modelica/flat_writer.hpp"
#include "modelica/token.hpp"

namespace daedalus::modelica {

namespace {

bool is_keyword(const std::string& name) {
    for (int kind = 0; kind < static_cast<int>(TokenKind::count_); ++kind)
        if (modelica::is_keyword(static_cast<TokenKind>(kind)) && spelling(static_cast<TokenKind>(kind)) == name)
            return true;
    return false;
}

bool is_identifier(const std::string& name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (name.empty() || !letter(name[0]) || is_keyword(name)) return false;
    return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

} // namespace

std::string quoted(const std::string& name) {
    if (is_identifier(name)) return name;
    const bool is_quoted = name.size() > 2 && name.front() == '\'' && name.find('\'', 1) == name.size() - 1;
    if (is_quoted) return name;
    std::string out = "'";
    for (const char c : name) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string string_text(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

FlatText::FlatText(const model::Model& m) : m_(m), g_(*m.graph), fixed_(structural()) {
    for (bool more = true; more;) {
        more = false;
        for (const model::Equation& e : m_.initial_equations) more = known_parameter(e, false) || more;
    }
    name_parameters();
    spelling_.names = {[this](int id, int order) {
                           const std::string name = quoted(m_.variables[static_cast<std::size_t>(id)].name);
                           std::string text;
                           for (int k = 0; k < order; ++k) text += "der(";
                           return text + name + std::string(static_cast<std::size_t>(order), ')');
                       },
                       [this](int id) { return names_[static_cast<std::size_t>(id)]; }};
    spelling_.is_boolean = [this](int id) {
        return parameter(id).type == ValueType::boolean || id == m_.initial_flag || id == m_.terminal_flag;
    };
    spelling_.instead = [this](NodeId node) { return instead(node); };
    for (const auto& [value, slope] : g_.written_derivatives()) {
        const NodeId of = value_of(value), is = value_of(slope);
        const NodeId roots[1] = {of};
        const auto inside = g_.reachable(roots);
        const bool known = std::all_of(inside.begin(), inside.end(), [&](NodeId node) { // notes outlive variables
            return g_.op(node) != Op::variable || static_cast<std::size_t>(g_.variable_id(node)) < m_.variables.size();
        });
        if (known && !std::binary_search(inside.begin(), inside.end(), is)) derivatives_.emplace(is, of);
    }
}

void FlatText::fail(const std::string& what, const SourceSpan& where) {
    throw NoText{make_error("no-flat-text", "there is no flat text of " + what, where)};
}

std::unordered_map<int, NodeId> FlatText::structural() {
    std::unordered_map<int, NodeId> numbers;
    const auto values = model::parameter_values(m_);
    for (std::size_t p = 0; values && p < m_.parameters.size(); ++p)
        if (m_.parameters[p].is_constant && !m_.parameters[p].is_held && static_cast<int>(p) != m_.homotopy)
            numbers.emplace(static_cast<int>(p), g_.constant((*values)[p]));
    return numbers;
}

NodeId FlatText::value_of(NodeId node) {
    if ((fixed_.empty() && known_.empty()) || node == expr::no_node) return node;
    return substitute_(node);
}

void FlatText::name_parameters() {
    for (const model::Parameter& p : m_.parameters) names_.push_back(quoted(p.name));
    const auto name = [&](int id, std::string text) {
        if (id >= 0) names_[static_cast<std::size_t>(id)] = std::move(text);
        if (id >= 0) hidden_.push_back(id);
    };
    name(m_.initial_flag, "initial()");
    name(m_.terminal_flag, "terminal()");
    if (m_.homotopy >= 0) hidden_.push_back(m_.homotopy);
    for (const model::Sample& s : m_.samples) hidden_.push_back(s.parameter);
    for (const model::Memory& memory : m_.memories) {
        std::string of = parameter(memory.parameter).name;
        if (of.starts_with("pre(")) of = of.substr(4, of.size() - 5);
        const auto same = [&](const model::DiscreteVariable& d) { return d.name == of; };
        if (std::none_of(m_.discrete.begin(), m_.discrete.end(), same))
            for (const model::DiscreteVariable& d : m_.discrete)
                if (d.value == memory.value) of = d.name;
        name(memory.parameter, "pre(" + quoted(of) + ")");
        starts_.emplace(of, memory.parameter);
    }
    for (const model::DiscreteVariable& d : m_.discrete)
        if (is_held(d)) hidden_.push_back(g_.parameter_id(d.value));
    std::sort(hidden_.begin(), hidden_.end());
}

bool FlatText::is_held(const model::DiscreteVariable& d) const {
    return g_.op(d.value) == Op::parameter && parameter(g_.parameter_id(d.value)).name == d.name;
}

void FlatText::refuse() const {
    if (!m_.delays.empty()) fail("delay(…)", m_.delays.front().span);
    if (!m_.transports.empty()) fail("spatialDistribution(…)", m_.transports.front().span);
    for (const model::Memory& memory : m_.memories)
        if (memory.left_limit) fail("clocked equations", parameter(memory.parameter).span);
    for (std::size_t p = 0; p < m_.parameters.size(); ++p)
        if (m_.parameters[p].is_held && !is_hidden(static_cast<int>(p)))
            fail("clocked equations ('" + m_.parameters[p].name + "')", m_.parameters[p].span);
    if (!m_.signals.empty()) fail("inputs that a run gives", {});
}

bool FlatText::is_taken(const std::string& name) const {
    return m_.find_variable(name) || m_.find_parameter(name) ||
           std::any_of(m_.discrete.begin(), m_.discrete.end(), [&](const auto& d) { return d.name == name; });
}

bool FlatText::makes_events(NodeId node) const {
    const NodeId roots[1] = {node};
    const auto all = g_.reachable(roots);
    return std::any_of(all.begin(), all.end(), [&](NodeId n) {
        const Op op = g_.op(n);
        return (op >= Op::lt && op <= Op::ge) || op == Op::floor || op == Op::abs || op == Op::min || op == Op::max;
    });
}

std::string FlatText::helper(const std::string& name, const std::string& inputs, const std::string& type,
                             const std::string& value) {
    std::string free = name;
    while (is_taken(free)) free += "_";
    functions_.emplace(free, "    input Real " + inputs + ";\n    output " + type +
                                 " result;\n  algorithm\n    result := " + value + ";\n");
    return free + "(";
}

std::optional<std::vector<expr::Spelling::Piece>> FlatText::instead(NodeId node) {
    using Pieces = std::vector<expr::Spelling::Piece>;
    const Op op = g_.op(node);
    if (node != defined_)
        if (const auto it = shorter_.find(node); it != shorter_.end()) return Pieces{{it->second}};
    if (op == Op::call) fail(g_.call_of(node).routine->name(), where_);
    if (const auto it = derivatives_.find(node); it != derivatives_.end())
        return Pieces{{"der("}, {{}, it->second}, {")"}};
    if (op == Op::ge && g_.op(g_.operand(node, 1)) == Op::parameter && g_.op(g_.operand(node, 0)) == Op::time)
        for (const model::Sample& s : m_.samples)
            if (s.parameter == g_.parameter_id(g_.operand(node, 1)))
                return Pieces{{"sample("}, {{}, value_of(s.start)}, {", "}, {{}, value_of(s.interval)}, {")"}};
    if (op == Op::sign)
        return Pieces{{helper("signWithoutEvent", "x", "Integer", "sign(x)")}, {{}, g_.operand(node, 0)}, {")"}};
    if (op == Op::ceil)
        return Pieces{{helper("ceilWithoutEvent", "x", "Real", "ceil(x)")}, {{}, g_.operand(node, 0)}, {")"}};
    if (is_eventless(node)) return eventless(node);
    return std::nullopt;
}

std::vector<expr::Spelling::Piece> FlatText::eventless(NodeId node) {
    const NodeId difference = g_.operand(g_.operand(node, 0), 0);
    const bool above = g_.is_constant(g_.operand(node, 1), 1.0);
    const bool strict = g_.op(node) == Op::eq;
    const std::string symbol = strict ? (above ? " > " : " < ") : above ? " <= " : " >= ";
    const auto [a, b] = sides(node);
    // Of two whole numbers noEvent(…) would put the border between them.
    if (!makes_events(difference) && !(is_whole(a) && is_whole(b) && !g_.is_constant(b))) {
        const auto side = [&](NodeId one) -> expr::Spelling::Piece {
            if (!g_.is_constant(one)) return {{}, one, Wanted::real, true};
            const std::string number = expr::number_text(g_.constant_value(one));
            return {number.find_first_of(".e") == std::string::npos ? number + ".0" : number};
        };
        return {{"noEvent("}, side(a), {symbol}, side(b), {")"}};
    }
    const char* const name = strict  ? (above ? "greaterWithoutEvent" : "lessWithoutEvent")
                             : above ? "notGreaterWithoutEvent"
                                     : "notLessWithoutEvent";
    return {{helper(name, "a, b", "Boolean", "a" + symbol + "b")}, {{}, a}, {", "}, {{}, b}, {")"}};
}

std::string FlatText::text(NodeId node, Wanted as, const SourceSpan& where, NodeId defined) {
    constexpr std::size_t longest = 1U << 20U;
    where_ = where;
    defined_ = defined;
    std::string written = expr::modelica_text(g_, value_of(node), spelling_, as, longest);
    if (written.size() > longest) fail("an expression this large", where);
    return written;
}

Wanted FlatText::wanted_by(NodeId a, NodeId b) const {
    return expr::is_condition(g_, a, spelling_) || expr::is_condition(g_, b, spelling_) ? Wanted::boolean
                                                                                        : Wanted::real;
}

bool FlatText::is_eventless(NodeId node) const {
    const Op op = g_.op(node);
    return (op == Op::eq || op == Op::ne) && g_.op(g_.operand(node, 0)) == Op::sign &&
           (g_.is_constant(g_.operand(node, 1), 1.0) || g_.is_constant(g_.operand(node, 1), -1.0));
}

std::pair<NodeId, NodeId> FlatText::sides(NodeId eventless) const {
    const NodeId difference = g_.operand(g_.operand(eventless, 0), 0);
    if (g_.op(difference) != Op::sub) return {difference, zero_};
    return {g_.operand(difference, 0), g_.operand(difference, 1)};
}

bool FlatText::is_used(int id) {
    if (used_parameters_.empty())
        for (const NodeId node : g_.reachable(roots(true)))
            if (g_.op(node) == Op::parameter) used_parameters_.insert(g_.parameter_id(node));
    return used_parameters_.contains(id);
}

bool FlatText::known_parameter(const model::Equation& e, bool asked) {
    for (const auto& [left, right] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
        if (g_.op(left) != Op::variable || g_.derivative_order(left) != 0) continue;
        const int id = g_.variable_id(left);
        if (asked ? known_.contains(id) : !known_.contains(id) && is_known(id, right)) return true;
    }
    return false;
}

bool FlatText::is_known(int id, NodeId definition) {
    if (!m_.variables[static_cast<std::size_t>(id)].is_parameter) return false;
    expr::Substitution numbers(g_, [this](NodeId leaf) { return known_value(leaf); });
    const NodeId value = numbers(definition);
    if (g_.is_constant(value)) known_.emplace(id, value);
    return g_.is_constant(value);
}

NodeId FlatText::known_value(NodeId leaf) const {
    if (g_.op(leaf) == Op::parameter) {
        const auto it = fixed_.find(g_.parameter_id(leaf));
        return it == fixed_.end() ? leaf : it->second;
    }
    if (g_.op(leaf) != Op::variable || g_.derivative_order(leaf) > 0) return leaf;
    const auto it = known_.find(g_.variable_id(leaf));
    return it == known_.end() ? leaf : it->second;
}

std::string FlatText::functions() const {
    std::string out;
    for (const auto& [name, body] : functions_) out += "  function " + name + "\n" + body + "  end " + name + ";\n";
    return out;
}

} // namespace daedalus::modelica
