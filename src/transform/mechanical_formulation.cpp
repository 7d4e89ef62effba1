#include "transform/mechanical_formulation.hpp"

#include "expr/substitute.hpp"
#include "transform/coordinate_rows.hpp"

#include <algorithm>
#include <map>

namespace daedalus::transform {

namespace {

NodeId leaf_of(expr::Graph& g, const JetEntry& e) { return g.variable(e.variable, e.order); }

/// x' of an unknown as rows know it.
NodeId slope_of(expr::Graph& g, const Formulation& f, const JetEntry& e) {
    const JetEntry up{e.variable, e.order + 1};
    return f.unknown(up) < 0 ? leaf_of(g, up) : g.variable(derivative_of_unknown, f.unknown(e));
}

/// g at a position a little ahead: q + ahead.
NodeId shifted(expr::Graph& g, NodeId constraint, const std::map<NodeId, NodeId>& ahead, NodeId time_ahead) {
    return expr::Substitution(g, [&](NodeId leaf) {
        if (g.op(leaf) == expr::Op::time) return g.add(leaf, time_ahead);
        const auto it = ahead.find(leaf);
        return it == ahead.end() ? leaf : g.add(leaf, it->second);
    })(constraint);
}

} // namespace

void weigh_links(const System& system, const EquationsOfMotion& m, std::span<const NodeId> pull, Formulation& f) {
    expr::Graph& g = system.graph();
    if (!m.identity_kinematics) {
        f.impossible = "velocities are not the derivatives of positions, so that masses weigh no change of them";
        return;
    }
    const std::vector<int> row_of = rows_of_coordinates(system, m);
    if (row_of.empty()) {
        f.impossible = "a coordinate has no mass";
        return;
    }
    for (const std::vector<JetEntry>* entries : {&m.y, &m.v}) {
        std::vector<NodeId> row(m.v.size(), expr::no_node);
        const auto add = [&](std::size_t i, NodeId term) {
            row[i] = row[i] == expr::no_node ? term : g.add(row[i], term);
        };
        for (const auto& e : m.M) {
            const JetEntry& entry = (*entries)[static_cast<std::size_t>(e.column)];
            const JetEntry up{entry.variable, entry.order + 1};
            add(static_cast<std::size_t>(e.row), g.mul(e.value, g.sub(slope_of(g, f, entry), leaf_of(g, up))));
        }
        for (std::size_t j = 0; j < entries->size(); ++j) {
            const int i = f.unknown((*entries)[j]);
            if (i < 0) continue;
            if (pull[static_cast<std::size_t>(i)] != expr::no_node)
                add(static_cast<std::size_t>(row_of[j]), pull[static_cast<std::size_t>(i)]);
            std::erase_if(f.permanent_links, [&](const problem::Link& link) { return link.state == i; });
        }
        for (const NodeId residual : row) f.rows.push_back({-1, 0, residual});
    }
    // Variables that constraints define have no masses: their links change as in stabilised_index1.
    std::erase_if(f.permanent_links, [&](const problem::Link& link) {
        const NodeId correction = pull[static_cast<std::size_t>(link.state)];
        if (correction == expr::no_node) return false;
        const NodeId up = leaf_of(g, f.unknowns[static_cast<std::size_t>(link.derivative)]);
        const NodeId slope = g.variable(derivative_of_unknown, link.state);
        f.rows.push_back({-1, 0, g.add(g.sub(slope, up), correction)});
        return true;
    });
}

void regularise(const System& system, const EquationsOfMotion& m, Formulation& f) {
    expr::Graph& g = system.graph();
    f.alpha = g.parameter(static_cast<int>(system.parameters.size()));
    f.second = g.parameter(static_cast<int>(system.parameters.size()) + 1);
    const NodeId epsilon = f.alpha, mu = f.second;
    if (m.holonomic != static_cast<int>(m.w.size()) || m.w.empty()) {
        f.impossible = m.w.empty() ? "there is no constraint" : "a constraint is one of velocities (non-holonomic)";
        return;
    }
    if (!m.identity_kinematics) {
        f.impossible = "velocities are not the derivatives of positions";
        return;
    }
    const Pairing pairing = f.kind == Reduction::penalty ? pair_multipliers(system, m) : Pairing{};
    if (f.kind == Reduction::penalty && pairing.multiplier.empty()) {
        f.impossible = "it cannot be told which multiplier belongs to which constraint";
        return;
    }
    const bool hanke = f.kind == Reduction::hanke;
    std::map<NodeId, NodeId> ahead;
    for (std::size_t j = 0; j < m.y.size(); ++j) {
        const NodeId v = leaf_of(g, m.v[j]), a = slope_of(g, f, m.v[j]), slope = slope_of(g, f, m.y[j]);
        const NodeId first = hanke ? g.mul(epsilon, slope) : g.mul(g.add(epsilon, mu), v);
        ahead[leaf_of(g, m.y[j])] = g.add(first, g.mul(g.mul(mu, epsilon), a));
        if (!hanke) continue;
        f.rows.push_back({-1, 0, g.sub(slope, g.add(v, g.mul(mu, a)))});
        const int state = f.unknown(m.y[j]);
        std::erase_if(f.permanent_links, [&](const problem::Link& link) { return link.state == state; });
    }
    for (std::size_t i = 0; i < m.g.size(); ++i) {
        const auto row = std::find_if(f.rows.begin(), f.rows.end(), [&](const DifferentiatedEquation& e) {
            return e.row == m.rows[i] && e.order == 0;
        });
        if (f.kind == Reduction::penalty) {
            const NodeId lambda = leaf_of(g, m.lambda[static_cast<std::size_t>(pairing.multiplier[i])]);
            row->residual = g.sub(g.mul(epsilon, lambda), g.mul(g.constant(pairing.factor[i]), m.g[i]));
        } else {
            row->residual = shifted(g, m.g[i], ahead, hanke ? epsilon : g.add(epsilon, mu));
        }
        f.hidden.insert(f.hidden.begin(), {m.rows[i], 0, m.g[i]});
    }
    f.drifting = static_cast<int>(f.hidden.size());
}

} // namespace daedalus::transform
