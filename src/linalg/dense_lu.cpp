#include "linalg/dense_lu.hpp"

#include "linalg/norms.hpp"
#include "linalg/scalar.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace daedalus::linalg {

namespace {

// Below, one panel: measured, straight loops beat blocked codes up to about 50 unknowns.
constexpr std::size_t unblocked_size = 48;
constexpr std::size_t panel_width = 32;
// A pivot of the equilibrated matrix below this is looked at closely; above, it cannot be pure rounding noise.
constexpr double suspicious_pivot = 1e-9;
// Partial pivoting is backward stable up to the growth of entries, which is seldom more than this and can be 2^(n-1)
// (Wilkinson 1961): beyond, the factors are tried on a system, and if they do not solve it, made with complete
// pivoting.
constexpr double harmless_growth = 1e4;

/// y -= s x
template <class Scalar>
void subtract_multiple(std::size_t n, const Scalar s, const Scalar* __restrict x, Scalar* __restrict y) {
    for (std::size_t i = 0; i < n; ++i) y[i] -= times(s, x[i]);
}

} // namespace

template <class Scalar>
DenseLu<Scalar>::DenseLu(const SparsityPattern& pattern)
    : pattern_(pattern), n_(static_cast<std::size_t>(pattern.cols)), equilibration_(pattern),
      scaled_(pattern.row_index.size()), a_(n_ * n_), inverse_pivot_(n_), row_of_(n_), col_of_(n_), check_(n_),
      work_(n_), estimate_(2 * n_) {
    assert(pattern.rows == pattern.cols);
    target_.reserve(scaled_.size());
    for (std::size_t j = 0; j < n_; ++j)
        for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k)
            target_.push_back(j * n_ + static_cast<std::size_t>(pattern_.row_index[static_cast<std::size_t>(k)]));
}

template <class Scalar>
FactorStatus DenseLu<Scalar>::factor(std::span<const Scalar> values) {
    assert(values.size() == scaled_.size());
    singular_column_ = -1;
    if (!equilibration_.scale(pattern_, values, scaled_)) return status_ = FactorStatus::not_finite;
    complete_ = false;
    if (!factor_scaled()) return status_ = FactorStatus::singular;
    double grown = growth();
    Factors factors = Factors::accurate;
    const auto judge = [&] {
        return check_.judge(pattern_, std::span<const Scalar>(scaled_),
                            [this](std::span<Scalar> b) { solve_scaled(b); });
    };
    if (!(grown <= harmless_growth)) factors = judge();
    if (factors == Factors::useless) {
        complete_ = true;
        if (!factor_scaled()) return status_ = FactorStatus::singular;
        grown = growth();
        factors = judge();
    }
    if (factors == Factors::useless) {
        singular_column_ = n_ == 0 ? -1 : static_cast<int>(col_of_[n_ - 1]);
        return status_ = FactorStatus::singular;
    }
    double largest = 0.0, smallest = std::numeric_limits<double>::infinity(); // reciprocals of pivots
    for (const Scalar& inverse : inverse_pivot_) {
        largest = std::max(largest, size_of(inverse));
        smallest = std::min(smallest, size_of(inverse));
    }
    check_.watch(factors, 1.0 / grown, n_ == 0 ? 1.0 : smallest / largest);
    return status_ = FactorStatus::ok;
}

template <class Scalar>
bool DenseLu<Scalar>::factor_scaled() {
    std::fill(a_.begin(), a_.end(), Scalar(0.0));
    for (std::size_t k = 0; k < scaled_.size(); ++k) a_[target_[k]] = scaled_[k];
    for (std::size_t i = 0; i < n_; ++i) row_of_[i] = col_of_[i] = i;
    parity_ = 1;
    const std::size_t width = n_ <= unblocked_size || complete_ ? std::max<std::size_t>(n_, 1) : panel_width;
    for (std::size_t first = 0; first < n_; first += width) {
        const std::size_t last = std::min(first + width, n_);
        if (!eliminate(first, last)) return false;
        update_trailing(first, last);
    }
    return true;
}

/// max |u_ij|, at least one: the entries of the equilibrated matrix are of that order.
template <class Scalar>
double DenseLu<Scalar>::growth() const {
    double largest = 1.0;
    for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t i = 0; i <= j; ++i)
            if (const double size = size_of(column(j)[i]); !(size <= largest)) largest = size;
    return largest;
}

