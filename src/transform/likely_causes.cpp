#include "transform/likely_causes.hpp"

#include "expr/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace daedalus::transform {

namespace {

using expr::Op;

constexpr int samples = 3;
constexpr double tolerance = 1e-12;    // a coincidence at three random points is no coincidence
constexpr std::size_t largest = 5'000; // equations; a larger model is described by its structure alone

bool close(double a, double b) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

} // namespace

LikelyCauses::LikelyCauses(const System& system)
    : s_(system), column_(system.columns()), lowest_(system.variables.size(), -1), highest_(lowest_) {
    const expr::Graph& g = s_.graph();
    for (std::size_t i = 0; i < s_.equations.size(); ++i) {
        const NodeId roots[] = {s_.residual(static_cast<int>(i))};
        for (const NodeId node : g.reachable(roots)) {
            if (g.op(node) != Op::variable) continue;
            const auto j = static_cast<std::size_t>(column_[static_cast<std::size_t>(g.variable_id(node))]);
            const int order = g.derivative_order(node);
            lowest_[j] = lowest_[j] < 0 ? order : std::min(lowest_[j], order);
            highest_[j] = std::max(highest_[j], order);
        }
    }
}

// Reproducible, different for every leaf and sample, away from 0 and 1. Scattered (SplitMix64, Steele, Lea & Flood
// 2014): of numbers that follow a rule, as multiples of the golden section do, der(x) − u and der(y) − v would have the
// same value wherever their leaves are equally far apart.
double LikelyCauses::leaf_value(NodeId leaf, int sample) const {
    const expr::Graph& g = s_.graph();
    if (g.op(leaf) == Op::parameter) return s_.parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
    std::uint64_t z = (3ULL * static_cast<std::uint64_t>(expr::index(leaf)) + static_cast<std::uint64_t>(sample) + 1) *
                      0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return 0.3 + 0.5 * std::ldexp(static_cast<double>(z >> 11), -53);
}

double LikelyCauses::value(NodeId expression, int sample) const {
    return expr::evaluate(s_.graph(), expression, [&](NodeId leaf) { return leaf_value(leaf, sample); });
}

std::vector<LikelyCauses::Duplicate> LikelyCauses::duplicates(const std::vector<int>& rows) const {
    std::vector<Duplicate> found;
    if (rows.size() > largest) return found;
    std::vector<std::vector<double>> values;
    for (const int i : rows) {
        std::vector<double> v;
        for (int s = 0; s < samples; ++s) v.push_back(value(s_.residual(i), s));
        values.push_back(std::move(v));
    }
    // Multiples of each other have the same ratio of two samples: neighbours once sorted by it.
    const auto ratio = [&](std::size_t i) { return values[i][1] / values[i][0]; };
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (std::isfinite(ratio(i))) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ratio(a) < ratio(b); });
    std::vector<char> named(rows.size(), 0);
    for (std::size_t p = 0; p < order.size(); ++p) {
        for (std::size_t q = p + 1; q < order.size() && close(ratio(order[p]), ratio(order[q])); ++q) {
            const std::size_t a = std::min(order[p], order[q]), b = std::max(order[p], order[q]);
            const double factor = values[b][0] / values[a][0];
            bool same = std::isfinite(factor) && factor != 0.0 && named[b] == 0;
            for (std::size_t k = 1; k < values[a].size(); ++k)
                same = same && close(values[b][k], factor * values[a][k]);
            if (!same) continue;
            named[b] = 1;
            found.push_back({rows[a], rows[b], factor});
        }
    }
    std::sort(found.begin(), found.end(), [](const Duplicate& x, const Duplicate& y) { return x.second < y.second; });
    return found;
}

