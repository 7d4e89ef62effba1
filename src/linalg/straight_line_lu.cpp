#include "linalg/straight_line_lu.hpp"

#include "linalg/dense_lu.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/largest.hpp"
#include "linalg/norms.hpp"
#include "linalg/permutation.hpp"
#include "linalg/scalar.hpp"

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
// max |L| · max |U| above which solves are checked by their residual (pivots of a tenth of their column give some
// tens), and above which fresh pivots are worth their price.
constexpr double checked_growth = 256.0, refused_growth = 1e4;
// A pivot this small (reciprocal) belongs to a matrix so close to a singular one that a large part of the solution
// passes through rows it does not belong to: checked, too.
constexpr double checked_inverse = 1e6;
// Scale factors up to here leave all products and squares of entries in the range of numbers.
constexpr double extreme_scale = 0x1p200;
// Reciprocals of pivots above this are looked at closely, as in the dense and the KLU solver.
constexpr double suspicious_inverse = 1e9;
constexpr std::size_t most_samples = 3;
// Refusals before the other solver takes over, if they are more than one in eight factorisations.
constexpr long tolerated_refusals = 16;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double at_least_one(double a) { return a <= 1.0 ? 1.0 : a; } // NaN stays

template <class Scalar>
constexpr std::size_t width = sizeof(Scalar) / sizeof(double);

template <class Scalar>
std::span<const double> as_doubles(std::span<const Scalar> v) {
    return {reinterpret_cast<const double*>(v.data()), v.size() * width<Scalar>};
}

void multiply(double* v, const std::vector<double>& s) {
    for (std::size_t k = 0; k < s.size(); ++k) v[k] *= s[k];
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
const Scalar* StraightLineLu<Scalar>::stored() const {
    return reinterpret_cast<const Scalar*>(memory_.data() + program_->layout.values_begin);
}

template <class Scalar>
Scalar StraightLineLu<Scalar>::factor_at(std::size_t entry) const {
    return *reinterpret_cast<const Scalar*>(memory_.data() + program_->layout.slot[entry]);
}

template <class Scalar>
void StraightLineLu<Scalar>::add_sample(std::span<const Scalar> values) {
    if (!equilibration_.scale(pattern_, values, scaled_sample_)) return;
    scaling_known_ = false; // equilibration_ no longer belongs to the factors
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
    most_.clear();
    for (const char real : program_->real) {
        most_.push_back(std::numeric_limits<double>::max());
        most_.push_back(real != 0 ? 0.0 : std::numeric_limits<double>::max());
    }
    memory_ = program_->memory;
    parity_ = parity(program_->layout.row) * parity(program_->layout.col);
    scaling_known_ = false;
    known_inverse_pivot_ = 0.0;
    known_growth_ = 1.0;
    trust_ = {};
    refused_since_ordering_ = factorised_since_ordering_ = 0;
    return true;
}

/// False if the values cannot be scaled to order one: not finite, or spread over more than the range of numbers.
template <class Scalar>
bool StraightLineLu<Scalar>::rescale(std::span<const Scalar> values) {
    if (!equilibration_.scale(pattern_, values, scaled_sample_)) return false;
    ++statistics_.rescalings;
    const std::span<const double> r = equilibration_.rows(), c = equilibration_.cols();
    const auto extreme = [](double s) { return s > extreme_scale || s < 1.0 / extreme_scale; };
    scales_values_ = std::any_of(r.begin(), r.end(), extreme) || std::any_of(c.begin(), c.end(), extreme);
    constexpr std::size_t w = width<Scalar>;
    scale_.resize(values.size() * w);
    row_scale_.resize(n_ * w);
    col_scale_.resize(n_ * w);
    least_.assign(values.size() * w, 0.0);
    representative_.assign(n_, 0);
    std::fill(terms_.begin(), terms_.end(), -1.0);
    const double* const entry = reinterpret_cast<const double*>(scaled_sample_.data());
    for (std::size_t j = 0; j < n_; ++j)
        for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k) {
            const std::size_t e = at(k), i = at(pattern_.row_index[e]);
            const double s = r[i] * c[j];
            if (!std::isfinite(s) || s == 0.0) return scaling_known_ = false;
            for (std::size_t part = e * w; part < (e + 1) * w; ++part) {
                scale_[part] = s;
                if (std::abs(entry[part]) > terms_[i]) {
                    terms_[i] = std::abs(entry[part]);
                    representative_[i] = part;
                }
            }
        }
    for (const std::size_t part : representative_) least_[part] = 1.0 / (largest_drift * scale_[part]);
    for (std::size_t k = 0; k < n_ * w; ++k) {
        row_scale_[k] = r[k / w];
        col_scale_[k] = c[k / w];
    }
    // In scaled units: l_ik r_i / r_k, u_kj r_k c_j, 1 / (u_kk r_k c_k).
    const FactorLayout& f = program_->layout;
    const auto unit = [&](std::size_t number, double s) {
        if (f.slot[number] < f.part_begin[0]) return; // an entry of the matrix
        for (std::size_t part = 0; part < w; ++part)
            memory_[f.units_begin + f.slot[number] - f.part_begin[0] + part] = scales_values_ ? 1.0 : s;
    };
    for (std::size_t k = 0; k < n_; ++k) {
        const double rk = r[at(f.row[k])];
        for (auto e = at(f.l_start[k]); e < at(f.l_start[k + 1]); ++e) unit(e, r[at(f.row[at(f.l_position[e])])] / rk);
        for (auto e = at(f.u_start[k]); e < at(f.u_start[k + 1]); ++e)
            unit(f.lower() + e, rk * c[at(f.col[at(f.u_position[e])])]);
        unit(f.first_pivot() + k, 1.0 / (rk * c[at(f.col[k])]));
    }
    return scaling_known_ = true;
}

