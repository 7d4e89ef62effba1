// The writer of flat text (flat_text.hpp), in three files: expressions (flat_expressions.cpp), names for what would be
// written many times (flat_parts.cpp), declarations and equations (flat_text.cpp).
#pragma once

#include "expr/modelica_text.hpp"
#include "expr/substitute.hpp"
#include "model/model.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;
using expr::Wanted;
using model::ValueType;

/// Thrown where something has no text.
struct NoText {
    Diagnostic diagnostic;
};

/// A name as it stands in a text: parts of components, crank.x[2], are one identifier between quotes.
[[nodiscard]] std::string quoted(const std::string& name);
[[nodiscard]] std::string string_text(const std::string& text);
[[nodiscard]] inline Wanted wanted(ValueType type) {
    return type == ValueType::boolean ? Wanted::boolean : type == ValueType::integer ? Wanted::integer : Wanted::real;
}

class FlatText {
public:
    explicit FlatText(const model::Model& model);

    std::string run();

private:
    [[noreturn]] static void fail(const std::string& what, const SourceSpan& where);
    [[nodiscard]] const model::Parameter& parameter(int id) const;

    /// Numbers of parameters that sizes and branches were decided by: those hold for good.
    std::unordered_map<int, NodeId> structural();
    NodeId value_of(NodeId node);

    void name_parameters();
    [[nodiscard]] bool is_held(const model::DiscreteVariable& d) const;
    [[nodiscard]] bool is_hidden(int id) const { return std::binary_search(hidden_.begin(), hidden_.end(), id); }

    void refuse() const;

    // Expressions

    [[nodiscard]] bool is_taken(const std::string& name) const;
    [[nodiscard]] bool makes_events(NodeId node) const;
    /// A function of the text, in which relations make no events.
    std::string helper(const std::string& name, const std::string& inputs, const std::string& type,
                       const std::string& value);

    std::optional<std::vector<expr::Spelling::Piece>> instead(NodeId node);
    /// sign(a - b) == ±1 or <> ±1 is a relation without event (expr::without_events).
    std::vector<expr::Spelling::Piece> eventless(NodeId node);

    std::string text(NodeId node, Wanted as, const SourceSpan& where, NodeId defined = expr::no_node);
    [[nodiscard]] Wanted wanted_by(NodeId a, NodeId b) const;

    // What would be written many times, in expressions that are small as graphs and huge as texts, gets a name.

    [[nodiscard]] std::vector<NodeId> roots(bool with_outputs);

    [[nodiscard]] bool is_eventless(NodeId node) const;
    /// The sides of sign(a - b) == ±1.
    [[nodiscard]] std::pair<NodeId, NodeId> sides(NodeId eventless) const;
    /// Expressions that stand in the text of this one.
    [[nodiscard]] std::vector<NodeId> written(NodeId node) const;
    [[nodiscard]] double length(NodeId node, std::unordered_map<NodeId, double>& of) const;

    void name_large_parts();

    /// An Integer or a condition, as far as its operations tell.
    [[nodiscard]] bool is_whole(NodeId node);

    /// What an expression mentions, without looking into parts that have names.
    [[nodiscard]] std::vector<NodeId> mentioned(std::vector<NodeId> from, NodeId itself = expr::no_node) const;
    /// Parts that only variables need which are computed from the solution, not with it (final_form.cpp), are computed
    /// likewise. All these are written last, and say so.
    void find_outputs();
    [[nodiscard]] bool is_output(const model::DiscreteVariable& d) const;
    [[nodiscard]] std::vector<NodeId> parts(bool of_outputs) const;
    [[nodiscard]] bool is_parameter(NodeId node) const;

    // Declarations

    static std::string comment(const std::string& description);
    void declare(bool is_protected, const std::string& declaration, const std::string& attributes,
                 const std::string& behind);
    static void add(std::string& list, std::string_view name, const std::string& value);

    void declarations();

    void declare(const model::Variable& v);

    [[nodiscard]] bool is_used(int id);

    void declare(const model::DiscreteVariable& d);

    // Equations

    void equation(std::string& out, const model::Equation& e);
    /// The start is looked for from simplified equations, homotopy = 0 with s = 0, to these.
    void homotopy(std::string& out, const model::Equation& e);

    std::string equation_section();
    std::string definition(const model::DiscreteVariable& d);
    /// initial equation pre(v) = …
    [[nodiscard]] const model::WhenBranch::Setting* begins_pre(const model::When& clause) const;
    /// p = 3 of a parameter that the start determines: its value is a number.
    bool known_parameter(const model::Equation& e, bool asked);
    bool is_known(int id, NodeId definition);
    NodeId known_value(NodeId leaf) const;
    /// der(p) = 0 of a parameter that the start determines: its declaration says that.
    [[nodiscard]] bool is_constancy(const model::Equation& e) const;

    std::string clause_text(const model::When& clause);
    [[nodiscard]] bool is_initial(const model::WhenBranch& branch) const;
    std::string assertion(const model::WhenBranch::Assertion& a);
    std::string actions(const model::WhenBranch& branch);

    [[nodiscard]] std::string functions() const;
    [[nodiscard]] std::string experiment_text() const;

    const model::Model& m_;
    expr::Graph& g_;
    NodeId zero_ = g_.constant(0.0);
    std::unordered_map<int, NodeId> fixed_;
    std::unordered_map<int, NodeId> known_; ///< variables that are parameters with a number as initial equation
    expr::Substitution substitute_{g_, [this](NodeId leaf) { return known_value(leaf); }};
    expr::Spelling spelling_;
    std::vector<std::string> names_;                 ///< of parameters, as they are written
    std::vector<int> hidden_;                        ///< parameters that are not declared as such
    std::unordered_map<std::string, int> starts_;    ///< of discrete variables: parameters that are pre(…) of them
    std::unordered_map<NodeId, NodeId> derivatives_; ///< what der(e) became → e
    std::map<std::string, std::string> functions_;
    std::unordered_map<NodeId, std::string> shorter_; ///< names of discrete variables and of large parts
    std::vector<NodeId> parts_;
    std::unordered_map<NodeId, bool> whole_;
    std::unordered_set<int> used_parameters_;
    std::unordered_set<NodeId> of_outputs_;
    NodeId defined_ = expr::no_node; ///< what is being defined is not its own name
    SourceSpan where_;
    std::string declared_;
    bool protected_ = false;
};

} // namespace daedalus::modelica
