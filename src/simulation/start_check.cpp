#include "simulation/start_check.hpp"

#include "base/diagnostic.hpp"
#include "elimination/dependent_rows.hpp"
#include "linalg/clear_rank.hpp"
#include "linalg/rank.hpp"
#include "linalg/regular_within.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace daedalus::simulation {

namespace {

// A courtesy must not cost more than the start itself: larger models are not checked, and larger blocks at the start
// only, by sparse elimination instead of singular values.
constexpr std::size_t largest_model = 20'000;
constexpr int largest_for_svd = 200;

/// Rows and columns divided by their largest entries: rank must not depend on units. What is below the smallest normal
/// number has no digits to speak of and no finite inverse: a row or column of nothing else stays as it is.
struct Equilibrated {
    std::vector<double> values; ///< column-major
    std::vector<double> row_scale, column_scale;
};

std::vector<double> dense(const compile::JacobianBlock& b) {
    const auto n = static_cast<std::size_t>(b.size());
    std::vector<double> values(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (const auto& e : b.values[i]) values[static_cast<std::size_t>(e.column) * n + i] = e.value;
    return values;
}

Equilibrated equilibrate(const compile::JacobianBlock& b) {
    const auto n = static_cast<std::size_t>(b.size());
    Equilibrated e{dense(b), std::vector<double>(n, 1.0), std::vector<double>(n, 1.0)};
    constexpr double least = std::numeric_limits<double>::min();
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < n; ++i) {
            double size = 0;
            for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(e.values[j * n + i]));
            for (std::size_t j = 0; j < n && size >= least; ++j) e.values[j * n + i] /= size;
            if (size >= least) e.row_scale[i] /= size;
            size = 0;
            for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(e.values[i * n + j]));
            for (std::size_t j = 0; j < n && size >= least; ++j) e.values[i * n + j] /= size;
            if (size >= least) e.column_scale[i] /= size;
        }
    return e;
}

bool finite(const compile::JacobianBlock& block) {
    return std::all_of(block.values.begin(), block.values.end(), [](const auto& row) {
        return std::all_of(row.begin(), row.end(), [](const auto& e) { return std::isfinite(e.value); });
    });
}

// A null vector of the equilibrated matrix as one of the matrix itself, with largest entry 1. Scales may be as far
// apart as numbers can be: their products need the range of long double.
std::vector<double> in_model_units(std::vector<double> v, const std::vector<double>& scale) {
    const auto scaled = [&](std::size_t i) { return static_cast<long double>(v[i]) * scale[i]; };
    long double largest = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (std::abs(scaled(i)) > std::abs(largest)) largest = scaled(i);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = largest == 0.0 ? 0.0 : static_cast<double>(scaled(i) / largest);
    return v;
}

// Members of a null vector that carry it, largest first.
std::vector<std::size_t> carriers(const std::vector<double>& v) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (std::abs(v[i]) > 1e-3) list.push_back(i);
    std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) { return std::abs(v[a]) > std::abs(v[b]) + 1e-9; });
    if (list.size() > 6) list.resize(6);
    return list;
}

// "1·[line 7: a + b = 2] − 2·[line 9: …]"
std::string combination(const std::vector<compile::BlockEquation>& equations, const std::vector<double>& weights) {
    std::string text;
    for (std::size_t i = 0; i < equations.size(); ++i) {
        const char* sign = weights[i] < 0 ? (text.empty() ? "−" : " − ") : (text.empty() ? "" : " + ");
        const std::string line = equations[i].where ? fmt::format("line {}: ", equations[i].where->line) : "";
        const std::string factor = equations.size() == 1 ? "" : fmt::format("{:.4g}·", std::abs(weights[i]));
        text += fmt::format("{}{}[{}{}]", sign, factor, line, equations[i].text);
    }
    return text;
}

struct Singular {
    std::vector<compile::BlockEquation> equations;
    std::string combination, variables;
    std::vector<int> origins; ///< of all equations with a share, however small
};

