// Functions with an annotation derivative(…) = name (specification 3.5, section 12.7.1). Where the body is an
// expression, its own derivative is as good, and exact. Where iterations or tables are in it, the derivative is what
// the author wrote.
#include "expr/function_with_derivative.hpp"
#include "expr/substitute.hpp"
#include "modelica/open_loop.hpp"

#include <algorithm>

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {

struct Written {
    const ast::Reference* function = nullptr;
    std::set<std::string, std::less<>> constant; ///< inputs without derivative
};

/// The first derivative of first order.
std::optional<Written> derivative_annotation(const ast::ClassDefinition& d, const Unit& unit) {
    for (const ast::Modification& m : d.annotation) {
        if (m.name.text() != "derivative" || !ast::given(m.value)) continue;
        const ast::Expr& e = unit.tree[m.value];
        if (e.kind != ast::ExprKind::reference) continue;
        Written result{&unit.tree.reference(e), {}};
        bool first_order = true;
        for (const ast::Modification& option : m.arguments) {
            const std::string name = option.name.text();
            if (name == "order") first_order = false;
            if ((name == "noDerivative" || name == "zeroDerivative") && ast::given(option.value))
                if (const ast::Expr& v = unit.tree[option.value]; v.kind == ast::ExprKind::reference)
                    result.constant.insert(unit.tree.reference(v).text());
        }
        if (first_order) return result;
    }
    return std::nullopt;
}

/// Its Real numbers by others: what a derivative of it looks like. False if it has none.
bool to_seeds(Quantity& q, const std::function<NodeId(NodeId)>& seed) {
    bool any = false;
    each_number(q, [&](NodeId& node, Kind kind) {
        if (kind != Kind::real) return;
        any = true;
        node = seed(node);
    });
    return any;
}

std::vector<NodeId> real_numbers(std::vector<Quantity> list) {
    std::vector<NodeId> all;
    for (Quantity& q : list)
        each_number(q, [&](NodeId& node, Kind kind) {
            if (kind == Kind::real) all.push_back(node);
        });
    return all;
}

} // namespace

bool Translator::varies(NodeId node) {
    for (std::uint32_t i = static_cast<std::uint32_t>(varies_.size()); i <= expr::index(node); ++i) {
        const NodeId at{i};
        char result = g_.op(at) == Op::time || g_.op(at) == Op::variable;
        if (g_.op(at) == Op::parameter) {
            const int id = g_.parameter_id(at);
            result = id >= first_placeholder - 1 || model_.parameters[static_cast<std::size_t>(id)].is_held;
        }
        for (int k = 0; k < g_.arity(at); ++k)
            result = static_cast<char>(result | varies_[expr::index(g_.operand(at, k))]);
        varies_.push_back(result);
    }
    return varies_[expr::index(node)] != 0;
}

