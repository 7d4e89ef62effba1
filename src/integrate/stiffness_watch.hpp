// Whether a method gets on: one that stability limits is left for another one, if one may; one that hardly moves, too,
// and is asked for round-off before. Where steps have become as small as they can, a singular point may lie ahead; and
// where nothing of that helps, a run that would take years is ended with its reason.
#pragma once

#include "integrate/participant.hpp"

#include <optional>

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
        bool looked = false;
        bool short_way = false; ///< all steps together went next to nowhere
        bool slow = false;      ///< so they did, and many were refused
        bool crawls = false;    ///< all steps were next to the smallest possible
    };
    [[nodiscard]] Pace look(const Run& run);
    [[nodiscard]] bool endless(const Run& run, const Pace& pace);

    EventIteration& events_;
    struct Mark {
        double t = 0.0;
        long steps = 0, rejections = 0;
    } mark_; ///< where it was last looked
    std::optional<Mark> slow_since_;
};

} // namespace daedalus::integrate
