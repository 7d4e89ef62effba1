#include "integrate/features_ahead.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

/// Bends from the slopes here and at the point before; of x' there is no slope but that of the chord.
void FeaturesAhead::follow(double t, const double* x, const double* dx) {
    const auto& leaves = problem_.facet<problem::PassingFeatures>().leaves;
    const double way = known_ ? t - t_ : 0.0;
    if (known_ && way == 0.0) return; // another attempt from the same point
    courses_.resize(leaves.size());
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        const auto j = static_cast<std::size_t>(leaves[k].unknown);
        const problem::Course before = courses_[k];
        problem::Course& course = courses_[k];
        course = {leaves[k].derivative ? dx[j] : x[j], 0.0, 0.0};
        if (!leaves[k].derivative) course.slope = dx[j];
        if (way == 0.0) continue;
        if (leaves[k].derivative)
            course.slope = (course.value - before.value) / way;
        else
            course.bend = 0.5 * (course.slope - before.slope) / way;
    }
    t_ = t;
    known_ = true;
}

double FeaturesAhead::limited(double t, double h, const double* x, const double* dx) {
    if (!active_ || h == 0.0) return h;
    follow(t, x, dx);
    const auto found =
        problem_.facet<problem::PassingFeatures>().ahead(problem_.code(), problem_.environment(), t, h, courses_);
    // Seen from inside it looks smaller, for the values at t belong to it.
    const bool inside = core_ && t >= core_->begin && t <= core_->end;
    if (found && !inside) core_ = found;
    if (!core_) return h;
    const double to_it = h > 0.0 ? core_->begin - t : t - core_->end,
                 from_it = h > 0.0 ? t - core_->end : core_->begin - t;
    constexpr double part = 0.5; // of the distance: halving and growing by half, a factor of a thousand is ten steps
    const double size = std::max(core_->step, part * std::max(to_it, from_it));
    const bool behind = from_it > 0.0 && size >= std::abs(h);
    if (behind || (to_it > 0.0 && !found)) { // or the course has turned away from it
        core_.reset();
        return h;
    }
    return std::copysign(std::min(std::abs(h), size), h);
}

} // namespace daedalus::integrate
