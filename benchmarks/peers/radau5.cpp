// RADAU5 (Hairer & Wanner 1996) as Fortran symbol in the shared library of R's deSolve, called with M y' = f(t, y):
// f = F(t, y, 0) and M = -∂F/∂y' for a residual F that is linear in y' with constant coefficients.
#include "peers/desolve.hpp"
#include "peers/peer_code.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::benchmarks {

namespace {

using Rhs = void (*)(int* n, double* t, double* y, double* f, double* rpar, int* ipar);
// Unlike the original, deSolve hands the bandwidths to the Jacobian.
using Jacobian = void (*)(int* n, double* t, double* y, int* ml, int* mu, double* dfy, int* ldfy, double* rpar,
                          int* ipar);
using Mass = void (*)(int* n, double* am, int* lmas, double* rpar, int* ipar);
using Output = void (*)(int*, double*, double*, double*, double*, int*, int*, double*, int*, int*, double*);
using Radau5 = void (*)(int* n, Rhs, double* x, double* y, double* xend, double* h, double* rtol, double* atol,
                        int* itol, Jacobian, int* ijac, int* mljac, int* mujac, Mass, int* imas, int* mlmas, int* mumas,
                        Output, int* iout, double* work, int* lwork, int* iwork, int* liwork, double* rpar, int* ipar,
                        int* idid);

Radau5 find_radau5() { return reinterpret_cast<Radau5>(desolve_symbol("radau5_")); }

struct Call {
    std::shared_ptr<PeerForm> form;
    double t0, t1;
    int m1 = 0, m2 = 0, lower = 0, upper = 0; ///< structure; bandwidths of the mass matrix below the first m1 rows
    std::vector<double> zero, jx, jdx, mass;  ///< mass: dense, column-major, rows and columns from m1 on
    std::vector<double> work, relative, absolute;
    std::vector<int> iwork;

    // Fortran passes no context, and R's part of the library reads rpar and ipar no more than RADAU5 does.
    static inline Call* now = nullptr;
    static void rhs(int*, double* t, double* y, double* f, double*, int*) {
        if (now->form->problem().residual(*t, y, now->zero.data(), f) != problem::EvalStatus::ok) f[0] = NAN;
    }
    static void jacobian(int*, double* t, double* y, int*, int*, double* dfy, int* ld, double*, int*) {
        Call& c = *now;
        const problem::ImplicitProblem& p = c.form->problem();
        static_cast<void>(p.jacobian(*t, y, c.zero.data(), c.jx.data(), c.jdx.data()));
        const SparsityPattern& s = p.pattern();
        const auto rows = static_cast<std::size_t>(*ld);
        std::fill_n(dfy, rows * static_cast<std::size_t>(s.cols), 0.0);
        for (std::size_t j = 0; j < static_cast<std::size_t>(s.cols); ++j)
            for (auto k = static_cast<std::size_t>(s.column_start[j]);
                 k < static_cast<std::size_t>(s.column_start[j + 1]); ++k)
                if (s.row_index[k] >= c.m1) dfy[rows * j + static_cast<std::size_t>(s.row_index[k] - c.m1)] = c.jx[k];
    }
    static void mass_matrix(int*, double* am, int* ld, double*, int*) {
        const Call& c = *now;
        const int n = c.form->size() - c.m1;
        const bool full = c.lower >= n;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const int row = full ? i : i - j + c.upper;
                if (full || (row >= 0 && row < *ld)) am[row + j * *ld] = c.mass[static_cast<std::size_t>(i + j * n)];
            }
    }
    static void output(int*, double*, double*, double*, double*, int*, int*, double*, int*, int*, double*) {}

    void prepare(bool second_order) {
        const problem::ImplicitProblem& p = form->problem();
        const auto n = static_cast<std::size_t>(form->size());
        if (second_order) {
            m1 = form->m1;
            m2 = form->m2;
        }
        zero.assign(n, 0.0);
        jx.resize(static_cast<std::size_t>(p.pattern().nonzeros()));
        jdx.resize(jx.size());
        static_cast<void>(p.jacobian(t0, form->x0.data(), zero.data(), jx.data(), jdx.data()));
        const int rows = form->size() - m1;
        mass.assign(static_cast<std::size_t>(rows * rows), 0.0);
        for (int j = m1; j < form->size(); ++j)
            for (int k = p.pattern().column_start[static_cast<std::size_t>(j)];
                 k < p.pattern().column_start[static_cast<std::size_t>(j) + 1]; ++k) {
                const int i = p.pattern().row_index[static_cast<std::size_t>(k)];
                const double value = jdx[static_cast<std::size_t>(k)];
                if (i < m1 || value == 0.0) continue;
                mass[static_cast<std::size_t>(i - m1 + (j - m1) * rows)] = -value;
                lower = std::max(lower, i - j);
                upper = std::max(upper, j - i);
            }
        work.resize(20 + n * (5 * n + 12 + 3 * n));
        iwork.resize(20 + 3 * n);
        relative.resize(n);
        absolute.resize(n);
    }

    std::vector<double> run(double tolerance) {
        now = this;
        int n = form->size(), rows = n - m1, itol = 1, yes = 1, none = 0, idid = 0, ipar = 0;
        int lwork = static_cast<int>(work.size()), liwork = static_cast<int>(iwork.size());
        double t = t0, end = t1, h = 0.0, rpar = 0.0;
        std::fill_n(work.begin(), 20, 0.0);
        std::fill_n(iwork.begin(), 20, 0);
        iwork[1] = 200'000; // steps
        for (const int index : form->index) ++iwork[static_cast<std::size_t>(3 + index)];
        iwork[8] = m1;
        iwork[9] = m2;
        for (std::size_t i = 0; i < form->scale.size(); ++i) {
            relative[i] = tolerance;
            absolute[i] = tolerance * form->scale[i];
        }
        std::vector<double> y = form->x0;
        static const Radau5 radau5 = find_radau5();
        radau5(&n, rhs, &t, y.data(), &end, &h, relative.data(), absolute.data(), &itol, jacobian, &yes, &rows, &rows,
               mass_matrix, &yes, &lower, &upper, output, &none, work.data(), &lwork, iwork.data(), &liwork, &rpar,
               &ipar, &idid);
        if (idid != 1) return {};
        return y;
    }
};

} // namespace

PeerCode make_radau5(std::shared_ptr<PeerForm> form, double t0, double t1, bool second_order) {
    PeerCode code{"RADAU5, " + form->name + (second_order ? ", second order" : ""), "RADAU5", {}, {}, {}};
    if (!find_radau5() || !form->problem().constant_leading_matrix() || (second_order && form->m1 == 0)) return code;
    auto call = std::make_shared<Call>();
    code.costs = costs_of(form, t0);
    call->form = std::move(form);
    call->t0 = t0;
    call->t1 = t1;
    call->prepare(second_order);
    code.run = [call](double tolerance) { return call->run(tolerance); };
    code.work = [call] { // IWORK(14 … 20); each factorisation and solve is a real and a complex one
        const auto& w = call->iwork;
        return Work{w[15], w[13], w[14], 2L * w[18], 2L * w[19], w[18], w[19]};
    };
    return code;
}

} // namespace daedalus::benchmarks
