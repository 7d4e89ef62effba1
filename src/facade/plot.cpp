#include "daedalus/plot.hpp"

#include "base/printable.hpp"
#include "facade/access.hpp"
#include "output/text_plot.hpp"

#include <algorithm>

namespace daedalus {

std::vector<std::string> split_names(const std::string& list) {
    std::vector<std::string> names(1);
    int brackets = 0;
    bool quoted = false;
    for (const char c : list) {
        if (c == '\'') quoted = !quoted;
        if (!quoted && c == '[') ++brackets;
        if (!quoted && c == ']') --brackets;
        if (c == ',' && brackets == 0 && !quoted)
            names.emplace_back();
        else if (quoted || c != ' ')
            names.back() += c;
    }
    names.erase(std::remove(names.begin(), names.end(), std::string()), names.end());
    return names;
}

Diagnostics check_names(const Model& model, const std::vector<std::string>& names) {
    const model::Model& m = *model.impl().model;
    std::vector<std::string> known;
    for (const model::Variable& v : m.variables) known.push_back(v.name);
    for (const model::DiscreteVariable& d : m.discrete) known.push_back(d.name);
    Diagnostics problems;
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        std::vector<std::string> below; // of a component or an array
        for (const std::string& one : known)
            if (one.starts_with(name + ".") || one.starts_with(name + "[")) below.push_back(one);
        const auto close = closest(name, known);
        problems.push_back(make_error("unknown-variable", "there is no variable '" + printable(name) + "' to plot",
                                      !below.empty() ? "it has '" + below.front() + "'"
                                      : close        ? "did you mean '" + *close + "'?"
                                                     : ""));
    }
    return problems;
}

std::string plot_text(const Solution& solution, const std::vector<std::string>& names, int width, int height) {
    std::string out;
    for (const std::string& name : names) {
        out += "  " + printable(name) + "\n";
        const auto lines = output::braille_plot(solution.time(), solution[name], std::max(20, width - 2), height);
        if (lines.empty()) out += "  nothing to draw: it has no finite value, or was not recorded\n";
        for (const std::string& line : lines) out += "  " + line + "\n";
    }
    return out;
}

} // namespace daedalus
