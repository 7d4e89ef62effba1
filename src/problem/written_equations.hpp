// Facet: the model's equations as their author wrote them, in the model's own variables and their derivatives. Nothing
// in them is eliminated, combined or differentiated, and conditions are evaluated afresh, so that a check of a solution
// by them shares nothing with what was integrated but the values that are handed out.
#pragma once

#include "problem/functions.hpp"
#include "problem/legend.hpp"

#include <memory>
#include <vector>

namespace daedalus::problem {

struct WrittenEquations {
    /// A variable's derivative of some order, the variable itself among them.
    struct Jet {
        int order = 0;
        int index = 1; ///< of the unknown that it is; where it is none, the highest of all
        double nominal = 1.0;
        bool relaxed = false; ///< a slope that multipliers keep apart from the variable that stands for it
    };
    std::vector<Jet> jets;        ///< all that the equations mention …
    VectorFunction values;        ///< … as they follow from (t, x, x')
    bool any_slope = false;       ///< they need derivatives that F does not determine (ConsistentDerivative does)
    bool instead_of_rows = false; ///< rows of F are combinations that change from point to point: these count
    int size = 0;                 ///< equations
    /// r[i] = Σ terms of equation i, and sizes[i] = Σ |term|.
    EvalStatus (*residual)(const Call& call, double t, const double* jets, double* r, double* sizes) = nullptr;
    std::shared_ptr<const Legend> legend;
    [[nodiscard]] bool empty() const { return size == 0; }
};

} // namespace daedalus::problem
