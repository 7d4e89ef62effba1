// A polynomial on an interval of time, through values at its Chebyshev points.
#pragma once

#include <array>
#include <cstddef>

namespace daedalus {

/// Σ c_k s^k with s from −1 at `begin` to 1 at `end`.
struct PolynomialPiece {
    static constexpr int degree = 6;
    double begin = 0.0, end = 0.0;
    std::array<double, degree + 1> c{};
    /// The derivative of this order.
    [[nodiscard]] double at(double t, int order = 0) const;
    /// Where the values are that `through` takes: Chebyshev points, ends included.
    [[nodiscard]] static double node(double begin, double end, int k);
    [[nodiscard]] static PolynomialPiece through(double begin, double end,
                                                 const std::array<double, degree + 1>& values);
};

/// In the place of a beginning that lies nowhere.
inline constexpr double never = 1e300;

} // namespace daedalus
