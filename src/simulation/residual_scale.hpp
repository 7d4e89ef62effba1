// How large a residual may be: what an error of the size of the tolerance makes of each equation. Along a trajectory it
// changes by powers of ten (a relaxation oscillator rests, and jumps), so it is measured where it is needed.
#pragma once

#include "problem/implicit_problem.hpp"

#include <memory>
#include <vector>

namespace daedalus::simulation {

class ResidualScale {
public:
    ResidualScale(const problem::ImplicitProblem& problem, double rtol, double atol);

    /// Raises the scale of every row to what changes of the size of the tolerance make of it at this point, after a
    /// step of size h. Four reproducible patterns of signs, and their opposites; the largest
    /// change counts.
    void measure(double t, const double* x, const double* dx, double h);

    /// Of row i: first those of F, then the hidden constraints.
    [[nodiscard]] double operator[](std::size_t i) const { return size_[i]; }
    [[nodiscard]] std::vector<double>& values() { return size_; }
    [[nodiscard]] const std::vector<double>& values() const { return size_; }

private:
    static void evaluate(const problem::ImplicitProblem& problem, double t, const double* x, const double* dx,
                         std::vector<double>& rows);
    void measure_constants(double t, const double* x, const double* dx);

    const problem::ImplicitProblem& problem_;
    double rtol_, atol_;
    std::vector<double> size_, base_, moved_, x_, dx_;
    std::shared_ptr<problem::ImplicitProblem> rounded_; ///< with other constants; made where it is needed
};

} // namespace daedalus::simulation
