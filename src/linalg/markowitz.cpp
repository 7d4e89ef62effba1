#include "linalg/markowitz.hpp"

#include "linalg/block_triangle.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace daedalus::linalg {

namespace {

double size_of(double a) { return std::abs(a); }
double size_of(const std::complex<double>& a) { return std::abs(a.real()) + std::abs(a.imag()); }

double times(double a, double b) { return a * b; }
std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Rows (or columns) that are still to be eliminated, in doubly linked lists by their number of entries. What has
/// changed goes to the end of its list: pivots far from each other come first, and the chains of operations that wait
/// for one another stay short (a tridiagonal matrix is reduced cyclically instead of from one end to the other).
class CountLists {
public:
    explicit CountLists(int n)
        : head_(static_cast<std::size_t>(n) + 1, none), tail_(head_), next_(static_cast<std::size_t>(n)),
          previous_(static_cast<std::size_t>(n)), count_(static_cast<std::size_t>(n), none) {}

    static constexpr int none = -1;
    [[nodiscard]] int first(int count) const { return head_[static_cast<std::size_t>(count)]; }
    [[nodiscard]] int next(int item) const { return next_[static_cast<std::size_t>(item)]; }
    [[nodiscard]] int count(int item) const { return count_[static_cast<std::size_t>(item)]; }

    void place(int item, int count) {
        const auto i = static_cast<std::size_t>(item);
        if (count_[i] != none) remove(item);
        count_[i] = count;
        int& tail = tail_[static_cast<std::size_t>(count)];
        next_[i] = none;
        previous_[i] = tail;
        (tail == none ? head_[static_cast<std::size_t>(count)] : next_[static_cast<std::size_t>(tail)]) = item;
        tail = item;
    }
    void remove(int item) {
        const auto i = static_cast<std::size_t>(item), count = static_cast<std::size_t>(count_[i]);
        (next_[i] == none ? tail_[count] : previous_[static_cast<std::size_t>(next_[i])]) = previous_[i];
        (previous_[i] == none ? head_[count] : next_[static_cast<std::size_t>(previous_[i])]) = next_[i];
        count_[i] = none;
    }

private:
    std::vector<int> head_, tail_, next_, previous_, count_;
};

template <class Scalar>
class Elimination {
public:
    Elimination(const SparsityPattern& pattern, std::span<const std::vector<Scalar>> samples,
                const BlockTriangle& triangle, const MarkowitzOptions& options, EliminationOrder& order)
        : n_(pattern.cols), samples_(samples.size()), options_(options), order_(order),
          columns_(static_cast<std::size_t>(n_)), rows_(static_cast<std::size_t>(n_)), row_lists_(n_), col_lists_(n_),
          largest_(static_cast<std::size_t>(n_) * samples_), largest_known_(static_cast<std::size_t>(n_), 0),
          position_(static_cast<std::size_t>(n_), -1), row_level_(static_cast<std::size_t>(n_), 0),
          col_level_(static_cast<std::size_t>(n_), 0) {
        std::vector<int> counts(static_cast<std::size_t>(n_), 0);
        for (int i : pattern.row_index) ++counts[at(i)];
        for (int i = 0; i < n_; ++i) rows_[at(i)].reserve(at(counts[at(i)]) + 4);
        // Entries outside the diagonal blocks take no part.
        for (int j = 0; j < n_; ++j) {
            Column& c = columns_[at(j)];
            const int first = pattern.column_start[at(j)], last = pattern.column_start[at(j) + 1];
            c.row.reserve(at(last - first) + 4);
            c.value.reserve((at(last - first) + 4) * samples_);
            for (int e = first; e < last; ++e) {
                const int i = pattern.row_index[at(e)];
                if (triangle.row_block[at(i)] != triangle.col_block[at(j)]) continue;
                c.row.push_back(i);
                for (const std::vector<Scalar>& s : samples) c.value.push_back(s[at(e)]);
                rows_[at(i)].push_back(j);
            }
        }
        for (int k = 0; k < n_; ++k) {
            col_lists_.place(k, static_cast<int>(columns_[at(k)].row.size()));
            row_lists_.place(k, static_cast<int>(rows_[at(k)].size()));
        }
    }

