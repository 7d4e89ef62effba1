// Functions of arrays, reductions and comprehensions (specification 3.5, sections 10.3 and 10.4), and String().
#include "modelica/translator.hpp"

#include <cmath>
#include <cstdio>

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

std::optional<Quantity> Translator::array_call(const Context& c, const ast::Expr& e, const std::string& name,
                                               std::vector<Quantity>& a) {
    const auto need = [&](std::size_t least, std::size_t most) {
        if (a.size() < least || a.size() > most)
            fail("argument-count", c.unit, e.span,
                 "'" + name + "' takes " + std::to_string(least) + (least == 1 ? " argument" : " arguments") +
                     ", not " + std::to_string(a.size()));
    };
    const auto sizes = [&](std::size_t first) {
        std::vector<int> list;
        double total = 1;
        for (std::size_t k = first; k < a.size(); ++k) {
            list.push_back(whole(c, a[k], e.span, "the size of an array"));
            if (list.back() < 0) fail("array-size", c.unit, e.span, "the size of an array is negative");
            total *= list.back();
        }
        if (total > 4e6) fail("too-large", c.unit, e.span, "the array has more than 4,000,000 elements");
        return list;
    };
    const auto filled = [&](const Quantity& value, std::vector<int> dimensions) {
        dimensions.insert(dimensions.end(), value.dimensions.begin(), value.dimensions.end());
        Quantity q = like(value, dimensions);
        const std::size_t n = value.size() == 0 ? 0 : q.size() / value.size();
        for (std::size_t k = 0; k < n; ++k) append(q, value);
        return q;
    };
    const auto square = [&](const Quantity& q) {
        if (q.rank() != 2)
            fail("array-size", c.unit, e.span, "'" + name + "' needs a matrix, not " + dimensions_text(q.dimensions));
    };
    const auto constant = [&](double v) { return scalar(Kind::integer, g_.constant(v)); };
    const auto constants = [&](double v) { return filled(constant(v), sizes(0)); };
    if (name == "zeros") return constants(0.0);
    if (name == "ones") return constants(1.0);
    if (name == "fill") {
        need(2, 100);
        return filled(a[0], sizes(1));
    }
    if (name == "identity" || name == "diagonal") {
        need(1, 1);
        const int n = name == "identity" ? sizes(0)[0] : static_cast<int>(a[0].size());
        Quantity q;
        q.kind = name == "identity" ? Kind::integer : a[0].kind;
        q.dimensions = {n, n};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                q.nodes.push_back(i != j               ? g_.constant(0.0)
                                  : name == "identity" ? g_.constant(1.0)
                                                       : a[0].nodes[static_cast<std::size_t>(i)]);
        return q;
    }
    if (name == "linspace") {
        need(3, 3);
        const int n = whole(c, a[2], e.span, "the number of points");
        Quantity q;
        q.kind = Kind::real;
        q.dimensions = {n};
        for (int k = 0; k < n; ++k)
            q.nodes.push_back(n == 1 ? a[0].node()
                                     : g_.add(a[0].node(), g_.mul(g_.sub(a[1].node(), a[0].node()),
                                                                  g_.constant(static_cast<double>(k) / (n - 1)))));
        return q;
    }
    if (name == "transpose") {
        need(1, 1);
        square(a[0]);
        Quantity q = like(a[0], {a[0].dimensions[1], a[0].dimensions[0]});
        for (int j = 0; j < a[0].dimensions[1]; ++j)
            for (int i = 0; i < a[0].dimensions[0]; ++i)
                append(q, slice(a[0], static_cast<std::size_t>(i * a[0].dimensions[1] + j), {}));
        return q;
    }
    if (name == "symmetric") {
        need(1, 1);
        square(a[0]);
        Quantity q = a[0];
        const int n = a[0].dimensions[0];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j)
                q.nodes[static_cast<std::size_t>(i * n + j)] = a[0].nodes[static_cast<std::size_t>(j * n + i)];
        return q;
    }
    const auto vector3 = [&](const Quantity& q) {
        if (q.dimensions != std::vector<int>{3})
            fail("array-size", c.unit, e.span, "'" + name + "' needs vectors with 3 elements");
    };
    if (name == "cross") {
        need(2, 2);
        vector3(a[0]);
        vector3(a[1]);
        const auto& x = a[0].nodes;
        const auto& y = a[1].nodes;
        Quantity q;
        q.kind = Kind::real;
        q.dimensions = {3};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
            q.nodes.push_back(g_.sub(g_.mul(x[i], y[j]), g_.mul(x[j], y[i])));
        }
        return q;
    }
    if (name == "skew") {
        need(1, 1);
        vector3(a[0]);
        const auto& x = a[0].nodes;
        const NodeId zero = g_.constant(0.0);
        Quantity q;
        q.kind = Kind::real;
        q.dimensions = {3, 3};
        q.nodes = {zero, g_.neg(x[2]), x[1], x[2], zero, g_.neg(x[0]), g_.neg(x[1]), x[0], zero};
        return q;
    }
    if (name == "outerProduct") {
        need(2, 2);
        Quantity column = a[0], row = a[1];
        column.dimensions = {static_cast<int>(a[0].size()), 1};
        row.dimensions = {1, static_cast<int>(a[1].size())};
        return operate(c, TokenKind::times, column, row, e.span);
    }
    if (name == "scalar" || name == "vector" || name == "matrix") {
        need(1, 1);
        Quantity q = a[0];
        if (name == "vector") {
            q.dimensions = {static_cast<int>(q.size())};
        } else if (name == "scalar") {
            if (q.size() != 1) fail("array-size", c.unit, e.span, "'scalar' needs an array with one element");
            q.dimensions.clear();
        } else {
            if (q.is_scalar()) q.dimensions = {1, 1};
            if (q.rank() == 1) q.dimensions.push_back(1);
            if (q.rank() > 2) q.dimensions.resize(2);
        }
        return q;
    }
    if (name == "promote") {
        need(2, 2);
        return promote(a[0], static_cast<std::size_t>(whole(c, a[1], e.span, "the rank")));
    }
    if (name == "cat") {
        need(2, 10000);
        const int d = whole(c, a[0], e.span, "the dimension");
        return concatenate(c, static_cast<std::size_t>(d - 1), {a.begin() + 1, a.end()}, e.span);
    }
    if (name == "array") return stack(c, a, e.span);
    if (name == "sum" || name == "product") {
        need(1, 1);
        if (a[0].kind == Kind::record) {
            Quantity total;
            for (std::size_t k = 0; k < a[0].size(); ++k)
                total = k == 0 ? slice(a[0], 0, {})
                               : operate(c, name == "sum" ? TokenKind::plus : TokenKind::times, total,
                                         slice(a[0], k, {}), e.span);
            if (!total.ok()) unsupported(c.unit, e.span, "the sum of no records");
            return total;
        }
        NodeId total = g_.constant(name == "sum" ? 0.0 : 1.0);
        for (const NodeId n : a[0].nodes) total = name == "sum" ? g_.add(total, n) : g_.mul(total, n);
        return scalar(a[0].kind, total);
    }
    if ((name == "min" || name == "max") && a.size() == 1) {
        if (a[0].nodes.empty()) fail("array-size", c.unit, e.span, "'" + name + "' of an empty array");
        Quantity best = slice(a[0], 0, {});
        for (std::size_t k = 1; k < a[0].nodes.size(); ++k) {
            std::vector<Quantity> pair{best, slice(a[0], k, {})};
            best = elementwise(c, e, name, pair);
        }
        return best;
    }
    return std::nullopt;
}