std::vector<Quantity> Translator::run_with_derivative(const Context& c, Instance* function, Frame& frame, Span span) {
    const auto written = derivative_annotation(*function->definition, *function->unit);
    std::string wrong;
    Instance* slope_function =
        written ? find_function(Context{function->unit, function, nullptr, -1}, *written->function, &wrong) : nullptr;
    if (slope_function == nullptr || slope_function == function) return run_function(c, function, frame, span);

    // What varies comes in as leaves.
    std::vector<NodeId> leaves, actual, seeds;
    Frame inner;
    OpenLoop inside_of(*this);
    for (const auto& [name, value] : frame.locals) {
        Quantity q = value;
        const bool counts = !written->constant.contains(name);
        each_number(q, [&](NodeId& node, Kind kind) {
            if (node == expr::no_node || !varies(node)) return;
            actual.push_back(node);
            node = inside_of.own(node);
            leaves.push_back(node);
            seeds.push_back(counts && kind == Kind::real ? inside_of.own(g_.constant(0.0)) : expr::no_node);
        });
        inner.locals.emplace_back(name, std::move(q));
    }
    if (leaves.empty()) return run_function(c, function, frame, span);
    // Where the function is not called its loops must not run: whether it is, comes in too.
    NodeId called = expr::no_node;
    if (guard_ != expr::no_node) {
        actual.push_back(guard_);
        leaves.push_back(called = inside_of.own(guard_));
        seeds.push_back(expr::no_node);
    }
    const auto with_leaves = inner.locals;
    std::vector<Quantity> results;
    {
        const Restored<NodeId> under(guard_, called);
        const Restored<OpenLoop*> in_this(open_loop_, &inside_of);
        results = run_function(c, function, inner, span);
    }
    std::unordered_map<std::uint32_t, NodeId> value_of_leaf;
    for (std::size_t k = 0; k < leaves.size(); ++k) value_of_leaf.emplace(expr::index(leaves[k]), actual[k]);
    expr::Substitution back(g_, [&](NodeId leaf) {
        const auto it = value_of_leaf.find(expr::index(leaf));
        return it == value_of_leaf.end() ? leaf : it->second;
    });
    for (const AssertedInside& a : inside_of.asserted) must_hold(back(a.holds), a.message, guard_, acting_, a.where);
    const auto put_back = [&] {
        for (Quantity& q : results)
            each_number(q, [&](NodeId& node, Kind) {
                if (node != expr::no_node) node = back(node);
            });
        return results;
    };
    const std::vector<NodeId> values = real_numbers(results);
    const std::vector<NodeId> nodes = g_.reachable(values);
    if (std::none_of(nodes.begin(), nodes.end(), [&](NodeId n) { return g_.op(n) == Op::call; })) return put_back();

    // The derivative for the seeds, which then are one for one input and zero for the others.
    std::unordered_map<std::uint32_t, NodeId> seed_of;
    for (std::size_t k = 0; k < leaves.size(); ++k) seed_of.emplace(expr::index(leaves[k]), seeds[k]);
    Arguments all;
    for (const auto& [name, q] : with_leaves) all.emplace_back("", q);
    for (const auto& [name, q] : with_leaves) {
        if (written->constant.contains(name)) continue;
        Quantity seed = q;
        if (to_seeds(seed, [&](NodeId node) {
                const auto it = seed_of.find(expr::index(node));
                return it == seed_of.end() ? g_.constant(0.0) : it->second;
            }))
            all.emplace_back("", std::move(seed));
    }
    std::vector<NodeId> slopes;
    try {
        OpenLoop unused(*this); // what the derivative asserts is asserted by the function
        const Restored<NodeId> under(guard_, called);
        const Restored<OpenLoop*> in_this(open_loop_, &unused);
        slopes = real_numbers(call_function(c, slope_function, std::move(all), span, results.size()));
    } catch (const TranslationError&) {
        return put_back(); // what the function computes has a derivative too
    }
    if (slopes.size() != values.size()) return put_back();
    return annotated_call(function, results, leaves, actual, seeds, slopes);
}

std::vector<Quantity> Translator::annotated_call(Instance* function, std::vector<Quantity> results,
                                                 const std::vector<NodeId>& leaves, const std::vector<NodeId>& actual,
                                                 const std::vector<NodeId>& seeds, const std::vector<NodeId>& slopes) {
    std::vector<NodeId> roots = real_numbers(results);
    const std::size_t outputs = roots.size();
    std::vector<std::size_t> counting; // leaves that the derivative is by
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        if (seeds[k] == expr::no_node) continue;
        counting.push_back(k);
        expr::Substitution one(g_, [&](NodeId leaf) {
            const auto it = std::find(seeds.begin(), seeds.end(), leaf);
            return it == seeds.end() ? leaf
                                     : g_.constant(it - seeds.begin() == static_cast<std::ptrdiff_t>(k) ? 1.0 : 0.0);
        });
        for (const NodeId slope : slopes) roots.push_back(one(slope));
    }
    Enclosed inside = enclose(g_, roots, leaves, {});
    expr::FunctionWithDerivative::Parts parts;
    parts.graph = std::move(inside.graph);
    parts.mentioned = static_cast<int>(inside.inputs.size());
    parts.inputs = parts.mentioned + static_cast<int>(leaves.size());
    const auto root = inside.roots.begin();
    parts.values.assign(root, root + static_cast<std::ptrdiff_t>(outputs));
    for (std::size_t i = 0; i < counting.size(); ++i) {
        const auto begin = root + static_cast<std::ptrdiff_t>((i + 1) * outputs);
        parts.slopes[parts.mentioned + static_cast<int>(counting[i])].assign(
            begin, begin + static_cast<std::ptrdiff_t>(outputs));
    }
    parts.name = std::string(function->definition->name);
    const auto routine = std::make_shared<const expr::FunctionWithDerivative>(std::move(parts));
    std::vector<NodeId> operands = inside.inputs;
    operands.insert(operands.end(), actual.begin(), actual.end());
    std::unordered_map<std::uint32_t, NodeId> value_of_leaf;
    for (std::size_t k = 0; k < leaves.size(); ++k) value_of_leaf.emplace(expr::index(leaves[k]), actual[k]);
    expr::Substitution back(g_, [&](NodeId leaf) {
        const auto it = value_of_leaf.find(expr::index(leaf));
        return it == value_of_leaf.end() ? leaf : it->second;
    });
    int output = 0;
    for (Quantity& q : results)
        each_number(q, [&](NodeId& node, Kind kind) {
            if (kind == Kind::real)
                node = g_.call(routine, output++, operands);
            else
                node = back(node);
        });
    return results;
}

} // namespace daedalus::modelica
