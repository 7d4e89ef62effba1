#include "linalg/front_tree.hpp"

#include "linalg/dense_pieces.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace daedalus::linalg {

std::size_t Front::left() const {
    return factors + static_cast<std::size_t>(padded(width)) * static_cast<std::size_t>(width);
}
std::size_t Front::top() const {
    return left() + static_cast<std::size_t>(padded(below)) * static_cast<std::size_t>(width);
}
std::size_t Front::end() const {
    return top() + static_cast<std::size_t>(padded(below)) * static_cast<std::size_t>(width);
}

namespace {

auto& at(auto& v, int i) { return v[static_cast<std::size_t>(i)]; }

/// Lists of integers, one per number 0 … n - 1.
struct Lists {
    std::vector<int> start, items;
    [[nodiscard]] std::span<const int> operator[](int i) const {
        return std::span(items).subspan(static_cast<std::size_t>(at(start, i)),
                                        static_cast<std::size_t>(at(start, i + 1) - at(start, i)));
    }
};

/// From pairs (owner, item); items keep their order.
Lists lists_of(int n, const std::vector<std::pair<int, int>>& pairs) {
    Lists lists{std::vector<int>(static_cast<std::size_t>(n) + 1, 0), std::vector<int>(pairs.size())};
    for (const auto& [owner, item] : pairs) ++at(lists.start, owner + 1);
    std::partial_sum(lists.start.begin(), lists.start.end(), lists.start.begin());
    std::vector<int> next(lists.start.begin(), lists.start.end() - 1);
    for (const auto& [owner, item] : pairs) at(lists.items, at(next, owner)++) = item;
    return lists;
}

std::vector<int> inverse(std::span<const int> order) {
    std::vector<int> position(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) at(position, order[k]) = static_cast<int>(k);
    return position;
}

std::vector<int> block_of_pivot(PivotOrder order) {
    std::vector<int> block(order.rows.size());
    for (std::size_t b = 0; b + 1 < order.blocks.size(); ++b)
        for (int k = order.blocks[b]; k < order.blocks[b + 1]; ++k) at(block, k) = static_cast<int>(b);
    return block;
}

/// Entries of the diagonal blocks off the diagonal, as pairs of pivots, the later one first.
std::vector<std::pair<int, int>> couplings(const SparsityPattern& pattern, const std::vector<int>& row_position,
                                           const std::vector<int>& col_position, const std::vector<int>& block) {
    std::vector<std::pair<int, int>> pairs;
    pairs.reserve(pattern.row_index.size());
    for (int c = 0; c < pattern.cols; ++c)
        for (int e = at(pattern.column_start, c); e < at(pattern.column_start, c + 1); ++e) {
            const int i = at(row_position, at(pattern.row_index, e)), j = at(col_position, c);
            if (i != j && at(block, i) == at(block, j)) pairs.emplace_back(std::max(i, j), std::min(i, j));
        }
    return pairs;
}

/// parent[k]: the first unknown that the elimination of k changes, or -1 (Liu 1990, with path compression).
std::vector<int> elimination_tree(int n, const Lists& earlier) {
    std::vector<int> parent(static_cast<std::size_t>(n), -1), ancestor(parent);
    for (int i = 0; i < n; ++i)
        for (int k : earlier[i])
            while (k != -1 && k < i) {
                const int next = std::exchange(at(ancestor, k), i);
                if (next == -1) at(parent, k) = i;
                k = next;
            }
    return parent;
}

/// Children before parents and subtrees in one piece: eliminating in this order fills the same places.
std::vector<int> postorder(const std::vector<int>& parent) {
    const int n = static_cast<int>(parent.size());
    std::vector<int> child(parent.size(), -1), sibling(parent.size(), -1), order, open;
    for (int k = n - 1; k >= 0; --k)
        if (at(parent, k) >= 0) at(sibling, k) = std::exchange(at(child, at(parent, k)), k);
    order.reserve(parent.size());
    for (int root = 0; root < n; ++root) {
        if (at(parent, root) >= 0) continue;
        open.push_back(root);
        while (!open.empty()) {
            const int k = open.back(), next = at(child, k);
            if (next >= 0) {
                at(child, k) = at(sibling, next);
                open.push_back(next);
            } else {
                order.push_back(k);
                open.pop_back();
            }
        }
    }
    return order;
}

/// Unknowns that are eliminated together, and what they touch below themselves.
struct Supernode {
    int first = 0, width = 0;
    std::vector<int> below;
    double zeros = 0.0; ///< that are treated as entries of L
};

/// Columns of L with the same entries below themselves; none if there are more than `most_entries`. `later` and
/// `parent` belong to a postorder.
std::vector<Supernode> supernodes(const Lists& later, const std::vector<int>& parent, double most_entries) {
    const int n = static_cast<int>(parent.size());
    std::vector<std::vector<int>> touched(parent.size());
    std::vector<int> child(parent.size(), -1), sibling(child), seen(child);
    std::vector<Supernode> list;
    double entries = 0.0;
    for (int j = 0; j < n; ++j) {
        std::vector<int>& own = at(touched, j);
        at(seen, j) = j;
        const auto add = [&](std::span<const int> unknowns) {
            for (const int i : unknowns)
                if (std::exchange(at(seen, i), j) != j) own.push_back(i);
        };
        add(later[j]);
        for (int c = at(child, j); c >= 0; c = at(sibling, c)) add(at(touched, c));
        entries += static_cast<double>(own.size() + 1);
        if (entries > most_entries) return {};
        if (j > 0 && at(parent, j - 1) == j && at(touched, j - 1).size() == own.size() + 1) {
            at(touched, j - 1) = {};
            ++list.back().width;
        } else {
            list.push_back({j, 1, {}, 0.0});
        }
        if (at(parent, j) >= 0) at(sibling, j) = std::exchange(at(child, at(parent, j)), j);
    }
    for (Supernode& s : list) {
        s.below = std::move(at(touched, s.first + s.width - 1));
        std::sort(s.below.begin(), s.below.end());
    }
    return list;
}

/// Joins parents with their last child where few zeros are then treated as entries: fewer, larger pieces. The limits
/// are those of CHOLMOD (Chen, Davis, Hager & Rajamanickam 2008), but for 0.5 instead of 0.8: zeros cost time in
/// solves.
std::vector<Supernode> amalgamated(std::vector<Supernode> list) {
    const auto worth_it = [](int width, double share_of_zeros) {
        return width <= 4 || (width <= 16 && share_of_zeros < 0.5) || (width <= 48 && share_of_zeros < 0.1) ||
               share_of_zeros < 0.05;
    };
    std::vector<Supernode> result;
    for (Supernode& s : list) {
        while (!result.empty()) {
            const Supernode& child = result.back();
            if (child.below.empty() || child.below.front() >= s.first + s.width) break;
            const int width = child.width + s.width;
            const double more = static_cast<double>(s.width) + static_cast<double>(s.below.size()) -
                                static_cast<double>(child.below.size());
            const double zeros = child.zeros + s.zeros + child.width * more;
            const double w = width;
            if (!worth_it(width, zeros / (w * (w + 1.0) / 2.0 + w * static_cast<double>(s.below.size())))) break;
            s.first = child.first;
            s.width = width;
            s.zeros = zeros;
            result.pop_back();
        }
        result.push_back(std::move(s));
    }
    return result;
}

/// Parents, places in their fronts, and places in memory.
void connect(FrontTree& tree, const std::vector<int>& front_of) {
    const int count = static_cast<int>(tree.fronts.size());
    for (int s = count - 1; s >= 0; --s) {
        Front& f = at(tree.fronts, s);
        if (f.below == 0) continue;
        f.parent = at(front_of, at(tree.unknowns, f.unknowns));
        Front& p = at(tree.fronts, f.parent);
        f.stack = 1 - p.stack;
        f.next_sibling = std::exchange(p.first_child, s);
        int k = p.unknowns;
        for (int i = f.unknowns; i < f.unknowns + f.below; ++i) {
            const int u = at(tree.unknowns, i);
            if (u < p.first + p.width) {
                at(tree.places, i) = u - p.first;
                continue;
            }
            while (at(tree.unknowns, k) < u) ++k;
            at(tree.places, i) = p.width + k - p.unknowns;
        }
    }
    std::size_t used[2] = {0, 0};
    for (Front& f : tree.fronts) {
        f.factors = tree.factor_size;
        tree.factor_size = f.end();
        const auto own = static_cast<std::size_t>(f.stack);
        f.rest = used[own];
        used[own] += static_cast<std::size_t>(padded(f.below)) * static_cast<std::size_t>(f.below);
        tree.stack_size[own] = std::max(tree.stack_size[own], used[own]);
        if (f.first_child >= 0) used[1 - own] = at(tree.fronts, f.first_child).rest;
        const double w = f.width, r = f.below;
        tree.operations += 2.0 / 3.0 * w * w * w + 2.0 * w * w * r + 2.0 * w * r * r;
        tree.entries += w * (w + 2.0 * r);
    }
}

/// Where each entry of the matrix goes.
void place_entries(FrontTree& tree, const SparsityPattern& pattern, const std::vector<int>& block,
                   const std::vector<int>& front_of) {
    const std::vector<int> row_position = inverse(tree.rows);
    tree.target.resize(pattern.row_index.size());
    tree.right_start = {0};
    for (int j = 0; j < pattern.cols; ++j) {
        const int c = at(tree.cols, j);
        for (int e = at(pattern.column_start, c); e < at(pattern.column_start, c + 1); ++e) {
            const int i = at(row_position, at(pattern.row_index, e));
            if (at(block, i) != at(block, j)) {
                at(tree.target, e) = -1 - static_cast<std::ptrdiff_t>(tree.right_row.size());
                tree.right_row.push_back(i);
                continue;
            }
            const Front& f = at(tree.fronts, at(front_of, std::min(i, j)));
            const auto place = [&](int u) {
                if (u < f.first + f.width) return u - f.first;
                const auto begin = tree.unknowns.begin() + f.unknowns;
                return f.width + static_cast<int>(std::lower_bound(begin, begin + f.below, u) - begin);
            };
            const int row = place(i), col = place(j);
            const auto element = [](std::size_t from, int r, int rows, int k) {
                return static_cast<std::ptrdiff_t>(from) + static_cast<std::ptrdiff_t>(k) * padded(rows) + r;
            };
            at(tree.target, e) = row < f.width && col < f.width ? element(f.factors, row, f.width, col)
                                 : col < f.width                ? element(f.left(), row - f.width, f.below, col)
                                                                : element(f.top(), col - f.width, f.below, row);
        }
        tree.right_start.push_back(static_cast<int>(tree.right_row.size()));
    }
}

} // namespace

