#include "compile/symbolic_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::compile {

using expr::NodeId;

namespace {

// Of the factors at the points, max |L| max |U|: linalg/straight_line_lu refuses fixed pivots above 1e4.
constexpr double largest_growth = 2000.0;
constexpr double threshold = 0.1; // of the largest in the column: the usual compromise (Duff, Erisman & Reid 2017)

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double power_of_two(double size) { return size > 0.0 && std::isfinite(size) ? std::exp2(-std::ilogb(size)) : 1.0; }

} // namespace

SymbolicElimination::SymbolicElimination(expr::Graph& graph, std::vector<std::map<int, Entry>> rows,
                                         std::vector<NodeId> b, std::size_t points)
    : g_(graph), points_(points), rows_(std::move(rows)), b_(std::move(b)), columns_(rows_.size()),
      column_done_(rows_.size(), 0), inverse_pivot_(rows_.size(), expr::no_node), z_(rows_.size(), expr::no_node),
      determinant_(graph.constant(1.0)), cancellation_(graph.constant(0.0)) {
    lower_.sum = upper_.sum = inverse_.sum = cancellation_;
    for (std::size_t j = 0; j < rows_.size(); ++j) by_count_.emplace(0, static_cast<int>(j));
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (const auto& [j, entry] : rows_[i]) add_to_column(j, static_cast<int>(i));
}

void SymbolicElimination::add_to_column(int column, int row) {
    std::set<int>& rows = columns_[at(column)];
    by_count_.erase({static_cast<int>(rows.size()), column});
    rows.insert(row);
    by_count_.emplace(static_cast<int>(rows.size()), column);
}

void SymbolicElimination::take_from_column(int column, int row) {
    std::set<int>& rows = columns_[at(column)];
    by_count_.erase({static_cast<int>(rows.size()), column});
    rows.erase(row);
    if (column_done_[at(column)] == 0) by_count_.emplace(static_cast<int>(rows.size()), column);
}

/// Until the largest entries of rows and columns, over all points, are near 1 (Ruiz 2001).
void SymbolicElimination::equilibrate() {
    constexpr int sweeps = 6;
    const std::size_t n = rows_.size();
    std::vector<double> row(n, 1.0), column(n, 1.0), row_size(n), column_size(n);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        std::fill(row_size.begin(), row_size.end(), 0.0);
        std::fill(column_size.begin(), column_size.end(), 0.0);
        for (std::size_t i = 0; i < n; ++i)
            for (const auto& [j, entry] : rows_[i])
                for (std::size_t p = 0; p < points_; ++p) {
                    const double size = std::abs(entry.samples[p]) * row[i] * column[at(j)];
                    row_size[i] = std::max(row_size[i], size);
                    column_size[at(j)] = std::max(column_size[at(j)], size);
                }
        const auto balance = [](double& unit, double size) {
            if (size > 0.0 && std::isfinite(size)) unit /= std::sqrt(size);
        };
        for (std::size_t i = 0; i < n; ++i) {
            balance(row[i], row_size[i]);
            balance(column[i], column_size[i]);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        row_unit_.push_back(1.0 / power_of_two(row[i]));
        column_unit_.push_back(1.0 / power_of_two(column[i]));
    }
}

SymbolicElimination::Pivot SymbolicElimination::best_pivot() const {
    constexpr int searched = 4; // columns that have a pivot
    Pivot best;
    long least = std::numeric_limits<long>::max();
    double largest_ratio = 0.0;
    int found = 0;
    std::vector<double> column_size(points_);
    for (const auto& [count, j] : by_count_) {
        if (found >= searched || (least < std::numeric_limits<long>::max() && count > least + 1)) break;
        std::fill(column_size.begin(), column_size.end(), 0.0);
        for (const int i : columns_[at(j)])
            for (std::size_t p = 0; p < points_; ++p)
                column_size[p] = std::max(column_size[p], std::abs(rows_[at(i)].at(j).samples[p]) * row_unit_[at(i)]);
        bool any = false;
        for (const int i : columns_[at(j)]) {
            const Entry& entry = rows_[at(i)].at(j);
            double ratio = 1.0; // the smallest over the points
            bool good = true;   // and none is NaN, where a column vanishes
            for (std::size_t p = 0; p < points_; ++p) {
                const double own = std::abs(entry.samples[p]) * row_unit_[at(i)] / column_size[p];
                good = good && own >= threshold;
                ratio = std::min(ratio, own);
            }
            if (!good) continue;
            any = true;
            // A number as pivot needs no division and moves nowhere.
            const long work =
                2 * static_cast<long>(rows_[at(i)].size() - 1) * (count - 1) + (g_.is_constant(entry.value) ? 0 : 1);
            if (work < least || (work == least && ratio > largest_ratio)) {
                least = work;
                largest_ratio = ratio;
                best = {i, j};
            }
        }
        found += any ? 1 : 0;
    }
    return best;
}

