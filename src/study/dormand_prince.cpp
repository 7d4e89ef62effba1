#include "study/dormand_prince.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::study {

namespace {

constexpr int stages = 7;
constexpr double c[stages] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double a[stages][stages - 1] = {{},
                                          {1. / 5},
                                          {3. / 40, 9. / 40},
                                          {44. / 45, -56. / 15, 32. / 9},
                                          {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                          {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                          {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
/// b - b̂
constexpr double e[stages] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};

} // namespace

DormandPrinceReport dormand_prince(const std::function<void(double t, const double* y, double* dy)>& f,
                                   std::vector<double> y, double t0, double t1, double rtol, double atol,
                                   const std::function<void(double t, const std::vector<double>& y)>& observe,
                                   const std::function<void(double t, std::vector<double>& y)>& project) {
    DormandPrinceReport report;
    const std::size_t n = y.size();
    std::vector<std::vector<double>> k(stages, std::vector<double>(n));
    std::vector<double> next(n);
    double t = t0;
    double h = 1e-3 * (t1 - t0);
    f(t, y.data(), k[0].data());
    constexpr int most_steps = 1'000'000;
    while (t < t1 && report.accepted + report.rejected < most_steps) {
        h = std::min(h, t1 - t);
        for (int s = 1; s < stages; ++s) {
            next = y;
            for (int j = 0; j < s; ++j)
                for (std::size_t i = 0; i < n; ++i) next[i] += h * a[s][j] * k[std::size_t(j)][i];
            f(t + c[s] * h, next.data(), k[std::size_t(s)].data());
        }
        double error = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double d = 0;
            for (int s = 0; s < stages; ++s) d += h * e[s] * k[std::size_t(s)][i];
            const double scale = atol + rtol * std::max(std::abs(y[i]), std::abs(next[i]));
            error += d * d / (scale * scale);
        }
        error = std::sqrt(error / static_cast<double>(n));
        if (!std::isfinite(error)) return report;
        // DOPRI5's safety factor and bounds: 0.9, 0.2, 10.
        const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 10.0);
        if (error <= 1) {
            t += h;
            y = next;
            k[0] = k[stages - 1];
            if (project) {
                project(t, y);
                f(t, y.data(), k[0].data());
            }
            ++report.accepted;
            observe(t, y);
        } else {
            ++report.rejected;
        }
        h *= factor;
    }
    report.reached_end = t >= t1;
    return report;
}

} // namespace daedalus::study
