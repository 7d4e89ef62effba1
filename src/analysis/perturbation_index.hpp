// Perturbation index from experiments (HW Def. 1.3): if F(t, x, x') = 0 is perturbed by δ = ε sin ωt, derivatives of δ
// up to order m − 1 reach the solution, and its change grows as ω^(m−1). The growth is fitted variable by variable over
// a range of ω; the index of a variable is one more than its exponent, that of the system the largest.
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

struct PerturbationIndex {
    std::optional<int> index;
    std::string reason;
    std::vector<double> exponent;  ///< per variable: d log deviation / d log ω at the high end
    std::vector<int> per_variable; ///< 1 + exponent, at least 1
};

/// `floor`: deviations below it (per variable) are errors of the integration and say nothing.
[[nodiscard]] PerturbationIndex perturbation_index(std::span<const PerturbationSample> samples,
                                                   std::span<const double> floor);

} // namespace daedalus::analysis
