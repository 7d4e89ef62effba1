#include "structure/index_per_variable.hpp"

#include "structure/radix_heap.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::structure {

std::vector<int> index_per_variable(const SignatureMatrix& sigma, const SignatureAnalysis& analysis) {
    assert(analysis.regular);
    const int n = sigma.variables();
    std::vector<int> index(static_cast<std::size_t>(n), 0);
    if (analysis.structural_index == 0) return index;

    const std::vector<int>&c = analysis.c, &d = analysis.d;
    const int top = *std::max_element(c.begin(), c.end());
    // Influence runs from variable l to every equation that contains it: walk columns.
    const Incidence occurrences = sigma.pattern.transposed();
    std::vector<int> reach(static_cast<std::size_t>(n)); // P_j
    RadixHeap heap;                                      // keyed by top − P
    for (int j = 0; j < n; ++j) {
        reach[j] = c[analysis.transversal.row_of_column[j]];
        if (reach[j] > 0) heap.push(static_cast<RadixHeap::Key>(top - reach[j]), j);
    }
    while (!heap.empty()) {
        const auto [key, l] = heap.pop();
        if (top - static_cast<int>(key) != reach[l]) continue;
        for (int i : occurrences.row(l)) {
            const int j = analysis.transversal.column_of_row[i];
            const int lost = d[l] - c[i] - sigma.order_of(i, l);
            if (reach[l] - lost <= reach[j]) continue;
            reach[j] = reach[l] - lost;
            heap.push(static_cast<RadixHeap::Key>(top - reach[j]), j);
        }
    }
    for (int j = 0; j < n; ++j) index[j] = 1 + std::max(0, reach[j] - d[j]);
    return index;
}

} // namespace daedalus::structure
