// Ideal diodes hand a current over to each other: where one begins to conduct, others end at once, from any current.
// The branches that an event sets have no solution then; those that agree with all conditions are looked for, with as
// few changes as do, and remembered for the next time.
#pragma once

#include "integrate/consistent_jump.hpp"

#include <map>
#include <utility>
#include <vector>

namespace daedalus::integrate {

struct Run;

class HandOver {
public:
    explicit HandOver(Run& run) : run_(run) {}

    /// From the values before the event to branches that agree with all conditions: sets modes and the run's point.
    /// False: none do, and the modes are as before.
    [[nodiscard]] bool search(const BranchPoint& before, double t, double time_scale);
    /// As it was found to go between the same sides, without all that is tried before a search. False: nothing is
    /// known, and modes and point are as before.
    [[nodiscard]] bool repeat(const BranchPoint& before, double t, double time_scale);
    /// Conditions that were passed and turn back at once, since the branch behind them drives the unknowns that decide
    /// on them the other way: a fold (an operational amplifier that feeds its output back to itself). The solution goes
    /// on at branches that agree with all conditions and on which these are far from their borders. False: there are
    /// none, as where states alone decide, and modes and point are as before.
    [[nodiscard]] bool leave_fold(const BranchPoint& before, const std::vector<int>& turned, double t,
                                  double time_scale);
    void forget() { known_.clear(); }

private:
    using Sides = std::vector<signed char>;
    [[nodiscard]] bool reach(const BranchPoint& before, const Sides& sides, double t, double time_scale);

    Run& run_;
    std::map<std::pair<Sides, Sides>, Sides> known_; ///< before the event, with what was located: to these
};

} // namespace daedalus::integrate
