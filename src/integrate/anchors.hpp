// Every so many steps a run with checkpoints forgets all but what a checkpoint holds (checkpoint.hpp says why), and
// saves it.
#pragma once

#include "integrate/participant.hpp"

namespace daedalus::integrate {

class Anchors final : public Participant {
public:
    [[nodiscard]] std::string_view name() const override { return "anchors"; }
    [[nodiscard]] Flow before(Run& run) override;
    void load(Run& run, const Checkpoint& c) override;

private:
    long last_anchor_ = 0; ///< accepted steps at it
    long last_saved_ = 0;  ///< … and at the last one that was saved
};

} // namespace daedalus::integrate
