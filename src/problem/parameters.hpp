// Facet: how F depends on numbers of the model, ∂F/∂p, exact and column by column. What sensitivities, adjoints and
// fits of parameters begin with: s = ∂x/∂p satisfies
//     ∂F/∂x' s' + ∂F/∂x s + ∂F/∂p = 0                                    (Caracotsios & Stewart 1985)
// with the matrix of the run itself. Made where somebody asks for it.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/functions.hpp"

#include <string>
#include <vector>

namespace daedalus::problem {

struct Parameters {
    /// A number that the user may set. Others that follow from it by their definitions count with it: ∂F/∂p has the
    /// chain rule through them carried out.
    struct Column {
        std::string name;
        int place = 0;              ///< in the environment
        std::vector<int> followers; ///< places of those that follow
    };
    std::vector<Column> columns;
    SparsityPattern pattern; ///< of the kernel's rows × columns; the links depend on nothing
    /// Values on the pattern.
    EvalStatus (*derivatives)(const Call& call, double t, const double* x, const double* dx, double* values) = nullptr;

    [[nodiscard]] bool empty() const { return derivatives == nullptr; }
};

} // namespace daedalus::problem
