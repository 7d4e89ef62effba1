// HW (2.1) and what is known about it: released at rest from (1, 0) with gravity 1.
#pragma once

#include "facade/solving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace daedalus::testing {

inline std::string pendulum(double x = 1, double y = 0, double u = 0, double v = 0) {
    return fmt::format("model Pendulum Real x(start = {}), y(start = {}, fixed = true), u(start = {}), "
                       "v(start = {}, fixed = true), lambda; equation der(x) = u; der(y) = v; der(u) = -x*lambda; "
                       "der(v) = -1 - y*lambda; x^2 + y^2 = 1; end Pendulum;",
                       x, y, u, v);
}

/// At t = 10, to the digits shown; and λ = |v|² - y there.
constexpr std::array<double, 4> pendulum_at_10{-0.81158645, -0.58423235, -0.63152915, 0.87728880};
constexpr const char* pendulum_names[] = {"x", "y", "u", "v"};

struct ConstraintErrors {
    double g = 0, Gv = 0; ///< largest at the output points
    double g_at_end = 0;
};

inline ConstraintErrors constraint_errors(const Solution& s) {
    ConstraintErrors e;
    for (std::size_t i = 0; i < s.time().size(); ++i) {
        const double x = s["x"][i], y = s["y"][i];
        e.g_at_end = x * x + y * y - 1;
        e.g = std::max(e.g, std::abs(e.g_at_end));
        e.Gv = std::max(e.Gv, std::abs(x * s["u"][i] + y * s["v"][i]));
    }
    return e;
}

/// Largest error of {x, y}, {u, v} and λ at t = 10 against a solution of ten digits.
struct EndErrors {
    double q = 0, v = 0, lambda = 0;
};

inline EndErrors end_errors(const Solution& s, const Solution& exact) {
    const auto difference = [&](const char* name) { return std::abs(s.final(name) - exact.final(name)); };
    return {std::max(difference("x"), difference("y")), std::max(difference("u"), difference("v")),
            difference("lambda")};
}

} // namespace daedalus::testing
