// Packages on disk (specification 3.5, section 13.4): a package is a file Name.mo or a folder Name with package.mo.
// Files are parsed when a name in them is first looked for, so an example reads only what it mentions.
#pragma once

#include "modelica/ast.hpp"

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace daedalus::modelica {

/// A parsed file. It outlives everything that was made from it.
struct Unit {
    std::shared_ptr<const SourceFile> file;
    ast::Tree tree;
};

/// A file of a library, parsed. All libraries of a process share it, in any thread, until it changes on disk (its size
/// or the time of its last change): what reads many classes of a library parses each file once.
struct ParsedFile {
    std::shared_ptr<const Unit> unit; ///< null: it could not be read
    Diagnostics problems;             ///< what keeps it from being used
};
[[nodiscard]] ParsedFile parsed_file(const std::string& path);

/// A class of a file, with the file.
struct FoundClass {
    const ast::ClassDefinition* definition = nullptr;
    const Unit* unit = nullptr;
};

class Library {
public:
    explicit Library(std::vector<std::string> folders) : folders_(std::move(folders)) {}

    /// Classes of a file that the user gave stand before those of the folders.
    const Unit& add(std::shared_ptr<const SourceFile> file, ast::Tree tree);
    /// A class at the outermost level; `version` (from `uses`) prefers the folder "Name version".
    [[nodiscard]] FoundClass top_level(const std::string& name);
    /// The class `name` that stands in a file of its own beside the package.mo in which `package` is defined.
    [[nodiscard]] FoundClass nested(const ast::ClassDefinition& package, std::string_view name);
    /// Folder of a package's class that is a folder; empty otherwise.
    [[nodiscard]] std::string folder_of(const ast::ClassDefinition& package) const;
    /// modelica://Package/path → a path inside that package's folder; empty if it leaves the folder or has no folder.
    [[nodiscard]] std::string resource(const std::string& uri);
    [[nodiscard]] std::vector<std::string> top_level_names() const;
    void want_version(const std::string& name, const std::string& version) { versions_[name] = version; }

    /// Versions that are not those that were asked for.
    [[nodiscard]] const Diagnostics& warnings() const { return warnings_; }
    /// Errors of files that could not be read or parsed.
    [[nodiscard]] const Diagnostics& problems() const { return problems_; }
    [[nodiscard]] std::vector<std::shared_ptr<const SourceFile>> sources() const;

private:
    [[nodiscard]] FoundClass load(const std::string& path, std::string_view name, const std::string& folder);
    [[nodiscard]] FoundClass find_in(const std::string& folder, const std::string& name);

    std::vector<std::string> folders_;
    std::deque<std::shared_ptr<const Unit>> units_;
    std::unordered_map<std::string, FoundClass> top_;
    std::unordered_map<const ast::ClassDefinition*, std::string> directories_;
    std::unordered_map<std::string, std::string> versions_;
    void check_version(const std::string& name, const FoundClass& found);
    Diagnostics problems_;
    Diagnostics warnings_;
};

} // namespace daedalus::modelica
