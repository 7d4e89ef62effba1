// A DAE as data: variables with attributes, parameters, equations, initial equations, events; expressions are nodes
// of one graph. Front ends build it, passes read it.
#pragma once

#include "base/expected.hpp"
#include "base/source.hpp"
#include "expr/graph.hpp"
#include "expr/print.hpp"
#include "model/name_index.hpp"
#include "model/signal.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::model {

using expr::NodeId;

/// What a number stands for: an Integer is a whole one, a Boolean 0 or 1. Variables in time are Real.
enum class ValueType : std::uint8_t { real, integer, boolean };

enum class StateSelect { never = -2, avoid = -1, default_ = 0, prefer = 1, always = 2 };

/// Attribute values are expressions in constants and parameters (no_node: not given).
struct Variable {
    std::string name;
    NodeId start = expr::no_node;
    NodeId nominal = expr::no_node;
    NodeId min = expr::no_node;
    NodeId max = expr::no_node;
    NodeId final_value = expr::no_node; ///< at the end of the run: makes it a boundary value problem
    bool fixed = false;
    bool is_input = false;     ///< declared without a value: a signal must give it one
    bool is_parameter = false; ///< constant in time, its value found from the initial equations
    StateSelect state_select = StateSelect::default_;
    std::string unit;
    std::string description;
    SourceSpan span;
    bool is_protected = false; ///< declared below `protected`, or HideResult
};

struct Parameter {
    std::string name;
    NodeId binding = expr::no_node; ///< constant or expression in other parameters; no_node: has no value yet
    bool is_constant = false;       ///< Modelica `constant`: not changeable
    bool is_final = false;
    bool is_held = false; ///< the value of a discrete variable: `binding` at the start, changed at events
    std::string unit;
    std::string description;
    SourceSpan span;
    bool is_protected = false;
    ValueType type = ValueType::real;
};

struct Equation {
    NodeId left = expr::no_node;
    NodeId right = expr::no_node;
    std::string description;
    SourceSpan span;
    /// left - right with every homotopy(a, b) in it as b + s (a - b), s the parameter Model::homotopy; no_node: has
    /// none
    NodeId homotopy = expr::no_node;
};

/// A variable that changes at events only. Held parameters stand for those that clauses set; the others follow from
/// their definition.
struct DiscreteVariable {
    std::string name;
    NodeId value = expr::no_node;
    std::string unit;
    std::string description;
    SourceSpan span;
    bool is_protected = false;
    ValueType type = ValueType::real;
};

/// What happens when one of the conditions becomes true; see Model::clauses.
struct WhenBranch {
    struct Setting {
        int parameter = 0; ///< held
        NodeId value = expr::no_node;
    };
    struct Reinit {
        NodeId variable = expr::no_node; ///< a leaf
        NodeId value = expr::no_node;
        SourceSpan span;
    };
    struct Assertion {
        NodeId holds = expr::no_node; ///< or the run fails
        std::string message;
        SourceSpan span;
    };
    std::vector<NodeId> conditions;
    std::vector<Setting> settings;
    std::vector<Reinit> reinits;
    std::vector<Assertion> assertions;
    bool terminates = false;
    bool also_at_start = false; ///< acts if it holds at the start, too
    std::string message;        ///< of a branch that ends the run
    SourceSpan span;
};
/// when … elsewhen …: at most one branch acts at an event.
struct When {
    std::vector<WhenBranch> branches;
};

/// pre(v): a held parameter that takes the value of v when all clauses have acted; or, as sampling needs it, the value
/// that v has when an event begins, whatever happens to v there.
struct Memory {
    int parameter = 0;
    NodeId value = expr::no_node;
    bool left_limit = false;
};

/// sample(start, interval) as `time >= p`, where the held parameter p moves on to the next instant.
struct Sample {
    int parameter = 0;
    NodeId start = expr::no_node;
    NodeId interval = expr::no_node;
    SourceSpan span; ///< of the interval
};

/// delay(value, T): a node of the graph reads the history of `value` at `argument`, t − T (expr/delayed.hpp). For
/// the time before the start it reads a variable that is constant, and `value` at the start.
struct Delay {
    NodeId value = expr::no_node;
    NodeId duration = expr::no_node; ///< T
    NodeId longest = expr::no_node;  ///< that T is allowed to be; no_node: T does not vary
    NodeId argument = expr::no_node;
    /// Held parameters: the stretch of the history that is read, where the next one begins, and where this one does.
    int stretch = 0, next = 0, begins = 0;
    SourceSpan span;
    int before = -1; ///< variable: the value before the start, which nobody wrote and nobody is shown
};

/// Where a node reads what lies between the ends of a Transport, and the held parameters of the stretch that it is on.
struct TransportReader {
    NodeId place = expr::no_node; ///< −x at the left end, 1 − x at the right
    int stretch = 0, next = 0, begins = 0;
};

/// (out0, out1) = spatialDistribution(in0, in1, x, positiveVelocity, points, values): at the end where the flow leaves,
/// a node of the graph reads what lies there.
struct Transport {
    NodeId in0 = expr::no_node, in1 = expr::no_node;
    NodeId position = expr::no_node;    ///< x
    NodeId forward = expr::no_node;     ///< 1 while x rises, which it does by positiveVelocity alone
    std::vector<NodeId> points, values; ///< what lies between the ends at the start
    TransportReader left, right;
    SourceSpan span;
};

/// An equation that follows from the others: it is checked, and another one is solved in its place.
struct Implied {
    int equation = 0;
    NodeId instead = expr::no_node; ///< = 0
};

