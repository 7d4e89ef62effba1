// What compilation found and did: values for programs, sentences for `daedalus explain`.
#pragma once

#include "base/diagnostic.hpp"
#include "compile/special_class.hpp"
#include "model/model.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::compile {

/// One pass: what it did and why.
struct PassRecord {
    std::string name;
    std::string summary;
    std::string reason;
    std::vector<std::string> details;
    double seconds = 0.0;
};

struct HiddenConstraint {
    std::string text;
    std::string from; ///< the equation it was derived from
    int differentiations = 0;
    std::optional<Location> where;
};

/// How a block depends on the derivatives that it determines (Pryce, Nedialkov & Tan 2015, on quasilinearity).
enum class Linearity {
    linear,      ///< linear, with coefficients of time and parameters only
    quasilinear, ///< linear, with coefficients that depend on what is known when it is solved
    nonlinear    ///< needs an iteration, and a guess to start it
};

/// A diagonal block of the block triangular form; numbers are those of the model.
struct Block {
    std::vector<int> equations;
    std::vector<int> variables;
    int differentiations = 0; ///< most among its equations
    Linearity linearity = Linearity::linear;
    std::vector<int> torn;               ///< variables to guess so that the others follow one by one
    std::vector<int> residual_equations; ///< equations left over to correct the guess
};

/// The blocks in solving order, side by side: of a large model most are single equations.
class Blocks {
public:
    void add(const Block& block);
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    [[nodiscard]] Block operator[](std::size_t b) const;

private:
    struct End { ///< of a block's part of each list
        std::uint32_t equations = 0, variables = 0, torn = 0, residual_equations = 0;
        int differentiations = 0;
        Linearity linearity = Linearity::linear;
    };
    std::vector<int> equations_, variables_, torn_, residual_equations_;
    std::vector<End> ends_;
};

/// What is known of a variable, in words (variable_facts).
struct VariableFacts {
    std::string name;
    std::string unit;
    std::string description;
    int index = 0;              ///< index of this variable
    int highest_derivative = 0; ///< as written
    std::string eliminated_as;  ///< "der(x)", "-y", "sin(time)" if it was removed as an alias; else empty
    std::optional<Location> where;
};

/// What is known of an equation, in words (equation_facts).
struct EquationFacts {
    std::string text;
    int differentiations = 0; ///< c_i
    std::string replaced_by;  ///< combination that took its place, if the structure had to be repaired
    std::optional<Location> where;
};

/// The model as understood, by structure; nothing is solved for it. Of single variables and equations there are numbers
/// here; words are made of them, with the model, when somebody asks.
struct StructuralReport {
    struct OfVariable {
        int index = 0;
        int highest_derivative = 0; ///< as written
        expr::NodeId eliminated_as = expr::no_node;
    };
    std::string model_name;
    int equations = 0;
    int variables = 0;
    int parameters = 0;
    int structural_index = 0; ///< of the repaired system, where structure had to be repaired
    int index_as_written = 0; ///< structural index of the author's equations
    int degrees_of_freedom = 0;
    std::vector<OfVariable> of_variables;                  ///< by variable of the model
    std::vector<int> differentiations;                     ///< by equation: c_i
    std::vector<std::pair<int, std::string>> replacements; ///< equations with what took their place, ascending
    std::vector<HiddenConstraint> hidden_constraints;
    Blocks blocks;
    std::vector<SpecialClass> classes;     ///< special classes the model belongs to
    std::optional<bool> pantelides_agrees; ///< with the signature method; unset where it was not asked
    bool torn = false;                     ///< blocks were torn
    int uncovered = 0;                     ///< sets of CompileOptions::dependent that were converted
    bool structure_reliable = true;        ///< the system Jacobian is generically nonsingular
    std::vector<std::string> warnings;
};

/// Facts of variable v, or equation i, of the model that the report is about.
[[nodiscard]] VariableFacts variable_facts(const StructuralReport& report, const model::Model& model, std::size_t v);
[[nodiscard]] EquationFacts equation_facts(const StructuralReport& report, const model::Model& model, std::size_t i);

} // namespace daedalus::compile
