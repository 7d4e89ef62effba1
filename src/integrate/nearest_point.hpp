// The point of F(t, x, x') = 0 that is nearest to a given one (p, p'),
//
//     minimise  Σ (δ_i / w_i)² + Σ (δ'_i / (σ w_i))²   subject to   F(t, p + δ, p' + δ') = 0 ,
//
// w: what p may be off by. The solution of the differential equations is such a point, too: where (p, p') is off by (e,
// e') in this metric, the nearest one lies no further from (p, p') than the solution does, and from the solution by
// twice (e, e') at most. A consistent point with the states kept lies where the equations put their errors, which they
// may magnify: the components of higher index of a system are derivatives of others. What is stiff follows the
// equations here as well: x' = λ (x - s(t)) + s' moves x by e / (1 + (σ/λ)²).
//
// By Newton's method: with z = (δ/w, δ'/(σ w)) and Ĵ = [J w, M σ w], each iterate is the solution of least norm of
// Ĵ (z⁺ - z) = -F(z) (Deuflhard 2004, 4.4).
#pragma once

#include "integrate/iteration_matrix.hpp"
#include "nonlinear/saddle_point.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class NearestPoint {
public:
    explicit NearestPoint(const problem::ImplicitProblem& problem);
    /// (x, x') becomes the point nearest to (p, p'). False: none was found, and (x, x') is what it was.
    [[nodiscard]] bool find(double t, double shift, std::span<const double> widths, const double* p, const double* dp,
                            double* x, double* dx, Counters& counters);

private:
    struct Equation;

    const problem::ImplicitProblem& problem_;
    std::size_t n_;
    JacobianValues jacobian_;
    nonlinear::SaddlePoint matrix_;
    std::vector<double> values_, row_, scale_; ///< of Ĵ; scales of its rows and columns
    std::vector<double> z_, minus_z_, r_, step_;
    std::vector<double> x_, dx_;
};

} // namespace daedalus::integrate
