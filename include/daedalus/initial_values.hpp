// Consistent initial values without solving: what they are, what was free to choose, what had to change.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"
#include "daedalus/options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

/// A variable or one of its derivatives at the start.
struct InitialValue {
    std::string name;
    std::string strength;         ///< "fixed", "preferred", "guess", "" (nothing was said), "follows" (another name)
    std::optional<double> before; ///< what was asked for, or searched from
    double after = 0.0;
    bool free = false;  ///< belongs to the admissible set: may be chosen, and determines the rest with the others
    bool moved = false; ///< something was said about it, and it had to change
    std::string reason; ///< of a free one: why it has this value
    std::optional<Location> where;
};

/// One attempt at solving the equations of the start.
struct InitialAttempt {
    std::string method;
    bool success = false;
    int iterations = 0;
    double residual = 0.0; ///< relative
    std::string note;
};

/// One of several solutions that share the values of the free variables.
struct InitialSolution {
    std::vector<double> values; ///< of InitialValues::values, in their order
    double distance = 0.0;      ///< from the start values, in units of the nominal values
    int found = 0;              ///< how many starts led to it
};

struct InitialResidual {
    std::string equation;
    double value = 0.0;
    std::optional<Location> where;
};

struct InitialValues {
    std::string model;
    double time = 0.0;
    std::vector<InitialValue> values;
    int degrees_of_freedom = -1;       ///< values that may be chosen; -1: the model is too large to tell
    int redundant_equations = 0;       ///< equations that follow from others at this point
    std::vector<std::string> free_set; ///< an admissible choice
    std::vector<std::vector<std::string>> alternatives; ///< others, if asked for
    std::vector<InitialAttempt> attempts;
    std::vector<InitialSolution> solutions; ///< if other starts were asked for; the first is used
    std::vector<InitialResidual> residuals; ///< of all equations and hidden constraints, largest first
    double largest_residual = 0.0;          ///< absolute
    double relative_residual = 0.0;         ///< relative to what each equation is made of
    Diagnostics warnings;

    /// Value of "x" or "der(x)"; nothing if there is none of that name.
    [[nodiscard]] std::optional<double> operator[](std::string_view name) const;
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
};

/// Fails, with an irreducible set of contradicting equations and values named, where there are no consistent values.
[[nodiscard]] Expected<InitialValues> initialize(const Model& model, const SolveOptions& options = {});

} // namespace daedalus
