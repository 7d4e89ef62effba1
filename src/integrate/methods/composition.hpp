// Symmetric compositions: a step of size h made of steps γ_i h of a symmetric method of order 2.
#pragma once

#include <cmath>
#include <vector>

namespace daedalus::integrate {

/// Of this order: 4 or 6; else the method itself.
[[nodiscard]] inline std::vector<double> composition(int order) {
    if (order == 4) {
        // Suzuki (1990), Hairer, Lubich & Wanner (2006) II (4.5): four equal steps and one back between them.
        const double outer = 1.0 / (4.0 - std::cbrt(4.0));
        return {outer, outer, 1.0 - 4.0 * outer, outer, outer};
    }
    if (order == 6) {
        // Yoshida (1990), Hairer, Lubich & Wanner (2006) V (3.11): seven steps of order 6.
        constexpr double a = 0.78451361047755726381949763, b = 0.23557321335935813368479318,
                         c = -1.17767998417887100694641568, d = 1.31518632068391121888424973;
        return {a, b, c, d, c, b, a};
    }
    return {1.0};
}

} // namespace daedalus::integrate
