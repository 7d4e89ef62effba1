#include "linalg/equilibration.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace daedalus::linalg {

namespace {

double magnitude(double a) { return std::abs(a); }
// The max norm is within √2 of the modulus and needs no square root.
double magnitude(const std::complex<double>& a) { return std::max(std::abs(a.real()), std::abs(a.imag())); }

bool finite(double a) { return std::isfinite(a); }
bool finite(const std::complex<double>& a) { return std::isfinite(a.real()) && std::isfinite(a.imag()); }

/// 2^-⌊log₂ a⌋ by exponent arithmetic; 1 for zero, clamped to the normal range otherwise.
double reciprocal_power_of_two(double a) {
    if (a == 0.0) return 1.0;
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(a) >> 52;
    return std::bit_cast<double>(std::clamp<std::uint64_t>(2046 - exponent, 1, 2045) << 52);
}

} // namespace

template <class Scalar>
Equilibration<Scalar>::Equilibration(const SparsityPattern& pattern)
    : row_(static_cast<std::size_t>(pattern.rows)), col_(static_cast<std::size_t>(pattern.cols)) {}

template <class Scalar>
bool Equilibration<Scalar>::scale(const SparsityPattern& pattern, std::span<const Scalar> values,
                                  std::span<Scalar> scaled) {
    std::fill(row_.begin(), row_.end(), 0.0);
    bool all_finite = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
        all_finite &= finite(values[k]);
        double& largest = row_[static_cast<std::size_t>(pattern.row_index[k])];
        largest = std::max(largest, magnitude(values[k]));
    }
    if (!all_finite) return false;
    for (double& r : row_) r = reciprocal_power_of_two(r);
    for (std::size_t j = 0; j < col_.size(); ++j) {
        const auto first = static_cast<std::size_t>(pattern.column_start[j]);
        const auto last = static_cast<std::size_t>(pattern.column_start[j + 1]);
        double largest = 0.0;
        for (std::size_t k = first; k < last; ++k) {
            scaled[k] = values[k] * row_[static_cast<std::size_t>(pattern.row_index[k])];
            largest = std::max(largest, magnitude(scaled[k]));
        }
        col_[j] = reciprocal_power_of_two(largest);
        for (std::size_t k = first; k < last; ++k) scaled[k] *= col_[j];
    }
    return true;
}

template class Equilibration<double>;
template class Equilibration<std::complex<double>>;

} // namespace daedalus::linalg
