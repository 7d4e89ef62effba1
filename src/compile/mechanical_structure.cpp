#include "compile/mechanical_structure.hpp"

#include "compile/problem_jacobian.hpp"
#include "expr/substitute.hpp"
#include "problem/mechanical_structure.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace daedalus::compile {

namespace {

using codegen::Kernel;
using codegen::Segments;
using expr::NodeId;
using problem::Call;
using problem::EvalStatus;
using transform::EquationsOfMotion;
using transform::JetEntry;

template <Kernel MechanicalKernels::*kernel>
EvalStatus of_positions(const Call& call, double t, const double* y, double* out) {
    const std::array<const double*, 2> inputs{&t, y};
    return (kernels_of(call, t).motion.*kernel)(inputs, out) ? EvalStatus::ok : EvalStatus::not_finite;
}

template <Kernel MechanicalKernels::*kernel>
EvalStatus of_state(const Call& call, double t, const double* y, const double* v, double* out) {
    const std::array<const double*, 3> inputs{&t, y, v};
    return (kernels_of(call, t).motion.*kernel)(inputs, out) ? EvalStatus::ok : EvalStatus::not_finite;
}

/// Values on the pattern of [M L; W 0], zeros where nothing is.
std::vector<NodeId> augmented(const EquationsOfMotion& m, expr::Graph& g, SparsityPattern& pattern) {
    const int n = static_cast<int>(m.v.size()), size = n + static_cast<int>(m.w.size());
    std::vector<std::pair<int, int>> positions;
    for (const auto& e : m.M) positions.emplace_back(e.row, e.column);
    for (const auto& e : m.L) positions.emplace_back(e.row, n + e.column);
    for (const auto& e : m.W) positions.emplace_back(n + e.row, e.column);
    pattern = SparsityPattern::from_entries(size, size, positions);
    std::vector<NodeId> values(static_cast<std::size_t>(pattern.nonzeros()), g.constant(0.0));
    const auto put = [&](int row, int column, NodeId value) {
        values[static_cast<std::size_t>(pattern.find(row, column))] = value;
    };
    for (const auto& e : m.M) put(e.row, e.column, e.value);
    for (const auto& e : m.L) put(e.row, n + e.column, e.value);
    for (const auto& e : m.W) put(n + e.row, e.column, e.value);
    return values;
}

/// Jet entries of the problem's unknowns, and their derivatives, from (y, v, v', λ).
class Expansion {
public:
    Expansion(const Compilation& c, const EquationsOfMotion& m) : g_(c.system.graph()), derivative_(g_) {
        for (std::size_t i = 0; i < m.y.size(); ++i) known_[leaf(m.y[i], 1)] = m.k[i];
        for (const JetEntry& v : m.v) known_[leaf(v, 1)] = leaf(v, 1);
        for (const JetEntry& y : m.y) inputs_.push_back(leaf(y, 0));
        for (const JetEntry& v : m.v) inputs_.push_back(leaf(v, 0));
        for (const JetEntry& v : m.v) inputs_.push_back(leaf(v, 1));
        for (const JetEntry& l : m.lambda) inputs_.push_back(leaf(l, 0));
        std::sort(inputs_.begin(), inputs_.end());
        for (const auto& d : m.definitions) value_[leaf(d.entry, 0)] = d.value;
        zero_ = g_.constant(0.0);
    }
    /// 0 where it does not follow: such a derivative is not mentioned by the equations.
    [[nodiscard]] NodeId operator()(const JetEntry& e) {
        NodeId value = leaf({e.variable, 0}, 0);
        if (const auto it = value_.find(value); it != value_.end()) value = it->second;
        for (int k = 0; k < e.order; ++k) value = reduced(derivative_(value));
        value = reduced(value);
        const NodeId roots[] = {value};
        for (const NodeId node : g_.reachable(roots))
            if (g_.op(node) == expr::Op::variable && !std::binary_search(inputs_.begin(), inputs_.end(), node))
                return zero_;
        return value;
    }

private:
    [[nodiscard]] NodeId leaf(const JetEntry& e, int more) const { return g_.variable(e.variable, e.order + more); }
    [[nodiscard]] NodeId reduced(NodeId e) {
        return expr::Substitution(g_, [&](NodeId l) {
            const auto it = known_.find(l);
            return it == known_.end() ? l : it->second;
        })(e);
    }
    expr::Graph& g_;
    expr::TimeDerivative derivative_;
    std::map<NodeId, NodeId> known_; ///< y' → k
    std::map<NodeId, NodeId> value_; ///< what definitions define
    std::vector<NodeId> inputs_;
    NodeId zero_;
};

std::vector<NodeId> leaves(expr::Graph& g, const std::vector<JetEntry>& entries, int more = 0) {
    std::vector<NodeId> list;
    list.reserve(entries.size());
    for (const JetEntry& e : entries) list.push_back(g.variable(e.variable, e.order + more));
    return list;
}

/// ∂list/∂leaves, on the pattern of what does not vanish.
std::vector<NodeId> on_pattern(expr::Graph& g, const std::vector<NodeId>& list, const std::vector<NodeId>& columns,
                               SparsityPattern& pattern) {
    std::map<NodeId, int> column;
    for (std::size_t j = 0; j < columns.size(); ++j) column[columns[j]] = static_cast<int>(j);
    std::vector<std::pair<int, int>> places;
    std::vector<NodeId> slopes;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (const expr::Partial& p : expr::gradient(g, list[i]))
            if (const auto at = column.find(p.leaf); at != column.end()) {
                places.emplace_back(static_cast<int>(i), at->second);
                slopes.push_back(p.value);
            }
    pattern = SparsityPattern::from_entries(static_cast<int>(list.size()), static_cast<int>(columns.size()), places);
    std::vector<NodeId> values(slopes.size());
    for (std::size_t i = 0; i < slopes.size(); ++i)
        values[static_cast<std::size_t>(pattern.find(places[i].first, places[i].second))] = slopes[i];
    return values;
}

std::vector<int> unknowns(const Compilation& c, const std::vector<JetEntry>& entries) {
    std::vector<int> list;
    list.reserve(entries.size());
    for (const JetEntry& e : entries) list.push_back(c.formulation.unknown(e));
    return list;
}

/// ∂(M a + L λ - f)/∂(y, v) on its pattern.
std::vector<NodeId> slopes_of_forces(const EquationsOfMotion& m, expr::Graph& g, SparsityPattern& pattern) {
    std::vector<NodeId> balance, columns = leaves(g, m.y);
    for (const NodeId f : m.f) balance.push_back(g.neg(f));
    const auto add = [&](const EquationsOfMotion::Entry& e, NodeId factor) {
        NodeId& sum = balance[static_cast<std::size_t>(e.row)];
        sum = g.add(sum, g.mul(e.value, factor));
    };
    const std::vector<NodeId> a = leaves(g, m.v, 1), lambda = leaves(g, m.lambda), v = leaves(g, m.v);
    for (const auto& e : m.M) add(e, a[static_cast<std::size_t>(e.column)]);
    for (const auto& e : m.L) add(e, lambda[static_cast<std::size_t>(e.column)]);
    columns.insert(columns.end(), v.begin(), v.end());
    return on_pattern(g, balance, columns, pattern);
}

} // namespace

