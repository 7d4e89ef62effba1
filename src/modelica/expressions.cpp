// Expressions → quantities: literals, references with subscripts, arrays, ranges, conditions.
#include "expr/evaluate.hpp"
#include "modelica/lexer.hpp"
#include "modelica/translator.hpp"

#include <cmath>

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

namespace {
constexpr int deepest = 4000; // nested evaluations: expressions in bindings in components, functions in functions
constexpr long most_elements = 4000000;
} // namespace

Translator::Depth::Depth(Translator& t, const Context& c, Span span) : translator(t) {
    if (++t.depth_ <= deepest) return;
    --t.depth_;
    t.fail("nested-too-deep", c.unit, span, "this is nested too deep", "does a function call itself without end?");
}

Quantity Translator::evaluate(const Context& c, ExprId id) {
    const Depth nested(*this, c, c.at(id).span);
    return evaluate_inner(c, id);
}

Quantity Translator::evaluate_inner(const Context& c, ExprId id) {
    const ast::Expr& e = c.at(id);
    switch (e.kind) {
    case ExprKind::number: return scalar(e.is_integer ? Kind::integer : Kind::real, g_.constant(e.value));
    case ExprKind::boolean: return scalar(Kind::boolean, g_.constant(e.value));
    case ExprKind::string:
        return text(string_value(c.unit->file->text().substr(e.span.begin, e.span.end - e.span.begin)));
    case ExprKind::reference: return reference(c, c.unit->tree.reference(e), e.span);
    case ExprKind::call: return call(c, e);
    case ExprKind::unary: return unary(c, e);
    case ExprKind::binary: return binary(c, id);
    case ExprKind::conditional: return conditional(c, e);
    case ExprKind::array: return array(c, e);
    case ExprKind::matrix: return matrix(c, e);
    case ExprKind::range: return range(c, e);
    case ExprKind::part: {
        const ast::Reference& which = c.unit->tree.reference(e);
        Quantity q = evaluate(c, c.unit->tree.operand(e, 0));
        if (!which.parts[0].subscripts.empty()) q = subscript(c, q, which.parts[0].subscripts, e.span);
        return which.parts.size() > 1 ? follow(c, std::move(q), which, 1) : q;
    }
    case ExprKind::end_:
        if (c.end >= 0) return scalar(Kind::integer, g_.constant(c.end));
        fail("end-outside", c.unit, e.span, "'end' has a meaning only inside subscripts");
    case ExprKind::tuple:
        fail("tuple", c.unit, e.span, "several results, (a, b), stand only on the left of a function call");
    case ExprKind::all: fail("colon", c.unit, e.span, "':' has a meaning only as a subscript");
    default: fail("syntax", c.unit, e.span, "this cannot be read");
    }
}

Quantity Translator::reference(const Context& c, const ast::Reference& name, Span span) {
    const ast::NamePart& first = name.parts[0];
    if (c.frame != nullptr && !name.global)
        if (Quantity* local = c.frame->find(first.name)) {
            Quantity q = first.subscripts.empty() ? *local : subscript(c, *local, first.subscripts, span);
            if (name.parts.size() > 1) q = follow(c, std::move(q), name, 1);
            if (!allow_unset_)
                for (const NodeId node : q.nodes)
                    if (node == expr::no_node)
                        fail("no-value", c.unit, span, "'" + name.text() + "' is used before it has a value");
            return q;
        }
    Element* e = name.global ? find_top(first.name) : find(first.name, c.scope);
    if (e == nullptr) {
        if (name.is_simple() && first.name == "time") check_time(c, span);
        if (name.is_simple() && first.name == "time" && time_is_start_) {
            start_time_used_ = true;
            return scalar(Kind::real, g_.constant(model_.experiment.start_time.value_or(0.0)));
        }
        if (name.is_simple() && first.name == "time") return scalar(Kind::real, g_.time());
        std::string hint = suggestion(first.name, c.scope);
        if (first.name == "pi") hint = "declare it, or write Modelica.Constants.pi";
        for (const Diagnostic& problem : library_.problems()) throw TranslationError{problem};
        fail("unknown-identifier", c.unit, span, "'" + name.text() + "' is not declared", hint);
    }
    if (!e->is_class() && e->owner->is_function() && e->prefixes.variability != ast::Variability::constant)
        fail("no-value", c.unit, span, "'" + name.text() + "' is used before it has a value");
    if (e->is_class()) return class_value(c, class_of(e), name, 1);
    if (!name.global) check_scope(c, e, span);
    check_conditional(c, e, span);
    return walk(c, meant(e), name, 0);
}

