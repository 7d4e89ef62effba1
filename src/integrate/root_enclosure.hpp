// Whether a root function can vanish between the points at which it was looked at.
//
// Steps are as long as the unknowns allow, and a condition may oscillate faster than they do: samples alone cannot tell
// (aliasing). So the unknowns it depends on, which the step resolves, are bounded on a piece of the step by the
// Chebyshev coefficients of their values at its points, with a margin for the terms left out, and interval arithmetic
// (problem/root_ranges.hpp) bounds value and slope of the function. With |g'| ≤ S it has no zero between two points of
// one sign if |g_i| + |g_{i+1}| > S (t_{i+1} - t_i), and exactly one between two points of different signs if its slope
// does not vanish.
#pragma once

#include "integrate/piecewise_look.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/root_ranges.hpp"

#include <array>
#include <vector>

namespace daedalus::integrate {

class RootEnclosure {
public:
    explicit RootEnclosure(const problem::ImplicitProblem& problem);

    /// Bounds can be had for this function: it is one of states and time, perhaps through definitions.
    [[nodiscard]] bool knows(std::size_t root) const;
    /// The unknowns at point i of a piece.
    void note(std::size_t i, const double* x, const double* dx);
    /// All points of the piece from a to b are noted.
    void bound_unknowns(double a, double b);
    /// Its values depend on what is not integrated: those at interpolated points may be wrong.
    [[nodiscard]] bool needs_algebra(std::size_t root) const { return needs_algebra_[root] != 0; }
    /// Whether the values g of a function at the times t of the points tell all about its zeros on the piece.
    /// `exactly`: they are not interpolated.
    [[nodiscard]] bool tells(std::size_t root, bool exactly, const std::array<double, PiecewiseLook::points>& t,
                             const std::array<double, PiecewiseLook::points>& g) const;

private:
    const problem::ImplicitProblem& problem_;
    const problem::RootRanges& ranges_;
    std::vector<char> known_;         ///< per root function
    std::vector<char> needs_algebra_; ///< per root function
    double a_ = 0.0, b_ = 0.0;
    std::vector<std::array<double, PiecewiseLook::points>> seen_; ///< per leaf, at the points
    std::vector<problem::Moving> leaves_;
};

} // namespace daedalus::integrate
