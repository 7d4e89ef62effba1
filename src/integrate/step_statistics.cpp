#include "integrate/step_statistics.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// The largest limit of each unknown.
void add_noise(std::span<const NoiseFloor> floors, std::vector<NoiseFloor>& all) {
    for (const NoiseFloor& floor : floors) {
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const NoiseFloor& other) { return other.unknown == floor.unknown; });
        if (known == all.end())
            all.push_back(floor);
        else
            known->level = std::max(known->level, floor.level);
    }
}

} // namespace

Flow StepStatistics::accepted(Run& run, double h) {
    Statistics& statistics = run.result.statistics;
    statistics.smallest_step = std::min(statistics.smallest_step, std::abs(h));
    statistics.largest_step = std::max(statistics.largest_step, std::abs(h));
    statistics.highest_order = std::max(statistics.highest_order, run.stepper->order());
    return Flow::proceed;
}

void StepStatistics::finish(Run& run) { add_noise(run.stepper->noise(), run.result.statistics.noise); }

void StepStatistics::save(const Run& run, Checkpoint& c) const { add_noise(run.stepper->noise(), c.statistics.noise); }

} // namespace daedalus::integrate