std::vector<std::vector<int>> LikelyCauses::only_differences(const std::vector<int>& columns) const {
    constexpr std::size_t most = 800; // dense elimination: half a second
    if (s_.equations.size() > most) return {};
    expr::Graph& g = s_.graph();
    struct Entry {
        int column, order;
        double value;
    };
    std::vector<std::vector<Entry>> rows;
    for (std::size_t i = 0; i < s_.equations.size(); ++i) {
        std::vector<Entry> row;
        for (const expr::Partial& p : expr::gradient(g, s_.residual(static_cast<int>(i))))
            row.push_back({column_[static_cast<std::size_t>(g.variable_id(p.leaf))], g.derivative_order(p.leaf),
                           value(p.value, 0)});
        rows.push_back(std::move(row));
    }
    // Shifts p with Σ_j ∂f_i/∂x_j^(k) p_j = 0 for every equation i and order k: the null space of the stacked rows, by
    // reduction to echelon form. A group is one whose members all move alike.
    const std::size_t n = s_.variables.size();
    std::vector<std::vector<double>> echelon; // reduced rows
    std::vector<std::size_t> pivots;
    for (const auto& row : rows) {
        std::map<int, std::vector<double>> by_order;
        for (const Entry& e : row) {
            auto& dense = by_order[e.order];
            dense.resize(n, 0.0);
            dense[static_cast<std::size_t>(e.column)] = e.value;
        }
        for (auto& [order, v] : by_order) {
            double size = 0;
            for (const double x : v) size = std::max(size, std::abs(x));
            for (std::size_t r = 0; r < echelon.size(); ++r) {
                const double f = v[pivots[r]];
                if (f == 0) continue;
                for (std::size_t j = 0; j < n; ++j) v[j] -= f * echelon[r][j];
            }
            const auto top =
                std::max_element(v.begin(), v.end(), [](double x, double y) { return std::abs(x) < std::abs(y); });
            if (!(std::abs(*top) > 1e-9 * size)) continue;
            const auto pivot = static_cast<std::size_t>(top - v.begin());
            const double scale = *top;
            for (double& x : v) x /= scale;
            for (auto& earlier : echelon) {
                const double f = earlier[pivot];
                for (std::size_t j = 0; j < n && f != 0; ++j) earlier[j] -= f * v[j];
            }
            echelon.push_back(v);
            pivots.push_back(pivot);
        }
    }
    std::vector<std::vector<int>> found;
    for (const int free : columns) {
        if (std::find(pivots.begin(), pivots.end(), static_cast<std::size_t>(free)) != pivots.end()) continue;
        std::vector<int> members{free};
        bool alike = true;
        for (std::size_t r = 0; r < echelon.size(); ++r) {
            const double moves = -echelon[r][static_cast<std::size_t>(free)];
            if (std::abs(moves) <= 1e-9) continue;
            alike = alike && std::abs(moves - 1) <= 1e-9;
            members.push_back(static_cast<int>(pivots[r]));
        }
        if (!alike || members.size() < 2) continue;
        std::sort(members.begin(), members.end());
        found.push_back(std::move(members));
    }
    return found;
}

std::vector<int> LikelyCauses::only_derivatives(const std::vector<int>& columns) const {
    std::vector<int> found;
    for (const int j : columns)
        if (lowest_[static_cast<std::size_t>(j)] > 0) found.push_back(j);
    return found;
}

std::vector<int> LikelyCauses::never_given(const std::vector<int>& columns) const {
    const expr::Graph& g = s_.graph();
    std::vector<char> given(s_.variables.size(), 0);
    for (const SystemEquation& e : s_.equations)
        for (const NodeId side : {e.left, e.right})
            if (g.op(side) == Op::variable)
                given[static_cast<std::size_t>(column_[static_cast<std::size_t>(g.variable_id(side))])] = 1;
    std::vector<int> found;
    for (const int j : columns)
        if (!given[static_cast<std::size_t>(j)]) found.push_back(j);
    return found;
}

std::vector<int> LikelyCauses::perhaps_parameters(const std::vector<int>& columns) const {
    std::vector<int> found;
    for (const int j : columns) {
        const model::Variable& v =
            s_.model->variables[static_cast<std::size_t>(s_.variables[static_cast<std::size_t>(j)])];
        if (highest_[static_cast<std::size_t>(j)] == 0 && v.start != expr::no_node) found.push_back(j);
    }
    return found;
}

} // namespace daedalus::transform
