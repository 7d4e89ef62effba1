// One instance of a subcircuit while it is being expanded, or the deck itself: what its names mean.
//
// Parameters are looked for in the instance, then in the one that contains it, and so on outwards, as ngspice does.
// Models, functions and subcircuits belong to the text: they are looked for where the subcircuit is defined, then
// around that.
#pragma once

#include "spice/outline.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace daedalus::spice {

struct Frame {
    struct Parameter {
        enum class State : std::uint8_t { unread, busy, known, failed };
        State state = State::unread;
        const Expression* expression = nullptr;
        double number = 0.0;
        SourceSpan span;
        bool declared = true; ///< otherwise given by an instance, and by nobody else
        bool used = false;
    };

    const Definition* definition = nullptr;
    Frame* caller = nullptr;
    int depth = 0;
    std::string prefix; ///< "X1.X2."
    SourceSpan instance;
    double multiplicity = 1.0;
    std::unordered_map<std::string, Parameter> parameters;
    std::unordered_map<std::string, int> ports;
    std::unordered_map<const ModelCard*, int> models;
    std::vector<signed char> branches; ///< of .if, by place: whether it holds; empty: not decided yet

    /// The frame of the text around this one's text.
    [[nodiscard]] Frame* around() const {
        Frame* f = caller;
        while (f != nullptr && f->definition != definition->enclosing) f = f->caller;
        return f;
    }
};

} // namespace daedalus::spice
