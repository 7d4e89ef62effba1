#include "structure/coloring.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

namespace daedalus::structure {

namespace {

struct Rows {
    std::vector<int> start, column;
};

Rows compressed_rows(const SparsityPattern& p) {
    Rows r{std::vector<int>(static_cast<std::size_t>(p.rows) + 1, 0), std::vector<int>(p.row_index.size())};
    for (int i : p.row_index) ++r.start[i + 1];
    for (int i = 0; i < p.rows; ++i) r.start[i + 1] += r.start[i];
    std::vector<int> next(r.start.begin(), r.start.end() - 1);
    for (int j = 0; j < p.cols; ++j)
        for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) r.column[next[p.row_index[k]]++] = j;
    return r;
}

// Greedy in a given order. Neighbours through short rows are listed; a long row (a sum over all nodes, say) keeps the
// set of its colours instead, because listing costs the square of its length.
class Greedy {
public:
    Greedy(const SparsityPattern& pattern, const Rows& rows, std::vector<int>& color)
        : p_(pattern), rows_(rows), color_(color), long_row_(static_cast<std::size_t>(pattern.rows), -1),
          forbidden_(static_cast<std::size_t>(pattern.cols) + 1, -1) {
        for (int i = 0; i < p_.rows; ++i)
            if (rows_.start[i + 1] - rows_.start[i] > long_length) {
                long_row_[i] = static_cast<int>(sets_.size());
                sets_.emplace_back();
            }
    }

    void assign(int j) {
        own_sets_.clear();
        int first = 0; // every smaller colour is taken in some long row
        for (int k = p_.column_start[j]; k < p_.column_start[j + 1]; ++k) {
            const int i = p_.row_index[k];
            if (long_row_[i] >= 0) {
                own_sets_.push_back(long_row_[i]);
                first = std::max(first, sets_[long_row_[i]].smallest_free);
                continue;
            }
            for (int m = rows_.start[i]; m < rows_.start[i + 1]; ++m) {
                const int taken = color_[rows_.column[m]];
                if (taken >= 0) forbidden_[taken] = j;
            }
        }
        int candidate = first;
        while (forbidden_[candidate] == j || taken_in_long_row(candidate)) ++candidate;
        color_[j] = candidate;
        for (int s : own_sets_) sets_[s].insert(candidate);
    }

private:
    static constexpr int long_length = 64;

    struct ColorSet {
        std::vector<char> used;
        int smallest_free = 0;

        [[nodiscard]] bool contains(int c) const { return static_cast<std::size_t>(c) < used.size() && used[c]; }
        void insert(int c) {
            if (used.size() <= static_cast<std::size_t>(c)) used.resize(2 * static_cast<std::size_t>(c) + 1, 0);
            used[c] = 1;
            while (contains(smallest_free)) ++smallest_free;
        }
    };

    [[nodiscard]] bool taken_in_long_row(int candidate) const {
        return std::any_of(own_sets_.begin(), own_sets_.end(), [&](int s) { return sets_[s].contains(candidate); });
    }

    const SparsityPattern& p_;
    const Rows& rows_;
    std::vector<int>& color_;
    std::vector<int> long_row_;  // number of the row's set, or −1
    std::vector<int> forbidden_; // colour → the last column that must not use it
    std::vector<ColorSet> sets_;
    std::vector<int> own_sets_;
};

int attempt(const SparsityPattern& pattern, const Rows& rows, const std::vector<int>& order, std::vector<int>& color) {
    color.assign(static_cast<std::size_t>(pattern.cols), -1);
    Greedy greedy(pattern, rows, color);
    for (int j : order)
        if (pattern.column_start[j + 1] > pattern.column_start[j]) greedy.assign(j);
    return color.empty() ? 0 : 1 + *std::max_element(color.begin(), color.end());
}

} // namespace

ColumnColoring color_columns(const SparsityPattern& pattern) {
    const Rows rows = compressed_rows(pattern);
    std::vector<int> natural(static_cast<std::size_t>(pattern.cols));
    std::iota(natural.begin(), natural.end(), 0);
    std::vector<int> by_degree = natural;
    std::stable_sort(by_degree.begin(), by_degree.end(), [&](int a, int b) {
        return pattern.column_start[a + 1] - pattern.column_start[a] >
               pattern.column_start[b + 1] - pattern.column_start[b];
    });

    // The natural order is optimal for bands, the order by degree better for irregular patterns: take the better one.
    ColumnColoring result;
    std::vector<int> other;
    result.colors = attempt(pattern, rows, by_degree, result.color_of);
    const int alternative = attempt(pattern, rows, natural, other);
    if (alternative < result.colors) {
        result.colors = alternative;
        result.color_of = std::move(other);
    }
    result.group.resize(static_cast<std::size_t>(result.colors));
    for (int j = 0; j < pattern.cols; ++j)
        if (result.color_of[j] >= 0) result.group[result.color_of[j]].push_back(j);
    return result;
}

} // namespace daedalus::structure