/// Variables that the equations leave open: with u, u + V s satisfies them for every s, V of `freedom` columns. Their
/// norm, of those that count and in units of their nominal values, is the least.
struct LeastNorm {
    std::vector<int> variables;
    std::vector<double> weights; ///< per variable: 1/nominal; 0 where it is only defined by others
    int freedom = 0;
    bool varies = false; ///< V depends on the solution: what is solved for is one of the u, moved when it is shown
};

/// Where a front end knows better than any iteration how a run begins, as circuits do by their operating points.
class StartSource {
public:
    struct Start {
        std::string name;
        double value = 0.0;
        bool preferred = false; ///< changed as little as possible; else it helps the iteration only
    };
    virtual ~StartSource() = default;
    /// May be asked by several threads at once.
    [[nodiscard]] virtual Expected<std::vector<Start>>
    find(const std::vector<struct ParameterOverride>& parameters) const = 0;
};

/// `experiment` annotation or its equivalent; unset values are for the user to give.
struct Experiment {
    std::optional<double> start_time;
    std::optional<double> stop_time;
    std::optional<double> tolerance;
    std::optional<double> interval;
};

class Model {
public:
    std::string name;
    std::string description;
    std::vector<Variable> variables;
    std::vector<Parameter> parameters;
    std::vector<Equation> equations;
    std::vector<Equation> initial_equations;
    std::vector<DiscreteVariable> discrete;
    std::vector<When> clauses; ///< settings of one clause come before clauses that use what they set
    std::vector<Memory> memories;
    std::vector<Sample> samples;
    std::vector<Delay> delays;
    std::vector<Transport> transports;
    std::vector<Signal> signals;  ///< of inputs, each with an equation
    std::vector<Implied> implied; ///< found by numbers, never written by an author
    LeastNorm least_norm;         ///< what they leave open
    int terminal_flag = -1;       ///< held parameter that is 1 at the end of the run only; -1: not used
    int initial_flag = -1;        ///< held parameter that is 1 at the initial event only; -1: not used
    int history = -1;             ///< held parameter: the number of the history that delays read; -1: there are none
    int homotopy = -1;            ///< parameter s of Equation::homotopy; -1: no equation has one
    Experiment experiment;
    std::shared_ptr<expr::Graph> graph = std::make_shared<expr::Graph>();
    std::vector<std::shared_ptr<const SourceFile>> sources; ///< keeps spans valid
    Diagnostics warnings;                                   ///< found while building, not fatal
    std::shared_ptr<const StartSource> start_source;        ///< may be missing
    bool keeps_quantities = false; ///< methods shall difference Q where der(Q) is written: charges of circuits
    int known_index = -1;          ///< found by a front end in another way than by structure; −1: it does not know
    /// Where a compilation builds in this model's own graph: what there was before.
    std::optional<expr::Graph::Extent> as_read;

    /// Visits what delays and transports read and keep, to replace it.
    template <class Visit>
    void visit_past(const Visit& visit) {
        for (Delay& d : delays)
            for (NodeId* e : {&d.value, &d.duration, &d.argument}) visit(*e);
        for (Transport& p : transports) {
            for (NodeId* e : {&p.in0, &p.in1, &p.position, &p.forward, &p.left.place, &p.right.place}) visit(*e);
            for (std::vector<NodeId>* list : {&p.points, &p.values})
                for (NodeId& e : *list) visit(e);
        }
    }
    /// What of the present delays and transports keep, and how far back they read.
    [[nodiscard]] std::vector<NodeId> past_expressions() const;
    [[nodiscard]] bool is_shown(int variable) const {
        return std::none_of(delays.begin(), delays.end(), [&](const Delay& d) { return d.before == variable; });
    }
    [[nodiscard]] bool has_past() const { return !delays.empty() || !transports.empty(); }
    /// Where the first of them is written, if there is one.
    [[nodiscard]] SourceSpan span_of_past() const {
        return !delays.empty() ? delays.front().span : !transports.empty() ? transports.front().span : SourceSpan{};
    }

    /// A graph of its own for another compilation.
    [[nodiscard]] std::shared_ptr<expr::Graph> copy_of_graph() const;

    int add_variable(Variable variable);    ///< returns its id
    int add_parameter(Parameter parameter); ///< returns its id
    /// Drops the variables whose flag is 0; those behind them move up. Expressions are the caller's to renumber.
    void keep_variables(const std::vector<char>& keep);
    /// What changes at events, named; nothing where the equations are all there is.
    [[nodiscard]] std::optional<std::string> event_part() const;
    [[nodiscard]] std::optional<int> find_variable(const std::string& name) const;
    [[nodiscard]] std::optional<int> find_parameter(const std::string& name) const;

    /// "x", "der(x)", "der(x, 2)".
    [[nodiscard]] std::string variable_name(int id, int order = 0) const;
    [[nodiscard]] expr::Names names() const;
    /// As text for people, cut after max_length characters.
    [[nodiscard]] std::string text(NodeId expression, std::size_t max_length = 4000) const;
    [[nodiscard]] std::string text(const Equation& equation, std::size_t max_length = 4000) const;

private:
    NameIndex variable_ids_;
    NameIndex parameter_ids_;
};

/// Values of all parameters, dependent ones computed, overrides applied. Fails with a diagnostic that names the
/// parameter: unknown override, override of a constant, no value, cyclic binding, value not finite.
struct ParameterOverride {
    std::string name;
    double value = 0.0;
};
[[nodiscard]] Expected<std::vector<double>> parameter_values(const Model& model,
                                                             const std::vector<ParameterOverride>& overrides = {});

} // namespace daedalus::model
