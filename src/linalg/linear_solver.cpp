#include "linalg/linear_solver.hpp"

#include "linalg/adaptive_solver.hpp"
#include "linalg/dense_lu.hpp"
#include "linalg/klu_solver.hpp"
#include "linalg/straight_line_lu.hpp"
#include "linalg/umfpack_solver.hpp"

#include <cassert>
#include <utility>

namespace daedalus::linalg {

template <class Scalar>
std::unique_ptr<LinearSolver<Scalar>> make_linear_solver(SharedPattern pattern, SolverKind kind) {
    assert(pattern->rows == pattern->cols);
    if (pattern->cols == 0) kind = SolverKind::dense;
    switch (kind) {
    case SolverKind::dense: return std::make_unique<DenseLu<Scalar>>(*pattern);
    case SolverKind::straight_line: return std::make_unique<StraightLineLu<Scalar>>(*pattern);
    case SolverKind::umfpack:
        if (umfpack_available()) return make_umfpack_solver<Scalar>(*pattern);
        [[fallthrough]];
    case SolverKind::klu: return std::make_unique<KluSolver<Scalar>>(std::move(pattern));
    case SolverKind::automatic: break;
    }
    return std::make_unique<AdaptiveSolver<Scalar>>(std::move(pattern));
}

template std::unique_ptr<LinearSolver<double>> make_linear_solver(SharedPattern, SolverKind);
template std::unique_ptr<LinearSolver<std::complex<double>>> make_linear_solver(SharedPattern, SolverKind);

} // namespace daedalus::linalg
