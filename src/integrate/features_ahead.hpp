// Step sizes near narrow functions of the unknowns (problem/passing_features.hpp). Before a step the unknowns are
// carried on along parabolas; if a function rises and falls on that way unseen by its ends, steps go at most half the
// way to its core, for the parabola is only a guess and tails reach beyond the core, pass the core in steps of its own
// scale, and become longer again by as much.
//
// So features are found that no stage would meet. It is no proof: where the course bends more than a parabola, or the
// function is none of those that are looked at, they may still be missed.
#pragma once

#include "problem/implicit_problem.hpp"
#include "problem/passing_features.hpp"

#include <optional>
#include <vector>

namespace daedalus::integrate {

class FeaturesAhead {
public:
    /// Constant steps are not shortened.
    FeaturesAhead(const problem::ImplicitProblem& problem, bool fixed_step)
        : problem_(problem), active_(!fixed_step && !problem.facet<problem::PassingFeatures>().empty()) {}
    /// The step h from t, where the unknowns are x with slopes dx, shortened where it must be.
    [[nodiscard]] double limited(double t, double h, const double* x, const double* dx);

private:
    void follow(double t, const double* x, const double* dx);

    const problem::ImplicitProblem& problem_;
    bool active_;
    std::vector<problem::Course> courses_; ///< of the leaves from t_ on
    std::optional<problem::TimeWindow> core_;
    double t_ = 0.0;
    bool known_ = false;
};

} // namespace daedalus::integrate
