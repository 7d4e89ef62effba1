// From the text to the netlist: outline, parameters, options, elements, what refers to them, commands.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>

namespace daedalus::spice {

namespace {

/// Of the deck itself; the caller's values go before those of the deck.
void top_parameters(Reader& r) {
    for (const ParameterCard& p : r.outline.top.parameters) {
        Frame::Parameter& slot = r.top.parameters[p.name];
        if (slot.expression != nullptr)
            r.warning("given-twice", p.span, "parameter '" + printable(p.name) + "' is given again: this one counts",
                      "the first one is in line " + std::to_string(slot.span.locate().line));
        slot = {Frame::Parameter::State::unread, &p.value, 0.0, p.span, true, false};
    }
    for (const auto& [name, number] : r.options.parameters) {
        const auto at = r.top.parameters.find(name);
        if (at != r.top.parameters.end()) {
            at->second.state = Frame::Parameter::State::known;
            at->second.number = number;
        } else if (name != "temp") {
            std::vector<std::string> known{"temp"};
            for (const auto& [key, value] : r.top.parameters) known.push_back(key);
            std::sort(known.begin(), known.end());
            r.error_of_deck("unknown-parameter", "this deck has no parameter '" + printable(name) + "'",
                            suggestion(name, known));
        }
    }
}

void evaluate_parameters(Reader& r) {
    for (const ParameterCard& p : r.outline.top.parameters) {
        const auto value = r.parameter(p.name, p.span, r.top);
        if (value) r.netlist.parameters[p.name] = {*value, p.span};
    }
}

} // namespace

Expected<Netlist> Reader::read() {
    if (outline.incomplete) return Unexpected{problems.take()}; // what is missing would be missed everywhere
    top_parameters(*this);
    commands(true);
    if (const auto t = options.parameters.find("temp");
        t != options.parameters.end() && !top.parameters.contains("temp"))
        netlist.temperature = t->second;
    evaluate_parameters(*this);
    if (!fits()) return Unexpected{problems.take()};
    expand(top);
    if (netlist.elements.empty() && !problems.any())
        error_of_deck("empty", "this deck has no elements",
                      "a deck is a title line, then elements such as R1 in out 1k, then commands such as .tran 1u 1m");
    resolve();
    if (made <= options.most_elements) commands(false);
    if (!problems.any()) check_couplings();
    if (problems.any()) return Unexpected{problems.take()};
    netlist.warnings = problems.take();
    return std::move(netlist);
}

Expected<Netlist> read_netlist(std::shared_ptr<const SourceFile> file, const ReadOptions& options) {
    return Reader(file, options).read();
}

} // namespace daedalus::spice