    OrderStatus run() {
        order_ = {};
        order_.l_start.push_back(0);
        order_.u_start.push_back(0);
        for (int k = 0; k < n_; ++k) {
            if (!find_pivot()) return OrderStatus::no_pivot;
            eliminate(best_.row, best_.col);
            if (order_.multiplications > options_.most_multiplications) return OrderStatus::too_large;
        }
        return OrderStatus::ok;
    }

private:
    struct Column {
        std::vector<int> row;
        std::vector<Scalar> value; ///< one per sample and entry
    };
    struct Candidate {
        int row = -1, col = -1;
        double cost = std::numeric_limits<double>::infinity();
        double share = 0.0; ///< of the largest of its column, in the worst sample
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    const double* largest_of(int j) {
        double* const largest = largest_.data() + at(j) * samples_;
        if (largest_known_[at(j)] == 0) {
            std::fill(largest, largest + samples_, 0.0);
            const Column& c = columns_[at(j)];
            for (std::size_t e = 0; e < c.row.size(); ++e)
                for (std::size_t s = 0; s < samples_; ++s)
                    largest[s] = std::max(largest[s], size_of(c.value[e * samples_ + s]));
            largest_known_[at(j)] = 1;
        }
        return largest;
    }

    /// A pivot that has lost digits by cancellation spreads its error to all that follows: it waits until nothing else
    /// is near. Entries were of order one.
    void consider(int i, int j, std::size_t entry, double cost) {
        constexpr double cancelled = 1e-4;
        cost += options_.waiting * level(i, j);
        if (cost > best_.cost) return;
        const double* const largest = largest_of(j);
        const Scalar* const value = columns_[at(j)].value.data() + entry * samples_;
        double share = 1.0, smallest = 1.0;
        for (std::size_t s = 0; s < samples_; ++s) {
            const double size = size_of(value[s]);
            if (!(size > 0.0) || size < options_.threshold * largest[s]) return;
            share = std::min(share, size / largest[s]);
            smallest = std::min(smallest, size);
        }
        Candidate& best = smallest < cancelled ? small_ : best_;
        if (&best == &small_) share = smallest; // of several, the largest first
        if (cost < best.cost || (cost == best.cost && share > best.share)) best = {i, j, cost, share};
    }

