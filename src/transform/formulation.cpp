#include "transform/formulation.hpp"

#include "transform/mechanical_formulation.hpp"
#include "transform/minimal_coordinates.hpp"

#include <algorithm>

namespace daedalus::transform {

namespace {

std::uint64_t key(const JetEntry& e) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(e.variable)) << 32U |
           static_cast<std::uint32_t>(e.order);
}

bool differentiated(const ReducedSystem& r, int block) {
    const auto rows = r.blocks.equations(block);
    return std::any_of(rows.begin(), rows.end(), [&](int i) { return r.analysis.c[static_cast<std::size_t>(i)] > 0; });
}

// x_j^(d_j) must be an unknown of its own where a differentiated equation (c_i ≥ 1) mentions it or shares its block.
// Elsewhere it is the derivative of the unknown below it, and the system stays as small as the author wrote it.
std::vector<char> needs_top_unknown(const ReducedSystem& r) {
    std::vector<char> needs(r.analysis.d.size(), 0);
    for (int i = 0; i < r.analysis.system_jacobian.rows; ++i)
        if (r.analysis.c[static_cast<std::size_t>(i)] > 0)
            for (const int j : r.analysis.system_jacobian.row(i)) needs[static_cast<std::size_t>(j)] = 1;
    for (int b = 0; b < r.blocks.count(); ++b)
        if (differentiated(r, b))
            for (const int j : r.blocks.variables(b)) needs[static_cast<std::size_t>(j)] = 1;
    return needs;
}

int preference(const System& system, int column) {
    return static_cast<int>(
        system.model->variables[static_cast<std::size_t>(system.variables[static_cast<std::size_t>(column)])]
            .state_select);
}

void dummy_unknowns(const System& system, const ReducedSystem& r, Formulation& f) {
    const std::vector<char> top = needs_top_unknown(r);
    for (std::size_t j = 0; j < system.variables.size(); ++j) {
        const int d = r.analysis.d[j];
        const int last = top[j] || d == 0 ? d : d - 1;
        for (int k = 0; k <= last; ++k) f.unknowns.push_back({system.variables[j], k});
    }
    f.rows = r.equations;
    f.index_unknowns();
    for (std::size_t j = 0; j < system.variables.size(); ++j)
        if (!top[j])
            for (int k = 0; k + 1 < r.analysis.d[j]; ++k)
                f.permanent_links.push_back(
                    {f.unknown({system.variables[j], k}), f.unknown({system.variables[j], k + 1})});

    for (int b = 0; b < r.blocks.count(); ++b) {
        problem::ChoiceBlock choice;
        for (const int i : r.blocks.equations(b)) {
            const auto row = static_cast<std::size_t>(i);
            choice.differentiations.push_back(r.analysis.c[row]);
            choice.top_row.push_back(r.first[row] + r.analysis.c[row]);
        }
        bool has_links = false;
        for (const int j : r.blocks.variables(b)) {
            const auto column = static_cast<std::size_t>(j);
            std::vector<int> chain;
            if (top[column])
                for (int k = 0; k <= r.analysis.d[column]; ++k)
                    chain.push_back(f.unknown({system.variables[column], k}));
            has_links = has_links || chain.size() > 1;
            choice.chain.push_back(std::move(chain));
            choice.preference.push_back(preference(system, j));
        }
        if (!has_links) continue;
        if (differentiated(r, b)) {
            f.choices.push_back(std::move(choice));
            continue;
        }
        // The top derivatives are unknowns because of later blocks, yet everything below them is a state.
        for (const std::vector<int>& chain : choice.chain)
            for (std::size_t k = 0; k + 1 < chain.size(); ++k) f.permanent_links.push_back({chain[k], chain[k + 1]});
    }
}

// Every variable leaf is an unknown or the derivative of one.
bool available(const System& system, const Formulation& f, NodeId residual) {
    const expr::Graph& g = system.graph();
    const NodeId roots[] = {residual};
    const std::vector<NodeId> below = g.reachable(roots);
    return std::all_of(below.begin(), below.end(), [&](NodeId node) {
        return g.op(node) != expr::Op::variable ||
               f.place({g.variable_id(node), g.derivative_order(node)}).unknown >= 0;
    });
}

