#include "simulation/hidden_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>

namespace daedalus::simulation {

namespace {

constexpr double away = 1e-3; // far beyond the noise of a rank, near enough for Newton's method

/// A consistent point beside u: another time, other start values, the same equations.
std::optional<std::vector<double>> beside(const compile::CompiledModel& compiled, double t,
                                          const std::vector<double>& u, unsigned seed,
                                          const integrate::StartOptions& given, double distance = away) {
    problem::InitialProblem p = compiled.initial;
    p.t0 = t;
    std::minstd_rand random(seed);
    for (std::size_t i = 0; i < p.unknowns.size(); ++i) {
        problem::InitialUnknown& v = p.unknowns[i];
        const double size = std::max(std::abs(u[i]), std::abs(v.nominal));
        v.start = u[i] + ((random() & 1U) ? 1.0 : -1.0) * distance * size;
        v.strength = problem::Strength::guess; // what is fixed is so at the start only
    }
    integrate::StartOptions options = given;
    options.multistart = options.alternatives = options.conflict_limit = 0;
    options.analysis_work_limit = 0.0;
    auto start = integrate::consistent_start(p, options);
    if (!start) return std::nullopt;
    return std::move(start->u);
}

} // namespace

std::optional<Diagnostic> hidden_structure(const compile::CompiledModel& compiled, double t0, double t1,
                                           const std::vector<double>& u, const integrate::StartOptions& options,
                                           double level) {
    const Diagnostics here = check_start(compiled, t0, u, level);
    if (here.empty()) return std::nullopt;
    const double aside = 1e-3 * (t1 - t0); // a point off the start, near enough that Newton follows

    for (const unsigned seed : {1U, 2U}) {
        const double t = t0 + seed * aside;
        const auto point = beside(compiled, t, u, seed, options);
        if (point && check_start(compiled, t, *point, level).empty()) return std::nullopt;
    }
    return here.front();
}

std::vector<int> hiding_equations(const compile::CompiledModel& compiled, double t0, double t1,
                                  const std::vector<double>& u, const integrate::StartOptions& options, double level) {
    // The start may be special, so that an equation with a share elsewhere has none there.
    const double t = t0 + 1e-3 * (t1 - t0);
    const auto point = beside(compiled, t, u, 1U, options);
    const auto here = dependent_equations(compiled, t0, u, level);
    if (!point || here.empty()) return here.empty() ? std::vector<int>{} : here.front();
    const auto there = dependent_equations(compiled, t, *point, level);
    return there.empty() ? here.front() : there.front();
}

std::optional<Diagnostic> hidden_structure_on_the_way(const compile::CompiledModel& compiled, double t, double t1,
                                                      const std::vector<double>& u,
                                                      const integrate::StartOptions& options) {
    // Regular models pass through bad conditions, as diodes that hardly conduct; nothing is left of the digits only
    // where what a consistent point is accurate to (1e-11) decides.
    constexpr double singular = 1e-11;
    const auto here = beside(compiled, t, u, 1, options, 0.0);
    auto found = here ? hidden_structure(compiled, t, t1, *here, options, singular) : std::nullopt;
    constexpr std::string_view elsewhere = "at the start, "; // as start_check says it
    if (found && found->message.starts_with(elsewhere))
        found->message = fmt::format("at t = {:.6g}, {}", t, found->message.substr(elsewhere.size()));
    return found;
}

} // namespace daedalus::simulation
