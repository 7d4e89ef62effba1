#include "structure/block_triangular_form.hpp"

#include "structure/strong_components.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace daedalus::structure {

BlockTriangularForm block_triangular_form(const Incidence& pattern, const Matching& perfect) {
    assert(perfect.perfect());
    // Equation i needs the equation that is matched to each variable it contains.
    Incidence needs = pattern;
    for (int& column : needs.column) column = perfect.row_of_column[column];
    StrongComponents components = strong_components(needs);

    BlockTriangularForm form;
    form.start = std::move(components.start);
    form.equation = std::move(components.vertex);
    form.block_of_equation = std::move(components.component_of);
    form.variable.reserve(form.equation.size());
    for (int i : form.equation) form.variable.push_back(perfect.column_of_row[i]);
    form.block_of_variable.resize(form.equation.size());
    for (std::size_t j = 0; j < form.block_of_variable.size(); ++j)
        form.block_of_variable[j] = form.block_of_equation[perfect.row_of_column[j]];
    return form;
}

BlockTriangularForm sorted_within_blocks(BlockTriangularForm form) {
    std::vector<std::pair<int, int>> pairs;
    for (int b = 0; b < form.count(); ++b) {
        if (form.size(b) == 1) continue;
        pairs.clear();
        for (int k = form.start[b]; k < form.start[b + 1]; ++k) pairs.emplace_back(form.equation[k], form.variable[k]);
        std::sort(pairs.begin(), pairs.end());
        for (int k = form.start[b]; k < form.start[b + 1]; ++k)
            std::tie(form.equation[k], form.variable[k]) = pairs[static_cast<std::size_t>(k - form.start[b])];
    }
    return form;
}

} // namespace daedalus::structure
