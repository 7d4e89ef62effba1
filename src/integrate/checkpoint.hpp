// Everything from which an integration can be continued.
//
// A run that makes checkpoints begins its method anew at each of them, with nothing but what is kept here: whether it
// is continued by the same process or by another one, the same numbers follow, bit for bit. Factorised matrices,
// predicted rates and the like need not be kept for that, and new methods need not know about checkpoints.
#pragma once

#include "integrate/statistics.hpp"
#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::integrate {

struct Checkpoint {
    double t = 0.0;
    std::vector<double> x, dx;
    std::vector<problem::Link> links; ///< which unknowns are states
    std::vector<signed char> sides;   ///< modes
    std::vector<double> discrete;     ///< held values
    std::vector<double> integrals;    ///< quadratures
    std::size_t stop = 0;             ///< stop times that are behind
    Statistics statistics;
};

} // namespace daedalus::integrate
