// Clocked equations (specification 3.5, chapter 16): which variables belong to which clock, when it ticks, and how its
// equations become the settings of a clause that acts at these ticks.
//
// A clocked operator leaves a leaf in the expressions it stands in. Equations that share a variable or such a leaf
// belong to one partition; sample, hold, subSample, superSample, shiftSample, backSample and noClock are the borders
// between partitions. A partition ticks at T (shift + k factor), k = 0, 1, …, T the interval of its base clock; factor
// and shift are exact fractions, so that partitions of one base clock tick together where they should.
#include "expr/substitute.hpp"
#include "modelica/translator.hpp"

#include <algorithm>
#include <numeric>

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

Fraction Fraction::of(std::int64_t numerator, std::int64_t denominator) {
    if (denominator < 0) return of(-numerator, -denominator);
    const std::int64_t common = std::max<std::int64_t>(std::gcd(numerator, denominator), 1);
    return {numerator / common, denominator / common};
}

NodeId Translator::clocked_leaf(ClockedLeaf leaf) {
    clocked_.push_back(std::move(leaf));
    return g_.parameter(first_clocked + static_cast<int>(clocked_.size()) - 1);
}

int Translator::clocked_number(NodeId node) const {
    if (g_.op(node) != Op::parameter || g_.parameter_id(node) < first_clocked || homotopy_number(node) >= 0) return -1;
    return g_.parameter_id(node) - first_clocked;
}

/// Clock(), Clock(interval), Clock(counter, resolution), Clock(condition, startInterval), Clock(clock, solverMethod).
Quantity Translator::clock_call(const Context& c, const ast::Expr& e) {
    const ast::Call& call = c.unit->tree.call(e);
    ClockedLeaf leaf;
    leaf.op = ClockedOp::clock;
    leaf.kind = Kind::clock;
    leaf.span = place(c.unit, e.span);
    std::vector<Quantity> a;
    for (const ast::Argument& argument : call.arguments) a.push_back(evaluate(c, argument.value));
    if (a.empty()) return scalar(Kind::clock, clocked_leaf(std::move(leaf)));
    if (a[0].kind == Kind::clock) {
        for (std::size_t k = 1; k < a.size(); ++k)
            if (a[k].kind == Kind::string && !a[k].strings.front().empty() && a[k].strings.front() != "External")
                leaf.solver = a[k].strings.front();
        leaf.argument = a[0].node();
        return scalar(Kind::clock, clocked_leaf(std::move(leaf)));
    }
    BaseClock base;
    if (a[0].kind == Kind::boolean) {
        base.condition = a[0].node();
        base.interval = a.size() > 1 ? number(c, a[1], e.span, "the interval at the start") : 0.0;
    } else if (a.size() > 1) {
        base.interval = number(c, a[0], e.span, "the interval") / number(c, a[1], e.span, "the resolution");
    } else {
        base.interval = number(c, a[0], e.span, "the interval of the clock");
    }
    if (base.condition == expr::no_node && !(base.interval > 0.0))
        fail("clock", c.unit, e.span, "the interval of a clock must be positive");
    leaf.base = base;
    return scalar(Kind::clock, clocked_leaf(std::move(leaf)));
}

