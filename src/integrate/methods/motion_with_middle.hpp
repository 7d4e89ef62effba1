// Positions and velocities over a step whose ends and middle are known with their accelerations: where y' = v, the
// polynomial of degree 8 through y, y', y'' at the three places, and its derivative; else those of degree 5 through y,
// y' and through v, v'.
#pragma once

#include "integrate/methods/mechanical_points.hpp"

#include <array>

namespace daedalus::integrate {

class MotionWithMiddle {
public:
    explicit MotionWithMiddle(const Mechanism& m)
        : points_{MotionPoint(m), MotionPoint(m), MotionPoint(m)}, identity_(m.parts().identity_kinematics) {
        for (auto& r : rates_) r.resize(m.positions());
    }
    /// Of the beginning, the middle and the end. False: y' is not defined there.
    [[nodiscard]] bool set(const Mechanism& m, double t, double h, const MotionPoint& begin, const MotionPoint& middle,
                           const MotionPoint& end);
    /// At a share s of the step; v' of the polynomial where it is wanted, and y' where that is not v.
    void at(double s, MotionPoint& point, std::vector<double>* slope, std::vector<double>* rate) const;

    /// Where the second derivative (the first one, of degree 5) of the error is looked at, and the largest errors of y
    /// and v in units of h² and h times it. The error is c ω, ω = (s (s - 1/2) (s - 1))^3 (or squared); |ω| ≤ 1.11e-4,
    /// |ω'| ≤ 9.0e-4, ω''(s) = -0.0120; of the other kind |ω| ≤ 2.31e-3, ω'(s) = 0.0166.
    struct Probe {
        double share, of_y, of_v, power;
    };
    [[nodiscard]] Probe probe() const {
        return identity_ ? Probe{0.2113248654, 9.25e-3, 0.075, 8.0} : Probe{0.1, 0.14, 0.14, 6.0};
    }
    [[nodiscard]] bool identity() const { return identity_; }

private:
    std::array<MotionPoint, 3> points_;
    std::array<std::vector<double>, 3> rates_; ///< y', where that is not v
    bool identity_;
    double h_ = 0.0;
};

} // namespace daedalus::integrate
