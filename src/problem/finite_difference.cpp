#include "problem/finite_difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::problem {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double relative_increment(DifferenceScheme scheme, double noise) {
    return scheme == DifferenceScheme::forward ? std::sqrt(std::max(eps, noise)) : std::cbrt(std::max(eps, noise));
}

} // namespace

double difference_error(DifferenceScheme scheme, double noise) {
    return std::pow(std::max(eps, noise), scheme == DifferenceScheme::forward ? 0.5 : 2.0 / 3.0);
}

double relative_noise(PointFunction f, std::span<const double> x, std::span<const double> size,
                      std::size_t components) {
    // Close enough that differences of order 4 of anything smooth (1e-24 of it) vanish below round-off, far enough
    // apart that the errors of neighbouring points have nothing to do with each other.
    constexpr double spacing = 1e-6;
    constexpr int points = 9, lowest = 4, highest = 6;
    std::vector<double> point(x.size()), values(points * components), far(components);
    const auto at_distance = [&](double distance, double* r) {
        for (std::size_t j = 0; j < x.size(); ++j) { // some direction with all components, of uneven sizes
            const double share = (j % 2 == 0 ? 1.0 : -1.0) * (0.6 + 0.4 * std::sin(static_cast<double>(j + 1)));
            point[j] = x[j] + distance * share * std::max(std::abs(x[j]), std::abs(size[j]));
        }
        if (!f.call(f.context, point.data(), r)) return false;
        return std::all_of(r, r + components, [](double v) { return std::isfinite(v); });
    };
    for (int k = 0; k < points; ++k)
        if (!at_distance(k * spacing, values.data() + static_cast<std::size_t>(k) * components)) return 0.0;
    constexpr double away = 1e-2; // of a size: the variation, in which noise of any interest is small
    if (!at_distance(away, far.data()) && !at_distance(-away, far.data())) return 0.0;
    double worst = 0.0;
    for (std::size_t i = 0; i < components; ++i) {
        double table[points];
        for (int k = 0; k < points; ++k) table[k] = values[static_cast<std::size_t>(k) * components + i];
        const double variation = std::abs(far[i] - table[0]) / away;
        double smallest = std::numeric_limits<double>::infinity(), scale = 1.0; // (k!)²/(2k)!
        for (int order = 1; order <= highest; ++order) {
            for (int k = 0; k + order < points; ++k) table[k] = table[k + 1] - table[k];
            scale *= order / (2.0 * (2 * order - 1));
            double sum = 0.0;
            for (int k = 0; k + order < points; ++k) sum += table[k] * table[k];
            if (order >= lowest) smallest = std::min(smallest, std::sqrt(scale * sum / (points - order)));
        }
        if (smallest < variation) worst = std::max(worst, smallest / variation);
    }
    return worst < 1e3 * eps ? 0.0 : std::min(worst, 1e-3);
}

ColumnGroups group_columns(const SparsityPattern& pattern) {
    const auto n = at(pattern.cols);
    // columns per row
    std::vector<int> row_start(at(pattern.rows) + 1, 0), row_columns(pattern.row_index.size());
    for (int row : pattern.row_index) ++row_start[at(row) + 1];
    for (std::size_t i = 0; i < at(pattern.rows); ++i) row_start[i + 1] += row_start[i];
    std::vector<int> next(row_start.begin(), row_start.end() - 1);
    for (std::size_t j = 0; j < n; ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            row_columns[at(next[at(pattern.row_index[at(k)])]++)] = static_cast<int>(j);

    std::vector<int> order(n);
    for (std::size_t j = 0; j < n; ++j) order[j] = static_cast<int>(j);
    const auto length = [&](int j) { return pattern.column_start[at(j) + 1] - pattern.column_start[at(j)]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return length(a) > length(b); });

    ColumnGroups groups{0, std::vector<int>(n, -1)};
    std::vector<int> taken_by; // group → last column for which it was seen in a shared row
    for (int j : order) {
        if (length(j) == 0) continue;
        for (int k = pattern.column_start[at(j)]; k < pattern.column_start[at(j) + 1]; ++k) {
            const auto row = at(pattern.row_index[at(k)]);
            for (int e = row_start[row]; e < row_start[row + 1]; ++e)
                if (const int g = groups.group[at(row_columns[at(e)])]; g >= 0) taken_by[at(g)] = j;
        }
        int g = 0;
        while (g < groups.count && taken_by[at(g)] == j) ++g;
        if (g == groups.count) {
            ++groups.count;
            taken_by.push_back(-1);
        }
        groups.group[at(j)] = g;
    }
    return groups;
}