// From a left and a right null vector.
Singular describe(const compile::CompiledModel& compiled, int block, const std::vector<double>& left,
                  const std::vector<double>& right) {
    Singular s;
    std::vector<double> weights;
    for (const std::size_t i : carriers(left)) {
        s.equations.push_back(compile::block_equation(compiled, block, static_cast<int>(i)));
        weights.push_back(left[i]);
    }
    s.combination = combination(s.equations, weights);
    constexpr double share = 1e-6; // far above what round-off leaves of a zero
    for (std::size_t i = 0; i < left.size(); ++i)
        if (std::abs(left[i]) > share)
            s.origins.push_back(compile::block_equation(compiled, block, static_cast<int>(i)).origin);
    for (const std::size_t j : carriers(right))
        s.variables +=
            (s.variables.empty() ? "" : ", ") + compile::block_variable(compiled, block, static_cast<int>(j));
    return s;
}

// The combination that belongs to the smallest singular value.
Singular describe(const compile::CompiledModel& compiled, int block, const Equilibrated& e,
                  const linalg::RankDecision& rank) {
    return describe(compiled, block, in_model_units(rank.left_null.back(), e.row_scale),
                    in_model_units(rank.right_null.back(), e.column_scale));
}

/// Whether bad scaling alone makes the block look singular: it is regular whatever its entries are within their
/// errors, those of a point that is known to `level`.
bool only_badly_scaled(const compile::JacobianBlock& block, double level) {
    constexpr int largest_inverse = 1000; // a second
    if (block.size() > largest_inverse) return false;
    const auto n = static_cast<std::size_t>(block.size());
    const double times = std::max(1.0, level / compile::point_accuracy);
    std::vector<double> errors(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < block.values[i].size(); ++k)
            errors[static_cast<std::size_t>(block.values[i][k].column) * n + i] = times * block.errors[i][k];
    return linalg::regular_within({dense(block), block.size(), block.size()}, errors);
}

std::optional<Singular> singular_by_svd(const compile::CompiledModel& compiled, const compile::JacobianBlock& block,
                                        double level) {
    const Equilibrated e = equilibrate(block);
    const double tolerance = static_cast<double>(block.size()) * level;
    if (linalg::clearly_regular({e.values, block.size(), block.size()}, tolerance) || only_badly_scaled(block, level))
        return std::nullopt;
    const linalg::RankDecision rank = linalg::rank_by_svd({e.values, block.size(), block.size()}, tolerance);
    if (rank.rank == block.size() || rank.left_null.empty() || rank.right_null.empty()) return std::nullopt;
    return describe(compiled, block.number, e, rank);
}

/// Whether the weighted rows cancel in every column. Round-off that grew on the way through a large block also makes
/// elimination call a row dependent; then the weights cancel nothing.
bool cancels(const std::vector<elimination::SparseRow<double>>& rows, const std::vector<double>& weights, int columns) {
    std::vector<double> sum(static_cast<std::size_t>(columns), 0.0), size(sum);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& entry : rows[i]) {
            sum[static_cast<std::size_t>(entry.column)] += weights[i] * entry.value;
            size[static_cast<std::size_t>(entry.column)] += std::abs(weights[i] * entry.value);
        }
    constexpr double half_the_digits = 1e-8; // the square root of a rounding: less is no cancellation

    const double largest = *std::max_element(size.begin(), size.end());
    return std::all_of(sum.begin(), sum.end(), [&](double s) { return std::abs(s) <= half_the_digits * largest; });
}

std::optional<Singular> singular_by_elimination(const compile::CompiledModel& compiled,
                                                const compile::JacobianBlock& block, double level) {
    const auto null_vector = [&](const std::vector<elimination::SparseRow<double>>& rows) -> std::vector<double> {
        const auto d = elimination::dependent_rows(rows, block.size(), level);
        if (d.found.empty()) return {};
        std::vector<double> v(rows.size(), 0.0);
        for (std::size_t k = 0; k < d.found[0].rows.size(); ++k)
            v[static_cast<std::size_t>(d.found[0].rows[k])] = d.found[0].weights[k];
        if (!cancels(rows, v, block.size())) return {};
        return in_model_units(std::move(v), std::vector<double>(rows.size(), 1.0));
    };
    const std::vector<double> left = null_vector(block.values);
    if (left.empty() || only_badly_scaled(block, level)) return std::nullopt;
    const std::vector<double> right = null_vector(elimination::transposed(block.values, block.size()));
    if (right.empty()) return std::nullopt;
    return describe(compiled, block.number, left, right);
}

double smallest(const linalg::RankDecision& rank) {
    return rank.singular_values.empty() ? 0.0 : rank.singular_values.back();
}

} // namespace

