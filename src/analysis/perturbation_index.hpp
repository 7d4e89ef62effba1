// Perturbation index from experiments (HW Def. 1.3): the least m for which a perturbation δ of F(t, x, x') = 0 changes
// the solution by no more than C (max ‖δ‖ + … + max ‖δ^(m−1)‖), whenever that is small. On trial, level by level:
//     δ = c(t) + ε sin ωt    with c small, slow and fixed, and ε = r ω^(1−k),
// keeps the sum for m = k as small as it is while ω → ∞. Where the response to the fast part grows with ω, no constant
// C will do, and the index is more than k; where it does not, k is the index. The slow part lets terms take part that
// vanish on the solution alone, as in HW (1.32).
//
// The criterion: over the three highest frequencies a variable grows if the slope of log response over log ω is above
// 1/2, and does not if it is below 1/4 or the response is lost in the errors of the integration. Slopes between these,
// a level that could not be solved, and no growth at a level above one that grows not clearly leave it undecided.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::analysis {

/// Largest change of each variable over the interval, at one frequency.
struct PerturbationSample {
    double omega = 0.0;
    std::vector<double> deviation;
};

/// Experiments with ε = r ω^(1−k).
struct PerturbationLevel {
    int k = 1;
    std::vector<PerturbationSample> samples;
};

enum class Growth { none, clear, unclear };

struct ResponseGrowth {
    std::vector<double> exponent; ///< per variable: d log deviation / d log ω at the high end; −∞ below the floor
    std::vector<Growth> variable;
    Growth system = Growth::none; ///< clear if any is
};
/// `floor`: deviations below it (per variable) are errors of the integration and say nothing.
[[nodiscard]] ResponseGrowth response_growth(std::span<const PerturbationSample> samples,
                                             std::span<const double> floor);

struct PerturbationIndex {
    std::optional<int> index;
    std::string reason;
    int levels_of_growth = 0;      ///< the index is more than that, whether it was found or not
    std::vector<double> exponent;  ///< per variable at the first level: with ε fixed
    std::vector<int> per_variable; ///< the first level at which it does not grow
};

/// `levels` ascend by one each from 1 on, up to the first without growth.
[[nodiscard]] PerturbationIndex perturbation_index(std::span<const PerturbationLevel> levels,
                                                   std::span<const double> floor);

} // namespace daedalus::analysis