Quantity Translator::class_value(const Context& c, Instance* instance, const ast::Reference& name, std::size_t part) {
    if (part == name.parts.size()) {
        if (instance->is_function()) {
            Quantity q;
            q.kind = Kind::function;
            auto callable = std::make_shared<Callable>();
            callable->function = instance;
            q.function = std::move(callable);
            return q;
        }
        fail("class-as-value", c.unit, name.span, "'" + name.text() + "' is a class, not a value");
    }
    const ast::NamePart& next = name.parts[part];
    build(instance);
    if (instance->kind == Kind::enumeration) {
        const auto& literals = instance->definition->literals;
        for (std::size_t k = 0; k < literals.size(); ++k)
            if (literals[k].name == next.name) {
                Quantity q = scalar(Kind::enumeration, g_.constant(static_cast<double>(k + 1)));
                q.type = instance;
                return q;
            }
    } else if (Element* e = find_local(instance, next.name)) {
        check_visible(e, c.unit, next.span, name.parts[part - 1].name);
        if (e->is_class()) return class_value(c, class_of(e), name, part + 1);
        return walk(c, make(e), name, part);
    }
    fail("unknown-identifier", c.unit, next.span,
         "there is no '" + std::string(next.name) + "' in '" +
             std::string(instance->definition ? instance->definition->name : std::string_view("a type")) + "'",
         suggestion(next.name, instance));
}

Quantity Translator::walk(const Context& c, Component* component, const ast::Reference& name, std::size_t part) {
    const ast::NamePart& here = name.parts[part];
    const bool last = part + 1 == name.parts.size();
    if (component->absent) (void)value_of(component);
    if (component->kind != Kind::none) {
        // One entry of a large array, as in loops: the array itself is not copied.
        if (component->valued && last && !here.subscripts.empty())
            return subscript(c, component->value, here.subscripts, name.span);
        Quantity q = value_of(component);
        if (!here.subscripts.empty()) q = subscript(c, q, here.subscripts, name.span);
        if (!last)
            fail("no-field", c.unit, name.parts[part + 1].span,
                 "'" + std::string(here.name) + "' is a " + std::string(spelling(q.kind)) + " and has no parts");
        return q;
    }
    if (component->instance != nullptr) {
        if (!here.subscripts.empty())
            fail("subscripts", c.unit, here.span, "'" + std::string(here.name) + "' is no array");
        if (last) return record_of(component);
        Element* e = find_local(component->instance, name.parts[part + 1].name);
        if (e == nullptr)
            fail("unknown-identifier", c.unit, name.parts[part + 1].span,
                 "'" + component->name + "' has no '" + std::string(name.parts[part + 1].name) + "'",
                 suggestion(name.parts[part + 1].name, component->instance));
        check_visible(e, c.unit, name.parts[part + 1].span, here.name);
        if (e->is_class()) return class_value(c, class_of(e), name, part + 2);
        return walk(c, make(e), name, part + 1);
    }
    // An array of components: the elements that are meant, each followed further.
    std::vector<bool> keeps;
    const auto lists = subscript_lists(c, component->dimensions, here.subscripts, keeps, name.span);
    std::vector<int> outer;
    for (std::size_t d = 0; d < lists.size(); ++d)
        if (keeps[d]) outer.push_back(static_cast<int>(lists[d].size()));
    std::vector<Quantity> found;
    std::vector<std::size_t> at(lists.size(), 0);
    bool empty = false;
    for (const auto& list : lists) empty = empty || list.empty();
    while (!empty) {
        std::size_t k = 0;
        for (std::size_t d = 0; d < lists.size(); ++d)
            k = k * static_cast<std::size_t>(component->dimensions[d]) + static_cast<std::size_t>(lists[d][at[d]]);
        Component* one = component->elements[k];
        if (last) {
            found.push_back(record_of(one));
        } else {
            Element* e = find_local(one->instance, name.parts[part + 1].name);
            if (e == nullptr)
                fail("unknown-identifier", c.unit, name.parts[part + 1].span,
                     "'" + one->name + "' has no '" + std::string(name.parts[part + 1].name) + "'",
                     suggestion(name.parts[part + 1].name, one->instance));
            found.push_back(e->is_class() ? class_value(c, class_of(e), name, part + 2)
                                          : walk(c, make(e), name, part + 1));
        }
        std::size_t d = lists.size();
        while (d > 0 && ++at[d - 1] == lists[d - 1].size()) at[--d] = 0;
        if (d == 0) break;
    }
    if (outer.empty() && !found.empty()) return found.front();
    if (found.empty()) {
        Quantity none;
        none.kind = Kind::real;
        none.dimensions = outer;
        return none;
    }
    std::vector<int> dimensions = outer;
    dimensions.insert(dimensions.end(), found[0].dimensions.begin(), found[0].dimensions.end());
    Quantity all = like(found[0], dimensions);
    for (const Quantity& q : found) {
        if (q.dimensions != found[0].dimensions)
            unsupported(c.unit, name.span, "slices of components whose parts have different sizes");
        append(all, q);
    }
    return all;
}

