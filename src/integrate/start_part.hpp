// The part of the initial value system that a question is about: active rows, free columns.
#pragma once

#include "integrate/start_solver.hpp"

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
    part.pattern.rows = rows;
    part.pattern.column_start.push_back(0);
    for (int j = 0; j < full.cols; ++j) {
        if (q.held[static_cast<std::size_t>(j)]) continue;
        part.columns.push_back(j);
        for (int k = full.column_start[j]; k < full.column_start[j + 1]; ++k) {
            const int row = part.row_of[static_cast<std::size_t>(full.row_index[k])];
            if (row < 0) continue;
            part.pattern.row_index.push_back(row);
            part.entry.push_back(k);
        }
        part.pattern.column_start.push_back(part.pattern.nonzeros());
    }
    part.pattern.cols = static_cast<int>(part.columns.size());
    return part;
}

} // namespace daedalus::integrate
