#include "analysis/implied_rows.hpp"

#include "analysis/derivative_array_ranks.hpp"
#include "linalg/singular_values.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;

constexpr double part_of = 1e-8; // entries of unit vectors: below, rounding

double largest_value(const Matrix& a) {
    const linalg::SingularValues s = linalg::singular_values_only(a);
    return s.values.empty() ? 0.0 : s.values.front();
}

linalg::RankRule rule_for(const Matrix& a, double norm, Accuracy accuracy) {
    constexpr double exact = 1e-10; // what a consistent point is accurate to, with what the scaling makes of it
    constexpr double half = 1e-5;   // half of the digits, or a little less
    if (accuracy == Accuracy::rounding) return linalg::rank_rule(a.rows(), a.cols(), std::max(norm, 1e-300), exact);
    return {half * norm, half * norm};
}

std::optional<Matrix> null_space(const Matrix& a, Accuracy accuracy) {
    linalg::RankGap gap;
    Matrix basis = linalg::null_space(a, rule_for(a, largest_value(a), accuracy), &gap);
    if (!gap.decided && accuracy == Accuracy::rounding) return std::nullopt;
    return basis;
}

std::optional<int> rank_of(const Matrix& a, Accuracy accuracy) {
    const linalg::SingularValues s = linalg::singular_values_only(a);
    if (s.values.empty()) return 0;
    const linalg::RankRule rule = rule_for(a, s.values.front(), accuracy);
    const linalg::RankGap gap = linalg::decide_rank(s.values, a.rows(), a.cols(), rule);
    return gap.decided || accuracy == Accuracy::half_the_digits ? std::optional(gap.rank) : std::nullopt;
}

/// Orthonormal columns of the same span, by modified Gram–Schmidt, twice.
Matrix orthonormal(Matrix a) {
    for (int j = 0; j < a.cols(); ++j) {
        const auto normalise = [&] {
            double norm = 0.0;
            for (const double v : a.column(j)) norm = std::hypot(norm, v);
            for (double& v : a.column(j)) v /= norm;
        };
        normalise();
        for (int twice = 0; twice < 2; ++twice) {
            for (int k = 0; k < j; ++k) {
                double dot = 0.0;
                for (int i = 0; i < a.rows(); ++i) dot += a(i, k) * a(i, j);
                for (int i = 0; i < a.rows(); ++i) a(i, j) -= dot * a(i, k);
            }
            normalise();
        }
    }
    return a;
}

/// Combinations of the rows of the scaled matrix in units of the rows themselves, of their largest entries at nominal
/// values: scales of equilibration follow entries that are about to vanish, and would tell little about which row
/// matters.
Matrix in_units_of_rows(Matrix W, const Equilibrated& e, const Matrix& jacobian,
                        const problem::DerivativeArray& array) {
    const auto unknowns = static_cast<std::size_t>(array.unknowns());
    for (int i = 0; i < W.rows(); ++i) {
        double size = 0.0;
        for (int j = 0; j < jacobian.cols(); ++j) {
            const std::size_t unknown = static_cast<std::size_t>(j) % unknowns;
            const double nominal = unknown < array.infos.size() ? std::abs(array.infos[unknown].nominal) : 1.0;
            size = std::max(size, std::abs(jacobian(i, j)) * nominal);
        }
        for (int j = 0; j < W.cols(); ++j) W(i, j) *= e.row[static_cast<std::size_t>(i)] * size;
    }
    return orthonormal(std::move(W));
}

Matrix chosen_rows(const Matrix& a, const std::vector<int>& rows) {
    Matrix result(static_cast<int>(rows.size()), a.cols());
    for (int j = 0; j < a.cols(); ++j)
        for (std::size_t i = 0; i < rows.size(); ++i) result(static_cast<int>(i), j) = a(rows[i], j);
    return result;
}

Matrix columns_of(const Matrix& a, std::span<const int> columns) {
    Matrix result(a.rows(), static_cast<int>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (int i = 0; i < a.rows(); ++i) result(i, static_cast<int>(j)) = a(i, columns[j]);
    return result;
}

bool follow_from_the_rest(const Matrix& scaled, int equations, std::span<const int> rows, Accuracy accuracy) {
    std::vector<int> rest, all;
    for (int i = 0; i < scaled.rows(); ++i) {
        const bool dropped = std::find(rows.begin(), rows.end(), i % equations) != rows.end();
        if (!dropped) rest.push_back(i);
        if (!dropped || i < equations) all.push_back(i);
    }
    const auto without = rank_of(chosen_rows(scaled, rest), accuracy),
               with = rank_of(chosen_rows(scaled, all), accuracy);
    return without && with && *without == *with;
}

} // namespace

