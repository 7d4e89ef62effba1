// .control … .endc: a script for ngspice. Its analyses and what it prints and plots are taken; the rest is named as
// ignored.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>
#include <array>

namespace daedalus::spice {

namespace {
using Kind = Token::Kind;

template <std::size_t n>
bool among(const std::array<std::string_view, n>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 6> analyses{"op", "tran", "dc", "ac", "pz", "sens"};
constexpr std::array<std::string_view, 4> shows{"print", "plot", "asciiplot", "save"};
constexpr std::array<std::string_view, 4> to_files{"write", "wrdata", "hardcopy", "gnuplot"};
/// Without a meaning where a program runs by itself.
constexpr std::array<std::string_view, 13> nothing{"run",     "quit",  "exit",    "rusage",  "listing",
                                                   "destroy", "reset", "display", "version", "cd",
                                                   "rehash",  "stop",  "resume"};

bool is_vector(const std::string& text) { // v(…), i(…), @…, a node; no options (xlimit) and numbers
    return !text.empty() && (text.find('(') != std::string::npos || text[0] == '@' || text == "all");
}

/// Keeps v(out), passes over xlimit 0 1m, title 'x' and the like.
void take_vectors(Cursor& c, Reader& r) {
    const std::size_t before = r.netlist.wanted.size();
    r.wanted(c, false);
    auto& list = r.netlist.wanted;
    list.erase(
        std::remove_if(list.begin() + static_cast<std::ptrdiff_t>(before), list.end(),
                       [&](const Wanted& w) { return !is_vector(w.text) && r.existing_node(w.text, r.top) < 0; }),
        list.end());
}
} // namespace

void Reader::control(const std::vector<Line>& lines) {
    std::vector<std::string> ignored;
    SourceSpan first;
    for (const Line& line : lines) {
        Cursor c(line);
        const Token word = c.next();
        std::string name = lower(word.text);
        if (name.starts_with('.')) name.erase(0, 1);
        if (among(analyses, name)) {
            (void)analysis(c, name);
        } else if (among(shows, name)) {
            take_vectors(c, *this);
        } else if (among(to_files, name)) {
            (void)c.until("");
            take_vectors(c, *this);
        } else if (name == "meas") {
            measure(c);
        } else if (!among(nothing, name)) {
            if (!first.known()) first = word.span;
            if (std::find(ignored.begin(), ignored.end(), name) == ignored.end() && ignored.size() < 10)
                ignored.push_back(printable(name));
        }
    }
    if (ignored.empty()) return;
    std::string list;
    for (const std::string& name : ignored) list += (list.empty() ? "" : ", ") + name;
    warning("ignored", first, "these commands of .control are ignored: " + list);
}

} // namespace daedalus::spice
