#include "linalg/regular_within.hpp"

#include "linalg/clear_rank.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace daedalus::linalg {

namespace {

using Values = std::vector<double>;

/// Rows and columns in turn are divided by the geometric mean of their largest and smallest entries (Curtis and Reid
/// 1972 scale alike), which takes the units away, so that pivots are chosen well.
void equilibrate(Values& a, Values& errors, std::size_t n) {
    constexpr int passes = 6; // further ones change little
    for (int pass = 0; pass < passes; ++pass)
        for (const bool by_rows : {true, false})
            for (std::size_t i = 0; i < n; ++i) {
                const auto at = [&](std::size_t j) { return by_rows ? j * n + i : i * n + j; };
                double largest = 0.0, smallest = std::numeric_limits<double>::infinity();
                for (std::size_t j = 0; j < n; ++j)
                    if (const double size = std::abs(a[at(j)]); size > 0.0) {
                        largest = std::max(largest, size);
                        smallest = std::min(smallest, size);
                    }
                if (largest == 0.0) continue;
                const double factor = 1.0 / (std::sqrt(largest) * std::sqrt(smallest));
                for (std::size_t j = 0; j < n; ++j) {
                    a[at(j)] *= factor;
                    errors[at(j)] *= factor;
                }
            }
}

/// |I − R A| + |R| E; what rounding adds to the first term is counted: it is a sum of n products.
Values contraction(const Values& a, const Values& errors, const Values& r, std::size_t n) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    Values m(n * n), product(n), size(n), spread(n);
    for (std::size_t j = 0; j < n; ++j) {
        std::fill(product.begin(), product.end(), 0.0);
        std::fill(size.begin(), size.end(), 0.0);
        std::fill(spread.begin(), spread.end(), 0.0);
        for (std::size_t k = 0; k < n; ++k) {
            const double entry = a[j * n + k], error = errors[j * n + k];
            if (entry == 0.0 && error == 0.0) continue;
            const double* const column = r.data() + k * n;
            for (std::size_t i = 0; i < n; ++i) {
                product[i] += column[i] * entry;
                size[i] += std::abs(column[i] * entry);
                spread[i] += std::abs(column[i]) * error;
            }
        }
        for (std::size_t i = 0; i < n; ++i)
            m[j * n + i] = std::abs((i == j ? 1.0 : 0.0) - product[i]) + epsilon * size[i] + spread[i];
    }
    return m;
}

/// ρ(M) < 1 for M ≥ 0, shown by a positive vector x with M x < x: a sum of the series (I − M)⁻¹ e.
bool contracts(const Values& m, std::size_t n) {
    constexpr int most_terms = 60;
    constexpr double margin = 0.9;
    Values x(n, 1.0), image(n);
    for (int term = 0; term < most_terms; ++term) {
        std::fill(image.begin(), image.end(), 0.0);
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i) image[i] += m[j * n + i] * x[j];
        bool smaller = true;
        for (std::size_t i = 0; i < n; ++i) {
            if (!std::isfinite(image[i])) return false;
            smaller = smaller && image[i] < margin * x[i];
        }
        if (smaller) return true;
        for (std::size_t i = 0; i < n; ++i) x[i] = 1.0 + image[i];
    }
    return false;
}

} // namespace

bool regular_within(DenseView a, std::span<const double> errors) {
    assert(a.rows == a.cols && errors.size() == a.values.size());
    const auto n = static_cast<std::size_t>(a.rows);
    Values scaled(a.values.begin(), a.values.end()), scaled_errors(errors.begin(), errors.end());
    equilibrate(scaled, scaled_errors, n);
    const auto inverse = inverse_of({scaled, a.rows, a.cols});
    return inverse && contracts(contraction(scaled, scaled_errors, *inverse, n), n);
}

} // namespace daedalus::linalg
