// The problems of tests/problems with their reference values at the end, for benchmarks that solve them as users do.
#pragma once

#include "daedalus/model.hpp"

#include <string>
#include <utility>
#include <vector>

namespace daedalus::benchmarks {

struct ReferenceProblem {
    std::string name;
    Model model;
    double t0 = 0.0, t1 = 0.0;
    std::vector<std::pair<std::string, double>> end; ///< of the significant variables
    double known = 0.0;                              ///< relative accuracy of these values
};

/// All of them, or those whose names are given.
[[nodiscard]] std::vector<ReferenceProblem> reference_problems(const std::vector<std::string>& names);

} // namespace daedalus::benchmarks
