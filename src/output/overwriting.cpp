#include "output/overwriting.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sys/stat.h>

namespace daedalus::output {

namespace {

bool look(const std::string& path, struct stat& info) {
    return (path == "-" ? fstat(0, &info) : stat(path.c_str(), &info)) == 0;
}

} // namespace

bool same_file(const std::string& a, const std::string& b) {
    struct stat of_a {
    }, of_b{};
    const bool has_a = look(a, of_a), has_b = look(b, of_b);
    if (has_a && has_b) return S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
    if (has_a || has_b) return false;
    std::error_code trouble;
    const auto place = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, trouble); };
    const bool same = place(a) == place(b);
    return same && !trouble;
}

std::optional<Diagnostic> would_write_over(const NamedFile& written, const std::vector<NamedFile>& read) {
    for (const NamedFile& input : read)
        if (same_file(written.path, input.path))
            return make_error("overwriting",
                              fmt::format("{}{}{} would write over {}", written.what, written.what.empty() ? "" : " ",
                                          printable(written.path), input.what),
                              "give another name: nothing was done");
    return std::nullopt;
}

} // namespace daedalus::output
