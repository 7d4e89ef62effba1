#include "integrate/singular_passage.hpp"

#include "integrate/local_system.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// Determinant of what the states leave, 0: singular or not known.
long double determinant(LocalSystem& local, const SingularPassage::Point& point, Counters& counters) {
    const BranchPoint& at = point.at;
    std::vector<double> z = at.x;
    for (std::size_t k = 0; k < z.size(); ++k)
        if (local.differential().empty() || local.differential()[k] != 0) z[k] = at.dx[k];
    if (local.linearize(point.t, at.x.data(), z.data(), counters) != problem::EvalStatus::ok) return 0.0L;
    if (local.factor(counters) != linalg::FactorStatus::ok) return 0.0L;
    return local.determinant();
}

bool on_its_branches(const problem::ImplicitProblem& problem, const SingularPassage::Point& point) {
    const BranchPoint& at = point.at;
    if (problem.hybrid().modes.size == 0) return true;
    std::vector<double> g(static_cast<std::size_t>(problem.hybrid().roots.size));
    (void)problem.roots(point.t, at.x.data(), at.dx.data(), g.data());
    for (std::size_t k = 0; k < at.branches.sides.size(); ++k)
        if (!problem.hybrid().modes.known_instant[k] && problem.hybrid().modes.side_of(k, g[k]) != at.branches.sides[k])
            return false;
    return true;
}

/// Of the states behind, which were led along the slope before: what its change makes of them, in tolerances.
double error_of_line(const std::vector<char>& state, const SingularPassage::Point& before,
                     const SingularPassage::Point& straight, const SingularPassage::Point& behind,
                     std::span<const double> weights) {
    const double way = behind.t - before.t;
    double error = 0.0;
    for (std::size_t k = 0; k < state.size(); ++k)
        if (state[k] != 0)
            error = std::max(error, weights[k] * (std::abs(0.5 * way * (behind.at.dx[k] - before.at.dx[k])) +
                                                  std::abs(behind.at.x[k] - straight.at.x[k])));
    return error;
}

/// The other unknowns as far from where they were as now, on the other side; states and branches as led.
void mirror(const std::vector<char>& state, const SingularPassage::Point& before,
            const SingularPassage::Point& straight, SingularPassage::Point& behind) {
    for (std::size_t k = 0; k < state.size(); ++k)
        behind.at.x[k] = state[k] != 0 ? straight.at.x[k] : 2.0 * before.at.x[k] - behind.at.x[k];
    behind.at.branches = straight.at.branches;
}

} // namespace

std::optional<SingularPassage> SingularPassage::find(problem::ImplicitProblem& problem, ConsistentJump& jump,
                                                     linalg::SolverKind kind, const Point& regular, const Point& before,
                                                     const Branches& beyond, double room, double smallest,
                                                     std::span<const double> weights) {
    Counters uncounted;
    LocalSystem local(problem, kind);
    set_branches(problem, before.at.branches);
    const long double healthy = determinant(local, regular, uncounted);
    const std::vector<char> state = local.differential();
    set_branches(problem, beyond);
    if (healthy == 0.0L) return {};
    const bool crosses = beyond.sides != before.at.branches.sides;
    const auto change = [&](const Point& point, std::size_t k) {
        if (state[k] != 0) return 0.0;
        const double size = std::abs(problem.unknowns()[k].nominal) + std::abs(before.at.x[k]);
        return std::abs(point.at.x[k] - before.at.x[k]) / size;
    };
    const auto most_changed = [&](const Point& point) {
        std::size_t most = 0;
        for (std::size_t k = 0; k < state.size(); ++k) most = change(point, k) > change(point, most) ? k : most;
        return static_cast<int>(most);
    };
    constexpr double shortest = 1e4;           // smallest steps: methods must find their way from there
    constexpr double steep = 0.2, leap = 0.75; // over ways so different a line changes by 0.125, roots by 0.35 to 0.66
    std::optional<SingularPassage> found;
    long double regularity = 0.0L;
    for (double way = shortest * smallest; way < std::abs(room); way *= 8.0) {
        const double end = before.t + std::copysign(way, room);
        Point straight{end, {before.at.x, before.at.dx, beyond}};
        for (std::size_t k = 0; k < state.size(); ++k)
            if (state[k] != 0) straight.at.x[k] += (end - before.t) * before.at.dx[k];
        Point behind = straight;
        long double now = 0.0L;
        const auto lands = [&] {
            if (!jump.find(end, way, before.at, behind.at) || !on_its_branches(problem, behind)) return false;
            now = determinant(local, behind, uncounted);
            return now != 0.0L && (now > 0.0L) == (healthy > 0.0L);
        };
        const auto lands_mirrored = [&] { // Newton's iteration may have stayed on the side it came from
            mirror(state, before, straight, behind);
            return lands();
        };
        const bool landed = lands() || lands_mirrored();
        if (!(error_of_line(state, before, straight, behind, weights) <= 1.0)) return {};
        if (found && landed) {
            const auto k = static_cast<std::size_t>(found->undetermined_);
            const double ratio = change(found->behind_, k) / change(behind, k);
            found->steep_ = ratio > steep && std::abs(now) > std::abs(regularity);
            if (ratio < leap && (found->steep_ || crosses)) return found;
        }
        found.reset();
        if (!landed) continue;
        regularity = now;
        found.emplace();
        found->before_ = before;
        found->undetermined_ = most_changed(behind);
        found->behind_ = std::move(behind);
    }
    return {};
}

void SingularPassage::interpolate(double time, double* x, double* dx) const {
    const double part = (time - before_.t) / (behind_.t - before_.t);
    for (std::size_t k = 0; k < before_.at.x.size(); ++k) {
        x[k] = (1.0 - part) * before_.at.x[k] + part * behind_.at.x[k];
        dx[k] = (1.0 - part) * before_.at.dx[k] + part * behind_.at.dx[k];
    }
}

} // namespace daedalus::integrate
