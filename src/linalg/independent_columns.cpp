#include "linalg/independent_columns.hpp"

#include "linalg/equilibration.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::linalg {

namespace {

// Among rows within this factor of the largest candidate, the one that fewest later columns use becomes the pivot.
constexpr double threshold = 0.1;

/// The columns of L found so far: unit lower triangular, one column per pivot row.
class Elimination {
public:
    Elimination(int rows, std::vector<int> row_count)
        : row_count_(std::move(row_count)), x_(static_cast<std::size_t>(rows), 0.0),
          mark_(static_cast<std::size_t>(rows), -1), column_of_row_(static_cast<std::size_t>(rows), -1) {
        start_.push_back(0);
    }

    /// x := L⁻¹ a on the rows reached; returns the largest entry among rows without a pivot.
    double reduce(std::span<const int> rows, std::span<const double> values, int stamp) {
        order_.clear();
        for (int row : rows) --row_count_[at(row)];
        for (int row : rows)
            if (mark_[at(row)] != stamp) depth_first(row, stamp);
        for (int row : order_) x_[at(row)] = 0.0;
        for (std::size_t k = 0; k < rows.size(); ++k) x_[at(rows[k])] += values[k];
        double largest = 0.0;
        for (auto it = order_.rbegin(); it != order_.rend(); ++it) { // topological order
            const int column = column_of_row_[at(*it)];
            const double x = x_[at(*it)];
            if (column < 0) {
                largest = std::max(largest, std::abs(x));
                continue;
            }
            if (x == 0.0) continue;
            work_ += static_cast<double>(start_[at(column) + 1] - start_[at(column)]);
            for (std::size_t k = start_[at(column)]; k < start_[at(column) + 1]; ++k) x_[at(row_[k])] -= x * value_[k];
        }
        return largest;
    }

    /// Makes the reduced column the next column of L; returns its pivot row.
    int append(double largest) {
        int pivot = -1;
        for (int row : order_)
            if (column_of_row_[at(row)] < 0 && std::abs(x_[at(row)]) >= threshold * largest &&
                (pivot < 0 || row_count_[at(row)] < row_count_[at(pivot)]))
                pivot = row;
        const double inverse = 1.0 / x_[at(pivot)];
        for (int row : order_)
            if (row != pivot && column_of_row_[at(row)] < 0 && x_[at(row)] != 0.0) {
                row_.push_back(row);
                value_.push_back(x_[at(row)] * inverse);
            }
        column_of_row_[at(pivot)] = static_cast<int>(start_.size()) - 1;
        start_.push_back(row_.size());
        return pivot;
    }

    [[nodiscard]] double work() const { return work_; }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    /// Post-order of the rows reachable through columns of L, without recursion.
    void depth_first(int root, int stamp) {
        stack_.clear();
        stack_.emplace_back(root, 0);
        mark_[at(root)] = stamp;
        while (!stack_.empty()) {
            auto& [row, next] = stack_.back();
            const int column = column_of_row_[at(row)];
            bool descended = false;
            if (column >= 0) {
                const std::size_t count = start_[at(column) + 1] - start_[at(column)];
                while (next < count) {
                    const int child = row_[start_[at(column)] + next++];
                    if (mark_[at(child)] == stamp) continue;
                    mark_[at(child)] = stamp;
                    stack_.emplace_back(child, 0);
                    descended = true;
                    break;
                }
            }
            if (descended) continue;
            order_.push_back(stack_.back().first);
            stack_.pop_back();
            work_ += 1.0;
        }
    }

    std::vector<int> row_count_; ///< entries in columns to come
    std::vector<double> x_;
    std::vector<int> mark_;
    std::vector<int> column_of_row_;
    std::vector<std::size_t> start_;
    std::vector<int> row_;
    std::vector<double> value_;
    std::vector<int> order_;
    std::vector<std::pair<int, std::size_t>> stack_;
    double work_ = 0.0;
};

} // namespace

IndependentColumns independent_columns(const SparsityPattern& pattern, std::span<const double> values,
                                       std::span<const int> order, double tolerance, double work_limit) {
    IndependentColumns result;
    result.chosen.assign(static_cast<std::size_t>(pattern.cols), 0);
    result.pivot_row.assign(static_cast<std::size_t>(pattern.cols), -1);
    std::vector<double> scaled(values.size());
    Equilibration<double> equilibration(pattern);
    if (!equilibration.scale(pattern, values, scaled)) {
        result.complete = false;
        return result;
    }
    std::vector<int> row_count(static_cast<std::size_t>(pattern.rows), 0);
    for (int row : pattern.row_index) ++row_count[static_cast<std::size_t>(row)];
    Elimination elimination(pattern.rows, std::move(row_count));
    for (int column : order) {
        if (result.rank == pattern.rows) break;
        if (elimination.work() > work_limit) {
            result.complete = false;
            break;
        }
        const auto j = static_cast<std::size_t>(column);
        const auto first = static_cast<std::size_t>(pattern.column_start[j]);
        const auto count = static_cast<std::size_t>(pattern.column_start[j + 1]) - first;
        const double largest = elimination.reduce(std::span(pattern.row_index).subspan(first, count),
                                                  std::span<const double>(scaled).subspan(first, count), column);
        if (largest <= tolerance) {
            result.largest_dropped = std::max(result.largest_dropped, largest);
            continue;
        }
        result.smallest_kept = std::min(result.smallest_kept, largest);
        result.pivot_row[j] = elimination.append(largest);
        result.chosen[j] = 1;
        ++result.rank;
    }
    return result;
}

} // namespace daedalus::linalg
