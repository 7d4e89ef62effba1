// What a run has to say besides its result: what was lost to round-off, drift or tolerance on the way, and where the
// equations did not determine everything.
#pragma once

#include "integrate/doubtful_point.hpp"
#include "integrate/failure_report.hpp"
#include "integrate/statistics.hpp"
#include "simulation/recorder.hpp"
#include "simulation/run.hpp"

namespace daedalus::simulation {

void warn_of_drift(const problem::ImplicitProblem& p, const ResidualScale& size, Record& impl);
void warn_of_noise(const problem::ImplicitProblem& p, const integrate::Statistics& s, Record& impl);
/// An output point that neither its equations nor its neighbours determine: said, or refused where it is far off.
void judge_doubtful_point(const problem::ImplicitProblem& p, const integrate::DoubtfulPoint& point, double rtol,
                          Record& impl);
void warn_of_small_starts(const Job& job, const integrate::Tolerance& tolerance, Record& impl);
void blame_small_starts(const Job& job, const integrate::Tolerance& tolerance, integrate::FailureReason reason,
                        Diagnostic& d);
/// Whether a run may have failed because variables begin, and stay, below an absolute tolerance that nobody asked for.
[[nodiscard]] bool may_have_lost_traces(const Job& job, const SolveOptions& options,
                                        const integrate::Tolerance& tolerance, integrate::FailureReason reason);
void warn_of_finer_tolerance(const Record& failed, double atol, Record& impl);
void warn_of_conditions(const problem::ImplicitProblem& p, const integrate::Statistics& s, Record& impl);
void warn_of_singular_points(const problem::ImplicitProblem& p, const integrate::Statistics& s, Record& impl);
/// Steps that should all have this size, where their equations could not be solved.
void warn_of_shorter_steps(double fixed_step, const integrate::Statistics& s, Record& impl);
/// `outputs`: all of the model, recorded or not.
void warn_of_impulses(const Recorder& recorder, const std::vector<output::VariableInfo>& outputs, Record& impl);

} // namespace daedalus::simulation
