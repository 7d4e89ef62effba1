// The second half of the certificate: the model's equations as written, with the values that are handed out and with
// their slopes along the dense output in the place of derivatives. What is integrated may have other derivatives (dummy
// derivatives, differentiated constraints, expressions that were put into others): a variable that equals one of them
// can be far off while every row of F holds.
//
// Slopes of a dense output are much less accurate than its values, and how much so depends on the method. What no slope
// explains is a residual of the size of the equation's own terms: refused is more than a third of Σ|term|, where errors
//     Δy_j, Δy'_j = ±many · (rtol |y_j| + atol nominal_j)
// and the uncertainty of the slopes as they are measured do not make as much of it.
#pragma once

#include "compile/written_equations.hpp"
#include "integrate/observer.hpp"
#include "problem/implicit_problem.hpp"

#include <optional>
#include <vector>

namespace daedalus::facade {

class WrittenCheck {
public:
    struct Violation {
        int equation = 0;
        double t = 0.0, residual = 0.0, allowed = 0.0;
    };

    /// `equations` may be null: then nothing is checked.
    WrittenCheck(const problem::ImplicitProblem& problem, compile::WrittenEquations* equations, double rtol,
                 double atol);

    /// In the middle of the step; few steps of a long run are looked at.
    void look(const integrate::AcceptedStep& step);
    [[nodiscard]] const std::optional<Violation>& violation() const { return violation_; }
    /// The largest residual in units of what is allowed.
    [[nodiscard]] double worst() const { return worst_; }

private:
    [[nodiscard]] bool outputs(const integrate::AcceptedStep& step, double t, std::vector<double>& y);
    [[nodiscard]] bool slopes(const integrate::AcceptedStep& step, double t, double h);
    void raise(double t, const std::vector<double>& in_y, const std::vector<double>& in_slope,
               std::vector<double>& change);

    const problem::ImplicitProblem& problem_;
    compile::WrittenEquations* equations_;
    double rtol_, atol_;
    long steps_ = 0, checks_ = 0, every_ = 1;
    std::vector<double> x_, dx_, q_, y_, beside_, dy_, size_, weight_, r_, terms_, moved_, ignored_, without_,
        measured_;
    std::vector<double> moved_y_, moved_dy_, uncertain_, second_order_;
    std::optional<Violation> violation_;
    double worst_ = 0.0;
};

} // namespace daedalus::facade
