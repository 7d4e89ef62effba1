// Where positions go with velocities held: y(t + h) of y' = k(t, y, v) with constant v, the exponential map of the
// group that positions move in. y + h v where y' = v; else by one step of DOP853, whose error for a quaternion that
// turns by the angle φ is below (φ/2)^9/9!, far below that of methods of order 2.
#pragma once

#include "integrate/mechanism.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::integrate {

class KinematicFlow {
public:
    explicit KinematicFlow(const Mechanism& mechanism)
        : mechanism_(mechanism), method_(tableau::make_explicit_runge_kutta(tableau::ExplicitName::dop853)) {
        if (!mechanism.parts().identity_kinematics)
            slopes_.resize(static_cast<std::size_t>(method_.stages) * mechanism.positions());
    }
    [[nodiscard]] bool follow(double t, double h, const double* y0, const double* v, double* y) {
        const std::size_t n = mechanism_.positions();
        if (mechanism_.parts().identity_kinematics) {
            for (std::size_t k = 0; k < n; ++k) y[k] = y0[k] + h * v[k];
            return true;
        }
        for (int i = 0; i < method_.stages; ++i) {
            const auto at = static_cast<std::size_t>(i);
            std::copy_n(y0, n, y);
            for (const auto& [j, weight] : method_.a[at])
                for (std::size_t k = 0; k < n; ++k) y[k] += h * weight * slopes_[static_cast<std::size_t>(j) * n + k];
            if (i + 1 < method_.stages && !mechanism_.rates(t + method_.c[at] * h, y, v, slopes_.data() + at * n))
                return false;
        }
        return true; // the last stage is the end
    }

private:
    const Mechanism& mechanism_;
    const tableau::ExplicitRungeKutta& method_;
    std::vector<double> slopes_;
};

} // namespace daedalus::integrate
