// Conditions that push against each other while no time passes (event_watch). If F hardly depends on them there they
// come to rest; else the run ends and says why.
#pragma once

#include "integrate/participant.hpp"

namespace daedalus::integrate {

class EventIteration;

class ChatteringWatch final : public Participant {
public:
    explicit ChatteringWatch(EventIteration& events) : events_(events) {}
    [[nodiscard]] std::string_view name() const override { return "chattering watch"; }
    [[nodiscard]] Flow delivered(Run& run, const AcceptedStep& step) override;

private:
    EventIteration& events_;
};

} // namespace daedalus::integrate
