// The phases of Hopcroft & Karp (1973) on an implicit pattern, for callers inside this folder: the pattern is the
// part of an Incidence whose entries pass a filter, so that the signature method can match on the tight entries of
// its dual without copying them.
#pragma once

#include "structure/matching.hpp"

#include <limits>
#include <vector>

namespace daedalus::structure {

/// Working space of hopcroft_karp, reused between calls.
class HopcroftKarp {
public:
    explicit HopcroftKarp(const Incidence& pattern)
        : pattern_(pattern), layer_(static_cast<std::size_t>(pattern.rows)),
          cursor_(static_cast<std::size_t>(pattern.rows)) {}

    /// Enlarges `m` to maximum size within the entries k (positions in pattern.column) of row i with allowed(i, k).
    template <class Allowed>
    void run(Matching& m, Allowed&& allowed) {
        while (layer(m, allowed)) {
            for (int root : roots_)
                if (augment(m, root, allowed)) ++m.size;
        }
    }

private:
    static constexpr int unseen = std::numeric_limits<int>::max();

    // Breadth-first layers of rows along alternating paths; true if a free column was reached. Layers beyond the
    // first free column are not built: only shortest augmenting paths are wanted in a phase.
    template <class Allowed>
    bool layer(const Matching& m, Allowed& allowed) {
        layer_.assign(layer_.size(), unseen);
        queue_.clear();
        roots_.clear();
        for (int i = 0; i < pattern_.rows; ++i) {
            cursor_[i] = pattern_.row_start[i];
            if (m.column_of_row[i] >= 0) continue;
            layer_[i] = 0;
            queue_.push_back(i);
            roots_.push_back(i);
        }
        int last = unseen;
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const int i = queue_[head];
            if (layer_[i] >= last) break;
            for (int k = pattern_.row_start[i]; k < pattern_.row_start[i + 1]; ++k) {
                const int next = m.row_of_column[pattern_.column[k]];
                if (next >= 0 && layer_[next] != unseen) continue;
                if (!allowed(i, k)) continue;
                if (next < 0) {
                    last = layer_[i] + 1;
                } else {
                    layer_[next] = layer_[i] + 1;
                    queue_.push_back(next);
                }
            }
        }
        return last != unseen;
    }

    // Depth-first along the layers from a free row; cursors are shared by all paths of a phase, so that each entry
    // is looked at once per phase. A row of a finished or abandoned path is taken out of the layering.
    template <class Allowed>
    bool augment(Matching& m, int root, Allowed& allowed) {
        path_.assign(1, root);
        while (!path_.empty()) {
            const int i = path_.back();
            if (cursor_[i] == pattern_.row_start[i + 1]) {
                layer_[i] = unseen;
                path_.pop_back();
                if (!path_.empty()) ++cursor_[path_.back()];
                continue;
            }
            const int k = cursor_[i];
            const int next = m.row_of_column[pattern_.column[k]];
            const bool forward = next < 0 || (layer_[next] != unseen && layer_[next] == layer_[i] + 1);
            if (!forward || !allowed(i, k)) {
                ++cursor_[i];
            } else if (next >= 0) {
                path_.push_back(next);
            } else {
                for (int row : path_) {
                    m.join(row, pattern_.column[cursor_[row]]);
                    layer_[row] = unseen;
                }
                return true;
            }
        }
        return false;
    }

    const Incidence& pattern_;
    std::vector<int> layer_, cursor_, queue_, roots_, path_;
};

} // namespace daedalus::structure
