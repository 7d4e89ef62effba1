#include "transform/likely_causes.hpp"

#include "expr/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace daedalus::transform {

namespace {

using expr::Op;

constexpr int samples = 3;
constexpr double tolerance = 1e-12; // a coincidence at three random points is no coincidence
constexpr std::size_t largest = 5'000; // equations; a larger model is described by its structure alone

bool close(double a, double b) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

int root_of(std::vector<int>& parent, int j) {
    while (parent[static_cast<std::size_t>(j)] != j) {
        int& p = parent[static_cast<std::size_t>(j)];
        p = parent[static_cast<std::size_t>(p)];
        j = p;
    }
    return j;
}

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

// Reproducible, different for every leaf and sample, away from 0 and 1: the fractional parts of multiples of the
// golden section.
double LikelyCauses::leaf_value(NodeId leaf, int sample) const {
    const expr::Graph& g = s_.graph();
    if (g.op(leaf) == Op::parameter) return s_.parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
    const double x = 0.6180339887498949 * (3.0 * expr::index(leaf) + sample + 1);
    return 0.3 + 0.5 * (x - std::floor(x));
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
    for (std::size_t b = 1; b < rows.size() && rows.size() <= 300; ++b)
        for (std::size_t a = 0; a < b; ++a) {
            const double factor = values[b][0] / values[a][0];
            if (!std::isfinite(factor) || factor == 0.0) continue;
            bool same = true;
            for (int s = 1; s < samples; ++s) {
                const auto k = static_cast<std::size_t>(s);
                same = same && close(values[b][k], factor * values[a][k]);
            }
            if (same) {
                found.push_back({rows[a], rows[b], factor});
                break;
            }
        }
    return found;
}

std::vector<std::vector<int>> LikelyCauses::only_differences(const std::vector<int>& columns) const {
    if (s_.equations.size() > largest) return {};
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
    // Together go those that some equation contains with opposite coefficients.
    std::vector<int> parent(s_.variables.size());
    std::iota(parent.begin(), parent.end(), 0);
    constexpr std::size_t widest = 60;
    for (const auto& row : rows)
        for (std::size_t a = 0; a < row.size() && row.size() <= widest; ++a)
            for (std::size_t b = a + 1; b < row.size(); ++b)
                if (row[a].order == row[b].order && close(row[a].value, -row[b].value))
                    parent[static_cast<std::size_t>(root_of(parent, row[a].column))] = root_of(parent, row[b].column);
    std::map<int, std::vector<int>> groups;
    for (std::size_t j = 0; j < parent.size(); ++j)
        groups[root_of(parent, static_cast<int>(j))].push_back(static_cast<int>(j));
    std::vector<char> shifted_only(parent.size(), 1); // by root
    for (const auto& row : rows) {
        std::map<std::pair<int, int>, std::pair<double, double>> sums; // by root and order: sum, size
        for (const Entry& e : row) {
            auto& [sum, size] = sums[{root_of(parent, e.column), e.order}];
            sum += e.value;
            size = std::max(size, std::abs(e.value));
        }
        for (const auto& [key, sum] : sums)
            if (!(std::abs(sum.first) <= 1e-10 * sum.second)) shifted_only[static_cast<std::size_t>(key.first)] = 0;
    }
    std::vector<std::vector<int>> found;
    for (const auto& [root, members] : groups)
        if (members.size() > 1 && shifted_only[static_cast<std::size_t>(root)] &&
            std::any_of(members.begin(), members.end(),
                        [&](int j) { return std::find(columns.begin(), columns.end(), j) != columns.end(); }))
            found.push_back(members);
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