// Fields of a value: (record).a.b[i]
Quantity Translator::follow(const Context& c, Quantity q, const ast::Reference& name, std::size_t part) {
    for (; part < name.parts.size(); ++part) {
        const ast::NamePart& here = name.parts[part];
        if (q.kind != Kind::record)
            fail("no-field", c.unit, here.span,
                 "a " + std::string(spelling(q.kind)) + " has no field '" + std::string(here.name) + "'");
        std::vector<Quantity> fields;
        for (const auto& record : q.records) {
            Quantity* field = record->find(here.name);
            if (field == nullptr)
                fail("no-field", c.unit, here.span, "the record has no field '" + std::string(here.name) + "'");
            fields.push_back(here.subscripts.empty() ? *field : subscript(c, *field, here.subscripts, here.span));
        }
        if (q.is_scalar()) {
            Quantity only = fields.at(0);
            q = std::move(only);
            continue;
        }
        if (fields.empty()) unsupported(c.unit, here.span, "fields of an empty array of records");
        std::vector<int> dimensions = q.dimensions;
        dimensions.insert(dimensions.end(), fields[0].dimensions.begin(), fields[0].dimensions.end());
        Quantity all = like(fields[0], dimensions);
        for (const Quantity& f : fields) append(all, f);
        q = std::move(all);
    }
    return q;
}

std::vector<std::vector<int>> Translator::subscript_lists(const Context& c, const std::vector<int>& dimensions,
                                                          const std::vector<ExprId>& subscripts,
                                                          std::vector<bool>& keeps, Span span,
                                                          std::vector<NodeId>* varying) {
    if (subscripts.size() > dimensions.size())
        fail("subscripts", c.unit, span,
             std::to_string(subscripts.size()) + " subscripts, but there are " + std::to_string(dimensions.size()) +
                 " dimensions");
    std::vector<std::vector<int>> lists(dimensions.size());
    keeps.assign(dimensions.size(), true);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        if (d >= subscripts.size() || c.at(subscripts[d]).kind == ExprKind::all) {
            for (int i = 0; i < dimensions[d]; ++i) lists[d].push_back(i);
            continue;
        }
        Context inside = c;
        inside.end = dimensions[d];
        const ast::Expr& e = c.at(subscripts[d]);
        const Quantity index = evaluate(inside, subscripts[d]);
        if (index.kind != Kind::integer && index.kind != Kind::enumeration && index.kind != Kind::boolean)
            fail("subscripts", c.unit, e.span,
                 "a subscript must be an Integer, but this is a " + std::string(spelling(index.kind)));
        if (index.rank() > 1) fail("subscripts", c.unit, e.span, "a subscript is a number or a vector of numbers");
        keeps[d] = index.rank() == 1;
        for (const NodeId node : index.nodes) {
            const auto value = fold(node);
            if (!value && varying != nullptr &&
                index.is_scalar()) { // each element, under the condition that it is meant
                (*varying)[d] = node;
                for (int i = 0; i < dimensions[d]; ++i) lists[d].push_back(i);
                must_hold_inside(c, node, dimensions[d], e.span);
                continue;
            }
            if (!value) unsupported(c.unit, e.span, "subscripts that vary in time");
            const int i = static_cast<int>(*value) + (index.kind == Kind::boolean ? 1 : 0);
            if (i < 1 || i > dimensions[d])
                fail("subscripts", c.unit, e.span,
                     "the subscript " + std::to_string(i) + " is outside 1:" + std::to_string(dimensions[d]));
            lists[d].push_back(i - 1);
        }
    }
    return lists;
}

