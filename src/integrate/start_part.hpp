// The part of the initial value system that a question is about: active rows, free columns.
#pragma once

#include "integrate/local_matrix.hpp"
#include "integrate/start_solver.hpp"

#include <utility>

namespace daedalus::integrate {

struct ActivePart {
    SparsityPattern pattern;
    std::vector<int> columns; ///< unknown of each column
    std::vector<int> row_of;  ///< row of each equation, -1: not active
    std::vector<int> entry;   ///< position in the full pattern of each entry
};

[[nodiscard]] inline ActivePart active_part(const SparsityPattern& full, const Question& q) {
    ActivePart part;
    part.row_of.assign(static_cast<std::size_t>(full.rows), -1);
    int rows = 0;
    for (std::size_t i = 0; i < part.row_of.size(); ++i)
        if (q.active.empty() || q.active[i]) part.row_of[i] = rows++;
    ChosenEntries own = choose_entries(
        full, rows, [&](int j) { return !q.held[static_cast<std::size_t>(j)]; },
        [&](int row) { return part.row_of[static_cast<std::size_t>(row)]; }, [](int, int) { return true; });
    part.pattern = std::move(own.pattern);
    part.columns = std::move(own.column);
    part.entry = std::move(own.entry);
    return part;
}

} // namespace daedalus::integrate
