// What is tried where steps are refused again and again, from the cheapest to the last: another choice of states, the
// branch beyond a border of F's domain, a point that is consistent again, a way over a singular point, another method.
// If nothing helps, the reasons are found and the run ends.
#pragma once

#include "integrate/failure_report.hpp"
#include "integrate/participant.hpp"

namespace daedalus::integrate {

class ChoiceOfStates;
class EventIteration;

class Rescue {
public:
    Rescue(Run& run, ChoiceOfStates& states, EventIteration& events) : run_(run), states_(states), events_(events) {}

    /// A step of size h was refused.
    [[nodiscard]] Flow after_refusal(const Verdict& verdict, double h);

private:
    void count(const Verdict& verdict);
    void restore_consistency();
    [[nodiscard]] Flow explain_refusal();
    [[nodiscard]] Flow last_resort(StepStatus status, double h);

    Run& run_;
    ChoiceOfStates& states_;
    EventIteration& events_;
    struct {
        double t = 0.0;
        FailureReport report;
    } stuck_; ///< where a method did not get on, and another one was tried
};

} // namespace daedalus::integrate
