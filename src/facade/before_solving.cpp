// Questions that can be answered before a long solve.
#include "daedalus/solution.hpp"
#include "daedalus/solve.hpp"
#include "facade/access.hpp"
#include "output/write_output.hpp"
#include "simulation/run.hpp"

namespace daedalus {

std::optional<Diagnostic> check_output(const std::string& path) {
    if (auto format = output::format_of(path); !format) return std::move(format.error().front());
    return output::check_target(path);
}

Expected<Interval> interval(const Model& model, const SolveOptions& options) {
    const auto& experiment = model.impl().model->experiment;
    auto job = simulation::make_job(options, {experiment.start_time, experiment.stop_time, experiment.tolerance});
    if (!job) return Unexpected{std::move(job.error())};
    return Interval{job->t0, job->t1};
}

} // namespace daedalus
