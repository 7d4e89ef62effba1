// Diagonally implicit tableaus as data (Alexander 1977; HW IV.6, (6.16); Nørsett 1974 and Crouzeix 1975).
#include "integrate/tableau/butcher.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::tableau {

namespace {

using Real = long double;

ButcherTableau tableau(const char* id, const char* title, int order, std::vector<std::vector<Real>> lower,
                       std::vector<Real> b) {
    ButcherTableau m{id, title, static_cast<int>(lower.size()), order, {}, std::move(b), {}};
    for (auto& row : lower) {
        row.resize(lower.size(), 0.0L);
        Real sum = 0;
        for (const Real entry : row) {
            m.A.push_back(entry);
            sum += entry;
        }
        m.c.push_back(sum);
    }
    return m;
}

/// The zero of x³ - 3x² + 3x/2 - 1/6 in (1/6, 1/2) that makes three stages L-stable.
Real alexander_gamma() {
    Real g = 0.4358665L;
    for (int k = 0; k < 6; ++k) g -= (((g - 3) * g + 1.5L) * g - 1.0L / 6) / ((3 * g - 6) * g + 1.5L);
    return g;
}

} // namespace

const std::vector<ButcherTableau>& diagonally_implicit_tableaus() {
    static const std::vector<ButcherTableau> all = [] {
        const Real g2 = 1 - std::sqrt(0.5L);
        const Real g3 = alexander_gamma();
        const Real b1 = -(6 * g3 * g3 - 16 * g3 + 1) / 4;
        const Real b2 = (6 * g3 * g3 - 20 * g3 + 5) / 4;
        const Real gc = (3 + std::sqrt(3.0L)) / 6;
        // The largest zero of γ³ - 3γ²/2 + γ/2 - 1/24 makes three stages of order 4 A-stable; δ = b_1 = b_3.
        const Real g4 = std::cos(std::numbers::pi_v<Real> / 18) / std::sqrt(3.0L) + 0.5L;
        const Real delta = 1 / (6 * (2 * g4 - 1) * (2 * g4 - 1));
        return std::vector<ButcherTableau>{
            tableau("sdirk2", "SDIRK 2, Alexander", 2, {{g2}, {1 - g2, g2}}, {1 - g2, g2}),
            tableau("sdirk3", "SDIRK 3, Alexander", 3, {{g3}, {(1 - g3) / 2, g3}, {b1, b2, g3}}, {b1, b2, g3}),
            tableau("sdirk4", "SDIRK 4, Hairer–Wanner", 4,
                    {{1.0L / 4},
                     {1.0L / 2, 1.0L / 4},
                     {17.0L / 50, -1.0L / 25, 1.0L / 4},
                     {371.0L / 1360, -137.0L / 2720, 15.0L / 544, 1.0L / 4},
                     {25.0L / 24, -49.0L / 48, 125.0L / 16, -85.0L / 12, 1.0L / 4}},
                    {25.0L / 24, -49.0L / 48, 125.0L / 16, -85.0L / 12, 1.0L / 4}),
            tableau("crouzeix3", "SDIRK 3, Crouzeix", 3, {{gc}, {1 - 2 * gc, gc}}, {0.5L, 0.5L}),
            tableau("crouzeix4", "SDIRK 4, Nørsett–Crouzeix", 4, {{g4}, {0.5L - g4, g4}, {2 * g4, 1 - 4 * g4, g4}},
                    {delta, 1 - 2 * delta, delta}),
            tableau("dirk2", "DIRK 2, diagonal 1/3, 1/4", 2, {{1.0L / 3}, {3.0L / 4, 1.0L / 4}}, {3.0L / 4, 1.0L / 4}),
        };
    }();
    return all;
}

} // namespace daedalus::tableau