// Halves lie between whole numbers: no rounding makes the assertion fail at the ends.
void Translator::must_hold_inside(const Context& c, NodeId index, int size, Span span) {
    must_hold(logical(Op::logical_and, g_.binary(Op::gt, index, g_.constant(0.5)),
                      g_.binary(Op::lt, index, g_.constant(size + 0.5))),
              "a subscript is outside 1:" + std::to_string(size), guard_, acting_, place(c.unit, span));
}

Quantity Translator::subscript(const Context& c, const Quantity& q, const std::vector<ExprId>& subscripts, Span span) {
    // A subscript that varies: a choice between the elements, and an assertion that it is one of them.
    for (std::size_t d = 0; d < subscripts.size() && d < q.rank(); ++d) {
        if (c.at(subscripts[d]).kind == ExprKind::all || q.dimensions[d] < 1) continue;
        if (c.at(subscripts[d]).kind == ExprKind::number) continue;
        Context inside = c;
        inside.end = q.dimensions[d];
        const Quantity index = evaluate(inside, subscripts[d]);
        if (!index.is_scalar() || (index.kind != Kind::integer && index.kind != Kind::enumeration) ||
            fold(index.node()))
            continue;
        std::size_t before = 1, behind = 1;
        for (std::size_t k = 0; k < d; ++k) before *= static_cast<std::size_t>(q.dimensions[k]);
        for (std::size_t k = d + 1; k < q.rank(); ++k) behind *= static_cast<std::size_t>(q.dimensions[k]);
        const auto n = static_cast<std::size_t>(q.dimensions[d]);
        std::vector<int> dimensions = q.dimensions;
        dimensions[d] = 1;
        const auto layer = [&](std::size_t k) {
            Quantity one = like(q, dimensions);
            for (std::size_t i = 0; i < before; ++i)
                append(one, slice(q, (i * n + k) * behind, {static_cast<int>(behind)}));
            return one;
        };
        Quantity chosen = layer(n - 1);
        for (std::size_t k = n - 1; k-- > 0;)
            chosen = select(logical(Op::eq, index.node(), g_.constant(static_cast<double>(k + 1))), layer(k), chosen,
                            c.unit, span);
        must_hold_inside(c, index.node(), q.dimensions[d], c.at(subscripts[d]).span);
        chosen.dimensions.erase(chosen.dimensions.begin() + static_cast<std::ptrdiff_t>(d));
        std::vector<ExprId> rest = subscripts;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(d));
        return rest.empty() ? chosen : subscript(c, chosen, rest, span);
    }
    std::vector<bool> keeps;
    const auto lists = subscript_lists(c, q.dimensions, subscripts, keeps, span);
    std::vector<int> dimensions;
    for (std::size_t d = 0; d < lists.size(); ++d)
        if (keeps[d]) dimensions.push_back(static_cast<int>(lists[d].size()));
    Quantity result = like(q, dimensions);
    for (const auto& list : lists)
        if (list.empty()) return result;
    std::vector<std::size_t> at(lists.size(), 0);
    for (;;) {
        std::size_t k = 0;
        for (std::size_t d = 0; d < lists.size(); ++d)
            k = k * static_cast<std::size_t>(q.dimensions[d]) + static_cast<std::size_t>(lists[d][at[d]]);
        if (has_nodes(q.kind)) result.nodes.push_back(q.nodes[k]);
        if (q.kind == Kind::string) result.strings.push_back(q.strings[k]);
        if (q.kind == Kind::record) result.records.push_back(q.records[k]);
        std::size_t d = lists.size();
        while (d > 0 && ++at[d - 1] == lists[d - 1].size()) at[--d] = 0;
        if (d == 0) break;
    }
    return result;
}

