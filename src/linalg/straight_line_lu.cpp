#include "linalg/straight_line_lu.hpp"

#include "linalg/dense_lu.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/largest.hpp"
#include "linalg/norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::linalg {

namespace {

// How far the entries of a row may drift from order one before the scaling is renewed: it takes part in what counts as
// growth, and 2⁸ leaves that meaningful.
constexpr double largest_drift = 256.0;
// max |L| · max |U| above which solves are checked by their residual and refined (pivots of a
// tenth of their column give some tens), and above which
// fresh pivots are worth their price.
constexpr double refined_growth = 256.0, refused_growth = 1e4;
// A pivot this small (reciprocal) belongs to a matrix so close to a singular one that a large part of the solution
// passes through rows it does not belong to: refined, too.
constexpr double refined_inverse = 1e6;
// Reciprocals of pivots above this are looked at closely, as in the dense and the KLU solver.
constexpr double suspicious_inverse = 1e9;
constexpr std::size_t most_samples = 3;
// Refusals before the other solver takes over, if they are more than one in eight factorisations.
constexpr long tolerated_refusals = 16;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double size_of(double a) { return std::abs(a); }
double size_of(const std::complex<double>& a) { return std::abs(a.real()) + std::abs(a.imag()); }
double conjugate(double a) { return a; }
std::complex<double> conjugate(const std::complex<double>& a) { return std::conj(a); }
double times(double a, double b) { return a * b; }
std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
double at_least_one(double a) { return a <= 1.0 ? 1.0 : a; } // NaN stays

template <class Scalar>
constexpr std::size_t width = sizeof(Scalar) / sizeof(double);

template <class Scalar>
std::span<const double> as_doubles(std::span<const Scalar> v) {
    return {reinterpret_cast<const double*>(v.data()), v.size() * width<Scalar>};
}
template <class Scalar>
double* as_doubles(std::span<Scalar> v) {
    return reinterpret_cast<double*>(v.data());
}

} // namespace

template <class Scalar>
StraightLineLu<Scalar>::StraightLineLu(const SparsityPattern& pattern)
    : pattern_(pattern), n_(at(pattern.cols)), equilibration_(pattern), scaled_sample_(pattern.row_index.size()),
      work_(n_), residual_(n_), estimate_(2 * n_), terms_(n_) {
    assert(pattern.rows == pattern.cols);
}

template <class Scalar>
StraightLineLu<Scalar>::~StraightLineLu() = default;

template <class Scalar>
std::span<const Scalar> StraightLineLu<Scalar>::scaled() const {
    return {reinterpret_cast<const Scalar*>(factor_memory_.data() + program_->values_begin), pattern_.row_index.size()};
}

template <class Scalar>
const Scalar* StraightLineLu<Scalar>::factors() const {
    return reinterpret_cast<const Scalar*>(solve_memory_.data() + program_->factors_begin);
}

template <class Scalar>
void StraightLineLu<Scalar>::add_sample(std::span<const Scalar> values) {
    if (!equilibration_.scale(pattern_, values, scaled_sample_)) return;
    scaling_known_ = false; // equilibration_ no longer belongs to scale_
    // The first stays for what the start was like; of the others the latest count.
    if (samples_.size() == most_samples) samples_.erase(samples_.begin() + 1);
    samples_.push_back(scaled_sample_);
}

template <class Scalar>
bool StraightLineLu<Scalar>::prepare(double most) {
    if (samples_.empty()) return false;
    const auto made = [&] {
        return elimination_program<Scalar>(pattern_, samples_, most / static_cast<double>(width<Scalar>));
    };
    OrderedProgram ordered = made();
    if (ordered.status == OrderStatus::no_pivot && samples_.size() > 1) { // what suits one may not suit the others
        samples_.erase(samples_.begin(), samples_.end() - 1);
        ordered = made();
    }
    if (ordered.status == OrderStatus::too_large && most == most_multiplications) handed_over_ = true;
    if (ordered.status != OrderStatus::ok) {
        if (ordered.status == OrderStatus::no_pivot) samples_.clear();
        return false;
    }
    ++statistics_.orderings;
    program_ = std::move(ordered.program);
    real_mask_.clear();
    for (const char r : program_->real) {
        real_mask_.push_back(0);
        real_mask_.push_back(r != 0 ? std::uint64_t{0x7fffffffffffffff} : 0); // -0 is zero
    }
    factor_memory_ = program_->factor_memory;
    solve_memory_ = program_->solve_memory;
    scaling_known_ = false;
    known_inverse_pivot_ = 0.0;
    refused_since_ordering_ = factorised_since_ordering_ = 0;
    return true;
}

