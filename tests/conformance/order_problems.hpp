// Problems with smooth known solutions, one per class of component, for observed orders.
#pragma once

#include "integrate/problems.hpp"

#include <array>

namespace daedalus::testing {

/// y' = cos t + (y² - sin² t) + (z - e^{-t}), 0 = z³ - e^{-3t} + (y - sin t): y = sin t, z = e^{-t}. Index 1.
struct SemiExplicitIndex1 {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos, std::exp, std::sin;
        r[0] = dx[0] - (cos(t) + x[0] * x[0] - sin(t) * sin(t) + x[1] - exp(-t));
        r[1] = x[1] * x[1] * x[1] - exp(-3.0 * t) + x[0] - sin(t);
    }
    static std::vector<double> x(double t) { return {std::sin(t), std::exp(-t)}; }
    static std::vector<double> dx(double t) { return {std::cos(t), -std::exp(-t)}; }
    static constexpr std::array index{1, 1};
};

/// x' = 8 y, y' = -8 x: fast enough to show orders up to 13 above round-off.
struct Oscillator {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - 8.0 * x[1];
        r[1] = dx[1] + 8.0 * x[0];
    }
    static std::vector<double> x(double t) { return {std::sin(8 * t), std::cos(8 * t)}; }
    static std::vector<double> dx(double t) { return {8 * std::cos(8 * t), -8 * std::sin(8 * t)}; }
    static constexpr std::array index{1, 1};
};

/// F nonlinear in x' with leading matrix that depends on x: (1 + y²) y' + y'³ z = …, y = sin t, z = 2 + cos t.
struct FullyImplicitIndex1 {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos, std::sin;
        const T s = sin(t), c = cos(t);
        r[0] = (1.0 + x[0] * x[0]) * dx[0] + dx[0] * dx[0] * dx[0] * x[1] - ((1.0 + s * s) * c + c * c * c * (2.0 + c));
        r[1] = x[1] * x[1] + x[0] - ((2.0 + c) * (2.0 + c) + s);
    }
    static std::vector<double> x(double t) { return {std::sin(t), 2 + std::cos(t)}; }
    static std::vector<double> dx(double t) { return {std::cos(t), -std::sin(t)}; }
    static constexpr std::array index{1, 1};
};

/// Hessenberg index 2: y1 = e^t, y2 = e^{-2t}, z = e^{2t} (Ascher & Petzold 1998).
struct HessenbergIndex2 {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[0] * x[1] * x[1] * x[2] * x[2];
        r[1] = dx[1] - (x[0] * x[0] * x[1] * x[1] - 3.0 * x[1] * x[1] * x[2]);
        r[2] = x[0] * x[0] * x[1] - 1.0;
    }
    static std::vector<double> x(double t) { return {std::exp(t), std::exp(-2 * t), std::exp(2 * t)}; }
    static std::vector<double> dx(double t) { return {std::exp(t), -2 * std::exp(-2 * t), 2 * std::exp(2 * t)}; }
    static constexpr std::array index{1, 1, 2};
};

/// A particle led along the unit circle, angle φ = t + t²/4 and multiplier 1 + sin t. Hessenberg index 3.
struct HessenbergIndex3 {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos, std::sin;
        const T phi = t + 0.25 * t * t, w = 1.0 + 0.5 * t, lambda = 1.0 + sin(t);
        const T c = cos(phi), s = sin(phi);
        const T f1 = -c * w * w - 0.5 * s + c * lambda, f2 = -s * w * w + 0.5 * c + s * lambda;
        r[0] = dx[0] - x[2];
        r[1] = dx[1] - x[3];
        r[2] = dx[2] + x[0] * x[4] - f1;
        r[3] = dx[3] + x[1] * x[4] - f2;
        r[4] = x[0] * x[0] + x[1] * x[1] - 1.0;
    }
    static std::vector<double> x(double t) {
        const double phi = t + 0.25 * t * t, w = 1 + 0.5 * t;
        return {std::cos(phi), std::sin(phi), -std::sin(phi) * w, std::cos(phi) * w, 1 + std::sin(t)};
    }
    static std::vector<double> dx(double t) {
        const double phi = t + 0.25 * t * t, w = 1 + 0.5 * t;
        return {-std::sin(phi) * w, std::cos(phi) * w, -std::cos(phi) * w * w - 0.5 * std::sin(phi),
                -std::sin(phi) * w * w + 0.5 * std::cos(phi), std::cos(t)};
    }
    static constexpr std::array index{1, 1, 2, 2, 3};
};

/// x_k' = k t^(k-1) for k = 1 … 5 and algebraic unknowns equal to them: polynomials of every degree.
struct Polynomials {
    static constexpr int degree = 5;
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        T power = 1.0;
        for (int k = 1; k <= degree; ++k) {
            r[k - 1] = dx[k - 1] - static_cast<double>(k) * power;
            power = power * t;
            r[degree + k - 1] = x[degree + k - 1] - x[k - 1];
        }
    }
    static std::vector<double> x(double t) {
        std::vector<double> v(2 * degree);
        for (int k = 1; k <= degree; ++k) v[k - 1] = v[degree + k - 1] = std::pow(t, k);
        return v;
    }
    static std::vector<double> dx(double t) {
        std::vector<double> v(2 * degree);
        for (int k = 1; k <= degree; ++k) v[k - 1] = v[degree + k - 1] = k * std::pow(t, k - 1);
        return v;
    }
};

} // namespace daedalus::testing
