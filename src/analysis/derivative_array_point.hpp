// A point of the derivative array: z with F_k(t, z) = 0, nearest to a given one. Gauss–Newton with steps of minimum
// norm in scaled unknowns; x is held where that is possible, and moved as little as possible otherwise.
#pragma once

#include "problem/derivative_array.hpp"

#include <span>
#include <string>
#include <vector>

namespace daedalus::analysis {

struct ArrayPoint {
    int order = 0;
    double t = 0.0;
    std::vector<double> z; ///< x, x', …, x^(order+1)
    double residual = 0.0; ///< largest |F_k,i| relative to Σ|∂F/∂z||z| of its row
    int iterations = 0;
    bool consistent = false;
    bool moved_x = false;
    std::string why_not;
};

enum class HoldX {
    no,
    if_possible,
    yes,       ///< and what is left over is spread over the rows as their scaling has it
    thoroughly ///< for an x that is consistent up to rounding: once more, with rows in units of their size
};

/// `guess` holds x and perhaps some derivatives; what is missing starts at 0. The order must be prepared. `ranks`: of
/// ∂F_k/∂y, order by order, where they are known; beside the solution set they would be found too large.
[[nodiscard]] ArrayPoint consistent_point(problem::DerivativeArray& array, int order, double t,
                                          std::span<const double> guess, HoldX hold = HoldX::if_possible,
                                          std::span<const int> ranks = {});

} // namespace daedalus::analysis
