#include "linalg/rank.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cassert>
#include <limits>

namespace daedalus::linalg {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Map<const MatrixXd> map(DenseView a) {
    assert(a.values.size() == static_cast<std::size_t>(a.rows) * static_cast<std::size_t>(a.cols));
    return {a.values.data(), a.rows, a.cols};
}

void decide(RankDecision& d, DenseView a, double relative) {
    if (relative < 0.0) relative = std::max(a.rows, a.cols) * std::numeric_limits<double>::epsilon();
    const double largest = d.singular_values.empty() ? 0.0 : d.singular_values.front();
    d.tolerance = relative * largest;
    const auto count_above = [&](double bound) {
        return static_cast<int>(
            std::count_if(d.singular_values.begin(), d.singular_values.end(), [bound](double s) { return s > bound; }));
    };
    d.rank = count_above(d.tolerance);
    d.decided = count_above(10.0 * d.tolerance) == d.rank && count_above(0.1 * d.tolerance) == d.rank;
    const auto r = static_cast<std::size_t>(d.rank);
    const bool dropped = r < d.singular_values.size() && d.singular_values[r] > 0.0;
    d.gap =
        dropped && r > 0 ? d.singular_values[r - 1] / d.singular_values[r] : std::numeric_limits<double>::infinity();
}

std::vector<double> copy(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }

} // namespace

RankDecision rank_by_svd(DenseView a, double relative_tolerance) {
    RankDecision d;
    if (a.rows == 0 || a.cols == 0) {
        d.gap = std::numeric_limits<double>::infinity();
        for (int j = 0; j < a.cols; ++j) d.right_null.push_back(copy(VectorXd::Unit(a.cols, j)));
        for (int i = 0; i < a.rows; ++i) d.left_null.push_back(copy(VectorXd::Unit(a.rows, i)));
        return d;
    }
    const Eigen::BDCSVD<MatrixXd> svd(map(a), Eigen::ComputeFullU | Eigen::ComputeFullV);
    d.singular_values = copy(svd.singularValues());
    decide(d, a, relative_tolerance);
    for (int i = d.rank; i < a.rows; ++i) d.left_null.push_back(copy(svd.matrixU().col(i)));
    for (int j = d.rank; j < a.cols; ++j) d.right_null.push_back(copy(svd.matrixV().col(j)));
    return d;
}

RankDecision rank_by_qr(DenseView a, double relative_tolerance) {
    RankDecision d;
    if (a.rows == 0 || a.cols == 0) {
        d.gap = std::numeric_limits<double>::infinity();
        return d;
    }
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(map(a));
    d.singular_values = copy(qr.matrixR().diagonal().cwiseAbs());
    decide(d, a, relative_tolerance);
    for (int j = 0; j < a.cols; ++j) d.pivots.push_back(qr.colsPermutation().indices()[j]);
    return d;
}

std::vector<double> to_dense(const SparsityPattern& pattern, std::span<const double> values) {
    const auto rows = static_cast<std::size_t>(pattern.rows);
    std::vector<double> dense(rows * static_cast<std::size_t>(pattern.cols), 0.0);
    for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.cols); ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            dense[j * rows + static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])] =
                values[static_cast<std::size_t>(k)];
    return dense;
}

} // namespace daedalus::linalg
