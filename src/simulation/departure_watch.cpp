#include "simulation/departure_watch.hpp"

#include <algorithm>
#include <limits>

namespace daedalus::simulation {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
} // namespace

DepartureWatch::DepartureWatch(const problem::ImplicitProblem& problem, const integrate::Tolerance& tolerance) {
    const auto n = static_cast<std::size_t>(problem.size());
    for (std::size_t i = 0; i < n; ++i) {
        const problem::UnknownInfo& info = problem.unknowns()[i];
        if (!info.auxiliary) looked_at_.push_back(static_cast<int>(i));
        relative_.push_back(tolerance.relative_each.empty() ? tolerance.relative : tolerance.relative_each[i]);
        absolute_.push_back(tolerance.absolute_each.empty() ? tolerance.absolute * std::abs(info.nominal)
                                                            : tolerance.absolute_each[i]);
    }
    largest_.assign(n, 0.0);
    beyond_.resize(n);
    reach_.assign(n, 0.0);
    restart();
}

void DepartureWatch::restart() {
    recent_ = {infinity, infinity}; // slopes behind an event are those of a transient first
    quiet_ = infinity;
}

double DepartureWatch::level(std::span<const double> x, std::span<const double> dx) const {
    double most = 0.0;
    for (const int unknown : looked_at_) {
        const auto i = static_cast<std::size_t>(unknown);
        if (dx[i] != 0.0) most = std::max(most, std::abs(dx[i]) / tolerance(i, x[i]));
    }
    return most;
}

void DepartureWatch::step(const integrate::AcceptedStep& step) {
    if (step.restarts != restarts_) restart();
    restarts_ = step.restarts;
    const std::span<const double> x = step.x, dx = step.dx;
    for (const int unknown : looked_at_) {
        double& most = largest_[static_cast<std::size_t>(unknown)];
        most = std::max(most, std::abs(x[static_cast<std::size_t>(unknown)]));
    }
    const double now = level(x, dx), kept = std::max({now, recent_[0], recent_[1]});
    recent_ = {now, recent_[0]};
    if (kept > quiet_) return look(step.t, x, dx);
    quiet_ = kept;
    rest_ = step.t;
    x_at_rest_.assign(x.begin(), x.end());
    largest_until_rest_ = largest_;
}

void DepartureWatch::look(double t, std::span<const double> x, std::span<const double> dx) {
    constexpr double seen = 100.0; // tolerances: more than the local errors of a run add up to where nothing grows
    for (const int unknown : looked_at_) {
        const auto i = static_cast<std::size_t>(unknown);
        if (std::abs(dx[i]) < quiet_ * largest_[i]) continue; // δ_i(t) is smaller than x_i
        const double way = std::abs(x[i] - x_at_rest_[i]);
        if (way < 0.5 * largest_[i] || way < seen * tolerance(i, x[i])) continue; // it did not go far
        const Departure here{unknown, rest_, t};
        if (!lost_ && std::abs(x_at_rest_[i]) <= absolute_[i]) lost_ = here; // not even its sign was known
        if (reach_[i] > 0.0) continue;
        beyond_[i] = here;
        reach_[i] = largest_until_rest_[i];
    }
}

std::optional<Departure> DepartureWatch::found(std::span<const double> x) const {
    if (lost_) return lost_;
    // What comes back, as a relaxation oscillation does, was late at most.
    for (const int unknown : looked_at_) {
        const auto i = static_cast<std::size_t>(unknown);
        if (reach_[i] > 0.0 && std::abs(x[i]) > 2.0 * reach_[i]) return beyond_[i];
    }
    return {};
}

} // namespace daedalus::simulation
