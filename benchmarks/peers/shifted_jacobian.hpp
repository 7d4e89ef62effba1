// ∂F/∂x + c ∂F/∂x' on the problem's pattern: the matrix that IDA and DASPK ask for.
#pragma once

#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::benchmarks {

inline problem::EvalStatus shifted_jacobian(const problem::ImplicitProblem& problem, double t, const double* x,
                                            const double* dx, double c, double* values) {
    static thread_local std::vector<double> slopes; // no allocation in a timed run
    slopes.resize(static_cast<std::size_t>(problem.pattern().nonzeros()));
    const problem::EvalStatus status = problem.jacobian(t, x, dx, values, slopes.data());
    for (std::size_t k = 0; k < slopes.size(); ++k) values[k] += c * slopes[k];
    return status;
}

} // namespace daedalus::benchmarks
