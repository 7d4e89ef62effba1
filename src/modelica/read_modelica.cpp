#include "modelica/read_modelica.hpp"

#include "modelica/flatten.hpp"
#include "modelica/parse.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
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

Diagnostic file_error(const std::string& path, const std::string& why) {
    Diagnostic problem = make_error("unreadable-file", why);
    problem.where = Location{path, 0, 0, 0, {}};
    return problem;
}

} // namespace

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
    model::Model result = Flattener(parsed.tree, *chosen, report).run();
    const bool failed = report.has_errors();
    Diagnostics found = report.take();
    if (failed) return Unexpected{std::move(found)};
    result.warnings = std::move(parsed.diagnostics);
    result.warnings.insert(result.warnings.end(), found.begin(), found.end());
    result.sources.push_back(std::move(file));
    return result;
}

Expected<model::Model> read_modelica_file(const std::string& path, const ReadOptions& options) {
    std::error_code status;
    if (std::filesystem::is_directory(path, status))
        return fail(file_error(path, "this is a directory, not a model file"));
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return fail(file_error(path, std::string("cannot be read: ") + std::strerror(errno)));
    std::ostringstream text;
    text << stream.rdbuf();
    if (stream.bad()) return fail(file_error(path, "reading stopped with an error"));
    return read_modelica(std::make_shared<const SourceFile>(path, std::move(text).str()), options);
}

} // namespace daedalus::modelica
