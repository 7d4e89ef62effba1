#include "integrate/column_basis.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>

namespace daedalus::integrate {

namespace {

constexpr int probes = 3;           // random combinations of the other columns per look at a basis
constexpr double round_off = 1e-12; // relative to a row's first size: what is left of cancelled entries
constexpr double most_work = 2e8;   // entries touched by the elimination: a second or so
constexpr double infinite = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// ±1, the same for the same column and probe (SplitMix64's output function; Steele, Lea & Flood 2014).
double sign(int column, int probe) {
    std::uint64_t z =
        0x9E3779B97F4A7C15ULL * (8ULL * static_cast<std::uint64_t>(column) + static_cast<unsigned>(probe) + 1);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return ((z ^ (z >> 31U)) & 1U) != 0 ? 1.0 : -1.0;
}

struct Entry {
    int column;
    double value;
};

/// Rows in elimination: each ascending by column; `users` lists the rows that may contain a column.
struct Rows {
    std::vector<std::vector<Entry>> row;
    std::vector<double> scale;
    std::vector<std::vector<int>> users;
    std::vector<Entry> merged;
    double work = 0.0;

    /// row[i] -= factor · row[p], dropping `column`, which cancels.
    void subtract(int i, int p, double factor, int column) {
        merged.clear();
        const std::vector<Entry>&a = row[at(i)], &b = row[at(p)];
        work += static_cast<double>(a.size() + b.size());
        for (std::size_t k = 0, l = 0; k < a.size() || l < b.size();) {
            const bool take_a = l == b.size() || (k < a.size() && a[k].column <= b[l].column);
            const bool take_b = k == a.size() || (l < b.size() && b[l].column <= a[k].column);
            Entry e{take_a ? a[k].column : b[l].column, 0.0};
            if (take_a) e.value = a[k].value;
            if (take_b) e.value -= factor * b[l].value;
            if (take_b && !take_a) users[at(e.column)].push_back(i);
            k += take_a;
            l += take_b;
            if (e.column != column && std::abs(e.value) > round_off * scale[at(i)]) merged.push_back(e);
        }
        row[at(i)].assign(merged.begin(), merged.end());
    }
};

} // namespace

ColumnBasis::ColumnBasis(SparsityPattern pattern)
    : pattern_(std::move(pattern)), in_basis_(at(pattern_.cols), 0), work_(at(pattern_.rows)) {}

bool ColumnBasis::choose(std::span<const double> values) {
    Rows rows;
    rows.row.resize(at(pattern_.rows));
    rows.scale.assign(at(pattern_.rows), 0.0);
    rows.users.resize(at(pattern_.cols));
    for (int j = 0; j < pattern_.cols; ++j)
        for (int k = pattern_.column_start[at(j)]; k < pattern_.column_start[at(j) + 1]; ++k) {
            const int i = pattern_.row_index[at(k)];
            rows.row[at(i)].push_back({j, values[at(k)]});
            rows.scale[at(i)] = std::max(rows.scale[at(i)], std::abs(values[at(k)]));
            rows.users[at(j)].push_back(i);
        }
    // Lengths grow stale when rows change; a stale entry is put back with its present length.
    using Length = std::pair<std::size_t, int>;
    std::priority_queue<Length, std::vector<Length>, std::greater<>> shortest;
    for (int i = 0; i < pattern_.rows; ++i) shortest.emplace(rows.row[at(i)].size(), i);
    std::vector<char> done(at(pattern_.rows), 0);
    std::vector<int> chosen;
    while (!shortest.empty()) {
        const auto [length, p] = shortest.top();
        shortest.pop();
        if (done[at(p)]) continue;
        const std::vector<Entry>& pivot_row = rows.row[at(p)];
        if (length != pivot_row.size()) {
            shortest.emplace(pivot_row.size(), p);
            continue;
        }
        if (pivot_row.empty() || rows.work > most_work) return false;
        const Entry pivot = *std::max_element(pivot_row.begin(), pivot_row.end(), [](const Entry& a, const Entry& b) {
            return std::abs(a.value) < std::abs(b.value);
        });
        done[at(p)] = 1;
        chosen.push_back(pivot.column);
        const std::vector<int> users = std::move(rows.users[at(pivot.column)]);
        for (const int i : users) {
            if (done[at(i)]) continue;
            const auto found = std::lower_bound(rows.row[at(i)].begin(), rows.row[at(i)].end(), pivot.column,
                                                [](const Entry& e, int column) { return e.column < column; });
            if (found == rows.row[at(i)].end() || found->column != pivot.column) continue;
            rows.subtract(i, p, found->value / pivot.value, pivot.column);
            shortest.emplace(rows.row[at(i)].size(), i);
        }
    }
    set(chosen);
    return true;
}

void ColumnBasis::set(std::span<const int> columns) {
    assert(static_cast<int>(columns.size()) == pattern_.rows);
    if (std::equal(columns.begin(), columns.end(), basis_.begin(), basis_.end())) return;
    std::fill(in_basis_.begin(), in_basis_.end(), 0);
    for (const int j : columns) in_basis_[at(j)] = 1;
    basis_.assign(columns.begin(), columns.end());
    std::sort(basis_.begin(), basis_.end());
    solver_.reset();
}

void ColumnBasis::prepare() {
    if (solver_) return;
    SparsityPattern square{pattern_.rows, pattern_.rows, {0}, {}};
    for (const int j : basis_) {
        square.row_index.insert(square.row_index.end(), pattern_.row_index.begin() + pattern_.column_start[at(j)],
                                pattern_.row_index.begin() + pattern_.column_start[at(j) + 1]);
        square.column_start.push_back(square.nonzeros());
    }
    basis_values_.resize(square.row_index.size());
    solver_ = linalg::make_linear_solver<double>(square);
}

double ColumnBasis::gain(std::span<const double> values) {
    out_ = in_ = -1;
    prepare();
    auto next = basis_values_.begin();
    for (const int j : basis_)
        next = std::copy(values.begin() + pattern_.column_start[at(j)],
                         values.begin() + pattern_.column_start[at(j) + 1], next);
    if (solver_->factor(basis_values_) != linalg::FactorStatus::ok) return infinite;
    double best = 0.0;
    int last_row = -1;
    for (int probe = 0; probe < probes; ++probe) {
        std::fill(work_.begin(), work_.end(), 0.0);
        for (int j = 0; j < pattern_.cols; ++j) {
            if (in_basis_[at(j)]) continue;
            const double w = sign(j, probe);
            for (int k = pattern_.column_start[at(j)]; k < pattern_.column_start[at(j) + 1]; ++k)
                work_[at(pattern_.row_index[at(k)])] += w * values[at(k)];
        }
        solver_->solve(work_);
        const auto row =
            std::max_element(work_.begin(), work_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
        if (row == work_.end() || !std::isfinite(*row)) return infinite;
        const int i = static_cast<int>(row - work_.begin());
        if (i == last_row) continue;
        last_row = i;
        std::fill(work_.begin(), work_.end(), 0.0);
        work_[at(i)] = 1.0;
        solver_->solve_transposed(work_);
        for (int j = 0; j < pattern_.cols; ++j) {
            if (in_basis_[at(j)]) continue;
            double t = 0.0;
            for (int k = pattern_.column_start[at(j)]; k < pattern_.column_start[at(j) + 1]; ++k)
                t += work_[at(pattern_.row_index[at(k)])] * values[at(k)];
            if (std::abs(t) > best) {
                best = std::abs(t);
                out_ = i;
                in_ = j;
            }
        }
    }
    return std::isfinite(best) ? best : infinite;
}

bool ColumnBasis::improve(std::span<const double> values, double limit) {
    for (int exchanges = 0; exchanges <= 2 * pattern_.rows; ++exchanges) {
        const double found = gain(values);
        if (found == infinite) return false;
        if (found <= limit) return true;
        in_basis_[at(basis_[at(out_)])] = 0;
        in_basis_[at(in_)] = 1;
        basis_[at(out_)] = in_;
        std::sort(basis_.begin(), basis_.end());
        solver_.reset();
    }
    return true;
}

} // namespace daedalus::integrate
