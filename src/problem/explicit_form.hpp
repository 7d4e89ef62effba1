// Facets: what explicit methods ask for most often, as code of one piece. Elimination with pivots that were chosen once
// is written out in it; behind the values stand numbers that tell whether these pivots will do at the point.
#pragma once

#include "problem/functions.hpp"

#include <vector>

namespace daedalus::problem {

/// The most differentiated rows, linear in the leading unknowns (Kernels::leading), solved: z = f(t, x), x' of what
/// links of chains integrate or what is differential, x of everything else, from t and x of what is given
/// (integrate/local_system.hpp, `chains`).
struct ExplicitForm {
    /// z of all unknowns, then `watched` numbers: the determinant of the matrix by leading unknowns (of very many, up
    /// to a factor); two whose product bounds the square of max |L| max |U| of its factors in units that equilibrated
    /// it at the start; and Σ 1/p² over what it was there.
    EvalStatus (*evaluate)(const Call& call, double t, const double* x, double* z) = nullptr;
    /// Finds out at the first call, at the price of many steps of a large system; null: it does exist.
    bool (*exists)(const Call& call) = nullptr;
    static constexpr std::size_t watched = 4;
    [[nodiscard]] bool empty() const { return evaluate == nullptr; }
};

/// That of a problem, if it has one.
template <class Problem>
[[nodiscard]] ExplicitForm explicit_form(const Problem& problem) {
    const auto& form = problem.template facet<ExplicitForm>();
    return form.exists == nullptr || form.exists(problem.call()) ? form : ExplicitForm{};
}

/// A step of Newton onto the constraints among the rows of F in which states are chosen, with the shortest correction
/// in given sizes of the unknowns.
struct ConstraintStep {
    std::vector<int> moved; ///< unknowns
    /// Their corrections from t, x and sizes of all unknowns, and behind them Σ a_kk/p_k of the matrix's diagonal and
    /// pivots: by what rounding errors of its entries count more.
    EvalStatus (*evaluate)(const Call& call, double t, const double* x, const double* sizes,
                           double* delta_watched) = nullptr;
    [[nodiscard]] bool empty() const { return evaluate == nullptr; }
};

} // namespace daedalus::problem
