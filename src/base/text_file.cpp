#include "base/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace daedalus {

namespace {
Diagnostic file_error(const std::string& path, const std::string& why) {
    Diagnostic problem = make_error("unreadable-file", why);
    problem.where = Location{path, 0, 0, 0, {}};
    return problem;
}
} // namespace

Expected<std::shared_ptr<const SourceFile>> read_text_file(const std::string& path) {
    std::error_code status;
    if (std::filesystem::is_directory(path, status))
        return fail(file_error(path, "this is a directory, not a model file"));
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return fail(file_error(path, std::string("cannot be read: ") + std::strerror(errno)));
    std::ostringstream text;
    text << stream.rdbuf();
    if (stream.bad()) return fail(file_error(path, "reading stopped with an error"));
    return std::make_shared<const SourceFile>(path, std::move(text).str());
}

} // namespace daedalus