/// False if the values cannot be scaled to order one: not finite, or spread over more than the range of numbers.
template <class Scalar>
bool StraightLineLu<Scalar>::rescale(std::span<const Scalar> values) {
    if (!equilibration_.scale(pattern_, values, scaled_sample_)) return false;
    ++statistics_.rescalings;
    const std::span<const double> r = equilibration_.rows(), c = equilibration_.cols();
    constexpr std::size_t w = width<Scalar>;
    scale_.resize(values.size() * w);
    row_scale_.resize(n_ * w);
    col_scale_.resize(n_ * w);
    representative_.assign(n_, 0);
    std::fill(terms_.begin(), terms_.end(), -1.0);
    const double* const entry = reinterpret_cast<const double*>(scaled_sample_.data());
    for (std::size_t j = 0; j < n_; ++j)
        for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
            const std::size_t e = at(k), i = at(pattern_.row_index[e]);
            const double s = r[i] * c[j];
            if (!std::isnormal(s)) return false;
            for (std::size_t part = e * w; part < (e + 1) * w; ++part) {
                scale_[part] = s;
                if (std::abs(entry[part]) > terms_[i]) {
                    terms_[i] = std::abs(entry[part]);
                    representative_[i] = part;
                }
            }
        }
    for (std::size_t k = 0; k < n_ * w; ++k) {
        row_scale_[k] = r[k / w];
        col_scale_[k] = c[k / w];
    }
    return scaling_known_ = true;
}

template <class Scalar>
auto StraightLineLu<Scalar>::attempt(std::span<const Scalar> values) -> Verdict {
    if (!scaling_known_) return Verdict::stale_scaling;
    double* const a = factor_memory_.data() + program_->values_begin;
    if (!(scale_into(as_doubles(values), scale_, a) <= largest_drift)) return Verdict::stale_scaling;
    bool small = false;
    for (std::size_t k : representative_) small |= std::abs(a[k]) < 1.0 / largest_drift;
    if (small) return Verdict::stale_scaling;
    if (!real_mask_.empty() && any_bit(as_doubles(values), real_mask_)) return Verdict::refused;

    double* const f = solve_memory_.data() + program_->factors_begin;
    program_->factor->run_main(factor_memory_.data(), f);
    const std::size_t l = program_->layout.lower() * width<Scalar>, u = program_->layout.upper() * width<Scalar>;
    const double inverse_pivot = largest_magnitude({f + l + u, n_ * width<Scalar>});
    statistics_.growth = at_least_one(largest_magnitude({f, l})) * at_least_one(largest_magnitude({f + l, u}));
    // Asked anew for every matrix and every right-hand side: that one residual was small says nothing about the next.
    needs_refinement_ = statistics_.growth > refined_growth || inverse_pivot > refined_inverse;
    if (!(statistics_.growth <= refused_growth) || !std::isfinite(inverse_pivot)) return Verdict::refused;
    if (inverse_pivot > suspicious_inverse) {
        if (inverse_pivot > largest_drift * known_inverse_pivot_) {
            // Perhaps only a column that has become small: with a scaling made for this matrix one can tell.
            known_inverse_pivot_ = inverse_pivot;
            return Verdict::stale_scaling;
        }
        if (has_noise_pivot()) return Verdict::refused;
    }
    return Verdict::good;
}

/// Whether some pivot and all candidates below it are no larger than the rounding errors of the sums behind them.
template <class Scalar>
bool StraightLineLu<Scalar>::has_noise_pivot() const {
    const Scalar* const l = factors();
    const Scalar* const u = l + program_->layout.lower();
    const Scalar* const inverse = u + program_->layout.upper();
    const std::span<const Scalar> a = scaled();
    for (int k = 0; k < program_->layout.n; ++k) {
        if (size_of(inverse[k]) <= suspicious_inverse) continue;
        const double pivot = 1.0 / size_of(inverse[k]);
        std::fill(terms_.begin(), terms_.end(), 0.0);
        const int column = program_->layout.col[at(k)];
        for (int e = pattern_.column_start[at(column)]; e < pattern_.column_start[at(column) + 1]; ++e)
            terms_[at(program_->layout.row_position[at(pattern_.row_index[at(e)])])] = size_of(a[at(e)]);
        const CrossIndex& columns = program_->layout.upper_columns;
        int depth = 0;
        for (int t = columns.start[at(k)]; t < columns.start[at(k) + 1]; ++t, ++depth) {
            const int p = columns.other[at(t)];
            const double size = size_of(u[columns.entry[at(t)]]);
            for (int d = program_->layout.l_start[at(p)]; d < program_->layout.l_start[at(p) + 1]; ++d)
                terms_[at(program_->layout.l_position[at(d)])] += size_of(l[d]) * size;
        }
        const double unit = (8.0 + depth) * std::numeric_limits<double>::epsilon();
        bool noise = pivot <= unit * terms_[at(k)];
        for (int d = program_->layout.l_start[at(k)]; d < program_->layout.l_start[at(k) + 1] && noise; ++d)
            noise = size_of(l[d]) * pivot <= unit * terms_[at(program_->layout.l_position[at(d)])];
        if (noise) return true;
    }
    return false;
}

