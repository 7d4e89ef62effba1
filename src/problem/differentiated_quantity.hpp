// Facet: quantities q = Q(t, x) of the unknowns whose derivatives occur in the equations (charges, fluxes, momenta):
// the differentiated quantity is d = (x, q), and the system with a properly stated leading term S (56) is
//     G(t, x, x', q') = 0 ,   q = Q(t, x) .
// A method that differences q itself keeps what is conserved in it, as the charges of closed circuits, whatever its
// steps; differences of x in Q_x x' do not. Nothing doubles its unknowns: x is solved for, q follows.
//
// F of the system is the same with the chain rule carried out, F(t, x, x') = G(t, x, x', Q_t + Q_x x'), on the same
// rows, unknowns and pattern. So whoever knows nothing of q (starts, events, output, certificates) reads the system as
// any other, and x' is everywhere the slope of x; methods that can (Capabilities) solve G = 0 in their steps.
#pragma once

#include "problem/functions.hpp"

#include <vector>

namespace daedalus::problem {

struct DifferentiatedQuantity {
    int size = 0;
    bool required = false;       ///< somebody asked for it: a method that would difference x is refused
    std::vector<double> nominal; ///< per component: absolute tolerances are for quantities of this size
    /// q
    EvalStatus (*value)(const Call& call, double t, const double* x, double* q) = nullptr;
    /// q' = Q_t + Q_x x'
    EvalStatus (*slope)(const Call& call, double t, const double* x, const double* dx, double* dq) = nullptr;
    /// G, of the kernel's rows
    EvalStatus (*residual)(const Call& call, double t, const double* x, const double* dx, const double* dq,
                           double* r) = nullptr;
    /// On the pattern of the kernels: ∂G/∂x, and M = ∂G/∂x' + ∂G/∂q' Q_x, so that J + σ M is the matrix of a step
    EvalStatus (*jacobian)(const Call& call, double t, const double* x, const double* dx, const double* dq, double* jx,
                           double* jdx) = nullptr;
};

} // namespace daedalus::problem