template <class Scalar>
auto StraightLineLu<Scalar>::attempt(std::span<const Scalar> values) -> Verdict {
    if (!scaling_known_) return Verdict::stale_scaling;
    double* const memory = memory_.data();
    double* const a = memory + program_->layout.values_begin;
    const std::span<const double> v = as_doubles(values);
    const double* const most = most_.empty() ? nullptr : most_.data();
    if (!copy_watched(v, least_.data(), most, a)) [[unlikely]]
        return none_exceeds(v, most) ? Verdict::stale_scaling : Verdict::refused;
    if (scales_values_) [[unlikely]]
        multiply(a, scale_);
    // Machine code reads the values where they are: it need not wait for the copy, which is for the solves.
    program_->factor->run_main(memory, nullptr, {scales_values_ ? a : v.data(), nullptr, nullptr});
    if (const std::size_t sums = program_->layout.sums_begin; sums != 0) {
        // Of squares: they bound the largest from above, which mostly is enough to know.
        const double* const sum = memory + sums;
        const double square = at_least_one(sum[0]) * at_least_one(sum[1]);
        if (square <= checked_growth * checked_growth && sum[2] <= checked_inverse * checked_inverse) {
            growth_ = -square; // nobody may want the root
            watched_ = false;
            return Verdict::good;
        }
    }
    return judge();
}

/// The factors in memory, by what is largest in them.
template <class Scalar>
auto StraightLineLu<Scalar>::judge() -> Verdict {
    const FactorLayout& f = program_->layout;
    const auto [lower, upper, inverse_pivot] = largest_scaled(
        memory_.data() + f.part_begin[0], units(),
        {f.part_begin[1] - f.part_begin[0], f.part_begin[2] - f.part_begin[1], f.part_begin[3] - f.part_begin[2]});
    const double growth = at_least_one(lower) * at_least_one(upper);
    growth_ = growth;
    watched_ = growth > checked_growth || inverse_pivot > checked_inverse;
    if (!(growth <= refused_growth) || !std::isfinite(inverse_pivot)) return Verdict::refused;
    if (!watched_) return Verdict::good;
    // Perhaps only rows or columns that have changed their size: with a scaling made for this matrix one can tell.
    const bool grown = growth > checked_growth && growth > largest_drift * known_growth_;
    const bool shrunk = inverse_pivot > suspicious_inverse && inverse_pivot > largest_drift * known_inverse_pivot_;
    if (grown) known_growth_ = growth;
    if (shrunk) known_inverse_pivot_ = inverse_pivot;
    if (grown || shrunk) return Verdict::stale_scaling;
    if (inverse_pivot > suspicious_inverse && has_noise_pivot()) return Verdict::refused;
    watched_ = !trusts(growth, inverse_pivot);
    inverse_pivot_ = inverse_pivot;
    return Verdict::good;
}

/// Whether solutions with such factors were good, time and again.
template <class Scalar>
bool StraightLineLu<Scalar>::trusts(double growth, double inverse_pivot) {
    constexpr int enough = 4, most_unseen = 7;
    constexpr double more = 2.0; // what a step or two may change
    const bool trusted = trust_.good >= enough && trust_.unseen < most_unseen && growth <= more * trust_.growth &&
                         inverse_pivot <= more * trust_.inverse_pivot;
    trust_.unseen = trusted ? trust_.unseen + 1 : 0;
    return trusted;
}