template <class Scalar>
FactorStatus StraightLineLu<Scalar>::factor(std::span<const Scalar> values) {
    assert(values.size() == pattern_.row_index.size());
    ++statistics_.factorisations;
    singular_column_ = -1;
    given_away_ = false;
    if (n_ == 0) return status_ = FactorStatus::ok;
    if (!handed_over_ && !program_) {
        add_sample(values);
        (void)prepare();
    }
    if (handed_over_ || !program_) return give_away(values);
    ++factorised_since_ordering_;
    Verdict verdict = attempt(values);
    // A refusal under an old scaling may be the scaling's fault.
    if (verdict != Verdict::good && rescale(values)) {
        verdict = attempt(values);
        if (verdict == Verdict::stale_scaling) verdict = attempt(values); // the inverse pivot is known now
    }
    if (verdict == Verdict::good) return status_ = FactorStatus::ok;
    (void)give_away(values);
    if (status_ == FactorStatus::ok) learn_from(values);
    return status_;
}

template <class Scalar>
FactorStatus StraightLineLu<Scalar>::give_away(std::span<const Scalar> values) {
    constexpr std::size_t dense_size = 12; // where nothing beats dense elimination
    if (!other_) {
        if (n_ <= dense_size)
            other_ = std::make_unique<DenseLu<Scalar>>(pattern_);
        else
            other_ = std::make_unique<KluSolver<Scalar>>(pattern_);
    }
    ++statistics_.refused;
    given_away_ = true;
    status_ = other_->factor(values);
    singular_column_ = other_->singular_column();
    return status_;
}

/// A regular matrix did not suit the pivots: order anew, unless that has not helped before.
template <class Scalar>
void StraightLineLu<Scalar>::learn_from(std::span<const Scalar> values) {
    ++refused_since_ordering_;
    ++unsuited_;
    add_sample(values);
    if (unsuited_ > tolerated_refusals && 8 * unsuited_ > statistics_.factorisations) handed_over_ = true;
    // Each new order must have paid for itself before the next.
    else if (factorised_since_ordering_ >= 2 * statistics_.orderings || refused_since_ordering_ >= tolerated_refusals)
        (void)prepare();
}

template <class Scalar>
void StraightLineLu<Scalar>::run_solve(const double* b, double* x) const {
    if (b != solve_memory_.data() + program_->b_begin)
        std::copy_n(b, n_ * width<Scalar>, solve_memory_.data() + program_->b_begin);
    program_->solve->run_main(solve_memory_.data(), x);
}

/// r = b - As x in the precision at hand, x += As⁻¹ r, until every row of r is as small as rounding its terms makes it
/// (Arioli, Demmel & Duff 1989) or no progress is made. Mostly one step.
template <class Scalar>
void StraightLineLu<Scalar>::refine(std::span<const Scalar> b, std::span<Scalar> x, bool transposed) const {
    ++statistics_.refined;
    constexpr int most_steps = 3;
    // Below the first, a residual is what elimination with pivoting usually leaves; below the second, all that can be
    // had.
    constexpr double usual = 512.0 * std::numeric_limits<double>::epsilon(), small_enough = usual / 16.0;
    constexpr double progress = 0.25;
    const std::span<const Scalar> a = scaled();
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step <= most_steps; ++step) {
        for (std::size_t i = 0; i < n_; ++i) {
            residual_[i] = b[i];
            terms_[i] = size_of(b[i]);
        }
        for (std::size_t j = 0; j < n_; ++j)
            for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
                const std::size_t i = at(pattern_.row_index[at(k)]);
                const std::size_t to = transposed ? j : i, from = transposed ? i : j;
                residual_[to] -= times(a[at(k)], x[from]);
                terms_[to] += size_of(a[at(k)]) * size_of(x[from]);
            }
        double error = 0.0;
        for (std::size_t i = 0; i < n_; ++i)
            if (terms_[i] > 0.0) error = std::max(error, size_of(residual_[i]) / terms_[i]);
        if (step == 0 && error <= usual) return;
        if (step == most_steps || error <= small_enough || !(error < progress * before)) return;
        before = error;
        if (transposed) {
            eliminate_transposed(residual_);
        } else {
            run_solve(as_doubles(std::span<const Scalar>(residual_)).data(), as_doubles(std::span<Scalar>(work_)));
            std::swap(residual_, work_);
        }
        for (std::size_t i = 0; i < n_; ++i) x[i] += residual_[i];
    }
}

