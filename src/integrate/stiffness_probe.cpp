#include "integrate/stiffness_probe.hpp"

#include "integrate/local_system.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// Vectors of differential unknowns in units of the unknowns: their values, at least their nominal ones.
struct Scaled {
    const std::vector<char>& differential;
    std::vector<double> size;

    [[nodiscard]] double product(const std::vector<double>& a, const std::vector<double>& b) const {
        double sum = 0.0;
        for (std::size_t k = 0; k < size.size(); ++k)
            if (differential[k] != 0) sum += (a[k] / size[k]) * (b[k] / size[k]);
        return sum;
    }
    [[nodiscard]] double length(const std::vector<double>& v) const { return std::sqrt(product(v, v)); }
};

/// |x''| / |x'|, unless what moves comes to rest.
double present_rate(LocalSystem& local, const Scaled& scaled, std::vector<double>& v, Counters& counters) {
    const double speed = scaled.length(v);
    if (!(speed > 0.0)) return 0.0;
    std::vector<double> rate(v.size());
    local.respond(v, rate, counters);
    const double change = scaled.length(rate);
    constexpr double against = -0.7; // the cosine of what comes to rest
    return change > 0.0 && scaled.product(v, rate) > against * speed * change ? change / speed : 0.0;
}

/// The largest eigenvalue by von Mises' iteration.
void find_largest(LocalSystem& local, const Scaled& scaled, std::vector<double>& v, Counters& counters,
                  FastestMotion& result) {
    std::vector<double> rate(v.size());
    // A start without symmetries: the fractional parts of multiples of the golden ratio.
    for (std::size_t k = 0; k < v.size(); ++k) {
        const double fraction = 0.6180339887498949 * static_cast<double>(k + 1);
        v[k] = scaled.size[k] * (fraction - std::floor(fraction) + 0.1);
    }
    constexpr int iterations = 16, averaged = 4; // complex pairs turn the vector: the mean growth tells the modulus
    constexpr double same = 1e-3;                // … unless it does not change any more
    double growth = 1.0, cosine = 0.0, last = 0.0;
    int steady = 0;
    for (int i = 0; i < iterations; ++i) {
        const double length = scaled.length(v);
        if (!(length > 0.0) || !std::isfinite(length)) break;
        for (double& value : v) value /= length;
        local.respond(v, rate, counters);
        const double size = scaled.length(rate);
        if (i >= iterations - averaged) growth *= size;
        cosine = size > 0.0 ? scaled.product(v, rate) / size : 0.0;
        std::swap(v, rate);
        steady = std::abs(size - last) <= same * size ? steady + 1 : 0;
        last = size;
        if (steady == averaged) {
            growth = std::pow(size, averaged);
            break;
        }
    }
    result.rate = std::pow(growth, 1.0 / averaged);
    constexpr double settled = -0.95; // the cosine between h J v and v: within 18 degrees of a real negative direction
    result.decaying = cosine < settled;
}

} // namespace

FastestMotion fastest_motion(const problem::ImplicitProblem& problem, double t, std::span<const double> x,
                             std::span<const double> dx, linalg::SolverKind kind) {
    FastestMotion result;
    const auto n = static_cast<std::size_t>(problem.size());
    Counters uncounted;
    LocalSystem local(problem, kind, LocalSystem::Given::chains); // states may not have been chosen yet
    if (local.linearize(t, x.data(), dx.data(), uncounted) != problem::EvalStatus::ok) return result;
    if (local.factor(uncounted) != linalg::FactorStatus::ok) return result;
    constexpr double round_off = 1e-13;
    if (local.reciprocal_condition() < round_off) return result;
    result.known = true;
    result.constant_matrix = local.constant();
    result.unknowns = static_cast<int>(local.unknowns().size());

    Scaled scaled{local.differential(), std::vector<double>(n)};
    result.algebraic =
        std::find(scaled.differential.begin(), scaled.differential.end(), 0) != scaled.differential.end();
    for (std::size_t k = 0; k < n; ++k)
        scaled.size[k] = std::max(std::abs(x[k]), std::abs(problem.unknowns()[k].nominal));
    std::vector<double> v(dx.begin(), dx.end());
    local.follow_links(x.data(), v.data());
    result.present = present_rate(local, scaled, v, uncounted);
    find_largest(local, scaled, v, uncounted, result);
    return result;
}

} // namespace daedalus::integrate
