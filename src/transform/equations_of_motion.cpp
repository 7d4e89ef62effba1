#include "transform/equations_of_motion.hpp"

#include "expr/substitute.hpp"
#include "transform/coordinate_rows.hpp"
#include "transform/hamiltonian_structure.hpp"
#include "transform/random_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace daedalus::transform {

namespace {

using expr::Op;

class Search {
public:
    /// `named`: der(v) = w may give an acceleration the name w.
    Search(const System& s, const ReducedSystem& r, bool named)
        : s_(s), r_(r), g_(s.graph()), named_(named), column_(s.columns()) {
        for (std::size_t i = 0; i < s.equations.size(); ++i) rows_.push_back(s.residual(static_cast<int>(i)));
        alive_.assign(rows_.size(), 1);
    }
    /// Positions and momenta as Hamilton's equations have them, whatever has multipliers or second derivatives.
    [[nodiscard]] static Search canonical(const System& s, const ReducedSystem& r) {
        Search search(s, r, false);
        search.canonical_ = true;
        return search;
    }
    [[nodiscard]] EquationsOfMotion run();

private:
    [[nodiscard]] int column(NodeId leaf) const { return column_[static_cast<std::size_t>(g_.variable_id(leaf))]; }
    [[nodiscard]] int highest(NodeId leaf) const { return r_.highest_written[static_cast<std::size_t>(column(leaf))]; }
    [[nodiscard]] bool leading(NodeId leaf) const {
        const int order = g_.derivative_order(leaf);
        return order > 0 && order == highest(leaf);
    }
    [[nodiscard]] NodeId above(NodeId leaf) const {
        return g_.variable(g_.variable_id(leaf), g_.derivative_order(leaf) + 1);
    }
    [[nodiscard]] NodeId below(NodeId leaf) const {
        return g_.variable(g_.variable_id(leaf), g_.derivative_order(leaf) - 1);
    }
    [[nodiscard]] bool is_lambda(NodeId leaf) const { return highest(leaf) == 0; }
    template <class Test>
    [[nodiscard]] bool depends(NodeId e, Test test) const {
        const NodeId roots[] = {e};
        const auto nodes = g_.reachable(roots);
        return std::any_of(nodes.begin(), nodes.end(), test);
    }
    [[nodiscard]] bool on_leaf(NodeId e, const std::set<NodeId>& leaves) const {
        return depends(e, [&](NodeId n) { return g_.op(n) == Op::variable && leaves.count(n) != 0; });
    }
    [[nodiscard]] bool varies(NodeId e) const {
        return depends(e, [&](NodeId n) { return g_.op(n) == Op::variable || g_.op(n) == Op::time; });
    }
    [[nodiscard]] bool on_time(NodeId e) const {
        return depends(e, [&](NodeId n) { return g_.op(n) == Op::time; });
    }
    [[nodiscard]] NodeId without(NodeId e, const std::set<NodeId>& leaves) const {
        return expr::Substitution(g_,
                                  [&](NodeId leaf) { return leaves.count(leaf) != 0 ? g_.constant(0.0) : leaf; })(e);
    }
    [[nodiscard]] std::string text(std::size_t row) const { return s_.text(static_cast<int>(row), 60); }

    void put_definitions_in();
    [[nodiscard]] bool define_by(std::size_t i);
    [[nodiscard]] bool name_of_acceleration(std::size_t i, bool plain);
    void define(std::size_t i, const expr::Partial& p);
    [[nodiscard]] bool sort_rows();
    [[nodiscard]] bool kinematics();
    [[nodiscard]] bool dynamics();
    [[nodiscard]] bool constraints();
    void judge();
    [[nodiscard]] bool find_momenta();
    [[nodiscard]] bool found() const { return m_.why_not.empty(); }
    [[nodiscard]] NodeId in_rates(NodeId e) const; ///< y' becomes k
    bool fail(std::string why) {
        m_.why_not = std::move(why);
        return false;
    }

