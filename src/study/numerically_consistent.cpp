#include "study/numerically_consistent.hpp"

#include <cassert>

namespace daedalus::study {

namespace {

/// Rows and columns of a block.
Matrix block(const Matrix& a, int row, int rows, int column, int columns) {
    Matrix b(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) b(i, j) = a(row + i, column + j);
    return b;
}

/// U_q, U_t and A at a point, from the Jacobians of the residual (rows p' - U, q' - F - GΛ, R).
struct Blocks {
    Matrix Uq;
    Vector Ut;
    Matrix A;
};

Blocks blocks(const MultiplierProblem& mp, Real t, const Vector& x, const Vector& dx) {
    const Linearization at = linearize(mp.problem, t, x, dx);
    Blocks b;
    b.Uq = -1.0L * block(at.Fx, 0, mp.n, mp.n, mp.m);
    const Matrix G = -1.0L * block(at.Fx, mp.n, mp.m, mp.n + mp.m, mp.s);
    const Matrix Rp = block(at.Fx, mp.n + mp.m, mp.s, 0, mp.n);
    b.A = G * inverse(Rp * b.Uq * G) * Rp;
    for (int i = 0; i < mp.n; ++i) b.Ut.push_back(-at.Ft[static_cast<std::size_t>(i)]);
    return b;
}

void shift_q(const MultiplierProblem& mp, Vector& x, const Vector& shift) {
    for (int i = 0; i < mp.m; ++i) x[static_cast<std::size_t>(mp.n + i)] += shift[static_cast<std::size_t>(i)];
}

} // namespace

Matrix shift_matrix(const MultiplierProblem& problem, Real t, const Vector& x, const Vector& dx) {
    return blocks(problem, t, x, dx).A;
}

Vector numerically_consistent(const MultiplierProblem& mp, Real t0, Real h, const Vector& x0) {
    const Vector grid{t0, t0 + h};
    const DiscreteSolution step =
        reference_integrate(mp.problem, tableau::make_bdf(1), grid, Variant::indirect, {{x0}, {}});
    if (!step.solved) return x0;
    const Blocks b = blocks(mp, grid[1], step.x[1], step.dx[1]);
    Vector change(static_cast<std::size_t>(mp.m)); // q(0) - q_1
    for (int i = 0; i < mp.m; ++i) {
        const auto q = static_cast<std::size_t>(mp.n + i);
        change[static_cast<std::size_t>(i)] = x0[q] - step.x[1][q];
    }
    Vector defect = b.Uq * change;
    for (std::size_t i = 0; i < defect.size(); ++i) defect[i] -= h * b.Ut[i];
    Vector shifted = x0;
    shift_q(mp, shifted, b.A * defect);
    return shifted;
}

StartValues numerically_consistent(const MultiplierProblem& mp, const Vector& times, StartValues exact) {
    const int k = static_cast<int>(times.size());
    assert(k >= 2);
    const Real h = times[1] - times[0];
    // Divided difference of order k + 1 over the k times, the first two of them double: p and p' there.
    Vector nodes{times[0], times[0], times[1], times[1]};
    std::vector<int> owner{0, 0, 1, 1};
    for (int i = 2; i < k; ++i) {
        nodes.push_back(times[static_cast<std::size_t>(i)]);
        owner.push_back(i);
    }
    const std::size_t count = nodes.size();        // k + 2
    Vector scaled(static_cast<std::size_t>(mp.n)); // -h^k p^{(k+1)} / (k+1)
    Real factor = -1.0L / static_cast<Real>(k + 1);
    for (int i = 1; i <= k; ++i) factor *= h;
    for (int i = 1; i <= k + 1; ++i) factor *= static_cast<Real>(i);
    for (int c = 0; c < mp.n; ++c) {
        const auto cc = static_cast<std::size_t>(c);
        Vector d;
        for (const int o : owner) d.push_back(exact.x[static_cast<std::size_t>(o)][cc]);
        for (std::size_t level = 1; level < count; ++level)
            for (std::size_t i = count - 1; i >= level; --i)
                d[i] = nodes[i] == nodes[i - level] ? exact.dx[static_cast<std::size_t>(owner[i])][cc]
                                                    : (d[i] - d[i - 1]) / (nodes[i] - nodes[i - level]);
        scaled[cc] = factor * d[count - 1];
    }
    for (std::size_t i = 0; i < exact.x.size(); ++i) {
        const Matrix A = shift_matrix(mp, times[i], exact.x[i], exact.dx[i]);
        shift_q(mp, exact.x[i], A * scaled);
    }
    return exact;
}

} // namespace daedalus::study
