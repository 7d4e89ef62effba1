// What an integration did, in counts: reproducible where times are not.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace daedalus::integrate {

struct Counters {
    long steps = 0; ///< accepted
    long error_rejections = 0;
    long newton_rejections = 0;
    long domain_rejections = 0; ///< not finite
    long residuals = 0;
    long jacobians = 0;
    long factorizations = 0; ///< a complex one counts as one
    long solves = 0;
    long complex_factorizations = 0; ///< among them
    long complex_solves = 0;
    long newton_iterations = 0;
    long restarts = 0;
    long events = 0;

    /// Evaluations and linear algebra of a part; steps and iterations are the method's.
    void add_work(const Counters& part) {
        residuals += part.residuals;
        jacobians += part.jacobians;
        factorizations += part.factorizations;
        solves += part.solves;
        complex_factorizations += part.complex_factorizations;
        complex_solves += part.complex_solves;
    }
};

/// An exchange of dummy derivatives.
struct StateSwitch {
    double t = 0.0;
    std::vector<int> left;    ///< unknowns that stopped being states
    std::vector<int> entered; ///< unknowns that became states
};

/// An unknown that could not be held to its tolerance: its error estimate stopped shrinking with the step.
struct NoiseFloor {
    double t = 0.0;
    int unknown = -1;
    double level = 0.0; ///< absolute accuracy granted instead
};

/// A condition whose events cannot be trusted.
struct DoubtfulCondition {
    enum class Reason {
        too_fast,        ///< it changes faster than it could be looked at: crossings may have been missed
        below_tolerance, ///< errors that the tolerance allows decide on it
    };
    double t = 0.0;
    int root = -1;
    Reason reason = Reason::too_fast;
};

/// A point at which the equations do not determine an unknown or its derivative, and behind which the run went on.
struct SingularPoint {
    double t = 0.0;
    int unknown = -1;
    int row = -1;              ///< that should; -1: not known
    bool stepped_over = false; ///< no step saw it: what is behind need not belong to what was before
};

struct Statistics {
    Counters counters;
    double smallest_step = std::numeric_limits<double>::infinity();
    double largest_step = 0.0;
    int highest_order = 0;
    std::vector<StateSwitch> state_switches;
    std::string linear_solver;                          ///< in words
    std::vector<NoiseFloor> noise;                      ///< one entry per unknown, the largest
    std::vector<DoubtfulCondition> doubtful_conditions; ///< one entry per condition and reason
    std::vector<SingularPoint> singular_points;         ///< the first of each unknown
};

} // namespace daedalus::integrate