    const System& s_;
    const ReducedSystem& r_;
    expr::Graph& g_;
    bool named_, canonical_ = false;
    std::map<NodeId, NodeId> position_of_; ///< per momentum
    std::vector<int> column_;
    std::vector<NodeId> rows_;
    std::vector<char> alive_;
    std::vector<std::size_t> constraint_rows_, velocity_rows_, other_rows_;
    std::set<NodeId> v_, a_, lambda_; ///< leaves
    std::map<NodeId, NodeId> rate_;   ///< leaf y' → k
    EquationsOfMotion m_;
};

/// A row without leading derivatives that has an unknown without derivatives with a constant factor defines it.
bool Search::define_by(std::size_t i) {
    const auto partials = expr::gradient(g_, rows_[i]);
    if (std::any_of(partials.begin(), partials.end(), [&](const auto& p) { return leading(p.leaf); })) return false;
    for (const expr::Partial& p : partials) {
        if (!is_lambda(p.leaf) || varies(p.value)) continue;
        define(i, p);
        return true;
    }
    return false;
}

/// Row i goes, and with it this unknown, which it has with a constant factor.
void Search::define(std::size_t i, const expr::Partial& p) {
    const NodeId leaf = p.leaf;
    const NodeId value = g_.neg(g_.div(without(rows_[i], {leaf}), p.value));
    expr::Substitution put(g_, [&](NodeId l) { return l == leaf ? value : l; });
    alive_[i] = 0;
    for (std::size_t j = 0; j < rows_.size(); ++j)
        if (alive_[j]) rows_[j] = put(rows_[j]);
    for (EquationsOfMotion::Definition& d : m_.definitions) d.value = put(d.value);
    m_.definitions.push_back({{g_.variable_id(leaf), 0}, value});
}

void Search::put_definitions_in() {
    // Accelerations first: rows that have them by name must not be taken for definitions, or M is no longer symmetric.
    for (std::size_t i = 0; named_ && i < rows_.size(); ++i) (void)name_of_acceleration(i, true);
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (alive_[i] && define_by(i)) again = true;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (named_ && alive_[i] && name_of_acceleration(i, false)) again = true;
    }
}

/// der(v) = w, where w occurs elsewhere: w is another name of the acceleration, or, unless it must be `plain`, of a
/// force on one mass alone.
bool Search::name_of_acceleration(std::size_t i, bool plain) {
    const auto partials = expr::gradient(g_, rows_[i]);
    if (partials.size() != 2 || varies(partials[0].value) || varies(partials[1].value)) return false;
    const bool first = is_lambda(partials[0].leaf);
    const expr::Partial &name = partials[first ? 0 : 1], &acceleration = partials[first ? 1 : 0];
    if (!is_lambda(name.leaf) || !leading(acceleration.leaf)) return false;
    const auto is_unit = [&](NodeId e) { return g_.is_constant(e) && std::abs(g_.constant_value(e)) == 1.0; };
    if (plain && (!is_unit(name.value) || !is_unit(acceleration.value))) return false;
    for (std::size_t j = 0; j < rows_.size(); ++j)
        if (j != i && alive_[j] && on_leaf(rows_[j], {name.leaf})) {
            define(i, name);
            return true;
        }
    return false;
}

