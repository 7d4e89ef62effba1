// Facet: F along a curve. For a polynomial x(t + s) = Σ_k x_k s^k, the coefficients r_k of
//     F(t + s, x(t + s), x'(t + s)) = Σ_k r_k s^k ,
// which are the derivative array HW (2.29) in other words: d^k F/dt^k = k! r_k where x_j = x^(j)/j!. No expression is
// differentiated: one recurrence per operation gives the next coefficient from those before (Griewank & Walther 2008,
// chapter 13). Made where somebody asks for it.
#pragma once

#include "problem/functions.hpp"

#include <limits>

namespace daedalus::problem {

struct Jets {
    /// r_0 … r_order, of each row of the kernel one after the other, from the coefficients of each unknown one after
    /// the other: order + 2 of them, since x' takes one more. Sides of conditions and held values are those of the
    /// environment, along the whole curve.
    EvalStatus (*series)(const Call& call, double t, int order, const double* x, double* r) = nullptr;
    /// Inputs that are functions have so many derivatives and no more.
    int highest_order = std::numeric_limits<int>::max();

    [[nodiscard]] bool empty() const { return series == nullptr; }
};

} // namespace daedalus::problem
