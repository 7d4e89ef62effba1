// A point of the solution against the equations as written, with the slopes that F leaves open found besides.
//
// Rows of F may not mention the derivatives of algebraic unknowns; equations as written may. There x' would be the
// slope of a polynomial, as inaccurate as the step is long: the equations, differentiated, know better
// (consistent_derivative).
#pragma once

#include "integrate/consistent_derivative.hpp"
#include "problem/implicit_problem.hpp"
#include "simulation/written_check.hpp"

#include <optional>
#include <vector>

namespace daedalus::simulation {

class PointCheck {
public:
    /// `interval`: length of the run.
    PointCheck(const problem::ImplicitProblem& problem, double rtol, double atol, double interval);

    [[nodiscard]] WrittenCheck& written() { return written_; }
    [[nodiscard]] const WrittenCheck& written() const { return written_; }
    /// Of a point in a step of size h: notes a violation where an equation does not hold.
    void look(double t, double h, const double* x, const double* dx);
    /// The largest residual relative to the terms of its equation; infinite where that is not known.
    [[nodiscard]] double largest_share(double t, double h, const double* x, const double* dx);
    /// x' with what F leaves open of it; null: not found.
    [[nodiscard]] const double* all_slopes(double t, double h, const double* x, const double* dx);

private:
    [[nodiscard]] double length_of_differences(double h) const;
    [[nodiscard]] bool find_slopes(double t, double length, const double* x, const double* dx,
                                   std::vector<double>& slopes);

    const problem::ImplicitProblem& problem_;
    double interval_;
    WrittenCheck written_;
    std::optional<integrate::ConsistentDerivative> derivative_; ///< made where it is needed
    std::vector<double> slopes_, other_slopes_;
};

} // namespace daedalus::simulation
