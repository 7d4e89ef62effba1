#include "model/signal.hpp"

#include <algorithm>

namespace daedalus::model {

void Signal::at(double t, double* slots) const {
    slots[known + 1] = 0.0;
    if (is_function()) {
        slots[0] = t;
        double factorial = 1.0;
        for (int k = 0; k < known; ++k) {
            if (k > 1) factorial *= k;
            slots[1 + k] = functions[static_cast<std::size_t>(k)](t) / factorial;
        }
        return;
    }
    const auto piece = std::upper_bound(knots.begin(), knots.end(), t) - knots.begin();
    const auto width = static_cast<std::size_t>(known) + 1;
    std::copy_n(pieces.begin() + piece * static_cast<std::ptrdiff_t>(width), width, slots);
}

bool set_signals(const std::vector<Signal>& signals, double t, double* parameters, bool functions_only) {
    bool changed = false;
    std::vector<double> slots;
    for (const Signal& signal : signals) {
        if (functions_only && !signal.is_function()) continue;
        slots.resize(static_cast<std::size_t>(signal.slots()));
        signal.at(t, slots.data());
        double* const own = parameters + signal.first_parameter;
        changed = changed || !std::equal(slots.begin(), slots.end(), own);
        std::copy(slots.begin(), slots.end(), own);
    }
    return changed;
}

} // namespace daedalus::model
