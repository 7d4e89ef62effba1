// Loops in functions and algorithm sections whose number of rounds depends on variables. Their statements are executed
// once, with a variable of the loop's own in the place of everything that they set; what comes of these variables is
// the loop's body. The results are calls of the loop as a routine (expr/loop.hpp).
#include "expr/loop.hpp"
#include "expr/root.hpp"
#include "expr/substitute.hpp"
#include "modelica/open_loop.hpp"

#include <cmath>
#include <limits>

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

namespace {

/// Texts are not known inside a loop.
void forget_texts(Quantity& q) {
    for (std::string& s : q.strings) s = std::string(1, unknown_text);
    for (auto& record : q.records)
        for (auto& [name, field] : record->fields) forget_texts(field);
}

bool same_shape(const Quantity& a, const Quantity& b) {
    if (a.function != b.function || a.dimensions != b.dimensions || a.records.size() != b.records.size()) return false;
    for (std::size_t k = 0; k < a.records.size(); ++k)
        for (std::size_t f = 0; f < a.records[k]->fields.size(); ++f)
            if (!same_shape(a.records[k]->fields[f].second, b.records[k]->fields[f].second)) return false;
    return true;
}

} // namespace

void each_number(Quantity& q, const std::function<void(NodeId&, Kind)>& f) {
    if (has_nodes(q.kind))
        for (NodeId& node : q.nodes) f(node, q.kind);
    for (auto& record : q.records) {
        auto copy = std::make_shared<Record>(*record);
        for (auto& [name, field] : copy->fields) each_number(field, f);
        record = std::move(copy);
    }
}

Enclosed enclose(const expr::Graph& g, const std::vector<NodeId>& roots, const std::vector<NodeId>& own,
                 std::vector<NodeId> first_inputs) {
    Enclosed result;
    result.inputs = std::move(first_inputs);
    std::unordered_map<std::uint32_t, std::size_t> number; // of own variables
    for (const NodeId leaf : own) number.emplace(expr::index(leaf), number.size());
    std::unordered_map<std::uint32_t, int> input;
    for (const NodeId node : result.inputs) input.try_emplace(expr::index(node), static_cast<int>(input.size()));
    std::unordered_map<std::uint32_t, char> inside;
    const auto take = [&](NodeId node) {
        if (inside.at(expr::index(node)) || g.is_constant(node)) return;
        if (input.try_emplace(expr::index(node), static_cast<int>(result.inputs.size())).second)
            result.inputs.push_back(node);
    };
    const std::vector<NodeId> nodes = g.reachable(roots);
    for (const NodeId node : nodes) {
        char depends = number.contains(expr::index(node)) ? 1 : 0;
        for (int k = 0; k < g.arity(node); ++k) depends |= inside.at(expr::index(g.operand(node, k)));
        inside[expr::index(node)] = depends;
        for (int k = 0; depends && k < g.arity(node); ++k) take(g.operand(node, k));
    }
    for (const NodeId root : roots) take(root);
    std::unordered_map<std::uint32_t, NodeId> made;
    const auto of = [&](NodeId node) {
        if (inside.at(expr::index(node))) return made.at(expr::index(node));
        if (g.is_constant(node)) return result.graph.constant(g.constant_value(node));
        return result.graph.variable(input.at(expr::index(node)));
    };
    for (const NodeId node : nodes) {
        if (!inside.at(expr::index(node))) continue;
        NodeId& here = made[expr::index(node)];
        if (const auto it = number.find(expr::index(node)); it != number.end()) {
            here = result.graph.variable(static_cast<int>(result.inputs.size() + it->second));
            continue;
        }
        std::vector<NodeId> operands;
        for (int k = 0; k < g.arity(node); ++k) operands.push_back(of(g.operand(node, k)));
        here = g.op(node) == Op::call
                   ? result.graph.call(g.call_of(node).routine, g.call_of(node).output, std::move(operands))
                   : result.graph.rebuild(g.op(node), operands);
    }
    for (const NodeId root : roots) result.roots.push_back(of(root));
    return result;
}

/// What no round changes is what it was before.
void Translator::OpenLoop::drop_unchanged(NodeId& condition) {
    std::unordered_map<std::uint32_t, NodeId> kept;
    for (const Own& o : own_)
        if (o.update == o.leaf) kept.emplace(expr::index(o.leaf), o.initial);
    if (kept.empty()) return;
    expr::Substitution substitute(g_, [&](NodeId leaf) {
        const auto it = kept.find(expr::index(leaf));
        return it == kept.end() ? leaf : it->second;
    });
    condition = substitute(condition);
    for (Own& o : own_)
        if (o.update != o.leaf) o.update = substitute(o.update);
}

