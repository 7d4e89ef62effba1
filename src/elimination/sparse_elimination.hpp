// Gaussian elimination on sparse rows whose entries can be anything that is multiplied, subtracted and told from zero:
// numbers with their round-off, expressions with sample values. It looks for rows that depend on others:
//     row_i ← row_i − f · row_p      until a row is zero; then  Σ u_k row_k = 0,
// with u found from the operations backwards. The rows that were pivots are independent, so the combination is the only
// one that makes the zero row of them: its members form a circuit (Oxley 2011), no subset of which is dependent.
// Pivots are chosen for sparsity (Markowitz 1957) among entries that are large enough in their row.
//
// An Algebra has:  Element, Factor;  candidate_rows, threshold;  is_zero(e);  size(e), 0 where e cannot be a pivot;
//                  quotient(e, pivot) → Factor;  minus_product(e or nullptr for zero, f, e) → Element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace daedalus::elimination {

template <class Element>
struct Entry {
    int column = 0;
    Element value{};
};

/// Columns ascend; what is absent is zero.
template <class Element>
using SparseRow = std::vector<Entry<Element>>;

template <class Factor>
struct RowOperation {
    int row = 0, pivot_row = 0;
    Factor factor{};
};

template <class Factor>
struct Elimination {
    std::vector<RowOperation<Factor>> operations; ///< in the order in which they were made
    std::vector<int> dependent;                   ///< rows that became zero
    bool finished = true;                         ///< false: it would have been too much work
};

template <class Algebra>
class SparseElimination {
public:
    using Element = typename Algebra::Element;
    using Factor = typename Algebra::Factor;

    SparseElimination(Algebra& algebra, std::vector<SparseRow<Element>> rows, int columns, std::size_t most_work)
        : algebra_(algebra), rows_(std::move(rows)), most_work_(most_work),
          with_column_(static_cast<std::size_t>(columns)), count_(static_cast<std::size_t>(columns), 0),
          active_(rows_.size(), 1) {}

    Elimination<Factor> run() {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::erase_if(rows_[i], [&](const auto& e) { return algebra_.is_zero(e.value); });
            for (const auto& e : rows_[i]) note(e.column, static_cast<int>(i));
            file(static_cast<int>(i));
        }
        for (Pivot p = best_pivot(); p.row >= 0; p = best_pivot()) {
            if (work_ > most_work_) {
                result_.finished = false;
                break;
            }
            eliminate(p);
        }
        return std::move(result_);
    }

