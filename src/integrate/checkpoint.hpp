// Everything from which an integration can be continued.
//
// A run that writes checkpoints, or was resumed from one, forgets at each anchor (every so many accepted steps) all but
// what is kept here: whether it is continued by the same process or by another one, the same numbers follow, bit for
// bit. Factorised matrices, predicted rates and the like need not be kept for that, and new methods need not know about
// checkpoints; those that need a past remember it. Other runs have no anchors.
#pragma once

#include "integrate/statistics.hpp"
#include "integrate/stepper.hpp"
#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::integrate {

struct Checkpoint {
    double t = 0.0;
    double h = 0.0; ///< wanted next step
    std::vector<double> x, dx;
    double t_start = 0.0; ///< of the last start, with its point: what failures are compared with
    std::vector<double> x_start, dx_start;
    std::string method;
    long method_since = 0; ///< steps when it was chosen
    MethodMemory memory;
    std::vector<problem::Link> links; ///< which unknowns are states
    std::vector<signed char> sides;   ///< modes
    std::vector<double> roots;        ///< what the root finder knows of its functions
    std::vector<double> watch;        ///< and what was seen of events that never end
    std::vector<double> environment;  ///< parameters, modes, held values
    std::vector<double> integrals;    ///< quadratures
    std::vector<double> history;      ///< of delayed values
    Statistics statistics;
};

} // namespace daedalus::integrate
