#include "analysis/pencil_regularity.hpp"

#include "linalg/linear_solver.hpp"

#include <cmath>

namespace daedalus::analysis {

RegularityReport sparse_regularity(const MarketMatrix& e, const MarketMatrix& h) {
    RegularityReport report;
    std::vector<std::pair<int, int>> places;
    double largest_e = 0.0, largest_h = 0.0;
    for (const MatrixEntry& x : e.entries) {
        places.emplace_back(x.row, x.col);
        largest_e = std::max(largest_e, std::abs(x.value));
    }
    for (const MatrixEntry& x : h.entries) {
        places.emplace_back(x.row, x.col);
        largest_h = std::max(largest_h, std::abs(x.value));
    }
    const auto pattern = SparsityPattern::from_entries(e.rows, e.cols, std::move(places));
    // Each matrix to largest entry 1: then shifts of size 1 weigh both alike.
    const auto unit = [](double largest) { return largest > 0.0 ? 1.0 / largest : 1.0; };
    std::vector<double> values_e(static_cast<std::size_t>(pattern.nonzeros())), values_h(values_e), sum(values_e);
    const auto at = [&](const MatrixEntry& x) { return static_cast<std::size_t>(pattern.find(x.row, x.col)); };
    for (const MatrixEntry& x : e.entries) values_e[at(x)] += x.value * unit(largest_e);
    for (const MatrixEntry& x : h.entries) values_h[at(x)] += x.value * unit(largest_h);

    const auto solver = linalg::make_linear_solver<double>(pattern, linalg::SolverKind::klu);
    constexpr double shifts[] = {0.6180, -0.7321, 1.4571, -2.3028};
    constexpr double surely = 1e-12; // reciprocal condition that rounding errors cannot explain
    bool all_singular = true;
    for (const double shift : shifts) {
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = shift * values_e[k] + values_h[k];
        const bool factored = solver->factor(sum) == linalg::FactorStatus::ok;
        const double rcond = factored ? solver->reciprocal_condition() : 0.0;
        report.tests.push_back({shift * largest_h * unit(largest_e), rcond});
        all_singular = all_singular && rcond == 0.0;
        if (rcond <= surely) continue;
        report.regular = true;
        return report;
    }
    if (all_singular) report.regular = false;
    return report;
}

} // namespace daedalus::analysis