std::vector<Quantity> Translator::loop_values(const Context& c, const ast::ForIndex& index,
                                              const std::vector<ExprId>& body) {
    Quantity over;
    if (ast::given(index.range)) {
        const ast::Expr& e = c.at(index.range);
        if (e.kind == ExprKind::reference) { // for i in Enumeration
            const ast::Reference& name = c.unit->tree.reference(e);
            const bool local = c.frame != nullptr && c.frame->find(name.parts[0].name) != nullptr;
            Element* found = local ? nullptr : find(name.parts[0].name, c.scope);
            if (found != nullptr && found->is_class())
                if (Instance* type = try_class(name, c.scope, c.unit, nullptr)) {
                    build(type);
                    std::vector<Quantity> values;
                    if (type->kind == Kind::enumeration)
                        for (std::size_t k = 0; k < type->definition->literals.size(); ++k) {
                            values.push_back(scalar(Kind::enumeration, g_.constant(static_cast<double>(k + 1))));
                            values.back().type = type;
                        }
                    if (type->kind == Kind::boolean)
                        for (const double v : {0.0, 1.0}) values.push_back(scalar(Kind::boolean, g_.constant(v)));
                    if (!values.empty()) return values;
                }
        }
        over = evaluate(c, index.range);
    } else {
        // for i: as many as the arrays have elements that it is a subscript of
        std::optional<int> n;
        for (const ExprId root : body) {
            if (!ast::given(root)) continue;
            for (std::uint32_t k = ast::index(c.at(root).first); k <= ast::index(root); ++k) {
                const ast::Expr& e = c.unit->tree.expressions[k];
                if (e.kind != ExprKind::reference) continue;
                const ast::Reference& name = c.unit->tree.reference(e);
                ast::Reference prefix;
                for (const ast::NamePart& part : name.parts) {
                    ast::NamePart plain = part;
                    plain.subscripts.clear();
                    prefix.parts.push_back(plain);
                    for (std::size_t d = 0; d < part.subscripts.size(); ++d) {
                        const ast::Expr& s = c.at(part.subscripts[d]);
                        if (s.kind != ExprKind::reference || !c.unit->tree.reference(s).is_simple() ||
                            c.unit->tree.reference(s).parts[0].name != index.name)
                            continue;
                        prefix.span = name.span;
                        const bool before = allow_unset_;
                        allow_unset_ = true;
                        const Quantity whole_array = reference(c, prefix, name.span);
                        allow_unset_ = before;
                        if (d < whole_array.rank()) n = whole_array.dimensions[d];
                    }
                }
            }
        }
        if (!n)
            fail("loop-range", c.unit, index.span,
                 "the range of '" + std::string(index.name) + "' cannot be found from its use");
        over.kind = Kind::integer;
        over.dimensions = {*n};
        for (int k = 1; k <= *n; ++k) over.nodes.push_back(g_.constant(k));
    }
    if (over.rank() != 1)
        fail("loop-range", c.unit, index.span, "a loop runs over a vector, not " + dimensions_text(over.dimensions));
    std::vector<Quantity> values;
    for (int k = 0; k < over.dimensions[0]; ++k) values.push_back(row_of(over, static_cast<std::size_t>(k)));
    return values;
}