/// Operators of clocked equations; nothing where `name` is none of them, or `sample` of events is meant.
std::optional<Quantity> Translator::clocked_call(const Context& c, const ast::Expr& e, const std::string& name) {
    if (name == "Clock") return clock_call(c, e);
    static const std::set<std::string> known{"sample",      "hold",       "previous", "subSample", "superSample",
                                             "shiftSample", "backSample", "noClock",  "interval",  "firstTick"};
    if (!known.contains(name)) return std::nullopt;
    const ast::Call& call = c.unit->tree.call(e);
    std::vector<Quantity> a;
    for (const ast::Argument& argument : call.arguments) a.push_back(evaluate(c, argument.value));
    if (name == "sample" && a.size() == 2 && a[1].kind != Kind::clock) return std::nullopt;
    ClockedLeaf leaf;
    leaf.span = place(c.unit, e.span);
    if (name == "interval" || name == "firstTick") {
        leaf.op = name == "interval" ? ClockedOp::interval : ClockedOp::first_tick;
        leaf.kind = name == "interval" ? Kind::real : Kind::boolean;
        if (!a.empty() && !a[0].nodes.empty()) leaf.argument = a[0].nodes.front();
        const Kind kind = leaf.kind;
        return scalar(kind, clocked_leaf(std::move(leaf)));
    }
    if (a.empty()) fail("argument-count", c.unit, e.span, "'" + name + "' needs an argument");
    const auto given = [&](std::size_t k) {
        return k < a.size() ? whole(c, a[k], e.span, "an argument of '" + name + "'") : 1;
    };
    leaf.op = name == "sample"     ? ClockedOp::sample
              : name == "hold"     ? ClockedOp::hold
              : name == "previous" ? ClockedOp::previous
              : name == "noClock"  ? ClockedOp::no_clock
                                   : ClockedOp::relate;
    if (name == "sample" && a.size() == 2) leaf.clock = a[1].node();
    if (leaf.op == ClockedOp::relate) {
        const int n = given(1), resolution = given(2);
        if (name == "subSample" || name == "superSample") {
            leaf.inferred = a.size() < 2 || n == 0; // the factor follows from the clocks on both sides
            if (n < 0) fail("clock", c.unit, e.span, "the factor of '" + name + "' must be positive");
            if (!leaf.inferred) leaf.factor = name == "subSample" ? Fraction::of(n, 1) : Fraction::of(1, n);
        } else {
            if (resolution <= 0) fail("clock", c.unit, e.span, "the resolution of '" + name + "' must be positive");
            leaf.shift = Fraction::of(name == "shiftSample" ? n : -n, resolution);
        }
    }
    Quantity result = like(a[0], a[0].dimensions);
    for (const NodeId node : a[0].nodes) {
        ClockedLeaf one = leaf;
        one.kind = a[0].kind;
        one.argument = node;
        if (one.kind == Kind::clock) one.op = leaf.op == ClockedOp::relate ? ClockedOp::relate : ClockedOp::clock;
        result.nodes.push_back(clocked_leaf(std::move(one)));
    }
    return result;
}

/// Whether a when-clause waits for a clock.
bool Translator::is_clock(const Context& c, ast::ExprId condition) {
    const ast::Expr& e = c.at(condition);
    if (e.kind == ast::ExprKind::call) return c.unit->tree.call(e).function.text() == "Clock";
    if (e.kind != ast::ExprKind::reference) return false;
    const ast::Reference& name = c.unit->tree.reference(e);
    Element* found = find(name.parts[0].name, c.scope);
    return name.parts.size() == 1 && found != nullptr && !found->is_class() && make(found)->kind == Kind::clock;
}

/// when clock then …: equations of one partition.
void Translator::clocked_when(const Context& c, const ast::Equation& e) {
    const Quantity clock = evaluate(c, e.branches.get().at(0).condition);
    if (e.branches.size() > 1) fail("clock", c.unit, e.span, "a clause that waits for a clock has no 'elsewhen'");
    std::vector<model::Equation> reals;
    std::vector<DiscreteEquation> discretes;
    std::swap(reals, model_.equations);
    std::swap(discretes, discrete_equations_);
    const auto put_back = [&] {
        for (const model::Equation& one : model_.equations)
            clocked_equations_.push_back({one.left, one.right, one.span, clock.node()});
        for (const DiscreteEquation& one : discrete_equations_)
            clocked_equations_.push_back({one.left, one.right, one.span, clock.node()});
        model_.equations = std::move(reals);
        discrete_equations_ = std::move(discretes);
    };
    try {
        equation_list(c, e.branches[0].equations, false);
    } catch (...) {
        put_back();
        throw;
    }
    put_back();
}

// ── partitions ───────────────────────────────────────────────────────────────────────────────────────────────────