/// Whether some pivot and all candidates below it are no larger than the rounding errors of the sums behind them.
template <class Scalar>
bool StraightLineLu<Scalar>::has_noise_pivot() const {
    const FactorLayout& f = program_->layout;
    const double* const unit = units() + (f.part_begin[2] - f.part_begin[0]);
    const Scalar* const a = stored();
    std::size_t block = 0;
    for (int k = 0; k < f.n; ++k) {
        while (k >= f.block_start[block + 1]) ++block;
        const double inverse = size_of(factor_at(f.first_pivot() + at(k)));
        if (inverse * unit[at(k) * width<Scalar>] <= suspicious_inverse) continue;
        const double pivot = 1.0 / inverse;
        std::fill(terms_.begin(), terms_.end(), 0.0);
        const int column = f.col[at(k)];
        for (int e = pattern_.column_start[at(column)]; e < pattern_.column_start[at(column) + 1]; ++e) {
            const int i = f.row_position[at(pattern_.row_index[at(e)])];
            if (i >= f.block_start[block]) terms_[at(i)] = size_of(a[at(e)]);
        }
        const CrossIndex& columns = f.upper_columns;
        int depth = 0;
        for (int t = columns.start[at(k)]; t < columns.start[at(k) + 1]; ++t, ++depth) {
            const int p = columns.other[at(t)];
            const double size = size_of(factor_at(f.lower() + at(columns.entry[at(t)])));
            for (int d = f.l_start[at(p)]; d < f.l_start[at(p) + 1]; ++d)
                terms_[at(f.l_position[at(d)])] += size_of(factor_at(at(d))) * size;
        }
        const double unit_error = (8.0 + depth) * std::numeric_limits<double>::epsilon();
        bool noise = pivot <= unit_error * terms_[at(k)];
        for (int d = f.l_start[at(k)]; d < f.l_start[at(k) + 1] && noise; ++d)
            noise = size_of(factor_at(at(d))) * pivot <= unit_error * terms_[at(f.l_position[at(d)])];
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

/// x += A⁻¹ (b - A x) until every row of the residual is as small as rounding its terms makes it (Arioli, Demmel & Duff
/// 1989) or no progress is made. Mostly one step, if any.
template <class Scalar>
void StraightLineLu<Scalar>::refine(std::span<const Scalar> b, std::span<Scalar> x, bool transposed) {
    constexpr int most_steps = 3;
    // Below the first, a residual is what elimination with pivoting usually leaves; below the second, all that can be
    // had.
    constexpr double usual = 512.0 * std::numeric_limits<double>::epsilon(), small_enough = usual / 16.0;
    constexpr double progress = 0.25;
    ++statistics_.checked;
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step <= most_steps; ++step) {
        const double error = program_->backward_error(pattern_, stored(), b, std::span<const Scalar>(x),
                                                      std::span<Scalar>(residual_), transposed);
        if (step == 0 && error <= usual) {
            watched_ = false; // factors whose first solution is good are good enough for what else they are asked
            ++trust_.good;
            trust_.growth = std::max(trust_.growth, growth_);
            trust_.inverse_pivot = std::max(trust_.inverse_pivot, inverse_pivot_);
            return;
        }
        trust_ = {};
        if (step == most_steps || error <= small_enough || !(error < progress * before)) return;
        before = error;
        ++statistics_.refined;
        if (transposed)
            solve_stored_transposed(residual_);
        else
            solve_stored(residual_);
        for (std::size_t i = 0; i < n_; ++i) x[i] += residual_[i];
    }
}

/// With the matrix in memory.
template <class Scalar>
void StraightLineLu<Scalar>::solve_stored(std::span<Scalar> b) const {
    double* const x = reinterpret_cast<double*>(b.data());
    const tape::Program& solve = *program_->solve;
    if (!solve.reads_outside()) std::copy_n(x, n_ * width<Scalar>, memory_.data() + program_->layout.b_begin);
    solve.run_main(memory_.data(), x, {x, nullptr, nullptr});
}

/// (P A Q)ᵀ = Uᵀ Lᵀ in the diagonal blocks, from the first to the last, in loops: nothing that runs often needs it.
template <class Scalar>
void StraightLineLu<Scalar>::solve_stored_transposed(std::span<Scalar> b) const {
    const FactorLayout& f = program_->layout;
    const Scalar* const a = stored();
    for (std::size_t k = 0; k < n_; ++k) work_[k] = b[at(f.col[k])];
    for (std::size_t block = 0; block + 1 < f.block_start.size(); ++block) {
        const std::size_t first = at(f.block_start[block]), last = at(f.block_start[block + 1]);
        for (std::size_t k = first; k < last; ++k) {
            work_[k] = times(work_[k], factor_at(f.first_pivot() + k));
            for (auto e = at(f.u_start[k]); e < at(f.u_start[k + 1]); ++e)
                work_[at(f.u_position[e])] -= times(factor_at(f.lower() + e), work_[k]);
        }
        for (std::size_t k = last; k-- > first;)
            for (auto e = at(f.l_start[k]); e < at(f.l_start[k + 1]); ++e)
                work_[k] -= times(factor_at(e), work_[at(f.l_position[e])]);
        for (std::size_t k = first; k < last; ++k)
            for (auto t = at(f.right.start[k]); t < at(f.right.start[k + 1]); ++t)
                work_[at(f.right.other[t])] -= times(a[f.right.entry[t]], work_[k]);
    }
    for (std::size_t k = 0; k < n_; ++k) b[at(f.row[k])] = work_[k];
}

template <class Scalar>
void StraightLineLu<Scalar>::solve(std::span<Scalar> b) {
    assert(status_ == FactorStatus::ok && b.size() == n_);
    if (n_ == 0) return;
    if (given_away_) return other_->solve(b);
    double* const x = reinterpret_cast<double*>(b.data());
    if (scales_values_) multiply(x, row_scale_);
    if (watched_) std::copy(b.begin(), b.end(), estimate_.begin());
    solve_stored(b);
    if (watched_) refine(std::span<const Scalar>(estimate_.data(), n_), b, false);
    if (scales_values_) multiply(x, col_scale_);
}

template <class Scalar>
void StraightLineLu<Scalar>::solve_transposed(std::span<Scalar> b) {
    assert(status_ == FactorStatus::ok && b.size() == n_);
    if (n_ == 0) return;
    if (given_away_) return other_->solve_transposed(b);
    double* const x = reinterpret_cast<double*>(b.data());
    if (scales_values_) multiply(x, col_scale_);
    if (watched_) std::copy(b.begin(), b.end(), estimate_.begin());
    solve_stored_transposed(b);
    if (watched_) refine(std::span<const Scalar>(estimate_.data(), n_), b, true);
    if (scales_values_) multiply(x, row_scale_);
}

template <class Scalar>
double StraightLineLu<Scalar>::reciprocal_condition() const {
    if (status_ != FactorStatus::ok) return 0.0;
    if (n_ == 0) return 1.0;
    if (given_away_) return other_->reciprocal_condition();
    // (R A C)⁻¹ = C⁻¹ A⁻¹ R⁻¹
    const auto divide = [this](std::span<Scalar> b, const std::vector<double>& s) {
        if (scales_values_) return;
        for (std::size_t i = 0; i < n_; ++i) b[i] /= s[i * width<Scalar>];
    };
    const double inverse_norm = estimate_inverse_norm_1(
        std::span<Scalar>(estimate_.data(), n_), std::span<Scalar>(estimate_.data() + n_, n_),
        [&](std::span<Scalar> b) {
            divide(b, row_scale_);
            solve_stored(b);
            divide(b, col_scale_);
        },
        [&](std::span<Scalar> b) {
            for (Scalar& v : b) v = conjugate(v);
            divide(b, col_scale_);
            solve_stored_transposed(b);
            divide(b, row_scale_);
            for (Scalar& v : b) v = conjugate(v);
        });
    for (std::size_t e = 0; e < scaled_sample_.size(); ++e)
        scaled_sample_[e] = stored()[e] * (scales_values_ ? 1.0 : scale_[e * width<Scalar>]);
    return 1.0 / (inverse_norm * matrix_norm_1(pattern_, std::span<const Scalar>(scaled_sample_)));
}

template <class Scalar>
long double StraightLineLu<Scalar>::determinant() const {
    if constexpr (std::is_same_v<Scalar, double>) {
        if (status_ != FactorStatus::ok || n_ == 0) return 0.0L;
        if (given_away_) return other_->determinant();
        const double* const inverse = memory_.data() + program_->layout.part_begin[2];
        long double product = parity_; // of reciprocals
        for (std::size_t k = 0; k < n_; ++k) product *= inverse[k];
        for (std::size_t k = 0; scales_values_ && k < n_; ++k)
            product *= static_cast<long double>(row_scale_[k]) * col_scale_[k];
        return product != 0.0L && std::isfinite(product) ? 1.0L / product : 0.0L;
    }
    return 0.0L;
}

template <class Scalar>
StraightLineStatistics StraightLineLu<Scalar>::statistics() const {
    StraightLineStatistics s = statistics_;
    s.growth = growth_ < 0.0 ? std::sqrt(-growth_) : growth_;
    return s;
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
