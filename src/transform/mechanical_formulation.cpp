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

/// Σ of terms, begun with nothing.
struct Sum {
    expr::Graph& g;
    void add(NodeId& sum, NodeId term) const {
        if (term != expr::no_node) sum = sum == expr::no_node ? term : g.add(sum, term);
    }
};

void unlink(Formulation& f, int state) {
    std::erase_if(f.permanent_links, [&](const problem::Link& link) { return link.state == state; });
}

/// Z of y' = k(t, y, v) = Z v + …
std::vector<EquationsOfMotion::Entry> kinematic_matrix(expr::Graph& g, const EquationsOfMotion& m) {
    std::map<NodeId, int> column;
    for (std::size_t j = 0; j < m.v.size(); ++j) column[leaf_of(g, m.v[j])] = static_cast<int>(j);
    std::vector<EquationsOfMotion::Entry> entries;
    for (std::size_t i = 0; i < m.k.size(); ++i)
        for (const expr::Partial& p : expr::gradient(g, m.k[i]))
            if (const auto at = column.find(p.leaf); at != column.end())
                entries.push_back({static_cast<int>(i), at->second, p.value});
    return entries;
}

/// In the place of y' the rows of y get y' + more, where that is anything.
void add_to_rates(expr::Graph& g, const EquationsOfMotion& m, std::span<const NodeId> more, Formulation& f) {
    std::map<NodeId, NodeId> rate;
    for (std::size_t i = 0; i < m.y.size(); ++i) {
        if (more[i] == expr::no_node) continue;
        const JetEntry up{m.y[i].variable, m.y[i].order + 1};
        if (f.unknown(up) < 0) {
            rate[leaf_of(g, up)] = g.add(leaf_of(g, up), more[i]);
            continue;
        }
        unlink(f, f.unknown(m.y[i]));
        f.rows.push_back({-1, 0, g.add(g.sub(slope_of(g, f, m.y[i]), leaf_of(g, up)), more[i])});
    }
    expr::Substitution with_more(g, [&](NodeId leaf) {
        const auto it = rate.find(leaf);
        return it == rate.end() ? leaf : it->second;
    });
    for (DifferentiatedEquation& row : f.rows) row.residual = with_more(row.residual);
}

/// w = 0 of the holonomic ones and w' = W v' + γ = 0 of all become rows.
void add_derivatives_of_constraints(expr::Graph& g, const EquationsOfMotion& m, Formulation& f) {
    std::vector<NodeId> second = m.gamma;
    for (const auto& e : m.W) {
        const JetEntry& v = m.v[static_cast<std::size_t>(e.column)];
        NodeId& sum = second[static_cast<std::size_t>(e.row)];
        sum = g.add(sum, g.mul(e.value, leaf_of(g, {v.variable, v.order + 1})));
    }
    for (std::size_t i = 0; i < m.w.size(); ++i) {
        const int row = m.rows[i];
        const bool holonomic = static_cast<int>(i) < m.holonomic;
        std::erase_if(f.hidden, [&](const DifferentiatedEquation& e) { return e.row == row; });
        if (holonomic) f.rows.push_back({row, 1, m.w[i]});
        f.rows.push_back({row, holonomic ? 2 : 1, second[i]});
    }
}

/// Where positions are after the times ε and μ: y + ε y' + μ (Z v') + … as the regularisations have it.
std::map<NodeId, NodeId> positions_ahead(expr::Graph& g, const EquationsOfMotion& m, const Formulation& f) {
    const NodeId epsilon = f.alpha, mu = f.second;
    std::map<NodeId, NodeId> ahead, rates;
    const Sum sum{g};
    if (f.kind == Reduction::hanke) { // y + ε y' + μ ε Z v', y' as it is integrated
        std::vector<NodeId> turned(m.y.size(), expr::no_node);
        for (const auto& z : kinematic_matrix(g, m))
            sum.add(turned[static_cast<std::size_t>(z.row)],
                    g.mul(z.value, slope_of(g, f, m.v[static_cast<std::size_t>(z.column)])));
        for (std::size_t i = 0; i < m.y.size(); ++i) {
            NodeId first = g.mul(epsilon, slope_of(g, f, m.y[i]));
            if (turned[i] != expr::no_node) sum.add(first, g.mul(g.mul(mu, epsilon), turned[i]));
            ahead[leaf_of(g, m.y[i])] = first;
        }
        return ahead;
    }
    // y + (ε + μ) y' + μ ε y'', with y' = k
    for (std::size_t i = 0; i < m.y.size(); ++i) rates[g.variable(m.y[i].variable, m.y[i].order + 1)] = m.k[i];
    expr::TimeDerivative derivative(g);
    expr::Substitution in_rates(g, [&](NodeId leaf) {
        const auto it = rates.find(leaf);
        return it == rates.end() ? leaf : it->second;
    });
    for (std::size_t i = 0; i < m.y.size(); ++i)
        ahead[leaf_of(g, m.y[i])] =
            g.add(g.mul(g.add(epsilon, mu), m.k[i]), g.mul(g.mul(mu, epsilon), in_rates(derivative(m.k[i]))));
    return ahead;
}

} // namespace

