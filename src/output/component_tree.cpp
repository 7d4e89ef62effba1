#include "output/component_tree.hpp"

#include "output/markup.hpp"

#include <map>

namespace daedalus::output {

namespace {

/// 'a.b[1,2]'.c and 'a.b[1,2].c' alike → a, b[1,2], c
std::vector<std::string> path_of(const std::string& name) {
    std::vector<std::string> parts(1);
    int brackets = 0;
    for (const char c : name) {
        if (c == '[' || c == '(') ++brackets;
        if (c == ']' || c == ')') --brackets;
        if (c == '.' && brackets == 0)
            parts.emplace_back();
        else if (c != '\'')
            parts.back() += c;
    }
    return parts;
}

struct Node {
    std::vector<std::string> order; ///< of parts, as they come
    std::map<std::string, Node> parts;
    const VariableInfo* variable = nullptr;
    std::size_t variables = 0; ///< in it, those of its parts included
};

// Components nest as deep as classes do, which the front end limits.
void write(const Node& node, std::string& out) {
    out += "<ul class=\"components\">";
    for (const std::string& name : node.order) {
        const Node& part = node.parts.at(name);
        out += "<li>";
        if (part.variable != nullptr) {
            const VariableInfo& v = *part.variable;
            out += "<code>" + escape_markup(name) + "</code>";
            if (!v.unit.empty()) out += " <span class=\"tag\">" + escape_markup(v.unit) + "</span>";
            if (!v.description.empty()) out += " <span class=\"soft\">" + escape_markup(v.description) + "</span>";
        }
        if (!part.order.empty()) {
            out += "<details><summary><code>" + escape_markup(name) + "</code> <span class=\"soft\">" +
                   std::to_string(part.variables) + (part.variables == 1 ? " variable" : " variables") +
                   "</span></summary>";
            write(part, out);
            out += "</details>";
        }
        out += "</li>";
    }
    out += "</ul>\n";
}

} // namespace

std::string component_tree(const std::vector<VariableInfo>& variables, std::size_t most) {
    Node root;
    bool nested = false;
    std::size_t shown = 0;
    for (const VariableInfo& v : variables) {
        if (shown == most) break;
        ++shown;
        const std::vector<std::string> path = path_of(v.name);
        nested = nested || path.size() > 1;
        Node* at = &root;
        for (const std::string& part : path) {
            const auto [it, is_new] = at->parts.try_emplace(part);
            if (is_new) at->order.push_back(part);
            at = &it->second;
            ++at->variables;
        }
        at->variable = &v;
    }
    if (!nested) return {};
    std::string out;
    write(root, out);
    if (shown < variables.size())
        out += "<p class=\"soft\">and " + std::to_string(variables.size() - shown) + " more variables</p>\n";
    return out;
}

} // namespace daedalus::output
