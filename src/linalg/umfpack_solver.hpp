// Sparse LU of an equilibrated matrix by UMFPACK (Davis 2004): multifrontal elimination whose work is done by dense
// kernels. Faster than KLU where fill is heavy, as for discretised partial differential equations in two or three
// dimensions. An optional part of the build (UMFPACK is under the GPL). BLAS runs on one thread, unless the program
// around has set something else: threads slow down fronts of this size. Unlike the other solvers this one takes memory
// at every factorisation.
#pragma once

#include "linalg/linear_solver.hpp"

#include <memory>

namespace daedalus::linalg {

/// Whether this build knows UMFPACK and it can be loaded; loads it.
[[nodiscard]] bool umfpack_available();

/// Null if umfpack_available() is false.
template <class Scalar>
[[nodiscard]] std::unique_ptr<LinearSolver<Scalar>> make_umfpack_solver(const SparsityPattern& pattern);

extern template std::unique_ptr<LinearSolver<double>> make_umfpack_solver(const SparsityPattern&);
extern template std::unique_ptr<LinearSolver<std::complex<double>>> make_umfpack_solver(const SparsityPattern&);

} // namespace daedalus::linalg
