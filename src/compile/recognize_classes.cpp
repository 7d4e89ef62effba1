#include "compile/recognize_classes.hpp"

#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <random>

namespace daedalus::compile {

namespace {

using expr::NodeId;
using expr::Op;

constexpr int far_away = 1'000'000; // no multiplier is felt there

class Recognition {
public:
    Recognition(const transform::System& s, const transform::ReducedSystem& r, int index)
        : s_(s), r_(r), g_(s.graph()), column_(s.columns()), index_(index) {
        for (std::size_t i = 0; i < s.equations.size(); ++i)
            rows_.push_back(expr::gradient(g_, s.residual(static_cast<int>(i))));
        sort_rows();
        join_blocks();
        find_levels();
    }
    [[nodiscard]] std::vector<SpecialClass> classes();

private:
    [[nodiscard]] int column(NodeId leaf) const { return column_[static_cast<std::size_t>(g_.variable_id(leaf))]; }
    [[nodiscard]] int highest(int col) const { return r_.highest_written[static_cast<std::size_t>(col)]; }
    [[nodiscard]] bool leading(NodeId leaf) const {
        const int order = g_.derivative_order(leaf);
        return order > 0 && column(leaf) >= 0 && order == highest(column(leaf));
    }
    [[nodiscard]] bool dynamic(int row) const { return dynamic_[static_cast<std::size_t>(row)] != 0; }
    /// What an expression depends on.
    template <typename Test>
    [[nodiscard]] bool depends(NodeId expression, Test test) const {
        const NodeId roots[] = {expression};
        const auto below = g_.reachable(roots);
        return std::any_of(below.begin(), below.end(), test);
    }
    [[nodiscard]] bool on_variables(NodeId e) const {
        return depends(e, [&](NodeId n) { return g_.op(n) == Op::variable; });
    }
    [[nodiscard]] bool on_time(NodeId e) const {
        return depends(e, [&](NodeId n) { return g_.op(n) == Op::time; });
    }
    /// At a random point, the same for every expression; parameters have their values.
    [[nodiscard]] double at_random_point(NodeId e, unsigned point) const;
    [[nodiscard]] double random_leaf(NodeId leaf, unsigned point) const;
    [[nodiscard]] bool all_vanish(const std::vector<NodeId>& list) const;

    void sort_rows();
    void join_blocks();
    void find_levels();
    [[nodiscard]] int block(int row) { // union-find over rows
        while (block_[static_cast<std::size_t>(row)] != row) row = block_[static_cast<std::size_t>(row)];
        return row;
    }
    /// Node of the dependency graph: a state x^(k), or an algebraic variable.
    [[nodiscard]] int node(NodeId leaf) const {
        return offset_[static_cast<std::size_t>(column(leaf))] + g_.derivative_order(leaf);
    }
    [[nodiscard]] bool linear_in_leading() const;
    [[nodiscard]] bool regular_blocks();
    [[nodiscard]] bool integral_form() const;
    [[nodiscard]] bool hessenberg(int m) const;
    [[nodiscard]] bool mechanical() const;
    [[nodiscard]] bool is_velocity_of(int col) const;
    [[nodiscard]] int acceleration_of(int col) const;
    [[nodiscard]] bool forces_are_normal() const;

