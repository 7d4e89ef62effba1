#include "structure/matching.hpp"

#include "structure/hopcroft_karp.hpp"

#include <cassert>

namespace daedalus::structure {

namespace {

// Karp–Sipser start: while some free row or column has exactly one free neighbour, match the two (no maximum
// matching is lost by that); then take the next free row greedily, and go on. Linear time.
class KarpSipser {
public:
    KarpSipser(const Incidence& pattern, Matching& matching)
        : rows_(pattern), cols_(pattern.transposed()), m_(matching), row_degree_(pattern.rows),
          col_degree_(pattern.cols) {
        for (int i = 0; i < rows_.rows; ++i)
            if ((row_degree_[i] = static_cast<int>(rows_.row(i).size())) == 1) single_.push_back({i, true});
        for (int j = 0; j < cols_.rows; ++j)
            if ((col_degree_[j] = static_cast<int>(cols_.row(j).size())) == 1) single_.push_back({j, false});
    }

    void run() {
        match_singles();
        for (int i = 0; i < rows_.rows; ++i) {
            if (m_.column_of_row[i] >= 0) continue;
            int best = -1; // the rarest free column: the one that others will miss least
            for (int j : rows_.row(i))
                if (m_.row_of_column[j] < 0 && (best < 0 || col_degree_[j] < col_degree_[best])) best = j;
            if (best >= 0) take(i, best);
            match_singles();
        }
    }

private:
    struct Node {
        int id;
        bool is_row;
    };

    void match_singles() {
        while (!single_.empty()) {
            const Node node = single_.back();
            single_.pop_back();
            if (node.is_row) {
                if (m_.column_of_row[node.id] >= 0) continue;
                for (int j : rows_.row(node.id))
                    if (m_.row_of_column[j] < 0) {
                        take(node.id, j);
                        break;
                    }
            } else {
                if (m_.row_of_column[node.id] >= 0) continue;
                for (int i : cols_.row(node.id))
                    if (m_.column_of_row[i] < 0) {
                        take(i, node.id);
                        break;
                    }
            }
        }
    }

    void take(int row, int col) {
        m_.join(row, col);
        ++m_.size;
        for (int j : rows_.row(row))
            if (--col_degree_[j] == 1 && m_.row_of_column[j] < 0) single_.push_back({j, false});
        for (int i : cols_.row(col))
            if (--row_degree_[i] == 1 && m_.column_of_row[i] < 0) single_.push_back({i, true});
    }

    const Incidence& rows_;
    Incidence cols_;
    Matching& m_;
    std::vector<int> row_degree_, col_degree_; // free neighbours left
    std::vector<Node> single_;
};

} // namespace

Matching maximum_matching(const Incidence& pattern) {
    Matching matching = Matching::empty(pattern.rows, pattern.cols);
    KarpSipser(pattern, matching).run();
    augment_to_maximum(pattern, matching);
    return matching;
}

void augment_to_maximum(const Incidence& pattern, Matching& matching) {
    assert(static_cast<int>(matching.column_of_row.size()) == pattern.rows);
    assert(static_cast<int>(matching.row_of_column.size()) == pattern.cols);
    HopcroftKarp(pattern.rows, pattern.row_start, pattern.column).run(matching);
}

} // namespace daedalus::structure
