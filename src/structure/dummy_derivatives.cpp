#include "structure/dummy_derivatives.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace daedalus::structure {

namespace {

class Levels {
public:
    Levels(const SignatureAnalysis& analysis, std::span<const int> rows, std::vector<int>& mark, int& stamp)
        : a_(analysis), rows_(rows.begin(), rows.end()), mark_(mark), stamp_(stamp) {}

    // Walks down the levels while the choice is forced; `chosen` receives J_1, J_2, … . After a choice the candidates
    // of deeper levels are only bounded: |J_{k−1}| = |R_{k−1}| of them, among the columns that meet R_k.
    [[nodiscard]] bool walk(std::span<const int> columns, std::vector<DummyLevel>& levels,
                            std::vector<std::vector<int>>& chosen) {
        std::vector<int> candidates(columns.begin(), columns.end());
        bool forced = true;
        for (int k = 1;; ++k) {
            const int previous = static_cast<int>(rows_.size());
            std::erase_if(rows_, [&](int i) { return a_.c[i] < k; });
            if (rows_.empty()) return forced;
            const int count = static_cast<int>(rows_.size());
            ++stamp_;
            for (int i : rows_)
                for (int j : a_.system_jacobian.row(i)) mark_[j] = stamp_;
            std::erase_if(candidates, [&](int j) { return mark_[j] != stamp_; });
            const int available = static_cast<int>(candidates.size());
            assert(available >= count && "rows of a nonsingular block are independent");
            levels.push_back({count, forced ? available : std::min(available, previous)});
            forced = forced && available == count;
            if (forced) chosen.push_back(candidates);
        }
    }

private:
    const SignatureAnalysis& a_;
    std::vector<int> rows_;
    std::vector<int>& mark_;
    int& stamp_;
};

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

    std::vector<int> mark(analysis.d.size(), 0);
    int stamp = 0;
    for (int b = 0; b < blocks.count(); ++b) {
        const std::span<const int> rows = blocks.equations(b), cols = blocks.variables(b);
        if (rows.size() == 1) { // the common case: x_j, differentiated c times, has no freedom below d − c + 1
            const int j = cols[0], c = analysis.c[rows[0]];
            for (int k = c; k >= 1; --k) result.forced.push_back({j, analysis.d[j] - k + 1});
            continue;
        }
        // Columns outside the block are marked too, but never candidates.
        std::vector<DummyLevel> levels;
        std::vector<std::vector<int>> chosen;
        if (Levels(analysis, rows, mark, stamp).walk(cols, levels, chosen)) {
            const std::vector<DummyDerivative> dummies = dummies_of_choice(analysis, chosen);
            result.forced.insert(result.forced.end(), dummies.begin(), dummies.end());
        } else {
            result.choices.push_back({.block = b,
                                      .equations = {rows.begin(), rows.end()},
                                      .variables = {cols.begin(), cols.end()},
                                      .c = gather(analysis.c, rows),
                                      .d = gather(analysis.d, cols),
                                      .levels = std::move(levels)});
        }
    }
    std::sort(result.forced.begin(), result.forced.end(), [](const DummyDerivative& x, const DummyDerivative& y) {
        return std::pair(x.variable, x.order) < std::pair(y.variable, y.order);
    });
    return result;
}

std::vector<DummyDerivative> dummies_of_choice(const SignatureAnalysis& analysis,
                                               const std::vector<std::vector<int>>& chosen) {
    std::vector<DummyDerivative> dummies;
    for (std::size_t k = 0; k < chosen.size(); ++k)
        for (int j : chosen[k]) dummies.push_back({j, analysis.d[j] - static_cast<int>(k)});
    return dummies;
}

} // namespace daedalus::structure
