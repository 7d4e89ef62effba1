#include "analysis/derivative_array_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;
using linalg::RankGap;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Zero is what rounding leaves; the decision is safe if there is a gap of `safe_gap` above it.
RankGap decide(const linalg::SingularValues& s, int rows, int cols, double norm) {
    const double tolerance = 10.0 * std::max({rows, cols, 1}) * epsilon * norm;
    RankGap gap = linalg::decide_rank(s.values, rows, cols, {tolerance, tolerance});
    gap.decided = gap.rank == 0 || gap.kept >= safe_gap * std::max(gap.dropped, epsilon * norm);
    return gap;
}

RankGap decide(const linalg::SingularValues& s, int rows, int cols) {
    return decide(s, rows, cols, s.values.empty() ? 0.0 : s.values.front());
}

RankGap rank_of(const Matrix& a) { return decide(linalg::singular_values_only(equilibrated(a).a), a.rows(), a.cols()); }

struct Kernel {
    Matrix vectors; ///< orthonormal basis of ker M
    RankGap gap;    ///< the least safe of the decisions
    std::vector<double> singular_values;
};

// M is block lower triangular: with V a basis of the kernel of the blocks above, the rows L y + E w of the next order
// have the kernel { (V c, w): [L V, E] (c, w) = 0 }. Deciding order by order keeps small what is decided at once; in
// the whole of M, small values of one order multiply those of the next until they are taken for zero.
std::optional<Kernel> kernel_by_order(const Matrix& M, int equations, int unknowns) {
    Kernel k;
    k.vectors = Matrix(0, 0);
    k.gap = {M.rows(), M.cols(), 0, infinity, 0.0, 0.0, true};
    for (int j = 0; j * equations < M.rows(); ++j) {
        const int before = j * unknowns;
        const Matrix L = M.block(j * equations, 0, equations, before);
        const Matrix E = M.block(j * equations, before, equations, unknowns);
        Matrix B = j == 0 ? E : linalg::beside(L * k.vectors, E);
        for (int i = 0; i < B.rows(); ++i) { // rows may be scaled at will; columns are of order one already
            double largest = 0.0;
            for (int c = 0; c < B.cols(); ++c) largest = std::max(largest, std::abs(B(i, c)));
            if (largest < 1e-10) continue; // what rounding left of a row
            const double scale = std::exp2(-std::round(std::log2(largest)));
            for (int c = 0; c < B.cols(); ++c) B(i, c) *= scale;
        }
        const linalg::SingularValues s = linalg::singular_values(B);
        if (!s.converged) return std::nullopt;
        const RankGap gap = decide(s, B.rows(), B.cols());
        k.gap.rank += gap.rank;
        k.gap.kept = std::min(k.gap.kept, gap.kept);
        k.gap.dropped = std::max(k.gap.dropped, gap.dropped);
        k.gap.tolerance = std::max(k.gap.tolerance, gap.tolerance);
        k.gap.decided = k.gap.decided && gap.decided;
        k.singular_values = s.values;
        const Matrix null = s.v.columns(gap.rank, B.cols() - gap.rank);
        const int old = k.vectors.cols();
        const Matrix upper = j == 0 ? Matrix(0, null.cols()) : k.vectors * null.rows_from(0, old);
        k.vectors = j == 0 ? null : linalg::above(upper, null.rows_from(old, unknowns));
    }
    return k;
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

void drop_rounding(Matrix& a) {
    for (int i = 0; i < a.rows(); ++i) {
        double largest = 0.0;
        for (int j = 0; j < a.cols(); ++j) largest = std::max(largest, std::abs(a(i, j)));
        for (int j = 0; j < a.cols(); ++j)
            if (std::abs(a(i, j)) < 4 * epsilon * largest) a(i, j) = 0.0;
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
    const auto kernel = kernel_by_order(equilibrated(jacobian->columns(n, rest)).a, array.equations(), n);
    if (!kernel) return std::nullopt;
    r.derivatives = kernel->gap;
    r.singular_values = kernel->singular_values;
    const int rank = r.derivatives.rank;
    r.decided = r.derivatives.decided;
    find_determined(kernel->vectors, n, r);

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

    Matrix T2 = on_x.v.columns(constrained.rank, n - constrained.rank);
    for (int j = 0; j < T2.cols(); ++j)
        for (int i = 0; i < n; ++i) T2(i, j) *= e.col[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j)
        for (double& v : A.column(j)) v /= e.col[static_cast<std::size_t>(j)];
    // ker F_x' ∩ ker Z₂ᵀ N = 0 says that F_x' T₂ has full rank, and is indifferent to how T₂ is scaled.
    const Matrix leading = jacobian->block(0, n, array.equations(), n);
    r.tangent = rank_of(linalg::above(leading, A));
    r.dynamics = r.tangent.rank - r.constraints;
    r.decided = r.decided && r.tangent.decided;
    r.strangeness_free = r.full_row_rank && r.tangent.rank == n;

    r.hidden = Z2;
    for (int j = 0; j < Z2.cols(); ++j)
        for (int i = 0; i < rows; ++i) r.hidden(i, j) *= e.row[static_cast<std::size_t>(i)];
    r.hidden_on_x = std::move(A);
    r.free_directions = std::move(T2);
    return r;
}

} // namespace daedalus::analysis