namespace {

struct Timing {
    int base = -1; ///< number of the leaf that has the base clock
    Fraction factor, shift;
    [[nodiscard]] bool operator==(const Timing&) const = default;
};

/// Classes of leaves that belong together.
class Classes {
public:
    std::size_t element(NodeId leaf) {
        const auto [it, is_new] = ids_.try_emplace(expr::index(leaf), parent_.size());
        if (is_new) {
            parent_.push_back(parent_.size());
            leaves_.push_back(leaf);
        }
        return it->second;
    }
    std::size_t root(std::size_t k) {
        while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
        return k;
    }
    std::size_t root(NodeId leaf) { return root(element(leaf)); }
    void unite(NodeId a, NodeId b) { parent_[root(a)] = root(b); }
    [[nodiscard]] const std::vector<NodeId>& leaves() const { return leaves_; }

private:
    std::unordered_map<std::uint32_t, std::size_t> ids_;
    std::vector<std::size_t> parent_;
    std::vector<NodeId> leaves_;
};

} // namespace

/// Variables (without their derivatives), discrete variables and operators below these expressions.
std::vector<NodeId> Translator::partition_leaves(std::initializer_list<NodeId> nodes, bool* differentiated) {
    std::vector<NodeId> roots;
    for (const NodeId n : nodes)
        if (n != expr::no_node) roots.push_back(n);
    std::vector<NodeId> list;
    for (const NodeId leaf : g_.reachable(roots)) {
        if (g_.op(leaf) == Op::variable) {
            if (differentiated != nullptr && g_.derivative_order(leaf) > 0) *differentiated = true;
            list.push_back(g_.variable(g_.variable_id(leaf)));
        } else if (g_.op(leaf) == Op::parameter && g_.parameter_id(leaf) >= first_placeholder) {
            list.push_back(leaf);
        }
    }
    return list;
}

std::string Translator::leaf_name(NodeId leaf) {
    if (g_.op(leaf) == Op::variable) return model_.variables[static_cast<std::size_t>(g_.variable_id(leaf))].name;
    const int id = g_.parameter_id(leaf);
    if (id >= first_clocked) return "an operator";
    return placeholder_name(static_cast<std::size_t>(id - first_placeholder));
}

// The value of one unknown from one equation, or no_node where it cannot be isolated.
NodeId Translator::solved_for(const ClockedEquation& e, NodeId unknown) {
    const auto contains = [&](NodeId node) {
        const NodeId roots[1] = {node};
        const auto all = g_.reachable(roots);
        return std::find(all.begin(), all.end(), unknown) != all.end();
    };
    for (const auto& [left, right] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
        if (left == unknown && !contains(right)) return right;
        if (g_.op(left) == Op::logical_not && g_.operand(left, 0) == unknown && !contains(right))
            return g_.unary(Op::logical_not, right);
    }
    if (g_.op(unknown) != Op::variable) return expr::no_node;
    const NodeId residual = g_.sub(e.left, e.right);
    const NodeId slope = expr::partial(g_, residual, unknown);
    if (slope == expr::no_node || contains(slope)) return expr::no_node;
    if (g_.is_constant(slope) && g_.constant_value(slope) == 0.0) return expr::no_node;
    expr::Substitution at_zero(g_, [&](NodeId leaf) { return leaf == unknown ? g_.constant(0.0) : leaf; });
    return g_.unary(Op::neg, g_.div(at_zero(residual), slope));
}

