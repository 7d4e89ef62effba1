// The calls of KLU (Davis & Palamadai Natarajan 2010) under one name for real and complex scalars; klu.h declares the
// matrix arguments without const although it does not modify them. Included by klu_solver.cpp only.
#pragma once

#include <klu.h>

#include <complex>

namespace daedalus::linalg {

template <class Scalar>
struct KluApi;

template <>
struct KluApi<double> {
    static double* raw(double* v) { return v; }
    static constexpr auto factor = klu_factor;
    static constexpr auto refactor = klu_refactor;
    static constexpr auto free_numeric = klu_free_numeric;
    static constexpr auto solve = klu_solve;
    static constexpr auto rcond = klu_rcond;
    static constexpr auto rgrowth = klu_rgrowth;
    static constexpr auto flops = klu_flops;
    static int solve_transposed(klu_symbolic* s, klu_numeric* m, int n, double* b, klu_common* c) {
        return klu_tsolve(s, m, n, 1, b, c);
    }
    /// lx, ux: magnitudes-to-be; the second arrays are unused in the real case.
    static int extract(klu_numeric* m, klu_symbolic* s, int* lp, int* li, double* lx, double*, int* up, int* ui,
                       double* ux, double*, int* p, int* q, int* r, klu_common* c) {
        return klu_extract(m, s, lp, li, lx, up, ui, ux, nullptr, nullptr, nullptr, p, q, nullptr, r, c);
    }
};

template <>
struct KluApi<std::complex<double>> {
    static double* raw(std::complex<double>* v) { return reinterpret_cast<double*>(v); }
    static constexpr auto factor = klu_z_factor;
    static constexpr auto refactor = klu_z_refactor;
    static constexpr auto free_numeric = klu_z_free_numeric;
    static constexpr auto solve = klu_z_solve;
    static constexpr auto rcond = klu_z_rcond;
    static constexpr auto rgrowth = klu_z_rgrowth;
    static constexpr auto flops = klu_z_flops;
    static int solve_transposed(klu_symbolic* s, klu_numeric* m, int n, double* b, klu_common* c) {
        return klu_z_tsolve(s, m, n, 1, b, 0, c);
    }
    static int extract(klu_numeric* m, klu_symbolic* s, int* lp, int* li, double* lx, double* lz, int* up, int* ui,
                       double* ux, double* uz, int* p, int* q, int* r, klu_common* c) {
        return klu_z_extract(m, s, lp, li, lx, lz, up, ui, ux, uz, nullptr, nullptr, nullptr, nullptr, p, q, nullptr, r,
                             c);
    }
};

} // namespace daedalus::linalg
