// A code that takes part: it integrates one problem from start to end at a tolerance, as often as asked.
#pragma once

#include "floor.hpp"
#include "peers/peer_form.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::benchmarks {

struct PeerCode {
    std::string name;   ///< "IDA KLU, index 2"
    std::string family; ///< "IDA", "RADAU5", "DASPK", "PETSc", "by hand", "Daedalus", "Daedalus solve"
    /// One integration; empty where it failed. Otherwise the end values of the problem's unknowns.
    std::function<std::vector<double>(double tolerance)> run;
    std::function<Work()> work; ///< of the last run
    /// Straight-line costs of what it evaluates and factorises, with steps of about this size; empty: not known.
    std::function<UnitCosts(double step)> costs;
};

[[nodiscard]] std::function<UnitCosts(double step)> costs_of(std::shared_ptr<PeerForm> form, double t0);

enum class IdaSolver { dense, klu };
/// SUNDIALS IDA, only where it was found when this was built (DAEDALUS_IDA); the form is of index 1 or 2 (algebraic
/// unknowns are then left out of the error test).
[[nodiscard]] PeerCode make_ida(std::shared_ptr<PeerForm> form, double t0, double t1, IdaSolver solver);

/// Hairer's RADAU5 from the shared library of deSolve, with index hints, banded mass matrix and, if asked and there,
/// second-order structure. `run` is empty where the library is missing or the leading matrix is not constant.
[[nodiscard]] PeerCode make_radau5(std::shared_ptr<PeerForm> form, double t0, double t1, bool second_order);

/// Petzold's DASPK from the same library, dense; index 1 or 2. `run` is empty where the library is missing.
[[nodiscard]] PeerCode make_daspk(std::shared_ptr<PeerForm> form, double t0, double t1);

enum class PetscMethod { bdf, rosenbrock };
/// PETSc TS with sparse LU, index 1; only where it was found when this was built (DAEDALUS_PETSC). Starts PETSc.
[[nodiscard]] PeerCode make_petsc(std::shared_ptr<PeerForm> form, double t0, double t1, PetscMethod method);

/// Daedalus on the model as written; `run` is empty where the method does not take the formulation.
[[nodiscard]] PeerCode make_daedalus(const TestProblem& problem, const std::string& method);

/// The same with all that `solve` does for users, on a compiled model: initial values, output points, certificate.
[[nodiscard]] PeerCode make_solve(const TestProblem& problem);

enum class ByHand { dopri5, dop853 };
/// Equations in minimal coordinates that were eliminated by hand, integrated by explicit code of fixed size; `run` is
/// empty for problems for which nobody did that.
[[nodiscard]] PeerCode make_by_hand(const TestProblem& problem, ByHand method);

} // namespace daedalus::benchmarks