/// Which unknown each equation determines, and their values in an order in which they can be evaluated. What depends
/// on itself is eliminated, one unknown after the other.
std::vector<std::pair<NodeId, NodeId>> Translator::solve_partition(std::vector<ClockedEquation> equations,
                                                                   const std::vector<NodeId>& unknowns) {
    std::unordered_map<std::uint32_t, std::size_t> number;
    for (std::size_t k = 0; k < unknowns.size(); ++k) number.emplace(expr::index(unknowns[k]), k);
    const auto mentioned = [&](NodeId a, NodeId b) {
        std::vector<std::size_t> list;
        for (const NodeId leaf : partition_leaves({a, b}, nullptr))
            if (const auto it = number.find(expr::index(leaf)); it != number.end()) list.push_back(it->second);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        return list;
    };
    if (equations.size() != unknowns.size())
        throw TranslationError{make_error("clocked-count",
                                          "a clock has " + std::to_string(equations.size()) + " equations for " +
                                              std::to_string(unknowns.size()) + " variables, among them '" +
                                              (unknowns.empty() ? "" : leaf_name(unknowns.front())) + "'",
                                          equations.empty() ? SourceSpan{} : equations.front().span)};
    // Augmenting paths over the unknowns that an equation can be solved for; what stands alone on a side comes first.
    const std::size_t n = equations.size(), none = n;
    std::vector<std::vector<std::pair<std::size_t, NodeId>>> ways(n);
    for (std::size_t i = 0; i < n; ++i) {
        for (const std::size_t k : mentioned(equations[i].left, equations[i].right))
            if (const NodeId value = solved_for(equations[i], unknowns[k]); value != expr::no_node)
                ways[i].emplace_back(k, value);
        std::stable_partition(ways[i].begin(), ways[i].end(), [&](const auto& way) {
            return equations[i].left == unknowns[way.first] || equations[i].right == unknowns[way.first];
        });
    }
    std::vector<std::size_t> equation_of(n, none), way_of(n, none);
    for (std::size_t first = 0; first < n; ++first) {
        std::vector<char> seen(n, 0);
        struct Place {
            std::size_t equation, way;
        };
        std::vector<Place> path{{first, 0}};
        bool found = false;
        while (!path.empty() && !found) {
            Place& top = path.back();
            if (top.way == ways[top.equation].size()) {
                path.pop_back();
                if (!path.empty()) ++path.back().way;
                continue;
            }
            const std::size_t k = ways[top.equation][top.way].first;
            if (seen[k] != 0) {
                ++top.way;
                continue;
            }
            seen[k] = 1;
            if (equation_of[k] == none)
                found = true;
            else
                path.push_back({equation_of[k], 0});
        }
        if (!found)
            throw TranslationError{make_error(
                "clocked-equation", "this clocked equation determines nothing that other equations leave open",
                equations[first].span)};
        for (const Place& place : path) {
            const std::size_t k = ways[place.equation][place.way].first;
            equation_of[k] = place.equation;
            way_of[place.equation] = place.way;
        }
    }
    std::vector<NodeId> value(n);
    std::vector<std::vector<std::size_t>> users(n);
    std::vector<int> waiting(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        value[k] = ways[equation_of[k]][way_of[equation_of[k]]].second;
        for (const std::size_t used : mentioned(value[k], expr::no_node)) {
            users[used].push_back(k);
            ++waiting[k];
        }
    }
    std::vector<std::size_t> order;
    std::vector<char> done(n, 0);
    const auto follow = [&] {
        for (std::size_t next = 0; next < order.size(); ++next)
            for (const std::size_t user : users[order[next]])
                if (--waiting[user] == 0) {
                    order.push_back(user);
                    done[user] = 1;
                }
    };
    for (std::size_t k = 0; k < n; ++k)
        if (waiting[k] == 0) {
            order.push_back(k);
            done[k] = 1;
        }
    follow();
    std::vector<std::pair<NodeId, NodeId>> result;
    result.reserve(order.size());
    for (const std::size_t k : order) result.emplace_back(unknowns[k], value[k]);
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < n; ++k)
        if (done[k] == 0) rest.push_back(k);
    // Elimination: each is solved with those before it put in, the last ones then come first.
    std::vector<std::pair<NodeId, NodeId>> loop;
    for (const std::size_t k : rest) {
        ClockedEquation e = equations[equation_of[k]];
        for (const auto& [leaf, known] : loop) {
            expr::Substitution put_in(g_, [&, l = leaf, v = known](NodeId node) { return node == l ? v : node; });
            e.left = put_in(e.left);
            e.right = put_in(e.right);
        }
        const NodeId v = solved_for(e, unknowns[k]);
        if (v == expr::no_node)
            throw TranslationError{
                make_error("not-supported",
                           "not supported yet: clocked equations that depend on each other and are not linear in '" +
                               leaf_name(unknowns[k]) + "'",
                           e.span)};
        loop.emplace_back(unknowns[k], v);
    }
    result.insert(result.end(), loop.rbegin(), loop.rend());
    return result;
}

