// Lines that begin with a dot and are no definitions.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>
#include <array>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

/// Understood by other programs, without a meaning here; a warning says so.
constexpr std::array<std::string_view, 18> ignored{
    ".noise", ".disto", ".tf",  ".four",       ".fourier",  ".width",    ".backanno", ".csparam", ".wave",
    ".net",   ".sp",    ".pss", ".save_state", ".loadbias", ".savebias", ".data",     ".enddata", ".alter"};
const std::vector<std::string> known{".op",      ".tran",    ".dc",     ".ac",      ".pz",      ".sens",  ".ic",
                                     ".nodeset", ".options", ".temp",   ".step",    ".measure", ".print", ".plot",
                                     ".save",    ".probe",   ".param",  ".func",    ".subckt",  ".ends",  ".model",
                                     ".include", ".lib",     ".global", ".control", ".endc",    ".if",    ".else",
                                     ".endif",   ".end",     ".title"};

bool is_early(const std::string& name) { return name.starts_with(".opt") || name == ".temp"; }

void read_options(Cursor& c, Reader& r) {
    for (Token t = c.next(); !t.is(Kind::end); t = c.next()) {
        if (t.is(Kind::comma)) continue;
        const std::string key = lower(t.text);
        if (!t.is(Kind::word)) {
            r.error("options", t.span, "'" + printable(t.text) + "' is no option: name=value is, or a name");
            return;
        }
        if (!c.peek().is(Kind::equals)) {
            r.netlist.options[key] = {1.0, t.span};
            continue;
        }
        (void)c.next();
        const Token v = c.peek();
        if ((v.is(Kind::word) && !read_number(v.text, true) && !r.top.parameters.contains(lower(v.text))) ||
            v.is(Kind::quoted)) {
            (void)c.next();
            r.warning("ignored", cover(t.span, v.span), "option '" + key + "=" + printable(v.text) + "' is ignored");
            continue;
        }
        const auto value = r.value(c, r.top, "option '" + key + "'");
        if (!value) return;
        r.netlist.options[key] = *value;
        if (key == "temp") r.netlist.temperature = value->number;
        if (key == "tnom") r.netlist.nominal_temperature = value->number;
    }
}

void read_temperatures(Cursor& c, Reader& r) {
    Analysis::Sweep sweep;
    sweep.source = "temp";
    sweep.span = c.line().span();
    while (!c.peek().is(Kind::end)) {
        if (c.peek().is(Kind::comma)) {
            (void)c.next();
            continue;
        }
        const auto value = r.value(c, r.top, "a temperature");
        if (!value) return;
        sweep.list.push_back(value->number);
    }
    if (sweep.list.empty()) {
        r.error("missing-number", c.line().span(), ".temp needs a temperature in degrees Celsius");
        return;
    }
    r.netlist.temperature = sweep.list.front();
    if (sweep.list.size() > 1) r.netlist.steps.push_back(std::move(sweep));
}

} // namespace

void Reader::commands(bool early) {
    for (const Line& line : outline.commands) {
        Cursor c(line);
        const Token word = c.next();
        std::string name = lower(word.text);
        if (is_early(name) != early) continue;
        if (name == ".options" || name == ".option" || name == ".opt")
            read_options(c, *this);
        else if (name == ".temp")
            read_temperatures(c, *this);
        else if (name == ".ic" || name == ".nodeset")
            initial_values(c, name == ".nodeset");
        else if (name == ".step")
            step(c);
        else if (name == ".print" || name == ".plot")
            wanted(c, true);
        else if (name == ".save" || name == ".probe")
            wanted(c, false);
        else if (name == ".meas" || name == ".measure")
            measure(c);
        else if (std::find(ignored.begin(), ignored.end(), name) != ignored.end())
            warning("ignored", word.span, "'" + name + "' is ignored");
        else if (!analysis(c, name.substr(1)))
            error("unknown-command", word.span, "there is no command '" + printable(name) + "'",
                  suggestion(name, known));
    }
    if (early) return;
    for (const std::vector<Line>& block : outline.control) control(block);
}

} // namespace daedalus::spice
