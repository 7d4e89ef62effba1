#include "linalg/klu_solver.hpp"

#include "linalg/equilibration.hpp"
#include "linalg/klu_api.hpp"
#include "linalg/multifrontal_lu.hpp"
#include "linalg/norms.hpp"
#include "linalg/solution_check.hpp"

#include <fmt/format.h>

#include <cassert>
#include <limits>
#include <utility>
#include <vector>

namespace daedalus::linalg {

namespace {

// A diagonal pivot is kept unless it is this much smaller than the largest of its column. KLU's own default of 1e-3
// keeps more sparsity but lets entries grow a thousandfold.
constexpr double pivot_threshold = 1e-2;
// Reused pivots are given up when the entries of U outgrow those of A by this factor (half of the digits lost would
// be 1e-8; 1e-4 keeps Newton matrices useful) while fresh pivots did markedly better.
constexpr double acceptable_growth = 1e-4;
// The diagonal of U may shrink by this factor against the last fresh factorisation before pivots are doubted.
constexpr double acceptable_shrinkage = 1e-4;
// min|u_kk| / max|u_kk| below which small pivots are examined for cancellation.
constexpr double suspicious_ratio = 1e-9;
// COLAMD orders for any pivots, which costs fill (three times the operations on a grid). AMD's order for those on the
// diagonal of a pattern that is symmetric to this degree has nothing to fear if nearly all of them are taken.
constexpr double nearly_symmetric = 0.9;
// From this many operations per entry of the factors on, and in all, dense pieces are faster than columns: measured on
// five-point grids, refactorisations 1.3 times at 12, 2.5 at 28, 4.4 at 57, 7.7 at 158; solves 0.6, 0.8, 1.1 and 1.3
// times.
constexpr double intensity_of_pieces = 25.0, operations_of_pieces = 1e6;

double conjugate(double a) { return a; }
std::complex<double> conjugate(const std::complex<double>& a) { return std::conj(a); }

/// Copies of the factors, made only when a pivot is suspiciously small.
struct ExtractedFactors {
    std::vector<int> lp, li, up, ui, p, q, r;
    std::vector<double> lx, lz, ux, uz;
    std::vector<double> terms; ///< size of what was summed up per row
    std::vector<int> position; ///< original row → permuted row
};

} // namespace

KluCounts expected_counts(const SparsityPattern& pattern) {
    klu_common common;
    klu_defaults(&common);
    SparsityPattern p = pattern; // KLU's interface knows no const
    klu_symbolic* symbolic = klu_analyze(p.cols, p.column_start.data(), p.row_index.data(), &common);
    if (!symbolic) return {};
    const KluCounts counts{symbolic->est_flops, symbolic->lnz + symbolic->unz};
    klu_free_symbolic(&symbolic, &common);
    return counts;
}

template <class Scalar>
struct KluSolver<Scalar>::Impl {
    using Api = KluApi<Scalar>;

