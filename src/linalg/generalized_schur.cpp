#include "linalg/generalized_schur.hpp"

#include "linalg/lapack_api.hpp"

#include <limits>

namespace daedalus::linalg {

GeneralizedSchur generalized_schur(const Matrix& a, const Matrix& b, bool vectors) {
    assert(a.square() && b.rows() == a.rows() && b.cols() == a.cols());
    GeneralizedSchur g;
    const int n = a.rows();
    g.s = a;
    g.t = b;
    if (vectors) g.q = g.z = Matrix::identity(n);
    if (n == 0) return g;
    if (!all_finite(a) || !all_finite(b)) {
        g.converged = false;
        return g;
    }
    const char job = vectors ? 'V' : 'N';
    const int ldv = vectors ? n : 1;
    Matrix unused(1, 1);
    double* const q = vectors ? g.q.data() : unused.data();
    double* const z = vectors ? g.z.data() : unused.data();
    std::vector<double> real(static_cast<std::size_t>(n)), imaginary(real), work(1);
    g.beta.resize(static_cast<std::size_t>(n));
    int sorted = 0, info = 0, lwork = -1, no_selection = 0;
    const auto call = [&] {
        dgges_(&job, &job, "N", nullptr, &n, g.s.data(), &n, g.t.data(), &n, &sorted, real.data(), imaginary.data(),
               g.beta.data(), q, &ldv, z, &ldv, work.data(), &lwork, &no_selection, &info);
    };
    call();
    lwork = static_cast<int>(work[0]);
    work.resize(static_cast<std::size_t>(lwork));
    call();
    g.converged = info == 0;
    for (std::size_t i = 0; i < real.size(); ++i) g.alpha.emplace_back(real[i], imaginary[i]);
    return g;
}

CoupledSylvester solve_coupled_sylvester(const GeneralizedSchur& left, const GeneralizedSchur& right, const Matrix& c,
                                         const Matrix& f) {
    const int m = left.s.rows(), n = right.s.rows();
    CoupledSylvester result{Matrix(m, n), Matrix(m, n), true, std::numeric_limits<double>::infinity()};
    if (m == 0 || n == 0) return result;
    if (!left.converged || !right.converged) {
        result.ok = false;
        return result;
    }
    // In the Schur bases: S_l R' - L' S_r = Q_lᵀ C Z_r with R = Z_l R' Z_rᵀ, L = Q_l L' Q_rᵀ.
    Matrix r = transposed_times(left.q, c) * right.z, l = transposed_times(left.q, f) * right.z;
    const int job = 1; // solve, and estimate dif from the solution itself
    double scale = 1.0, dif = 0.0, size = 0.0;
    int info = 0, query = -1;
    std::vector<int> iwork(static_cast<std::size_t>(m + n + 6));
    const auto call = [&](double* work, const int* lwork) {
        dtgsyl_("N", &job, &m, &n, left.s.data(), &m, right.s.data(), &n, r.data(), &m, left.t.data(), &m,
                right.t.data(), &n, l.data(), &m, &scale, &dif, work, lwork, iwork.data(), &info);
    };
    call(&size, &query);
    const int lwork = std::max(static_cast<int>(size), 2 * m * n);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    call(work.data(), &lwork);
    result.ok = info == 0 && scale > 0.0;
    if (!result.ok) return result;
    result.dif = dif;
    result.r = (1.0 / scale) * (left.z * r * right.z.transposed());
    result.l = (1.0 / scale) * (left.q * l * right.q.transposed());
    return result;
}

} // namespace daedalus::linalg
