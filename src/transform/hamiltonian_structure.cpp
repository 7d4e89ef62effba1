#include "transform/hamiltonian_structure.hpp"

#include "expr/substitute.hpp"
#include "transform/coordinate_rows.hpp"
#include "transform/random_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace daedalus::transform {

namespace {

constexpr double round_off = 1e-9; ///< of derivatives that are compared, relative to them

bool near(double x, double y) { return std::abs(x - y) <= round_off * (std::abs(x) + std::abs(y) + 1e-3); }

/// Assigns pairs one after the other and goes back where none fits.
class PairSearch {
public:
    PairSearch(const System& system, std::span<const FirstOrder> states) : states_(states), n_(states.size()) {
        std::map<NodeId, std::size_t> column;
        for (std::size_t j = 0; j < n_; ++j) column[states[j].leaf] = j;
        for (auto& sample : slopes_) sample.assign(n_ * n_, 0.0);
        for (std::size_t i = 0; i < n_; ++i)
            for (const expr::Partial& p : expr::gradient(system.graph(), states[i].rate))
                if (const auto at = column.find(p.leaf); at != column.end())
                    for (unsigned point = 0; point < points; ++point)
                        slopes_[point][i * n_ + at->second] = at_random_point(system, p.value, point + 1);
        partner_.assign(n_, -1);
    }
    [[nodiscard]] std::vector<std::pair<int, int>> run() {
        if (!extend()) return {};
        return pairs_;
    }

private:
    static constexpr unsigned points = 2;
    static constexpr int most_visits = 20000; ///< of states; equations as people write them need one per pair

    template <class Test>
    [[nodiscard]] bool everywhere(Test test) const {
        return std::all_of(slopes_.begin(), slopes_.end(), test);
    }
    [[nodiscard]] bool fits(std::size_t q, std::size_t p) const {
        if (states_[q].momentum || states_[p].position) return false;
        if (!everywhere([&](const auto& s) { return s[q * n_ + p] > 0.0; })) return false;
        const auto with = [&](std::size_t r, std::size_t s) { // the pair (r, s)
            return everywhere([&](const auto& d) {
                return near(d[q * n_ + s], d[r * n_ + p]) && near(d[p * n_ + r], d[s * n_ + q]) &&
                       near(d[q * n_ + r], -d[s * n_ + p]) && near(d[r * n_ + q], -d[p * n_ + s]);
            });
        };
        return with(q, p) && std::all_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) {
                   return with(static_cast<std::size_t>(pair.first), static_cast<std::size_t>(pair.second));
               });
    }
    [[nodiscard]] bool extend() {
        const auto free = std::find(partner_.begin(), partner_.end(), -1);
        if (free == partner_.end()) return true;
        const auto i = static_cast<std::size_t>(free - partner_.begin());
        for (std::size_t j = i + 1; j < n_; ++j) {
            if (partner_[j] >= 0) continue;
            for (const bool position : {true, false}) {
                const std::size_t q = position ? i : j, p = position ? j : i;
                if (++visits_ > most_visits) return false;
                if (!fits(q, p)) continue;
                partner_[i] = static_cast<int>(j), partner_[j] = static_cast<int>(i);
                pairs_.emplace_back(static_cast<int>(q), static_cast<int>(p));
                if (extend()) return true;
                pairs_.pop_back();
                partner_[i] = partner_[j] = -1;
            }
        }
        return false;
    }

    std::span<const FirstOrder> states_;
    std::size_t n_;
    std::array<std::vector<double>, points> slopes_; ///< ∂x_i'/∂x_j
    std::vector<int> partner_;
    std::vector<std::pair<int, int>> pairs_;
    int visits_ = 0;
};

