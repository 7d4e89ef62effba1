// The reference: methods with prescribed steps in extended precision, on F(t, x, x') = 0, with Newton carried to
// round-off. It is a second implementation of what `solve` runs in double precision (product_run.hpp), and measures
// what round-off hides there: nothing else uses it.
//
// The variants of the theorems:
//   direct     the method applied to the singularly perturbed system, ε → 0: W (2.6), (3.6), (3.12)
//   indirect   the constraint holds at every x_n, as in the state space form: W (2.7), (3.7)
//   projected  after a direct step x_n goes back to g = 0 along f_y, and y_n is taken from the hidden constraint:
//              W (3.21) (Ascher & Petzold 1991)
#pragma once

#include "integrate/tableau/butcher.hpp"
#include "integrate/tableau/multistep_coefficients.hpp"
#include "study/problem.hpp"

#include <functional>
#include <string>

namespace daedalus::study {

enum class Variant { direct, indirect, projected };

struct DiscreteSolution {
    Vector t;
    std::vector<Vector> x;
    std::vector<Vector> dx; ///< x' as the method sees it
    bool solved = true;     ///< false: an equation had no solution; t and x end before it

    /// Largest error of a group over the last quarter of the interval (relative where |x| > 1): starting phases
    /// and parasitic roots (BDF 6: 0.863^n) have died out there.
    [[nodiscard]] Real error(const Problem& problem, const ComponentGroup& group) const;
    /// Error of a group at one grid point.
    [[nodiscard]] Real error_at(const Problem& problem, const ComponentGroup& group, std::size_t n) const;
};

/// n + 1 points from t0 to t1.
[[nodiscard]] Vector equidistant(Real t0, Real t1, int n);

/// Values at the first k grid points; empty: the exact solution.
struct StartValues {
    std::vector<Vector> x;
    std::vector<Vector> dx;
};

/// `projected` does not apply. On a grid that is not equidistant only BDF.
[[nodiscard]] DiscreteSolution reference_integrate(const Problem& problem, const tableau::MultistepMethod& method,
                                                   const Vector& grid, Variant variant = Variant::indirect,
                                                   const StartValues& start = {});

[[nodiscard]] DiscreteSolution reference_integrate(const Problem& problem, const tableau::ButcherTableau& method,
                                                   const Vector& grid, Variant variant = Variant::direct,
                                                   const StartValues& start = {});

} // namespace daedalus::study
