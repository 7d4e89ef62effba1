// Smallest and largest step, highest order, and the unknowns whose accuracy round-off has limited.
#pragma once

#include "integrate/participant.hpp"

namespace daedalus::integrate {

class StepStatistics final : public Participant {
public:
    [[nodiscard]] std::string_view name() const override { return "statistics"; }
    [[nodiscard]] Flow accepted(Run& run, double h) override;
    void finish(Run& run) override;
    void save(const Run& run, Checkpoint& c) const override;
};

} // namespace daedalus::integrate