std::optional<Matrix> open_directions(problem::DerivativeArray& array, double t, std::span<const double> z,
                                      std::span<const int> columns, Accuracy accuracy) {
    auto jacobian = array_jacobian(array, 0, t, z);
    if (!jacobian) return std::nullopt;
    drop_rounding(*jacobian);
    const Equilibrated e = equilibrated(columns_of(*jacobian, columns));
    auto V = null_space(e.a, accuracy);
    if (!V) return std::nullopt;
    for (int j = 0; j < V->cols(); ++j)
        for (int i = 0; i < V->rows(); ++i) {
            if (std::abs((*V)(i, j)) < 1e-3 * part_of) (*V)(i, j) = 0.0;
            (*V)(i, j) *= e.col[static_cast<std::size_t>(i)];
        }
    return orthonormal(*std::move(V));
}

std::optional<Matrix> nearly_open(problem::DerivativeArray& array, double t, std::span<const double> z,
                                  std::span<const int> columns, int count) {
    auto jacobian = array_jacobian(array, 0, t, z);
    if (!jacobian) return std::nullopt;
    const Equilibrated e = equilibrated(columns_of(*jacobian, columns));
    const linalg::SingularValues s = linalg::singular_values(e.a);
    if (!s.converged) return std::nullopt;
    Matrix V = s.v.columns(s.v.cols() - count, count);
    for (int j = 0; j < V.cols(); ++j)
        for (int i = 0; i < V.rows(); ++i) V(i, j) *= e.col[static_cast<std::size_t>(i)];
    return orthonormal(std::move(V));
}

std::optional<Matrix> nearly_dependent(problem::DerivativeArray& array, double t, std::span<const double> z,
                                       int count) {
    auto jacobian = array_jacobian(array, 0, t, z);
    if (!jacobian) return std::nullopt;
    drop_rounding(*jacobian);
    const Equilibrated e = equilibrated(*jacobian);
    const linalg::SingularValues s = linalg::singular_values(e.a);
    if (!s.converged) return std::nullopt;
    return in_units_of_rows(s.u.columns(s.u.cols() - count, count), e, *jacobian, array);
}

double distance(const Matrix& a, const Matrix& b) {
    if (a.cols() != b.cols()) return 1.0;
    if (a.cols() == 0) return 0.0;
    const Matrix off = b - a * linalg::transposed_times(a, b);
    return std::min(1.0, largest_value(off));
}

std::vector<ImpliedRow> implied_rows(problem::DerivativeArray& array, int order, double t, std::span<const double> z,
                                     std::span<const int> candidates, int count, Accuracy accuracy) {
    auto jacobian = array_jacobian(array, order, t, z);
    if (!jacobian || candidates.empty()) return {};
    drop_rounding(*jacobian);
    const Equilibrated e = equilibrated(*jacobian);
    const auto W = null_space(e.a.transposed(), accuracy); // Wᵀ J = 0
    if (!W || W->cols() == 0) return {};
    const Matrix sizes = in_units_of_rows(*W, e, *jacobian, array);
    // Rows of W that are far from depending on each other: what is left without them is far from it, too.
    Matrix on_candidates(W->cols(), static_cast<int>(candidates.size()));
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        const double later = 1.0 + 1e-3 * static_cast<double>(c) / static_cast<double>(candidates.size());
        for (int j = 0; j < W->cols(); ++j) on_candidates(j, static_cast<int>(c)) = later * sizes(candidates[c], j);
    }
    const linalg::RankDecision qr = linalg::rank_by_qr(on_candidates.view(), part_of);
    std::vector<int> rows;
    for (int k = 0; k < std::min(count, qr.rank); ++k)
        rows.push_back(candidates[static_cast<std::size_t>(qr.pivots[static_cast<std::size_t>(k)])]);
    std::sort(rows.begin(), rows.end());
    if (!follow_from_the_rest(e.a, array.equations(), rows, accuracy)) return {};
    // How: y = W s with y = e_i on the rows found.
    const Matrix Wd = chosen_rows(*W, rows);
    const Matrix inverse = linalg::pseudo_inverse(Wd, linalg::rank_rule(Wd.rows(), Wd.cols(), 1.0, part_of));
    std::vector<ImpliedRow> result;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        ImpliedRow implied{rows[k], {}};
        const Matrix y = *W * inverse.columns(static_cast<int>(k), 1);
        for (int i = 0; i < y.rows(); ++i) {
            const int equation = i % array.equations();
            if (std::abs(y(i, 0)) > part_of && std::find(rows.begin(), rows.end(), equation) == rows.end() &&
                std::find(implied.from.begin(), implied.from.end(), equation) == implied.from.end())
                implied.from.push_back(equation);
        }
        std::sort(implied.from.begin(), implied.from.end());
        result.push_back(std::move(implied));
    }
    return result;
}

} // namespace daedalus::analysis
