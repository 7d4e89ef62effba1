// A deck sorted into what it defines, before anything is evaluated: subcircuits with what belongs to each, and the
// commands of the whole. Includes are followed here.
#pragma once

#include "spice/expression.hpp"
#include "spice/netlist.hpp"

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>

namespace daedalus::spice {

struct ParameterCard {
    std::string name; ///< lower case
    Expression value;
    SourceSpan span; ///< of the name
};

struct FunctionCard {
    std::string name; ///< lower case
    std::vector<std::string> arguments;
    Expression body;
    SourceSpan span;
};

struct ModelCard {
    std::string name, type; ///< the type in lower case, as `DeviceModel` has it; empty: that of `base`
    std::string base;       ///< whose values it has where it says nothing (ako:base)
    Line line;
    std::uint32_t at = 0; ///< where its parameters begin
    SourceSpan span;
    int branch = -1; ///< of .if, place in Definition::branches
};

/// One part of .if … .elseif … .else … .endif.
struct Branch {
    int parent = -1;
    int first = 0;        ///< the .if that it belongs to
    Expression condition; ///< empty: .else
    SourceSpan span;
};

struct Statement {
    Line line;
    int branch = -1;
};

/// A subcircuit, or the deck around them.
struct Definition {
    std::string name;
    SourceSpan span;
    const Definition* enclosing = nullptr;
    std::vector<Token> ports;
    std::vector<ParameterCard> defaults;   ///< of the head
    std::vector<ParameterCard> parameters; ///< .param inside
    std::vector<Statement> statements;     ///< elements and instances
    std::vector<Branch> branches;
    std::unordered_map<std::string, FunctionCard> functions;
    std::unordered_map<std::string, std::vector<ModelCard>> models; ///< several where .if chooses
    std::unordered_map<std::string, std::unique_ptr<Definition>> subcircuits;
};

/// Its parts point at each other: it stays where it is.
struct Outline {
    Outline() = default;
    Outline(const Outline&) = delete;
    Outline& operator=(const Outline&) = delete;

    std::string title;
    Definition top;
    std::vector<Statement> commands;       ///< all that begins with a dot and defines nothing
    std::deque<std::vector<Line>> control; ///< blocks of .control
    std::unordered_set<std::string> globals;
    std::vector<std::shared_ptr<const SourceFile>> sources;
    bool incomplete = false; ///< a file or a section is missing
};

void read_outline(const std::shared_ptr<const SourceFile>& file, const ReadOptions& options, Problems& problems,
                  Outline& outline);

} // namespace daedalus::spice
