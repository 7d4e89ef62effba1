#include "analysis/perturbation_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

PerturbationIndex perturbation_index(std::span<const PerturbationSample> samples, std::span<const double> floor) {
    constexpr double clear = 0.2; // an exponent must be this close to a whole number
    PerturbationIndex out;
    if (samples.size() < 3) {
        out.reason = "not measured: fewer than three frequencies could be solved";
        return out;
    }
    const std::size_t n = samples.front().deviation.size(), m = samples.size();
    out.exponent.assign(n, 0.0);
    out.per_variable.assign(n, 1);
    int largest = 1;
    double doubtful = 0.0;
    for (std::size_t v = 0; v < n; ++v) {
        // The last three frequencies: lower powers of ω have died out there.
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        bool usable = true;
        for (std::size_t k = m - 3; k < m; ++k) {
            const double d = samples[k].deviation[v];
            usable = usable && d > floor[v];
            const double x = std::log(samples[k].omega), y = std::log(std::max(d, 1e-300));
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
        if (!usable) continue;
        out.exponent[v] = (3 * sxy - sx * sy) / (3 * sxx - sx * sx);
        const int rounded = static_cast<int>(std::lround(out.exponent[v]));
        out.per_variable[v] = 1 + std::max(0, rounded);
        if (out.per_variable[v] > largest || (out.per_variable[v] == largest && largest > 1)) {
            const double distance = std::abs(out.exponent[v] - rounded);
            doubtful = out.per_variable[v] > largest ? distance : std::min(doubtful, distance);
        }
        largest = std::max(largest, out.per_variable[v]);
    }
    if (doubtful > clear) {
        out.reason = fmt::format("undecided: the growth exponent {:.2f} is not near a whole number",
                                 *std::max_element(out.exponent.begin(), out.exponent.end()));
        return out;
    }
    out.index = largest;
    out.reason =
        fmt::format("measured: perturbed by ε sin ωt with ω = {:.3g} … {:.3g}, the solution changes as ω^{:.2f}",
                    samples.front().omega, samples.back().omega,
                    std::max(0.0, *std::max_element(out.exponent.begin(), out.exponent.end())));
    return out;
}

} // namespace daedalus::analysis
