// DASPK (Brown, Hindmarsh & Petzold 1994) as Fortran symbol in the shared library of R's deSolve, with direct dense
// linear algebra and the analytic iteration matrix; algebraic unknowns of index 2 are left out of the error test.
#include "peers/desolve.hpp"
#include "peers/peer_code.hpp"
#include "peers/shifted_jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::benchmarks {

namespace {

using Residual = void (*)(double* t, double* y, double* yp, double* cj, double* delta, int* ires, double* rpar,
                          int* ipar);
using Jacobian = void (*)(double* t, double* y, double* yp, double* pd, double* cj, double* rpar, int* ipar);
using Daspk = void (*)(Residual, int* n, double* t, double* y, double* yp, double* tout, int* info, double* rtol,
                       double* atol, int* idid, double* rwork, int* lrw, int* iwork, int* liw, double* rpar, int* ipar,
                       Jacobian, void* psol);

struct Call {
    std::shared_ptr<PeerForm> form;
    Daspk daspk = nullptr;
    double t0 = 0.0, t1 = 0.0;
    std::vector<double> values, rwork, relative, absolute;
    std::vector<int> iwork;
    long steps = 0;

    static inline Call* now = nullptr; // Fortran passes no context
    static void residual(double* t, double* y, double* yp, double*, double* delta, int* ires, double*, int*) {
        if (now->form->problem().residual(*t, y, yp, delta) != problem::EvalStatus::ok) *ires = -1;
    }
    static void jacobian(double* t, double* y, double* yp, double* pd, double* cj, double*, int*) {
        const problem::ImplicitProblem& p = now->form->problem();
        static_cast<void>(shifted_jacobian(p, *t, y, yp, *cj, now->values.data()));
        const SparsityPattern& s = p.pattern();
        const auto n = static_cast<std::size_t>(s.cols);
        std::fill_n(pd, n * n, 0.0);
        for (std::size_t j = 0; j < n; ++j)
            for (auto k = static_cast<std::size_t>(s.column_start[j]);
                 k < static_cast<std::size_t>(s.column_start[j + 1]); ++k)
                pd[n * j + static_cast<std::size_t>(s.row_index[k])] = now->values[k];
    }

    std::vector<double> run(double tolerance) {
        now = this;
        const auto size = static_cast<std::size_t>(form->size());
        int n = form->size(), idid = 0, ipar = 0, lrw = static_cast<int>(rwork.size());
        int liw = static_cast<int>(iwork.size());
        double t = t0, rpar = 0.0;
        int info[30] = {};
        info[1] = 1;                          // tolerances per component
        info[3] = 1;                          // never beyond the end
        info[4] = 1;                          // analytic matrix
        info[15] = form->highest_index() > 1; // algebraic unknowns left out of the error test
        std::fill(rwork.begin(), rwork.end(), 0.0);
        std::fill(iwork.begin(), iwork.end(), 0);
        rwork[0] = t1;
        for (std::size_t i = 0; i < size; ++i) {
            iwork[40 + i] = form->differential[i] ? 1 : -1;
            relative[i] = tolerance;
            absolute[i] = tolerance * form->scale[i];
        }
        std::vector<double> y = form->x0, yp = form->dx0;
        // Its smallest step is a rounding of the next output time: those of long intervals are approached by stages.
        for (const double share : {1e-14, 1e-10, 1e-6, 1e-3, 1.0}) {
            double out = share == 1.0 ? t1 : t0 + share * (t1 - t0);
            if (share != 1.0 && t0 != 0.0) continue;
            for (int call = 0; call < 400; ++call) { // it returns after every 500 steps
                daspk(residual, &n, &t, y.data(), yp.data(), &out, info, relative.data(), absolute.data(), &idid,
                      rwork.data(), &lrw, iwork.data(), &liw, &rpar, &ipar, jacobian, nullptr);
                info[0] = 1;
                if (idid != -1) break;
            }
            if (idid < 0) return {};
        }
        return idid > 0 && t == t1 ? y : std::vector<double>{};
    }
};

} // namespace

PeerCode make_daspk(std::shared_ptr<PeerForm> form, double t0, double t1) {
    PeerCode code{"DASPK, " + form->name, "DASPK", {}, {}, {}};
    const auto daspk = reinterpret_cast<Daspk>(desolve_symbol("ddaspk_"));
    if (!daspk) return code;
    auto call = std::make_shared<Call>();
    const auto n = static_cast<std::size_t>(form->size());
    call->values.resize(static_cast<std::size_t>(form->problem().pattern().nonzeros()));
    call->rwork.resize(50 + 10 * n + n * n + n);
    call->iwork.resize(40 + 2 * n);
    call->relative.resize(n);
    call->absolute.resize(n);
    call->t0 = t0;
    call->t1 = t1;
    call->daspk = daspk;
    call->form = form;
    code.costs = costs_of(std::move(form), t0);
    code.run = [call](double tolerance) { return call->run(tolerance); };
    code.work = [call] { // IWORK(11 … 20)
        const auto& w = call->iwork;
        return Work{.steps = w[10], .residuals = w[11], .jacobians = w[12], .factorizations = w[12], .solves = w[18]};
    };
    return code;
}

} // namespace daedalus::benchmarks