/// Of those from k on, the one with the largest entry below comes to k.
template <class Scalar>
void DenseLu<Scalar>::exchange_columns(std::size_t k) {
    std::size_t best = k;
    double largest = -1.0;
    for (std::size_t j = k; j < n_; ++j)
        for (std::size_t i = k; i < n_; ++i)
            if (const double size = size_of(column(j)[i]); size > largest) {
                largest = size;
                best = j;
            }
    if (best == k) return;
    std::swap_ranges(column(k), column(k) + n_, column(best));
    std::swap(col_of_[k], col_of_[best]);
    parity_ = -parity_;
}

/// Eliminates columns [first, last) over all rows below; rows are exchanged in the whole matrix at once.
template <class Scalar>
bool DenseLu<Scalar>::eliminate(std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
        if (complete_) exchange_columns(k);
        Scalar* const pivot_column = column(k);
        std::size_t p = k;
        double largest = size_of(pivot_column[k]);
        for (std::size_t i = k + 1; i < n_; ++i) {
            const double m = size_of(pivot_column[i]);
            if (m > largest) {
                largest = m;
                p = i;
            }
        }
        if (!(largest > 0.0) || (largest < suspicious_pivot && is_noise(k))) {
            singular_column_ = static_cast<int>(col_of_[k]);
            return false;
        }
        if (p != k) {
            std::swap(row_of_[k], row_of_[p]);
            parity_ = -parity_;
            for (std::size_t j = 0; j < n_; ++j) std::swap(a_[j * n_ + k], a_[j * n_ + p]);
        }
        const Scalar inverse = Scalar(1.0) / pivot_column[k];
        inverse_pivot_[k] = inverse;
        for (std::size_t i = k + 1; i < n_; ++i) pivot_column[i] = times(pivot_column[i], inverse);
        for (std::size_t j = k + 1; j < last; ++j) {
            Scalar* const c = column(j);
            if (c[k] != Scalar(0.0)) subtract_multiple(n_ - k - 1, c[k], pivot_column + k + 1, c + k + 1);
        }
    }
    return true;
}

/// A₁₂ := L₁₁⁻¹ A₁₂ and A₂₂ := A₂₂ - L₂₁ A₁₂ for the columns right of the panel, four columns of L at a time.
template <class Scalar>
void DenseLu<Scalar>::update_trailing(std::size_t first, std::size_t last) {
    for (std::size_t j = last; j < n_; ++j) {
        Scalar* const c = column(j);
        for (std::size_t k = first; k < last; ++k)
            if (c[k] != Scalar(0.0)) subtract_multiple(last - k - 1, c[k], column(k) + k + 1, c + k + 1);
        std::size_t k = first;
        for (; k + 4 <= last; k += 4) {
            const Scalar s0 = c[k], s1 = c[k + 1], s2 = c[k + 2], s3 = c[k + 3];
            const Scalar* __restrict l0 = column(k);
            const Scalar* __restrict l1 = column(k + 1);
            const Scalar* __restrict l2 = column(k + 2);
            const Scalar* __restrict l3 = column(k + 3);
            Scalar* __restrict y = c;
            for (std::size_t i = last; i < n_; ++i)
                y[i] -= times(s0, l0[i]) + times(s1, l1[i]) + times(s2, l2[i]) + times(s3, l3[i]);
        }
        for (; k < last; ++k) subtract_multiple(n_ - last, c[k], column(k) + last, c + last);
    }
}

/// Whether what is left of column k is no larger than the rounding errors of the sums it came from: then the matrix
/// is singular within componentwise round-off. A small pivot without cancellation (a graded matrix) is none.
template <class Scalar>
bool DenseLu<Scalar>::is_noise(std::size_t k) const {
    std::fill(work_.begin(), work_.end(), Scalar(0.0));
    const std::size_t own = col_of_[k];
    for (int e = pattern_.column_start[own]; e < pattern_.column_start[own + 1]; ++e)
        work_[static_cast<std::size_t>(pattern_.row_index[static_cast<std::size_t>(e)])] =
            size_of(scaled_[static_cast<std::size_t>(e)]);
    const double unit = (8.0 + static_cast<double>(k)) * std::numeric_limits<double>::epsilon();
    const Scalar* const u = column(k);
    for (std::size_t i = k; i < n_; ++i) {
        double terms = size_of(work_[row_of_[i]]);
        for (std::size_t p = 0; p < k; ++p) terms += size_of(column(p)[i]) * size_of(u[p]);
        if (size_of(u[i]) > unit * terms) return false;
    }
    return true;
}

