#include "facade/start_check.hpp"

#include "base/diagnostic.hpp"
#include "linalg/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::facade {

namespace {

constexpr std::size_t largest_model = 5'000; // equations: a courtesy that must not cost more than the start itself
constexpr double level = 1e-12;              // relative to equilibrated rows and columns: round-off of a few operations

// Rows, then columns, to largest entry 1: rank must not depend on units.
void equilibrate(compile::JacobianBlock& b) {
    const auto n = static_cast<std::size_t>(b.size);
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < n; ++i) {
            double size = 0;
            for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(b.values[j * n + i]));
            for (std::size_t j = 0; j < n && size > 0; ++j) b.values[j * n + i] /= size;
            size = 0;
            for (std::size_t j = 0; j < n; ++j) size = std::max(size, std::abs(b.values[i * n + j]));
            for (std::size_t j = 0; j < n && size > 0; ++j) b.values[i * n + j] /= size;
        }
}

// Members of a null vector that carry it, largest first.
std::vector<std::size_t> carriers(const std::vector<double>& v) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (std::abs(v[i]) > 1e-3) list.push_back(i);
    std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) { return std::abs(v[a]) > std::abs(v[b]); });
    if (list.size() > 6) list.resize(6);
    return list;
}

} // namespace

Diagnostics check_start(const compile::CompiledModel& compiled, double t, const std::vector<double>& u) {
    Diagnostics warnings;
    if (compiled.model->equations.size() > largest_model) return warnings;
    for (compile::JacobianBlock& block : compile::jacobian_blocks(compiled, t, u)) {
        if (!std::all_of(block.values.begin(), block.values.end(), [](double v) { return std::isfinite(v); })) continue;
        equilibrate(block);
        const linalg::RankDecision rank =
            linalg::rank_by_svd({block.values, block.size, block.size}, static_cast<double>(block.size) * level);
        if (rank.rank == block.size || rank.left_null.empty() || rank.right_null.empty()) continue;
        std::string variables;
        for (const std::size_t j : carriers(rank.right_null.front()))
            variables += (variables.empty() ? "" : ", ") + block.variables[j];
        const std::vector<std::size_t> rows = carriers(rank.left_null.front());
        Diagnostic d = make_error(
            "singular-start",
            rows.size() == 1
                ? fmt::format("at the start, {} does not determine {}: its derivative with respect to it is zero there",
                              block.equations[rows.front()], variables)
                : fmt::format("at the start, a combination of {} equations no longer contains {}: they are not "
                              "determined there",
                              rows.size(), variables));
        d.severity = Severity::warning;
        d.where = block.where[rows.front()];
        d.hint = "the solution may not be unique there, or may not go on; start a little beside this point";
        for (const std::size_t i : rows)
            if (rows.size() > 1)
                d.notes.push_back({Severity::note,
                                   "",
                                   fmt::format("{:.4g} times {}", rank.left_null.front()[i], block.equations[i]),
                                   block.where[i],
                                   "",
                                   {}});
        warnings.push_back(std::move(d));
    }
    return warnings;
}

} // namespace daedalus::facade
