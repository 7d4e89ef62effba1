#include "simulation/undefined_values.hpp"

#include <cmath>

namespace daedalus::simulation {

std::optional<UndefinedValue> first_undefined_value(const output::Trajectory& trajectory, bool end_counts) {
    std::optional<UndefinedValue> first;
    const std::vector<double>& time = trajectory.time;
    for (std::size_t v = 0; v < trajectory.values.size(); ++v) {
        const std::vector<double>& y = trajectory.values[v];
        double sum = 0.0; // 0 or NaN
        for (const double value : y) sum += value - value;
        if (sum == 0.0) continue;
        for (std::size_t k = 0; k < y.size(); ++k) {
            const bool last = k + 1 == y.size();
            if (std::isfinite(y[k]) || (last && !end_counts)) continue;
            if (!last && (std::isfinite(y[k + 1]) || time[k] == time[k + 1])) continue;
            if (!first || std::abs(time[k] - time[0]) < std::abs(first->t - time[0])) first = {v, time[k]};
            break;
        }
    }
    return first;
}

} // namespace daedalus::simulation
