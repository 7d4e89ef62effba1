#include "linalg/backward_error.hpp"

#include <cmath>
#include <cstddef>

namespace daedalus::linalg {

namespace {

double size_of(double a) { return std::abs(a); }
double size_of(const std::complex<double>& a) { return std::abs(a.real()) + std::abs(a.imag()); }
double times(double a, double b) { return a * b; }
std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// `entry(k)`: where the value of the k-th place is; `other`: which unknown it belongs to.
template <class Scalar, class Entry>
double by_rows(std::span<const int> start, const int* other, Entry&& entry, const Scalar* a, const Scalar* b,
               const Scalar* x, Scalar* r) {
    double worst = 0.0;
    for (std::size_t i = 0; i + 1 < start.size(); ++i) {
        Scalar sum = b[i];
        double size = size_of(b[i]);
        for (int k = start[i]; k < start[i + 1]; ++k) {
            const Scalar term = times(a[entry(k)], x[other[k]]);
            sum -= term;
            size += size_of(term);
        }
        r[i] = sum;
        // Seldom true: the division is worth avoiding.
        if (size_of(sum) > worst * size) worst = size_of(sum) / size;
    }
    return worst;
}

} // namespace

BackwardError::BackwardError(const SparsityPattern& pattern)
    : row_start_(static_cast<std::size_t>(pattern.rows) + 1, 0), entry_(pattern.row_index.size()),
      column_(pattern.row_index.size()) {
    for (const int i : pattern.row_index) ++row_start_[static_cast<std::size_t>(i) + 1];
    for (std::size_t i = 0; i + 1 < row_start_.size(); ++i) row_start_[i + 1] += row_start_[i];
    std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[static_cast<std::size_t>(j)];
             k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const auto row = static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)]);
            const auto to = static_cast<std::size_t>(next[row]++);
            entry_[to] = k;
            column_[to] = j;
        }
}

template <class Scalar>
double BackwardError::operator()(const SparsityPattern& pattern, const Scalar* a, std::span<const Scalar> b,
                                 std::span<const Scalar> x, std::span<Scalar> r, bool transposed) const {
    if (transposed)
        return by_rows<Scalar>(
            pattern.column_start, pattern.row_index.data(), [](int k) { return k; }, a, b.data(), x.data(), r.data());
    return by_rows<Scalar>(
        row_start_, column_.data(), [this](int k) { return entry_[static_cast<std::size_t>(k)]; }, a, b.data(),
        x.data(), r.data());
}

template double BackwardError::operator()(const SparsityPattern&, const double*, std::span<const double>,
                                          std::span<const double>, std::span<double>, bool) const;
template double BackwardError::operator()(const SparsityPattern&, const std::complex<double>*,
                                          std::span<const std::complex<double>>, std::span<const std::complex<double>>,
                                          std::span<std::complex<double>>, bool) const;

} // namespace daedalus::linalg
