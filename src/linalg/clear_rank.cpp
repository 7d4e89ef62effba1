#include "linalg/clear_rank.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace daedalus::linalg {

namespace {

double sum_of_squares(std::span<const double> v) {
    double sum = 0.0;
    for (const double value : v) sum += value * value;
    return sum;
}

/// Gauss–Jordan elimination with partial pivoting, in place: A becomes (P A)⁻¹, whose columns are those of A⁻¹ in
/// another order, which changes no norm; `exchanged[k]` is the row that was exchanged with row k then. False: a pivot
/// is zero.
bool invert(std::vector<double>& a, std::size_t n, std::vector<std::size_t>* exchanged = nullptr) {
    for (std::size_t k = 0; k < n; ++k) {
        double* const pivot_column = a.data() + k * n;
        std::size_t largest = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(pivot_column[i]) > std::abs(pivot_column[largest])) largest = i;
        if (pivot_column[largest] == 0.0) return false;
        if (exchanged != nullptr) exchanged->push_back(largest);
        if (largest != k)
            for (std::size_t j = 0; j < n; ++j) std::swap(a[j * n + k], a[j * n + largest]);
        const double inverse = 1.0 / pivot_column[k];
        for (std::size_t j = 0; j < n; ++j) {
            if (j == k) continue;
            double* const column = a.data() + j * n;
            const double factor = column[k] * inverse;
            if (factor != 0.0)
                for (std::size_t i = 0; i < n; ++i)
                    if (i != k) column[i] -= factor * pivot_column[i];
            column[k] = factor;
        }
        for (std::size_t i = 0; i < n; ++i)
            if (i != k) pivot_column[i] *= -inverse;
        pivot_column[k] = inverse;
    }
    return true;
}

} // namespace

bool clearly_regular(DenseView a, double relative_tolerance) {
    assert(a.rows == a.cols && relative_tolerance > 0.0);
    const auto n = static_cast<std::size_t>(a.rows);
    if (n == 1) return a.values[0] != 0.0 && std::isfinite(a.values[0]) && relative_tolerance < 1.0;
    // What is computed for A⁻¹ has an error of n ε cond, a tenth of it at most where the second bound holds.
    constexpr double margin = 4.0;
    const double tolerance =
        std::max(relative_tolerance, static_cast<double>(10 * n * n) * std::numeric_limits<double>::epsilon());
    const double size = sum_of_squares(a.values);
    std::vector<double> inverse(a.values.begin(), a.values.end());
    if (!invert(inverse, n)) return false;
    const double bound = margin * tolerance;
    return sum_of_squares(inverse) * size * bound * bound < 1.0; // and not, where either is no number
}

std::optional<std::vector<double>> inverse_of(DenseView a) {
    const auto n = static_cast<std::size_t>(a.rows);
    std::vector<double> inverse(a.values.begin(), a.values.end());
    std::vector<std::size_t> exchanged;
    if (!invert(inverse, n, &exchanged)) return std::nullopt;
    for (std::size_t k = n; k-- > 0;)
        if (exchanged[k] != k)
            for (std::size_t i = 0; i < n; ++i) std::swap(inverse[k * n + i], inverse[exchanged[k] * n + i]);
    return inverse;
}

} // namespace daedalus::linalg
