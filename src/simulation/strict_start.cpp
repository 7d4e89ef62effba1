#include "simulation/strict_start.hpp"

#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::simulation {

namespace {

struct Violation {
    int row = 0;
    double residual = 0.0, relative = 0.0;
};

/// Equations that the values as given violate, worst first, of the lowest stage that has any: what lies above follows
/// from them. What nobody said is as the solution has it.
std::vector<Violation> violated(const problem::InitialProblem& p, const integrate::ConsistentStart& start,
                                double tolerance) {
    std::vector<double> u = start.u, size(start.u.size()), row_size(static_cast<std::size_t>(p.equations), 0.0);
    for (std::size_t j = 0; j < u.size(); ++j) {
        if (p.unknowns[j].strength >= problem::Strength::preferred) u[j] = p.unknowns[j].start;
        size[j] = std::max(std::abs(u[j]), p.unknowns[j].nominal);
    }
    std::vector<double> g(static_cast<std::size_t>(p.equations)),
        entries(static_cast<std::size_t>(p.pattern.nonzeros()));
    const problem::Call call = p.binding.call();
    if (p.residual(call, p.t0, u.data(), g.data()) != problem::EvalStatus::ok ||
        p.jacobian(call, p.t0, u.data(), entries.data()) != problem::EvalStatus::ok)
        return {};
    for (std::size_t j = 0; j < u.size(); ++j)
        for (auto k = static_cast<std::size_t>(p.pattern.column_start[j]);
             k < static_cast<std::size_t>(p.pattern.column_start[j + 1]); ++k)
            row_size[static_cast<std::size_t>(p.pattern.row_index[k])] += std::abs(entries[k]) * size[j];
    std::vector<Violation> list;
    int lowest = std::numeric_limits<int>::max();
    const auto stage = [&](int row) {
        return p.equation_stage.empty() ? 0 : p.equation_stage[static_cast<std::size_t>(row)];
    };
    for (int i = 0; i < p.equations; ++i) {
        const double relative = std::abs(g[static_cast<std::size_t>(i)]) /
                                std::max(row_size[static_cast<std::size_t>(i)], std::numeric_limits<double>::min());
        if (!(relative > tolerance)) continue;
        list.push_back({i, g[static_cast<std::size_t>(i)], relative});
        lowest = std::min(lowest, stage(i));
    }
    std::erase_if(list, [&](const Violation& v) { return stage(v.row) != lowest; });
    std::stable_sort(list.begin(), list.end(),
                     [](const Violation& a, const Violation& b) { return a.relative > b.relative; });
    return list;
}

} // namespace

std::optional<Diagnostic> changed_start(const problem::InitialProblem& problem, const integrate::ConsistentStart& start,
                                        double tolerance) {
    constexpr std::size_t shown = 4;
    std::string changes;
    std::size_t count = 0;
    for (const integrate::StartChange& c : start.changes) {
        const double size = std::max(std::abs(c.before), problem.unknowns[static_cast<std::size_t>(c.unknown)].nominal);
        if (c.strength != problem::Strength::preferred || !(std::abs(c.after - c.before) > tolerance * size)) continue;
        if (++count <= shown)
            changes +=
                fmt::format("{}{} = {:.6g} ({:.6g} would do)", changes.empty() ? "" : ", ", c.name, c.before, c.after);
    }
    if (count == 0) return std::nullopt;
    if (count > shown) changes += fmt::format(" and {} more", count - shown);
    const std::vector<Violation> rows = violated(problem, start, tolerance);
    Diagnostic d = make_error("inconsistent-start",
                              rows.empty() ? fmt::format("the start values contradict the equations: {}", changes)
                                           : fmt::format("the start values violate {}: {}",
                                                         problem.names().equation(rows.front().row), changes),
                              "give values that satisfy it, or leave --strict out: then they are changed as little as "
                              "possible");
    if (!rows.empty()) d.where = problem.names().equation_location(rows.front().row);
    for (std::size_t k = 1; k < rows.size() && k < shown; ++k)
        d.notes.push_back({Severity::note,
                           "",
                           "and " + problem.names().equation(rows[k].row),
                           problem.names().equation_location(rows[k].row),
                           "",
                           {}});
    return d;
}

} // namespace daedalus::simulation
