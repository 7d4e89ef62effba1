#include "structure/dummy_derivatives.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace daedalus::structure {

namespace {

// Marks of columns, valid for the current stamp only.
struct Marks {
    std::vector<int> mark;
    int stamp = 0;
};

// Walks down the levels of a block. While the choice is forced, a column that stops being a candidate at level k is in
// J_1, …, J_{k−1} and its range of dummies is known. After a choice the candidates of deeper levels are only bounded:
// |J_{k−1}| = |R_{k−1}| of them, among the columns that meet R_k. True if all is forced.
bool walk_levels(const SignatureAnalysis& a, std::vector<int> rows, std::vector<int> candidates, Marks& marks,
                 std::vector<DummyLevel>& levels, std::vector<DummyRange>& ranges) {
    bool forced = true;
    for (int k = 1;; ++k) {
        const int previous = static_cast<int>(rows.size());
        std::erase_if(rows, [&](int i) { return a.c[i] < k; });
        ++marks.stamp;
        for (int i : rows)
            for (int j : a.system_jacobian.row(i)) marks.mark[j] = marks.stamp;
        std::erase_if(candidates, [&](int j) {
            const bool leaves = marks.mark[j] != marks.stamp;
            if (leaves && k > 1) ranges.push_back({j, a.d[j] - k + 2, a.d[j]});
            return leaves;
        });
        if (rows.empty()) return forced;
        const int count = static_cast<int>(rows.size()), available = static_cast<int>(candidates.size());
        assert(available >= count && "rows of a nonsingular block are independent");
        levels.push_back({count, forced ? available : std::min(available, previous)});
        forced = forced && available == count;
    }
}

std::vector<int> gather(const std::vector<int>& values, std::span<const int> at) {
    std::vector<int> out;
    out.reserve(at.size());
    for (int k : at) out.push_back(values[k]);
    return out;
}

} // namespace

DummyDerivativeStructure dummy_derivatives(const SignatureAnalysis& analysis, const BlockTriangularForm& blocks) {
    assert(analysis.regular);
    DummyDerivativeStructure result;
    result.dummies = std::accumulate(analysis.c.begin(), analysis.c.end(), std::int64_t{0});
    result.states = std::accumulate(analysis.d.begin(), analysis.d.end(), std::int64_t{0}) - result.dummies;
    assert(result.states == analysis.value);

    Marks marks{std::vector<int>(analysis.d.size(), 0)};
    std::vector<DummyLevel> levels;
    std::vector<DummyRange> ranges;
    for (int b = 0; b < blocks.count(); ++b) {
        const std::span<const int> rows = blocks.equations(b), cols = blocks.variables(b);
        if (rows.size() == 1) { // the common case, and the one where c may be as large as n
            const int j = cols[0], c = analysis.c[rows[0]];
            if (c > 0) result.forced.push_back({j, analysis.d[j] - c + 1, analysis.d[j]});
            continue;
        }
        levels.clear();
        ranges.clear();
        if (walk_levels(analysis, {rows.begin(), rows.end()}, {cols.begin(), cols.end()}, marks, levels, ranges)) {
            result.forced.insert(result.forced.end(), ranges.begin(), ranges.end());
        } else {
            result.choices.push_back({.block = b,
                                      .equations = {rows.begin(), rows.end()},
                                      .variables = {cols.begin(), cols.end()},
                                      .c = gather(analysis.c, rows),
                                      .d = gather(analysis.d, cols),
                                      .levels = levels});
        }
    }
    std::sort(result.forced.begin(), result.forced.end(),
              [](const DummyRange& x, const DummyRange& y) { return x.variable < y.variable; });
    return result;
}

std::vector<DummyRange> dummies_of_choice(const SignatureAnalysis& analysis,
                                          const std::vector<std::vector<int>>& chosen) {
    std::vector<DummyRange> ranges;
    if (chosen.empty()) return ranges;
    for (int j : chosen.front()) ranges.push_back({j, analysis.d[j], analysis.d[j]});
    std::sort(ranges.begin(), ranges.end(),
              [](const DummyRange& x, const DummyRange& y) { return x.variable < y.variable; });
    for (std::size_t k = 1; k < chosen.size(); ++k)
        for (int j : chosen[k]) {
            const auto it = std::lower_bound(ranges.begin(), ranges.end(), j,
                                             [](const DummyRange& x, int variable) { return x.variable < variable; });
            assert(it != ranges.end() && it->variable == j && "choices are nested");
            --it->lowest;
        }
    return ranges;
}

} // namespace daedalus::structure
