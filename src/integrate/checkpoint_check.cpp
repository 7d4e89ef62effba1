#include "integrate/checkpoint_check.hpp"

#include "problem/delays.hpp"
#include "problem/transports.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {

constexpr long most_counted = 1L << 60; // sums of a few counters do not overflow

bool all_finite(const std::vector<double>& list) {
    return std::all_of(list.begin(), list.end(), [](double v) { return std::isfinite(v); });
}

/// The rest of the number is of no use where it is cast.
bool counts(double v, double most) { return v >= 0.0 && v <= most && v == std::floor(v); }

/// A choice of states keeps the permanent links and takes the beginning of each chain.
bool can_be_chosen(const std::vector<problem::Link>& links, const problem::ImplicitProblem& p) {
    if (links.size() != p.links().size()) return false;
    if (p.state_choice().empty()) return links == p.links();
    const auto same_links = [](const problem::Link& a, const problem::Link& b) {
        return a.state != b.state ? a.state < b.state : a.derivative < b.derivative;
    };
    std::vector<problem::Link> possible = p.state_choice().permanent_links;
    for (const problem::ChoiceBlock& block : p.state_choice().blocks)
        for (const std::vector<int>& chain : block.chain)
            for (std::size_t k = 0; k + 1 < chain.size(); ++k) possible.push_back({chain[k], chain[k + 1]});
    std::sort(possible.begin(), possible.end(), same_links);
    std::vector<problem::Link> sorted = links;
    std::sort(sorted.begin(), sorted.end(), same_links);
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
           std::includes(possible.begin(), possible.end(), sorted.begin(), sorted.end(), same_links);
}

bool memory_fits(const MethodMemory& m, std::size_t n, double t) {
    constexpr int highest = 32;   // more than any method has
    constexpr int most_steps = 6; // of those that remember points: BDF of more are unstable (Cryer 1972)
    if (m.order < 0 || m.order > highest) return false;
    if (m.times.empty()) return m.values.empty();
    const auto points = static_cast<std::size_t>(m.order) + 1;
    if (m.order < 1 || m.order > most_steps || m.times.size() != points || m.values.size() != points * n) return false;
    if (m.times.front() != t || !all_finite(m.times) || !all_finite(m.values)) return false;
    for (std::size_t k = 1; k < points; ++k)
        if (m.times[k] == m.times[k - 1] || (m.times[k] < m.times[k - 1]) != (m.times[1] < t)) return false;
    return true;
}

bool watch_fits(const std::vector<double>& s) {
    constexpr std::size_t head = 4, most = head + 2 * 200; // see EventWatch
    if (s.size() < head || s.size() > most || s.size() % 2 != 0) return false;
    if (!counts(s[3], std::numeric_limits<int>::max() / 2)) return false;
    for (std::size_t k = head; k < s.size(); k += 2)
        if (!std::isfinite(s[k]) || !counts(s[k + 1], static_cast<double>(most_counted))) return false;
    return true;
}

bool counters_fit(const Counters& c) {
    for (const long v : {c.steps, c.error_rejections, c.newton_rejections, c.domain_rejections, c.residuals,
                         c.jacobians, c.factorizations, c.solves, c.complex_factorizations, c.complex_solves,
                         c.newton_iterations, c.restarts, c.events})
        if (v < 0 || v > most_counted) return false;
    return true;
}

bool statistics_fit(const Statistics& s, int n, int roots) {
    const auto unknown = [&](int k) { return k >= 0 && k < n; };
    if (!counters_fit(s.counters)) return false;
    for (const StateSwitch& change : s.state_switches)
        if (!std::all_of(change.left.begin(), change.left.end(), unknown) ||
            !std::all_of(change.entered.begin(), change.entered.end(), unknown))
            return false;
    for (const NoiseFloor& floor : s.noise)
        if (!unknown(floor.unknown)) return false;
    for (const DoubtfulCondition& condition : s.doubtful_conditions)
        if (condition.root < 0 || condition.root >= roots) return false;
    for (const SingularPoint& point : s.singular_points)
        if (!unknown(point.unknown) || point.row < -1 || point.row >= n) return false;
    return true;
}

} // namespace

std::string what_is_wrong(const Checkpoint& c, const problem::ImplicitProblem& problem, double t0, double t1) {
    const auto n = static_cast<std::size_t>(problem.size());
    const auto inside = [&](double t) { return t >= std::min(t0, t1) && t <= std::max(t0, t1); };
    if (!inside(c.t) || !inside(c.t_start)) return "its time is not in the interval";
    if (!std::isfinite(c.h) || (c.h > 0.0) != (t1 > t0)) return "its step size is impossible";
    if (c.x.size() != n || c.dx.size() != n || c.x_start.size() != n || c.dx_start.size() != n)
        return "its number of unknowns is another one";
    if (!all_finite(c.x)) return "its unknowns are not finite";
    if (c.method_since < 0 || c.method_since > c.statistics.counters.steps || !memory_fits(c.memory, n, c.t))
        return "the method cannot remember this";
    if (!can_be_chosen(c.links, problem)) return "its states cannot be chosen";
    const auto side = [](signed char s) { return s >= -1 && s <= 1; };
    if (c.sides.size() != static_cast<std::size_t>(problem.hybrid().modes.size) ||
        !std::all_of(c.sides.begin(), c.sides.end(), side))
        return "its branches are others";
    // What is known of a function is four sizes (RootSides::state).
    if (c.roots.size() != 4 * static_cast<std::size_t>(problem.hybrid().roots.size) ||
        !std::all_of(c.roots.begin(), c.roots.end(), [](double v) { return v >= 0.0; }) || !watch_fits(c.watch))
        return "its events are others";
    if (c.environment.size() != problem.environment().values().size())
        return "its number of parameters and discrete values is another one";
    if (c.integrals.size() != static_cast<std::size_t>(problem.quadratures().size()))
        return "its number of integrals is another one";
    const problem::Delays* const delays = problem.system().facets.find<problem::Delays>();
    const problem::Transports* const transports = problem.system().facets.find<problem::Transports>();
    const std::size_t delayed = delays != nullptr ? delays->size() : 0;
    const std::size_t carried = transports != nullptr ? transports->size() : 0;
    if (delayed + carried == 0 ? !c.history.empty() : !History(delayed, carried).load(c.history))
        return "its past of delayed values is another one";
    if (!statistics_fit(c.statistics, problem.size(), problem.hybrid().roots.size))
        return "its statistics are impossible";
    return {};
}

} // namespace daedalus::integrate
