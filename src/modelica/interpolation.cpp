// Piecewise polynomials through points: linear, constant, and with continuous derivatives after H. Akima (J. ACM 17,
// 1970), F. N. Fritsch and J. Butland (SIAM J. Sci. Stat. Comput. 5, 1984), M. Steffen (Astron. Astrophys. 239, 1990).
#include "modelica/object.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::modelica {

namespace {

// Slopes of Akima's spline; two further chords on each side continue linearly, or periodically.
std::vector<double> akima(const std::vector<double>& x, const std::vector<double>& y, bool periodic, bool modified) {
    const std::size_t n = x.size();
    std::vector<double> d(n + 3);
    for (std::size_t i = 0; i + 1 < n; ++i) d[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    if (periodic) {
        d[0] = d[n - 1];
        d[1] = d[n];
        d[n + 1] = d[2];
        d[n + 2] = d[3];
    } else {
        d[1] = 2 * d[2] - d[3];
        d[0] = 2 * d[1] - d[2];
        d[n + 1] = 2 * d[n] - d[n - 1];
        d[n + 2] = 2 * d[n + 1] - d[n];
    }
    std::vector<double> slope(n);
    for (std::size_t i = 0; i < n; ++i) {
        double w2 = std::abs(d[i + 1] - d[i]);
        double w1 = std::abs(d[i + 3] - d[i + 2]);
        if (modified) { // no overshoot where three points are level (as MATLAB's makima)
            w2 += 0.5 * std::abs(d[i + 1] + d[i]);
            w1 += 0.5 * std::abs(d[i + 3] + d[i + 2]);
        }
        slope[i] = w1 + w2 > 0 ? (w1 * d[i + 1] + w2 * d[i + 2]) / (w1 + w2) : 0.5 * (d[i + 1] + d[i + 2]);
    }
    return slope;
}

// Slopes between chords of one sign, zero elsewhere: the spline is monotone where the points are. At the ends those of
// the chords.
std::vector<double> monotone(const std::vector<double>& x, const std::vector<double>& y, bool periodic, bool steffen) {
    const std::size_t n = x.size();
    const auto width = [&](std::size_t i) { return x[i + 1] - x[i]; };
    const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / width(i); };
    const auto between = [&](std::size_t i, std::size_t k) { // of intervals i and k, side by side
        const double a = chord(i), b = chord(k), h = width(i), l = width(k);
        if (!(a * b > 0)) return 0.0;
        if (!steffen) return 3 * (h + l) / ((h + 2 * l) / a + (l + 2 * h) / b);
        const double mean = (a * l + b * h) / (h + l);
        const double least = std::min(std::abs(a), std::abs(b));
        return 0.5 * std::abs(mean) > least ? std::copysign(2 * least, a) : mean;
    };
    std::vector<double> slope(n);
    for (std::size_t i = 1; i + 1 < n; ++i) slope[i] = between(i - 1, i);
    slope[0] = periodic ? between(n - 2, 0) : chord(0);
    slope[n - 1] = periodic ? slope[0] : chord(n - 2);
    return slope;
}

std::vector<double> slopes(const std::vector<double>& x, const std::vector<double>& y, Smoothness s, bool periodic) {
    if (s == Smoothness::akima || s == Smoothness::modified_akima)
        return akima(x, y, periodic, s == Smoothness::modified_akima);
    return monotone(x, y, periodic, s == Smoothness::steffen);
}

} // namespace

Pieces interpolate(const std::vector<double>& x, const std::vector<double>& y, Smoothness smoothness, bool periodic) {
    Pieces pieces;
    const std::size_t n = x.size();
    if (n == 1) {
        pieces.list.push_back({x[0], x[0], y[0], 0, 0, 0});
        return pieces;
    }
    const bool cubic = smoothness != Smoothness::linear && smoothness != Smoothness::constant && n > 2;
    const std::vector<double> slope = cubic ? slopes(x, y, smoothness, periodic) : std::vector<double>();
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double h = x[i + 1] - x[i];
        if (!(h > 0)) continue; // a jump
        const double chord = (y[i + 1] - y[i]) / h;
        if (smoothness == Smoothness::constant)
            pieces.list.push_back({x[i], x[i], y[i], 0, 0, 0});
        else if (!cubic)
            pieces.list.push_back({x[i], x[i], y[i], chord, 0, 0});
        else
            pieces.list.push_back({x[i], x[i], y[i], slope[i], (3 * chord - 2 * slope[i] - slope[i + 1]) / h,
                                   (slope[i] + slope[i + 1] - 2 * chord) / (h * h)});
    }
    if (smoothness == Smoothness::constant) pieces.list.push_back({x[n - 1], x[n - 1], y[n - 1], 0, 0, 0});
    return pieces;
}

} // namespace daedalus::modelica