bool Search::sort_rows() {
    std::vector<std::vector<NodeId>> leads(rows_.size());
    std::vector<char> of_velocity(rows_.size(), 0);
    std::set<NodeId> leading_of_velocity;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!alive_[i]) continue;
        for (const expr::Partial& p : expr::gradient(g_, rows_[i])) {
            if (leading(p.leaf)) leads[i].push_back(p.leaf);
            if (is_lambda(p.leaf)) lambda_.insert(p.leaf);
            const bool lead = leading(p.leaf);
            if (canonical_ ? lead && position_of_.count(below(p.leaf)) != 0
                           : is_lambda(p.leaf) || (lead && highest(p.leaf) == 2))
                of_velocity[i] = 1;
            if (highest(p.leaf) > 2)
                return fail(
                    fmt::format("'{}' has derivatives beyond the second", s_.name({g_.variable_id(p.leaf), 0})));
        }
        if (leads[i].size() > 1 && !canonical_) of_velocity[i] = 1; // no rate of a position
        if (leads[i].empty()) {
            if (of_velocity[i] && !canonical_)
                return fail(fmt::format("`{}` determines no acceleration, and defines nothing", text(i)));
            constraint_rows_.push_back(i);
        }
    }
    for (bool again = true; again;) { // rows that share an acceleration belong together
        again = false;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (leads[i].empty()) continue;
            for (const NodeId leaf : leads[i])
                if (!of_velocity[i] && leading_of_velocity.count(leaf) != 0) of_velocity[i] = 1;
            if (of_velocity[i])
                for (const NodeId leaf : leads[i]) again = leading_of_velocity.insert(leaf).second || again;
        }
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (!leads[i].empty()) (of_velocity[i] ? velocity_rows_ : other_rows_).push_back(i);
    if (velocity_rows_.empty()) return fail("no equation has a second derivative or a multiplier");
    if (leading_of_velocity.size() != velocity_rows_.size())
        return fail(fmt::format("{} equations of motion have {} accelerations", velocity_rows_.size(),
                                leading_of_velocity.size()));
    if (lambda_.size() != constraint_rows_.size())
        return fail(
            fmt::format("there are {} constraints and {} multipliers", constraint_rows_.size(), lambda_.size()));
    a_ = leading_of_velocity;
    for (const NodeId leaf : a_) {
        const int variable = g_.variable_id(leaf), order = g_.derivative_order(leaf);
        m_.v.push_back({variable, order - 1});
        v_.insert(g_.variable(variable, order - 1));
        if (order == 2 && !canonical_) m_.y.push_back({variable, 0});
        if (order == 2 && !canonical_) m_.k.push_back(g_.variable(variable, 1));
    }
    for (const NodeId leaf : lambda_) m_.lambda.push_back({g_.variable_id(leaf), 0});
    m_.identity_kinematics = m_.y.size() == m_.v.size() && other_rows_.empty();
    return true;
}

bool Search::kinematics() {
    for (const std::size_t i : other_rows_) {
        NodeId own = expr::no_node, factor = expr::no_node;
        for (const expr::Partial& p : expr::gradient(g_, rows_[i])) {
            if (!leading(p.leaf)) continue;
            if (own != expr::no_node) return fail(fmt::format("`{}` has more than one derivative", text(i)));
            own = p.leaf;
            factor = p.value;
        }
        if (on_leaf(factor, {own}) || rate_.count(own) != 0)
            return fail(fmt::format("`{}` does not tell a derivative", text(i)));
        const NodeId k = g_.neg(g_.div(without(rows_[i], {own}), factor));
        rate_[own] = k;
        if (canonical_) continue;
        m_.y.push_back({g_.variable_id(own), 0});
        m_.k.push_back(k);
    }
    for (std::size_t i = 0; canonical_ && i < m_.v.size(); ++i) {
        const NodeId q = position_of_.at(g_.variable(m_.v[i].variable, m_.v[i].order)), slope = above(q);
        m_.y.push_back({g_.variable_id(q), 0});
        m_.k.push_back(rate_.count(slope) != 0 ? rate_.at(slope) : slope);
    }
    return true;
}

NodeId Search::in_rates(NodeId e) const {
    return expr::Substitution(g_, [&](NodeId leaf) {
        const auto it = rate_.find(leaf);
        return it == rate_.end() ? leaf : it->second;
    })(e);
}

bool Search::dynamics() {
    std::set<NodeId> gone = a_;
    gone.insert(lambda_.begin(), lambda_.end());
    const std::vector<NodeId> a(a_.begin(), a_.end()), lambda(lambda_.begin(), lambda_.end());
    std::set<NodeId> moving = gone;
    moving.insert(v_.begin(), v_.end());
    int row = 0;
    for (const std::size_t i : velocity_rows_) {
        for (const expr::Partial& p : expr::gradient(g_, rows_[i])) {
            const auto at = a_.find(p.leaf);
            const auto force = lambda_.find(p.leaf);
            if (at == a_.end() && force == lambda_.end()) continue;
            if (on_leaf(p.value, gone))
                return fail(
                    fmt::format("`{}` is not linear in {}", text(i), at != a_.end() ? "accelerations" : "multipliers"));
            if (on_leaf(p.value, moving))
                return fail(fmt::format("in `{}` the factor of {} depends on velocities", text(i),
                                        at != a_.end() ? "an acceleration" : "a multiplier"));
            if (at != a_.end())
                m_.M.push_back({row, static_cast<int>(std::distance(a_.begin(), at)), p.value});
            else
                m_.L.push_back({row, static_cast<int>(std::distance(lambda_.begin(), force)), p.value});
        }
        m_.f.push_back(g_.neg(without(rows_[i], gone)));
        ++row;
    }
    return true;
}

