#include "analysis/derivative_array_ranks.hpp"

#include "analysis/array_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;
using linalg::RankGap;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

RankGap decide(const linalg::SingularValues& s, int rows, int cols, double norm) {
    return decide_array_rank(s.values, rows, cols, norm, rank_tolerance(rows, cols, norm));
}

RankGap rank_of(const Matrix& a) {
    const linalg::SingularValues s = linalg::singular_values_only(equilibrated(a).a);
    return decide(s, a.rows(), a.cols(), s.values.empty() ? 0.0 : s.values.front());
}

/// The least safe of the decisions, order by order, for all of M.
RankGap together(const ArrayElimination& e, int rows, int cols) {
    RankGap all{rows, cols, 0, infinity, 0.0, 0.0, true};
    for (const RankGap& gap : e.decisions) {
        all.rank += gap.rank;
        all.kept = std::min(all.kept, gap.kept);
        all.dropped = std::max(all.dropped, gap.dropped);
        all.tolerance = std::max(all.tolerance, gap.tolerance);
        all.decided = all.decided && gap.decided;
    }
    return all;
}

// Which derivatives x_i' vanish on ker M. The null vectors are exact to ε σ₁/σ_r; a share above 10⁻⁶ is real, one below
// 10⁻⁸ is not.
void find_determined(const Matrix& null_vectors, int n, ArrayRanks& r) {
    constexpr double real = 1e-6, none = 1e-8;
    r.determined.assign(static_cast<std::size_t>(n), 1);
    for (int i = 0; i < n; ++i) {
        double share = 0.0;
        for (int j = 0; j < null_vectors.cols(); ++j) share = std::hypot(share, null_vectors(i, j));
        r.leak = std::max(r.leak, share);
        r.determined[static_cast<std::size_t>(i)] = share < none;
        if (share >= none && share < real) r.decided = false;
    }
    r.one_full = r.leak < none;
}

} // namespace

double rank_tolerance(int rows, int cols, double norm) { return 10.0 * std::max({rows, cols, 1}) * epsilon * norm; }

RankGap decide_array_rank(std::span<const double> values, int rows, int cols, double norm, double tolerance) {
    RankGap gap = linalg::decide_rank(values, rows, cols, {tolerance, tolerance});
    gap.decided = gap.rank == 0 || gap.kept >= safe_gap * std::max(gap.dropped, epsilon * norm);
    return gap;
}

void drop_rounding(Matrix& a) {
    std::vector<double> row(static_cast<std::size_t>(a.rows()), 0.0);
    for (int j = 0; j < a.cols(); ++j)
        for (int i = 0; i < a.rows(); ++i) {
            double& largest = row[static_cast<std::size_t>(i)];
            largest = std::max(largest, std::abs(a(i, j)));
        }
    for (int j = 0; j < a.cols(); ++j) {
        double first = 0.0, second = 0.0; // largest of the column, and the next
        for (const double v : a.column(j))
            if (const double size = std::abs(v); size > first) {
                second = first;
                first = size;
            } else {
                second = std::max(second, size);
            }
        for (int i = 0; i < a.rows(); ++i) {
            const double size = std::abs(a(i, j)), others = size < first ? first : second;
            const bool of_column = others == 0.0 || size < 4 * epsilon * others;
            if (of_column && size < 4 * epsilon * row[static_cast<std::size_t>(i)]) a(i, j) = 0.0;
        }
    }
}

Equilibrated equilibrated(Matrix a) {
    Equilibrated e;
    const auto m = static_cast<std::size_t>(a.rows()), n = static_cast<std::size_t>(a.cols());
    struct Entry {
        std::size_t i, j;
        double size; ///< log2|a_ij|
    };
    std::vector<Entry> entries;
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < m; ++i)
            if (const double v = std::abs(a(static_cast<int>(i), static_cast<int>(j))); v > 0 && std::isfinite(v))
                entries.push_back({i, j, std::log2(v)});
    std::vector<double> r(m, 0.0), c(n, 0.0);
    // By the square roots of the largest entries (Ruiz 2001): nothing is above one.
    const auto by_largest = [&](int sweeps) {
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            std::vector<double> row(m, -infinity), col(n, -infinity);
            for (const Entry& x : entries) {
                const double v = x.size + r[x.i] + c[x.j];
                row[x.i] = std::max(row[x.i], v);
                col[x.j] = std::max(col[x.j], v);
            }
            for (std::size_t i = 0; i < m; ++i)
                if (row[i] > -infinity) r[i] -= 0.5 * row[i];
            for (std::size_t j = 0; j < n; ++j)
                if (col[j] > -infinity) c[j] -= 0.5 * col[j];
        }
    };
    by_largest(4);
    // Then least squares of log|r_i a_ij c_j| (Curtis & Reid 1972), by alternating between r and c: what is small only
    // because its unit is large is not taken for zero. What is smaller than 10⁻¹² by now is rounding, and left out.
    std::erase_if(entries, [&](const Entry& x) { return x.size + r[x.i] + c[x.j] < -40.0; });
    for (int sweep = 0; sweep < 10; ++sweep) {
        std::vector<double> sum(m, 0.0), count(m, 0.0);
        for (const Entry& x : entries) {
            sum[x.i] += x.size + c[x.j];
            ++count[x.i];
        }
        for (std::size_t i = 0; i < m; ++i) r[i] = count[i] > 0 ? -sum[i] / count[i] : r[i];
        sum.assign(n, 0.0);
        count.assign(n, 0.0);
        for (const Entry& x : entries) {
            sum[x.j] += x.size + r[x.i];
            ++count[x.j];
        }
        for (std::size_t j = 0; j < n; ++j) c[j] = count[j] > 0 ? -sum[j] / count[j] : c[j];
    }
    by_largest(3);
    for (const double v : r) e.row.push_back(std::exp2(std::round(v)));
    for (const double v : c) e.col.push_back(std::exp2(std::round(v)));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < m; ++i) a(static_cast<int>(i), static_cast<int>(j)) *= e.row[i] * e.col[j];
    e.a = std::move(a);
    return e;
}

