#include "simulation/pending_points.hpp"

#include <utility>

namespace daedalus::simulation {

PendingPoints::PendingPoints(std::shared_ptr<const DenseSolution> solution, PointOptions options, int next,
                             std::vector<double> end, std::vector<double> sizes)
    : solution_(std::move(solution)), options_(std::move(options)), next_(next), end_(std::move(end)),
      sizes_(std::move(sizes)) {}

PendingPoints::Found PendingPoints::find(output::Trajectory& trajectory) const {
    DenseSolution::Steps steps(*solution_);
    PointCheck check(steps.problem(), options_.rtol, options_.atol, options_.t1 - options_.t0);
    check.written().sizes() = sizes_;
    OutputPoints points(steps.problem(), options_, check, trajectory);
    points.next() = next_;
    points.reserve();
    const auto integrals = [&](double t, double* q) { steps.integrals(t, q); };
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const double until = solution_->end_of_piece(k);
        if (!points.is_due(until)) continue;
        steps.go_to(k);
        points.add_due(steps.interpolant(), steps.h(), until, integrals);
    }
    points.flush();
    if (!end_.empty()) { // made from the step itself
        points.remove_last();
        points.add_row(options_.t1, end_);
    }
    return {check.written().violation(), steps.doubtful()};
}

} // namespace daedalus::simulation
