// Whether a method gets on: one that stability limits is left for another one, if one may; one that hardly moves, too;
// and where steps have become as small as they can, a singular point may lie ahead.
#pragma once

#include "integrate/participant.hpp"

namespace daedalus::integrate {

class EventIteration;

class StiffnessWatch final : public Participant {
public:
    explicit StiffnessWatch(EventIteration& events) : events_(events) {}
    [[nodiscard]] std::string_view name() const override { return "stiffness watch"; }

    [[nodiscard]] Flow before(Run& run) override;
    void load(Run& run, const Checkpoint& c) override;

private:
    struct Pace {
        bool slow = false;   ///< many steps were refused, and all together went next to nowhere
        bool crawls = false; ///< all steps were next to the smallest possible
    };
    [[nodiscard]] Pace look(const Run& run);

    EventIteration& events_;
    struct Mark {
        double t = 0.0;
        long steps = 0, rejections = 0;
    } mark_; ///< where it was last looked
};

} // namespace daedalus::integrate