// Unknowns x_j^(k), k ≤ d_j (the highest where `top` asks for it), rows f_i^(c_i) and all links: nothing but the most
// differentiated equations.
void most_differentiated(const System& system, const ReducedSystem& r, const std::vector<char>& top, Formulation& f) {
    for (std::size_t j = 0; j < system.variables.size(); ++j) {
        const int d = r.analysis.d[j];
        const int last = top[j] || d == 0 ? d : d - 1;
        for (int k = 0; k <= last; ++k) f.unknowns.push_back({system.variables[j], k});
    }
    f.index_unknowns();
    for (std::size_t i = 0; i < f.unknowns.size(); ++i)
        if (const int up = f.unknown({f.unknowns[i].variable, f.unknowns[i].order + 1}); up >= 0)
            f.permanent_links.push_back({static_cast<int>(i), up});
    for (const DifferentiatedEquation& e : r.equations)
        if (e.order == r.analysis.c[static_cast<std::size_t>(e.row)]) f.rows.push_back(e);
}

// f_i^(m), m < c_i: they mention x_j^(k) with k < d_j only, all of them states.
std::vector<DifferentiatedEquation> constraints_of(const ReducedSystem& r) {
    std::vector<DifferentiatedEquation> list;
    for (const DifferentiatedEquation& e : r.equations)
        if (e.order < r.analysis.c[static_cast<std::size_t>(e.row)]) list.push_back(e);
    return list;
}

// (d/dt + α)^c f = Σ_k (c over k) α^(c-k) f^(k), by Horner's rule in α.
// Of second order it has a parameter more: f'' + 2 α f' + β² f, HW (2.7).
void stabilise_by_decay(const System& system, const ReducedSystem& r, Formulation& f) {
    expr::Graph& g = system.graph();
    f.alpha = g.parameter(static_cast<int>(system.parameters.size()));
    f.second = g.parameter(static_cast<int>(system.parameters.size()) + 1);
    for (DifferentiatedEquation& row : f.rows) {
        const int c = row.order;
        if (c == 2) {
            const auto* e = r.equations.data() + r.first[static_cast<std::size_t>(row.row)];
            row.residual = g.add(g.mul(g.mul(f.second, f.second), e[0].residual),
                                 g.add(g.mul(g.mul(g.constant(2.0), f.alpha), e[1].residual), e[2].residual));
            continue;
        }
        const auto first = static_cast<std::size_t>(r.first[static_cast<std::size_t>(row.row)]);
        NodeId sum = r.equations[first].residual;
        double binomial = 1.0;
        for (int k = 1; k <= c; ++k) {
            binomial = binomial * (c - k + 1) / k;
            sum = g.add(g.mul(f.alpha, sum), g.mul(g.constant(binomial), r.equations[first + k].residual));
        }
        row.residual = sum;
    }
}

// Multipliers in the links, constraints as rows.
void stabilise_by_multipliers(const System& system, const std::vector<DifferentiatedEquation>& constraints,
                              Formulation& f) {
    expr::Graph& g = system.graph();
    std::vector<NodeId> pull(f.unknowns.size(), expr::no_node); // Σ_g (∂g/∂x) μ_g per unknown
    for (const DifferentiatedEquation& e : constraints) {
        const JetEntry entry{static_cast<int>(system.model->variables.size()) + f.multipliers++, 0};
        const NodeId mu = g.variable(entry.variable);
        for (const expr::Partial& p : expr::gradient(g, e.residual)) {
            const int i = f.unknown({g.variable_id(p.leaf), g.derivative_order(p.leaf)});
            const NodeId term = g.mul(p.value, mu);
            NodeId& sum = pull[static_cast<std::size_t>(i)];
            sum = sum == expr::no_node ? term : g.add(sum, term);
        }
        f.unknowns.push_back(entry);
    }
    f.index_unknowns();
    f.rows.insert(f.rows.end(), constraints.begin(), constraints.end());
    std::erase_if(f.permanent_links, [&](const problem::Link& link) {
        const NodeId correction = pull[static_cast<std::size_t>(link.state)];
        if (correction == expr::no_node) return false;
        const JetEntry& up = f.unknowns[static_cast<std::size_t>(link.derivative)];
        const NodeId slope = g.variable(derivative_of_unknown, link.state);
        f.rows.push_back({-1, 0, g.add(g.sub(slope, g.variable(up.variable, up.order)), correction)});
        return true;
    });
}

