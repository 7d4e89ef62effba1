// How sensitive a solution is to perturbations (MW): for the linearisation along it, in the form of semi_explicit.hpp
//     x' = A x + B y + p,      0 = C x + D y + q,
// the stability constants κ₁, κ₂ (stability_constants.hpp), and what they mean where D is nearly singular
// (near_index_2.hpp).
// Near-singular D or CB: the index that is felt depends on the step h and on the noise level (MW section 7, effective
// index), and the iteration matrix E + h H of an implicit method has a condition number of order h^(−index).
#pragma once

#include "analysis/near_index_2.hpp"
#include "analysis/semi_explicit.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::analysis {

struct IterationSample {
    double h = 0.0;
    double condition = 0.0;
    double power = 0.0; ///< −d log cond / d log h
};

struct Conditioning {
    std::optional<double> kappa1, kappa2;
    std::string reason;                     ///< how found, or why not
    std::optional<NearIndex2> near_index_2; ///< index 1 with small D: what the estimates become …
    std::optional<NearIndex2> near_index_3; ///< … and index 2 with small CB
    int predicted_power = 0;                ///< of 1/h in the condition number of the iteration matrix
    std::optional<double> observed_power;   ///< fitted over the smallest steps
    std::vector<IterationSample> iteration;
    struct AtNoise {
        double noise = 0.0;
        std::optional<int> index; ///< none: singular at that accuracy
    };
    std::vector<AtNoise> at_noise;            ///< effective index, over decades of relative accuracy
    double distance_to_singular = 1.0;        ///< least along the solution
    bool nearly_singular = false;             ///< … so small that errors grow by its inverse
    std::vector<double> singular_combination; ///< of equations, where that is
    double smallest_d = 0.0;  ///< smallest singular value of D relative to ‖D‖ + ‖C‖ ‖B‖ …
    double smallest_cb = 0.0; ///< … and of CB relative to ‖C‖ ‖B‖, least along the solution
    std::string advice;       ///< MW section 8, where a system is nearly of higher index
};

/// `index`: of the system, for the prediction. Points ascend in time.
[[nodiscard]] Conditioning conditioning(std::span<const LinearisedPoint> along, int index);

/// The index that a method with step h feels: the power of 1/h in the condition of E + h H about this h.
[[nodiscard]] int effective_index(const LinearisedPoint& p, double h);
} // namespace daedalus::analysis
