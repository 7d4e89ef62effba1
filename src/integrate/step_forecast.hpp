// Whether a method of order 1 or 2 can reach the end in a sensible number of steps. An error proportional to the
// tolerance asks order p for steps of size tol^(1/p): ten times the accuracy is ten times the steps of implicit Euler.
// What would take too many is said early, since a method of higher order needs some hundred.
#pragma once

#include "integrate/participant.hpp"

namespace daedalus::integrate {

class StepForecast final : public Participant {
public:
    [[nodiscard]] std::string_view name() const override { return "step forecast"; }
    [[nodiscard]] Flow settled(Run& run) override;
    void load(Run& run, const Checkpoint& c) override;

private:
    struct Mark {
        double t = 0.0;
        long steps = 0;
    } mark_; ///< where it was last looked
};

} // namespace daedalus::integrate
