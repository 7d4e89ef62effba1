// A differentiated quantity (differentiated_quantity.hpp) of functions that are only callbacks: q = Q(t, x) and
// G(t, x, x', q'). The chain rule Q_t + Q_x x' is the user's, or else Q_x x' a difference along x' of fourth order;
// then Q must not depend on time.
#pragma once

#include "base/diagnostic.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace daedalus::problem {

struct BlackBoxQuantity {
    int size = 0;
    /// q := Q(t, x)
    std::function<void(double t, std::span<const double> x, std::span<double> q)> value;
    /// q' := Q_t + Q_x x'; empty: by differences
    std::function<void(double t, std::span<const double> x, std::span<const double> dx, std::span<double> dq)> slope;
    /// r := G(t, x, x', q'); false where it has no value (NaN in r says the same)
    std::function<bool(double t, std::span<const double> x, std::span<const double> dx, std::span<const double> dq,
                       std::span<double> r)>
        residual;
    std::vector<double> nominal; ///< empty: 1

    /// The chain rule, by what is there.
    void find_slope(double t, std::span<const double> x, std::span<const double> dx, std::span<double> dq) const;
    /// F(t, x, x') = G(t, x, x', Q_t + Q_x x').
    [[nodiscard]] bool chained(double t, std::span<const double> x, std::span<const double> dx,
                               std::span<double> r) const;
    /// What is wrong with it, if anything; at a start.
    [[nodiscard]] std::optional<Diagnostic> invalid(double t0, std::span<const double> x0) const;
};

} // namespace daedalus::problem