bool Search::constraints() {
    expr::TimeDerivative derivative(g_);
    std::vector<std::size_t> non_holonomic;
    for (const std::size_t i : constraint_rows_) {
        const bool of_velocity = on_leaf(rows_[i], v_);
        if (of_velocity) non_holonomic.push_back(i);
        if (of_velocity) continue;
        m_.g.push_back(rows_[i]);
        m_.w.push_back(in_rates(derivative(rows_[i])));
        m_.rows.push_back(static_cast<int>(i));
    }
    m_.holonomic = static_cast<int>(m_.g.size());
    for (const std::size_t i : non_holonomic) {
        m_.w.push_back(rows_[i]);
        m_.rows.push_back(static_cast<int>(i));
    }
    int row = 0;
    for (const NodeId w : m_.w) {
        for (const expr::Partial& p : expr::gradient(g_, w)) {
            if (v_.count(p.leaf) == 0) continue;
            if (on_leaf(p.value, v_)) return fail("a constraint is not linear in velocities");
            // Leaves of v and of v' are in the same order of variables only if searched by variable.
            const JetEntry entry{g_.variable_id(p.leaf), g_.derivative_order(p.leaf)};
            const auto at = std::find(m_.v.begin(), m_.v.end(), entry);
            m_.W.push_back({row, static_cast<int>(at - m_.v.begin()), p.value});
        }
        m_.gamma.push_back(without(in_rates(derivative(w)), a_));
        ++row;
    }
    return true;
}

void Search::judge() {
    m_.constant_masses = std::none_of(m_.M.begin(), m_.M.end(), [&](const auto& e) { return varies(e.value); });
    judge_hamiltonian(s_, m_);
}

/// Which leaves are positions and which momenta; false: that cannot be told. Every row must have one derivative.
bool Search::find_momenta() {
    std::vector<FirstOrder> states;
    std::set<NodeId> in_constraints, with_force;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (!alive_[i]) continue;
        NodeId lead = expr::no_node, factor = expr::no_node;
        bool force = false;
        const auto partials = expr::gradient(g_, rows_[i]);
        for (const expr::Partial& p : partials) {
            force = force || is_lambda(p.leaf);
            if (!leading(p.leaf)) continue;
            if (lead != expr::no_node || varies(p.value) || highest(p.leaf) > 2) return false;
            lead = p.leaf, factor = p.value;
        }
        if (lead == expr::no_node) {
            for (const expr::Partial& p : partials) in_constraints.insert(p.leaf);
            continue;
        }
        const int variable = g_.variable_id(lead), order = g_.derivative_order(lead);
        const NodeId rate = g_.neg(g_.div(without(rows_[i], {lead}), factor));
        if (order == 2) states.push_back({g_.variable(variable, 0), g_.variable(variable, 1), true, false});
        states.push_back({g_.variable(variable, order - 1), rate, false, order == 2 || force});
    }
    for (FirstOrder& s : states) s.position = s.position || in_constraints.count(s.leaf) != 0;
    for (const auto& [q, p] : canonical_pairs(s_, states))
        position_of_[states[static_cast<std::size_t>(p)].leaf] = states[static_cast<std::size_t>(q)].leaf;
    return !position_of_.empty();
}

EquationsOfMotion Search::run() {
    constexpr std::size_t most = 5000; // equations: the search is quadratic in definitions
    if (rows_.size() > most) {
        (void)fail(fmt::format("more than {} equations", most));
        return std::move(m_);
    }
    put_definitions_in();
    if (canonical_ && !find_momenta()) (void)fail("no variables are seen to be momenta");
    if (found() && sort_rows() && kinematics() && dynamics() && constraints()) judge();
    return std::move(m_);
}