// Values for all indices from `index` on, the first index outermost; as rows of an array, or one behind the other.
Quantity Translator::comprehension(const Context& c, const ast::Expr& e, std::size_t index,
                                   std::vector<Quantity>* flat) {
    const ast::Call& written = c.unit->tree.call(e);
    if (index == written.indices.size()) {
        Quantity q = evaluate(c, written.arguments[0].value);
        if (flat != nullptr) flat->push_back(q);
        return q;
    }
    std::vector<Quantity> rows;
    Frame frame;
    frame.up = c.frame;
    Context inside = c;
    inside.frame = &frame;
    frame.locals.emplace_back(written.indices[index].name, Quantity{});
    for (const Quantity& value : loop_values(c, written.indices[index], {written.arguments[0].value})) {
        frame.locals[0].second = value;
        Quantity one = comprehension(inside, e, index + 1, flat);
        if (flat == nullptr) rows.push_back(std::move(one));
    }
    return flat == nullptr ? stack(c, std::move(rows), e.span) : Quantity{};
}

Quantity Translator::reduction(const Context& c, const ast::Expr& e, const std::string& name) {
    const ast::Call& written = c.unit->tree.call(e);
    if (written.arguments.size() != 1) fail("argument-count", c.unit, e.span, "'for' stands behind one expression");
    // {f(i, j) for i in a, j in b}: j is the outermost index of the result (section 10.4.1)
    if (name == "array") {
        if (written.indices.size() == 1) return comprehension(c, e, 0, nullptr);
        std::vector<std::size_t> order;
        // Evaluated with the last index outermost, by turning the order of indices round.
        const std::function<Quantity(const Context&, std::size_t)> rows = [&](const Context& at,
                                                                              std::size_t left) -> Quantity {
            if (left == 0) return evaluate(at, written.arguments[0].value);
            std::vector<Quantity> list;
            Frame frame;
            frame.up = at.frame;
            Context inside = at;
            inside.frame = &frame;
            frame.locals.emplace_back(written.indices[left - 1].name, Quantity{});
            for (const Quantity& value : loop_values(at, written.indices[left - 1], {written.arguments[0].value})) {
                frame.locals[0].second = value;
                list.push_back(rows(inside, left - 1));
            }
            return stack(at, std::move(list), e.span);
        };
        return rows(c, written.indices.size());
    }
    std::vector<Quantity> values;
    (void)comprehension(c, e, 0, &values);
    if (name == "sum" || name == "product") {
        if (values.empty()) return scalar(Kind::integer, g_.constant(name == "sum" ? 0.0 : 1.0));
        Quantity total = values[0];
        for (std::size_t k = 1; k < values.size(); ++k)
            total = operate(c, name == "sum" ? TokenKind::plus : TokenKind::times, total, values[k], e.span);
        return total;
    }
    if (name == "min" || name == "max") {
        if (values.empty()) fail("array-size", c.unit, e.span, "'" + name + "' over nothing");
        Quantity best = values[0];
        for (std::size_t k = 1; k < values.size(); ++k) {
            std::vector<Quantity> pair{best, values[k]};
            best = elementwise(c, e, name, pair);
        }
        return best;
    }
    fail("unknown-function", c.unit, e.span,
         "'" + name + "(… for …)' is no reduction: those are sum, product, min, max, array");
}

