#include "integrate/feature_limits.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace daedalus::integrate {

namespace {

/// Windows that do not overlap: on each stretch the shortest step of all that cover it.
std::vector<problem::TimeWindow> disjoint(const std::vector<problem::TimeWindow>& all) {
    struct Border {
        double t, step;
        bool begins;
    };
    std::vector<Border> borders;
    for (const problem::TimeWindow& w : all) {
        borders.push_back({w.begin, w.step, true});
        borders.push_back({w.end, w.step, false});
    }
    std::sort(borders.begin(), borders.end(), [](const Border& a, const Border& b) { return a.t < b.t; });
    std::multiset<double> open;
    std::vector<problem::TimeWindow> list;
    for (std::size_t i = 0; i < borders.size(); ++i) {
        if (i > 0 && !open.empty() && borders[i].t > borders[i - 1].t)
            list.push_back({borders[i - 1].t, borders[i].t, *open.begin()});
        if (borders[i].begins)
            open.insert(borders[i].step);
        else
            open.erase(open.find(borders[i].step));
    }
    return list;
}

} // namespace

void FeatureLimits::look(const problem::ImplicitProblem& problem, double t, const Interval& interval) {
    const auto& features = problem.facet<problem::TimeFeatures>();
    if (features.empty()) return;
    // A budget: a look goes over the whole rest of the run and costs as much as tens of steps, an event some ten steps.
    // Where there are more events than this, their windows are those of the last look.
    constexpr int most = 100;
    const std::uint64_t stamp = problem.environment().stamp();
    if (looked_ && (!features.change_at_events || stamp == stamp_ || looks_ >= most)) return;
    looked_ = true;
    ++looks_;
    stamp_ = stamp;
    windows_ = disjoint(
        features.windows(problem.code(), problem.environment(), std::min(t, interval.t1), std::max(t, interval.t1)));
}

double FeatureLimits::limited(double t, double h) const {
    if (windows_.empty() || h == 0.0) return h;
    const double direction = h > 0.0 ? 1.0 : -1.0;
    double size = std::abs(h);
    const auto limit = [&](const problem::TimeWindow& w) {
        const double way = direction > 0.0 ? w.begin - t : t - w.end; // to it; negative: inside, or past
        const double rest = direction > 0.0 ? w.end - t : t - w.begin;
        if (rest <= 0.0 || way >= size) return;
        size = std::min(size, std::max(way, w.step));
    };
    if (direction > 0.0) {
        auto w = std::partition_point(windows_.begin(), windows_.end(), [&](const auto& one) { return one.end <= t; });
        for (; w != windows_.end() && w->begin < t + size; ++w) limit(*w);
    } else {
        auto w = std::partition_point(windows_.begin(), windows_.end(), [&](const auto& one) { return one.begin < t; });
        while (w != windows_.begin() && (--w)->end > t - size) limit(*w);
    }
    return direction * size;
}

} // namespace daedalus::integrate
