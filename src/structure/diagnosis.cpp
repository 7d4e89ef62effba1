#include "structure/diagnosis.hpp"

#include <algorithm>
#include <utility>

namespace daedalus::structure {

namespace {

// A person reads no more than this; without a bound the overlapping subsets of many surplus rows cost O(n²).
constexpr std::size_t most_subsets = 64;

// For each free row, the rows and columns on alternating paths from it. Parts of different roots may overlap: the
// marks carry the root, so that the cost is the size of what is returned.
std::vector<Part> singular_subsets(const Incidence& pattern, const std::vector<int>& column_of_row,
                                   const std::vector<int>& row_of_column) {
    std::vector<int> mark(static_cast<std::size_t>(pattern.cols), -1);
    std::vector<Part> subsets;
    for (int root = 0; root < pattern.rows && subsets.size() < most_subsets; ++root) {
        if (column_of_row[root] >= 0) continue;
        Part part;
        part.equations.push_back(root);
        for (std::size_t head = 0; head < part.equations.size(); ++head)
            for (int j : pattern.row(part.equations[head])) {
                if (std::exchange(mark[j], root) == root) continue;
                part.variables.push_back(j);
                part.equations.push_back(row_of_column[j]);
            }
        std::sort(part.equations.begin(), part.equations.end());
        std::sort(part.variables.begin(), part.variables.end());
        subsets.push_back(std::move(part));
    }
    std::stable_sort(subsets.begin(), subsets.end(),
                     [](const Part& a, const Part& b) { return a.equations.size() < b.equations.size(); });
    return subsets;
}

std::vector<std::vector<int>> alike(const SignatureMatrix& sigma, std::vector<int> equations) {
    const auto compare = [&](int a, int b) {
        const auto va = sigma.variables_of(a), vb = sigma.variables_of(b);
        if (!std::equal(va.begin(), va.end(), vb.begin(), vb.end()))
            return std::lexicographical_compare(va.begin(), va.end(), vb.begin(), vb.end()) ? -1 : 1;
        const auto oa = sigma.orders_of(a), ob = sigma.orders_of(b);
        if (std::equal(oa.begin(), oa.end(), ob.begin(), ob.end())) return 0;
        return std::lexicographical_compare(oa.begin(), oa.end(), ob.begin(), ob.end()) ? -1 : 1;
    };
    std::erase_if(equations, [&](int i) { return sigma.variables_of(i).empty(); });
    std::stable_sort(equations.begin(), equations.end(), [&](int a, int b) { return compare(a, b) < 0; });
    std::vector<std::vector<int>> groups;
    for (std::size_t first = 0; first < equations.size();) {
        std::size_t end = first + 1;
        while (end < equations.size() && compare(equations[first], equations[end]) == 0) ++end;
        if (end - first > 1)
            groups.emplace_back(equations.begin() + static_cast<std::ptrdiff_t>(first),
                                equations.begin() + static_cast<std::ptrdiff_t>(end));
        first = end;
    }
    std::sort(groups.begin(), groups.end());
    return groups;
}

} // namespace

StructuralDiagnosis diagnose(const SignatureMatrix& sigma) {
    StructuralDiagnosis d;
    d.equations = sigma.equations();
    d.variables = sigma.variables();
    d.parts = dulmage_mendelsohn(sigma.pattern);
    const Matching& m = d.parts.matching;
    const Incidence occurrences = sigma.pattern.transposed();
    d.surplus_equations = singular_subsets(sigma.pattern, m.column_of_row, m.row_of_column);
    d.surplus_variables = singular_subsets(occurrences, m.row_of_column, m.column_of_row);
    for (Part& part : d.surplus_variables) std::swap(part.equations, part.variables);
    for (int j = 0; j < d.variables; ++j)
        if (occurrences.row(j).empty()) d.variables_in_no_equation.push_back(j);
    for (int i = 0; i < d.equations; ++i)
        if (sigma.variables_of(i).empty()) d.equations_without_variable.push_back(i);
    d.equations_alike = alike(sigma, d.parts.over.equations);
    return d;
}

} // namespace daedalus::structure
