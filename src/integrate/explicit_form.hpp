// The underlying ordinary differential equation z = f(t, x) as one call of code (problem/explicit_form.hpp),
// with the watch that its fixed pivots need. Where they will not do, nothing is told, and the caller solves the linear
// system of the stage with pivots of that point (local_system.hpp).
#pragma once

#include "problem/explicit_form.hpp"
#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::integrate {

class ExplicitForm {
public:
    /// Present where the system has it and it is `wanted`.
    ExplicitForm(const problem::ImplicitProblem& problem, bool wanted)
        : problem_(problem), code_(wanted ? problem::explicit_form(problem) : problem::ExplicitForm{}),
          n_(static_cast<std::size_t>(problem.size())) {
        if (!code_.empty()) z_watched_.resize(n_ + problem::ExplicitForm::watched);
    }
    [[nodiscard]] bool present() const { return !code_.empty(); }

    /// z, with `unknowns` entries, from t and x. False: not finite, or not to be trusted; z is left alone.
    [[nodiscard]] bool evaluate(double t, const double* x, double* z);
    /// Consistent values at a point where the run begins: code that does not tell them there is not used.
    void compare(double t, const double* x, const double* z);
    /// Of the matrix at the last point.
    [[nodiscard]] double determinant() const { return z_watched_[n_]; }

private:
    const problem::ImplicitProblem& problem_;
    problem::ExplicitForm code_;
    std::size_t n_;
    std::vector<double> z_watched_;
};

} // namespace daedalus::integrate
