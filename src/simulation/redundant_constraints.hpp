// Models with redundant constraints (HW VII.2, exercise 2): a loop written with more equations than it needs, two rods
// where one would do. The motion is determined, the multipliers are not. Such a model is singular for every analysis of
// structure and of derivative arrays; here it is made regular: equations that follow from the others are checked
// instead of solved, and in their place stands Vᵀλ = 0, the least norm of what they leave open (V spans ker Gᵀ).
#pragma once

#include "base/expected.hpp"
#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "model/model.hpp"
#include "simulation/compilations.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::simulation {

/// What is to be done about a model; numbers of equations and variables are those of its author.
struct Redundancy {
    struct Row {
        int equation = 0;
        std::vector<int> from; ///< the equations that it follows from
    };
    struct Term {
        int variable = 0;
        double factor = 0.0;
    };
    std::vector<Row> implied;
    std::vector<std::vector<Term>> instead; ///< one sum = 0 for each implied equation
    model::LeastNorm least_norm;
    Diagnostic note; ///< a warning that says all this
};

/// Looks at consistent points near the start. Nothing where no constraint is redundant, or where that cannot be
/// decided; an error where redundant constraints contradict each other, or where the motion depends on what they leave
/// open.
[[nodiscard]] Expected<std::optional<Redundancy>> find_redundancy(const std::shared_ptr<const model::Model>& model,
                                                                  const compile::CompileOptions& how,
                                                                  const integrate::StartOptions& start);

/// The model with regular equations. It may have more variables and equations than the one that was looked at had.
[[nodiscard]] std::shared_ptr<const model::Model> without_redundancy(const model::Model& model,
                                                                     const Redundancy& found);

/// Errors behind which a redundant constraint may be.
[[nodiscard]] bool may_be_redundant(const Diagnostics& errors);

/// What runs with these options need in place of the model: nothing where no constraint is redundant.
struct RegularModel {
    std::shared_ptr<const Compilations> compilations;
    Diagnostic note;
    Redundancy found;
};
[[nodiscard]] Expected<std::optional<RegularModel>> regular_model(const Compilations& compilations,
                                                                  const SolveOptions& options);

} // namespace daedalus::simulation
