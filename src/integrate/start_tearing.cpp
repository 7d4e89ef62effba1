#include "integrate/start_tearing.hpp"

#include "structure/tearing.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// Entries evaluated per sweep through a group's levels: with some 30 sweeps still a second.
constexpr double affordable = 1e7;
// Of the largest coefficient of its row: what is smaller may well vanish on the way.
constexpr double significant = 1e-3;

/// The group's part of the pattern by rows, local numbers, with the position of each entry.
struct LocalPattern {
    structure::Incidence rows;
    std::vector<int> entry;
    std::vector<char> solvable;
};

bool depends_on(const problem::InitialProblem& p, int entry, int unknown) {
    const auto first = p.dependency.begin() + p.dependency_start[static_cast<std::size_t>(entry)];
    const auto last = p.dependency.begin() + p.dependency_start[static_cast<std::size_t>(entry) + 1];
    return std::find(first, last, unknown) != last;
}

LocalPattern local_pattern(const problem::InitialProblem& p, const StartGroup& group,
                           const std::vector<double>& jacobian) {
    std::vector<int> local_row(static_cast<std::size_t>(p.equations), -1);
    for (std::size_t i = 0; i < group.equations.size(); ++i)
        local_row[static_cast<std::size_t>(group.equations[i])] = static_cast<int>(i);
    struct Entry {
        int column, position;
    };
    std::vector<std::vector<Entry>> rows(group.equations.size()); // columns ascend
    for (std::size_t j = 0; j < group.unknowns.size(); ++j) {
        const auto column = static_cast<std::size_t>(group.unknowns[j]);
        for (int k = p.pattern.column_start[column]; k < p.pattern.column_start[column + 1]; ++k)
            if (const int i = local_row[static_cast<std::size_t>(p.pattern.row_index[static_cast<std::size_t>(k)])];
                i >= 0)
                rows[static_cast<std::size_t>(i)].push_back({static_cast<int>(j), k});
    }
    LocalPattern result;
    result.rows.rows = result.rows.cols = static_cast<int>(group.equations.size());
    for (const auto& row : rows) {
        const auto size = [&](const Entry& e) {
            const auto unknown = static_cast<std::size_t>(group.unknowns[static_cast<std::size_t>(e.column)]);
            return std::abs(jacobian[static_cast<std::size_t>(e.position)]) * p.unknowns[unknown].nominal;
        };
        double largest = 0.0;
        for (const Entry& e : row) largest = std::max(largest, size(e));
        for (const Entry& e : row) {
            result.rows.column.push_back(e.column);
            result.entry.push_back(e.position);
            result.solvable.push_back(size(e) >= significant * largest && largest > 0.0 &&
                                      !depends_on(p, e.position, group.unknowns[static_cast<std::size_t>(e.column)]));
        }
        result.rows.row_start.push_back(static_cast<int>(result.rows.column.size()));
    }
    return result;
}

} // namespace

std::optional<GroupTearing> tear_group(const problem::InitialProblem& problem, const StartGroup& group,
                                       const std::vector<double>& jacobian) {
    if (problem.dependency_start.empty() || group.linear || group.equations.size() < 2) return std::nullopt;
    const LocalPattern pattern = local_pattern(problem, group, jacobian);
    const structure::Tearing tearing = structure::tear(pattern.rows, pattern.solvable);
    if (tearing.sequence.empty()) return std::nullopt;
    GroupTearing result;
    for (const int j : tearing.torn_variables) result.torn.push_back(group.unknowns[static_cast<std::size_t>(j)]);
    std::vector<std::size_t> level_of(group.unknowns.size(), 0); // torn ones are known before the first
    for (const structure::SolveStep& step : tearing.sequence) {
        std::size_t level = 0;
        GroupTearing::Assignment assignment{group.equations[static_cast<std::size_t>(step.equation)],
                                            group.unknowns[static_cast<std::size_t>(step.variable)], -1};
        const auto row = static_cast<std::size_t>(step.equation);
        for (int k = pattern.rows.row_start[row]; k < pattern.rows.row_start[row + 1]; ++k) {
            const int column = pattern.rows.column[static_cast<std::size_t>(k)];
            if (column == step.variable)
                assignment.entry = pattern.entry[static_cast<std::size_t>(k)];
            else
                level = std::max(level, level_of[static_cast<std::size_t>(column)]);
        }
        level_of[static_cast<std::size_t>(step.variable)] = level + 1;
        if (result.levels.size() <= level) result.levels.resize(level + 1);
        result.levels[level].push_back(assignment);
    }
    const double work = static_cast<double>(result.levels.size()) * static_cast<double>(problem.pattern.nonzeros());
    if (work > affordable) return std::nullopt;
    return result;
}

} // namespace daedalus::integrate
