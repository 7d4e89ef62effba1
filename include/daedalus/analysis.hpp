// What a model is, found without solving it.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"
#include "daedalus/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus {

struct AnalyzedVariable {
    std::string name;
    std::string unit;
    std::string description;
    int index = 0;              ///< index of this variable
    int highest_derivative = 0; ///< as written
    std::string eliminated_as;  ///< "der(x)", "-y" where it is only another name; else empty
};

struct AnalyzedEquation {
    std::string text;
    int differentiations = 0; ///< how often it must be differentiated
    std::string replaced_by;  ///< a combination that takes its place where structure alone misleads
    std::optional<Location> where;
};

struct HiddenConstraint {
    std::string text; ///< in the model's own names
    std::string from; ///< the equation that implies it
    int differentiations = 0;
    std::optional<Location> where;
};

/// How a block depends on what it determines.
enum class Linearity {
    linear,      ///< linear, with coefficients of time and parameters only
    quasilinear, ///< linear, with coefficients that are known when it is solved
    nonlinear    ///< needs an iteration, and a guess to start it
};

/// One step of the solving order: these equations determine these variables together (positions in the lists).
struct EquationBlock {
    std::vector<int> equations;
    std::vector<int> variables;
    int differentiations = 0;
    Linearity linearity = Linearity::linear;
    std::vector<int> torn;               ///< if asked for: variables to guess, so that the others follow one by one
    std::vector<int> residual_equations; ///< and the equations that correct the guess
};

/// What a pass did and why.
struct Pass {
    std::string name;
    std::string summary;
    std::string reason;
    std::vector<std::string> details;
    double seconds = 0.0;
};

struct Analysis {
    std::string model;
    std::vector<AnalyzedEquation> equations;
    std::vector<AnalyzedVariable> variables;
    int structural_index = 0;
    int degrees_of_freedom = 0;
    std::vector<HiddenConstraint> hidden_constraints;
    std::vector<EquationBlock> blocks;
    std::vector<std::string> classes;      ///< special classes of the literature that it belongs to
    std::optional<bool> pantelides_agrees; ///< a second, independent method; unset where a model is too large for it
    bool torn = false;                     ///< blocks were torn
    bool structure_reliable = true;
    std::vector<std::string> warnings;
    std::vector<Pass> passes;

    /// One page of text; `color` for terminals.
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
};

/// Fails, with the culprits named, where the model is structurally singular.
[[nodiscard]] Expected<Analysis> analyze(const Model& model, const SolveOptions& options = {});

/// Every pass from model to problem, and why: what `daedalus explain` prints.
struct Explanation {
    Analysis analysis;
    std::string formulation;
    std::vector<std::string> unknowns;
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
};
[[nodiscard]] Expected<Explanation> explain(const Model& model, const SolveOptions& options = {});

} // namespace daedalus