namespace {

template <class Visit>
void each_singular_block(const compile::CompiledModel& compiled, double t, const std::vector<double>& u, double level,
                         Visit&& visit) {
    if (compiled.model->equations.size() > largest_model) return;
    for (const compile::JacobianBlock& block : compile::jacobian_blocks(compiled, t, u)) {
        if (!finite(block)) continue;
        if (block.size() == 1 && block.values[0].size() == 1 && block.values[0][0].value != 0.0) continue;
        const std::optional<Singular> s = block.size() <= largest_for_svd
                                              ? singular_by_svd(compiled, block, level)
                                              : singular_by_elimination(compiled, block, level);
        if (s) visit(*s);
    }
}

} // namespace

std::vector<std::vector<int>> dependent_equations(const compile::CompiledModel& compiled, double t,
                                                  const std::vector<double>& u, double level) {
    std::vector<std::vector<int>> sets;
    each_singular_block(compiled, t, u, level, [&](const Singular& s) { sets.push_back(s.origins); });
    return sets;
}

Diagnostics check_start(const compile::CompiledModel& compiled, double t, const std::vector<double>& u, double level) {
    Diagnostics warnings;
    each_singular_block(compiled, t, u, level, [&](const Singular& s) {
        Diagnostic d = make_error(
            "singular-start",
            s.equations.size() == 1
                ? fmt::format("at the start, {} does not determine {}: its derivative with respect to it is zero there",
                              s.equations.front().text, s.variables)
                : fmt::format("at the start, a combination of {} equations no longer contains {}: they are not "
                              "determined there",
                              s.equations.size(), s.variables));
        d.severity = Severity::warning;
        d.where = s.equations.front().where;
        d.hint = "the solution may not be unique there, or may not go on; start a little beside this point";
        if (s.equations.size() > 1)
            d.notes.push_back({Severity::note, "", "the combination: " + s.combination, std::nullopt, "", {}});
        warnings.push_back(std::move(d));
    });
    return warnings;
}

Diagnostics check_end(const compile::CompiledModel& compiled, double t0, const std::vector<double>& u0, double t,
                      const std::vector<double>& x, const std::vector<double>& dx, double level_at_end) {
    Diagnostics notes;
    if (t == t0 || compiled.model->equations.size() > largest_model) return notes; // said at the start already
    // What the formulation does not carry is unknown here; blocks that depend on it are left out.
    const problem::InitialProblem& p = compiled.initial;
    std::vector<double> u(u0.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < p.dx_from.size(); ++i)
        if (p.dx_from[i] >= 0) u[static_cast<std::size_t>(p.dx_from[i])] = dx[i];
    for (std::size_t i = 0; i < p.x_from.size(); ++i)
        if (p.x_from[i] >= 0) u[static_cast<std::size_t>(p.x_from[i])] = x[i];
    const std::vector<compile::JacobianBlock> before = compile::jacobian_blocks(compiled, t0, u0);
    const std::vector<compile::JacobianBlock> now = compile::jacobian_blocks(compiled, t, u);
    for (std::size_t b = 0; b < now.size(); ++b) {
        const compile::JacobianBlock& block = now[b];
        if (block.size() > largest_for_svd || !finite(block) || !finite(before[b])) continue;
        // In the scales of the start: scaled by itself, an equation whose entries all vanish would look healthy.
        Equilibrated e = equilibrate(before[b]);
        const double healthy = smallest(linalg::rank_by_svd({e.values, block.size(), block.size()}));
        const auto n = static_cast<std::size_t>(block.size());
        const std::vector<double> values = dense(block);
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i)
                e.values[j * n + i] = values[j * n + i] * e.row_scale[i] * e.column_scale[j];
        if (!std::all_of(e.values.begin(), e.values.end(), [](double v) { return std::isfinite(v); })) continue;
        // Everything counts as zero: the last null vector is that of the smallest singular value.
        const linalg::RankDecision rank = linalg::rank_by_svd({e.values, block.size(), block.size()}, 2.0);
        if (rank.left_null.empty() || rank.right_null.empty() || !(smallest(rank) <= level_at_end * healthy)) continue;
        const Singular s = describe(compiled, block.number, e, rank);
        notes.push_back({Severity::note,
                         "",
                         fmt::format("the system Jacobian becomes singular at t = {:.10g}: there {} no longer contains "
                                     "{}",
                                     t, s.combination, s.variables),
                         s.equations.front().where,
                         "",
                         {}});
    }
    return notes;
}

} // namespace daedalus::simulation
