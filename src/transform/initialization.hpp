// What must hold at the start, symbolically: every equation with every differentiated form that index reduction made,
// and the initial equations, in the jets of all variables; and how firmly each start value is meant.
#pragma once

#include "problem/initial_problem.hpp"
#include "transform/index_reduction.hpp"

#include <span>
#include <string>
#include <vector>

namespace daedalus::transform {

struct InitialRow {
    NodeId residual = expr::no_node;
    int row = -1; ///< system row, differentiated `order` times, or
    int order = 0;
    int initial_equation = -1; ///< initial equation of the model, or
    int fixed_variable = -1;   ///< an eliminated variable with a fixed start value
};

/// Where a number of an unknown comes from: an expression in parameters, times `sign`; without one, a start value given
/// from outside or, with neither, 0.
struct InitialNumber {
    enum class Field { start, nominal, size, min, max };
    JetEntry entry;
    Field field = Field::start;
    NodeId expression = expr::no_node;
    double sign = 1.0;
    int given = -1; ///< which of the given starts
};

struct InitialSystem {
    std::vector<JetEntry> unknowns;
    std::vector<problem::InitialUnknown> data;
    std::vector<InitialRow> rows;
    std::vector<InitialNumber> numbers; ///< in the order in which they were set
    bool starts_in_rows = false;        ///< a given start became an equation, with its value as a constant

    [[nodiscard]] int unknown(const JetEntry& entry) const; ///< -1 if absent
};

/// A start value given from outside.
struct GivenStart {
    JetEntry entry; ///< may name an eliminated variable
    double value = 0.0;
    problem::Strength strength = problem::Strength::fixed;
};

/// Unknowns without a start value begin with what follows from the others (guess_propagation.hpp).
/// `steady_state`: every derivative that the model mentions must vanish; the model's own fixed start values then give
/// way where they must (those in `given` do not).
[[nodiscard]] InitialSystem initialize(const System& system, const ReducedSystem& reduced,
                                       const std::vector<GivenStart>& given, double start_time,
                                       bool steady_state = false);

/// The unknowns' numbers for other values of parameters and given starts (of the same entries and strengths). Start
/// values that followed from others stay as they were: they are guesses.
[[nodiscard]] std::vector<problem::InitialUnknown> renumber(const InitialSystem& initial, const expr::Graph& graph,
                                                            std::span<const double> parameters,
                                                            const std::vector<GivenStart>& given);

} // namespace daedalus::transform
