// Values that a flow carries past several places, y = semiLinear(m, a, s₁), y = semiLinear(m, s₁, s₂), …,
// y = semiLinear(m, sₙ, b): without flow nothing determines s₁ … sₙ, which the language settles
// (specification 3.7.2.5):
//     s₁ = … = sₙ = if m ≥ 0 then a else b .
// With flow that is what the equations say, so that it may stand in the place of all but one of them.
//
// The equations of a chain are those of different components: y and m are other names there, perhaps with another sign,
// semiLinear(-m, a, b) = -semiLinear(m, b, a).
#include "modelica/translator.hpp"

#include <numeric>

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {

/// A variable, or its negative.
struct Signed {
    int variable = -1;
    int sign = 1;
    friend auto operator<=>(const Signed&, const Signed&) = default;
};

std::optional<Signed> signed_variable(const expr::Graph& g, NodeId e) {
    int sign = 1;
    for (; g.op(e) == Op::neg; e = g.operand(e, 0)) sign = -sign;
    if (g.op(e) != Op::variable || g.derivative_order(e) != 0) return std::nullopt;
    return Signed{g.variable_id(e), sign};
}

/// The terms of e, with the signs that they have; false: something else than sums of variables.
bool terms(const expr::Graph& g, NodeId e, int sign, std::vector<Signed>& list) {
    if (g.is_constant(e)) return g.constant_value(e) == 0.0;
    switch (g.op(e)) {
    case Op::neg: return terms(g, g.operand(e, 0), -sign, list);
    case Op::add: return terms(g, g.operand(e, 0), sign, list) && terms(g, g.operand(e, 1), sign, list);
    case Op::sub: return terms(g, g.operand(e, 0), sign, list) && terms(g, g.operand(e, 1), -sign, list);
    default:
        const auto one = signed_variable(g, e);
        if (!one || list.size() > 1) return false;
        list.push_back({one->variable, sign * one->sign});
        return true;
    }
}

/// Names of the same variable: x = ±y.
class Names {
public:
    explicit Names(std::size_t n) : of_(n) {
        for (std::size_t v = 0; v < n; ++v) of_[v] = {static_cast<int>(v), 1};
    }
    Signed find(Signed s) const {
        while (of_[static_cast<std::size_t>(s.variable)].variable != s.variable) {
            const Signed& up = of_[static_cast<std::size_t>(s.variable)];
            s = {up.variable, s.sign * up.sign};
        }
        return s;
    }
    void join(Signed a, Signed b) { // a = b
        a = find(a);
        b = find(b);
        if (a.variable != b.variable) of_[static_cast<std::size_t>(a.variable)] = {b.variable, a.sign * b.sign};
    }

private:
    std::vector<Signed> of_;
};

/// y = semiLinear(m, a, b), with y and m as they are called everywhere.
struct Carried {
    std::size_t equation;
    NodeId a, b;
};

} // namespace

/// Remembered where it is written; equations are looked at when all are there.
NodeId Translator::semi_linear(NodeId flow, NodeId positive, NodeId negative) {
    const NodeId node =
        g_.select(logical(Op::ge, flow, g_.constant(0.0)), g_.mul(positive, flow), g_.mul(negative, flow));
    if (in_function_ == 0) semi_linears_[expr::index(node)] = {flow, positive, negative};
    return node;
}

void Translator::determine_carried_values() {
    if (semi_linears_.empty()) return;
    Names names(model_.variables.size());
    for (const model::Equation& e : model_.equations) {
        std::vector<Signed> list;
        if (terms(g_, e.left, 1, list) && terms(g_, e.right, -1, list) && list.size() == 2)
            names.join(list[0], {list[1].variable, -list[1].sign});
    }
    const auto name = [&](NodeId e) -> std::optional<Signed> {
        const auto one = signed_variable(g_, e);
        return one ? std::optional(names.find(*one)) : std::nullopt;
    };
    std::map<std::pair<Signed, int>, std::vector<Carried>> chains; // by y and m
    for (std::size_t k = 0; k < model_.equations.size(); ++k)
        for (auto [y, s] : {std::pair(model_.equations[k].left, model_.equations[k].right),
                            std::pair(model_.equations[k].right, model_.equations[k].left)}) {
            int sign = 1;
            for (; g_.op(s) == Op::neg; s = g_.operand(s, 0)) sign = -sign;
            const auto found = semi_linears_.find(expr::index(s));
            if (found == semi_linears_.end()) continue;
            auto [flow, a, b] = found->second;
            const auto left = name(y), m = name(flow);
            if (!left || !m) continue;
            if (m->sign < 0) {
                std::swap(a, b);
                sign = -sign;
            }
            chains[{{left->variable, left->sign * sign}, m->variable}].push_back({k, a, b});
        }
    for (auto& [key, chain] : chains) {
        const NodeId forward = logical(Op::ge, g_.variable(key.second), g_.constant(0.0));
        const auto same = [&](NodeId p, NodeId q) {
            const auto one = name(p), other = name(q);
            return p == q || (one && one == other);
        };
        // From where nothing comes before to where nothing comes behind.
        for (std::size_t first = 0; first < chain.size(); ++first) {
            if (std::any_of(chain.begin(), chain.end(), [&](const Carried& c) { return same(c.b, chain[first].a); }))
                continue;
            std::vector<const Carried*> along{&chain[first]};
            for (bool goes_on = true; goes_on && along.size() <= chain.size();) {
                const auto next = std::find_if(chain.begin(), chain.end(),
                                               [&](const Carried& c) { return same(c.a, along.back()->b); });
                goes_on = next != chain.end();
                if (goes_on) along.push_back(&*next);
            }
            if (along.size() > chain.size()) continue; // a ring
            for (std::size_t k = 1; k < along.size(); ++k) {
                model::Equation& e = model_.equations[along[k]->equation];
                e.left = along[k]->a;
                e.right = g_.select(forward, along.front()->a, along.back()->b);
            }
        }
    }
}

} // namespace daedalus::modelica
