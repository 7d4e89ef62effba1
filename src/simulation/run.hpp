// From a consistent start to a Solution: what models and black boxes share.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/options.hpp"
#include "integrate/consistent_start.hpp"
#include "integrate/observer.hpp"
#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"
#include "simulation/record.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace daedalus::simulation {

struct Job {
    problem::ImplicitProblem* problem = nullptr;
    std::vector<double> x0, dx0;
    double t0 = 0.0, t1 = 0.0;
    double rtol = 1e-6, atol = 1e-6;
    std::function<integrate::Action(const integrate::EventPoint&)> at_event;   ///< the caller's own events
    std::shared_ptr<std::string> stopped_by = std::make_shared<std::string>(); ///< the one that ended the run
    std::uint64_t model_digest = 0;                                            ///< see there; 0: a black box
    std::vector<int> differentiated;                                           ///< see RecorderOptions
    /// After an accepted step: why the run must not go on as it is.
    std::function<std::optional<Diagnostic>(const integrate::AcceptedStep&)> watch;
    std::vector<int> unseen;           ///< outputs that are shown to nobody
    bool points_may_wait = false;      ///< F may be asked after the run: it is nobody's function but the model's
    std::optional<double> output_from; ///< where output points begin to count; none: t0
    integrate::ContinuationOptions continuation;  ///< of another run
    std::shared_ptr<const DenseSolution> earlier; ///< its solution
    /// What the model itself says about the point where a run stopped.
    std::function<Diagnostics(double t, const std::vector<double>& x, const std::vector<double>& dx)> explain_stop;
};

/// Code of what a watch finds where a run is to be continued by another one from the same point.
inline constexpr const char* go_on_from_here = "go-on";

/// Interval and tolerances from options, else from the model's annotation, else defaults; bad ones are named.
struct Defaults {
    std::optional<double> start_time, stop_time, tolerance;
};
[[nodiscard]] Expected<Job> make_job(const SolveOptions& options, const Defaults& defaults);

/// Integrates and completes the record (trajectory, outcome, statistics, options). Diagnostics: it could not begin.
[[nodiscard]] Diagnostics run(Job job, const SolveOptions& options, Record& record);

} // namespace daedalus::simulation
