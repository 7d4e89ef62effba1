#include "analysis/perturbation_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

namespace {

constexpr std::size_t fitted = 3;           // of the highest frequencies: lower powers of ω have died out there
constexpr double grows = 0.5, stays = 0.25; // exponents that are meant are whole numbers

/// Slope of log deviation over log ω by least squares.
double slope(std::span<const PerturbationSample> last, std::size_t variable) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    const auto n = static_cast<double>(last.size());
    for (const PerturbationSample& s : last) {
        const double x = std::log(s.omega), y = std::log(s.deviation[variable]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

} // namespace

ResponseGrowth response_growth(std::span<const PerturbationSample> samples, std::span<const double> floor) {
    ResponseGrowth out;
    if (samples.size() < fitted) {
        out.system = Growth::unclear;
        return out;
    }
    const auto last = samples.last(fitted);
    const std::size_t n = last.front().deviation.size();
    for (std::size_t v = 0; v < n; ++v) {
        const bool seen = std::all_of(last.begin(), last.end(),
                                      [&](const PerturbationSample& s) { return s.deviation[v] > floor[v]; });
        const double e = seen ? slope(last, v) : -std::numeric_limits<double>::infinity();
        out.exponent.push_back(e);
        out.variable.push_back(e > grows ? Growth::clear : e < stays ? Growth::none : Growth::unclear);
    }
    const auto any = [&](Growth g) {
        return std::find(out.variable.begin(), out.variable.end(), g) != out.variable.end();
    };
    out.system = any(Growth::clear) ? Growth::clear : any(Growth::unclear) ? Growth::unclear : Growth::none;
    return out;
}

PerturbationIndex perturbation_index(std::span<const PerturbationLevel> levels, std::span<const double> floor) {
    PerturbationIndex out;
    if (levels.empty() || levels.front().samples.size() < fitted) {
        out.reason = "not measured: fewer than three frequencies could be solved";
        return out;
    }
    const auto steepest = [](const ResponseGrowth& g) {
        return *std::max_element(g.exponent.begin(), g.exponent.end());
    };
    std::string seen;
    for (const PerturbationLevel& level : levels) {
        const ResponseGrowth g = response_growth(level.samples, floor);
        if (g.exponent.empty()) {
            out.reason =
                fmt::format("undecided: with ε = r ω^{} fewer than three frequencies could be solved", 1 - level.k);
            return out;
        }
        if (out.exponent.empty()) {
            out.exponent = g.exponent;
            out.per_variable.assign(g.exponent.size(), 0);
        }
        for (std::size_t v = 0; v < g.variable.size(); ++v)
            if (out.per_variable[v] == 0 && g.variable[v] == Growth::none) out.per_variable[v] = level.k;
        seen +=
            fmt::format("{}ω^{:.2f} for ε ∝ ω^{}", seen.empty() ? "" : ", ", std::max(steepest(g), -9.99), 1 - level.k);
        if (g.system == Growth::unclear) {
            out.reason =
                fmt::format("undecided: perturbed by ε sin ωt, the solution changes as {}; an exponent between "
                            "1/4 and 1/2 tells neither growth nor the absence of it",
                            seen);
            return out;
        }
        if (g.system == Growth::clear) {
            out.levels_of_growth = level.k;
            continue;
        }
        for (int& index : out.per_variable)
            if (index == 0) index = level.k;
        out.index = level.k;
        out.reason = fmt::format("measured: perturbed by ε sin ωt with ω = {:.3g} … {:.3g}, the solution changes as {}",
                                 level.samples.front().omega, level.samples.back().omega, seen);
        return out;
    }
    out.reason = fmt::format("undecided: perturbed by ε sin ωt, the solution still changes as {}", seen);
    return out;
}

} // namespace daedalus::analysis