    bool find_pivot() {
        // Zlatev 1980: more than four hardly ever find anything better. What does not wait may be further away.
        const int most_searched = options_.waiting > 0.0 ? 24 : 4;
        constexpr int most_refused = 32; // before a small pivot is taken
        best_ = {};
        small_ = {};
        int searched = 0, refused = 0;
        if (col_lists_.first(0) != CountLists::none || row_lists_.first(0) != CountLists::none) return false;
        for (int count = 1; count <= n_; ++count) {
            const double others = count - 1;
            // Whatever comes has at least `others` neighbours in both directions.
            if (best_.col >= 0 && best_.cost <= others * others) return true;
            for (int j = col_lists_.first(count); j != CountLists::none; j = col_lists_.next(j)) {
                const Column& c = columns_[at(j)];
                for (std::size_t e = 0; e < c.row.size(); ++e)
                    consider(c.row[e], j, e, others * (row_lists_.count(c.row[e]) - 1));
                if (best_.col >= 0 && (best_.cost <= others * others || ++searched >= most_searched)) return true;
                if (best_.col < 0 && ++refused >= most_refused && small_.col >= 0) return take_small();
            }
            for (int i = row_lists_.first(count); i != CountLists::none; i = row_lists_.next(i)) {
                for (int j : rows_[at(i)]) {
                    const double cost = others * (col_lists_.count(j) - 1);
                    if (cost > best_.cost) continue;
                    const std::vector<int>& rows = columns_[at(j)].row;
                    const auto e = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), i) - rows.begin());
                    consider(i, j, e, cost);
                }
                if (best_.col >= 0 && (best_.cost <= others * (others + 1) || ++searched >= most_searched)) return true;
                if (best_.col < 0 && ++refused >= most_refused && small_.col >= 0) return take_small();
            }
        }
        return best_.col >= 0 || take_small();
    }
    bool take_small() {
        best_ = small_;
        return best_.col >= 0;
    }

    void eliminate(int p, int q) {
        order_.row.push_back(p);
        order_.col.push_back(q);
        Column& pivot_column = columns_[at(q)];
        // Multipliers, pivot removed.
        multiplier_.clear();
        const auto pivot = static_cast<std::size_t>(std::find(pivot_column.row.begin(), pivot_column.row.end(), p) -
                                                    pivot_column.row.begin());
        const std::size_t first_l = order_.l_row.size();
        for (std::size_t e = 0; e < pivot_column.row.size(); ++e) {
            if (e == pivot) continue;
            const int i = pivot_column.row[e];
            order_.l_row.push_back(i);
            for (std::size_t s = 0; s < samples_; ++s)
                multiplier_.push_back(pivot_column.value[e * samples_ + s] / pivot_column.value[pivot * samples_ + s]);
            forget(rows_[at(i)], q);
        }
        const std::span<const int> l(order_.l_row.data() + first_l, order_.l_row.size() - first_l);
        col_lists_.remove(q);
        row_lists_.remove(p);
        for (int j : rows_[at(p)])
            if (j != q) {
                order_.u_col.push_back(j);
                update_column(j, p, l);
            }
        for (int i : l) row_lists_.place(i, static_cast<int>(rows_[at(i)].size()));
        if (const int next = level(p, q) + 1; !l.empty() && rows_[at(p)].size() > 1) {
            order_.levels = std::max(order_.levels, next);
            for (int i : l) row_level_[at(i)] = std::max(row_level_[at(i)], next);
            for (int j : rows_[at(p)]) col_level_[at(j)] = std::max(col_level_[at(j)], next);
        }
        order_.multiplications += static_cast<double>(l.size()) * static_cast<double>(rows_[at(p)].size());
        order_.l_start.push_back(static_cast<int>(order_.l_row.size()));
        order_.u_start.push_back(static_cast<int>(order_.u_col.size()));
        pivot_column = {};
        rows_[at(p)] = {};
    }

    /// Column j minus multiples of the pivot row's entry, which is taken out.
    void update_column(int j, int p, std::span<const int> l) {
        Column& c = columns_[at(j)];
        for (std::size_t e = 0; e < c.row.size(); ++e) position_[at(c.row[e])] = static_cast<int>(e);
        const std::size_t u = at(position_[at(p)]);
        factor_.assign(c.value.begin() + static_cast<std::ptrdiff_t>(u * samples_),
                       c.value.begin() + static_cast<std::ptrdiff_t>((u + 1) * samples_));
        for (std::size_t m = 0; m < l.size(); ++m) {
            const int i = l[m];
            int e = position_[at(i)];
            if (e < 0) { // fill
                e = static_cast<int>(c.row.size());
                c.row.push_back(i);
                c.value.resize(c.value.size() + samples_, Scalar(0.0));
                rows_[at(i)].push_back(j);
            }
            for (std::size_t s = 0; s < samples_; ++s)
                c.value[at(e) * samples_ + s] -= times(multiplier_[m * samples_ + s], factor_[s]);
        }
        for (int i : c.row) position_[at(i)] = -1;
        const std::size_t last = c.row.size() - 1;
        c.row[u] = c.row[last];
        for (std::size_t s = 0; s < samples_; ++s) c.value[u * samples_ + s] = c.value[last * samples_ + s];
        c.row.pop_back();
        c.value.resize(last * samples_);
        largest_known_[at(j)] = 0;
        col_lists_.place(j, static_cast<int>(c.row.size()));
    }

    /// How many pivots this one has to wait for, one after the other.
    [[nodiscard]] int level(int i, int j) const { return std::max(row_level_[at(i)], col_level_[at(j)]); }

    static void forget(std::vector<int>& list, int item) {
        *std::find(list.begin(), list.end(), item) = list.back();
        list.pop_back();
    }

    int n_;
    std::size_t samples_;
    const MarkowitzOptions& options_;
    EliminationOrder& order_;
    std::vector<Column> columns_;        ///< what is left of each column
    std::vector<std::vector<int>> rows_; ///< the columns in which each row still has entries
    CountLists row_lists_, col_lists_;
    std::vector<double> largest_; ///< per column and sample, where known
    std::vector<char> largest_known_;
    std::vector<int> position_;              ///< row → entry of the column at hand, else -1
    std::vector<int> row_level_, col_level_; ///< pivots behind the latest change
    std::vector<Scalar> multiplier_, factor_;
    Candidate best_, small_; ///< small_: the best of those that should wait
};

