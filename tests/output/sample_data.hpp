// A made-up but plausible result for the tests of the output layer: the planar pendulum, index 3, with residuals,
// steps and texts. Also a large one.
#pragma once

#include "output/report_data.hpp"
#include "output/trajectory.hpp"

namespace daedalus::output::sample {

[[nodiscard]] Trajectory pendulum(int points = 1001);
[[nodiscard]] ReportData pendulum_report();
[[nodiscard]] Trajectory many(int variables, int points);

} // namespace daedalus::output::sample
