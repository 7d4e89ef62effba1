// Step sizes near features of known functions of time (problem/time_features.hpp): a step ends where a narrow feature
// begins, and is not longer than its scale inside.
#pragma once

#include "integrate/interval.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/time_features.hpp"

#include <cstdint>
#include <vector>

namespace daedalus::integrate {

class FeatureLimits {
public:
    /// Asks the problem, with its present environment, for what lies between t and the end. Once, unless events change
    /// the functions.
    void look(const problem::ImplicitProblem& problem, double t, const Interval& interval);
    /// The step h from t, shortened where it must be.
    [[nodiscard]] double limited(double t, double h) const;
    [[nodiscard]] bool empty() const { return windows_.empty(); }

private:
    std::vector<problem::TimeWindow> windows_; ///< ascending, without overlap
    bool looked_ = false;
    int looks_ = 0;
    std::uint64_t stamp_ = 0; ///< of the environment that was looked with
};

} // namespace daedalus::integrate