void Translator::solve_clocked() {
    if (clocked_.empty() && clocked_equations_.empty()) return;
    Classes classes;
    const auto unite_all = [&](const std::vector<NodeId>& list) {
        for (const NodeId leaf : list) classes.unite(list.front(), leaf);
    };
    std::vector<ClockedEquation> all;
    for (const model::Equation& e : model_.equations) all.push_back({e.left, e.right, e.span, expr::no_node});
    const std::size_t reals = all.size();
    for (const DiscreteEquation& e : discrete_equations_) all.push_back({e.left, e.right, e.span, expr::no_node});
    const std::size_t plain = all.size();
    all.insert(all.end(), clocked_equations_.begin(), clocked_equations_.end());
    std::vector<NodeId> leaf_of_equation(all.size(), expr::no_node);
    std::vector<char> has_slope(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool slope = false;
        const auto leaves = partition_leaves({all[i].left, all[i].right, all[i].clock}, &slope);
        has_slope[i] = slope ? 1 : 0;
        if (leaves.empty()) continue;
        leaf_of_equation[i] = leaves.front();
        unite_all(leaves);
    }
    const auto leaf_node = [&](std::size_t k) { return g_.parameter(first_clocked + static_cast<int>(k)); };
    for (std::size_t k = 0; k < clocked_.size(); ++k) {
        const ClockedLeaf& leaf = clocked_[k];
        const auto argument = partition_leaves({leaf.argument}, nullptr);
        unite_all(argument);
        if (leaf.clock != expr::no_node) classes.unite(leaf_node(k), leaf.clock);
        if (!argument.empty() && (leaf.op == ClockedOp::previous || leaf.op == ClockedOp::interval ||
                                  leaf.op == ClockedOp::first_tick || (leaf.op == ClockedOp::clock)))
            classes.unite(leaf_node(k), argument.front());
        (void)classes.element(leaf_node(k));
    }
    for (const auto& [a, b] : clock_equations_) classes.unite(a, b);

    // Which classes are clocked, and when they tick.
    std::set<std::size_t> clocked;
    struct Relation {
        NodeId from, to;
        Fraction factor, shift;
    };
    std::vector<Relation> relations;
    for (std::size_t k = 0; k < clocked_.size(); ++k) {
        const ClockedLeaf& leaf = clocked_[k];
        const auto argument = partition_leaves({leaf.argument}, nullptr);
        if (leaf.op != ClockedOp::hold && leaf.op != ClockedOp::no_clock) clocked.insert(classes.root(leaf_node(k)));
        if (leaf.op != ClockedOp::sample && !argument.empty()) clocked.insert(classes.root(argument.front()));
        if (leaf.op == ClockedOp::relate && !leaf.inferred && !argument.empty())
            relations.push_back({argument.front(), leaf_node(k), leaf.factor, leaf.shift});
    }
    std::map<std::size_t, Timing> timing;
    const auto learn = [&](std::size_t root, const Timing& t, const SourceSpan& span) {
        const auto [it, is_new] = timing.emplace(root, t);
        if (!is_new && !(it->second == t) && it->second.base == t.base)
            throw TranslationError{make_error("clock", "the clocks of this expression do not agree", span)};
        return is_new;
    };
    for (std::size_t k = 0; k < clocked_.size(); ++k)
        if (clocked_[k].base)
            (void)learn(classes.root(leaf_node(k)), {static_cast<int>(k), Fraction{1, 1}, Fraction{0, 1}},
                        clocked_[k].span);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Relation& r : relations) {
            const std::size_t from = classes.root(r.from), to = classes.root(r.to);
            if (const auto it = timing.find(from); it != timing.end() && !timing.contains(to)) {
                const Timing t = it->second;
                changed = learn(to, {t.base, t.factor * r.factor, t.shift + t.factor * r.shift}, {}) || changed;
            } else if (const auto back = timing.find(to); back != timing.end() && !timing.contains(from)) {
                const Timing t = back->second;
                const Fraction factor = t.factor / r.factor;
                changed = learn(from, {t.base, factor, t.shift - factor * r.shift}, {}) || changed;
            }
        }
    }

    // Unknowns and equations of each.
    struct Partition {
        std::vector<NodeId> unknowns;
        std::vector<ClockedEquation> equations;
        Timing timing;
        int ticked = -1; ///< held: whether it has ticked before
        NodeId first = expr::no_node;
        NodeId interval = expr::no_node;
    };
    std::map<std::size_t, Partition> partitions;
    for (const NodeId leaf : classes.leaves()) {
        const std::size_t root = classes.root(leaf);
        if (clocked.contains(root) && clocked_number(leaf) < 0) partitions[root].unknowns.push_back(leaf);
    }
    std::vector<char> taken(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (leaf_of_equation[i] == expr::no_node) continue;
        const std::size_t root = classes.root(leaf_of_equation[i]);
        if (!clocked.contains(root)) continue;
        if (has_slope[i] != 0)
            throw TranslationError{make_error(
                "not-supported", "not supported yet: derivatives in clocked equations (solver methods of clocks)",
                all[i].span, "hold(…) leads back to continuous time")};
        partitions[root].equations.push_back(all[i]);
        taken[i] = 1;
    }
    std::unordered_map<std::uint32_t, NodeId> becomes;
    for (auto& [root, p] : partitions) {
        const auto known = timing.find(root);
        if (known == timing.end())
            throw TranslationError{make_error("clock",
                                              "the clock of '" +
                                                  (p.unknowns.empty() ? std::string() : leaf_name(p.unknowns.front())) +
                                                  "' cannot be found: no Clock(…) is connected to it",
                                              p.equations.empty() ? SourceSpan{} : p.equations.front().span)};
        p.timing = known->second;
        for (const NodeId leaf : p.unknowns) {
            NodeId start = expr::no_node;
            if (g_.op(leaf) == Op::variable)
                start = model_.variables[static_cast<std::size_t>(g_.variable_id(leaf))].start;
            else
                start = placeholder_start(static_cast<std::size_t>(g_.parameter_id(leaf) - first_placeholder));
            const int id = hold(leaf_name(leaf), start, nullptr);
            if (g_.op(leaf) != Op::variable) {
                const auto k = static_cast<std::size_t>(g_.parameter_id(leaf) - first_placeholder);
                model_.parameters[static_cast<std::size_t>(id)].type = value_type(placeholders_[k].component->kind);
            }
            becomes.emplace(expr::index(leaf), g_.parameter(id));
            if (g_.op(leaf) == Op::variable) {
                const model::Variable& v = model_.variables[static_cast<std::size_t>(g_.variable_id(leaf))];
                model_.discrete.push_back({v.name, g_.parameter(id), v.unit, v.description, v.span});
            }
        }
    }
    // What operators stand for, in held values.
    const std::function<NodeId(NodeId)> resolved = [&](NodeId node) {
        expr::Substitution substitute(g_, [&](NodeId leaf) {
            const NodeId plain_leaf = g_.op(leaf) == Op::variable ? g_.variable(g_.variable_id(leaf)) : leaf;
            if (const auto it = becomes.find(expr::index(plain_leaf)); it != becomes.end()) return it->second;
            const int k = clocked_number(leaf);
            if (k < 0) return leaf;
            const ClockedLeaf op = clocked_[static_cast<std::size_t>(k)];
            NodeId made = expr::no_node;
            const auto partition = partitions.find(classes.root(leaf));
            switch (op.op) {
            case ClockedOp::clock: made = g_.constant(0.0); break;
            case ClockedOp::hold:
            case ClockedOp::no_clock:
            case ClockedOp::relate: made = resolved(op.argument); break;
            case ClockedOp::sample: {
                const int id = hold("sampled " + std::to_string(k + 1), expr::no_node, nullptr);
                made = g_.parameter(id);
                becomes.emplace(expr::index(leaf), made);
                model_.memories.push_back({id, resolved(op.argument), true});
                break;
            }
            case ClockedOp::previous: {
                const NodeId now = resolved(op.argument);
                if (g_.op(now) != Op::parameter ||
                    !model_.parameters[static_cast<std::size_t>(g_.parameter_id(now))].is_held)
                    throw TranslationError{
                        make_error("previous", "'previous' needs the name of a clocked variable", op.span)};
                made = remembered(now);
                break;
            }
            case ClockedOp::interval: {
                if (partition == partitions.end())
                    throw TranslationError{make_error("clock", "'interval' stands in no clocked equation", op.span)};
                const Timing& t = partition->second.timing;
                const BaseClock& base = *clocked_[static_cast<std::size_t>(t.base)].base;
                if (base.condition != expr::no_node) {
                    if (partition->second.interval == expr::no_node) {
                        const int last = hold("last tick " + std::to_string(k + 1), expr::no_node, nullptr);
                        partition->second.interval = g_.parameter(last);
                    }
                    const NodeId since = g_.sub(g_.time(), remembered(partition->second.interval));
                    made = g_.select(first_tick(partition->second.ticked, k), g_.constant(base.interval), since);
                } else {
                    made = g_.constant(base.interval * static_cast<double>(t.factor.numerator) /
                                       static_cast<double>(t.factor.denominator));
                }
                break;
            }
            case ClockedOp::first_tick:
                if (partition == partitions.end())
                    throw TranslationError{make_error("clock", "'firstTick' stands in no clocked equation", op.span)};
                made = first_tick(partition->second.ticked, k);
                break;
            }
            becomes.emplace(expr::index(leaf), made);
            return made;
        });
        return substitute(node);
    };
    for (auto& [root, p] : partitions) {
        const auto solution = solve_partition(p.equations, p.unknowns);
        model::WhenBranch branch;
        branch.span = p.equations.empty() ? SourceSpan{} : p.equations.front().span;
        for (const auto& [leaf, value] : solution)
            branch.settings.push_back({g_.parameter_id(becomes.at(expr::index(leaf))), resolved(value)});
        if (p.ticked >= 0) branch.settings.push_back({p.ticked, g_.constant(1.0)});
        if (p.interval != expr::no_node) branch.settings.push_back({g_.parameter_id(p.interval), g_.time()});
        branch.conditions.push_back(
            tick_condition(p.timing.base, p.timing.factor, p.timing.shift, resolved, branch.span));
        if (branch.settings.empty()) continue;
        model::When clause;
        clause.branches.push_back(std::move(branch));
        model_.clauses.push_back(std::move(clause));
    }
    // The continuous rest, without the clocked variables.
    std::vector<model::Equation> kept;
    for (std::size_t i = 0; i < reals; ++i)
        if (taken[i] == 0) kept.push_back(std::move(model_.equations[i]));
    model_.equations = std::move(kept);
    std::vector<DiscreteEquation> discretes;
    for (std::size_t i = reals; i < plain; ++i)
        if (taken[i] == 0) discretes.push_back(discrete_equations_[i - reals]);
    discrete_equations_ = std::move(discretes);
    remove_clocked_variables(becomes, resolved);
}

