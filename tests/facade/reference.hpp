// Independent references for the examples, computed without Daedalus.
#pragma once

#include <cmath>
#include <utility>

namespace reference {

// Jacobi's sn, cn, dn for parameter k by descending Landen transformation (arithmetic-geometric mean), in long double.
struct Jacobi {
    long double sn, cn, dn;
};
inline Jacobi jacobi(long double u, long double k) {
    long double a[32], c[32];
    a[0] = 1;
    c[0] = k;
    long double b = std::sqrt(1 - k * k);
    int n = 0;
    while (std::abs(c[n]) > 1e-20L && n < 30) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = std::sqrt(a[n] * b);
        ++n;
    }
    long double phi = std::ldexp(a[n] * u, n);
    for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
    const long double sn = std::sin(phi), cn = std::cos(phi);
    return {sn, cn, std::sqrt(1 - k * k * sn * sn)};
}

inline long double complete_elliptic(long double k) {
    long double a = 1, b = std::sqrt(1 - k * k);
    while (std::abs(a - b) > 1e-19L) {
        const long double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return 3.14159265358979323846264338327950288L / (2 * a);
}

// Pendulum of length L released at rest from (L, 0): sin(θ/2) = k sn(K - ω t), k = sin(π/4), ω² = g/L.
struct PendulumState {
    double x, y, u, v, tension; ///< tension = λ for unit mass: m x'' = -λ x
};
inline PendulumState pendulum(double time, double g, double length) {
    const long double k = std::sqrt(0.5L), K = complete_elliptic(k);
    const long double omega = std::sqrt(static_cast<long double>(g) / length);
    const Jacobi j = jacobi(K - omega * time, k);
    const long double s = k * j.sn, c = j.dn; // sin and cos of θ/2
    const long double theta_dot = -2 * k * omega * j.cn;
    const long double sine = 2 * s * c, cosine = 1 - 2 * s * s;
    const long double x = length * sine, y = -length * cosine;
    const long double u = length * cosine * theta_dot, v = length * sine * theta_dot;
    const long double lambda = (u * u + v * v - g * y) / (length * length);
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(u), static_cast<double>(v),
            static_cast<double>(lambda)};
}

// Circle steering, HW (1.9), on the circle y = (sin φ, cos φ): φ' = 0.7 cos²φ - 1.4 sin²φ + sin(2.5 z - φ) with
// cos(2.5 z - φ) = -2.1 sin φ cos φ; classical Runge–Kutta in long double.
struct Steering {
    double y1, y2, z;
};
inline Steering steering(double until) {
    const auto angle = [](long double phi) { return std::acos(-2.1L * std::sin(phi) * std::cos(phi)); };
    const auto f = [&](long double phi) {
        return 0.7L * std::cos(phi) * std::cos(phi) - 1.4L * std::sin(phi) * std::sin(phi) + std::sin(angle(phi));
    };
    const int steps = 20000;
    const long double h = static_cast<long double>(until) / steps;
    long double phi = 0;
    for (int i = 0; i < steps; ++i) {
        const long double k1 = f(phi), k2 = f(phi + h / 2 * k1), k3 = f(phi + h / 2 * k2), k4 = f(phi + h * k3);
        phi += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return {static_cast<double>(std::sin(phi)), static_cast<double>(std::cos(phi)),
            static_cast<double>((phi + angle(phi)) / 2.5L)};
}

} // namespace reference
