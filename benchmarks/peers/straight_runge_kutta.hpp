// An explicit Runge–Kutta code as an engineer would write it for one right-hand side: fixed size, no Jacobian, nothing
// between the formula and the machine. Step control as in DOPRI5 and DOP853 (Hairer, Nørsett & Wanner 1993, II.4,
// II.5).
#pragma once

#include "integrate/tableau/explicit_runge_kutta.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace daedalus::benchmarks {

struct StraightCounts {
    long steps = 0, evaluations = 0;
};

/// y' = f(t, y) with f(t, y.data(), dy.data()).
template <std::size_t size>
class StraightRungeKutta {
public:
    using Vector = std::array<double, size>;

    explicit StraightRungeKutta(tableau::ExplicitName name) : method_(tableau::make_explicit_runge_kutta(name)) {
        for (const auto& row : method_.a) a_.emplace_back(row.begin(), row.end());
        k_.resize(static_cast<std::size_t>(method_.stages));
    }

    /// False where the steps become too many.
    template <class Function>
    [[nodiscard]] bool run(const Function& f, double t, double t1, Vector& y, double relative, const Vector& absolute) {
        counts = {};
        f(t, y.data(), k_[0].data());
        double h = first_step(f, t, t1, y, relative, absolute), factor_before = 1e-4;
        bool rejected = false;
        while (t < t1) {
            const bool last = t + 1.01 * h >= t1;
            if (last) h = t1 - t;
            if (++counts.steps > most_steps || !(h > 1e-15 * std::abs(t1))) return false;
            Vector next = y;
            for (std::size_t i = 1; i < k_.size(); ++i) {
                next = y;
                for (const auto& [stage, value] : a_[i]) add(h * value, k_[static_cast<std::size_t>(stage)], next);
                f(t + method_.c[i] * h, next.data(), k_[i].data());
            }
            const double error = estimate(h, y, next, relative, absolute);
            // PI controller where there is one estimate (beta = 0.04), as in DOPRI5; DOP853 has none.
            const double beta = method_.error.size() > 1 ? 0.0 : 0.04;
            const double exponent = 1.0 / static_cast<double>(method_.order) - 0.75 * beta;
            const double raw = std::pow(std::max(error, 1e-10), exponent);
            if (error <= 1.0) {
                double grow = 0.9 * std::pow(factor_before, beta) / raw;
                grow = std::clamp(grow, method_.error.size() > 1 ? 0.333 : 0.2, method_.error.size() > 1 ? 6.0 : 10.0);
                factor_before = std::max(error, 1e-4);
                t = last ? t1 : t + h;
                y = next;
                std::swap(k_[0], k_.back());
                h *= rejected ? std::min(grow, 1.0) : grow;
                rejected = false;
            } else {
                h *= std::isfinite(error) ? std::max(0.2, 0.9 / raw) : 0.1;
                rejected = true;
            }
        }
        counts.evaluations += counts.steps * (method_.stages - 1) + 2;
        return true;
    }

    StraightCounts counts;

private:
    static constexpr long most_steps = 200'000;

    static void add(double factor, const Vector& k, Vector& sum) {
        for (std::size_t j = 0; j < size; ++j) sum[j] += factor * k[j];
    }

    [[nodiscard]] double estimate(double h, const Vector& y, const Vector& next, double relative,
                                  const Vector& absolute) const {
        double squares[2] = {};
        for (std::size_t r = 0; r < method_.error.size(); ++r) {
            Vector e{};
            for (const auto& [stage, value] : method_.error[r]) add(h * value, k_[static_cast<std::size_t>(stage)], e);
            for (std::size_t j = 0; j < size; ++j) {
                const double weight = absolute[j] + relative * std::max(std::abs(y[j]), std::abs(next[j]));
                squares[r] += e[j] * e[j] / (weight * weight);
            }
            squares[r] /= static_cast<double>(size);
        }
        if (method_.error.size() == 1) return std::sqrt(squares[0]);
        const double both = squares[0] + 0.01 * squares[1];
        return both > 0.0 ? squares[0] / std::sqrt(both) : 0.0;
    }

    /// Hairer, Nørsett & Wanner 1993, II.4.
    template <class Function>
    [[nodiscard]] double first_step(const Function& f, double t, double t1, const Vector& y, double relative,
                                    const Vector& absolute) const {
        double d0 = 0.0, d1 = 0.0, d2 = 0.0;
        const auto weight = [&](std::size_t j) { return absolute[j] + relative * std::abs(y[j]); };
        const auto square = [](double v) { return v * v; };
        for (std::size_t j = 0; j < size; ++j) {
            d0 += square(y[j] / weight(j));
            d1 += square(k_[0][j] / weight(j));
        }
        const double h0 = d0 <= 1e-10 || d1 <= 1e-10 ? 1e-6 : std::min(0.01 * std::sqrt(d0 / d1), t1 - t);
        Vector moved = y, slope{};
        add(h0, k_[0], moved);
        f(t + h0, moved.data(), slope.data());
        for (std::size_t j = 0; j < size; ++j) d2 += square((slope[j] - k_[0][j]) / weight(j));
        const double largest = std::max(std::sqrt(d1), std::sqrt(d2) / h0);
        const double h1 = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0)
                                           : std::pow(0.01 / largest, 1.0 / static_cast<double>(method_.order));
        return std::min({100.0 * h0, h1, t1 - t});
    }

    const tableau::ExplicitRungeKutta& method_;
    std::vector<std::vector<tableau::ExplicitRungeKutta::Weight>> a_;
    std::vector<Vector> k_;
};

} // namespace daedalus::benchmarks