Quantity Translator::conditional(const Context& c, const ast::Expr& e) {
    // Conditions that are known choose now; branches that are not taken are not looked at.
    std::vector<std::pair<NodeId, Quantity>> open;
    Quantity result;
    NodeId not_before = expr::no_node;
    for (std::uint32_t k = 0; k + 1 < e.count; k += 2) {
        const Under earlier(*this, not_before);
        const ExprId id = c.unit->tree.operand(e, k);
        const Quantity condition = evaluate(c, id);
        if (condition.kind != Kind::boolean || !condition.is_scalar())
            fail("type", c.unit, c.at(id).span,
                 "the condition of 'if' must be true or false, but this is a " + std::string(spelling(condition.kind)));
        if (const auto known = fold(condition.node())) {
            if (*known == 0.0) continue;
            result = evaluate(c, c.unit->tree.operand(e, k + 1));
            break;
        }
        const Under here(*this, condition.node());
        open.emplace_back(condition.node(), evaluate(c, c.unit->tree.operand(e, k + 1)));
        not_before = both(not_before, g_.unary(Op::logical_not, condition.node()));
    }
    const Under otherwise(*this, not_before);
    if (!result.ok()) result = evaluate(c, c.unit->tree.operand(e, e.count - 1));
    for (std::size_t k = open.size(); k-- > 0;) result = select(open[k].first, open[k].second, result, c.unit, e.span);
    return result;
}

Quantity Translator::select(NodeId condition, const Quantity& a, const Quantity& b, const Unit* unit, Span span) {
    if (g_.is_constant(condition)) return g_.constant_value(condition) != 0.0 ? a : b;
    const bool numbers = is_number(a.kind) && is_number(b.kind);
    if ((a.kind != b.kind && !numbers) || a.dimensions != b.dimensions)
        fail("type", unit, span,
             "the branches of 'if' differ: " + std::string(spelling(a.kind)) + dimensions_text(a.dimensions) + " and " +
                 std::string(spelling(b.kind)) + dimensions_text(b.dimensions));
    Quantity result = like(a, a.dimensions);
    result.kind = a.kind == b.kind ? a.kind : Kind::real;
    if (a.kind == Kind::string) {
        Quantity chosen = a;
        for (std::size_t k = 0; k < a.strings.size(); ++k)
            if (a.strings[k] != b.strings[k]) chosen.strings[k] = std::string(1, unknown_text);
        return chosen;
    }
    if (a.kind == Kind::function || a.kind == Kind::object) {
        if (a.function != b.function || a.object != b.object)
            unsupported(unit, span, "a choice of functions that varies in time");
        return a;
    }
    for (std::size_t k = 0; k < a.nodes.size(); ++k) {
        // An element that has no value yet in one branch has it from the other.
        if (a.nodes[k] == expr::no_node || b.nodes[k] == expr::no_node)
            result.nodes.push_back(a.nodes[k] == expr::no_node ? b.nodes[k] : a.nodes[k]);
        else
            result.nodes.push_back(g_.select(condition, a.nodes[k], b.nodes[k]));
    }
    for (std::size_t k = 0; k < a.records.size(); ++k) {
        auto record = std::make_shared<Record>();
        for (auto& [name, field] : a.records[k]->fields) {
            Quantity* other = b.records[k]->find(name);
            if (other == nullptr) fail("type", unit, span, "the branches of 'if' are records with different fields");
            record->fields.emplace_back(name, select(condition, field, *other, unit, span));
        }
        result.records.push_back(std::move(record));
    }
    return result;
}

Quantity Translator::array(const Context& c, const ast::Expr& e) {
    std::vector<Quantity> items;
    for (std::uint32_t k = 0; k < e.count; ++k) items.push_back(evaluate(c, c.unit->tree.operand(e, k)));
    return stack(c, std::move(items), e.span);
}