class Judge {
public:
    Judge(const System& s, EquationsOfMotion& m) : s_(s), g_(s.graph()), m_(m) {
        for (std::size_t i = 0; i < m.v.size(); ++i) v_.push_back(g_.variable(m.v[i].variable, m.v[i].order));
        for (const JetEntry& y : m.y) y_.push_back(g_.variable(y.variable, y.order));
    }
    void run() {
        const std::vector<int> row_of = rows_of_coordinates(s_, m_);
        if (m_.identity_kinematics && !m_.constant_masses) find_mass_rate();
        m_.no_hamiltonian = why_not(row_of);
        m_.no_separable = !m_.no_hamiltonian.empty() ? m_.no_hamiltonian : why_not_separable();
    }

private:
    [[nodiscard]] bool depends(NodeId e, const std::vector<NodeId>& leaves, bool or_time = false) const {
        const NodeId roots[] = {e};
        const auto below = g_.reachable(roots);
        return std::any_of(below.begin(), below.end(), [&](NodeId n) {
            return g_.op(n) == expr::Op::time ? or_time : std::find(leaves.begin(), leaves.end(), n) != leaves.end();
        });
    }
    [[nodiscard]] bool same(NodeId a, NodeId b, double sign = 1.0) const {
        if (a == b && sign > 0) return true;
        for (unsigned point = 1; point <= 3; ++point)
            if (!near(at_random_point(s_, a, point), sign * at_random_point(s_, b, point))) return false;
        return true;
    }

    void find_mass_rate() {
        expr::TimeDerivative derivative(g_);
        m_.mass_rate.assign(m_.v.size(), g_.constant(0.0));
        for (const auto& e : m_.M) {
            NodeId& sum = m_.mass_rate[static_cast<std::size_t>(e.row)];
            sum = g_.add(sum, g_.mul(derivative(e.value), v_[static_cast<std::size_t>(e.column)]));
        }
    }

    /// ∂list_i/∂leaf_j by (i, j), the list in the order of coordinates.
    [[nodiscard]] std::map<std::pair<int, int>, NodeId> slopes(const std::vector<NodeId>& list,
                                                               const std::vector<NodeId>& leaves) {
        std::map<NodeId, int> column;
        for (std::size_t j = 0; j < leaves.size(); ++j) column[leaves[j]] = static_cast<int>(j);
        std::map<std::pair<int, int>, NodeId> found;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (const expr::Partial& p : expr::gradient(g_, list[i]))
                if (const auto at = column.find(p.leaf); at != column.end())
                    found[{static_cast<int>(i), at->second}] = p.value;
        return found;
    }
    /// a_ij = sign b_ji
    [[nodiscard]] bool transposed(const std::map<std::pair<int, int>, NodeId>& a,
                                  const std::map<std::pair<int, int>, NodeId>& b, double sign = 1.0) {
        const auto covers = [&](const auto& one, const auto& other) {
            return std::all_of(one.begin(), one.end(), [&](const auto& entry) {
                const auto at = other.find({entry.first.second, entry.first.first});
                return same(entry.second, at == other.end() ? g_.constant(0.0) : at->second, sign);
            });
        };
        return covers(a, b) && covers(b, a);
    }

    [[nodiscard]] std::string why_not(const std::vector<int>& row_of) {
        constexpr std::size_t most = 20000; ///< nodes: second derivatives of robots are large
        if (g_.reachable(m_.f).size() > most) return "its equations are too large to be judged";
        const bool timed =
            std::any_of(m_.f.begin(), m_.f.end(), [&](NodeId e) { return depends(e, {}, true); }) ||
            std::any_of(m_.g.begin(), m_.g.end(), [&](NodeId e) { return depends(e, {}, true); }) ||
            std::any_of(m_.M.begin(), m_.M.end(), [&](const auto& e) { return depends(e.value, {}, true); });
        if (timed || m_.holonomic != static_cast<int>(m_.w.size()))
            return "forces or constraints depend on velocities or on time";
        if (row_of.empty() || m_.y.size() != m_.v.size()) return not_canonical;
        return m_.identity_kinematics ? why_not_of_velocities(row_of) : why_not_of_momenta(row_of);
    }

