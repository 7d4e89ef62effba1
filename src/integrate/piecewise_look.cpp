#include "integrate/piecewise_look.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

constexpr int n = PiecewiseLook::points;
using Row = std::array<double, n>;
using Square = std::array<Row, n>;

double chebyshev(const Row& c, double theta) { // Clenshaw
    const double u = 2.0 * theta - 1.0;
    double b1 = 0.0, b2 = 0.0;
    for (int j = n - 1; j > 0; --j) {
        const double b = c[static_cast<std::size_t>(j)] + 2.0 * u * b1 - b2;
        b2 = std::exchange(b1, b);
    }
    return c[0] + u * b1 - b2;
}

/// Values at the points to coefficients: the inverse of T_j(θ_i), by Gauss–Jordan.
Square inverse_of_basis() {
    Square a{}, inverse{};
    for (std::size_t i = 0; i < n; ++i) {
        inverse[i][i] = 1.0;
        for (std::size_t j = 0; j < n; ++j)
            a[i][j] = std::cos(static_cast<double>(j) * std::acos(2.0 * PiecewiseLook::theta[i] - 1.0));
    }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
        std::swap(a[k], a[p]);
        std::swap(inverse[k], inverse[p]);
        const double pivot = a[k][k];
        for (std::size_t j = 0; j < n; ++j) {
            a[k][j] /= pivot;
            inverse[k][j] /= pivot;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const double factor = a[i][k];
            for (std::size_t j = 0; j < n; ++j) {
                a[i][j] -= factor * a[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
    return inverse;
}

/// The place of a minimum of f on [a, b], from a few looks and then by golden section.
template <class Function>
double lowest_between(Function f, double a, double b) {
    constexpr int looks = 8;
    int best = 0;
    double lowest = f(a);
    for (int look = 1; look <= looks; ++look)
        if (const double value = f(a + (b - a) * look / looks); value < lowest) {
            lowest = value;
            best = look;
        }
    double l = a + (b - a) * std::max(best - 1, 0) / looks, r = a + (b - a) * std::min(best + 1, looks) / looks;
    constexpr double golden = 0.618033988749895;
    for (int k = 0; k < 24; ++k) { // to 1e-5 of the piece: the value at a minimum to the square of that
        const double u = r - golden * (r - l), v = l + golden * (r - l);
        (f(u) < f(v) ? r : l) = f(u) < f(v) ? v : u;
    }
    return 0.5 * (l + r);
}

} // namespace

Row PiecewiseLook::coefficients(const Row& g) {
    static const Square to_coefficients = inverse_of_basis();
    Row c{};
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) c[j] += to_coefficients[j][i] * g[i];
    return c;
}

double PiecewiseLook::slope_error(const Row& g, const std::array<double, slopes>& beside) {
    const Row c = coefficients(g);
    double largest = 0.0;
    for (std::size_t i = 0; i < slopes; ++i) { // the polynomial's difference too, so that nothing is truncated
        const double change = chebyshev(c, theta[i + 1] + aside) - chebyshev(c, theta[i + 1]);
        largest = std::max(largest, std::abs(beside[i] - g[i + 1] - change) / aside);
    }
    return largest;
}

PiecewiseLook::Result PiecewiseLook::judge(const Row& g, double noise, const Doubt& doubt) {
    const Row c = coefficients(g);
    const double tail = std::abs(c[4]) + std::abs(c[5]);
    const double low = std::abs(c[1]) + std::abs(c[2]) + std::abs(c[3]);
    const double strange = std::max(doubt.slopes - 2.0 * noise / aside, 0.0); // of the slopes
    // Between two points at most `widest` apart, a slope of that size leads half as far away and back.
    const double strayed = 0.5 * widest * strange + doubt.values;
    if (!std::isfinite(tail + low) || std::abs(c[0]) > low + 2.0 * tail + strayed) return {Verdict::clear};
    // Terms left out are a fifth of the last ones (below), and T_6 has slopes up to 72 per piece; what is smaller than
    // a twentieth of the polynomial's own change moves no zero from one segment to the next.
    if (strange > 72.0 / 5.0 * tail + 0.05 * low + noise) return {Verdict::unresolved};
    // sin and cos have this ratio where a piece holds somewhat more than half a period; the terms left out are a fifth
    // of the last ones then.
    constexpr double small = 0.03;
    if (!(tail <= small * low || tail <= noise)) return {Verdict::unresolved};
    const double margin = 0.5 * tail + noise + doubt.values + 1e-9 * low; // the last for the search on the polynomial
    for (int segment = 0; segment + 1 < n; ++segment) {
        const auto i = static_cast<std::size_t>(segment);
        const double sign = g[i + 1] < 0.0 ? -1.0 : 1.0;
        if (std::min(sign * g[i], sign * g[i + 1]) <= noise) continue; // a crossing, which is seen anyway, or rest
        const auto value = [&](double where) { return sign * chebyshev(c, where); };
        // At an end of the segment, too: the polynomial's lowest point may lie on one side of it, the function's on the
        // other.
        const double at = lowest_between(value, theta[i], theta[i + 1]);
        if (value(at) <= margin) return {Verdict::dip, segment, at};
    }
    return {Verdict::clear};
}

} // namespace daedalus::integrate