Quantity Translator::string_call(const Context& c, const ast::Expr& e, std::vector<Quantity>& a) {
    if (a.empty()) fail("argument-count", c.unit, e.span, "'String' needs an argument");
    const Quantity& q = a[0];
    if (q.kind == Kind::string) return q;
    const ast::Call& written = c.unit->tree.call(e);
    int digits = 6, least = 0;
    bool left = true;
    for (std::size_t k = 1; k < a.size(); ++k) {
        const std::string_view name = written.arguments[k].name;
        if (name == "significantDigits" ||
            (name.empty() && a[k].kind == Kind::integer && q.kind == Kind::real && k == 1))
            digits = whole(c, a[k], e.span, "significantDigits");
        else if (name == "minimumLength" || (name.empty() && a[k].kind == Kind::integer))
            least = whole(c, a[k], e.span, "minimumLength");
        else if (name == "leftJustified" || a[k].kind == Kind::boolean)
            left = truth(c, a[k], e.span, "leftJustified");
        else if (a[k].kind == Kind::string)
            unsupported(c.unit, e.span, "String() with a format");
    }
    if (q.is_scalar() && has_nodes(q.kind) && q.node() != expr::no_node && !fold(q.node()))
        return text(std::string(1, unknown_text));
    const double value = number(c, q, e.span, "a number turned into a string");
    std::string result;
    if (q.kind == Kind::boolean) {
        result = value != 0.0 ? "true" : "false";
    } else if (q.kind == Kind::integer) {
        result = std::to_string(static_cast<long long>(value));
    } else if (q.kind == Kind::enumeration) {
        const auto k = static_cast<std::size_t>(value);
        result = q.type != nullptr && k >= 1 && k <= q.type->definition->literals.size()
                     ? std::string(q.type->definition->literals[k - 1].name)
                     : std::to_string(k);
    } else {
        char buffer[64];
        std::snprintf(buffer, sizeof buffer, "%.*g", std::clamp(digits, 1, 30), value);
        result = buffer;
    }
    while (static_cast<int>(result.size()) < least && least < 10000) result.insert(left ? result.size() : 0, 1, ' ');
    return text(result);
}

} // namespace daedalus::modelica
