// Everything a report tells besides the numbers of the trajectory: the model as understood, what was chosen and why,
// how it ended. Plain data, filled by whoever ran the solve; CSV needs none of it, JSON and HTML show all of it.
#pragma once

#include "base/diagnostic.hpp"
#include "output/trajectory.hpp"
#include "problem/initial_problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace daedalus::output {

struct EquationText {
    std::string text;  ///< Modelica: "der(x) = u"
    std::string latex; ///< the same as LaTeX mathematics; may be empty
    std::string description;
    std::optional<Location> where;
};

struct HiddenConstraint {
    std::string text;
    std::string latex;
    std::vector<int> equations; ///< the equations it follows from, as positions in ModelSummary::equations
    int differentiations = 0;   ///< how often the first of them was differentiated
};

/// One diagonal block of the block triangular form, in the order of evaluation.
struct EquationBlock {
    std::vector<int> equations;         ///< positions in ModelSummary::equations
    std::vector<std::string> variables; ///< what the block determines: "der(x)", "lambda"
    std::vector<std::string> torn;      ///< tearing variables, if the block was torn
    bool linear = false;
};

struct ParameterValue {
    std::string name;
    double value = 0.0;
    std::string unit;
    std::string description;
    bool overridden = false; ///< by the user, against the model's own value
};

struct InitialValue {
    std::string name; ///< "x", "der(x)"
    std::string unit;
    double before = 0.0; ///< as given, or the default guess
    double after = 0.0;  ///< consistent
    problem::Strength strength = problem::Strength::unspecified;
};

/// The model as understood: what `analyze` prints.
struct ModelSummary {
    std::string name;
    std::string description;
    std::string source_name; ///< file name; empty for a model built in memory
    std::string source_text;
    std::vector<VariableInfo> variables; ///< all of them, where the trajectory has only some; else empty
    std::vector<EquationText> equations;
    std::vector<HiddenConstraint> hidden_constraints;
    std::vector<EquationBlock> blocks;
    std::optional<int> structural_index;
    std::optional<int> differentiation_index; ///< by derivative arrays, where they reduce the model
    std::optional<int> degrees_of_freedom;
    std::vector<ParameterValue> parameters;
};

/// All variables of the model.
[[nodiscard]] inline const std::vector<VariableInfo>& variables_of(const ModelSummary& model,
                                                                   const Trajectory& trajectory) {
    return model.variables.empty() ? trajectory.variables : model.variables;
}

/// An option, a counter, a version: a snake_case name (the JSON key) and a value.
struct Fact {
    using Value = std::variant<bool, std::int64_t, double, std::string>;

    std::string name;
    Value value;
    std::string unit;
    std::string note; ///< why this value, or what it means
};

struct PassRecord {
    std::string name; ///< "index_reduction"
    std::string what; ///< what it did, one sentence
    std::string why;
    std::vector<std::string> details; ///< further lines, one fact each
    double seconds = 0.0;
};

enum class OutcomeKind {
    success,
    stopped_early, ///< a correct result up to t_reached: interrupt, terminal event, end of the solution
    failed
};

struct Outcome {
    OutcomeKind kind = OutcomeKind::success;
    std::string reason; ///< one sentence; empty for plain success
    double t_start = 0.0;
    double t_reached = 0.0;
    double t_requested = 0.0;
};

struct ReportData {
    ModelSummary model;
    Outcome outcome;
    std::string method;       ///< "radau5"
    std::string command_line; ///< to do it again; may be empty
    std::string created;      ///< date and time as text; empty keeps the output reproducible
    std::vector<InitialValue> initial_values;
    std::vector<Fact> options;
    std::vector<Fact> statistics;
    std::vector<Fact> versions;
    std::vector<PassRecord> passes;
    Diagnostics diagnostics; ///< warnings and notes; errors if the solve failed
};

[[nodiscard]] constexpr const char* name_of(OutcomeKind kind) {
    switch (kind) {
    case OutcomeKind::success: return "success";
    case OutcomeKind::stopped_early: return "stopped early";
    case OutcomeKind::failed: return "failed";
    }
    return "";
}

[[nodiscard]] constexpr const char* name_of(problem::Strength strength) {
    switch (strength) {
    case problem::Strength::unspecified: return "free";
    case problem::Strength::guess: return "guess";
    case problem::Strength::preferred: return "preferred";
    case problem::Strength::fixed: return "fixed";
    }
    return "";
}

} // namespace daedalus::output
