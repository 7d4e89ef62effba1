// Functions of the solution along an accepted step, as polynomials: as many as it takes to be a tenth of the tolerance
// from the functions along the step's continuous output. What a run keeps of its past is made of these.
#pragma once

#include "base/polynomial_piece.hpp"
#include "integrate/observer.hpp"
#include "problem/functions.hpp"

#include <functional>
#include <vector>

namespace daedalus::integrate {

struct Run;

class StepPolynomials {
public:
    /// Of the first `count` values of the function; `tolerance` of value k where it is as large as this.
    StepPolynomials(const problem::VectorFunction& function, std::size_t count,
                    std::function<double(std::size_t, double)> tolerance)
        : function_(function), count_(count), tolerance_(std::move(tolerance)) {}

    /// What to do with the polynomials of the values on a part of the step; the parts come in the order of time.
    using Take = std::function<void(const std::vector<PolynomialPiece>&)>;
    /// False: a value is not finite.
    [[nodiscard]] bool find(Run& run, const AcceptedStep& step, const Take& take);

    /// The function's values at a time of the step.
    [[nodiscard]] bool sample(Run& run, const AcceptedStep& step, double t, std::vector<double>& into);

private:
    struct Part {
        double begin, end;
        int halvings;
    };
    [[nodiscard]] bool find(Run& run, const AcceptedStep& step, const Part& part, const Take& take);
    const problem::VectorFunction& function_;
    std::size_t count_;
    std::function<double(std::size_t, double)> tolerance_;
    std::vector<double> x_, dx_;
};

} // namespace daedalus::integrate