Quantity Translator::stack(const Context& c, std::vector<Quantity> items, Span span) {
    if (items.empty()) {
        Quantity none;
        none.kind = Kind::real;
        none.dimensions = {0};
        return none;
    }
    bool real = false;
    for (const Quantity& q : items) real = real || q.kind == Kind::real;
    std::vector<int> dimensions{static_cast<int>(items.size())};
    dimensions.insert(dimensions.end(), items[0].dimensions.begin(), items[0].dimensions.end());
    Quantity all = like(items[0], dimensions);
    for (const Quantity& q : items) {
        if ((q.kind != items[0].kind && !(is_number(q.kind) && is_number(items[0].kind))) ||
            q.dimensions != items[0].dimensions)
            fail("type", c.unit, span,
                 "the elements of an array differ: " + std::string(spelling(items[0].kind)) +
                     dimensions_text(items[0].dimensions) + " and " + std::string(spelling(q.kind)) +
                     dimensions_text(q.dimensions));
        append(all, q);
    }
    if (real && is_number(all.kind)) all.kind = Kind::real;
    return all;
}

Quantity Translator::promote(Quantity q, std::size_t rank) {
    while (q.rank() < rank) q.dimensions.push_back(1);
    return q;
}

Quantity Translator::concatenate(const Context& c, std::size_t dimension, std::vector<Quantity> items, Span span) {
    if (items.empty()) fail("argument-count", c.unit, span, "there is nothing to join");
    Quantity result = like(items[0], items[0].dimensions);
    if (dimension >= result.rank())
        fail("array-size", c.unit, span,
             "arrays have no dimension " + std::to_string(dimension + 1) + " to be joined along");
    result.dimensions[dimension] = 0;
    for (const Quantity& q : items) {
        if (q.rank() != result.rank()) fail("array-size", c.unit, span, "arrays of different rank cannot be joined");
        for (std::size_t d = 0; d < q.rank(); ++d)
            if (d != dimension && q.dimensions[d] != items[0].dimensions[d])
                fail("array-size", c.unit, span,
                     "arrays of the sizes " + dimensions_text(items[0].dimensions) + " and " +
                         dimensions_text(q.dimensions) + " cannot be joined");
        result.dimensions[dimension] += q.dimensions[dimension];
        if (q.kind == Kind::real && result.kind == Kind::integer) result.kind = Kind::real;
        if (q.size() > 0 && items[0].size() == 0) result.kind = q.kind;
    }
    std::size_t before = 1;
    for (std::size_t d = 0; d < dimension; ++d) before *= static_cast<std::size_t>(result.dimensions[d]);
    for (std::size_t i = 0; i < before; ++i)
        for (const Quantity& q : items) {
            const std::size_t chunk = before == 0 ? 0 : q.size() / before;
            append(result, slice(q, i * chunk, {static_cast<int>(chunk)}));
        }
    return result;
}

Quantity Translator::matrix(const Context& c, const ast::Expr& e) {
    std::vector<Quantity> rows;
    std::vector<std::vector<Quantity>> all;
    std::size_t rank = 2;
    for (std::uint32_t r = 0; r < e.count; ++r) {
        const ast::Expr& row = c.at(c.unit->tree.operand(e, r));
        auto& items = all.emplace_back();
        for (std::uint32_t k = 0; k < row.count; ++k) {
            items.push_back(evaluate(c, c.unit->tree.operand(row, k)));
            rank = std::max(rank, items.back().rank());
        }
    }
    for (auto& items : all) {
        for (Quantity& q : items) q = promote(std::move(q), rank);
        rows.push_back(concatenate(c, 1, std::move(items), e.span));
    }
    return concatenate(c, 0, std::move(rows), e.span);
}

