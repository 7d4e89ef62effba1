// The other half of the waist: what must hold at the start. Unknowns u are all variables with all the derivatives
// that the equations and their differentiated forms mention; G(t0, u) = 0 are those equations (hidden constraints
// included) and the initial equations. Usually fewer equations than unknowns: the difference is what may be chosen.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/legend.hpp"

#include <memory>
#include <vector>

namespace daedalus::problem {

/// How firmly a start value is meant.
enum class Strength : unsigned char {
    unspecified, ///< nothing was said; the start is a default guess
    guess,       ///< only helps the iteration
    preferred,   ///< change it as little as possible
    fixed        ///< must hold
};

/// Who said so: for messages.
enum class StartOrigin : unsigned char {
    model,       ///< an attribute in the model
    option,      ///< given for this run, from outside the model
    steady_state ///< a derivative that must vanish
};

struct InitialUnknown {
    double start = 0.0;
    Strength strength = Strength::unspecified;
    double nominal = 1.0;
    double size = 0.0; ///< where more than the nominal value is expected: the start value of its variable
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    int derivative = 0; ///< which time derivative of a variable it is; low ones are what a user would rather choose
    StartOrigin origin = StartOrigin::model;
};

struct InitialProblem {
    double t0 = 0.0;
    int equations = 0;
    std::vector<InitialUnknown> unknowns;
    SparsityPattern pattern; ///< equations × unknowns
    Binding binding;
    EvalStatus (*residual)(const Call& call, double t, const double* u, double* g) = nullptr;
    EvalStatus (*jacobian)(const Call& call, double t, const double* u, double* values) = nullptr;
    /// Variables that never vary are parameters of the run: puts their values into its environment, once u is known.
    void (*hold)(const void* code, Environment& environment, const double* u) = nullptr;
    double jacobian_error = 0.0; ///< relative error of its values beyond rounding (finite differences)
    std::shared_ptr<const Legend> legend = std::make_shared<Legend>();
    [[nodiscard]] const Legend& names() const { return *legend; }

    /// Solving order, if there is one (Pryce's stages): the equations of stage s determine unknowns of stage s once
    /// those of lower stages are known. Positions are then found from positions alone, not bent to suit accelerations.
    std::vector<int> unknown_stage;
    std::vector<int> equation_stage;

    /// What entry k of the Jacobian depends on: unknowns dependency[dependency_start[k]] … Empty: not known. Blocks
    /// whose entries depend on none of their own unknowns are linear.
    std::vector<int> dependency_start;
    std::vector<int> dependency;

    /// How u maps to the integrator's vectors: x[i] = u[x_from[i]], dx[i] = u[dx_from[i]] (-1: unknown, take 0).
    std::vector<int> x_from;
    std::vector<int> dx_from;
};

} // namespace daedalus::problem