void offer_mechanics(Compilation& c, const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen,
                     problem::System& system) {
    const EquationsOfMotion& m = *c.motion;
    expr::Graph& g = c.system.graph();
    problem::MechanicalStructure s;
    s.y = unknowns(c, m.y);
    s.v = unknowns(c, m.v);
    s.lambda = unknowns(c, m.lambda);
    for (const auto* list : {&s.y, &s.v, &s.lambda})
        if (std::find(list->begin(), list->end(), -1) != list->end()) return;
    s.positions = static_cast<int>(m.y.size());
    s.velocities = static_cast<int>(m.v.size());
    s.constraints = static_cast<int>(m.w.size());
    s.holonomic = m.holonomic;
    const Segments all = problem_segments(c); // parameters and time as everywhere
    const Segments of_y{all[0], all[1], leaves(g, m.y)}, of_yv{all[0], all[1], of_y[2], leaves(g, m.v)};
    const auto kernel = [&](const Segments& segments, std::vector<NodeId> list) {
        return Kernel(g, segments, frozen(std::move(list)), {.backend = c.backend});
    };
    MechanicalKernels& k = c.kernels.motion;
    k.rates = kernel(of_yv, m.k);
    k.position = kernel(of_y, m.g);
    k.velocity = kernel(of_yv, m.w);
    std::vector<NodeId> values = augmented(m, g, s.matrix);
    k.matrices = kernel(of_y, values);
    values.insert(values.end(), m.f.begin(), m.f.end());
    for (const NodeId gamma : m.gamma) values.push_back(g.neg(gamma));
    k.dynamics = kernel(of_yv, values);
    k.kinematics = kernel(of_yv, on_pattern(g, m.k, of_yv[3], s.z_pattern));
    if (c.formulation.kind == Reduction::tangent) {
        k.slopes = kernel(of_y, on_pattern(g, m.g, of_y[2], s.slopes_pattern));
        s.slopes = &of_positions<&MechanicalKernels::slopes>;
    }
    if (!m.mass_rate.empty()) {
        k.mass_rate = kernel(of_yv, m.mass_rate);
        s.mass_rate = &of_state<&MechanicalKernels::mass_rate>;
    }
    std::vector<NodeId> rest = leaves(g, m.v), expanded;
    for (const auto& more : {leaves(g, m.v, 1), leaves(g, m.lambda)}) rest.insert(rest.end(), more.begin(), more.end());
    Expansion expand(c, m);
    for (const int up : {0, 1})
        for (const JetEntry& e : c.formulation.unknowns)
            expanded.push_back(e.variable < static_cast<int>(c.model->variables.size())
                                   ? expand({e.variable, e.order + up})
                                   : g.constant(0.0)); // multipliers that vanish
    k.expand = kernel({all[0], all[1], of_y[2], rest}, expanded);
    if (c.formulation.kind == Reduction::none) { // what methods for index 3 solve their stages with
        k.forces = kernel({all[0], all[1], of_y[2], rest}, slopes_of_forces(m, g, s.forces_pattern));
        s.forces = &of_state<&MechanicalKernels::forces>;
    }
    s.rates = &of_state<&MechanicalKernels::rates>;
    s.position = &of_positions<&MechanicalKernels::position>;
    s.velocity = &of_state<&MechanicalKernels::velocity>;
    s.matrices = &of_positions<&MechanicalKernels::matrices>;
    s.dynamics = &of_state<&MechanicalKernels::dynamics>;
    s.kinematics = &of_state<&MechanicalKernels::kinematics>;
    s.expand = &of_state<&MechanicalKernels::expand>;
    s.identity_kinematics = m.identity_kinematics;
    s.constant_masses = m.constant_masses;
    // Methods for mechanisms have factors of [M L; W 0] anyway, and masses are a better metric than tolerances.
    s.projected_level = c.formulation.kind == Reduction::projection ? 3 : c.formulation.projected_level;
    s.tangent = c.formulation.kind == Reduction::tangent;
    system.facets.set(
        problem::Hamiltonian{m.no_hamiltonian.empty(), m.no_separable.empty(), m.no_hamiltonian, m.no_separable});
    system.facets.set(std::move(s));
}

} // namespace daedalus::compile