DifferenceJacobian::DifferenceJacobian(SparsityPattern pattern, DifferenceScheme scheme)
    : pattern_(std::move(pattern)), scheme_(scheme), relative_increment_(relative_increment(scheme, 0.0)),
      groups_(group_columns(pattern_)), x_(at(pattern_.cols)), up_(at(pattern_.rows)), down_(at(pattern_.rows)),
      increment_(at(pattern_.cols)) {
    member_start_.assign(at(groups_.count) + 1, 0);
    for (int g : groups_.group)
        if (g >= 0) ++member_start_[at(g) + 1];
    for (std::size_t g = 0; g < at(groups_.count); ++g) member_start_[g + 1] += member_start_[g];
    member_.resize(at(member_start_.back()));
    std::vector<int> next(member_start_.begin(), member_start_.end() - 1);
    for (int j = 0; j < pattern_.cols; ++j)
        if (const int g = groups_.group[at(j)]; g >= 0) member_[at(next[at(g)]++)] = j;
}

void DifferenceJacobian::expect_noise(double noise) { relative_increment_ = relative_increment(scheme_, noise); }

/// r at x with the group's columns moved by ± their increments; x_ equals x again on return.
bool DifferenceJacobian::perturbed(PointFunction f, std::span<const double> x, int group, double sign,
                                   std::span<double> r) {
    ++evaluations_;
    for (int k = member_start_[at(group)]; k < member_start_[at(group) + 1]; ++k) {
        const auto j = at(member_[at(k)]);
        x_[j] = x[j] + sign * increment_[j];
    }
    bool finite = f.call(f.context, x_.data(), r.data());
    for (int k = member_start_[at(group)]; k < member_start_[at(group) + 1]; ++k) {
        const auto j = at(member_[at(k)]);
        x_[j] = x[j];
        for (int e = pattern_.column_start[j]; e < pattern_.column_start[j + 1]; ++e)
            finite = finite && std::isfinite(r[at(pattern_.row_index[at(e)])]);
    }
    return finite;
}

bool DifferenceJacobian::evaluate(PointFunction f, std::span<const double> x, std::span<const double> size,
                                  std::span<const double> r0, std::span<double> values) {
    for (std::size_t j = 0; j < x.size(); ++j) {
        x_[j] = x[j];
        const double h = relative_increment_ * std::max(std::abs(x[j]), std::abs(size[j]));
        const volatile double moved = x[j] + h; // so that the increment is the difference actually made
        increment_[j] = moved - x[j];
    }
    for (int g = 0; g < groups_.count; ++g) {
        bool above = perturbed(f, x, g, 1.0, up_);
        bool below = false;
        if (scheme_ == DifferenceScheme::central || !above) below = perturbed(f, x, g, -1.0, down_);
        if (!above && !below) return false;
        const double steps = above && below ? 2.0 : 1.0;
        for (int k = member_start_[at(g)]; k < member_start_[at(g) + 1]; ++k) {
            const auto j = at(member_[at(k)]);
            for (int e = pattern_.column_start[j]; e < pattern_.column_start[j + 1]; ++e) {
                const auto i = at(pattern_.row_index[at(e)]);
                const double high = above ? up_[i] : r0[i], low = below ? down_[i] : r0[i];
                values[at(e)] = (high - low) / (steps * increment_[j]);
            }
        }
    }
    return true;
}

} // namespace daedalus::problem
