#include "modelica/library.hpp"

#include "modelica/parse.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

namespace daedalus::modelica {

namespace fs = std::filesystem;

namespace {

bool is_file(const std::string& path) {
    std::error_code status;
    return fs::is_regular_file(path, status);
}
bool is_folder(const std::string& path) {
    std::error_code status;
    return fs::is_directory(path, status);
}
/// A name that is one component of a path: no separators, not "." or "..".
bool is_plain(std::string_view name) {
    return !name.empty() && name.find('/') == std::string_view::npos && name != "." && name != "..";
}

ParsedFile read_and_parse(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    if (stream) text << stream.rdbuf();
    if (!stream || stream.bad()) {
        Diagnostic problem = make_error("unreadable-file", "cannot be read");
        problem.where = Location{path, 0, 0, 0, {}};
        return {nullptr, {std::move(problem)}};
    }
    auto file = std::make_shared<const SourceFile>(path, std::move(text).str());
    ParseResult parsed = parse(*file);
    if (!parsed.ok()) return {nullptr, std::move(parsed.diagnostics)};
    return {std::make_shared<const Unit>(Unit{std::move(file), std::move(parsed.tree)}), {}};
}

} // namespace

ParsedFile parsed_file(const std::string& path) {
    struct Known {
        std::uintmax_t size = 0;
        fs::file_time_type changed;
        ParsedFile file;
    };
    static std::mutex mutex;
    static std::unordered_map<std::string, Known> all;
    std::error_code no_size, no_time;
    const std::uintmax_t size = fs::file_size(path, no_size);
    const fs::file_time_type changed = fs::last_write_time(path, no_time);
    if (no_size || no_time) return read_and_parse(path);
    {
        const std::lock_guard lock(mutex);
        if (const auto known = all.find(path);
            known != all.end() && known->second.size == size && known->second.changed == changed)
            return known->second.file;
    }
    ParsedFile file = read_and_parse(path);
    const std::lock_guard lock(mutex);
    all.insert_or_assign(path, Known{size, changed, file});
    return file;
}

const Unit& Library::add(std::shared_ptr<const SourceFile> file, ast::Tree tree) {
    const Unit& unit = *units_.emplace_back(std::make_shared<const Unit>(Unit{std::move(file), std::move(tree)}));
    if (unit.tree.within.parts.empty())
        for (const auto& definition : unit.tree.classes)
            top_.insert_or_assign(std::string(definition->name), FoundClass{definition.get(), &unit});
    return unit;
}

FoundClass Library::load(const std::string& path, std::string_view name, const std::string& folder) {
    ParsedFile parsed = parsed_file(path);
    problems_.insert(problems_.end(), parsed.problems.begin(), parsed.problems.end());
    if (!parsed.unit || !parsed.problems.empty()) return {};
    const Unit& unit = *units_.emplace_back(std::move(parsed.unit));
    for (const auto& definition : unit.tree.classes) {
        if (definition->name != name) continue;
        if (!folder.empty()) directories_.emplace(definition.get(), folder);
        return {definition.get(), &unit};
    }
    Diagnostic problem =
        make_error("wrong-file", "the file does not define '" + std::string(name) + "', as its name promises");
    problem.where = Location{path, 0, 0, 0, {}};
    problems_.push_back(std::move(problem));
    return {};
}

FoundClass Library::find_in(const std::string& folder, const std::string& name) {
    const std::string base = folder + "/" + name;
    if (is_file(base + "/package.mo")) return load(base + "/package.mo", name, base);
    if (is_file(base + ".mo")) return load(base + ".mo", name, {});
    return {};
}

FoundClass Library::top_level(const std::string& name) {
    if (const auto it = top_.find(name); it != top_.end()) return it->second;
    FoundClass found;
    if (is_plain(name)) {
        for (const std::string& folder : folders_) {
            if (const auto wanted = versions_.find(name); wanted != versions_.end()) {
                const std::string with_version = folder + "/" + name + " " + wanted->second;
                if (is_file(with_version + "/package.mo"))
                    found = load(with_version + "/package.mo", name, with_version);
                else if (is_file(with_version + ".mo"))
                    found = load(with_version + ".mo", name, {});
            }
            if (found.definition == nullptr) found = find_in(folder, name);
            if (found.definition != nullptr) break;
            // "Modelica 4.1.0": the newest by name, if no version was asked for
            std::vector<std::string> versions;
            std::error_code status;
            for (const auto& entry : fs::directory_iterator(folder, status)) {
                const std::string entry_name = entry.path().filename().string();
                if (entry_name.starts_with(name + " ") && is_file(entry.path().string() + "/package.mo"))
                    versions.push_back(entry.path().string());
            }
            if (versions.empty()) continue;
            const std::string newest = *std::max_element(versions.begin(), versions.end());
            found = load(newest + "/package.mo", name, newest);
            if (found.definition != nullptr) break;
        }
    }
    if (found.definition != nullptr) check_version(name, found);
    top_.emplace(name, found);
    return found;
}

/// annotation(version = "2.0", conversion(noneFromVersion = "1.0")) beside uses(Name(version = "1.0"))
void Library::check_version(const std::string& name, const FoundClass& found) {
    const auto wanted = versions_.find(name);
    if (wanted == versions_.end()) return;
    const auto text = [&](const ast::Modification& m) {
        const Span span = ast::given(m.value) ? found.unit->tree[m.value].span : Span{};
        return span.end > span.begin + 2
                   ? std::string(found.unit->file->text().substr(span.begin + 1, span.end - span.begin - 2))
                   : std::string();
    };
    std::string version;
    for (const ast::Modification& annotation : found.definition->annotation) {
        if (annotation.name.text() == "version") version = text(annotation);
        if (annotation.name.text() == "conversion")
            for (const ast::Modification& m : annotation.arguments)
                if (m.name.text() == "noneFromVersion" && text(m) == wanted->second) return;
    }
    if (version.empty() || version == wanted->second) return;
    Diagnostic warning =
        make_error("wrong-version",
                   "version " + wanted->second + " of the library '" + name + "' is asked for, but version " + version +
                       " was found",
                   "--library names a folder with '" + name + " " + wanted->second + "', or '" + name + "'");
    warning.severity = Severity::warning;
    warnings_.push_back(std::move(warning));
}

FoundClass Library::nested(const ast::ClassDefinition& package, std::string_view name) {
    const auto it = directories_.find(&package);
    if (it == directories_.end() || !is_plain(name)) return {};
    return find_in(it->second, std::string(name));
}

std::string Library::folder_of(const ast::ClassDefinition& package) const {
    const auto it = directories_.find(&package);
    return it == directories_.end() ? std::string() : it->second;
}

std::string Library::resource(const std::string& uri) {
    constexpr std::string_view scheme = "modelica://";
    if (!uri.starts_with(scheme)) return {};
    const std::string rest = uri.substr(scheme.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return {};
    std::string package = rest.substr(0, slash);
    const std::string top = package.substr(0, package.find('.'));
    const FoundClass found = top_level(top);
    if (found.definition == nullptr) return {};
    const auto it = directories_.find(found.definition);
    if (it == directories_.end()) return {};
    std::string folder = it->second;
    while (package.size() > top.size()) { // modelica://A.B/file: B is a folder in A
        const std::size_t dot = package.find('.');
        if (dot == std::string::npos) break;
        package = package.substr(dot + 1);
        const std::string next = folder + "/" + package.substr(0, package.find('.'));
        if (!is_folder(next)) break;
        folder = next;
        if (package.find('.') == std::string::npos) break;
    }
    std::error_code status;
    const fs::path inside = fs::weakly_canonical(fs::path(folder) / rest.substr(slash + 1), status);
    const fs::path root = fs::weakly_canonical(fs::path(it->second), status);
    const auto mismatch = std::mismatch(root.begin(), root.end(), inside.begin(), inside.end());
    return mismatch.first == root.end() ? inside.string() : std::string();
}

std::vector<std::string> Library::top_level_names() const {
    std::vector<std::string> names;
    for (const auto& [name, found] : top_)
        if (found.definition != nullptr) names.push_back(name);
    for (const std::string& folder : folders_) {
        std::error_code status;
        for (const auto& entry : fs::directory_iterator(folder, status)) {
            std::string name = entry.path().filename().string();
            if (is_file(entry.path().string() + "/package.mo"))
                names.push_back(name.substr(0, name.find(' ')));
            else if (name.ends_with(".mo"))
                names.push_back(name.substr(0, name.size() - 3));
        }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::vector<std::shared_ptr<const SourceFile>> Library::sources() const {
    std::vector<std::shared_ptr<const SourceFile>> files;
    for (const auto& unit : units_) files.push_back(unit->file);
    return files;
}

} // namespace daedalus::modelica