/// sum += (unit value)²; numbers cannot grow.
void SymbolicElimination::watch(Watched& watched, NodeId value, double unit, const Samples& samples) {
    for (std::size_t p = 0; p < points_; ++p) {
        const double size = std::abs(unit * samples[p]);
        watched.largest = std::max(watched.largest, size);
        if (!g_.is_constant(value)) watched.sums[p] += size * size;
    }
    if (g_.is_constant(value)) return;
    const NodeId square = g_.mul(value, value);
    watched.sum = g_.add(watched.sum, unit == 1.0 ? square : g_.mul(g_.constant(unit * unit), square));
}

/// Over what it is at the points, times the square of a number that is known there.
NodeId SymbolicElimination::relative(const Watched& watched, double known) {
    const double reference = std::max(*std::max_element(watched.sums.begin(), watched.sums.end()), 1.0);
    return g_.mul(watched.sum, g_.constant(known * known / reference));
}

double SymbolicElimination::growth() const { return std::max(lower_.largest, 1.0) * std::max(upper_.largest, 1.0); }

/// a_ij -= product.
void SymbolicElimination::subtract(int i, int j, NodeId product, const Samples& samples) {
    const auto [place, made] = rows_[at(i)].try_emplace(j);
    Entry& to = place->second;
    if (made) {
        to.value = g_.constant(0.0);
        add_to_column(j, i);
    }
    to.value = g_.sub(to.value, product);
    for (std::size_t p = 0; p < points_; ++p) to.samples[p] -= samples[p];
    ++multiplications_;
}

void SymbolicElimination::eliminate(const Pivot& pivot) {
    const std::map<int, Entry> row = rows_[at(pivot.row)];
    const Entry& top = row.at(pivot.column);
    const double row_unit = row_unit_[at(pivot.row)];
    const NodeId inverse = g_.div(g_.constant(1.0), top.value);
    inverse_pivot_[at(pivot.row)] = inverse;
    determinant_ = g_.mul(determinant_, top.value);
    // The product of very many would leave the range of numbers; only its sign and its ratios count.
    constexpr std::size_t many = 60;
    if (rows_.size() > many) determinant_ = g_.mul(determinant_, g_.constant(1.0 / std::abs(top.samples[0])));
    Samples inverse_samples{};
    for (std::size_t p = 0; p < points_; ++p) inverse_samples[p] = 1.0 / top.samples[p];
    watch(inverse_, inverse, 1.0 / (row_unit * column_unit_[at(pivot.column)]), inverse_samples);
    column_done_[at(pivot.column)] = 1;
    for (const auto& [j, entry] : row) take_from_column(j, pivot.row);
    for (const int i : columns_[at(pivot.column)]) {
        std::map<int, Entry>& target = rows_[at(i)];
        const Entry& below = target.at(pivot.column);
        const NodeId factor = g_.mul(below.value, inverse);
        Samples ratio{};
        for (std::size_t p = 0; p < points_; ++p) ratio[p] = below.samples[p] / top.samples[p];
        watch(lower_, factor, row_unit_[at(i)] / row_unit, ratio);
        for (const auto& [j, entry] : row) {
            if (column_done_[at(j)] != 0) continue;
            Samples change{};
            for (std::size_t p = 0; p < points_; ++p) change[p] = ratio[p] * entry.samples[p];
            subtract(i, j, g_.mul(factor, entry.value), change);
        }
        b_[at(i)] = g_.sub(b_[at(i)], g_.mul(factor, b_[at(pivot.row)]));
        target.erase(pivot.column);
        multiplications_ += 3;
    }
    pivots_.push_back(pivot);
}

