#include "daedalus/files.hpp"

#include "base/diagnostic.hpp"
#include "output/overwriting.hpp"

#include <fmt/format.h>

namespace daedalus {

Diagnostics overwriting(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
    std::vector<output::NamedFile> inputs;
    for (const NamedFile& file : read) inputs.push_back({file.what, file.path});
    Diagnostics problems;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (auto trouble = output::would_write_over({written[i].what, written[i].path}, inputs))
            problems.push_back(*std::move(trouble));
        for (std::size_t k = 0; k < i; ++k)
            if (written[i].path != written[k].path && output::same_file(written[i].path, written[k].path))
                problems.push_back(make_error("overwriting",
                                              fmt::format("{} {} is the same file as {} {}", written[i].what,
                                                          written[i].path, written[k].what, written[k].path),
                                              "one would write over the other"));
    }
    return problems;
}

} // namespace daedalus
