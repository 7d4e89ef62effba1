#include "linalg/singular_values.hpp"

#include "linalg/lapack_api.hpp"

#include <cmath>
#include <limits>

namespace daedalus::linalg {

using lapack::leading;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

SingularValues decompose(const Matrix& a, bool vectors) {
    const int m = a.rows(), n = a.cols(), least = std::min(m, n);
    SingularValues s;
    s.values.assign(static_cast<std::size_t>(least), 0.0);
    if (vectors) {
        s.u = Matrix::identity(m);
        s.v = Matrix::identity(n);
    }
    if (least == 0) return s;
    if (!all_finite(a)) {
        s.converged = false;
        return s;
    }
    const char job = vectors ? 'A' : 'N';
    const int ldu = vectors ? m : 1, ldvt = vectors ? n : 1;
    Matrix u(ldu, vectors ? m : 1), vt(ldvt, vectors ? n : 1), copy = a;
    std::vector<int> iwork(8 * static_cast<std::size_t>(least));
    double size = 0.0;
    int query = -1, info = 0;
    dgesdd_(&job, &m, &n, copy.data(), &m, s.values.data(), u.data(), &ldu, vt.data(), &ldvt, &size, &query,
            iwork.data(), &info);
    int lwork = static_cast<int>(size);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    dgesdd_(&job, &m, &n, copy.data(), &m, s.values.data(), u.data(), &ldu, vt.data(), &ldvt, work.data(), &lwork,
            iwork.data(), &info);
    if (info > 0) { // divide and conquer fails on rare matrices on which the QR iteration does not
        copy = a;
        dgesvd_(&job, &job, &m, &n, copy.data(), &m, s.values.data(), u.data(), &ldu, vt.data(), &ldvt, &size, &query,
                &info);
        lwork = static_cast<int>(size);
        work.resize(static_cast<std::size_t>(lwork));
        dgesvd_(&job, &job, &m, &n, copy.data(), &m, s.values.data(), u.data(), &ldu, vt.data(), &ldvt, work.data(),
                &lwork, &info);
    }
    s.converged = info == 0;
    if (vectors && s.converged) {
        s.u = std::move(u);
        s.v = vt.transposed();
    }
    return s;
}

/// A Π = Q R; the rank is decided on the diagonal of R, with σ_min(R₁₁) (estimated) kept and ‖R₂₂‖ dropped.
struct PivotedQr {
    Matrix factors; ///< R above, reflections below the diagonal
    std::vector<double> tau;
    int rank = 0;
    double kept = infinity;
    double dropped = 0.0;
};

PivotedQr pivoted_qr(const Matrix& a, double tolerance) {
    const int m = a.rows(), n = a.cols(), least = std::min(m, n);
    PivotedQr result;
    result.factors = a;
    result.tau.resize(static_cast<std::size_t>(least));
    Matrix& r = result.factors;
    std::vector<double>& tau = result.tau;
    std::vector<int> pivots(static_cast<std::size_t>(n), 0);
    double size = 0.0;
    int query = -1, info = 0;
    dgeqp3_(&m, &n, r.data(), &m, pivots.data(), tau.data(), &size, &query, &info);
    int lwork = static_cast<int>(size);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    dgeqp3_(&m, &n, r.data(), &m, pivots.data(), tau.data(), work.data(), &lwork, &info);
    while (result.rank < least && std::abs(r(result.rank, result.rank)) > tolerance) ++result.rank;
    const int k = result.rank;
    if (k > 0) {
        const Matrix r11 = r.block(0, 0, k, k);
        double rcond = 0.0;
        std::vector<double> work3(3 * static_cast<std::size_t>(k));
        std::vector<int> iwork(static_cast<std::size_t>(k));
        dtrcon_("1", "U", "N", &k, r11.data(), &k, &rcond, work3.data(), iwork.data(), &info);
        double norm = 0.0; // of the triangle alone
        for (int j = 0; j < k; ++j) {
            double sum = 0.0;
            for (int i = 0; i <= j; ++i) sum += std::abs(r11(i, j));
            norm = std::max(norm, sum);
        }
        result.kept = rcond * norm / std::sqrt(static_cast<double>(k)); // σ_min ≥ 1/(√k ‖R₁₁⁻¹‖₁)
    }
    double sum = 0.0;
    for (int j = k; j < n; ++j)
        for (int i = k; i <= std::min(j, m - 1); ++i) sum += r(i, j) * r(i, j);
    result.dropped = std::sqrt(sum);
    return result;
}

/// All of Q, or its last columns.
Matrix columns_of_q(const PivotedQr& qr, int first) {
    const int m = qr.factors.rows(), count = m - first, least = static_cast<int>(qr.tau.size());
    Matrix q(m, count);
    for (int j = 0; j < count; ++j) q(first + j, j) = 1.0;
    if (count == 0) return q;
    double size = 0.0;
    int query = -1, info = 0;
    dormqr_("L", "N", &m, &count, &least, qr.factors.data(), &m, qr.tau.data(), q.data(), &m, &size, &query, &info);
    const int lwork = static_cast<int>(size);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    dormqr_("L", "N", &m, &count, &least, qr.factors.data(), &m, qr.tau.data(), q.data(), &m, work.data(), &lwork,
            &info);
    return q;
}

/// The decision that pivoted QR makes, where it leaves no doubt.
std::optional<std::pair<PivotedQr, RankGap>> clear_qr(const Matrix& a, const RankRule& rule) {
    constexpr int large = 64; // below, an SVD takes less than a millisecond
    if (std::min(a.rows(), a.cols()) < large || !all_finite(a)) return std::nullopt;
    PivotedQr qr = pivoted_qr(a, rule.tolerance);
    if (qr.kept < rule.doubtful || qr.dropped > rule.tolerance) return std::nullopt;
    const RankGap gap{a.rows(), a.cols(), qr.rank, qr.kept, qr.dropped, rule.tolerance, true};
    return std::pair(std::move(qr), gap);
}

} // namespace