/// What is below the diagonal is what is above it.
void SymbolicElimination::eliminate_symmetric(const Pivot& pivot) {
    const int k = pivot.row;
    const std::map<int, Entry> row = rows_[at(k)];
    const Entry& top = row.at(k);
    const NodeId inverse = inverse_pivot_[at(k)] = g_.div(g_.constant(1.0), top.value);
    cancellation_ = g_.add(cancellation_, g_.mul(diagonal_[at(k)], inverse));
    column_done_[at(k)] = 1;
    for (const auto& [j, entry] : row) take_from_column(j, k);
    for (const auto& [i, left] : row) {
        if (i == k) continue;
        const NodeId factor = g_.mul(left.value, inverse);
        for (const auto& [j, entry] : row) {
            if (j < i || j == k) continue;
            Samples change{};
            for (std::size_t p = 0; p < points_; ++p) change[p] = left.samples[p] * entry.samples[p] / top.samples[p];
            const NodeId product = g_.mul(factor, entry.value);
            subtract(i, j, product, change);
            if (j != i) {
                subtract(j, i, product, change);
                rows_[at(j)].at(i).value = rows_[at(i)].at(j).value;
            }
        }
        b_[at(i)] = g_.sub(b_[at(i)], g_.mul(factor, b_[at(k)]));
        rows_[at(i)].erase(k);
    }
    pivots_.push_back(pivot);
}

SymbolicElimination::Pivot SymbolicElimination::best_on_diagonal() const {
    for (const auto& [count, j] : by_count_) {
        const Entry& entry = rows_[at(j)].at(j);
        if (std::all_of(entry.samples.begin(), entry.samples.begin() + static_cast<std::ptrdiff_t>(points_),
                        [](double s) { return s > 0.0; }))
            return {j, j};
    }
    return {};
}

bool SymbolicElimination::run_symmetric(long most) {
    equilibrate();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const auto own = rows_[k].find(static_cast<int>(k));
        if (own == rows_[k].end()) return false;
        diagonal_.push_back(own->second.value);
    }
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const Pivot pivot = best_on_diagonal();
        if (pivot.row < 0) return false;
        eliminate_symmetric(pivot);
        if (multiplications_ > most) return false;
    }
    substitute_back();
    return true;
}

void SymbolicElimination::substitute_back() {
    for (std::size_t k = pivots_.size(); k-- > 0;) {
        const auto [i, column] = pivots_[k];
        NodeId sum = b_[at(i)];
        for (const auto& [j, entry] : rows_[at(i)]) {
            if (j == column) continue;
            sum = g_.add(sum, g_.mul(entry.value, z_[at(j)]));
            if (diagonal_.empty()) watch(upper_, entry.value, row_unit_[at(i)] * column_unit_[at(j)], entry.samples);
        }
        z_[at(column)] = g_.neg(g_.mul(sum, inverse_pivot_[at(i)]));
    }
}

/// Of the permutation row → column.
double SymbolicElimination::sign() const {
    std::vector<int> column(rows_.size());
    for (const Pivot& p : pivots_) column[at(p.row)] = p.column;
    double sign = 1.0;
    for (int i = 0; i < static_cast<int>(column.size()); ++i)
        while (column[at(i)] != i) {
            std::swap(column[at(i)], column[at(column[at(i)])]);
            sign = -sign;
        }
    return sign;
}

bool SymbolicElimination::run(long most) {
    equilibrate();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const Pivot pivot = best_pivot();
        if (pivot.row < 0) return false;
        eliminate(pivot);
        if (multiplications_ > most) return false;
    }
    substitute_back();
    if (!(growth() <= largest_growth)) return false;
    if (sign() < 0.0) determinant_ = g_.neg(determinant_);
    return true;
}

} // namespace daedalus::compile
