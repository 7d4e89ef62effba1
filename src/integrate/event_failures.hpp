// Why a run ends at an event, in the model's words.
#pragma once

#include "integrate/failure_report.hpp"

#include <span>

namespace daedalus::integrate {

struct Run;

/// These conditions push against each other at t while no time passes.
[[nodiscard]] FailureReport chattering_report(const Run& run, std::span<const int> conditions, double t);
/// Events of these conditions accumulate before `limit`.
[[nodiscard]] FailureReport accumulation_report(const Run& run, std::span<const int> conditions, double t,
                                                double limit);
/// The value that a clause gave to an unknown cannot hold.
[[nodiscard]] FailureReport reinit_report(const Run& run, int unknown, double t);
/// No point was found behind the event: these rows resist, as the run's ConsistentJump says.
[[nodiscard]] FailureReport jump_report(const Run& run, double t);

} // namespace daedalus::integrate
