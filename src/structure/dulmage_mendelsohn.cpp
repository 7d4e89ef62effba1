#include "structure/dulmage_mendelsohn.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace daedalus::structure {

namespace {

// Rows on alternating paths row → any column → its matched row, from the free rows of `pattern`.
struct Reached {
    std::vector<char> row, col;
};

Reached alternating_reach(const Incidence& pattern, const std::vector<int>& column_of_row,
                          const std::vector<int>& row_of_column) {
    Reached reached{std::vector<char>(column_of_row.size(), 0), std::vector<char>(row_of_column.size(), 0)};
    std::vector<int> queue;
    for (int i = 0; i < pattern.rows; ++i)
        if (column_of_row[i] < 0) {
            reached.row[i] = 1;
            queue.push_back(i);
        }
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (int j : pattern.row(queue[head])) {
            if (reached.col[j]) continue;
            reached.col[j] = 1;
            const int next = row_of_column[j];
            assert(next >= 0 && "the matching is not of maximum size");
            if (reached.row[next]) continue;
            reached.row[next] = 1;
            queue.push_back(next);
        }
    return reached;
}

// Connected components of the part of the pattern between given rows and columns.
std::vector<Part> connected_components(const Incidence& pattern, const Part& part) {
    if (part.empty()) return {};
    const Incidence sub = pattern.submatrix(part.equations, part.variables);
    const Incidence back = sub.transposed();
    std::vector<char> row_seen(part.equations.size(), 0), col_seen(part.variables.size(), 0);
    std::vector<Part> components;
    std::vector<int> rows, cols; // queues of local numbers
    const auto flood = [&] {
        std::size_t row_head = 0, col_head = 0;
        while (row_head < rows.size() || col_head < cols.size()) {
            if (row_head < rows.size()) {
                for (int j : sub.row(rows[row_head++]))
                    if (!std::exchange(col_seen[j], 1)) cols.push_back(j);
            } else {
                for (int i : back.row(cols[col_head++]))
                    if (!std::exchange(row_seen[i], 1)) rows.push_back(i);
            }
        }
        std::sort(rows.begin(), rows.end());
        std::sort(cols.begin(), cols.end());
        Part& component = components.emplace_back();
        for (int i : rows) component.equations.push_back(part.equations[i]);
        for (int j : cols) component.variables.push_back(part.variables[j]);
        rows.clear();
        cols.clear();
    };
    for (int i = 0; i < sub.rows; ++i)
        if (!std::exchange(row_seen[i], 1)) {
            rows.push_back(i);
            flood();
        }
    for (int j = 0; j < sub.cols; ++j)
        if (!std::exchange(col_seen[j], 1)) {
            cols.push_back(j);
            flood();
        }
    return components;
}

std::vector<Part> irreducible_blocks(const Incidence& pattern, const Part& well, const Matching& matching) {
    if (well.empty()) return {};
    std::vector<int> local(static_cast<std::size_t>(pattern.cols), -1);
    for (std::size_t k = 0; k < well.variables.size(); ++k) local[well.variables[k]] = static_cast<int>(k);
    const int n = static_cast<int>(well.equations.size());
    Matching inner = Matching::empty(n, n);
    inner.size = n;
    for (int k = 0; k < n; ++k) inner.join(k, local[matching.column_of_row[well.equations[k]]]);
    const BlockTriangularForm form = block_triangular_form(pattern.submatrix(well.equations, well.variables), inner);
    std::vector<Part> blocks(static_cast<std::size_t>(form.count()));
    for (int b = 0; b < form.count(); ++b) {
        for (int i : form.equations(b)) blocks[b].equations.push_back(well.equations[i]);
        for (int j : form.variables(b)) blocks[b].variables.push_back(well.variables[j]);
        std::sort(blocks[b].equations.begin(), blocks[b].equations.end());
        std::sort(blocks[b].variables.begin(), blocks[b].variables.end());
    }
    return blocks;
}

Determination classify(bool over, bool under) {
    assert(!(over && under));
    return over ? Determination::over : under ? Determination::under : Determination::well;
}

} // namespace

DulmageMendelsohn dulmage_mendelsohn(const Incidence& pattern) {
    return dulmage_mendelsohn(pattern, maximum_matching(pattern));
}

DulmageMendelsohn dulmage_mendelsohn(const Incidence& pattern, Matching maximum) {
    DulmageMendelsohn dm;
    dm.matching = std::move(maximum);
    const Matching& m = dm.matching;
    const Reached over = alternating_reach(pattern, m.column_of_row, m.row_of_column);
    const Reached under = alternating_reach(pattern.transposed(), m.row_of_column, m.column_of_row);

    const auto part = [&dm](Determination d) -> Part& {
        return d == Determination::over ? dm.over : d == Determination::under ? dm.under : dm.well;
    };
    for (int i = 0; i < pattern.rows; ++i) {
        dm.of_equation.push_back(classify(over.row[i], under.col[i]));
        part(dm.of_equation.back()).equations.push_back(i);
    }
    for (int j = 0; j < pattern.cols; ++j) {
        dm.of_variable.push_back(classify(over.col[j], under.row[j]));
        part(dm.of_variable.back()).variables.push_back(j);
    }
    dm.over_components = connected_components(pattern, dm.over);
    dm.under_components = connected_components(pattern, dm.under);
    dm.well_blocks = irreducible_blocks(pattern, dm.well, m);
    return dm;
}

} // namespace daedalus::structure
