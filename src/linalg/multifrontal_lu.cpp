#include "linalg/multifrontal_lu.hpp"

#include "linalg/dense_pieces.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace daedalus::linalg {

namespace {

auto& at(auto& v, int i) { return v[static_cast<std::size_t>(i)]; }

std::ptrdiff_t column(int j, int rows) { return static_cast<std::ptrdiff_t>(j) * padded(rows); }

/// to[place[i]] += from[i]; runs of neighbours, which are the rule, are added as such.
void add_scattered(std::span<const int> place, int shift, const double* from, double* to) {
    const int n = static_cast<int>(place.size());
    if (n == 0) return;
    if (place.back() - place.front() == n - 1) {
        to += place.front() - shift;
        for (int i = 0; i < n; ++i) to[i] += from[i];
        return;
    }
    for (int i = 0; i < n; ++i) to[place[static_cast<std::size_t>(i)] - shift] += from[i];
}

} // namespace

MultifrontalLu::MultifrontalLu(const SparsityPattern& pattern, PivotOrder order, double most_entries)
    : tree_(pattern, order, most_entries), factors_(tree_.factor_size),
      right_(tree_.right_row.size()), stack_{std::vector<double>(tree_.stack_size[0]),
                                             std::vector<double>(tree_.stack_size[1])},
      x_(static_cast<std::size_t>(pattern.cols)) {
    int widest = 0, most = 0;
    for (const Front& f : tree_.fronts) widest = std::max(widest, f.width), most = std::max(most, f.below);
    own_.resize(static_cast<std::size_t>(padded(widest)));
    below_.resize(static_cast<std::size_t>(padded(most)));
}

bool MultifrontalLu::factor(std::span<const double> values) {
    assert(values.size() == tree_.target.size());
    std::fill(factors_.begin(), factors_.end(), 0.0);
    for (std::size_t e = 0; e < values.size(); ++e) {
        const std::ptrdiff_t target = tree_.target[e];
        if (target >= 0)
            factors_[static_cast<std::size_t>(target)] = values[e];
        else
            right_[static_cast<std::size_t>(-1 - target)] = values[e];
    }
    for (const Front& f : tree_.fronts) {
        double* const rest = at(stack_, f.stack).data() + f.rest;
        std::fill(rest, rest + column(f.below, f.below), 0.0);
        for (int c = f.first_child; c >= 0; c = at(tree_.fronts, c).next_sibling) add_child(f, at(tree_.fronts, c));
        if (!eliminate(f)) return false;
    }
    return true;
}

/// What the child leaves is added where its unknowns are in the front.
void MultifrontalLu::add_child(const Front& front, const Front& child) {
    const std::span<const int> place =
        std::span(tree_.places)
            .subspan(static_cast<std::size_t>(child.unknowns), static_cast<std::size_t>(child.below));
    const int w = front.width;
    const auto pivots = static_cast<std::size_t>(std::lower_bound(place.begin(), place.end(), w) - place.begin());
    const double* const from = at(stack_, child.stack).data() + child.rest;
    double* const rest = at(stack_, front.stack).data() + front.rest;
    double* const corner = factors_.data() + front.factors;
    double* const left = factors_.data() + front.left();
    double* const top = factors_.data() + front.top();
    for (int q = 0; q < child.below; ++q) {
        const double* const entries = from + column(q, child.below);
        const int j = place[static_cast<std::size_t>(q)];
        if (j < w) {
            add_scattered(place.first(pivots), 0, entries, corner + column(j, w));
            add_scattered(place.subspan(pivots), w, entries + pivots, left + column(j, front.below));
        } else {
            for (std::size_t p = 0; p < pivots; ++p) top[column(place[p], front.below) + j - w] += entries[p];
            add_scattered(place.subspan(pivots), w, entries + pivots, rest + column(j - w, front.below));
        }
    }
}

bool MultifrontalLu::eliminate(const Front& front) {
    const int w = front.width, r = front.below, ldw = padded(w), ldr = padded(r);
    double* const corner = factors_.data() + front.factors;
    double* const left = factors_.data() + front.left();
    double* const top = factors_.data() + front.top();
    if (!eliminate_in_place(w, corner, ldw)) return false;
    if (r == 0) return true;
    divide_by_triangle(ldr, w, left, ldr, {corner, 1, ldw}, false);
    divide_by_triangle(ldr, w, top, ldr, {corner, ldw, 1}, true);
    subtract_product(ldr, r, w, left, ldr, {top, ldr, 1}, at(stack_, front.stack).data() + front.rest, ldr);
    return true;
}

/// With L or Uᵀ: the unknowns of the front, and what they contribute to those below.
void MultifrontalLu::forward(const Front& front, Side side) {
    const bool lower = side == Side::lower;
    const int w = front.width, r = front.below;
    const double* const corner = factors_.data() + front.factors;
    double* const own = own_.data();
    std::copy_n(x_.begin() + front.first, w, own);
    if (lower) {
        solve_lower(w, corner, padded(w), own);
    } else {
        for (int k = 0; k < w; ++k) {
            const double* const entries = corner + column(k, w);
            for (int i = 0; i < k; ++i) own[k] -= entries[i] * own[i];
            own[k] /= entries[k];
        }
    }
    std::copy_n(own, w, x_.begin() + front.first);
    if (r == 0) return;
    std::fill_n(below_.begin(), padded(r), 0.0);
    subtract_image(padded(r), w, factors_.data() + (lower ? front.left() : front.top()), padded(r), own, below_.data());
    const int* const unknowns = tree_.unknowns.data() + front.unknowns;
    for (int i = 0; i < r; ++i) at(x_, unknowns[i]) += at(below_, i);
}

