#include "output/atomic_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace daedalus::output {
namespace {

namespace fs = std::filesystem;

Diagnostic cannot_write(const std::string& path, int error) {
    std::string code = "cannot-write";
    std::string reason = std::strerror(error);
    std::string hint;
    switch (error) {
    case EISDIR:
        code = "output-is-directory";
        reason = "it is a directory";
        hint = "name a file, for example " + (fs::path(path) / "result.csv").string();
        break;
    case ENOENT:
        code = "output-folder-missing";
        reason = "the folder does not exist";
        if (const fs::path parent = fs::path(path).parent_path(); !parent.empty())
            hint = "create it first: mkdir -p " + parent.string();
        break;
    case ENOTDIR:
        code = "output-folder-missing";
        reason = "a part of the path is a file, not a folder";
        break;
    case EACCES:
    case EPERM:
    case EROFS:
        code = "output-no-permission";
        reason = error == EROFS ? "the file system is read-only" : "permission denied";
        hint = "choose a folder that you may write to";
        break;
    case ENOSPC:
    case EDQUOT:
        code = "output-disk-full";
        reason = error == ENOSPC ? "no space left on the device" : "the disk quota is used up";
        hint = "free some space or write elsewhere; nothing was left half-written";
        break;
    case ENAMETOOLONG: reason = "the name is too long"; break;
    default: break;
    }
    return make_error(std::move(code), "cannot write '" + path + "': " + reason, std::move(hint));
}

// Follows symbolic links, also one whose target does not exist yet.
std::string resolve_links(const std::string& path) {
    constexpr int limit = 40; // as many as Linux follows (ELOOP)
    fs::path current = path;
    std::error_code ignored;
    for (int i = 0; i < limit && fs::is_symlink(current, ignored); ++i) {
        const fs::path next = fs::read_symlink(current, ignored);
        if (ignored) break;
        current = next.is_absolute() ? next : current.parent_path() / next;
    }
    return current.string();
}

std::string folder_of(const std::string& target) {
    const fs::path parent = fs::path(target).parent_path();
    return parent.empty() ? "." : parent.string();
}

enum class TargetKind { absent, regular, special };

struct Target {
    int error = 0;
    TargetKind kind = TargetKind::absent;
    mode_t mode = 0;
};

Target inspect(const std::string& target) {
    if (target.empty()) return {.error = ENOENT};
    struct stat info {};
    if (stat(target.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) return {.error = EISDIR};
        // A read-only file could be replaced by a rename; its owner said that it must not be.
        if (access(target.c_str(), W_OK) != 0) return {.error = errno};
        return {.error = 0,
                .kind = S_ISREG(info.st_mode) ? TargetKind::regular : TargetKind::special,
                .mode = info.st_mode & 07777U};
    }
    if (errno != ENOENT) return {.error = errno};
    if (target.back() == '/') return {.error = EISDIR};
    return {};
}

mode_t default_mode() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666U & ~mask;
}

int sync(int descriptor) {
    // Pipes, terminals and some file systems have nothing to flush to.
    if (fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS) return 0;
    return errno;
}

} // namespace

Expected<AtomicFile> AtomicFile::open(const std::string& path) {
    const std::string target = resolve_links(path);
    const Target found = inspect(target);
    if (found.error != 0) return fail(cannot_write(path, found.error));
    AtomicFile file;
    file.path_ = path;
    file.target_ = target;
    if (found.kind == TargetKind::special) {
        file.descriptor_ = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (file.descriptor_ < 0) return fail(cannot_write(path, errno));
        return file;
    }
    // Not built from the target's name, which may already be as long as the file system allows.
    std::string temporary = (fs::path(folder_of(target)) / ".daedalus-XXXXXX").string();
    file.descriptor_ = mkostemp(temporary.data(), O_CLOEXEC);
    if (file.descriptor_ < 0) return fail(cannot_write(path, errno));
    file.temporary_ = std::move(temporary);
    // mkostemp makes it private; the result is as open as any file the user creates, or as the one it replaces.
    // Some file systems have no modes: not worth failing for.
    [[maybe_unused]] const int ignored =
        fchmod(file.descriptor_, found.kind == TargetKind::regular ? found.mode : default_mode());
    return file;
}

AtomicFile::~AtomicFile() { discard(); }

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)), target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, std::string())), descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_), bytes_(other.bytes_) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    if (this != &other) {
        discard();
        path_ = std::move(other.path_);
        target_ = std::move(other.target_);
        temporary_ = std::exchange(other.temporary_, std::string());
        descriptor_ = std::exchange(other.descriptor_, -1);
        error_ = other.error_;
        bytes_ = other.bytes_;
    }
    return *this;
}

void AtomicFile::discard() noexcept {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
    if (!temporary_.empty()) unlink(temporary_.c_str());
    temporary_.clear();
}

Unexpected<Diagnostics> AtomicFile::give_up(int error) {
    discard();
    return fail(cannot_write(path_, error));
}

void AtomicFile::write(std::string_view piece) {
    while (error_ == 0 && !piece.empty()) {
        const ssize_t count = ::write(descriptor_, piece.data(), piece.size());
        if (count < 0) {
            if (errno != EINTR) error_ = errno;
            continue;
        }
        piece.remove_prefix(static_cast<std::size_t>(count));
        bytes_ += static_cast<std::uint64_t>(count);
    }
}

Expected<Written> AtomicFile::commit() {
    if (error_ != 0) return give_up(error_);
    if (const int error = sync(descriptor_); error != 0) return give_up(error);
    // Network file systems may report a failed write only here.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) return give_up(errno);
    if (!temporary_.empty()) {
        if (rename(temporary_.c_str(), target_.c_str()) != 0) return give_up(errno);
        temporary_.clear();
        // The name itself survives a power cut once the folder is flushed; best effort, the data is safe already.
        if (const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
            fsync(folder);
            close(folder);
        }
    }
    return Written{path_, bytes_};
}

std::optional<Diagnostic> check_target(const std::string& path) {
    const std::string target = resolve_links(path);
    const Target found = inspect(target);
    if (found.error != 0) return cannot_write(path, found.error);
    if (found.kind == TargetKind::special) return std::nullopt;
    const std::string folder = folder_of(target);
    struct stat info {};
    if (stat(folder.c_str(), &info) != 0) return cannot_write(path, errno);
    if (!S_ISDIR(info.st_mode)) return cannot_write(path, ENOTDIR);
    if (access(folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, errno);
    return std::nullopt;
}

Expected<Written> write_atomically(const std::string& path, std::string_view text) {
    Expected<AtomicFile> file = AtomicFile::open(path);
    if (!file) return Unexpected{file.error()};
    file->write(text);
    return file->commit();
}

} // namespace daedalus::output