/// X of A X = B by elimination with row exchanges; false: singular.
bool solve(std::vector<std::vector<double>> A, std::vector<std::vector<double>>& B) { // NOLINT: matrices
    const std::size_t n = A.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
        if (!(std::abs(A[pivot][k]) > 1e-12)) return false;
        std::swap(A[k], A[pivot]);
        std::swap(B[k], B[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const double factor = A[i][k] / A[k][k];
            for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
            for (std::size_t j = 0; j < B[i].size(); ++j) B[i][j] -= factor * B[k][j];
        }
    }
    for (std::size_t k = 0; k < n; ++k)
        for (double& b : B[k]) b /= A[k][k];
    return true;
}

} // namespace

/// S = W M⁻¹ L at a random point: its largest entries, one to a row and column, pair constraints and multipliers. Where
/// S, so ordered and with signs, is not definite, the forces of a violation might not oppose it.
Pairing pair_multipliers(const System& system, const EquationsOfMotion& m) {
    const std::size_t n = m.v.size(), c = m.w.size();
    using Matrix = std::vector<std::vector<double>>;
    Matrix M(n, std::vector<double>(n, 0.0)), X(n, std::vector<double>(2 * c, 0.0)); // X: M⁻¹ (L, Wᵀ)
    Matrix S(c, std::vector<double>(2 * c, 0.0));
    const auto at = [&](NodeId e) { return at_random_point(system, e, 1); };
    for (const auto& e : m.M) M[static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)] = at(e.value);
    for (const auto& e : m.L) X[static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)] = at(e.value);
    const std::vector<int> row_of = rows_of_coordinates(system, m); // forces stand in rows, velocities in columns
    if (row_of.empty()) return {};
    for (const auto& e : m.W)
        X[static_cast<std::size_t>(row_of[static_cast<std::size_t>(e.column)])][c + static_cast<std::size_t>(e.row)] =
            at(e.value);
    if (!solve(M, X)) return {};
    for (const auto& e : m.W)
        for (std::size_t j = 0; j < 2 * c; ++j)
            S[static_cast<std::size_t>(e.row)][j] += at(e.value) * X[static_cast<std::size_t>(e.column)][j];
    Pairing pairing{std::vector<int>(c, -1), std::vector<double>(c, 1.0)};
    std::vector<char> taken(c, 0);
    for (std::size_t round = 0; round < c; ++round) {
        double largest = 0.0;
        std::size_t row = 0, column = 0;
        for (std::size_t i = 0; i < c; ++i)
            for (std::size_t j = 0; j < c; ++j)
                if (pairing.multiplier[i] < 0 && !taken[j] && std::abs(S[i][j]) > largest)
                    largest = std::abs(S[i][j]), row = i, column = j;
        if (largest == 0.0) return {};
        pairing.multiplier[row] = static_cast<int>(column);
        pairing.factor[row] = S[row][c + row] / S[row][column];
        taken[column] = 1;
    }
    Matrix A(c, std::vector<double>(c, 0.0)); // symmetric part, to be positive definite (Cholesky)
    for (std::size_t i = 0; i < c; ++i)
        for (std::size_t j = 0; j < c; ++j) {
            const double half = 0.5 * S[i][static_cast<std::size_t>(pairing.multiplier[j])] * pairing.factor[j];
            A[i][j] += half;
            A[j][i] += half;
        }
    for (std::size_t k = 0; k < c; ++k) {
        if (!(A[k][k] > 0.0)) return {};
        for (std::size_t i = k + 1; i < c; ++i)
            for (std::size_t j = k + 1; j < c; ++j) A[i][j] -= A[i][k] * A[k][j] / A[k][k];
    }
    return pairing;
}

EquationsOfMotion equations_of_motion(const System& system, const ReducedSystem& reduced) {
    EquationsOfMotion found = Search(system, reduced, true).run();
    if (!found.found() || !found.identity_kinematics) {
        EquationsOfMotion canonical = Search::canonical(system, reduced).run();
        if (canonical.found() && canonical.no_hamiltonian.empty()) return canonical;
    }
    if (found.found()) return found;
    // Where a force alone moves a unit mass, der(v) = λ, a multiplier looks like the name of an acceleration.
    EquationsOfMotion other = Search(system, reduced, false).run();
    return other.found() ? other : found;
}

} // namespace daedalus::transform
