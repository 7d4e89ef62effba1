#include "modelica/scope.hpp"

#include "modelica/builtin.hpp"

namespace daedalus::modelica {

std::vector<std::string> split_name(std::string_view dotted) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= dotted.size(); ++i) {
        if (i < dotted.size() && dotted[i] != '.') continue;
        if (i > begin) parts.emplace_back(dotted.substr(begin, i - begin));
        begin = i + 1;
    }
    return parts;
}

bool Scope::declare(std::string_view name, const Symbol& symbol) {
    if (!symbols_.emplace(name, symbol).second) return false;
    order_.push_back(name);
    return true;
}

void Scope::import(const ast::ImportClause& clause) {
    const std::string path = clause.name.text();
    if (clause.name.parts.empty()) return;
    if (clause.all)
        packages_.push_back(path);
    else if (!clause.chosen.empty())
        for (const std::string_view name : clause.chosen) aliases_.emplace(name, path + "." + std::string(name));
    else
        aliases_.emplace(clause.alias.empty() ? clause.name.parts.back().name : clause.alias, path);
}

void Scope::define(std::string_view name, expr::NodeId node) { symbols_.at(name).node = node; }

const Symbol* Scope::find(std::string_view name) const {
    const auto it = symbols_.find(name);
    return it == symbols_.end() ? nullptr : &it->second;
}

std::vector<std::string> Scope::qualified(const ast::Reference& name) const {
    std::vector<std::string> parts;
    for (const ast::NamePart& part : name.parts) parts.emplace_back(part.name);
    if (parts.empty() || name.global) return parts;
    const auto it = aliases_.find(name.parts[0].name);
    if (it != aliases_.end()) {
        std::vector<std::string> full = split_name(it->second);
        full.insert(full.end(), parts.begin() + 1, parts.end());
        return full;
    }
    if (parts.size() == 1) {
        for (const std::string& package : packages_) {
            const std::string full = package + "." + parts[0];
            if (find_function(full) != nullptr || find_constant(full) != nullptr || find_unit(full) != nullptr)
                return split_name(full);
        }
    }
    return parts;
}

namespace {

const ast::ClassDefinition* nested(const ast::ClassDefinition& outer, std::string_view name) {
    for (const ast::Element& element : outer.elements) {
        const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.what);
        if (inner && *inner && (*inner)->name == name) return inner->get();
    }
    return nullptr;
}

} // namespace

const ast::ClassDefinition* Scope::find_class(const ast::Reference& name) const {
    const std::vector<std::string> parts = qualified(name);
    if (parts.empty()) return nullptr;
    const ast::ClassDefinition* found = nullptr;
    if (!name.global)
        for (auto it = enclosing_.rbegin(); it != enclosing_.rend() && !found; ++it) found = nested(**it, parts[0]);
    for (std::size_t i = 0; i < tree_->classes.size() && !found; ++i)
        if (tree_->classes[i]->name == parts[0]) found = tree_->classes[i].get();
    for (std::size_t k = 1; k < parts.size() && found; ++k) found = nested(*found, parts[k]);
    return found;
}

std::string Scope::suggestion(std::string_view name, const std::vector<std::string>& more) const {
    if (name.size() < 2) return {}; // every other letter is as close
    std::vector<std::string> candidates(order_.begin(), order_.end());
    candidates.emplace_back("time");
    candidates.insert(candidates.end(), more.begin(), more.end());
    const auto best = closest(name, candidates);
    return best ? "did you mean '" + *best + "'?" : std::string{};
}

} // namespace daedalus::modelica
