// Points beside a given one, for what has no value there. A derivative may be infinite where the function itself is
// not, as that of √x at zero, where empty tanks begin to be filled: an iteration does as well with one from nearby.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace daedalus::problem {

/// Calls `evaluate` with points next to x until it returns true; false if it never does. `nominal(k)` of unknown k.
template <class Nominal, class Evaluate>
[[nodiscard]] bool evaluate_beside(const double* x, std::size_t n, Nominal&& nominal, Evaluate&& evaluate) {
    constexpr double distance = 1e-8; // the square root of rounding: nothing that a step would notice
    std::vector<double> beside(n);
    for (int variant = 0; variant < 4; ++variant) { // all up, all down, then mixed
        for (std::size_t k = 0; k < n; ++k) {
            const double size = distance * std::max(std::abs(x[k]), std::abs(nominal(k)));
            const double unequal = 0.75 + 0.25 * std::cos(2.4 * static_cast<double>(k)); // differences do not vanish
            const bool up = (variant % 2 == 0) == (variant < 2 || k % 2 == 0);
            beside[k] = x[k] + (up ? size : -size) * unequal;
        }
        if (evaluate(beside.data())) return true;
    }
    return false;
}

} // namespace daedalus::problem