std::vector<NodeId> Translator::OpenLoop::close(NodeId condition, const std::string& name) {
    drop_unchanged(condition);
    std::vector<NodeId> leaves, roots{condition};
    for (const Own& o : own_)
        if (o.update != o.leaf) leaves.push_back(o.leaf);
    for (const Own& o : own_)
        if (o.update != o.leaf) roots.insert(roots.end(), {o.initial, o.update});
    std::vector<NodeId> results;
    for (const Own& o : own_) results.push_back(o.initial);
    if (leaves.empty()) return results;
    Enclosed inside = enclose(g_, roots, leaves, {});
    expr::LoopBody body;
    body.name = name;
    body.inputs = static_cast<int>(inside.inputs.size());
    body.graph = std::move(inside.graph);
    body.condition = inside.roots[0];
    for (std::size_t k = 1; k < inside.roots.size(); k += 2) {
        body.initial.push_back(inside.roots[k]);
        body.update.push_back(inside.roots[k + 1]);
    }
    const auto loop = std::make_shared<const expr::Loop>(std::move(body));
    int output = 0;
    for (std::size_t i = 0; i < own_.size(); ++i)
        if (own_[i].update != own_[i].leaf) results[i] = g_.call(loop, output++, inside.inputs);
    return results;
}

void Translator::open_loop(const Context& c, const ast::Statement& s, Running& r, const LoopHead& head) {
    std::vector<const ast::Reference*> names;
    assigned_names(s.branches.at(0).statements, c.unit, names, false, false);
    std::set<std::string_view> changing;
    for (const ast::Reference* name : names) changing.insert(name->parts[0].name);

    OpenLoop loop(*this);
    const auto before = r.frame->locals;
    const NodeId unset = g_.constant(std::numeric_limits<double>::quiet_NaN());
    std::vector<NodeId> leaves;
    for (auto& [name, value] : r.frame->locals)
        if (changing.contains(name))
            each_number(value, [&](NodeId& node, Kind kind) {
                const NodeId start = node != expr::no_node ? node : kind == Kind::real ? unset : g_.constant(0.0);
                leaves.push_back(node = loop.own(start));
            });
    for (auto& [name, value] : r.frame->locals)
        if (changing.contains(name)) forget_texts(value); // records are this frame's own by now
    const NodeId runs = guard_;                           // where the loop is not reached at all it must not run either
    NodeId condition = runs == expr::no_node ? g_.constant(1.0) : runs;
    NodeId going = expr::no_node;
    {
        const Restored<NodeId> everywhere(guard_, expr::no_node);
        const Restored<OpenLoop*> in_this(open_loop_, &loop);
        Running round = r;
        round.active = round.path = round.loop = round.around = expr::no_node;
        round.stopped = round.broken = false;
        condition = logical(Op::logical_and, condition, head.condition(loop));
        head.round(round);
        const auto flag = [&](bool left, NodeId stays) { // false once a round has left
            if (!left && stays == expr::no_node) return expr::no_node;
            const NodeId leaf = loop.own(g_.constant(1.0));
            loop.becomes(leaf, left ? g_.constant(0.0) : stays);
            condition = logical(Op::logical_and, condition, leaf);
            return leaf;
        };
        static_cast<void>(flag(round.broken, round.loop));
        going = flag(round.stopped, round.active);
        head.next(loop);
    }
    std::size_t k = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        Quantity& value = r.frame->locals[v].second;
        if (!same_shape(value, before[v].second))
            unsupported(c.unit, s.span, "functions or sizes of arrays that a loop changes, if variables say how often");
        if (changing.contains(before[v].first))
            each_number(value, [&](NodeId& node, Kind) { loop.becomes(leaves[k++], node); });
    }
    for (const AssertedInside& a : loop.asserted) {
        const NodeId so_far = loop.own(g_.constant(1.0));
        loop.becomes(so_far, logical(Op::logical_and, so_far, a.holds));
        leaves.push_back(so_far);
    }
    const std::vector<NodeId> ends =
        loop.close(condition, "the loop of '" + std::string(c.scope->definition->name) + "'");
    const auto end_of = [&](NodeId leaf) { return ends[loop.number_of(leaf)]; };
    k = 0;
    for (auto& [name, value] : r.frame->locals)
        if (changing.contains(name)) each_number(value, [&](NodeId& node, Kind) { node = end_of(leaves[k++]); });
    for (const AssertedInside& a : loop.asserted) // an event tells when it fails
        must_hold(g_.binary(Op::gt, end_of(leaves[k++]), g_.constant(0.5)), a.message, guard_, acting_, a.where);
    if (going != expr::no_node) r.active = both(r.active, end_of(going));
}