Quantity Translator::range(const Context& c, const ast::Expr& e) {
    std::vector<Quantity> parts;
    for (std::uint32_t k = 0; k < e.count; ++k) parts.push_back(evaluate(c, c.unit->tree.operand(e, k)));
    bool integer = true;
    for (const Quantity& q : parts) {
        if (!q.is_scalar() || !has_nodes(q.kind)) fail("type", c.unit, e.span, "a range is made of numbers");
        integer = integer && q.kind != Kind::real;
    }
    const double first = number(c, parts[0], e.span, "a range");
    const double step = parts.size() == 3 ? number(c, parts[1], e.span, "a range") : 1.0;
    const double last = number(c, parts.back(), e.span, "a range");
    if (step == 0.0) fail("range", c.unit, e.span, "the step of a range is zero");
    const double count = std::floor((last - first) / step * (1 + 1e-14) + 1e-10) + 1;
    if (count > static_cast<double>(most_elements))
        fail("too-large", c.unit, e.span, "the range has more than 4,000,000 elements");
    Quantity q;
    q.kind = parts[0].kind == Kind::enumeration || parts[0].kind == Kind::boolean ? parts[0].kind
             : integer                                                            ? Kind::integer
                                                                                  : Kind::real;
    q.type = parts[0].type;
    const auto n = static_cast<int>(std::max(0.0, count));
    q.dimensions = {n};
    for (int k = 0; k < n; ++k) q.nodes.push_back(g_.constant(first + k * step));
    return q;
}

std::optional<double> Translator::fold(NodeId node) {
    if (node == expr::no_node) return std::nullopt;
    if (g_.is_constant(node)) return g_.constant_value(node);
    if (expr::is_leaf(g_.op(node)) && g_.op(node) != Op::parameter) return std::nullopt;
    const NodeId roots[1] = {node};
    const auto all = g_.reachable(roots);
    for (const NodeId leaf : all) {
        if (g_.op(leaf) == Op::time || g_.op(leaf) == Op::variable) return std::nullopt;
        if (g_.op(leaf) != Op::parameter) continue;
        const int id = g_.parameter_id(leaf);
        if (id >= first_placeholder - 1 || model_.parameters[static_cast<std::size_t>(id)].is_held) return std::nullopt;
    }
    std::unordered_map<std::uint32_t, double> values;
    for (const NodeId leaf : all)
        if (g_.op(leaf) == Op::parameter) {
            model::Parameter& p = model_.parameters[static_cast<std::size_t>(g_.parameter_id(leaf))];
            const auto value = fold(p.binding);
            if (!value) return std::nullopt;
            p.is_constant = true; // what was decided here is part of the structure
            values.emplace(expr::index(leaf), *value);
        }
    return expr::evaluate(g_, node, [&](NodeId leaf) { return values.at(expr::index(leaf)); });
}

bool Translator::fold_all(Quantity& q) {
    for (NodeId& node : q.nodes) {
        const auto value = fold(node);
        if (!value) return false;
        node = g_.constant(*value);
    }
    for (auto& record : q.records) {
        auto copy = std::make_shared<Record>(*record);
        for (auto& [name, field] : copy->fields)
            if (!fold_all(field)) return false;
        record = std::move(copy);
    }
    return true;
}

double Translator::number(const Context& c, const Quantity& q, Span span, std::string_view what) {
    if (!has_nodes(q.kind) || q.nodes.size() != 1)
        fail("type", c.unit, span,
             std::string(what) + " must be a number, but this is " + std::string(spelling(q.kind)) +
                 (q.is_scalar() ? "" : dimensions_text(q.dimensions)));
    const auto value = fold(q.nodes.front());
    if (!value) fail("varies", c.unit, span, std::string(what) + " must not vary in time");
    return *value;
}

int Translator::whole(const Context& c, const Quantity& q, Span span, std::string_view what) {
    const double value = number(c, q, span, what);
    if (value != std::floor(value) || std::abs(value) > 2147483647.0)
        fail("type", c.unit, span, std::string(what) + " must be a whole number");
    return static_cast<int>(value);
}

bool Translator::truth(const Context& c, const Quantity& q, Span span, std::string_view what) {
    if (q.kind != Kind::boolean)
        fail("type", c.unit, span,
             std::string(what) + " must be true or false, but this is a " + std::string(spelling(q.kind)));
    return number(c, q, span, what) != 0.0;
}

} // namespace daedalus::modelica
