#include "structure/incidence.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::structure {

Incidence Incidence::transposed() const {
    Incidence t;
    t.rows = cols;
    t.cols = rows;
    t.row_start.assign(static_cast<std::size_t>(cols) + 1, 0);
    for (int j : column) ++t.row_start[j + 1];
    for (int j = 0; j < cols; ++j) t.row_start[j + 1] += t.row_start[j];
    t.column.resize(column.size());
    std::vector<int> next(t.row_start.begin(), t.row_start.end() - 1);
    for (int i = 0; i < rows; ++i)
        for (int j : row(i)) t.column[next[j]++] = i;
    return t;
}

Incidence Incidence::submatrix(std::span<const int> keep_rows, std::span<const int> keep_cols) const {
    std::vector<int> new_column(static_cast<std::size_t>(cols), -1);
    for (std::size_t k = 0; k < keep_cols.size(); ++k) new_column[keep_cols[k]] = static_cast<int>(k);
    Incidence s;
    s.rows = static_cast<int>(keep_rows.size());
    s.cols = static_cast<int>(keep_cols.size());
    s.row_start.reserve(keep_rows.size() + 1);
    for (int i : keep_rows) {
        for (int j : row(i))
            if (new_column[j] >= 0) s.column.push_back(new_column[j]);
        std::sort(s.column.begin() + s.row_start.back(), s.column.end());
        s.row_start.push_back(s.entries());
    }
    return s;
}

Incidence Incidence::from_rows(int cols, const std::vector<std::vector<int>>& rows) {
    Incidence a;
    a.rows = static_cast<int>(rows.size());
    a.cols = cols;
    a.row_start.reserve(rows.size() + 1);
    for (const std::vector<int>& columns : rows) {
        assert(std::all_of(columns.begin(), columns.end(), [&](int j) { return 0 <= j && j < cols; }));
        const auto first = a.column.insert(a.column.end(), columns.begin(), columns.end());
        std::sort(first, a.column.end());
        a.column.erase(std::unique(first, a.column.end()), a.column.end());
        a.row_start.push_back(a.entries());
    }
    return a;
}

int SignatureMatrix::order_of(int equation, int variable) const {
    const std::span<const int> columns = variables_of(equation);
    const auto it = std::lower_bound(columns.begin(), columns.end(), variable);
    if (it == columns.end() || *it != variable) return -1;
    return orders_of(equation)[static_cast<std::size_t>(it - columns.begin())];
}

SignatureMatrix SignatureMatrix::from_entries(int equations, int variables, std::span<const SignatureEntry> entries) {
    // Two counting sorts, by variable and then stably by equation, leave the columns sorted within the rows.
    std::vector<int> start(static_cast<std::size_t>(std::max(equations, variables)) + 1, 0);
    std::vector<SignatureEntry> by_variable(entries.size());
    for (const SignatureEntry& e : entries) {
        assert(0 <= e.equation && e.equation < equations && 0 <= e.variable && e.variable < variables && e.order >= 0);
        ++start[e.variable + 1];
    }
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    for (const SignatureEntry& e : entries) by_variable[start[e.variable]++] = e;

    SignatureMatrix m;
    m.pattern.rows = equations;
    m.pattern.cols = variables;
    m.pattern.row_start.assign(static_cast<std::size_t>(equations) + 1, 0);
    m.pattern.column.resize(entries.size());
    m.order.resize(entries.size());
    std::vector<int>& row_start = m.pattern.row_start;
    for (const SignatureEntry& e : entries) ++row_start[e.equation + 1];
    for (int i = 0; i < equations; ++i) row_start[i + 1] += row_start[i];
    std::vector<int> end(row_start.begin(), row_start.end() - 1);
    for (const SignatureEntry& e : by_variable) {
        int& k = end[e.equation];
        if (k > row_start[e.equation] && m.pattern.column[k - 1] == e.variable) {
            m.order[k - 1] = std::max(m.order[k - 1], e.order);
        } else {
            m.pattern.column[k] = e.variable;
            m.order[k] = e.order;
            ++k;
        }
    }
    // Merged duplicates left gaps at the row ends: close them.
    int filled = 0;
    for (int i = 0; i < equations; ++i) {
        const int first = row_start[i];
        row_start[i] = filled;
        for (int k = first; k < end[i]; ++k, ++filled) {
            m.pattern.column[filled] = m.pattern.column[k];
            m.order[filled] = m.order[k];
        }
    }
    row_start[equations] = filled;
    m.pattern.column.resize(filled);
    m.order.resize(filled);
    return m;
}

} // namespace daedalus::structure
