#include "floor.hpp"

#include "integrate/iteration_matrix.hpp"

#include <algorithm>
#include <complex>
#include <ctime>

namespace daedalus::benchmarks {

namespace {

double thread_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Smallest over 5 ms in portions of 100 calls (or of one, where a call takes longer than that).
template <class Call>
double seconds_of(Call&& call) {
    constexpr double budget = 0.005;
    double begin = thread_seconds();
    call();
    double best = thread_seconds() - begin;
    const int together = best > 1e-4 ? 1 : 100;
    for (double spent = best; spent < budget;) {
        begin = thread_seconds();
        for (int k = 0; k < together; ++k) call();
        const double used = thread_seconds() - begin;
        best = std::min(best, used / together);
        spent += used;
    }
    return best;
}

/// Straight-line where the matrix is small enough for that; else what the library would take.
template <class Scalar>
void measure_matrix(const problem::ImplicitProblem& p, const integrate::JacobianValues& jacobian, Scalar shift,
                    double& factor, double& solve) {
    constexpr int largest_straight_line = 2000;
    integrate::ShiftedMatrix<Scalar> matrix(p, p.size() <= largest_straight_line ? linalg::SolverKind::straight_line
                                                                                 : linalg::SolverKind::automatic);
    integrate::Counters counters;
    std::vector<Scalar> b(static_cast<std::size_t>(p.size()), Scalar(1.0));
    factor = solve = 1e300;
    if (matrix.factor(jacobian, shift, counters) != linalg::FactorStatus::ok) return;
    factor = seconds_of([&] { (void)matrix.factor(jacobian, shift, counters); });
    solve = seconds_of([&] {
        std::fill(b.begin(), b.end(), Scalar(1.0));
        matrix.solve(b, counters);
    });
}

} // namespace

UnitCosts unit_costs(const problem::ImplicitProblem& p, double t, const std::vector<double>& x,
                     const std::vector<double>& dx, double step) {
    UnitCosts u;
    std::vector<double> r(x.size());
    u.residual = seconds_of([&] { (void)p.residual(t, x.data(), dx.data(), r.data()); });
    integrate::JacobianValues jacobian(p);
    integrate::Counters counters;
    u.jacobian = seconds_of([&] { (void)jacobian.evaluate(t, x.data(), dx.data(), counters); });
    // Shifts as those of Radau IIA with three stages: γ/h and (α + iβ)/h.
    measure_matrix<double>(p, jacobian, 3.6 / step, u.real_factor, u.real_solve);
    measure_matrix<std::complex<double>>(p, jacobian, std::complex<double>(2.7, 3.0) / step, u.complex_factor,
                                         u.complex_solve);
    return u;
}

UnitCosts smaller(const UnitCosts& a, const UnitCosts& b) {
    return {std::min(a.residual, b.residual),
            std::min(a.jacobian, b.jacobian),
            std::min(a.real_factor, b.real_factor),
            std::min(a.real_solve, b.real_solve),
            std::min(a.complex_factor, b.complex_factor),
            std::min(a.complex_solve, b.complex_solve)};
}

Floor floor_of(const Work& work, const UnitCosts& costs) {
    const auto times = [](long count, double cost) { return count == 0 ? 0.0 : static_cast<double>(count) * cost; };
    return {times(work.residuals, costs.residual), times(work.jacobians, costs.jacobian),
            times(work.factorizations - work.complex_factorizations, costs.real_factor) +
                times(work.complex_factorizations, costs.complex_factor),
            times(work.solves - work.complex_solves, costs.real_solve) +
                times(work.complex_solves, costs.complex_solve)};
}

} // namespace daedalus::benchmarks
