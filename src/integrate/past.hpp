// The history of a run, of all that is delayed and of all that flows carry, and the breaks in it that an event met.
#pragma once

#include "base/history.hpp"
#include "problem/delays.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/transports.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace daedalus::integrate {

[[nodiscard]] std::shared_ptr<History> new_history(const problem::ImplicitProblem& problem);

/// Where all readers of the past were at the last start of the method.
class ReadersBefore {
public:
    void note(const problem::ImplicitProblem& problem);
    /// Which derivative may jump in what follows from what readers have come to since: one more than jumps there. None:
    /// no reader has moved, the event was another one.
    [[nodiscard]] std::optional<int> level_met(const problem::ImplicitProblem& problem, const History& past) const;

private:
    std::vector<int> delayed_, carried_; ///< stretches; of what is carried on the left and on the right
};

} // namespace daedalus::integrate
