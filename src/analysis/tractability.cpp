#include "analysis/tractability.hpp"

#include "analysis/derivative_array_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;
using linalg::MatrixSeries;

TractabilityIndex from_chain(const ProjectorChain& chain, const char* what) {
    if (chain.outcome != ChainOutcome::regular) return {std::nullopt, "not decided: " + chain.reason};
    const linalg::RankGap& gap = chain.levels.back().gap;
    return {chain.index, fmt::format("projector chain {}: G_{} is nonsingular (smallest singular value {:.2g})", what,
                                     chain.index, gap.kept)};
}

// Units are taken out first: ranks are decided in rows and columns with entries of order one.
struct Units {
    std::vector<double> row, col;
    explicit Units(const Matrix& e, const Matrix& h) {
        const Equilibrated both = equilibrated(linalg::beside(e, h));
        row = both.row;
        const auto n = static_cast<std::size_t>(e.cols());
        for (std::size_t j = 0; j < n; ++j) col.push_back(std::min(both.col[j], both.col[n + j]));
    }
    [[nodiscard]] Matrix applied(Matrix a) const {
        for (int j = 0; j < a.cols(); ++j)
            for (int i = 0; i < a.rows(); ++i)
                a(i, j) *= row[static_cast<std::size_t>(i)] * col[static_cast<std::size_t>(j)];
        return a;
    }
};

// The time in which coefficients change by what they are: in t = τ s their Taylor coefficients do not grow, so that a
// solution that is fast in the model's unit of time does not drown the leading matrix.
double time_unit(const std::vector<Matrix>& e, const std::vector<Matrix>& h) {
    const Units units(e.front(), h.front());
    const auto size = [&](std::size_t j) {
        return std::max(linalg::max_abs(units.applied(e[j])), linalg::max_abs(units.applied(h[j])));
    };
    double tau = 1.0;
    for (std::size_t j = 1; j < e.size(); ++j)
        if (const double s = size(j); s > 0.0) tau = std::min(tau, std::pow(size(0) / s, 1.0 / static_cast<double>(j)));
    return std::exp2(std::floor(std::log2(tau)));
}

} // namespace

TractabilityIndex tractability_index(const Matrix& e, const Matrix& h) {
    const Units units(e, h);
    const auto stated = properly_stated(units.applied(e), units.applied(h));
    if (!stated) return {std::nullopt, "not decided: the rank of the leading matrix is not clear"};
    return from_chain(projector_chain(*stated), "of the constant matrices");
}

TractabilityIndex tractability_index(problem::DerivativeArray& array, int order, double t, std::span<const double> z) {
    if (!array.prepare(order)) return {std::nullopt, "not computed: " + array.why_not()};
    const auto jacobian = array_jacobian(array, order, t, z);
    if (!jacobian) return {std::nullopt, "not computed: the linearisation is not finite at the start"};
    const int m = array.equations(), n = array.unknowns();
    std::vector<Matrix> e, h;
    double factorial = 1.0;
    for (int j = 0; j <= order; ++j) {
        Matrix ej = jacobian->block(j * m, n, m, n);
        if (j > 0) {
            ej += -static_cast<double>(j) * jacobian->block((j - 1) * m, 0, m, n);
            factorial *= j;
        }
        e.push_back((1.0 / factorial) * ej);
        h.push_back((1.0 / factorial) * jacobian->block(j * m, 0, m, n));
    }
    const double tau = time_unit(e, h);
    double power = 1.0;
    for (std::size_t j = 0; j < e.size(); ++j, power *= tau) {
        e[j] = power * e[j];
        h[j] = power * tau * h[j];
    }
    const Units units(e.front(), h.front());
    for (std::size_t j = 0; j < e.size(); ++j) {
        e[j] = units.applied(std::move(e[j]));
        h[j] = units.applied(std::move(h[j]));
    }
    const auto stated = properly_stated(MatrixSeries(std::move(e)), MatrixSeries(std::move(h)));
    if (!stated) return {std::nullopt, "not decided: the rank of the leading matrix changes, or is not clear"};
    return from_chain(projector_chain(*stated), "of the linearisation along the solution");
}

} // namespace daedalus::analysis