/// pre() of a held value.
NodeId Translator::remembered(NodeId held) {
    if (const auto it = memories_.find(expr::index(held)); it != memories_.end()) return g_.parameter(it->second);
    const model::Parameter p = model_.parameters[static_cast<std::size_t>(g_.parameter_id(held))];
    const int memory = hold("pre(" + p.name + ")", p.binding, nullptr);
    model_.parameters[static_cast<std::size_t>(memory)].type = p.type;
    memories_.emplace(expr::index(held), memory);
    model_.memories.push_back({memory, held});
    return g_.parameter(memory);
}

/// True at the first tick of a partition, whose held value `ticked` is made where it is first asked for.
NodeId Translator::first_tick(int& ticked, int number) {
    if (ticked < 0) {
        ticked = hold("ticked " + std::to_string(number + 1), expr::no_node, nullptr);
        model_.parameters[static_cast<std::size_t>(ticked)].type = model::ValueType::boolean;
    }
    return g_.unary(Op::logical_not, remembered(g_.parameter(ticked)));
}

NodeId Translator::tick_condition(int base_leaf, const Fraction& factor, const Fraction& shift,
                                  const std::function<NodeId(NodeId)>& resolved, const SourceSpan& span) {
    const BaseClock base = *clocked_[static_cast<std::size_t>(base_leaf)].base;
    if (base.condition != expr::no_node) {
        if (!(factor == Fraction{1, 1}) || !(shift == Fraction{0, 1}))
            throw TranslationError{
                make_error("not-supported", "not supported yet: rates derived from a clock that waits for a condition",
                           clocked_[static_cast<std::size_t>(base_leaf)].span)};
        return resolved(base.condition);
    }
    const auto times = [&](const Fraction& f) {
        return g_.constant(base.interval * static_cast<double>(f.numerator) / static_cast<double>(f.denominator));
    };
    const NodeId start = times(shift), interval = times(factor);
    const auto [it, is_new] = sample_ids_.try_emplace({start, interval}, -1);
    if (is_new) {
        it->second = hold("sample " + std::to_string(model_.samples.size() + 1), expr::no_node, nullptr);
        model_.samples.push_back({it->second, start, interval, span});
    }
    return g_.binary(Op::ge, g_.time(), g_.parameter(it->second));
}

