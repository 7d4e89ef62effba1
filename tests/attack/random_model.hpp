// A random DAE whose exact solution is known. A canonical system of index ν is hidden behind nonsingular combinations
// of rows and a change of variables, so that its structure says less than the truth:
//     x' + A x + φ(x, c) = f        (differential part)
//     c₁ + ψ(x) = f,   c_k-1' − c_k + χ(c₁ … c_k-1) = f        (a chain of length ν: index ν)
// with y = (x, c) = Q(t) u, and rows P(t, u) R. Solutions u*(t) are chosen first; every row is written as R(u) − R(u*),
// so that the right-hand sides follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attack {

/// One function of time, as Modelica text and as a number.
struct Exact {
    std::string value, derivative;
    double (*number)(double t, const double* coefficients) = nullptr;
    double coefficients[6] = {};
    [[nodiscard]] double operator()(double t) const { return number(t, coefficients); }
};

struct RandomModel {
    std::string family; ///< what hides, or makes hard
    int index = 0;
    std::uint64_t seed = 0;
    std::string text; ///< Modelica
    std::vector<std::string> names;
    std::vector<Exact> exact;
    std::vector<double> scale;   ///< per variable: it is scale · exact
    std::vector<double> nominal; ///< as declared
    double until = 2.0;
};

/// The same seed gives the same model.
[[nodiscard]] RandomModel random_model(std::uint64_t seed);

} // namespace attack