FrontTree::FrontTree(const SparsityPattern& pattern, PivotOrder order, double most_entries) {
    const int n = pattern.cols;
    const std::vector<int> block = block_of_pivot(order);
    auto pairs = couplings(pattern, inverse(order.rows), inverse(order.cols), block);
    std::vector<int> parent = elimination_tree(n, lists_of(n, pairs));
    const std::vector<int> sequence = postorder(parent), position = inverse(sequence);
    for (const int k : sequence) {
        rows.push_back(order.rows[static_cast<std::size_t>(k)]);
        cols.push_back(order.cols[static_cast<std::size_t>(k)]);
    }
    std::vector<int> renamed(parent.size());
    for (int k = 0; k < n; ++k) at(renamed, at(position, k)) = at(parent, k) < 0 ? -1 : at(position, at(parent, k));
    for (auto& [late, early] : pairs) late = std::exchange(early, late); // the pair is now (earlier, later)
    for (auto& [early, late] : pairs) early = at(position, early), late = at(position, late);
    std::vector<Supernode> together = amalgamated(supernodes(lists_of(n, pairs), renamed, most_entries));
    usable = !together.empty();
    if (!usable) return;
    std::vector<int> front_of(parent.size());
    for (const Supernode& s : together) {
        while (static_cast<int>(block_fronts.size()) <= at(block, s.first))
            block_fronts.push_back(static_cast<int>(fronts.size()));
        for (int k = s.first; k < s.first + s.width; ++k) at(front_of, k) = static_cast<int>(fronts.size());
        Front& f = fronts.emplace_back();
        f.first = s.first;
        f.width = s.width;
        f.below = static_cast<int>(s.below.size());
        f.unknowns = static_cast<int>(unknowns.size());
        unknowns.insert(unknowns.end(), s.below.begin(), s.below.end());
    }
    block_fronts.push_back(static_cast<int>(fronts.size()));
    places.resize(unknowns.size());
    connect(*this, front_of);
    place_entries(*this, pattern, block, front_of);
}

} // namespace daedalus::linalg
