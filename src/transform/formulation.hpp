// Which first-order system F(t, x, x') = 0 the integrator is given. An unknown is a jet entry (a variable's k-th
// derivative); a row is a differentiated equation or a link x_j^(k)' = x_j^(k+1).
//
//   dummy   all of f_i, …, f_i^(c_i) are rows; the derivatives they determine are unknowns of their own (dummy
//           derivatives), and only the states keep their links. Index 1 at most, no drift.
//   none    the equations as written; the index stays what it is.
//   underlying_ode  only the most differentiated f_i^(c_i) = 0, every x_j^(k) with k < d_j a state (all links). Index
//   1;
//           the constraints f_i^(m) = 0, m < c_i, are first integrals and drift (HW VII.2, Thm 2.1).
//   projection      the same system; the constraints are handed on, for the loop to return to them after each step
//           (HW (2.8)-(2.11)).
//   ggl     every constraint g = f_i^(m) is a row with a multiplier μ of its own, which enters the links,
//               x_j^(k)' = x_j^(k+1) - Σ_g (∂g/∂x_j^(k)) μ_g ;
//           μ = 0 on the solution. Rows are those of index2 otherwise (Gear, Leimkuhler & Gupta 1985; HW (1.48)).
//   index2  one differentiation less: constraints of velocities (HW (1.46a,b,d)). What was differentiated away drifts.
//   stabilised_index1   the most differentiated rows, and all constraints with multipliers as in ggl: W (4.13);
//           overdetermined has the same with links weighted by M, HW (2.27).
//   project_position, project_velocity  as underlying_ode; the loop returns to one level of the constraints.
//   partition       dummy, of mechanisms: independent coordinates are the states.
//   minimal         the same, of mechanisms: see minimal_coordinates.hpp.
//   penalty, knorrenschild, hanke   W (4.3)-(4.5), see mechanical_formulation.hpp.
//   baumgarte       (d/dt + α)^(c_i) f_i = 0 in place of f_i^(c_i) = 0: constraints decay as exp(-α t) (Baumgarte 1972;
//           HW (2.7); W (4.1)). α is a parameter behind all others, set when the start is known.
#pragma once

#include "daedalus/reduction.hpp"
#include "problem/implicit_problem.hpp"
#include "transform/equations_of_motion.hpp"
#include "transform/index_reduction.hpp"

#include <unordered_map>

namespace daedalus::transform {

/// Variable of a leaf that stands for the derivative of unknown `order`, where that derivative is another unknown.
inline constexpr int derivative_of_unknown = -1;

struct Formulation {
    Reduction kind = Reduction::dummy;
    std::vector<JetEntry> unknowns;
    std::vector<DifferentiatedEquation> rows;
    std::vector<problem::Link> permanent_links;
    std::vector<problem::ChoiceBlock> choices;  ///< blocks whose links are chosen by numbers
    std::vector<DifferentiatedEquation> hidden; ///< constraints that are not rows but can be evaluated
    int hidden_omitted = 0;                     ///< constraints that need derivatives which are not available
    int drifting = 0;                           ///< so many of `hidden`, the first ones, hold through derivatives only
    std::vector<DifferentiatedEquation> constraints; ///< to be projected onto; in unknowns, not their derivatives
    int multipliers = 0;                             ///< so many of `unknowns`, the last ones, are multipliers μ
    NodeId alpha = expr::no_node;  ///< the parameter of Baumgarte's stabilisation, or ε of a regularisation
    NodeId second = expr::no_node; ///< β, or μ; the next parameter
    std::string impossible;        ///< why there is no such formulation of this system
    std::string remark;            ///< what users should know about what became of this system
    /// Level of constraints of a mechanism that the loop returns to: 0 none, 1 positions, 2 velocities.
    int projected_level = 0;
    /// Of index2: rows that are constraints, their derivatives, and per unknown whether those determine it itself, not
    /// its derivative.
    struct IndexTwo {
        std::vector<int> constraints;
        std::vector<NodeId> rates;
        std::vector<char> multipliers;
    } index_two;
    struct Inlined {
        JetEntry entry;
        NodeId value; ///< in the unknowns
    };
    std::vector<Inlined> inlined; ///< no unknowns any more (inline_definitions.hpp)

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

/// `motion`: the equations of motion, where the formulation is one of mechanisms.
[[nodiscard]] Formulation formulate(const System& system, const ReducedSystem& reduced, Reduction kind,
                                    const EquationsOfMotion* motion = nullptr);

} // namespace daedalus::transform