std::optional<Matrix> array_jacobian(problem::DerivativeArray& array, int order, double t, std::span<const double> z) {
    const SparsityPattern& p = array.pattern(order);
    std::vector<double> values(static_cast<std::size_t>(p.nonzeros()));
    if (array.jacobian(order, t, z.data(), values.data()) != problem::EvalStatus::ok) return std::nullopt;
    Matrix j(p.rows, p.cols);
    for (int c = 0; c < p.cols; ++c)
        for (int k = p.column_start[static_cast<std::size_t>(c)]; k < p.column_start[static_cast<std::size_t>(c) + 1];
             ++k)
            j(p.row_index[static_cast<std::size_t>(k)], c) = values[static_cast<std::size_t>(k)];
    return j;
}

std::optional<ArrayRanks> array_ranks(problem::DerivativeArray& array, int order, double t, std::span<const double> z) {
    auto jacobian = array_jacobian(array, order, t, z);
    if (!jacobian) return std::nullopt;
    drop_rounding(*jacobian);
    const int n = array.unknowns(), rows = jacobian->rows(), rest = jacobian->cols() - n;
    const Equilibrated e = equilibrated(*jacobian);
    const Matrix N = e.a.columns(0, n), M = e.a.columns(n, rest);

    ArrayRanks r;
    r.order = order;
    const linalg::SingularValues s = linalg::singular_values(M);
    if (!s.converged) return std::nullopt;
    const ArrayElimination eliminated = eliminate(equilibrated(jacobian->columns(n, rest)).a, array.equations(), n, 0);
    if (!eliminated.ok) return std::nullopt;
    r.derivatives = together(eliminated, rows, rest);
    r.singular_values = eliminated.singular_values;
    const int rank = r.derivatives.rank;
    r.decided = r.derivatives.decided;
    find_determined(eliminated.kernel, n, r);

    // Z₂ and what it leaves of N, in scaled rows and columns. Z₂ is orthonormal and the entries of N are of order one:
    // what is small in Z₂ᵀ N is small against 1, and noise must not be scaled up later.
    const Matrix Z2 = s.u.columns(rank, rows - rank);
    Matrix A = linalg::transposed_times(Z2, N);
    // Z₂ itself is known up to rounding, divided by the smallest value that was kept.
    const double noise = std::min(1e-8, 10.0 * rows * epsilon / std::min(1.0, r.derivatives.kept));
    for (double& v : A.entries())
        if (std::abs(v) < noise) v = 0.0;
    const linalg::SingularValues on_x = linalg::singular_values(A);
    const RankGap constrained = decide(on_x, rows, n, 1.0);
    r.constraints = constrained.rank;
    r.redundant = A.rows() - constrained.rank;
    r.full_row_rank = r.redundant == 0;
    r.all = constrained;
    r.all.rows = rows;
    r.all.cols = rest + n;
    r.all.rank = rank + constrained.rank;
    r.decided = r.decided && constrained.decided;

    for (int j = 0; j < n; ++j)
        for (double& v : A.column(j)) v /= e.col[static_cast<std::size_t>(j)];
    // ker F_x' ∩ ker Z₂ᵀ N = 0 says that F_x' T₂ has full rank, and is indifferent to how T₂ is scaled.
    const Matrix leading = jacobian->block(0, n, array.equations(), n);
    r.tangent = rank_of(linalg::above(leading, A));
    r.dynamics = r.tangent.rank - r.constraints;
    r.decided = r.decided && r.tangent.decided;
    r.strangeness_free = r.full_row_rank && r.tangent.rank == n;
    return r;
}

} // namespace daedalus::analysis
