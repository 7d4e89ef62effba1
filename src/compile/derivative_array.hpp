// The derivative array of a model as written, and the initial value problem on it. Nothing structural enters: no alias
// is removed and no equation chosen, so that what is found from it can contradict what structure says.
#pragma once

#include "compile/compile.hpp"
#include "problem/derivative_array.hpp"

namespace daedalus::compile {

/// Models with more equations are not given to derivative arrays unasked: their work is that of singular values of
/// dense matrices with as many rows as equations times differentiations, and 200 equations of index 3 make an array of
/// 800 rows, of which one decomposition takes about a second (the limit of IndexOptions::max_rows is 900).
inline constexpr int largest_for_arrays = 200;

/// A derivative array with the way back to the model.
struct ArrayModel {
    std::shared_ptr<problem::DerivativeArray> array;
    int variables = 0;              ///< so many of the unknowns, the first ones, are the model's own variables …
    std::vector<char> differential; ///< … per unknown: its derivative is written in the model
};

/// Unknowns are the model's variables, then der(x), …, der(x, m-1) of those written with a derivative of order m ≥ 2.
/// The model must be square; it may be structurally singular.
[[nodiscard]] Expected<ArrayModel> derivative_array(std::shared_ptr<const model::Model> model,
                                                    const CompileOptions& options = {});

/// The array on branches that events change, and the equations as written with everything that happens at events, in
/// the same unknowns. The environment of `written` is what the array adopts.
struct SwitchedArray {
    ArrayModel model;
    problem::ImplicitProblem written;
};
[[nodiscard]] Expected<SwitchedArray> switched_array(std::shared_ptr<const model::Model> model,
                                                     const CompileOptions& options = {});

/// F_order(t0, z) = 0 with the initial equations, start values and fixed values of the model; z[i] = u[z_from[i]].
struct ArrayStart {
    problem::InitialProblem initial;
    std::vector<int> z_from;
};
/// `model` must come from derivative_array(), with the same options.
[[nodiscard]] Expected<ArrayStart> array_start(const ArrayModel& model, int order, const CompileOptions& options = {});

} // namespace daedalus::compile