template <class Scalar>
void DenseLu<Scalar>::solve_scaled(std::span<Scalar> b) const {
    for (std::size_t i = 0; i < n_; ++i) work_[i] = b[row_of_[i]];
    Scalar* const x = work_.data();
    for (std::size_t k = 0; k < n_; ++k)
        if (x[k] != Scalar(0.0)) subtract_multiple(n_ - k - 1, x[k], column(k) + k + 1, x + k + 1);
    for (std::size_t k = n_; k-- > 0;) {
        x[k] = times(x[k], inverse_pivot_[k]);
        if (x[k] != Scalar(0.0)) subtract_multiple(k, x[k], column(k), x);
    }
    for (std::size_t k = 0; k < n_; ++k) b[col_of_[k]] = work_[k];
}

template <class Scalar>
void DenseLu<Scalar>::solve_scaled_transposed(std::span<Scalar> b) const {
    for (std::size_t k = 0; k < n_; ++k) { // Uᵀ y = b
        Scalar sum = b[col_of_[k]];
        for (std::size_t i = 0; i < k; ++i) sum -= times(column(k)[i], work_[i]);
        work_[k] = times(sum, inverse_pivot_[k]);
    }
    for (std::size_t k = n_; k-- > 0;) // Lᵀ z = y
        for (std::size_t i = k + 1; i < n_; ++i) work_[k] -= times(column(k)[i], work_[i]);
    for (std::size_t i = 0; i < n_; ++i) b[row_of_[i]] = work_[i];
}

template <class Scalar>
void DenseLu<Scalar>::solve(std::span<Scalar> b) {
    assert(status_ == FactorStatus::ok && b.size() == n_);
    for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.rows()[i];
    check_.solve_watched(
        pattern_, std::span<const Scalar>(scaled_), b, [this](std::span<Scalar> c) { solve_scaled(c); }, false);
    for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.cols()[i];
}

template <class Scalar>
void DenseLu<Scalar>::solve_transposed(std::span<Scalar> b) {
    assert(status_ == FactorStatus::ok && b.size() == n_);
    for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.cols()[i];
    check_.solve_watched(
        pattern_, std::span<const Scalar>(scaled_), b, [this](std::span<Scalar> c) { solve_scaled_transposed(c); },
        true);
    for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.rows()[i];
}

template <class Scalar>
long double DenseLu<Scalar>::determinant() const {
    if constexpr (std::is_same_v<Scalar, double>) {
        if (status_ != FactorStatus::ok || n_ == 0) return 0.0L;
        long double product = parity_; // of reciprocals
        for (const double inverse : inverse_pivot_) product *= inverse;
        for (const double scale : equilibration_.rows()) product *= scale;
        for (const double scale : equilibration_.cols()) product *= scale;
        return product != 0.0L && std::isfinite(product) ? 1.0L / product : 0.0L;
    }
    return 0.0L;
}

template <class Scalar>
double DenseLu<Scalar>::reciprocal_condition() const {
    if (status_ != FactorStatus::ok) return 0.0;
    if (n_ == 0) return 1.0;
    const std::span<Scalar> x(estimate_.data(), n_), y(estimate_.data() + n_, n_);
    const double inverse_norm = estimate_inverse_norm_1(
        x, y, [this](std::span<Scalar> b) { solve_scaled(b); },
        [this](std::span<Scalar> b) {
            for (Scalar& v : b) v = conjugate(v);
            solve_scaled_transposed(b);
            for (Scalar& v : b) v = conjugate(v);
        });
    return 1.0 / (inverse_norm * matrix_norm_1(pattern_, std::span<const Scalar>(scaled_)));
}

template class DenseLu<double>;
template class DenseLu<std::complex<double>>;

} // namespace daedalus::linalg