    /// p = M(q) v: p_i' = F_i = ∂(vᵀ M v/2)/∂q_i - ∂U/∂q_i, with F = f + (dM/dt) v.
    [[nodiscard]] std::string why_not_of_velocities(const std::vector<int>& row_of) {
        if (m_.constant_masses && std::any_of(m_.f.begin(), m_.f.end(), [&](NodeId e) { return depends(e, v_); }))
            return "forces or constraints depend on velocities or on time";
        std::map<std::pair<int, int>, NodeId> mass;
        std::map<int, int> coordinate; // of a row
        for (std::size_t i = 0; i < row_of.size(); ++i) coordinate[row_of[i]] = static_cast<int>(i);
        NodeId twice_kinetic = g_.constant(0.0);
        for (const auto& e : m_.M) {
            const int i = coordinate[e.row];
            mass[{i, e.column}] = e.value;
            twice_kinetic = g_.add(twice_kinetic, g_.mul(e.value, g_.mul(v_[static_cast<std::size_t>(i)],
                                                                         v_[static_cast<std::size_t>(e.column)])));
        }
        constexpr const char* no_potential = "forces are not seen to be the gradient of a potential: write each "
                                             "equation as mass times acceleration equals force";
        if (!transposed(mass, mass)) return no_potential;
        std::vector<NodeId> F; // NOLINT(readability-identifier-naming): the letter above
        for (const int row : row_of) {
            const NodeId f = m_.f[static_cast<std::size_t>(row)];
            F.push_back(m_.constant_masses ? f : g_.add(f, m_.mass_rate[static_cast<std::size_t>(row)]));
        }
        const auto by_position = slopes(F, y_);
        if (!transposed(by_position, by_position)) return no_potential;
        if (m_.constant_masses) return {};
        std::vector<NodeId> momenta;
        for (const NodeId v : v_) momenta.push_back(g_.mul(g_.constant(0.5), slope(twice_kinetic, v)));
        if (!transposed(slopes(F, v_), slopes(momenta, y_)))
            return "its mass matrix is not constant, and forces are not those of v' M v/2 and a potential (friction, "
                   "or "
                   "what the derivative of M adds to the forces is missing)";
        return {};
    }
    [[nodiscard]] NodeId slope(NodeId e, NodeId leaf) {
        for (const expr::Partial& p : expr::gradient(g_, e))
            if (p.leaf == leaf) return p.value;
        return g_.constant(0.0);
    }

    /// v are momenta, paired with the positions in their order.
    [[nodiscard]] std::string why_not_of_momenta(const std::vector<int>& row_of) {
        if (!m_.constant_masses || m_.M.size() != m_.v.size()) return not_canonical;
        std::vector<NodeId> F(m_.v.size()); // NOLINT(readability-identifier-naming)
        for (const auto& e : m_.M)
            F[static_cast<std::size_t>(e.column)] = g_.div(m_.f[static_cast<std::size_t>(e.row)], e.value);
        (void)row_of;
        const auto k_v = slopes(m_.k, v_), f_y = slopes(F, y_);
        if (!transposed(k_v, k_v) || !transposed(f_y, f_y) || !transposed(slopes(m_.k, y_), slopes(F, v_), -1.0))
            return not_canonical;
        return {};
    }

    [[nodiscard]] std::string why_not_separable() {
        if (!m_.constant_masses) return "its mass matrix is not constant";
        if (std::any_of(m_.f.begin(), m_.f.end(), [&](NodeId e) { return depends(e, v_); }))
            return "forces depend on momenta";
        if (std::any_of(m_.k.begin(), m_.k.end(), [&](NodeId e) { return depends(e, y_); }))
            return "velocities depend on positions, not on momenta alone";
        return {};
    }

    static constexpr const char* not_canonical =
        "velocities are not the derivatives of positions, and no variables are seen to be their momenta";
    const System& s_;
    expr::Graph& g_;
    EquationsOfMotion& m_;
    std::vector<NodeId> y_, v_;
};

} // namespace

std::vector<std::pair<int, int>> canonical_pairs(const System& system, std::span<const FirstOrder> states) {
    constexpr std::size_t most = 400; ///< the matrix of slopes is full
    if (states.empty() || states.size() % 2 != 0 || states.size() > most) return {};
    return PairSearch(system, states).run();
}

void judge_hamiltonian(const System& system, EquationsOfMotion& motion) { Judge(system, motion).run(); }

} // namespace daedalus::transform
