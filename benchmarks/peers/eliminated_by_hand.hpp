// Mechanisms of the test set in minimal coordinates, eliminated by hand: the route of those who write their equations
// of motion themselves. p(q, t) are the model's coordinates, M p'' = f + Gᵀ λ its equations; with the Jacobian J =
// ∂p/∂q, G J = 0 and p'' = J q'' + a
//     Jᵀ M J q'' = Jᵀ (f - M a) .
// What it takes besides the work of a computer (which coordinates, which branch of each closed loop, the algebra) is
// not in any table.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace daedalus::benchmarks {

/// x = cos φ, y = sin φ: φ'' = -g cos φ.
struct PendulumByHand {
    static constexpr std::size_t size = 2;
    static constexpr const char* name = "pendulum";
    static std::array<double, size> start();
    static void slope(double t, const double* y, double* dy);
    /// x, y, u, v, lam.
    static std::vector<double> unknowns(double t, const double* y);
    static std::vector<std::string> names();
};

/// The left end on its line, xl = -s yb, yl = s xb, and the axis at an angle from there.
struct CarAxisByHand {
    static constexpr std::size_t size = 4; // s, angle, and their velocities
    static constexpr const char* name = "caraxis";
    static std::array<double, size> start();
    static void slope(double t, const double* y, double* dy);
    static std::vector<double> unknowns(double t, const double* y);
    static std::vector<std::string> names();
};

/// Everything follows from the angle β of the crank: three closed loops are triangles with two known sides.
struct AndrewsByHand {
    static constexpr std::size_t size = 2;
    static constexpr const char* name = "andrews";
    static std::array<double, size> start();
    static void slope(double t, const double* y, double* dy);
    static std::vector<double> unknowns(double t, const double* y);
    static std::vector<std::string> names();
};

} // namespace daedalus::benchmarks
