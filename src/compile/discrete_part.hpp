// What changes at events besides branches: values of discrete variables and integer parts, samples, and the actions of
// when-clauses, with everything they need in the unknowns of the formulation.
#pragma once

#include "compile/known_instants.hpp"
#include "expr/graph.hpp"
#include "problem/implicit_problem.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::compile {

struct Compilation;

/// floor(e), as a held value n that changes where e reaches n + 1 or falls below n.
struct IntegerPart {
    expr::NodeId node = expr::no_node;     ///< floor(e), as written
    expr::NodeId argument = expr::no_node; ///< e
    int parameter = 0;
    std::size_t above = 0, below = 0; ///< root functions
    bool of_time = false;             ///< e depends on time alone
};

/// A reader of the past, as a held stretch of it that changes where its time θ reaches the next one, or falls back
/// behind the beginning of this one.
struct PastReader {
    Past past;
    expr::NodeId argument = expr::no_node;          ///< θ
    int stretch = 0, next = 0, begins = 0;          ///< parameters
    std::size_t ahead = 0;                          ///< root function: θ ≥ next
    std::optional<std::size_t> back = std::nullopt; ///< θ < begins; none: the delay does not vary
};

/// abs, min or max, as a branch: `relation` says whether the operand with the opposite sign, or the second one, is
/// meant.
struct Kink {
    expr::NodeId node = expr::no_node;
    expr::NodeId relation = expr::no_node;
};
/// The relation that decides such a node: a < 0, b < a or b > a, as in the derivatives of these functions.
[[nodiscard]] expr::NodeId kink_relation(expr::Graph& g, expr::NodeId node);

struct DiscretePart {
    struct Branch {
        std::vector<expr::NodeId> conditions;
        std::size_t held = 0; ///< where the environment has each condition's value before the event
        struct Setting {
            int parameter;
            expr::NodeId value;
        };
        struct Reinit {
            int unknown;
            bool derivative; ///< x' is meant; else x
            double sign;
            expr::NodeId value;
        };
        struct Assertion {
            expr::NodeId holds;
            std::string message;
            std::optional<Location> where;
        };
        std::vector<Setting> settings;
        std::vector<Reinit> reinits;
        std::vector<Assertion> assertions;
        bool ends = false;
        bool also_at_start = false;
        std::string message;
    };
    std::vector<std::vector<Branch>> clauses;
    /// What clauses set. While the equations of an event are solved, each is what an acting branch says, or what it was
    /// before.
    struct Held {
        int parameter;
        std::size_t before; ///< where the environment has that
    };
    std::vector<Held> held;
    std::size_t solving = 0; ///< where the environment has whether the equations of an event are being solved
    std::vector<Branch::Setting> memories;
    std::vector<Branch::Setting> left_limits; ///< take their value where an event begins, on the branches before it
    struct Sample {
        int parameter;                ///< the next instant, start + count · interval
        expr::NodeId start, interval; ///< of parameters only
        std::size_t count = 0;        ///< where the environment has the count
    };
    std::vector<Sample> samples;
    std::vector<IntegerPart> integers;
    std::vector<PastReader> readers;           ///< of delays, then two of each transport
    bool tables = false;                       ///< signals that change at their knots
    std::vector<TimeFunction> fixed_functions; ///< conditions on time whose zeros are fixed during a run,
    std::vector<TimeFunction> time_functions;  ///< and those whose zeros are not
    std::size_t memory = 0;                    ///< numbers of the environment behind the parameters
    int initial_flag = -1;
    int terminal_flag = -1;

    [[nodiscard]] bool empty() const {
        return clauses.empty() && memories.empty() && left_limits.empty() && samples.empty() && integers.empty() &&
               readers.empty() && !tables;
    }
};

/// Relations, kinks and integer parts below these expressions that make events, with known instants told apart. Fills
/// c.root_relations, c.kinks, c.discrete.integers and the functions of time in c.discrete, and appends parameters for
/// integer parts.
struct Events {
    std::vector<expr::NodeId> roots; ///< differences of c.root_relations
    std::vector<char> known_instant; ///< per root
};
[[nodiscard]] Events collect_events(Compilation& c, const std::vector<expr::NodeId>& expressions);

/// The model's clauses in the variables that are left: what collect_events must see too.
[[nodiscard]] std::vector<expr::NodeId> discrete_expressions(Compilation& c);
/// Replaces eliminated variables by what they stand for.
[[nodiscard]] expr::NodeId in_remaining_variables(const Compilation& c, expr::NodeId expression);
[[nodiscard]] std::vector<expr::NodeId> in_remaining_variables(const Compilation& c,
                                                               std::vector<expr::NodeId> expressions);

/// `frozen` puts parameters in the place of relations and integer parts.
void build_discrete_part(Compilation& c,
                         const std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>& frozen);
[[nodiscard]] problem::Discrete discrete_of(const Compilation& c);
[[nodiscard]] decltype(problem::Hybrid::next_instant) instants_of(const Compilation& c);
/// What clauses of the initial event give held parameters at a point of the start, where that is not what they have.
[[nodiscard]] std::vector<std::pair<int, double>> settings_at_start(const Compilation& c, const problem::Environment& e,
                                                                    double t, const double* x, const double* dx);
/// Zeros of conditions on time that are fixed during a run, ascending.
[[nodiscard]] std::vector<double> fixed_instants(const Compilation& c, std::span<const double> parameters);

} // namespace daedalus::compile
