// Which first-order system F(t, x, x') = 0 the integrator is given. An unknown is a jet entry (a variable's k-th
// derivative); a row is a differentiated equation or a link x_j^(k)' = x_j^(k+1).
//
//   dummy   all of f_i, …, f_i^(c_i) are rows; the derivatives they determine are unknowns of their own (dummy
//           derivatives), and only the states keep their links. Index 1 at most, no drift.
//   none    the equations as written; the index stays what it is.
#pragma once

#include "problem/implicit_problem.hpp"
#include "transform/index_reduction.hpp"

#include <unordered_map>

namespace daedalus::transform {

enum class Reduction { none, dummy };

struct Formulation {
    Reduction kind = Reduction::dummy;
    std::vector<JetEntry> unknowns;
    std::vector<DifferentiatedEquation> rows;
    std::vector<problem::Link> permanent_links;
    std::vector<problem::ChoiceBlock> choices;  ///< blocks whose links are chosen by numbers
    std::vector<DifferentiatedEquation> hidden; ///< constraints that are not rows but can be evaluated
    int hidden_omitted = 0;                     ///< constraints that need derivatives which are not available

    /// Where a variable leaf lives: unknown i (as x) or the derivative of unknown i (as x'), or nowhere.
    struct Place {
        int unknown = -1;
        bool derivative = false;
    };
    [[nodiscard]] Place place(const JetEntry& entry) const;
    [[nodiscard]] int unknown(const JetEntry& entry) const; ///< -1 if not an unknown

    void index_unknowns();

private:
    std::unordered_map<std::uint64_t, int> position_;
};

[[nodiscard]] Formulation formulate(const System& system, const ReducedSystem& reduced, Reduction kind);

} // namespace daedalus::transform