void correct_in_masses(const System& system, const EquationsOfMotion& m, Formulation& f) {
    expr::Graph& g = system.graph();
    const std::vector<int> row_of = rows_of_coordinates(system, m);
    if (row_of.empty()) {
        f.impossible = "a coordinate has no mass";
        return;
    }
    for (const JetEntry& v : m.v) // accelerations are unknowns beside the slopes of velocities
        f.unknowns.push_back({v.variable, v.order + 1});
    const auto multiplier = [&] {
        const JetEntry entry{static_cast<int>(system.model->variables.size()) + f.multipliers++, 0};
        f.unknowns.push_back(entry);
        return g.variable(entry.variable);
    };
    const Sum sum{g};
    std::map<NodeId, NodeId> pull; // Σ (∂c/∂x) μ_c over constraints c of positions and velocities
    for (const std::vector<NodeId>* constraints : {&m.g, &m.w})
        for (const NodeId c : *constraints) {
            const NodeId mu = multiplier();
            for (const expr::Partial& p : expr::gradient(g, c))
                sum.add(pull.try_emplace(p.leaf, expr::no_node).first->second, g.mul(p.value, mu));
        }
    std::vector<NodeId> correction; // δ of y' = k + Z δ; with y' = v the difference of both
    if (!m.identity_kinematics)
        for (std::size_t j = 0; j < m.v.size(); ++j) correction.push_back(multiplier());
    f.index_unknowns();

    std::vector<NodeId> of_positions(m.v.size(), expr::no_node), of_velocities = of_positions;
    for (const auto& e : m.M) {
        const auto i = static_cast<std::size_t>(e.row), j = static_cast<std::size_t>(e.column);
        const JetEntry up{m.v[j].variable, m.v[j].order + 1};
        sum.add(of_velocities[i], g.mul(e.value, g.sub(slope_of(g, f, m.v[j]), leaf_of(g, up))));
        const NodeId moved = m.identity_kinematics ? g.sub(slope_of(g, f, m.y[j]), leaf_of(g, m.v[j])) : correction[j];
        sum.add(of_positions[i], g.mul(e.value, moved));
    }
    const auto pull_of = [&](const JetEntry& e) {
        const auto it = pull.find(leaf_of(g, e));
        return it == pull.end() ? expr::no_node : it->second;
    };
    for (std::size_t j = 0; j < m.v.size(); ++j)
        sum.add(of_velocities[static_cast<std::size_t>(row_of[j])], pull_of(m.v[j]));
    if (m.identity_kinematics) {
        for (std::size_t j = 0; j < m.y.size(); ++j) {
            sum.add(of_positions[static_cast<std::size_t>(row_of[j])], pull_of(m.y[j]));
            unlink(f, f.unknown(m.y[j]));
        }
    } else {
        std::vector<NodeId> moved(m.y.size(), expr::no_node);
        for (const auto& z : kinematic_matrix(g, m)) {
            const auto i = static_cast<std::size_t>(z.row), j = static_cast<std::size_t>(z.column);
            if (const NodeId force = pull_of(m.y[i]); force != expr::no_node)
                sum.add(of_positions[static_cast<std::size_t>(row_of[j])], g.mul(z.value, force));
            sum.add(moved[i], g.neg(g.mul(z.value, correction[j])));
        }
        add_to_rates(g, m, moved, f);
    }
    for (std::size_t j = 0; j < m.v.size(); ++j) unlink(f, f.unknown(m.v[j]));
    for (const std::vector<NodeId>* rows : {&of_positions, &of_velocities})
        for (const NodeId residual : *rows) f.rows.push_back({-1, 0, residual});
    add_derivatives_of_constraints(g, m, f);
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
    const Pairing pairing = f.kind == Reduction::penalty ? pair_multipliers(system, m) : Pairing{};
    if (f.kind == Reduction::penalty && !system.model->implied.empty()) {
        f.impossible = "constraints are redundant, so that each multiplier serves several of them";
        return;
    }
    if (f.kind == Reduction::penalty && pairing.multiplier.empty()) {
        f.impossible = "it cannot be told which multiplier belongs to which constraint";
        return;
    }
    const bool hanke = f.kind == Reduction::hanke;
    const std::map<NodeId, NodeId> ahead =
        f.kind == Reduction::penalty ? std::map<NodeId, NodeId>{} : positions_ahead(g, m, f);
    if (hanke) { // y' = k(v + μ v')
        std::vector<NodeId> more(m.y.size(), expr::no_node);
        for (const auto& z : kinematic_matrix(g, m)) {
            const NodeId a = slope_of(g, f, m.v[static_cast<std::size_t>(z.column)]);
            Sum{g}.add(more[static_cast<std::size_t>(z.row)], g.neg(g.mul(g.mul(z.value, mu), a)));
        }
        const std::vector<DifferentiatedEquation> written = f.rows;
        add_to_rates(g, m, more, f);
        for (std::size_t i = 0; i < written.size(); ++i)
            if (f.rows[i].residual != written[i].residual) f.hidden.push_back(written[i]); // violated by O(μ)
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
