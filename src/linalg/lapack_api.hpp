// The LAPACK and BLAS routines in use, as Fortran declares them. Include in .cpp files of linalg only.
// Hidden string lengths are not passed: every string is one character long, and the compilers' convention puts the
// lengths last, where they are not looked at. The library is loaded by the first call.
#pragma once

#include "linalg/lazy_library.hpp"

#include <algorithm>

namespace daedalus::linalg::lapack::prototypes {
extern "C" {
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* lda, const int* ipiv,
             double* b, const int* ldb, int* info);
void dgecon_(const char* norm, const int* n, const double* a, const int* lda, const double* anorm, double* rcond,
             double* work, int* iwork, int* info);
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork, int* info);
void dgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* info);
void dgeqp3_(const int* m, const int* n, double* a, const int* lda, int* jpvt, double* tau, double* work,
             const int* lwork, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work, const int* lwork,
             int* info);
void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const double* a,
             const int* lda, const double* tau, double* c, const int* ldc, double* work, const int* lwork, int* info);
void dtrcon_(const char* norm, const char* uplo, const char* diag, const int* n, const double* a, const int* lda,
             double* rcond, double* work, int* iwork, int* info);
void dgges_(const char* jobvsl, const char* jobvsr, const char* sort,
            int (*select)(const double*, const double*, const double*), const int* n, double* a, const int* lda,
            double* b, const int* ldb, int* sdim, double* alphar, double* alphai, double* beta, double* vsl,
            const int* ldvsl, double* vsr, const int* ldvsr, double* work, const int* lwork, int* bwork, int* info);
void dtgsyl_(const char* trans, const int* ijob, const int* m, const int* n, const double* a, const int* lda,
             const double* b, const int* ldb, double* c, const int* ldc, const double* d, const int* ldd,
             const double* e, const int* lde, double* f, const int* ldf, double* scale, double* dif, double* work,
             const int* lwork, int* iwork, int* info);
}
} // namespace daedalus::linalg::lapack::prototypes

namespace daedalus::linalg {

inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgemm_)> dgemm_("dgemm_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgetrf_)> dgetrf_("dgetrf_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgetrs_)> dgetrs_("dgetrs_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgecon_)> dgecon_("dgecon_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgesdd_)> dgesdd_("dgesdd_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgesvd_)> dgesvd_("dgesvd_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgeqp3_)> dgeqp3_("dgeqp3_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgeqrf_)> dgeqrf_("dgeqrf_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dormqr_)> dormqr_("dormqr_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dtrcon_)> dtrcon_("dtrcon_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dgges_)> dgges_("dgges_");
inline LazyFunction<Library::lapack, decltype(lapack::prototypes::dtgsyl_)> dtgsyl_("dtgsyl_");

namespace lapack {

/// Leading dimensions must not be 0.
inline int leading(int rows) { return std::max(rows, 1); }

} // namespace lapack

} // namespace daedalus::linalg
