#include "examples.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace cli {

namespace {

namespace fs = std::filesystem;

/// The description of the model, else the first line of the comment that the file opens with.
std::string title_of(const fs::path& file) {
    std::ifstream stream(file);
    std::string comment;
    if (file.extension() == ".cir") { // a deck begins with its title
        std::getline(stream, comment);
        return comment;
    }
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("//")) {
            if (comment.empty() && line.size() > 3) comment = line.substr(3);
        } else if (line.starts_with("<!-- ") && comment.empty()) { // XML: its first sentence
            comment = line.substr(5, std::min(line.find(". "), line.find(" -->")) - 5);
        } else if (line.starts_with("model ") || line.starts_with("mechanism ") || line.starts_with("lagrangian ")) {
            const auto from = line.find('"');
            const auto end = line.rfind('"');
            if (from < end) return line.substr(from + 1, end - from - 1);
            break;
        }
    }
    return comment;
}

std::string shortest(const fs::path& file) {
    std::error_code error;
    const fs::path relative = fs::relative(file, error);
    return error || relative.empty() || *relative.begin() == ".." ? file.string() : relative.string();
}

} // namespace

Examples find_examples() {
    Examples examples;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) {
        const fs::path installed = program.parent_path() / "../share/daedalus/examples";
        examples.searched.push_back(installed.lexically_normal().string());
    }
    examples.searched.emplace_back(DAEDALUS_EXAMPLES_DIR);
    for (const std::string& folder : examples.searched) {
        if (!fs::is_directory(folder, error)) continue;
        examples.folder = folder;
        for (const auto& entry : fs::directory_iterator(folder, error))
            if (const auto kind = entry.path().extension(); kind == ".mo" || kind == ".mech" || kind == ".lagrange" ||
                                                            kind == ".urdf" || kind == ".mjcf" || kind == ".cir")
                examples.list.push_back({shortest(entry.path()), title_of(entry.path())});
        std::sort(examples.list.begin(), examples.list.end(),
                  [](const Example& a, const Example& b) { return a.path < b.path; });
        break;
    }
    return examples;
}

} // namespace cli
