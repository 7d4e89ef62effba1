// A file that appears complete or not at all: written under a temporary name beside the target, flushed to the disk,
// then renamed over it. Until commit() succeeds an older file of that name stays as it was; if anything fails, the
// temporary is removed and the diagnostic says what to do.
//
// A target that exists but is no regular file (/dev/stdout, a pipe) cannot be replaced by a rename; it is written
// directly. A symbolic link is followed, so that the file it points at is replaced and not the link.
#pragma once

#include "base/expected.hpp"
#include "output/sink.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daedalus::output {

struct Written {
    std::string path;
    std::uint64_t bytes = 0;
};

class AtomicFile {
public:
    [[nodiscard]] static Expected<AtomicFile> open(const std::string& path);
    ~AtomicFile(); ///< removes the temporary unless committed

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;

    /// The first error is remembered and reported by commit(); later pieces are dropped.
    void write(std::string_view piece);
    [[nodiscard]] Sink sink() {
        return [this](std::string_view piece) { write(piece); };
    }
    [[nodiscard]] bool failed() const { return error_ != 0; }
    [[nodiscard]] Expected<Written> commit();

private:
    AtomicFile() = default;
    void discard() noexcept;
    [[nodiscard]] Unexpected<Diagnostics> give_up(int error);

    std::string path_;      ///< as the user wrote it
    std::string target_;    ///< links resolved
    std::string temporary_; ///< empty: written directly
    int descriptor_ = -1;
    int error_ = 0; ///< errno of the first failure
    std::uint64_t bytes_ = 0;
};

/// Whether `path` can be written, found out before a long solve. Creates and changes nothing.
[[nodiscard]] std::optional<Diagnostic> check_target(const std::string& path);

/// A whole text at once.
[[nodiscard]] Expected<Written> write_atomically(const std::string& path, std::string_view text);

} // namespace daedalus::output