SingularValues singular_values(const Matrix& a) { return decompose(a, true); }
SingularValues singular_values_only(const Matrix& a) { return decompose(a, false); }

RankRule rank_rule(int rows, int cols, double norm, double noise) {
    const double relative = std::max(10.0 * std::max({rows, cols, 1}) * epsilon, noise);
    return {relative * norm, std::max(std::sqrt(epsilon), 1e3 * relative) * norm};
}

RankGap decide_rank(std::span<const double> values, int rows, int cols, const RankRule& rule) {
    RankGap gap{rows, cols, 0, infinity, 0.0, rule.tolerance, true};
    for (const double value : values) {
        if (value > rule.tolerance) {
            ++gap.rank;
            gap.kept = value;
        } else {
            gap.dropped = std::max(gap.dropped, value);
        }
    }
    // A dropped value just below the tolerance is no harm where everything kept is far above it.
    const bool clearly_zero = gap.dropped <= 0.1 * rule.tolerance || gap.kept >= 1e2 * rule.doubtful;
    gap.decided = gap.kept >= rule.doubtful && clearly_zero;
    return gap;
}

RowCompression compress_rows(const Matrix& a, const RankRule& rule) {
    RowCompression result;
    const int m = a.rows(), n = a.cols();
    if (!all_finite(a)) {
        result.ok = false;
        result.u = Matrix::identity(m);
        return result;
    }
    if (const auto clear = clear_qr(a, rule)) {
        result.gap = clear->second;
        result.u = columns_of_q(clear->first, 0);
        return result;
    }
    SingularValues s = singular_values(a);
    result.ok = s.converged;
    result.gap = decide_rank(s.values, m, n, rule);
    result.u = std::move(s.u);
    return result;
}

Matrix null_space(const Matrix& a, const RankRule& rule, RankGap* gap) {
    if (const auto clear = clear_qr(a.transposed(), rule)) {
        if (gap != nullptr)
            *gap = {a.rows(),
                    a.cols(),
                    clear->second.rank,
                    clear->second.kept,
                    clear->second.dropped,
                    clear->second.tolerance,
                    true};
        return columns_of_q(clear->first, clear->second.rank);
    }
    const RowCompression c = compress_rows(a.transposed(), rule);
    if (gap != nullptr) *gap = c.gap;
    return c.u.columns(c.gap.rank, a.cols() - c.gap.rank);
}

Matrix range(const Matrix& a, const RankRule& rule, RankGap* gap) {
    const RowCompression c = compress_rows(a, rule);
    if (gap != nullptr) *gap = c.gap;
    return c.u.columns(0, c.gap.rank);
}

Matrix orthogonal_complement(const Matrix& a) {
    if (a.cols() == 0) return Matrix::identity(a.rows());
    const SingularValues s = singular_values(a);
    return s.u.columns(std::min(a.cols(), a.rows()), std::max(0, a.rows() - a.cols()));
}

Matrix pseudo_inverse(const Matrix& a, const RankRule& rule) {
    const SingularValues s = singular_values(a);
    const RankGap gap = decide_rank(s.values, a.rows(), a.cols(), rule);
    Matrix scaled = s.v.columns(0, gap.rank);
    for (int j = 0; j < gap.rank; ++j)
        for (double& entry : scaled.column(j)) entry /= s.values[static_cast<std::size_t>(j)];
    return scaled * s.u.columns(0, gap.rank).transposed();
}

} // namespace daedalus::linalg
