#include "linalg/linear_solver.hpp"

#include "linalg/adaptive_solver.hpp"
#include "linalg/dense_lu.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/straight_line_lu.hpp"
#include "linalg/umfpack_solver.hpp"

#include <cassert>

namespace daedalus::linalg {

template <class Scalar>
std::unique_ptr<LinearSolver<Scalar>> make_linear_solver(const SparsityPattern& pattern, SolverKind kind) {
    assert(pattern.rows == pattern.cols);
    if (pattern.cols == 0) kind = SolverKind::dense;
    switch (kind) {
    case SolverKind::dense: return std::make_unique<DenseLu<Scalar>>(pattern);
    case SolverKind::straight_line: return std::make_unique<StraightLineLu<Scalar>>(pattern);
    case SolverKind::umfpack:
        if (umfpack_available()) return make_umfpack_solver<Scalar>(pattern);
        [[fallthrough]];
    case SolverKind::klu: return std::make_unique<KluSolver<Scalar>>(pattern);
    case SolverKind::automatic: break;
    }
    return std::make_unique<AdaptiveSolver<Scalar>>(pattern);
}

template std::unique_ptr<LinearSolver<double>> make_linear_solver(const SparsityPattern&, SolverKind);
template std::unique_ptr<LinearSolver<std::complex<double>>> make_linear_solver(const SparsityPattern&, SolverKind);

} // namespace daedalus::linalg