// Columns whose lower derivatives some constraint mentions: their links carry multipliers.
void add_constrained_columns(const System& system, const std::vector<DifferentiatedEquation>& constraints,
                             std::vector<char>& top) {
    const expr::Graph& g = system.graph();
    const std::vector<int> column = system.columns();
    for (const DifferentiatedEquation& e : constraints) {
        const NodeId roots[] = {e.residual};
        for (const NodeId node : g.reachable(roots))
            if (g.op(node) == expr::Op::variable)
                top[static_cast<std::size_t>(column[static_cast<std::size_t>(g.variable_id(node))])] = 1;
    }
}

void differentiated_unknowns(const System& system, const ReducedSystem& r, Formulation& f) {
    const bool stabilised = f.kind == Reduction::stabilised_index1;
    std::vector<DifferentiatedEquation> constraints = constraints_of(r);
    std::vector<char> top = needs_top_unknown(r);
    if (stabilised) add_constrained_columns(system, constraints, top);
    most_differentiated(system, r, top, f);
    if (stabilised) {
        stabilise_by_multipliers(system, constraints, f);
        return;
    }
    if (f.kind == Reduction::baumgarte) stabilise_by_decay(system, r, f);
    const bool one_level = f.kind == Reduction::project_position || f.kind == Reduction::project_velocity;
    if (one_level) f.projected_level = f.kind == Reduction::project_position ? 1 : 2;
    const auto drifts = [&](const DifferentiatedEquation& e) { return (e.order == 1) != (f.projected_level == 2); };
    if (one_level) std::stable_partition(constraints.begin(), constraints.end(), drifts);
    f.hidden = constraints;
    if (f.kind == Reduction::tangent) return; // nothing drifts
    if (f.kind == Reduction::projection)
        f.constraints = std::move(constraints);
    else if (one_level)
        f.drifting = static_cast<int>(std::count_if(f.hidden.begin(), f.hidden.end(), drifts));
    else
        f.drifting = static_cast<int>(f.hidden.size());
}

// Unknowns x_j^(k), k < d_j, and f_i^(c_i - 1): one differentiation less, where there is one.
void index_two_unknowns(const System& system, const ReducedSystem& r, Formulation& f) {
    for (std::size_t j = 0; j < system.variables.size(); ++j)
        for (int k = 0; k <= std::max(0, r.analysis.d[j] - 1); ++k) {
            f.unknowns.push_back({system.variables[j], k});
            f.index_two.multipliers.push_back(r.analysis.d[j] == 0 ? 1 : 0);
        }
    f.index_unknowns();
    for (std::size_t i = 0; i < f.unknowns.size(); ++i)
        if (const int up = f.unknown({f.unknowns[i].variable, f.unknowns[i].order + 1}); up >= 0)
            f.permanent_links.push_back({static_cast<int>(i), up});
    std::vector<DifferentiatedEquation> constraints, below;
    for (const DifferentiatedEquation& e : r.equations) {
        const int kept = std::max(0, r.analysis.c[static_cast<std::size_t>(e.row)] - 1);
        if (e.order == kept) f.rows.push_back(e);
        if (e.order < kept) constraints.push_back(e);
        if (e.order != kept + 1) continue;
        f.index_two.constraints.push_back(static_cast<int>(f.rows.size()) - 1);
        f.index_two.rates.push_back(e.residual);
    }
    if (f.kind == Reduction::ggl) return stabilise_by_multipliers(system, constraints, f);
    f.drifting = static_cast<int>(constraints.size());
    f.hidden = std::move(constraints);
}

