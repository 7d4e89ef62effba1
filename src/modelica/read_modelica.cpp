#include "modelica/read_modelica.hpp"

#include "base/text_file.hpp"
#include "modelica/class_rules.hpp"
#include "modelica/flatten.hpp"
#include "modelica/parse.hpp"
#include "modelica/translator.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace daedalus::modelica {

namespace {

using Path = std::vector<const ast::ClassDefinition*>;

bool can_be_solved(const ast::ClassDefinition& definition) {
    return definition.form == ast::ClassForm::composition &&
           (definition.kind == ast::ClassKind::model || definition.kind == ast::ClassKind::class_ ||
            definition.kind == ast::ClassKind::block);
}

// Every class of the file with the classes around it, in the order of the text.
void collect(const ast::ClassDefinition& definition, Path path, std::vector<Path>& out) {
    path.push_back(&definition);
    out.push_back(path);
    for (const ast::Element& element : definition.elements)
        if (const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.what); inner && *inner)
            collect(**inner, path, out);
}

std::string dotted(const Path& path) {
    std::string name;
    for (const auto* part : path) name += (name.empty() ? "" : ".") + std::string(part->name);
    return name;
}

// The last model at the outermost level that has one: a model's helpers inside it are not meant.
const Path* last_model(const std::vector<Path>& classes) {
    const Path* best = nullptr;
    for (const Path& path : classes) {
        if (!can_be_solved(*path.back()) || path.back()->is_partial) continue;
        const bool inside_model = path.size() > 1 && can_be_solved(*path[path.size() - 2]);
        if (!inside_model && (best == nullptr || path.size() <= best->size())) best = &path;
    }
    return best;
}

Diagnostic no_model(const SourceFile& file, const std::vector<Path>& classes, const std::string& wanted) {
    std::vector<std::string> names;
    for (const Path& path : classes)
        if (can_be_solved(*path.back())) names.push_back(dotted(path));
    Diagnostic problem = make_error("no-model", wanted.empty() ? "the file contains no model"
                                                               : "the file contains no model '" + wanted + "'");
    problem.where = Location{file.name(), 0, 0, 0, {}};
    if (names.empty()) {
        problem.hint = "a model looks like: model Name Real x; equation der(x) = -x; end Name;";
    } else if (!wanted.empty()) {
        const auto best = closest(wanted, names);
        problem.hint = best ? "did you mean '" + *best + "'?" : "it contains '" + names.back() + "'";
    }
    return problem;
}

std::vector<std::string> folders(const ReadOptions& options) {
    std::vector<std::string> list = options.libraries;
    const char* path = std::getenv("MODELICAPATH");
    std::istringstream parts(path == nullptr ? "" : path);
    for (std::string part; std::getline(parts, part, ':');)
        if (!part.empty()) list.push_back(part);
    return list;
}

Expected<model::Model> translate(Library& library, const std::string& class_name, const ReadOptions& options) {
    Translator translator(library);
    if (options.check_units) translator.check_units();
    std::optional<model::Model> made = translator.translate(class_name);
    if (options.balances != nullptr) *options.balances = translator.balances();
    if (!made) return Unexpected{std::move(translator.diagnostics())};
    std::size_t unknowns = 0;
    for (const model::Variable& v : made->variables) unknowns += v.is_input ? 0U : 1U;
    if (unknowns != made->equations.size()) // then the classes tell where it comes from
        for (const ClassBalance& b : translator.balances())
            if (!b.balanced() && (!b.component.empty() || translator.balances().size() > 1) &&
                options.balances == nullptr) {
                made->warnings.push_back(unbalanced(b));
                made->warnings.back().severity = Severity::warning;
            }
    return std::move(*made);
}