void Translator::open_while(const Context& c, const ast::Statement& s, Running& r) {
    const ast::StatementBranch& body = s.branches.at(0);
    LoopHead head;
    head.condition = [&](OpenLoop&) { return evaluate(c, body.condition).node(); };
    head.round = [&](Running& round) { execute(c, body.statements, round); };
    head.next = [](OpenLoop&) {};
    open_loop(c, s, r, head);
}

bool Translator::open_for(const Context& c, const ast::Statement& s, std::size_t index, Running& r) {
    const ast::ForIndex& over = s.indices[index];
    if (!ast::given(over.range) || c.at(over.range).kind != ExprKind::range) return false;
    const ast::Expr& range = c.at(over.range);
    std::vector<Quantity> parts;
    for (std::uint32_t k = 0; k < range.count; ++k) parts.push_back(evaluate(c, c.unit->tree.operand(range, k)));
    bool known = true;
    for (const Quantity& q : parts) {
        if (!q.is_scalar() || !has_nodes(q.kind)) return false;
        known = known && fold(q.node());
    }
    if (known) return false;
    const double step = parts.size() == 3 ? number(c, parts[1], range.span, "the step of a range") : 1.0;
    if (step == 0.0) fail("range", c.unit, range.span, "the step of a range is zero");
    Frame frame;
    frame.up = c.frame;
    frame.locals.emplace_back(over.name, parts[0]);
    Context inside = c;
    inside.frame = &frame;
    NodeId at = expr::no_node;
    LoopHead head;
    head.condition = [&](OpenLoop& loop) {
        at = loop.own(parts[0].node());
        frame.locals[0].second.nodes[0] = at;
        return logical(step > 0.0 ? Op::le : Op::ge, at, parts.back().node());
    };
    head.round = [&](Running& round) { execute_for(inside, s, index + 1, round); };
    head.next = [&](OpenLoop& loop) { loop.becomes(at, g_.add(at, g_.constant(step))); };
    open_loop(c, s, r, head);
    return true;
}

// Modelica.Math.Nonlinear.solveOneNonlinearEquation(f, u_min, u_max, tolerance): to round-off, whatever the tolerance.
Quantity Translator::root_of(const Context& c, const Quantity& f, NodeId low, NodeId high, Span span) {
    // Where the root is not asked for it is not looked for.
    if (guard_ != expr::no_node) low = g_.select(guard_, low, g_.constant(std::numeric_limits<double>::quiet_NaN()));
    OpenLoop search(*this);
    NodeId u = search.own(low), residual = expr::no_node;
    {
        const Restored<NodeId> everywhere(guard_, expr::no_node);
        const Restored<OpenLoop*> in_this(open_loop_, &search);
        const std::vector<Quantity> values = call_value(c, f, {{"", scalar(Kind::real, u)}}, span);
        if (values.empty() || !values[0].is_scalar() || !is_number(values[0].kind))
            fail("type", c.unit, span, "the function whose root is wanted must have a number as its result");
        residual = values[0].node();
    }
    Enclosed inside = enclose(g_, {residual}, {u}, {low, high});
    const auto routine = std::make_shared<const expr::Root>(
        std::move(inside.graph), static_cast<int>(inside.inputs.size()), inside.roots[0], "solveOneNonlinearEquation");
    const NodeId root = g_.call(routine, 0, inside.inputs);
    // What the function asserts must hold at the root, not where the search has been.
    expr::Substitution at_root(g_, [&](NodeId leaf) { return leaf == u ? root : leaf; });
    for (const AssertedInside& a : search.asserted) must_hold(at_root(a.holds), a.message, guard_, acting_, a.where);
    return scalar(Kind::real, root);
}

bool Translator::asserted_in_loop(NodeId holds, const std::string& message, NodeId guard, const SourceSpan& where) {
    if (open_loop_ == nullptr) return false;
    if (guard != expr::no_node) holds = logical(Op::logical_or, g_.unary(Op::logical_not, guard), holds);
    if (!g_.is_constant(holds) || g_.constant_value(holds) == 0.0)
        open_loop_->asserted.push_back({holds, message, where});
    return true;
}

} // namespace daedalus::modelica
