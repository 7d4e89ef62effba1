// What a run has to say besides its result: what was lost to round-off, drift or tolerance on the way, and where the
// equations did not determine everything.
#pragma once

#include "facade/recorder.hpp"
#include "facade/run.hpp"
#include "integrate/failure_report.hpp"
#include "integrate/statistics.hpp"

namespace daedalus::facade {

void warn_of_drift(const problem::ImplicitProblem& p, const ResidualScale& size, Solution::Impl& impl);
void warn_of_noise(const problem::ImplicitProblem& p, const integrate::Statistics& s, Solution::Impl& impl);
void warn_of_small_starts(const Job& job, const integrate::Tolerance& tolerance, Solution::Impl& impl);
void blame_small_starts(const Job& job, const integrate::Tolerance& tolerance, integrate::FailureReason reason,
                        Diagnostic& d);
/// Whether a run may have failed because variables begin, and stay, below an absolute tolerance that nobody asked for.
[[nodiscard]] bool may_have_lost_traces(const Job& job, const SolveOptions& options,
                                        const integrate::Tolerance& tolerance, integrate::FailureReason reason);
void warn_of_finer_tolerance(const Solution::Impl& failed, double atol, Solution::Impl& impl);
void warn_of_conditions(const problem::ImplicitProblem& p, const integrate::Statistics& s, Solution::Impl& impl);
void warn_of_singular_points(const problem::ImplicitProblem& p, const integrate::Statistics& s, Solution::Impl& impl);
void warn_of_impulses(const Recorder& recorder, Solution::Impl& impl);

} // namespace daedalus::facade