    const transform::System& s_;
    const transform::ReducedSystem& r_;
    expr::Graph& g_;
    std::vector<int> column_;
    int index_;
    std::vector<std::vector<expr::Partial>> rows_;
    std::vector<char> dynamic_;
    std::vector<int> constraints_, multipliers_; ///< rows, columns
    std::vector<int> block_;                     ///< rows that share leading derivatives
    std::vector<int> offset_, level_;
};

double Recognition::random_leaf(NodeId leaf, unsigned point) const {
    if (g_.op(leaf) == Op::parameter) {
        const auto id = static_cast<std::size_t>(g_.parameter_id(leaf));
        return id < s_.parameters.size() ? s_.parameters[id] : 1.0;
    }
    std::minstd_rand random(expr::index(leaf) * 7919U + point * 104729U + 1U);
    random.discard(3);
    return std::uniform_real_distribution<double>(0.3, 1.4)(random);
}

double Recognition::at_random_point(NodeId e, unsigned point) const {
    return expr::evaluate(g_, e, [&](NodeId leaf) { return random_leaf(leaf, point); });
}

bool Recognition::all_vanish(const std::vector<NodeId>& list) const {
    constexpr double round_off = 1e-10; // of terms of size 1
    for (unsigned point = 1; point <= 3; ++point)
        for (const double value : expr::evaluate(g_, list, [&](NodeId leaf) { return random_leaf(leaf, point); }))
            if (!(std::abs(value) < round_off)) return false;
    return true;
}

void Recognition::sort_rows() {
    for (const auto& row : rows_)
        dynamic_.push_back(std::any_of(row.begin(), row.end(), [&](const auto& p) { return leading(p.leaf); }) ? 1 : 0);
    const auto& match = r_.analysis.transversal;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (!dynamic_[i] && highest(match.column_of_row[i]) > 0) constraints_.push_back(static_cast<int>(i));
    for (std::size_t j = 0; j < match.row_of_column.size(); ++j)
        if (highest(static_cast<int>(j)) == 0 && dynamic(match.row_of_column[j]))
            multipliers_.push_back(static_cast<int>(j));
}

void Recognition::join_blocks() {
    block_.resize(rows_.size());
    std::iota(block_.begin(), block_.end(), 0);
    std::map<int, int> first; // column of a leading derivative → a row that has it
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (const expr::Partial& p : rows_[i]) {
            if (!leading(p.leaf)) continue;
            const auto [at, is_new] = first.emplace(column(p.leaf), static_cast<int>(i));
            if (!is_new) block_[static_cast<std::size_t>(block(static_cast<int>(i)))] = block(at->second);
        }
}

/// 0–1 breadth-first search from the multipliers to whatever is found from them.
void Recognition::find_levels() {
    const std::size_t n = r_.highest_written.size();
    int nodes = 0;
    for (std::size_t j = 0; j < n; ++j) {
        offset_.push_back(nodes);
        nodes += std::max(1, r_.highest_written[j]);
    }
    struct User {
        int node, cost;
    };
    std::vector<std::vector<User>> users(static_cast<std::size_t>(nodes));
    std::vector<std::vector<int>> found(rows_.size()); // per block, the states whose derivatives it gives
    for (std::size_t j = 0; j < n; ++j) {
        const int k = r_.highest_written[j];
        for (int order = 0; order + 1 < k; ++order) // x^(order)' = x^(order+1)
            users[static_cast<std::size_t>(offset_[j] + order + 1)].push_back({offset_[j] + order, 1});
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (const expr::Partial& p : rows_[i])
            if (leading(p.leaf))
                found[static_cast<std::size_t>(block(static_cast<int>(i)))].push_back(node(p.leaf) - 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const int matched = r_.analysis.transversal.column_of_row[i];
        std::vector<User> here;
        if (dynamic_[i])
            for (const int state : found[static_cast<std::size_t>(block(static_cast<int>(i)))])
                here.push_back({state, 1});
        else if (highest(matched) == 0)
            here.push_back({offset_[static_cast<std::size_t>(matched)], 0});
        for (const expr::Partial& p : rows_[i])
            if (!leading(p.leaf))
                for (const User& u : here)
                    if (u.node != node(p.leaf)) users[static_cast<std::size_t>(node(p.leaf))].push_back(u);
    }
    level_.assign(static_cast<std::size_t>(nodes), far_away);
    std::deque<int> queue;
    for (const int j : multipliers_) {
        level_[static_cast<std::size_t>(offset_[static_cast<std::size_t>(j)])] = 0;
        queue.push_back(offset_[static_cast<std::size_t>(j)]);
    }
    while (!queue.empty()) {
        const int at = queue.front();
        queue.pop_front();
        for (const User& u : users[static_cast<std::size_t>(at)]) {
            const int level = level_[static_cast<std::size_t>(at)] + u.cost;
            if (level >= level_[static_cast<std::size_t>(u.node)]) continue;
            level_[static_cast<std::size_t>(u.node)] = level;
            if (u.cost == 0)
                queue.push_front(u.node);
            else
                queue.push_back(u.node);
        }
    }
}

bool Recognition::linear_in_leading() const {
    for (const auto& row : rows_)
        for (const expr::Partial& p : row)
            if (leading(p.leaf) && depends(p.value, [&](NodeId n) { return g_.op(n) == Op::variable && leading(n); }))
                return false;
    return true;
}

/// Every block has as many rows as leading derivatives, and a matrix of their factors that is regular.
bool Recognition::regular_blocks() {
    std::map<int, std::vector<int>> members;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (dynamic_[i]) members[block(static_cast<int>(i))].push_back(static_cast<int>(i));
    constexpr std::size_t largest = 60; // beyond, the determinant of a random point is not computed
    for (const auto& [root, list] : members) {
        std::map<int, std::size_t> columns;
        for (const int i : list)
            for (const expr::Partial& p : rows_[static_cast<std::size_t>(i)])
                if (leading(p.leaf)) columns.emplace(column(p.leaf), columns.size());
        const std::size_t n = list.size();
        if (columns.size() != n) return false;
        if (n > largest) continue;
        std::vector<std::vector<double>> m(n, std::vector<double>(n, 0.0));
        for (std::size_t i = 0; i < n; ++i)
            for (const expr::Partial& p : rows_[static_cast<std::size_t>(list[i])])
                if (leading(p.leaf)) m[i][columns[column(p.leaf)]] = at_random_point(p.value, 1);
        for (std::size_t k = 0; k < n; ++k) { // elimination; a pivot of round-off's size means singular
            std::size_t pivot = k;
            double scale = 0.0;
            for (std::size_t i = k; i < n; ++i)
                for (std::size_t j = k; j < n; ++j) scale = std::max(scale, std::abs(m[i][j]));
            for (std::size_t i = k; i < n; ++i)
                if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
            if (std::abs(m[pivot][k]) <= 1e-12 * scale || scale == 0.0) return false;
            std::swap(m[k], m[pivot]);
            for (std::size_t i = k + 1; i < n; ++i)
                for (std::size_t j = n; j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
        }
    }
    return true;
}

/// ∂E_ij/∂x_k = ∂E_ik/∂x_j for all j, k, where E_ik = 0 for derivatives that do not occur in row i.
bool Recognition::integral_form() const {
    std::vector<NodeId> differences;
    for (const auto& row : rows_) {
        std::map<int, std::map<int, NodeId>> slopes; // ∂E_ij/∂x_k by j and k
        for (const expr::Partial& p : row)
            if (g_.derivative_order(p.leaf) == 1) {
                auto& of_factor = slopes[g_.variable_id(p.leaf)];
                for (const expr::Partial& q : expr::gradient(g_, p.value))
                    if (g_.derivative_order(q.leaf) == 0) of_factor.emplace(g_.variable_id(q.leaf), q.value);
            }
        for (const auto& [j, of_factor] : slopes)
            for (const auto& [k, value] : of_factor) {
                if (k == j) continue;
                NodeId mirrored = g_.constant(0.0);
                if (const auto other = slopes.find(k); other != slopes.end())
                    if (const auto entry = other->second.find(j); entry != other->second.end())
                        mirrored = entry->second;
                if (value != mirrored) differences.push_back(g_.sub(value, mirrored));
            }
    }
    return all_vanish(differences);
}

bool Recognition::hessenberg(int m) const {
    if (constraints_.empty() || constraints_.size() != multipliers_.size() || m < 2) return false;
    for (const int i : constraints_) {
        int lowest = far_away;
        for (const expr::Partial& p : rows_[static_cast<std::size_t>(i)])
            lowest = std::min(lowest, level_[static_cast<std::size_t>(node(p.leaf))]);
        if (lowest != m - 1 || r_.analysis.c[static_cast<std::size_t>(i)] != m - 1) return false;
    }
    return true;
}

/// q' = u up to a constant factor: by a second derivative, or by a row of its own.
bool Recognition::is_velocity_of(int col) const {
    if (highest(col) == 2) return true;
    if (highest(col) != 1) return false;
    const std::vector<expr::Partial>* own = nullptr;
    for (const auto& row : rows_)
        for (const expr::Partial& p : row)
            if (column(p.leaf) == col && leading(p.leaf)) {
                if (own != nullptr) return false;
                own = &row;
            }
    return own != nullptr && own->size() == 2 && std::all_of(own->begin(), own->end(), [&](const expr::Partial& p) {
               return !on_variables(p.value) && !on_time(p.value) && highest(column(p.leaf)) > 0;
           });
}

/// The variable whose leading derivative is the second one of a position.
int Recognition::acceleration_of(int col) const {
    if (highest(col) == 2) return col;
    for (const auto& row : rows_)
        if (std::any_of(row.begin(), row.end(),
                        [&](const expr::Partial& p) { return column(p.leaf) == col && leading(p.leaf); }))
            for (const expr::Partial& p : row)
                if (column(p.leaf) != col) return column(p.leaf);
    return -1;
}

/// One constraint, masses that are constants, one to a row: the force on coordinate i is λ ∂g/∂q_i over m_i, so that
/// what stands before λ is a multiple of the gradient, the same everywhere and of one sign. Other systems are not
/// asked: several multipliers may be combinations of those that belong to the constraints.
bool Recognition::forces_are_normal() const {
    if (constraints_.size() != 1) return true;
    double sign = 0.0;
    std::map<int, NodeId> gradient; // by acceleration
    for (const expr::Partial& p : rows_[static_cast<std::size_t>(constraints_[0])]) {
        if (highest(column(p.leaf)) == 0) return true; // an abbreviation
        gradient[acceleration_of(column(p.leaf))] = p.value;
    }
    for (const auto& row : rows_) {
        const expr::Partial *mass = nullptr, *force = nullptr;
        int accelerations = 0;
        for (const expr::Partial& p : row) {
            if (column(p.leaf) == multipliers_[0]) force = &p;
            const bool abbreviation = highest(column(p.leaf)) == 0 && column(p.leaf) != multipliers_[0];
            if (abbreviation &&
                depends(p.value, [&](NodeId n) { return g_.op(n) == Op::variable && column(n) == multipliers_[0]; }))
                return true;
            if (leading(p.leaf) && gradient.count(column(p.leaf)) != 0 && ++accelerations == 1) mass = &p;
        }
        if (accelerations > 1 || (mass != nullptr && (on_variables(mass->value) || on_time(mass->value)))) return true;
        if (force == nullptr || mass == nullptr) continue;
        double ratio = 0.0;
        for (unsigned point = 1; point <= 3; ++point) {
            const double now = at_random_point(force->value, point) / at_random_point(mass->value, point) /
                               at_random_point(gradient[column(mass->leaf)], point);
            constexpr double round_off = 1e-8;
            if (!std::isfinite(now) || (point > 1 && std::abs(now - ratio) > round_off * std::abs(ratio))) return false;
            ratio = now;
        }
        if (ratio * sign < 0.0) return false;
        sign = ratio;
    }
    return true;
}

bool Recognition::mechanical() const {
    if (!hessenberg(3)) return false;
    for (const int i : constraints_)
        for (const expr::Partial& p : rows_[static_cast<std::size_t>(i)])
            if (highest(column(p.leaf)) > 0 && (g_.derivative_order(p.leaf) > 0 || !is_velocity_of(column(p.leaf))))
                return false;
    const auto is_multiplier = [&](NodeId n) {
        return g_.op(n) == Op::variable &&
               std::find(multipliers_.begin(), multipliers_.end(), column(n)) != multipliers_.end();
    };
    for (const auto& row : rows_)
        for (const expr::Partial& p : row)
            if (is_multiplier(p.leaf) && depends(p.value, is_multiplier)) return false;
    return forces_are_normal();
}

std::vector<SpecialClass> Recognition::classes() {
    std::vector<SpecialClass> list;
    bool constant = true, linear = true, plain = true;
    for (const auto& row : rows_)
        for (const expr::Partial& p : row) {
            const bool varies = on_variables(p.value), timed = on_time(p.value);
            linear = linear && !varies;
            constant = constant && !varies && !timed;
            if (g_.derivative_order(p.leaf) > 0) plain = plain && !varies;
        }
    if (constant)
        list.push_back({ClassKind::linear_constant, "linear with constant coefficients (HW (1.1))"});
    else if (linear)
        list.push_back({ClassKind::linear_in_time, "linear with time-dependent coefficients (HW (1.8))"});
    const bool differential = std::any_of(dynamic_.begin(), dynamic_.end(), [](char d) { return d != 0; });
    if (!differential || !linear_in_leading()) return list;
    const bool first_order =
        std::all_of(r_.highest_written.begin(), r_.highest_written.end(), [](int k) { return k < 2; });
    const bool explicit_form = regular_blocks();
    if (!explicit_form && !linear)
        list.push_back({ClassKind::linearly_implicit, "linearly implicit, E(t, x) x' = φ(t, x) (S (4))"});
    if (first_order && (!explicit_form || !plain) && integral_form())
        list.push_back({ClassKind::integral_form, "integral form, a_x(t, x) x' + b(t, x) = 0 (W 1.3)"});
    const bool algebraic =
        std::any_of(r_.highest_written.begin(), r_.highest_written.end(), [](int k) { return k == 0; });
    if (explicit_form && algebraic && index_ == 1 && constraints_.empty())
        list.push_back({ClassKind::semi_explicit, "semi-explicit index 1 (HW (1.13))"});
    if (explicit_form && hessenberg(index_))
        list.push_back({ClassKind::hessenberg, fmt::format("Hessenberg form of index {} ({})", index_,
                                                           index_ == 2   ? "HW (1.14)"
                                                           : index_ == 3 ? "HW (1.15)"
                                                                         : "W (2.12)")});
    if (index_ == 3 && mechanical())
        list.push_back({ClassKind::mechanical, "constrained mechanical system, index 3 (HW (1.46))"});
    return list;
}

} // namespace

std::vector<SpecialClass> recognize_classes(const transform::System& s, const transform::ReducedSystem& r, int index) {
    std::vector<SpecialClass> list;
    const auto& hw = r.highest_written;
    const bool differential = std::any_of(hw.begin(), hw.end(), [](int k) { return k > 0; });
    if (!differential) list.push_back({ClassKind::algebraic, "purely algebraic"});
    if (differential && index == 0) list.push_back({ClassKind::ordinary, "ordinary differential equation (HW VII.1)"});
    constexpr std::size_t most = 2000;
    if (s.equations.size() > most || !r.analysis.regular) return list;
    for (SpecialClass& found : Recognition(s, r, index).classes()) list.push_back(std::move(found));
    return list;
}

} // namespace daedalus::compile
