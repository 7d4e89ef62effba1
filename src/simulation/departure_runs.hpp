// Whether a solution that left a state of rest is the solution, or an error that the tolerance allowed and the
// equations let grow (simulation/departure_watch): runs with smaller tolerances tell.
#pragma once

#include "daedalus/options.hpp"
#include "simulation/record.hpp"

#include <functional>
#include <optional>

namespace daedalus::simulation {

/// A run with other options; none: it did not begin.
using Repeat = std::function<std::optional<Record>(const SolveOptions&)>;

/// It came to its end.
[[nodiscard]] bool complete(const Record& record);

/// Relative tolerances below some hundred units in the last place ask for round-off.
constexpr double finest_tolerance = 1e-13;

/// The same with tolerances smaller by this factor, relative ones not below the finest.
[[nodiscard]] SolveOptions tighter(const SolveOptions& options, double rtol, double atol, double factor);

/// Two runs of one model are different solutions: at two output points in succession, or at the end, a variable differs
/// by more than a tenth of its size. (One point alone may lie in a jump that one of them makes a little later.)
/// Returns the largest of these differences in sizes of the variable, 0 where they are one solution.
[[nodiscard]] double part_company(const output::Trajectory& one, const output::Trajectory& other);

/// Replaces the record of a run that left a state of rest by one of smaller tolerances where these tell something else
/// and agree with each other. Where they never agree, and differ by more than the solution's own size, there is no
/// success; where they differ within it, as in chaos, that is said.
void confirm_departure(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record);

/// For runs that are not repeated.
void warn_of_departure(const std::string& why_not, Record& record);

} // namespace daedalus::simulation
