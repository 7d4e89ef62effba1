#include "analysis/array_elimination.hpp"

#include "analysis/derivative_array_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

using linalg::Matrix;
using linalg::RankGap;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Rows to largest entry of order one, by powers of two; columns are of order one already.
std::vector<double> scale_rows(Matrix& b) {
    std::vector<double> scales(static_cast<std::size_t>(b.rows()), 1.0);
    for (int i = 0; i < b.rows(); ++i) {
        double largest = 0.0;
        for (int c = 0; c < b.cols(); ++c) largest = std::max(largest, std::abs(b(i, c)));
        if (largest < 1e-10) continue; // what rounding left of a row
        const double scale = std::exp2(-std::round(std::log2(largest)));
        for (int c = 0; c < b.cols(); ++c) b(i, c) *= scale;
        scales[static_cast<std::size_t>(i)] = scale;
    }
    return scales;
}

RankGap decide(const linalg::SingularValues& s, int rows, int cols, const EliminationRule& rule, std::size_t order) {
    const double norm = s.values.empty() ? 0.0 : s.values.front();
    const double tolerance = rule.relative > 0.0 ? rule.relative * norm : rank_tolerance(rows, cols, norm);
    if (order >= rule.ranks.size()) return decide_array_rank(s.values, rows, cols, norm, tolerance);
    RankGap gap;
    gap.rows = rows;
    gap.cols = cols;
    gap.rank = std::min(rule.ranks[order], static_cast<int>(s.values.size()));
    const auto r = static_cast<std::size_t>(gap.rank);
    gap.kept = gap.rank > 0 ? s.values[r - 1] : std::numeric_limits<double>::infinity();
    gap.dropped = r < s.values.size() ? s.values[r] : 0.0;
    gap.decided = gap.rank == 0 || gap.kept > epsilon * norm;
    return gap;
}

} // namespace

Matrix forward_substitution(const Matrix& k, Matrix r) {
    for (int c = 0; c < r.cols(); ++c)
        for (int i = 0; i < k.rows(); ++i) {
            r(i, c) /= k(i, i);
            const double x = r(i, c);
            if (x == 0.0) continue;
            for (int j = i + 1; j < k.rows(); ++j) r(j, c) -= k(j, i) * x;
        }
    return r;
}

Matrix ArrayElimination::solve(const Matrix& r) const {
    return columns * forward_substitution(core, linalg::transposed_times(rows, r));
}

Matrix ArrayElimination::solve_transposed(const Matrix& r) const {
    Matrix x = linalg::transposed_times(columns, r); // back substitution with Kᵀ
    for (int c = 0; c < x.cols(); ++c)
        for (int i = core.rows() - 1; i >= 0; --i) {
            double sum = x(i, c);
            for (int j = i + 1; j < core.rows(); ++j) sum -= core(j, i) * x(j, c);
            x(i, c) = sum / core(i, i);
        }
    return rows * x;
}

ArrayElimination eliminate(const Matrix& m, int equations, int unknowns, int leading, const EliminationRule& rule) {
    ArrayElimination out;
    out.rows = out.left_over = Matrix(m.rows(), 0);
    out.columns = Matrix(m.cols(), 0);
    Matrix v = Matrix::identity(leading); // kernel so far, of the columns seen so far
    for (int j = 0; j * equations < m.rows(); ++j) {
        const int before = leading + j * unknowns, old = v.cols();
        const Matrix E = m.block(j * equations, before, equations, unknowns);
        Matrix B = before == 0 ? E : linalg::beside(m.block(j * equations, 0, equations, before) * v, E);
        const std::vector<double> scales = rule.scale_rows ? scale_rows(B) : std::vector<double>();
        const linalg::SingularValues s = linalg::singular_values(B);
        if (!s.converged) {
            out.ok = false;
            return out;
        }
        const RankGap gap = decide(s, B.rows(), B.cols(), rule, static_cast<std::size_t>(j));
        const int rank = gap.rank;
        if (rank > 0) out.smallest = std::min(out.smallest, gap.kept / s.values.front());
        out.decisions.push_back(gap);
        out.singular_values = s.values;
        const auto lifted = [&](const Matrix& cw) { // (c, w) → [V c; w]
            const Matrix w = cw.rows_from(old, unknowns);
            return before == 0 ? w : linalg::above(v * cw.rows_from(0, old), w);
        };
        const auto joined = [](const Matrix& basis, const Matrix& part, int row) {
            Matrix wide(basis.rows(), basis.cols() + part.cols());
            wide.set_block(0, 0, basis);
            wide.set_block(row, basis.cols(), part);
            return wide;
        };
        Matrix u = s.u;
        for (int c = 0; c < u.cols() && rule.scale_rows; ++c)
            for (int i = 0; i < u.rows(); ++i) u(i, c) *= scales[static_cast<std::size_t>(i)];
        out.rows = joined(out.rows, u.columns(0, rank), j * equations);
        out.left_over = joined(out.left_over, u.columns(rank, equations - rank), j * equations);
        out.columns = joined(out.columns, lifted(s.v.columns(0, rank)), 0);
        v = lifted(s.v.columns(rank, B.cols() - rank));
    }
    out.kernel = std::move(v);
    out.core = linalg::transposed_times(out.rows, m * out.columns);
    return out;
}

} // namespace daedalus::analysis