/// annotation(uses(Modelica(version = "4.1.0")))
void note_versions(const ast::ClassDefinition& definition, const SourceFile& file, const ast::Tree& tree,
                   Library& library) {
    for (const ast::Modification& annotation : definition.annotation)
        if (annotation.name.text() == "uses")
            for (const ast::Modification& used : annotation.arguments)
                for (const ast::Modification& m : used.arguments)
                    if (m.name.text() == "version" && ast::given(m.value)) {
                        const Span span = tree[m.value].span;
                        if (span.end > span.begin + 2)
                            library.want_version(used.name.text(), std::string(file.text().substr(
                                                                       span.begin + 1, span.end - span.begin - 2)));
                    }
}

} // namespace

Expected<model::Model> read_modelica_class(const std::string& class_name, const ReadOptions& options) {
    Library library(folders(options));
    return translate(library, class_name, options);
}

Expected<model::Model> read_modelica(std::shared_ptr<const SourceFile> file, const ReadOptions& options) {
    ParseResult parsed = parse(*file);
    if (!parsed.ok()) return Unexpected{std::move(parsed.diagnostics)};
    std::vector<Path> classes;
    for (const auto& definition : parsed.tree.classes) collect(*definition, {}, classes);
    const Path* chosen = nullptr;
    if (options.model.empty()) {
        chosen = last_model(classes);
    } else {
        for (const Path& path : classes)
            if (can_be_solved(*path.back()) && dotted(path) == options.model) chosen = &path;
    }
    if (chosen == nullptr) return fail(no_model(*file, classes, options.model));

    Report report(*file);
    for (const auto* part : *chosen)
        if (const auto broken = broken_rule(*part, parsed.tree))
            report.error(broken->code, broken->span, broken->message, broken->hint);
    if (report.has_errors()) return Unexpected{report.take()};
    Library library(folders(options));
    for (const auto* around : *chosen) note_versions(*around, *file, parsed.tree, library);
    std::string full;
    for (const ast::NamePart& part : parsed.tree.within.parts) full += std::string(part.name) + ".";
    const Unit& unit = library.add(file, std::move(parsed.tree));
    auto translated = translate(library, full + dotted(*chosen), options);
    if (translated) {
        translated->name = chosen->back()->name;
        translated->warnings.insert(translated->warnings.begin(), parsed.diagnostics.begin(), parsed.diagnostics.end());
        return translated;
    }
    // What is wrong in a flat model of numbers, the first flattener says best; and it needs no library for names of the
    // standard library that it knows.
    model::Model result = Flattener(unit.tree, *chosen, report).run();
    if (!report.has_errors()) {
        Diagnostics found = report.take();
        result.warnings = std::move(parsed.diagnostics);
        result.warnings.insert(result.warnings.end(), found.begin(), found.end());
        result.sources.push_back(std::move(file));
        return result;
    }
    Diagnostics found = report.take();
    const auto needs_classes = [](const Diagnostic& d) {
        for (const char* const clocked : {"'Clock'", "'previous'", "'hold'", "'subSample'", "'superSample'"})
            if (d.message.find(clocked) != std::string::npos) return true;
        return d.code == "not-supported" || (d.code == "unknown-type" && d.message.find('.') != std::string::npos);
    };
    const auto beyond = [](const Diagnostic& d) {
        return d.code == "not-supported" || d.code == "unknown-type" || d.code == "unknown-function" ||
               d.code == "unknown-identifier";
    };
    const auto said = [&](const Diagnostic& d) {
        return d.code.starts_with("unknown-") ||
               std::any_of(found.begin(), found.end(), [&](const Diagnostic& other) { return other.code == d.code; });
    };
    const bool flat = std::none_of(found.begin(), found.end(), beyond) ||
                      (std::none_of(found.begin(), found.end(), needs_classes) &&
                       std::all_of(translated.error().begin(), translated.error().end(), said));
    if (flat) return Unexpected{std::move(found)};
    for (Diagnostic& d : translated.error())
        if (!d.where) d.where = Location{file->name(), 0, 0, 0, {}};
    return translated;
}

Expected<model::Model> read_modelica_file(const std::string& path, const ReadOptions& options) {
    auto file = read_text_file(path);
    if (!file) return Unexpected{std::move(file.error())};
    return read_modelica(*std::move(file), options);
}

} // namespace daedalus::modelica
