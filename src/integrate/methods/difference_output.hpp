// Continuous output of BDF: the polynomial of the last committed step from its modified divided differences (see the
// dictionary in bdf_history.hpp),
//     x(t_n + offset) = Σ_i c_i phi[i] ,   c_i = Π_{l<i} (offset + psi[l-1]) / psi[l] ,   psi[-1] = 0 .
#pragma once

#include <algorithm>
#include <cstddef>

namespace daedalus::integrate {

/// `phi(i)` is the difference of order i ≤ order, a vector of n components at least.
template <class Differences>
void interpolate_differences(int order, const double* psi, const Differences& phi, std::size_t n, double offset,
                             double* x, double* dx) {
    std::copy_n(phi(0), n, x);
    std::fill_n(dx, n, 0.0);
    double c = 1.0, d = 0.0;
    double factor = offset / psi[0];
    for (int i = 1; i <= order; ++i) {
        d = d * factor + c / psi[i - 1];
        c *= factor;
        factor = (offset + psi[i - 1]) / psi[i];
        const double* const difference = phi(i);
        for (std::size_t j = 0; j < n; ++j) {
            x[j] += c * difference[j];
            dx[j] += d * difference[j];
        }
    }
}

} // namespace daedalus::integrate