    explicit Impl(SharedPattern a)
        : shared(std::move(a)), n(pattern.cols), equilibration(pattern), scaled(pattern.row_index.size()),
          check(static_cast<std::size_t>(n)), work(2 * static_cast<std::size_t>(n)) {
        klu_defaults(&common);
        common.scale = -1; // equilibrated by us, in both directions, and checked
        common.tol = pivot_threshold;
        common.btf = 1;
    }
    ~Impl() {
        if (numeric) Api::free_numeric(&numeric, &common);
        if (symbolic) klu_free_symbolic(&symbolic, &common);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    SharedPattern shared;
    const SparsityPattern& pattern = *shared;
    int n;
    Equilibration<Scalar> equilibration;
    std::vector<Scalar> scaled;
    SolutionCheck<Scalar> check;
    Factors factors = Factors::accurate;
    mutable std::vector<Scalar> work;
    mutable klu_common common{};
    static constexpr int amd = 0, colamd = 1;
    int ordered_by = amd;
    double loser_operations = 0.0; ///< of the first matrix with the other ordering; 0: not tried
    klu_symbolic* symbolic = nullptr;
    klu_numeric* numeric = nullptr;
    /// Later matrices in dense pieces, with the pivots that KLU has taken or would take; real ones only.
    std::unique_ptr<MultifrontalLu> pieces;
    bool in_pieces = false; ///< the present factors
    int refusals = 0;       ///< of factors in pieces
    bool leaves_heavy = false, left = false;
    double fresh_growth = 1.0; ///< reciprocal pivot growth of the last full factorisation
    double fresh_rcond = 1.0;
    double rcond = 1.0;  ///< smallest pivot over largest of the present factors
    double growth = 1.0; ///< of the present factors (reciprocal)
    int singular_column = -1;
    FactorStatus status = FactorStatus::singular;
    KluStatistics statistics;
    ExtractedFactors extracted;

    // KLU's interface knows no const, and KLU changes neither.
    int* ap() { return const_cast<int*>(pattern.column_start.data()); }
    int* ai() { return const_cast<int*>(pattern.row_index.data()); }
    double* ax() { return Api::raw(scaled.data()); }

    FactorStatus failure() const {
        return common.status == KLU_OUT_OF_MEMORY || common.status == KLU_TOO_LARGE ? FactorStatus::out_of_memory
                                                                                    : FactorStatus::singular;
    }

    klu_symbolic* analyze(int ordering) {
        common.ordering = ordering;
        return klu_analyze(n, ap(), ai(), &common);
    }

    /// AMD counts on pivots on the diagonal; where numbers force others, fill can be a hundred times its estimate (long
    /// chains of constraints). The factors may then outgrow the estimate `most_excess` times and no more: with this
    /// factor of growth KLU gives up as too large instead of asking for more memory.
    FactorStatus bounded_factor() {
        constexpr double most_excess = 4.0, no_growth = 1e30;
        const double usual_start = std::exchange(common.initmem_amd, most_excess);
        const double usual_growth = std::exchange(common.memgrow, no_growth);
        const FactorStatus outcome = full_factor();
        common.initmem_amd = usual_start;
        common.memgrow = usual_growth;
        return outcome;
    }

    static bool dense_enough(double operations, double entries) {
        return operations >= operations_of_pieces && operations >= intensity_of_pieces * entries;
    }

    /// False if A + Aᵀ would fill much more than the `entries` of L and U.
    bool cut([[maybe_unused]] const int* rows, [[maybe_unused]] double entries) {
        pieces.reset();
        if constexpr (std::is_same_v<Scalar, double>) {
            constexpr double most_excess = 1.5;
            constexpr int most_refusals = 3;
            if (refusals >= most_refusals) return false;
            const auto size = static_cast<std::size_t>(n), blocks = static_cast<std::size_t>(symbolic->nblocks);
            const PivotOrder order{{rows, size}, {symbolic->Q, size}, {symbolic->R, blocks + 1}};
            pieces = std::make_unique<MultifrontalLu>(pattern, order, most_excess * 0.5 * entries);
            if (!pieces->usable()) pieces.reset();
        }
        return pieces != nullptr;
    }

    /// False if the pivots do not suit this matrix.
    bool factor_in_pieces([[maybe_unused]] bool fresh) {
        in_pieces = false;
        if constexpr (std::is_same_v<Scalar, double>) {
            if (pieces->factor(scaled)) {
                const auto q = pieces->quality(pattern, scaled);
                rcond = q.pivots;
                growth = q.growth;
                if (fresh) fresh_growth = q.growth;
                if (fresh) fresh_rcond = q.pivots;
                const bool sound = q.growth >= acceptable_growth || (!fresh && q.growth >= 0.1 * fresh_growth);
                // The diagonal is what KLU would have taken. Small pivots are examined in its factors.
                in_pieces = sound && q.pivots >= suspicious_ratio &&
                            (!fresh || pieces->largest_multiplier() * pivot_threshold <= 1.0);
            }
        }
        if (in_pieces) return true;
        ++refusals;
        pieces.reset();
        return false;
    }

    /// First matrix with nearly symmetric pattern: whether its diagonal will do.
    bool first_in_pieces() {
        const double entries = symbolic->lnz + symbolic->unz;
        return symbolic->symmetry >= nearly_symmetric && dense_enough(symbolic->est_flops, entries) &&
               cut(symbolic->P, entries) && factor_in_pieces(true) && ++statistics.full_factorisations > 0;
    }

    /// After the diagonal has been tried, or is none. Complex matrices have no pieces: UMFPACK's factorisation itself
    /// must be faster than KLU's with reused pivots.
    bool promises_heavy_fill() const {
        const double operations = symbolic->est_flops, entries = symbolic->lnz + symbolic->unz;
        if constexpr (std::is_same_v<Scalar, double>) return dense_enough(operations, entries);
        return symbolic->symmetry < nearly_symmetric && operations >= 2e7 && operations >= 80.0 * entries;
    }

    /// With the pivots that KLU has found just now, for the matrices to come.
    void consider_pieces() {
        const KluCounts now = counts();
        if (dense_enough(now.operations, now.entries)) cut(numeric->Pnum, now.entries);
    }

    /// Of the present factors.
    KluCounts counts() {
        if (in_pieces) return {pieces->operations(), pieces->entries()};
        if (!numeric) return {};
        Api::flops(symbolic, numeric, &common);
        // KLU counts a complex multiplication as several operations.
        constexpr double weight = std::is_same_v<Scalar, double> ? 1.0 : 4.0;
        return {common.flops / weight, static_cast<double>(numeric->lnz + numeric->unz + symbolic->nzoff)};
    }

    FactorStatus change_to_colamd() {
        klu_free_symbolic(&symbolic, &common);
        symbolic = analyze(colamd);
        ordered_by = colamd;
        return symbolic ? full_factor() : failure();
    }

    /// Other numbers, other pivots: what AMD estimated for the first matrix need not hold for this one.
    FactorStatus later_factor() {
        if (ordered_by == colamd) return full_factor();
        const FactorStatus outcome = bounded_factor();
        return common.status == KLU_TOO_LARGE ? change_to_colamd() : outcome;
    }

    /// First matrix: factorise with both orderings, keep the one with fewer operations.
    FactorStatus first_factor() {
        symbolic = analyze(amd);
        if (!symbolic) return failure();
        if (first_in_pieces()) return FactorStatus::ok;
        if (leaves_heavy && promises_heavy_fill()) {
            left = true;
            klu_free_symbolic(&symbolic, &common);
            return FactorStatus::singular;
        }
        const FactorStatus outcome = bounded_factor();
        if (common.status == KLU_TOO_LARGE) return change_to_colamd();
        if (outcome != FactorStatus::ok) return outcome;
        Api::flops(symbolic, numeric, &common);
        const double amd_flops = common.flops;
        // Nothing to gain if no block leaves room for an ordering, or if there is no fill at all.
        const bool no_fill = numeric->lnz + numeric->unz + symbolic->nzoff <= pattern.nonzeros() + n;
        if (symbolic->maxblock <= 3 || no_fill) return outcome;
        constexpr double few = 0.02;
        if (symbolic->symmetry >= nearly_symmetric && common.noffdiag <= few * n) return outcome;
        klu_symbolic* const other_symbolic = analyze(colamd);
        if (!other_symbolic) return outcome;
        klu_numeric* other_numeric = Api::factor(ap(), ai(), ax(), other_symbolic, &common);
        klu_symbolic* loser_symbolic = other_symbolic;
        if (other_numeric && common.status == KLU_OK) {
            Api::flops(other_symbolic, other_numeric, &common);
            const double other_flops = common.flops;
            loser_operations = other_flops;
            Api::rgrowth(ap(), ai(), ax(), other_symbolic, other_numeric, &common);
            const bool sound = common.rgrowth >= acceptable_growth || common.rgrowth >= fresh_growth;
            if (other_flops < amd_flops && sound) {
                loser_symbolic = std::exchange(symbolic, other_symbolic);
                ordered_by = colamd;
                loser_operations = amd_flops;
                std::swap(numeric, other_numeric);
                remember_fresh();
            }
        }
        if (other_numeric) Api::free_numeric(&other_numeric, &common);
        klu_free_symbolic(&loser_symbolic, &common);
        return outcome;
    }

    /// The transversal of the block triangular form knows no numbers: with its entries preferred as pivots, a ring or
    /// chain can turn into a recurrence that grows exponentially (2^n, measured). Then the largest entries are pivots,
    /// from here on.
    FactorStatus full_factor() {
        const FactorStatus outcome = factor_once();
        if (outcome != FactorStatus::ok || fresh_growth >= acceptable_growth || common.tol >= 1.0) return outcome;
        common.tol = 1.0;
        return factor_once();
    }

    FactorStatus factor_once() {
        ++statistics.full_factorisations;
        in_pieces = false;
        if (numeric) Api::free_numeric(&numeric, &common);
        numeric = Api::factor(ap(), ai(), ax(), symbolic, &common);
        if (!numeric || common.status != KLU_OK) {
            singular_column = common.status == KLU_SINGULAR ? common.singular_col : -1;
            return failure();
        }
        remember_fresh();
        return FactorStatus::ok;
    }

    void remember_fresh() {
        Api::rgrowth(ap(), ai(), ax(), symbolic, numeric, &common);
        fresh_growth = growth = common.rgrowth;
        Api::rcond(symbolic, numeric, &common);
        fresh_rcond = rcond = common.rcond;
    }

    /// False if the pivots of the last full factorisation do not suit this matrix.
    bool refactor() {
        if (!numeric && !pieces) return false;
        ++statistics.refactorisations;
        if (pieces) {
            const bool good = factor_in_pieces(false);
            if (!good) ++statistics.refused_refactorisations;
            return good;
        }
        bool good = Api::refactor(ap(), ai(), ax(), symbolic, numeric, &common) && common.status == KLU_OK;
        if (good) {
            Api::rgrowth(ap(), ai(), ax(), symbolic, numeric, &common);
            growth = common.rgrowth;
            good = growth >= acceptable_growth || growth >= 0.1 * fresh_growth;
        }
        if (good) {
            Api::rcond(symbolic, numeric, &common);
            rcond = common.rcond;
            good = rcond >= suspicious_ratio || rcond >= acceptable_shrinkage * fresh_rcond;
        }
        if (!good) ++statistics.refused_refactorisations;
        return good;
    }

    bool has_noise_pivot();
    /// The column whose pivot is smallest.
    int smallest_pivot();
    void extract();

    [[nodiscard]] Factors judge() {
        return check.judge(pattern, std::span<const Scalar>(scaled), [this](std::span<Scalar> b) { solve_scaled(b); });
    }
    /// Whether fresh factors solve their system, after another try with the largest entries as pivots if need be.
    bool solves_well() {
        factors = judge();
        if (factors == Factors::accurate || (common.tol >= 1.0 && !in_pieces)) return factors != Factors::useless;
        common.tol = 1.0;
        pieces.reset();
        in_pieces = false;
        if (later_factor() != FactorStatus::ok) return false;
        factors = judge();
        return factors != Factors::useless;
    }

    void solve_scaled(std::span<Scalar> b) {
        if constexpr (std::is_same_v<Scalar, double>)
            if (in_pieces) return pieces->solve(b);
        Api::solve(symbolic, numeric, n, 1, Api::raw(b.data()), &common);
    }
    void solve_scaled_transposed(std::span<Scalar> b) {
        if constexpr (std::is_same_v<Scalar, double>)
            if (in_pieces) return pieces->solve_transposed(b);
        Api::solve_transposed(symbolic, numeric, n, Api::raw(b.data()), &common);
    }
};

template <class Scalar>
void KluSolver<Scalar>::Impl::extract() {
    ExtractedFactors& f = extracted;
    const auto size = static_cast<std::size_t>(n);
    for (auto* v : {&f.lp, &f.up, &f.p, &f.q, &f.r, &f.position}) v->resize(size + 1);
    const auto lnz = static_cast<std::size_t>(numeric->lnz), unz = static_cast<std::size_t>(numeric->unz);
    f.li.resize(lnz);
    f.lx.resize(lnz);
    f.ui.resize(unz);
    f.ux.resize(unz);
    if constexpr (!std::is_same_v<Scalar, double>) {
        f.lz.resize(lnz);
        f.uz.resize(unz);
    }
    f.terms.assign(size, 0.0);
    Api::extract(numeric, symbolic, f.lp.data(), f.li.data(), f.lx.data(), f.lz.data(), f.up.data(), f.ui.data(),
                 f.ux.data(), f.uz.data(), f.p.data(), f.q.data(), f.r.data(), &common);
    for (std::size_t k = 0; k < f.lz.size(); ++k) f.lx[k] = std::abs(std::complex(f.lx[k], f.lz[k]));
    for (std::size_t k = 0; k < f.uz.size(); ++k) f.ux[k] = std::abs(std::complex(f.ux[k], f.uz[k]));
    for (double& v : f.lx) v = std::abs(v);
    for (double& v : f.ux) v = std::abs(v);
    for (int i = 0; i < n; ++i) f.position[static_cast<std::size_t>(f.p[static_cast<std::size_t>(i)])] = i;
}

/// Whether some column of U ends in a pivot that is no larger than the rounding errors of the sums behind it and so
/// are all candidates below it: then the matrix is singular within componentwise round-off.
template <class Scalar>
int KluSolver<Scalar>::Impl::smallest_pivot() {
    extract();
    double smallest = std::numeric_limits<double>::infinity();
    int column = 0;
    for (int k = 0; k < n; ++k)
        for (int e = extracted.up[static_cast<std::size_t>(k)]; e < extracted.up[static_cast<std::size_t>(k) + 1]; ++e)
            if (const double size = extracted.ux[static_cast<std::size_t>(e)];
                extracted.ui[static_cast<std::size_t>(e)] == k && !(size >= smallest)) {
                smallest = size;
                column = extracted.q[static_cast<std::size_t>(k)];
            }
    return column;
}

template <class Scalar>
bool KluSolver<Scalar>::Impl::has_noise_pivot() {
    extract();
    ExtractedFactors& f = extracted;
    auto at = [](auto& v, int i) -> auto& { return v[static_cast<std::size_t>(i)]; };
    double largest = 0.0;
    auto pivot = [&](int k) {
        for (int e = at(f.up, k); e < at(f.up, k + 1); ++e)
            if (at(f.ui, e) == k) return at(f.ux, e);
        return 0.0;
    };
    for (int k = 0; k < n; ++k) largest = std::max(largest, pivot(k));
    int block = 0;
    for (int k = 0; k < n; ++k) {
        while (k >= at(f.r, block + 1)) ++block;
        const double ukk = pivot(k);
        if (ukk >= suspicious_ratio * largest) continue;
        const int block_begin = at(f.r, block), block_end = at(f.r, block + 1);
        for (int i = block_begin; i < block_end; ++i) at(f.terms, i) = 0.0;
        const int column = at(f.q, k);
        for (int e = at(pattern.column_start, column); e < at(pattern.column_start, column + 1); ++e)
            at(f.terms, at(f.position, at(pattern.row_index, e))) += std::abs(at(scaled, e));
        for (int e = at(f.up, k); e < at(f.up, k + 1); ++e) {
            const int p = at(f.ui, e);
            if (p == k) continue;
            for (int d = at(f.lp, p); d < at(f.lp, p + 1); ++d) at(f.terms, at(f.li, d)) += at(f.lx, d) * at(f.ux, e);
        }
        const double unit = (8.0 + (k - block_begin)) * std::numeric_limits<double>::epsilon();
        bool noise = true;
        for (int d = at(f.lp, k); d < at(f.lp, k + 1) && noise; ++d)
            if (at(f.li, d) >= k) noise = at(f.lx, d) * ukk <= unit * at(f.terms, at(f.li, d));
        if (noise) {
            singular_column = column;
            return true;
        }
    }
    return false;
}

template <class Scalar>
KluSolver<Scalar>::KluSolver(SharedPattern pattern) : impl_(std::make_unique<Impl>(std::move(pattern))) {
    assert(impl_->pattern.rows == impl_->pattern.cols && impl_->n > 0);
}

template <class Scalar>
KluSolver<Scalar>::~KluSolver() = default;

template <class Scalar>
FactorStatus KluSolver<Scalar>::factor(std::span<const Scalar> values) {
    Impl& k = *impl_;
    assert(values.size() == k.scaled.size());
    k.singular_column = -1;
    if (!k.equilibration.scale(k.pattern, values, k.scaled)) return k.status = FactorStatus::not_finite;
    bool reused = k.symbolic && k.refactor();
    // Where fresh pivots lost digits, reused ones may lose all.
    if (reused && (k.factors = k.factors == Factors::accurate ? k.factors : k.judge()) == Factors::useless)
        reused = false;
    k.status = reused ? FactorStatus::ok : k.symbolic ? k.later_factor() : k.first_factor();
    if (k.status != FactorStatus::ok) return k.status;
    if (k.rcond < suspicious_ratio && k.has_noise_pivot()) return k.status = FactorStatus::singular;
    // Pivots that are used again are compared with fresh ones (refactor): of good ones only the fresh are tried on a
    // system.
    if (!reused && !k.solves_well()) {
        if (k.singular_column < 0 && k.numeric != nullptr && k.common.status == KLU_OK)
            k.singular_column = k.smallest_pivot();
        return k.status = FactorStatus::singular;
    }
    if (!reused && !k.in_pieces) k.consider_pieces();
    k.check.watch(k.factors, k.growth, k.rcond);
    return k.status;
}

template <class Scalar>
void KluSolver<Scalar>::solve(std::span<Scalar> b) {
    Impl& k = *impl_;
    assert(k.status == FactorStatus::ok && b.size() == static_cast<std::size_t>(k.n));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= k.equilibration.rows()[i];
    k.check.solve_watched(
        k.pattern, std::span<const Scalar>(k.scaled), b, [&k](std::span<Scalar> c) { k.solve_scaled(c); }, false);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= k.equilibration.cols()[i];
}

template <class Scalar>
void KluSolver<Scalar>::solve_transposed(std::span<Scalar> b) {
    Impl& k = *impl_;
    assert(k.status == FactorStatus::ok && b.size() == static_cast<std::size_t>(k.n));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= k.equilibration.cols()[i];
    k.check.solve_watched(
        k.pattern, std::span<const Scalar>(k.scaled), b, [&k](std::span<Scalar> c) { k.solve_scaled_transposed(c); },
        true);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= k.equilibration.rows()[i];
}

template <class Scalar>
double KluSolver<Scalar>::reciprocal_condition() const {
    Impl& k = *impl_;
    if (k.status != FactorStatus::ok) return 0.0;
    const auto n = static_cast<std::size_t>(k.n);
    const double inverse_norm = estimate_inverse_norm_1(
        std::span<Scalar>(k.work.data(), n), std::span<Scalar>(k.work.data() + n, n),
        [&k](std::span<Scalar> b) { k.solve_scaled(b); },
        [&k](std::span<Scalar> b) {
            for (Scalar& v : b) v = conjugate(v);
            k.solve_scaled_transposed(b);
            for (Scalar& v : b) v = conjugate(v);
        });
    return 1.0 / (inverse_norm * matrix_norm_1(k.pattern, std::span<const Scalar>(k.scaled)));
}

template <class Scalar>
int KluSolver<Scalar>::singular_column() const {
    return impl_->singular_column;
}

template <class Scalar>
const KluStatistics& KluSolver<Scalar>::statistics() const {
    return impl_->statistics;
}

template <class Scalar>
KluCounts KluSolver<Scalar>::counts() const {
    return impl_->counts();
}

template <class Scalar>
bool KluSolver<Scalar>::in_pieces() const {
    return impl_->pieces != nullptr;
}

template <class Scalar>
void KluSolver<Scalar>::leave_heavy_fill(bool leave) {
    impl_->leaves_heavy = leave;
    impl_->left = false;
}

template <class Scalar>
bool KluSolver<Scalar>::leaves_it() const {
    return impl_->left;
}

template <class Scalar>
std::string KluSolver<Scalar>::description() const {
    const KluCounts c = counts();
    std::string text = fmt::format("KLU, {} unknowns in {} blocks, {:.0f} entries in the factors, {:.2g} operations",
                                   impl_->n, impl_->symbolic ? impl_->symbolic->nblocks : 0, c.entries, c.operations);
    if (impl_->pieces) text += fmt::format(" in {} dense pieces", impl_->pieces->pieces());
    const bool colamd = impl_->ordered_by == Impl::colamd;
    text += fmt::format(", ordered by {}", colamd ? "COLAMD" : "AMD");
    if (impl_->loser_operations > 0.0) {
        constexpr double weight = std::is_same_v<Scalar, double> ? 1.0 : 4.0; // as in counts()
        text += fmt::format(" ({} would need {:.2g})", colamd ? "AMD" : "COLAMD", impl_->loser_operations / weight);
    }
    return text;
}

template class KluSolver<double>;
template class KluSolver<std::complex<double>>;

} // namespace daedalus::linalg
