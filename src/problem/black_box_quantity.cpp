#include "problem/black_box_quantity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::problem {

namespace {

// Of the sizes of x: the formula's error is of the fourth power of this, its round-off ε over it; both 1e-12 or less.
constexpr double share = 1e-3;

} // namespace

void BlackBoxQuantity::find_slope(double t, std::span<const double> x, std::span<const double> dx,
                                  std::span<double> dq) const {
    if (slope) {
        slope(t, x, dx, dq);
        return;
    }
    double step = std::numeric_limits<double>::infinity();
    bool defined = true;
    for (std::size_t j = 0; j < x.size(); ++j) {
        if (dx[j] != 0.0) step = std::min(step, share * std::max(1.0, std::abs(x[j])) / std::abs(dx[j]));
        defined = defined && std::isfinite(dx[j]);
    }
    std::fill(dq.begin(), dq.end(), defined ? 0.0 : std::numeric_limits<double>::quiet_NaN());
    std::vector<double> moved(x.size()), q(dq.size());
    if (!defined) { // what depends on the component that is no number must show it
        for (std::size_t j = 0; j < x.size(); ++j) moved[j] = std::isfinite(dx[j]) ? x[j] : dx[j];
        value(t, moved, q);
        for (std::size_t k = 0; k < q.size(); ++k) dq[k] = std::isfinite(q[k]) ? 0.0 : q[k];
        return;
    }
    if (step == std::numeric_limits<double>::infinity()) return;
    const auto add = [&](double distance, double weight) {
        for (std::size_t j = 0; j < x.size(); ++j) moved[j] = x[j] + distance * step * dx[j];
        value(t, moved, q);
        for (std::size_t k = 0; k < q.size(); ++k) dq[k] += weight / (12.0 * step) * q[k];
    };
    add(-2.0, 1.0);
    add(-1.0, -8.0);
    add(1.0, 8.0);
    add(2.0, -1.0);
}

bool BlackBoxQuantity::chained(double t, std::span<const double> x, std::span<const double> dx,
                               std::span<double> r) const {
    std::vector<double> dq(static_cast<std::size_t>(size));
    find_slope(t, x, dx, dq);
    return residual(t, x, dx, dq, r);
}

std::optional<Diagnostic> BlackBoxQuantity::invalid(double t0, std::span<const double> x0) const {
    if (size <= 0 || !value || !residual)
        return make_error("black-box-quantity",
                          "a differentiated quantity needs a size, a function for its values and a residual that "
                          "takes its derivatives");
    const auto m = static_cast<std::size_t>(size);
    if (!nominal.empty() && nominal.size() != m)
        return make_error("black-box-quantity", "the quantity has " + std::to_string(m) + " components but " +
                                                    std::to_string(nominal.size()) + " nominal values");
    if (slope) return std::nullopt;
    std::vector<double> now(m), later(m);
    value(t0, x0, now);
    value(t0 + 0.1 * std::max(1.0, std::abs(t0)), x0, later);
    for (std::size_t k = 0; k < m; ++k)
        if (std::isfinite(now[k]) && std::isfinite(later[k]) && now[k] != later[k])
            return make_error("black-box-quantity",
                              "component " + std::to_string(k) +
                                  " of the differentiated quantity depends on time itself: give its slope, the "
                                  "derivative by the chain rule");
    return std::nullopt;
}

} // namespace daedalus::problem
