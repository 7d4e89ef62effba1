// Units of sums, comparisons and equations, compared as a lint: each expression has a unit, is a number that fits
// anywhere in a sum, or is not known. Parameters and variables without a unit are not known, and nothing follows from
// them. As factors numbers count as 1, of which only the dimension is compared.
#include "modelica/unit_check.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;

namespace {

/// Functions whose result is in the unit of their first argument.
bool keeps_unit(std::string_view name) {
    for (const std::string_view one : {"abs",
                                       "noEvent",
                                       "pre",
                                       "previous",
                                       "hold",
                                       "sample",
                                       "delay",
                                       "sum",
                                       "scalar",
                                       "vector",
                                       "matrix",
                                       "transpose",
                                       "symmetric",
                                       "inStream",
                                       "actualStream",
                                       "floor",
                                       "ceil",
                                       "Modelica.Math.Vectors.length",
                                       "Modelica.Math.Vectors.norm",
                                       "diagonal",
                                       "skew"})
        if (one == name) return true;
    return false;
}
bool takes_numbers(std::string_view name) {
    for (const std::string_view one :
         {"sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "log10"})
        if (one == name || (name.starts_with("Modelica.Math.") && name.substr(14) == one)) return true;
    return false;
}

} // namespace

std::string Translator::UnitCheck::text(const Context& c, ExprId id) const {
    const Span span = c.at(id).span;
    std::string words(c.unit->file->text().substr(span.begin, span.end - span.begin));
    constexpr std::size_t longest = 40;
    if (words.size() > longest) words = words.substr(0, longest) + "…";
    std::replace(words.begin(), words.end(), '\n', ' ');
    return words;
}

void Translator::UnitCheck::report(const Context& c, Span span, const std::string& message) {
    Diagnostic found = make_error("unit-mismatch", message, place(c.unit, span));
    found.severity = Severity::warning;
    for (const Diagnostic& known : found_)
        if (known.message == found.message && known.where == found.where) return;
    found_.push_back(std::move(found));
}

Translator::UnitCheck::Of Translator::UnitCheck::same(const Context& c, const Part& a, const Part& b, Span span,
                                                      const std::string& how) {
    if (a.of.kind == Of::Kind::known && b.of.kind == Of::Kind::known && !compatible(a.of.units, b.of.units))
        report(c, span,
               "units do not fit: '" + a.text + "' is in " + a.of.units.text() + ", but '" + b.text + "' in " +
                   b.of.units.text() + how);
    if (a.of.kind == Of::Kind::known) return a.of;
    if (b.of.kind == Of::Kind::known) return b.of;
    if (a.of.kind == Of::Kind::number && b.of.kind == Of::Kind::number) return a.of;
    return {};
}

Component* Translator::UnitCheck::component(const Context& c, const ast::Reference& name) const {
    Element* e = name.global ? t_.find_top(name.parts[0].name) : t_.find(name.parts[0].name, c.scope);
    if (e == nullptr || e->is_class()) return nullptr;
    Component* at = t_.meant(e);
    for (std::size_t k = 1; k < name.parts.size() && at != nullptr; ++k) {
        if (!at->elements.empty()) at = at->elements.front();
        if (at->instance == nullptr) return nullptr;
        Element* next = t_.find_local(at->instance, name.parts[k].name);
        if (next == nullptr || next->is_class()) return nullptr;
        at = t_.make(next);
    }
    return at;
}

Translator::UnitCheck::Of Translator::UnitCheck::of(Component* c) const {
    if (c == nullptr || c->absent || c->kind != Kind::real) return {};
    const auto unit = t_.attribute(c, "unit");
    if (unit && unit->kind == Kind::string && !unit->strings.empty() && !unit->strings.front().empty()) {
        const auto units = parse_units(unit->strings.front());
        return units ? Of{Of::Kind::known, *units} : Of{};
    }
    return c->variability == ast::Variability::constant ? Of{Of::Kind::number} : Of{};
}

Translator::UnitCheck::Of Translator::UnitCheck::reference(const Context& c, const ast::Reference& name) {
    if (name.is_simple()) {
        if (name.parts[0].name == "time") return {Of::Kind::known, *parse_units("s")};
        if (std::find(locals_.begin(), locals_.end(), name.parts[0].name) != locals_.end()) return {Of::Kind::number};
    }
    return of(component(c, name));
}

Translator::UnitCheck::Of Translator::UnitCheck::product(const Of& a, const Of& b, bool divided) const {
    if (a.kind == Of::Kind::unknown || b.kind == Of::Kind::unknown) return {};
    if (a.kind == Of::Kind::number && b.kind == Of::Kind::number) return a;
    Units x = a.units, y = b.units;
    if (a.kind == Of::Kind::number) x.scale_known = false;
    if (b.kind == Of::Kind::number) y.scale_known = false;
    return {Of::Kind::known, divided ? x / y : x * y};
}

Translator::UnitCheck::Of Translator::UnitCheck::binary(const Context& c, ExprId id) {
    std::vector<ExprId> spine; // a + b + c + … leans to the left
    while (c.at(id).kind == ExprKind::binary) {
        spine.push_back(id);
        id = c.unit->tree.operand(c.at(id), 0);
    }
    Part left{expression(c, id), text(c, id)};
    for (std::size_t k = spine.size(); k-- > 0;) {
        const ast::Expr& e = c.at(spine[k]);
        const ExprId second = c.unit->tree.operand(e, 1);
        const Part right{expression(c, second), text(c, second)};
        switch (e.op) {
        case TokenKind::plus:
        case TokenKind::minus:
        case TokenKind::dot_plus:
        case TokenKind::dot_minus: left.of = same(c, left, right, c.at(second).span, ""); break;
        case TokenKind::times:
        case TokenKind::dot_times: left.of = product(left.of, right.of, false); break;
        case TokenKind::divide:
        case TokenKind::dot_divide: left.of = product(left.of, right.of, true); break;
        case TokenKind::power:
        case TokenKind::dot_power: left.of = power(c, left, right, second); break;
        case TokenKind::kw_and:
        case TokenKind::kw_or: left.of = {}; break;
        default: (void)same(c, left, right, c.at(second).span, ", which it is compared with"); left.of = {};
        }
        left.text = text(c, spine[k]);
    }
    return left.of;
}

Translator::UnitCheck::Of Translator::UnitCheck::power(const Context& c, const Part& base, const Part& exponent,
                                                       ExprId second) {
    if (exponent.of.kind == Of::Kind::known && !exponent.of.units.is_number())
        report(c, c.at(second).span,
               "the exponent '" + exponent.text + "' is in " + exponent.of.units.text() + ", but must be a number");
    if (base.of.kind != Of::Kind::known) return base.of.kind == Of::Kind::number ? base.of : Of{};
    const ast::Expr* e = &c.at(second);
    const bool negative = e->kind == ExprKind::unary && e->op == TokenKind::minus;
    if (negative) e = &c.at(c.unit->tree.operand(*e, 0));
    if (e->kind == ExprKind::number) return {Of::Kind::known, base.of.units.power(negative ? -e->value : e->value)};
    return base.of.units.is_number() ? base.of : Of{};
}

Translator::UnitCheck::Of Translator::UnitCheck::call(const Context& c, const ast::Expr& e) {
    const ast::Call& call = c.unit->tree.call(e);
    const std::string name = call.function.text();
    const std::size_t before = locals_.size();
    for (const ast::ForIndex& index : call.indices) locals_.push_back(index.name);
    std::vector<Part> parts;
    for (const ast::Argument& a : call.arguments)
        parts.push_back(ast::given(a.value) && !a.is_function ? Part{expression(c, a.value), text(c, a.value)}
                                                              : Part{});
    locals_.resize(before);
    if (name == "der" && parts.size() == 1) return product(parts[0].of, {Of::Kind::known, *parse_units("s")}, true);
    if (takes_numbers(name) && parts.size() == 1) {
        const Of& of = parts[0].of;
        if (of.kind == Of::Kind::known && (!of.units.is_number() || (of.units.scale_known && of.units.scale != 1.0)))
            report(c, c.at(call.arguments[0].value).span,
                   "'" + name + "' takes a number or an angle in rad, but '" + parts[0].text + "' is in " +
                       of.units.text());
        return {Of::Kind::known, Units{}};
    }
    if (name == "sqrt" && parts.size() == 1)
        return parts[0].of.kind == Of::Kind::known ? Of{Of::Kind::known, parts[0].of.units.power(0.5)} : parts[0].of;
    if ((name == "min" || name == "max" || name == "homotopy") && parts.size() == 2)
        return same(c, parts[0], parts[1], c.at(call.arguments[1].value).span, "");
    if (name == "atan2" || name == "Modelica.Math.atan2") {
        if (parts.size() == 2) (void)same(c, parts[0], parts[1], c.at(call.arguments[1].value).span, "");
        return {Of::Kind::known, Units{}};
    }
    if (name == "smooth" && parts.size() == 2) return parts[1].of;
    if (name == "size" || name == "ndims" || name == "sign" || name == "integer") return {Of::Kind::number};
    if (keeps_unit(name) && !parts.empty()) return parts[0].of;
    return function(c, call, parts);
}

// A function of the model: units that its inputs declare against those of the arguments, and that of its output.
Translator::UnitCheck::Of Translator::UnitCheck::function(const Context& c, const ast::Call& call,
                                                          const std::vector<Part>& parts) {
    Instance* f = t_.try_class(call.function, c.scope, nullptr, nullptr);
    if (f == nullptr || !f->is_function()) return {};
    t_.build(f);
    Of result;
    std::size_t position = 0;
    bool first = true;
    for (Element* e : f->elements) {
        if (e->is_class() || e->prefixes.causality == ast::Causality::none) continue;
        const bool input = e->prefixes.causality == ast::Causality::input;
        if (!input && !first) continue;
        Of declared;
        if (Instance* type = t_.find_class(e->clause->type, e->node, e->unit); type != nullptr) {
            t_.build(type);
            const Modifier* m = e->modifier != nullptr ? e->modifier->part("unit") : nullptr;
            if (m == nullptr && type->kind_modifier != nullptr) m = type->kind_modifier->part("unit");
            if (type->kind == Kind::real && m != nullptr && m->value.given()) {
                const Quantity q = t_.evaluate_binding(m->value);
                if (q.kind == Kind::string && !q.strings.empty())
                    if (const auto units = parse_units(q.strings.front())) declared = {Of::Kind::known, *units};
            }
        }
        if (!input) {
            result = declared;
            first = false;
            continue;
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const ast::Argument& a = call.arguments[k];
            if (a.name.empty() ? k != position : a.name != e->name) continue;
            if (declared.kind == Of::Kind::known && parts[k].of.kind == Of::Kind::known &&
                !compatible(declared.units, parts[k].of.units))
                report(c, c.at(a.value).span,
                       "units do not fit: the input '" + std::string(e->name) + "' of '" + call.function.text() +
                           "' is in " + declared.units.text() + ", but '" + parts[k].text + "' in " +
                           parts[k].of.units.text());
        }
        ++position;
    }
    return result;
}

Translator::UnitCheck::Of Translator::UnitCheck::expression(const Context& c, ExprId id) {
    const ast::Expr& e = c.at(id);
    const auto operand = [&](std::uint32_t k) { return c.unit->tree.operand(e, k); };
    switch (e.kind) {
    case ExprKind::number: return {Of::Kind::number};
    case ExprKind::reference: return reference(c, c.unit->tree.reference(e));
    case ExprKind::binary: return binary(c, id);
    case ExprKind::unary: {
        ExprId inner = id;
        while (c.at(inner).kind == ExprKind::unary) inner = c.unit->tree.operand(c.at(inner), 0);
        return expression(c, inner);
    }
    case ExprKind::call: return call(c, e);
    case ExprKind::conditional: {
        Part so_far;
        for (std::uint32_t k = 0; k < e.count; ++k) {
            const bool condition = k % 2 == 0 && k + 1 < e.count;
            const Part now{expression(c, operand(k)), text(c, operand(k))};
            if (condition) continue;
            so_far.of =
                so_far.text.empty() ? now.of : same(c, so_far, now, c.at(operand(k)).span, ", in branches of an 'if'");
            so_far.text = now.text;
        }
        return so_far.of;
    }
    case ExprKind::array: {
        Of common;
        for (std::uint32_t k = 0; k < e.count; ++k) {
            const Of now = expression(c, operand(k));
            if (k == 0) common = now;
            if (now.kind != common.kind || (now.kind == Of::Kind::known && !compatible(now.units, common.units)))
                common = {};
        }
        return common;
    }
    default: return {};
    }
}

void Translator::UnitCheck::equal(const Context& c, ExprId left, ExprId right) {
    if (!ast::given(left) || !ast::given(right)) return;
    (void)same(c, {expression(c, left), text(c, left)}, {expression(c, right), text(c, right)}, c.at(right).span,
               ", and they are equal");
}

void Translator::UnitCheck::equations(const Context& c, const std::vector<ast::Equation>& list) {
    for (const ast::Equation& e : list) {
        const std::size_t before = locals_.size();
        for (const ast::ForIndex& index : e.indices) locals_.push_back(index.name);
        if (e.kind == ast::EquationKind::equality) quietly([&] { equal(c, e.left, e.right); });
        if (e.kind == ast::EquationKind::call) quietly([&] { (void)expression(c, e.left); });
        for (const ast::Branch& branch : e.branches) {
            if (ast::given(branch.condition)) quietly([&] { (void)expression(c, branch.condition); });
            equations(c, branch.equations);
        }
        locals_.resize(before);
    }
}

void Translator::UnitCheck::statements(const Context& c, const std::vector<ast::Statement>& list) {
    for (const ast::Statement& s : list) {
        const std::size_t before = locals_.size();
        for (const ast::ForIndex& index : s.indices) locals_.push_back(index.name);
        if (s.kind == ast::StatementKind::assign) quietly([&] { equal(c, s.left, s.right); });
        for (const ast::StatementBranch& branch : s.branches) {
            if (ast::given(branch.condition)) quietly([&] { (void)expression(c, branch.condition); });
            statements(c, branch.statements);
        }
        locals_.resize(before);
    }
}

void Translator::UnitCheck::binding(Component* c) {
    Modifier* m = c->modifier;
    if (m == nullptr || !m->value.given() || !m->value.steps.empty()) return;
    const Context at{m->value.unit, m->value.scope, nullptr, -1};
    (void)same(at, {of(c), std::string(c->element->name)},
               {expression(at, m->value.expression), text(at, m->value.expression)}, at.at(m->value.expression).span,
               ", and they are equal");
}

void Translator::UnitCheck::connections() {
    for (const auto& set : t_.sets_) {
        const Leaf& first = t_.leaves_[set.front()];
        for (std::size_t k = 1; k < set.size(); ++k) {
            const Leaf& other = t_.leaves_[set[k]];
            if (other.unit == nullptr || other.component == first.component) continue;
            quietly([&] {
                (void)same({other.unit, other.scope, nullptr, -1}, {of(first.component), first.component->name},
                           {of(other.component), other.component->name}, other.span, ", and they are connected");
            });
        }
    }
}

Diagnostics Translator::UnitCheck::run() {
    t_.for_each_instance([&](Instance* instance) {
        std::vector<Instance*> nodes;
        nodes_of(instance, nodes);
        for (Instance* node : nodes) {
            if (node->definition == nullptr) continue;
            const Context c{node->unit, node, nullptr, -1};
            for (const ast::EquationSection& section : node->definition->equations) equations(c, section.equations);
            for (const ast::AlgorithmSection& section : node->definition->algorithms) statements(c, section.statements);
        }
    });
    t_.for_each_component([&](Component* c) {
        if (c->kind == Kind::real && !c->absent) quietly([&] { binding(c); });
    });
    connections();
    return std::move(found_);
}

} // namespace daedalus::modelica
