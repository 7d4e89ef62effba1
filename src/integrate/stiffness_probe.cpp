#include "integrate/stiffness_probe.hpp"

#include "integrate/local_system.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

FastestMotion fastest_motion(const problem::ImplicitProblem& problem, double t, std::span<const double> x,
                             std::span<const double> dx, linalg::SolverKind kind) {
    FastestMotion result;
    const auto n = static_cast<std::size_t>(problem.size());
    Counters uncounted;
    LocalSystem local(problem, kind, LocalSystem::Given::chains); // states may not have been chosen yet
    std::vector<double> v(n), rate(n);
    if (local.linearize(t, x.data(), dx.data(), uncounted) != problem::EvalStatus::ok) return result;
    if (local.factor(uncounted) != linalg::FactorStatus::ok) return result;
    constexpr double round_off = 1e-13;
    if (local.reciprocal_condition() < round_off) return result;
    result.known = true;
    result.constant_matrix = local.constant();
    result.unknowns = static_cast<int>(local.unknowns().size());

    const std::vector<char>& differential = local.differential();
    result.algebraic = std::find(differential.begin(), differential.end(), 0) != differential.end();
    std::vector<double> scale(n); // of an unknown: its value, at least its nominal one
    for (std::size_t k = 0; k < n; ++k) scale[k] = std::max(std::abs(x[k]), std::abs(problem.unknowns()[k].nominal));
    const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k)
            if (differential[k] != 0) sum += (a[k] / scale[k]) * (b[k] / scale[k]);
        return sum;
    };
    for (std::size_t k = 0; k < n; ++k) v[k] = dx[k];
    local.follow_links(x.data(), v.data());
    if (const double speed = std::sqrt(dot(v, v)); speed > 0.0) {
        local.respond(v, rate, uncounted);
        const double change = std::sqrt(dot(rate, rate));
        constexpr double against = -0.7; // what moves comes to rest
        if (change > 0.0 && dot(v, rate) > against * speed * change) result.present = change / speed;
    }
    // A start without symmetries: the fractional parts of multiples of the golden ratio.
    for (std::size_t k = 0; k < n; ++k) {
        const double fraction = 0.6180339887498949 * static_cast<double>(k + 1);
        v[k] = scale[k] * (fraction - std::floor(fraction) + 0.1);
    }
    constexpr int iterations = 16, averaged = 4; // complex pairs turn the vector: the mean growth tells the modulus
    constexpr double same = 1e-3;                // … unless it does not change any more
    double growth = 1.0, cosine = 0.0, last = 0.0;
    int steady = 0;
    for (int i = 0; i < iterations; ++i) {
        const double length = std::sqrt(dot(v, v));
        if (!(length > 0.0) || !std::isfinite(length)) break;
        for (double& value : v) value /= length;
        local.respond(v, rate, uncounted);
        const double size = std::sqrt(dot(rate, rate));
        if (i >= iterations - averaged) growth *= size;
        cosine = size > 0.0 ? dot(v, rate) / size : 0.0;
        std::swap(v, rate);
        steady = std::abs(size - last) <= same * size ? steady + 1 : 0;
        last = size;
        if (steady == averaged) {
            growth = std::pow(size, averaged);
            break;
        }
    }
    result.rate = std::pow(growth, 1.0 / averaged);
    constexpr double settled = -0.95;
    result.decaying = cosine < settled;
    return result;
}

} // namespace daedalus::integrate
