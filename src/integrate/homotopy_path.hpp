// Following a path u(s) of solutions from s = 0 to s = 1, the predictor being the last point (Allgower & Georg 1990,
// ch. 6): steps in s as large as the corrector takes them.
//
// The constants decide how much is tried, never what counts as a solution: that is the corrector's tolerance at s = 1.
#pragma once

#include <algorithm>
#include <vector>

namespace daedalus::integrate {

struct PathSteps {
    double first = 0.1;     ///< ten steps if nothing is known
    double largest = 0.25;  ///< four at least: a corrector that leaps over a fold lands on another branch
    double smallest = 1e-4; ///< ten thousand steps are no way to a start value
    double longer = 2.0;    ///< after a success
    double shorter =
        0.25; ///< after a failure, so that the next step is half of what has worked, if doubling was too much
};

/// `correct(s, u)`: a solution at s from the guess u. Returns the s that was reached; u is the solution there.
template <class Correct>
double follow_path(std::vector<double>& u, Correct&& correct, const PathSteps& steps = {}) {
    std::vector<double> trial;
    double s = 0.0;
    for (double ds = steps.first; s < 1.0 && ds >= steps.smallest;) {
        const double next = std::min(1.0, s + ds);
        trial = u;
        if (correct(next, trial)) {
            u = trial;
            s = next;
            ds = std::min(steps.longer * ds, steps.largest);
        } else {
            ds *= steps.shorter;
        }
    }
    return s;
}

} // namespace daedalus::integrate
