#include "analysis/kronecker_staircase.hpp"

#include "linalg/reflectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

using linalg::Matrix;
using linalg::RankRule;

namespace {

struct Rules {
    RankRule e, h;
};

/// Orthogonal transformations of the pencil from (row, col) on; what is left of and above it follows.
struct Reduction {
    Matrix e, h, u, v;
    int row = 0, col = 0;
    std::vector<int> s, r;
    double dropped_squared = 0.0;
    bool ok = true;
};

/// A := A from column `first` on times Q
void rotate_columns(Matrix& a, int first, const Matrix& q) {
    a.set_block(0, first, a.columns(first, a.cols() - first) * q);
}

/// A := Qᵀ times A from row `first` on
void rotate_rows(Matrix& a, int first, const Matrix& q) {
    a.set_block(first, 0, transposed_times(q, a.rows_from(first, a.rows() - first)));
}

double clear(Matrix& a, int row, int col, int rows, int cols) {
    const double norm = frobenius_norm(a.block(row, col, rows, cols));
    a.set_block(row, col, Matrix(rows, cols));
    return norm * norm;
}

void split_off(Reduction& p, const Rules& rules, const char* side, std::vector<StaircaseGap>& gaps) {
    const int m = p.e.rows(), n = p.e.cols();
    for (int step = 1; p.col < n; ++step) {
        const int rows = m - p.row, cols = n - p.col;
        linalg::RankGap of_e;
        const Matrix null = linalg::null_space(p.e.block(p.row, p.col, rows, cols), rules.e, &of_e);
        p.ok = p.ok && linalg::all_finite(null);
        gaps.push_back({fmt::format("E, step {} from the {}", step, side), of_e});
        const int s = null.cols();
        if (s == 0 || !p.ok) return;
        const linalg::Reflectors to_front(null);
        to_front.apply_to_columns(p.e, p.col);
        to_front.apply_to_columns(p.h, p.col);
        to_front.apply_to_columns(p.v, p.col);
        p.dropped_squared += clear(p.e, p.row, p.col, rows, s);

        const linalg::RowSplit equations(p.h.block(p.row, p.col, rows, s), rules.h);
        p.ok = p.ok && equations.ok();
        gaps.push_back({fmt::format("H, step {} from the {}", step, side), equations.gap()});
        const int r = equations.gap().rank;
        equations.apply_to_rows(p.e, p.row);
        equations.apply_to_rows(p.h, p.row);
        equations.apply_to_columns(p.u, p.row);
        p.dropped_squared += clear(p.h, p.row + r, p.col, rows - r, s);
        p.dropped_squared += clear(p.e, p.row, p.col, rows, s); // rounding errors of zeros

        // More null columns than equations were split off before: the ranks cannot both be right.
        if (!p.r.empty() && s > p.r.back()) p.ok = false;
        p.s.push_back(s);
        p.r.push_back(r);
        p.row += r;
        p.col += s;
    }
}

std::vector<int> minimal_indices(const std::vector<int>& s, const std::vector<int>& r) {
    std::vector<int> indices;
    for (std::size_t j = 0; j < s.size(); ++j)
        indices.insert(indices.end(), static_cast<std::size_t>(std::max(0, s[j] - r[j])), static_cast<int>(j));
    return indices;
}

} // namespace

std::vector<int> KroneckerStaircase::right_minimal_indices() const { return minimal_indices(right_s, right_r); }
std::vector<int> KroneckerStaircase::left_minimal_indices() const { return minimal_indices(left_s, left_r); }

std::vector<int> KroneckerStaircase::infinite_blocks() const {
    std::vector<int> blocks;
    for (std::size_t j = right_r.size(); j-- > 0;) {
        const int next = j + 1 < right_s.size() ? right_s[j + 1] : 0;
        blocks.insert(blocks.end(), static_cast<std::size_t>(std::max(0, right_r[j] - next)), static_cast<int>(j) + 1);
    }
    return blocks;
}

bool KroneckerStaircase::decided() const {
    return ok && std::all_of(gaps.begin(), gaps.end(), [](const StaircaseGap& g) { return g.gap.decided; });
}

KroneckerStaircase kronecker_staircase(const Matrix& e, const Matrix& h, double noise) {
    const int m = e.rows(), n = e.cols();
    const double norm_e = frobenius_norm(e), norm_h = frobenius_norm(h);
    const Rules rules{linalg::rank_rule(m, n, norm_e, noise), linalg::rank_rule(m, n, norm_h, noise)};
    KroneckerStaircase k;
    Reduction right{e, h, Matrix::identity(m), Matrix::identity(n), 0, 0, {}, {}, 0.0, true};
    split_off(right, rules, "right", k.gaps);
    const int row = right.row, col = right.col;
    k.right_s = right.s;
    k.right_r = right.r;
    k.ok = right.ok;
    k.e = std::move(right.e);
    k.h = std::move(right.h);
    k.u = std::move(right.u);
    k.v = std::move(right.v);
    double dropped_squared = right.dropped_squared;
    if (m - row > n - col && k.ok) { // E has full column rank: only more rows than columns leave left blocks
        Reduction left{k.e.block(row, col, m - row, n - col).transposed(),
                       k.h.block(row, col, m - row, n - col).transposed(),
                       Matrix::identity(n - col),
                       Matrix::identity(m - row),
                       0,
                       0,
                       {},
                       {},
                       0.0,
                       true};
        split_off(left, rules, "left", k.gaps);
        k.left_s = left.s;
        k.left_r = left.r;
        k.ok = left.ok;
        // Infinite blocks were split off before: none may turn up here.
        for (std::size_t j = 0; j < left.r.size(); ++j)
            if (left.r[j] != (j + 1 < left.s.size() ? left.s[j + 1] : 0)) k.ok = false;
        dropped_squared += left.dropped_squared;
        // Left blocks to the end: rows and columns of the transposed reduction in reverse roles and order.
        const int rest_rows = m - row - left.col, rest_cols = n - col - left.row;
        const Matrix p = beside(left.v.columns(left.col, rest_rows), left.v.columns(0, left.col));
        const Matrix q = beside(left.u.columns(left.row, rest_cols), left.u.columns(0, left.row));
        rotate_columns(k.u, row, p);
        rotate_columns(k.v, col, q);
        const auto transformed = [&](Matrix& a) {
            rotate_rows(a, row, p);
            rotate_columns(a, col, q);
        };
        transformed(k.e);
        transformed(k.h);
        if (rest_rows != rest_cols) k.ok = false;
        k.finite_size = std::min(rest_rows, rest_cols);
    } else {
        k.finite_size = std::min(m - row, n - col);
        if (m - row != n - col) k.ok = false;
    }
    k.finite_row = row;
    k.finite_col = col;
    const double size = norm_e + norm_h;
    k.dropped = size > 0.0 ? std::sqrt(dropped_squared) / size : 0.0;
    return k;
}

} // namespace daedalus::analysis
