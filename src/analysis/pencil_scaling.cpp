#include "analysis/pencil_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

constexpr int none = std::numeric_limits<int>::min() / 4; // exponent of zero

int exponent_of(double value) {
    if (value == 0.0) return none;
    int exponent = 0;
    std::frexp(value, &exponent);
    return exponent;
}

int largest_exponent(const Matrix& a) {
    int largest = none;
    for (const double entry : a.entries()) largest = std::max(largest, exponent_of(entry));
    return largest;
}

void apply(ScaledPencil& s) {
    // Entries below 2^-100 of the largest cannot be rounding errors of anything, nor survive any computation.
    constexpr int survives = -100;
    const auto scale = [&](Matrix& a, int exponent) {
        for (int j = 0; j < a.cols(); ++j)
            for (int i = 0; i < a.rows(); ++i) {
                if (a(i, j) == 0.0) continue;
                const int shift = exponent + s.row_exponent[static_cast<std::size_t>(i)] +
                                  s.col_exponent[static_cast<std::size_t>(j)];
                if (exponent_of(a(i, j)) + shift < survives) s.lost = true;
                a(i, j) = std::ldexp(a(i, j), shift);
            }
    };
    scale(s.e, s.e_exponent);
    scale(s.h, s.h_exponent);
}

ScaledPencil unscaled(const Matrix& e, const Matrix& h) {
    ScaledPencil s;
    s.e = e;
    s.h = h;
    s.row_exponent.assign(static_cast<std::size_t>(e.rows()), 0);
    s.col_exponent.assign(static_cast<std::size_t>(e.cols()), 0);
    const int largest_e = largest_exponent(e), largest_h = largest_exponent(h);
    s.e_exponent = largest_e == none ? 0 : -largest_e;
    s.h_exponent = largest_h == none ? 0 : -largest_h;
    return s;
}

/// By square roots of the largest entries of rows, columns and matrices (Ruiz 2001): nothing is above one.
void by_largest(const Matrix& e, const Matrix& h, ScaledPencil& s) {
    const int m = e.rows(), n = e.cols();
    constexpr int sweeps = 20; // each halves the distance to 1: 2^1000 is gone after ten
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        std::vector<int> row(static_cast<std::size_t>(m), none), col(static_cast<std::size_t>(n), none);
        int of_e = none, of_h = none;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) {
                const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
                const int shift = s.row_exponent[r] + s.col_exponent[c];
                const int in_e = e(i, j) == 0.0 ? none : exponent_of(e(i, j)) + shift + s.e_exponent;
                const int in_h = h(i, j) == 0.0 ? none : exponent_of(h(i, j)) + shift + s.h_exponent;
                row[r] = std::max({row[r], in_e, in_h});
                col[c] = std::max({col[c], in_e, in_h});
                of_e = std::max(of_e, in_e);
                of_h = std::max(of_h, in_h);
            }
        bool changed = false;
        const auto step = [&](int largest, int& exponent) {
            if (largest == none || largest / 2 == 0) return;
            exponent -= largest / 2;
            changed = true;
        };
        for (std::size_t i = 0; i < row.size(); ++i) step(row[i], s.row_exponent[i]);
        for (std::size_t j = 0; j < col.size(); ++j) step(col[j], s.col_exponent[j]);
        step(of_e, s.e_exponent);
        step(of_h, s.h_exponent);
        if (!changed) break;
    }
}

/// By least squares of log|r_i a_ij c_j| (Curtis & Reid 1972), by turns in r and in c: large entries do not decide
/// alone, so that rows coupled through a large and a small entry find the sizes that make both of order one.
void by_least_squares(const Matrix& e, const Matrix& h, ScaledPencil& s) {
    struct Entry {
        std::size_t i, j;
        double size; ///< log2|a_ij|, scaled as a whole
    };
    std::vector<Entry> entries;
    const auto take = [&](const Matrix& a, int exponent) {
        for (int j = 0; j < a.cols(); ++j)
            for (int i = 0; i < a.rows(); ++i)
                if (a(i, j) != 0.0)
                    entries.push_back({static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                                       static_cast<double>(exponent_of(a(i, j)) + exponent)});
    };
    take(e, s.e_exponent);
    take(h, s.h_exponent);
    std::vector<double> row(s.row_exponent.size(), 0.0), col(s.col_exponent.size(), 0.0);
    constexpr int sweeps = 200; // along chains of n unknowns sizes travel one link per sweep
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double change = 0.0;
        const auto balance = [&](std::vector<double>& own, auto own_of, const std::vector<double>& other,
                                 auto other_of) {
            std::vector<double> sum(own.size(), 0.0), count(own.size(), 0.0);
            for (const Entry& x : entries) {
                sum[own_of(x)] += x.size + other[other_of(x)];
                ++count[own_of(x)];
            }
            for (std::size_t k = 0; k < own.size(); ++k)
                if (count[k] > 0.0) {
                    const double next = -sum[k] / count[k];
                    change = std::max(change, std::abs(next - own[k]));
                    own[k] = next;
                }
        };
        const auto row_of = [](const Entry& x) { return x.i; };
        const auto col_of = [](const Entry& x) { return x.j; };
        balance(row, row_of, col, col_of);
        balance(col, col_of, row, row_of);
        if (change < 0.5) break;
    }
    for (std::size_t i = 0; i < row.size(); ++i) s.row_exponent[i] = static_cast<int>(std::lround(row[i]));
    for (std::size_t j = 0; j < col.size(); ++j) s.col_exponent[j] = static_cast<int>(std::lround(col[j]));
}

} // namespace

ScaledPencil scale_norms(const Matrix& e, const Matrix& h) {
    ScaledPencil s = unscaled(e, h);
    apply(s);
    return s;
}

ScaledPencil scale_rows_and_columns(const Matrix& e, const Matrix& h) {
    ScaledPencil s = unscaled(e, h);
    by_largest(e, h, s);
    apply(s);
    return s;
}

ScaledPencil scale_all_entries(const Matrix& e, const Matrix& h) {
    ScaledPencil s = unscaled(e, h);
    by_least_squares(e, h, s);
    by_largest(e, h, s);
    apply(s);
    return s;
}

int exponent_spread(const Matrix& e, const Matrix& h) {
    int spread = 0;
    for (const Matrix* a : {&e, &h}) {
        int least = std::numeric_limits<int>::max(), largest = none;
        for (const double entry : a->entries()) {
            if (entry == 0.0) continue;
            least = std::min(least, exponent_of(entry));
            largest = std::max(largest, exponent_of(entry));
        }
        if (largest != none) spread = std::max(spread, largest - least);
    }
    return spread;
}

} // namespace daedalus::analysis