private:
    struct Pivot {
        int row = -1, column = -1;
    };

    void note(int column, int row) {
        with_column_[static_cast<std::size_t>(column)].push_back(row);
        ++count_[static_cast<std::size_t>(column)];
    }

    void file(int row) {
        if (const auto size = rows_[static_cast<std::size_t>(row)].size(); size > 0) {
            by_length_.emplace(static_cast<int>(size), row);
        } else {
            active_[static_cast<std::size_t>(row)] = 0;
            result_.dependent.push_back(row);
        }
    }

    // Among the shortest rows: the entry whose elimination can fill in least; of equals the largest.
    [[nodiscard]] Pivot best_pivot() const {
        Pivot best;
        double best_cost = std::numeric_limits<double>::infinity(), best_size = 0.0;
        int looked_at = 0;
        for (auto it = by_length_.begin(); it != by_length_.end() && looked_at < Algebra::candidate_rows; ++it) {
            const auto& row = rows_[static_cast<std::size_t>(it->second)];
            double largest = 0.0;
            for (const auto& e : row) largest = std::max(largest, algebra_.size(e.value));
            if (largest == 0.0) continue; // nothing to divide by
            ++looked_at;
            for (const auto& e : row) {
                const double size = algebra_.size(e.value);
                if (size < Algebra::threshold * largest) continue;
                const double cost = static_cast<double>(row.size() - 1) *
                                    static_cast<double>(count_[static_cast<std::size_t>(e.column)] - 1);
                if (cost < best_cost || (cost == best_cost && size / largest > best_size)) {
                    best = {it->second, e.column};
                    best_cost = cost;
                    best_size = size / largest;
                }
            }
            if (best_cost == 0.0) break;
        }
        return best;
    }

    void eliminate(const Pivot& p) {
        const SparseRow<Element> pivot_row = std::move(rows_[static_cast<std::size_t>(p.row)]);
        by_length_.erase({static_cast<int>(pivot_row.size()), p.row});
        active_[static_cast<std::size_t>(p.row)] = 0;
        for (const auto& e : pivot_row) --count_[static_cast<std::size_t>(e.column)];
        const Element pivot = find(pivot_row, p.column)->value;
        std::vector<int> others = std::move(with_column_[static_cast<std::size_t>(p.column)]);
        for (const int i : others) {
            if (!active_[static_cast<std::size_t>(i)]) continue;
            auto& row = rows_[static_cast<std::size_t>(i)];
            const auto lead = find(row, p.column);
            if (lead == row.end()) continue; // cancelled earlier, or listed twice
            const Factor factor = algebra_.quotient(lead->value, pivot);
            result_.operations.push_back({i, p.row, factor});
            by_length_.erase({static_cast<int>(row.size()), i});
            subtract(i, factor, pivot_row, p.column);
            file(i);
        }
    }

    void subtract(int i, const Factor& factor, const SparseRow<Element>& pivot_row, int pivot_column) {
        SparseRow<Element> sum;
        auto& row = rows_[static_cast<std::size_t>(i)];
        sum.reserve(row.size() + pivot_row.size());
        auto a = row.begin();
        auto b = pivot_row.begin();
        work_ += row.size() + pivot_row.size();
        while (a != row.end() || b != pivot_row.end()) {
            if (b == pivot_row.end() || (a != row.end() && a->column < b->column)) {
                sum.push_back(std::move(*a++));
                continue;
            }
            const bool fill = a == row.end() || b->column < a->column;
            const int column = b->column;
            if (column != pivot_column) {
                Element value = algebra_.minus_product(fill ? nullptr : &a->value, factor, b->value);
                if (!algebra_.is_zero(value)) {
                    sum.push_back({column, std::move(value)});
                    if (fill) note(column, i);
                } else if (!fill) {
                    --count_[static_cast<std::size_t>(column)];
                }
            } else {
                --count_[static_cast<std::size_t>(column)];
            }
            if (!fill) ++a;
            ++b;
        }
        row = std::move(sum);
    }

    [[nodiscard]] static auto find(const SparseRow<Element>& row, int column) {
        const auto it = std::lower_bound(row.begin(), row.end(), column,
                                         [](const auto& entry, int wanted) { return entry.column < wanted; });
        return it != row.end() && it->column == column ? it : row.end();
    }

    Algebra& algebra_;
    std::vector<SparseRow<Element>> rows_;
    std::size_t most_work_, work_ = 0;
    std::vector<std::vector<int>> with_column_; ///< rows that hold a column, or held it
    std::vector<int> count_;                    ///< active rows that hold it now
    std::vector<char> active_;
    std::set<std::pair<int, int>> by_length_;
    Elimination<Factor> result_;
};

/// `columns`: all columns lie below it. `most_work`: entries touched before it is given up.
template <class Algebra>
[[nodiscard]] Elimination<typename Algebra::Factor>
eliminate(Algebra& algebra, std::vector<SparseRow<typename Algebra::Element>> rows, int columns,
          std::size_t most_work = std::numeric_limits<std::size_t>::max()) {
    return SparseElimination<Algebra>(algebra, std::move(rows), columns, most_work).run();
}

/// Weights u_k with Σ u_k row_k = 0, u = `one` for the dependent row itself; `minus_product(u or nullptr, f, u_i)`
/// computes u − f u_i. Ascending by row.
template <class Factor, class MinusProduct>
[[nodiscard]] std::vector<std::pair<int, Factor>> combination(const Elimination<Factor>& e, int dependent_row,
                                                              std::size_t rows, Factor one,
                                                              MinusProduct&& minus_product) {
    std::vector<Factor> u(rows);
    std::vector<char> there(rows, 0);
    u[static_cast<std::size_t>(dependent_row)] = std::move(one);
    there[static_cast<std::size_t>(dependent_row)] = 1;
    for (auto it = e.operations.rbegin(); it != e.operations.rend(); ++it) {
        const auto i = static_cast<std::size_t>(it->row), p = static_cast<std::size_t>(it->pivot_row);
        if (!there[i]) continue;
        u[p] = minus_product(there[p] ? &u[p] : nullptr, it->factor, u[i]);
        there[p] = 1;
    }
    std::vector<std::pair<int, Factor>> weights;
    for (std::size_t k = 0; k < rows; ++k)
        if (there[k]) weights.emplace_back(static_cast<int>(k), std::move(u[k]));
    return weights;
}

} // namespace daedalus::elimination