void written_unknowns(const System& system, const ReducedSystem& r, Formulation& f) {
    for (std::size_t j = 0; j < system.variables.size(); ++j)
        for (int k = 0; k <= std::max(0, r.highest_written[j] - 1); ++k) f.unknowns.push_back({system.variables[j], k});
    f.index_unknowns();
    for (std::size_t j = 0; j < system.variables.size(); ++j)
        for (int k = 0; k + 1 < r.highest_written[j]; ++k)
            f.permanent_links.push_back({f.unknown({system.variables[j], k}), f.unknown({system.variables[j], k + 1})});
    for (const DifferentiatedEquation& e : r.equations) {
        if (e.order == 0) {
            f.rows.push_back(e);
            continue;
        }
        // The most differentiated form determines leading derivatives; only what lies below it is a constraint.
        if (e.order == r.analysis.c[static_cast<std::size_t>(e.row)]) continue;
        if (available(system, f, e.residual))
            f.hidden.push_back(e);
        else
            ++f.hidden_omitted;
    }
}

} // namespace

void Formulation::index_unknowns() {
    position_.clear();
    position_.reserve(unknowns.size());
    for (std::size_t i = 0; i < unknowns.size(); ++i) position_.emplace(key(unknowns[i]), static_cast<int>(i));
}

int Formulation::unknown(const JetEntry& entry) const {
    const auto it = position_.find(key(entry));
    return it == position_.end() ? -1 : it->second;
}

Formulation::Place Formulation::place(const JetEntry& entry) const {
    if (entry.variable == derivative_of_unknown) return {entry.order, true};
    if (const int i = unknown(entry); i >= 0) return {i, false};
    if (entry.order > 0)
        if (const int i = unknown({entry.variable, entry.order - 1}); i >= 0) return {i, true};
    return {};
}

Formulation formulate(const System& system, const ReducedSystem& reduced, Reduction kind,
                      const EquationsOfMotion* motion) {
    Formulation f;
    // What derivative arrays put in the place of the equations needs numbers: they begin with them as written.
    f.kind = kind == Reduction::automatic || by_arrays(kind) ? Reduction::none : kind;
    switch (kind) {
    case Reduction::automatic:
    case Reduction::derivative_array:
    case Reduction::campbell_moore:
    case Reduction::none: written_unknowns(system, reduced, f); break;
    case Reduction::partition:
        dummy_unknowns(system, reduced, f);
        f.projected_level = 3; // dependent coordinates follow to round-off, not to the accuracy of a step
        break;
    case Reduction::minimal:
        dummy_unknowns(system, reduced, f);
        eliminate_coordinates(system, reduced, *motion, f);
        break;
    case Reduction::dummy: dummy_unknowns(system, reduced, f); break;
    case Reduction::index2:
    case Reduction::ggl: index_two_unknowns(system, reduced, f); break;
    case Reduction::underlying_ode:
    case Reduction::projection:
    case Reduction::stabilised_index1:
    case Reduction::project_position:
    case Reduction::project_velocity:
    case Reduction::tangent:
    case Reduction::baumgarte: differentiated_unknowns(system, reduced, f); break;
    case Reduction::overdetermined:
        written_unknowns(system, reduced, f);
        correct_in_masses(system, *motion, f);
        break;
    case Reduction::penalty:
    case Reduction::knorrenschild:
    case Reduction::hanke:
        written_unknowns(system, reduced, f);
        regularise(system, *motion, f);
        break;
    }
    for (const System::Replaced& old : system.replaced) {
        if (available(system, f, old.residual))
            f.hidden.push_back({old.row, 0, old.residual});
        else
            ++f.hidden_omitted;
    }
    return f;
}

} // namespace daedalus::transform
