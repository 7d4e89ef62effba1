// What a model is, found without solving it.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"
#include "daedalus/options.hpp"

#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

struct AnalyzedVariable {
    std::string name;
    std::string unit;
    std::string description;
    int index = 0;                       ///< index of this variable
    int highest_derivative = 0;          ///< as written
    std::string eliminated_as;           ///< "der(x)", "-y" where it is only another name; else empty
    std::optional<int> differentiations; ///< after which its derivative is determined, by derivative arrays
    std::optional<int> measured_index;   ///< from perturbation experiments
    bool is_shown = true;                ///< false: nobody wrote it (the value of a delay before the start)
};

struct AnalyzedEquation {
    std::string text;
    int differentiations = 0; ///< how often it must be differentiated
    std::string replaced_by;  ///< a combination that takes its place where structure alone misleads
    std::optional<Location> where;
    std::vector<int> mentions; ///< variables that occur in it, by position; of models up to 2,000 equations
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

/// An index in one of its senses: a value, or why there is none. `reason` says how it was found, too.
struct IndexFinding {
    std::optional<int> value;
    std::string reason;
    bool inferred = false; ///< from another index, by a theorem: no evidence of its own
};

/// Rank decisions on the derivative array of one order: M = ∂F_k/∂(x', …), singular values after scaling.
struct ArrayEvidence {
    int order = 0;
    int rows = 0, columns = 0, rank = 0;
    double smallest_kept = 0.0, largest_dropped = 0.0;
    std::vector<double> singular_values;
    bool determines_derivatives = false; ///< 1-full: x' follows
    bool full_row_rank = false;
    bool strangeness_free = false;
    bool decided = false;
};

/// Condition of the iteration matrix E + h H at one step size.
struct StepCondition {
    double h = 0.0;
    double condition = 0.0;
    int effective_index = 0; ///< power of 1/h about this h
};

/// The index if numbers below `noise`, relative, cannot be told from zero; none: the system is singular at that
/// accuracy.
struct NoiseIndex {
    double noise = 0.0;
    std::optional<int> index;
};

/// The index of the pencil (E(t), H(t)) of a system with time-varying coefficients; none: singular, or not clear.
struct LocalIndex {
    double t = 0.0;
    std::optional<int> index;
};

/// Sensitivity to perturbations along the solution (Mattheij & Wijckmans).
struct ConditioningFacts {
    std::optional<double> kappa1, kappa2; ///< of initial values, and of perturbations of the equations
    std::string reason;
    std::string estimates;                ///< nearly of higher index: the bounds that hold uniformly, in words
    int predicted_power = 0;              ///< of 1/h in the condition of the iteration matrix: the index
    std::optional<double> observed_power; ///< at small h
    std::vector<StepCondition> steps;
    std::vector<NoiseIndex> at_noise;           ///< effective index over decades of accuracy
    std::optional<double> distance_to_singular; ///< 0: a singular pencil; small: errors grow by its inverse …
    std::string singular_combination;           ///< … through this combination of equations, where it is small
    std::string advice;                         ///< where the system is nearly of higher index
};

/// What of an analysis is done beyond structure. Unset: where the model is small enough to do it at once.
struct AnalyzeOptions {
    std::optional<bool> derivative_arrays; ///< by default up to 200 equations
    std::optional<bool> measure;           ///< perturbation index by experiments
    std::optional<bool> along_solution;    ///< conditioning, and the index at later times
};

/// What a pass did and why.
struct Pass {
    std::string name;
    std::string summary;
    std::string reason;
    std::vector<std::string> details;
    double seconds = 0.0;
};

/// What a formulation makes of a mechanism: indices of the integrator's unknowns.
struct FormulationIndex {
    std::string formulation; ///< as --reduce calls it
    int index = 0;           ///< the highest of the following
    int positions = 0, velocities = 0, multipliers = 0;
    int added = 0; ///< of multipliers that the formulation adds and that vanish on the solution; 0: there are none
};

struct Analysis {
    std::string model;
    std::vector<AnalyzedEquation> equations;
    std::vector<AnalyzedVariable> variables;
    int structural_index = 0;          ///< of the equations as written
    std::optional<int> repaired_index; ///< of equivalent ones, where those mislead structure and could be converted
    int degrees_of_freedom = 0;
    std::vector<HiddenConstraint> hidden_constraints;
    std::vector<EquationBlock> blocks;
    std::vector<std::string> classes;      ///< special classes of the literature that it belongs to
    std::optional<bool> pantelides_agrees; ///< a second, independent method; unset where a model is too large for it
    bool torn = false;                     ///< blocks were torn
    bool structure_reliable = true;
    std::vector<std::string> warnings;
    std::vector<Pass> passes;

    IndexFinding differentiation_index, strangeness_index, tractability_index, perturbation_index;
    std::string structural_index_reason;
    std::string cancellation;                     ///< where structure misleads: the equations whose derivatives cancel
    std::string agreement;                        ///< whether the indices agree, and why they do not where they do not
    std::optional<int> array_degrees_of_freedom;  ///< d, from derivative arrays
    std::vector<ArrayEvidence> array_evidence;    ///< by order
    std::vector<std::string> free_initial_values; ///< an admissible choice
    ConditioningFacts conditioning;
    /// Of a model that is linear with constant coefficients: λ with det(λ E + H) = 0.
    std::optional<std::vector<std::complex<double>>> eigenvalues;
    /// Of a model that is linear with time-varying coefficients: which says little about the system.
    std::vector<LocalIndex> local_index;
    std::string recommendation;
    std::vector<FormulationIndex> formulations; ///< of mechanisms with constraints, up to 100 equations

    /// One page of text; `color` for terminals.
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
    /// One HTML file that needs nothing else: the page with the structure matrix and the singular values drawn.
    [[nodiscard]] std::string to_html() const;
};

/// Fails, with the culprits named, where the model is structurally singular.
[[nodiscard]] Expected<Analysis> analyze(const Model& model, const SolveOptions& options = {},
                                         const AnalyzeOptions& what = {});

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
