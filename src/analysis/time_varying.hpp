// Linear systems with variable coefficients E(t) x' + H(t) x = c(t), of any shape, given with their derivatives; and
// the pencils λ E(t) + H(t) at single times, whose index says little about the system: it may be regular although
// there are infinitely many solutions, and singular although the solution is unique (HW (1.8), W 1.2).
#pragma once

#include "analysis/pencil.hpp"
#include "linalg/matrix_series.hpp"

#include <functional>

namespace daedalus::analysis {

struct TimeVaryingSystem {
    int rows = 0, cols = 0;
    std::function<linalg::Matrix(double t, int k)> e, h;   ///< k-th derivatives
    std::function<std::vector<double>(double t, int k)> c; ///< may be empty: zero
    [[nodiscard]] std::vector<double> forcing(double t, int k) const {
        return c ? c(t, k) : std::vector<double>(static_cast<std::size_t>(rows), 0.0);
    }
};

/// Taylor coefficients E^(k)(t) / k!, for projector_chain.hpp.
[[nodiscard]] linalg::MatrixSeries taylor_series(const std::function<linalg::Matrix(double, int)>& a, double t,
                                                 int order);

struct LocalPencil {
    double t = 0.0;
    bool decided = false;
    bool regular = false;
    int index = -1; ///< of a regular one
};
[[nodiscard]] std::vector<LocalPencil> local_pencils(const TimeVaryingSystem& system, std::span<const double> times);

} // namespace daedalus::analysis