/// Pivots of one block next to each other, blocks ascending; within a block as they were found.
EliminationOrder by_blocks(const EliminationOrder& found, const BlockTriangle& triangle) {
    const std::size_t n = found.row.size();
    const auto block = [&](std::size_t k) {
        return static_cast<std::size_t>(triangle.row_block[static_cast<std::size_t>(found.row[k])]);
    };
    EliminationOrder order;
    order.multiplications = found.multiplications;
    order.levels = found.levels;
    order.block_start.assign(static_cast<std::size_t>(triangle.blocks) + 1, 0);
    for (std::size_t k = 0; k < n; ++k) ++order.block_start[block(k) + 1];
    for (std::size_t b = 0; b + 1 < order.block_start.size(); ++b) order.block_start[b + 1] += order.block_start[b];
    std::vector<int> next(order.block_start.begin(), order.block_start.end() - 1);
    std::vector<std::size_t> step(n);
    for (std::size_t k = 0; k < n; ++k) step[static_cast<std::size_t>(next[block(k)]++)] = k;
    order.l_start.push_back(0);
    order.u_start.push_back(0);
    const auto append = [](std::vector<int>& to, const std::vector<int>& from, const std::vector<int>& start,
                           std::size_t k) {
        to.insert(to.end(), from.begin() + start[k], from.begin() + start[k + 1]);
    };
    for (const std::size_t k : step) {
        order.row.push_back(found.row[k]);
        order.col.push_back(found.col[k]);
        append(order.l_row, found.l_row, found.l_start, k);
        append(order.u_col, found.u_col, found.u_start, k);
        order.l_start.push_back(static_cast<int>(order.l_row.size()));
        order.u_start.push_back(static_cast<int>(order.u_col.size()));
    }
    return order;
}

} // namespace

template <class Scalar>
OrderStatus markowitz_order(const SparsityPattern& pattern, std::span<const std::vector<Scalar>> samples,
                            const MarkowitzOptions& options, EliminationOrder& order) {
    assert(pattern.rows == pattern.cols && !samples.empty());
    BlockTriangle triangle;
    if (!find_block_triangle(pattern, triangle)) return OrderStatus::no_pivot;
    EliminationOrder found;
    const OrderStatus status = Elimination<Scalar>(pattern, samples, triangle, options, found).run();
    if (status == OrderStatus::ok) order = by_blocks(found, triangle);
    return status;
}

template OrderStatus markowitz_order(const SparsityPattern&, std::span<const std::vector<double>>,
                                     const MarkowitzOptions&, EliminationOrder&);
template OrderStatus markowitz_order(const SparsityPattern&, std::span<const std::vector<std::complex<double>>>,
                                     const MarkowitzOptions&, EliminationOrder&);

} // namespace daedalus::linalg
