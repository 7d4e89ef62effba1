#include "simulation/cancellation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace daedalus::simulation {

namespace {

constexpr double zero = 1e-10; // of the largest entry of a row: what elimination leaves of a cancelled one

std::string written(const std::vector<double>& y, const std::vector<int>& rows, const problem::Legend& names) {
    double largest = 0.0;
    for (const double v : y)
        if (std::abs(v) > std::abs(largest)) largest = v;
    std::string text;
    for (std::size_t k = 0; k < y.size(); ++k) {
        const double factor = y[k] / largest;
        if (std::abs(factor) < zero) continue;
        const char* sign = factor < 0 ? (text.empty() ? "−" : " − ") : (text.empty() ? "" : " + ");
        const std::string times =
            std::abs(std::abs(factor) - 1.0) < zero ? "" : fmt::format("{:.4g}·", std::abs(factor));
        text += fmt::format("{}{}[{}]", sign, times, names.equation(rows[k]));
    }
    return text;
}

} // namespace

std::string combination_without_derivatives(const linalg::Matrix& leading, const problem::Legend& names) {
    std::vector<int> rows;
    for (int i = 0; i < leading.rows(); ++i)
        for (int j = 0; j < leading.cols(); ++j)
            if (leading(i, j) != 0.0) {
                rows.push_back(i);
                break;
            }
    // Gauss–Jordan on [E | I] with rows scaled to 1; rows of E that vanish leave their combination behind.
    const std::size_t m = rows.size(), n = static_cast<std::size_t>(leading.cols());
    std::vector<std::vector<double>> e(m, std::vector<double>(n)), y(m, std::vector<double>(m, 0.0));
    for (std::size_t i = 0; i < m; ++i) {
        double size = 0.0;
        for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(leading(rows[i], static_cast<int>(j))));
        for (std::size_t j = 0; j < n; ++j) e[i][j] = leading(rows[i], static_cast<int>(j)) / size;
        y[i][i] = 1.0 / size;
    }
    std::vector<char> used(m, 0);
    for (std::size_t j = 0; j < n; ++j) {
        std::size_t pivot = m;
        for (std::size_t i = 0; i < m; ++i)
            if (!used[i] && std::abs(e[i][j]) > (pivot < m ? std::abs(e[pivot][j]) : zero)) pivot = i;
        if (pivot == m) continue;
        used[pivot] = 1;
        for (std::size_t i = 0; i < m; ++i) {
            if (used[i] || e[i][j] == 0.0) continue;
            const double factor = e[i][j] / e[pivot][j];
            for (std::size_t k = 0; k < n; ++k) e[i][k] -= factor * e[pivot][k];
            for (std::size_t k = 0; k < m; ++k) y[i][k] -= factor * y[pivot][k];
        }
    }
    std::size_t best = m, fewest = m + 1;
    for (std::size_t i = 0; i < m; ++i) {
        if (used[i]) continue;
        const auto members = static_cast<std::size_t>(
            std::count_if(y[i].begin(), y[i].end(), [](double v) { return std::abs(v) > zero; }));
        if (members < fewest) {
            fewest = members;
            best = i;
        }
    }
    return best == m ? "" : written(y[best], rows, names);
}

} // namespace daedalus::simulation
