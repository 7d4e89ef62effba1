// The phases of Hopcroft & Karp (1973) for callers inside this folder. After the shortest augmenting paths of a phase,
// one pass of unrestricted depth-first searches from the rows still free picks up longer ones (Duff & Wiberg 1988);
// without it the last few rows of irregular patterns cost a phase each.
#pragma once

#include "structure/matching.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::structure {

/// A pattern with the working space to match on it; reused between calls.
class HopcroftKarp {
public:
    HopcroftKarp(int rows, std::span<const int> row_start, std::span<const int> column)
        : rows_(rows), row_start_(row_start), column_(column), layer_(static_cast<std::size_t>(rows)),
          cursor_(static_cast<std::size_t>(rows)) {}

    /// Enlarges `m` to maximum size.
    void run(Matching& m) {
        while (layer(m)) {
            for (int root : roots_) augment(m, root, [this](int i, int next) { return layer_[next] == layer_[i] + 1; });
            // Second pass: layers lose their meaning, `unseen` means not visited.
            std::fill(layer_.begin(), layer_.end(), 0);
            std::copy(row_start_.begin(), row_start_.end() - 1, cursor_.begin());
            for (int root : roots_)
                if (m.column_of_row[root] < 0) augment(m, root, [this](int, int next) { return enter(next); });
        }
    }

private:
    static constexpr int unseen = std::numeric_limits<int>::max();

    // Breadth-first layers of rows along alternating paths; true if a free column was reached. Layers beyond the
    // first free column are not built: only shortest augmenting paths are wanted.
    bool layer(const Matching& m) {
        std::fill(layer_.begin(), layer_.end(), unseen);
        std::copy(row_start_.begin(), row_start_.end() - 1, cursor_.begin());
        queue_.clear();
        roots_.clear();
        for (int i = 0; i < rows_; ++i) {
            if (m.column_of_row[i] >= 0 || row_start_[i] == row_start_[i + 1]) continue;
            layer_[i] = 0;
            queue_.push_back(i);
            roots_.push_back(i);
        }
        int last = unseen;
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const int i = queue_[head];
            if (layer_[i] >= last) break;
            for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
                const int next = m.row_of_column[column_[k]];
                if (next < 0) {
                    last = layer_[i] + 1;
                } else if (layer_[next] == unseen) {
                    layer_[next] = layer_[i] + 1;
                    queue_.push_back(next);
                }
            }
        }
        return last != unseen;
    }

    // Marks a row as visited; false if it was already.
    bool enter(int row) { return std::exchange(layer_[row], unseen) != unseen; }

    // Depth-first from a free row over the steps that `forward` admits. Cursors are shared by all paths of a pass, so
    // that each entry is looked at once. A row of a finished or abandoned path is taken out.
    template <class Forward>
    void augment(Matching& m, int root, Forward forward) {
        path_.assign(1, root);
        while (!path_.empty()) {
            const int i = path_.back();
            if (cursor_[i] == row_start_[i + 1]) {
                layer_[i] = unseen;
                path_.pop_back();
                if (!path_.empty()) ++cursor_[path_.back()];
                continue;
            }
            const int next = m.row_of_column[column_[cursor_[i]]];
            if (next < 0) {
                for (int row : path_) {
                    m.join(row, column_[cursor_[row]]);
                    layer_[row] = unseen;
                }
                ++m.size;
                return;
            }
            if (layer_[next] != unseen && forward(i, next))
                path_.push_back(next);
            else
                ++cursor_[i];
        }
    }

    int rows_;
    std::span<const int> row_start_, column_;
    std::vector<int> layer_, cursor_, queue_, roots_, path_;
};

} // namespace daedalus::structure
