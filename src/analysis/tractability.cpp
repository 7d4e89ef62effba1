#include "analysis/tractability.hpp"

#include "analysis/derivative_array_ranks.hpp"

#include <fmt/format.h>

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
    std::optional<Units> units;
    for (int j = 0; j <= order; ++j) {
        const Matrix hj = jacobian->block(j * m, 0, m, n);
        Matrix ej = jacobian->block(j * m, n, m, n);
        if (j > 0) {
            ej += -static_cast<double>(j) * jacobian->block((j - 1) * m, 0, m, n);
            factorial *= j;
        } else {
            units.emplace(ej, hj);
        }
        e.push_back((1.0 / factorial) * units->applied(ej));
        h.push_back((1.0 / factorial) * units->applied(hj));
    }
    const auto stated = properly_stated(MatrixSeries(std::move(e)), MatrixSeries(std::move(h)));
    if (!stated) return {std::nullopt, "not decided: the rank of the leading matrix changes, or is not clear"};
    return from_chain(projector_chain(*stated), "of the linearisation along the solution");
}

} // namespace daedalus::analysis