void Translator::remove_clocked_variables(const std::unordered_map<std::uint32_t, NodeId>& becomes,
                                          const std::function<NodeId(NodeId)>& resolved) {
    std::vector<char> keep(model_.variables.size(), 1);
    std::vector<int> place_of(model_.variables.size(), 0);
    int next = 0;
    for (std::size_t v = 0; v < keep.size(); ++v) {
        keep[v] = becomes.contains(expr::index(g_.variable(static_cast<int>(v)))) ? 0 : 1;
        place_of[v] = next;
        next += keep[v];
    }
    expr::Substitution renumber(g_, [&](NodeId leaf) {
        if (g_.op(leaf) != Op::variable) return leaf;
        return g_.variable(place_of[static_cast<std::size_t>(g_.variable_id(leaf))], g_.derivative_order(leaf));
    });
    const auto replace = [&](NodeId& node) {
        if (node != expr::no_node) node = renumber(resolved(node));
    };
    for (auto* list : {&model_.equations, &model_.initial_equations})
        for (model::Equation& e : *list) {
            replace(e.left);
            replace(e.right);
            replace(e.homotopy);
        }
    expr::rewrite_derivatives(g_, [&](NodeId e) { return renumber(resolved(e)); });
    for (auto* list : {&discrete_equations_, &discrete_initial_})
        for (DiscreteEquation& e : *list) {
            replace(e.left);
            replace(e.right);
        }
    for (model::When& clause : model_.clauses)
        for (model::WhenBranch& branch : clause.branches) {
            for (NodeId& node : branch.conditions) replace(node);
            for (auto& s : branch.settings) replace(s.value);
            for (auto& r : branch.reinits) {
                replace(r.variable);
                replace(r.value);
            }
            for (auto& a : branch.assertions) replace(a.holds);
        }
    for (std::size_t k = 0; k < model_.memories.size(); ++k) { // resolving may add further ones
        NodeId value = model_.memories[k].value;
        replace(value);
        model_.memories[k].value = value;
    }
    model_.visit_past(replace);
    for (Placeholder& p : placeholders_) {
        const NodeId leaf = g_.parameter(first_placeholder + static_cast<int>(&p - placeholders_.data()));
        if (const auto it = becomes.find(expr::index(leaf)); it != becomes.end()) p.value = it->second;
    }
    model_.keep_variables(keep);
}

} // namespace daedalus::modelica