/// (P As Q)ᵀ = Uᵀ Lᵀ, in loops: nothing that runs often needs it.
template <class Scalar>
void StraightLineLu<Scalar>::eliminate_transposed(std::span<Scalar> b) const {
    const Scalar* const l = factors();
    const Scalar* const u = l + program_->layout.lower();
    const Scalar* const inverse = u + program_->layout.upper();
    for (std::size_t k = 0; k < n_; ++k) work_[k] = b[at(program_->layout.col[k])];
    for (std::size_t k = 0; k < n_; ++k) {
        work_[k] = times(work_[k], inverse[k]);
        for (int e = program_->layout.u_start[k]; e < program_->layout.u_start[k + 1]; ++e)
            work_[at(program_->layout.u_position[at(e)])] -= times(u[e], work_[k]);
    }
    for (std::size_t k = n_; k-- > 0;)
        for (int e = program_->layout.l_start[k]; e < program_->layout.l_start[k + 1]; ++e)
            work_[k] -= times(l[e], work_[at(program_->layout.l_position[at(e)])]);
    for (std::size_t k = 0; k < n_; ++k) b[at(program_->layout.row[k])] = work_[k];
}

template <class Scalar>
void StraightLineLu<Scalar>::solve_scaled(std::span<Scalar> b) const {
    run_solve(as_doubles(std::span<const Scalar>(b)).data(), as_doubles(b));
}

template <class Scalar>
void StraightLineLu<Scalar>::solve_scaled_transposed(std::span<Scalar> b) const {
    eliminate_transposed(b);
}

template <class Scalar>
void StraightLineLu<Scalar>::solve(std::span<Scalar> b) {
    assert(status_ == FactorStatus::ok && b.size() == n_);
    if (n_ == 0) return;
    if (given_away_) return other_->solve(b);
    double* const scaled_b = solve_memory_.data() + program_->b_begin;
    multiply(as_doubles(std::span<const Scalar>(b)), row_scale_, scaled_b);
    double* const x = as_doubles(b);
    program_->solve->run_main(solve_memory_.data(), x);
    if (needs_refinement_) {
        std::copy_n(reinterpret_cast<const Scalar*>(scaled_b), n_, estimate_.begin());
        refine(std::span<const Scalar>(estimate_.data(), n_), b, false);
    }
    multiply_in_place({x, n_ * width<Scalar>}, col_scale_);
}

template <class Scalar>
void StraightLineLu<Scalar>::solve_transposed(std::span<Scalar> b) {
    assert(status_ == FactorStatus::ok && b.size() == n_);
    if (n_ == 0) return;
    if (given_away_) return other_->solve_transposed(b);
    double* const x = as_doubles(b);
    multiply_in_place({x, n_ * width<Scalar>}, col_scale_);
    std::copy(b.begin(), b.end(), estimate_.begin());
    eliminate_transposed(b);
    if (needs_refinement_) refine(std::span<const Scalar>(estimate_.data(), n_), b, true);
    multiply_in_place({x, n_ * width<Scalar>}, row_scale_);
}

template <class Scalar>
double StraightLineLu<Scalar>::reciprocal_condition() const {
    if (status_ != FactorStatus::ok) return 0.0;
    if (n_ == 0) return 1.0;
    if (given_away_) return other_->reciprocal_condition();
    const double inverse_norm = estimate_inverse_norm_1(
        std::span<Scalar>(estimate_.data(), n_), std::span<Scalar>(estimate_.data() + n_, n_),
        [this](std::span<Scalar> b) { solve_scaled(b); },
        [this](std::span<Scalar> b) {
            for (Scalar& v : b) v = conjugate(v);
            solve_scaled_transposed(b);
            for (Scalar& v : b) v = conjugate(v);
        });
    return 1.0 / (inverse_norm * matrix_norm_1(pattern_, scaled()));
}

template <class Scalar>
bool StraightLineLu<Scalar>::is_machine_code() const {
    return program_ && program_->factor->name() != "interpreter";
}

template <class Scalar>
std::string StraightLineLu<Scalar>::description() const {
    if (handed_over_ && other_) return other_->description();
    std::string text = fmt::format("straight-line LU, {} unknowns, {} operations, {}", n_, operations(),
                                   is_machine_code() ? "machine code" : "interpreted");
    if (statistics_.orderings > 1) text += fmt::format(", pivots chosen {} times", statistics_.orderings);
    return text;
}

template class StraightLineLu<double>;
template class StraightLineLu<std::complex<double>>;

} // namespace daedalus::linalg