/// With Lᵀ or U, once those below are known.
void MultifrontalLu::backward(const Front& front, Side side) {
    const bool lower = side == Side::lower;
    const int w = front.width, r = front.below;
    const double* const corner = factors_.data() + front.factors;
    double* const own = own_.data();
    std::copy_n(x_.begin() + front.first, w, own);
    if (r > 0) {
        const int* const unknowns = tree_.unknowns.data() + front.unknowns;
        for (int i = 0; i < r; ++i) at(below_, i) = at(x_, unknowns[i]);
        std::fill(below_.begin() + r, below_.begin() + padded(r), 0.0);
        subtract_transposed_image(padded(r), w, factors_.data() + (lower ? front.left() : front.top()), padded(r),
                                  below_.data(), own);
    }
    if (lower) {
        for (int k = w - 1; k >= 0; --k) {
            const double* const entries = corner + column(k, w);
            for (int i = k + 1; i < w; ++i) own[k] -= entries[i] * own[i];
        }
    } else {
        solve_upper(w, corner, padded(w), own);
    }
    std::copy_n(own, w, x_.begin() + front.first);
}

void MultifrontalLu::solve(std::span<double> b) {
    const int n = static_cast<int>(b.size());
    for (int k = 0; k < n; ++k) at(x_, k) = at(b, at(tree_.rows, k));
    for (std::size_t block = tree_.block_fronts.size() - 1; block-- > 0;) {
        const int begin = tree_.block_fronts[block], end = tree_.block_fronts[block + 1];
        for (int s = begin; s < end; ++s) forward(at(tree_.fronts, s), Side::lower);
        for (int s = end - 1; s >= begin; --s) backward(at(tree_.fronts, s), Side::upper);
        const int last = at(tree_.fronts, end - 1).first + at(tree_.fronts, end - 1).width;
        for (int j = at(tree_.fronts, begin).first; j < last; ++j)
            for (int k = at(tree_.right_start, j); k < at(tree_.right_start, j + 1); ++k)
                at(x_, at(tree_.right_row, k)) -= at(right_, k) * at(x_, j);
    }
    for (int k = 0; k < n; ++k) at(b, at(tree_.cols, k)) = at(x_, k);
}

void MultifrontalLu::solve_transposed(std::span<double> b) {
    const int n = static_cast<int>(b.size());
    for (int k = 0; k < n; ++k) at(x_, k) = at(b, at(tree_.cols, k));
    for (std::size_t block = 0; block + 1 < tree_.block_fronts.size(); ++block) {
        const int begin = tree_.block_fronts[block], end = tree_.block_fronts[block + 1];
        const int last = at(tree_.fronts, end - 1).first + at(tree_.fronts, end - 1).width;
        for (int j = at(tree_.fronts, begin).first; j < last; ++j)
            for (int k = at(tree_.right_start, j); k < at(tree_.right_start, j + 1); ++k)
                at(x_, j) -= at(right_, k) * at(x_, at(tree_.right_row, k));
        for (int s = begin; s < end; ++s) forward(at(tree_.fronts, s), Side::upper);
        for (int s = end - 1; s >= begin; --s) backward(at(tree_.fronts, s), Side::lower);
    }
    for (int k = 0; k < n; ++k) at(b, at(tree_.rows, k)) = at(x_, k);
}

MultifrontalLu::Quality MultifrontalLu::quality(const SparsityPattern& pattern, std::span<const double> values) {
    of_a_.assign(x_.size(), 0.0);
    of_u_.assign(x_.size(), 0.0);
    for (int j = 0; j < pattern.cols; ++j) {
        const int c = at(tree_.cols, j);
        for (int e = at(pattern.column_start, c); e < at(pattern.column_start, c + 1); ++e)
            if (at(tree_.target, e) >= 0) at(of_a_, j) = std::max(at(of_a_, j), std::abs(at(values, e)));
    }
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (const Front& f : tree_.fronts) {
        const double* const corner = factors_.data() + f.factors;
        for (int j = 0; j < f.width; ++j) {
            const double* const entries = corner + column(j, f.width);
            double& largest = at(of_u_, f.first + j);
            for (int i = 0; i <= j; ++i) largest = std::max(largest, std::abs(entries[i]));
            least = std::min(least, std::abs(entries[j]));
            most = std::max(most, std::abs(entries[j]));
        }
        std::fill_n(below_.begin(), padded(f.below), 0.0);
        largest_in_rows(padded(f.below), f.width, factors_.data() + f.top(), padded(f.below), below_.data());
        const int* const unknowns = tree_.unknowns.data() + f.unknowns;
        for (int i = 0; i < f.below; ++i) at(of_u_, unknowns[i]) = std::max(at(of_u_, unknowns[i]), at(below_, i));
    }
    Quality q{1.0, least / most};
    for (std::size_t j = 0; j < of_u_.size(); ++j)
        if (of_u_[j] > 0.0) q.growth = std::min(q.growth, of_a_[j] / of_u_[j]);
    return q;
}

double MultifrontalLu::largest_multiplier() {
    double largest = 0.0;
    for (const Front& f : tree_.fronts) {
        const double* const corner = factors_.data() + f.factors;
        for (int j = 0; j < f.width; ++j)
            for (int i = j + 1; i < f.width; ++i) largest = std::max(largest, std::abs(corner[column(j, f.width) + i]));
        std::fill_n(below_.begin(), padded(f.below), 0.0);
        largest_in_rows(padded(f.below), f.width, factors_.data() + f.left(), padded(f.below), below_.data());
        for (int i = 0; i < f.below; ++i) largest = std::max(largest, at(below_, i));
    }
    return largest;
}

} // namespace daedalus::linalg
