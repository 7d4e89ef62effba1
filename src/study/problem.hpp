// A textbook problem F(t, x, x') = 0 with what a study needs to know: its exact solution (where there is one), which
// components form a group whose order is asked for, and which rows and unknowns are algebraic, for the variants of a
// method that treat them apart (W (2.7), (3.7), (3.21)).
#pragma once

#include "study/small_dense.hpp"

#include <functional>
#include <string>

namespace daedalus::study {

/// Components first … first+count-1 under the name that the theorems use.
struct ComponentGroup {
    std::string name; ///< "x", "y", "z"
    int first = 0;
    int count = 1;
    int index = 0; ///< 0: differential, else the index of this variable
};

struct Problem {
    template <class T>
    using Residual = std::function<void(T t, const T* x, const T* dx, T* F)>;

    std::string title;
    int size = 0;
    Residual<Real> residual;
    Residual<Dual> dual_residual;
    std::function<void(Real t, Real* x, Real* dx)> exact; ///< empty: none known in closed form
    std::vector<ComponentGroup> groups;
    std::vector<int> algebraic_rows; ///< rows free of x'
    std::vector<int> algebraic;      ///< components whose derivative occurs nowhere
    Real t0 = 0;
    Real t1 = 1;

    [[nodiscard]] Vector exact_value(Real t) const;
    [[nodiscard]] Vector exact_derivative(Real t) const;
    [[nodiscard]] bool is_algebraic(int component) const;
};

/// Written once as a template on the scalar: `function(t, x, dx, F)`.
template <class Function>
void set_residual(Problem& problem, Function function) {
    problem.residual = [function](Real t, const Real* x, const Real* dx, Real* F) { function(t, x, dx, F); };
    problem.dual_residual = [function](Dual t, const Dual* x, const Dual* dx, Dual* F) { function(t, x, dx, F); };
}

struct Linearization {
    Vector F;
    Matrix Fx;
    Matrix Fdx;
    Vector Ft; ///< ∂F/∂t
};
[[nodiscard]] Linearization linearize(const Problem& problem, Real t, const Vector& x, const Vector& dx);

} // namespace daedalus::study
