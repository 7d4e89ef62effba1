#include "spice/deck_files.hpp"

#include "base/printable.hpp"
#include "base/text_file.hpp"

#include <filesystem>
#include <system_error>

namespace daedalus::spice {

namespace fs = std::filesystem;

namespace {

/// All files of a deck together: places in a file are counted with 32 bits, and a library of models has megabytes.
constexpr std::size_t most_bytes = std::size_t{1} << 30U;

std::string folder_of(const std::string& file) {
    std::error_code status;
    fs::path folder = fs::path(file).parent_path();
    if (folder.empty()) folder = ".";
    folder = fs::weakly_canonical(folder, status);
    return status ? std::string{} : (folder / "").string();
}

} // namespace

DeckFiles::DeckFiles(const std::shared_ptr<const SourceFile>& deck, const std::vector<std::string>& allowed,
                     Problems& problems)
    : problems_(problems) {
    folders_.push_back(folder_of(deck->name()));
    for (const std::string& folder : allowed) {
        std::error_code status;
        const fs::path real = fs::weakly_canonical(folder, status);
        if (!status) folders_.push_back((real / "").string());
    }
    sources_.push_back(deck);
    bytes_ = deck->text().size();
    std::error_code status;
    const fs::path real = fs::weakly_canonical(deck->name(), status);
    if (!status) read_[real.string()] = deck.get();
}

bool DeckFiles::inside(const std::string& real_path) const {
    for (const std::string& folder : folders_)
        if (!folder.empty() && real_path.starts_with(folder)) return true;
    return false;
}

const SourceFile* DeckFiles::open(std::string_view path, const SourceSpan& from) {
    const std::string shown = "'" + printable(path) + "'";
    if (path.empty() || path.find('\0') != std::string_view::npos) {
        problems_.error("include", from, "the name of a file is missing here");
        return nullptr;
    }
    // Backslashes of decks from elsewhere part folders too.
    std::string name(path);
    for (char& c : name)
        if (c == '\\') c = '/';
    std::error_code status;
    const fs::path full = fs::path(folder_of(from.file->name())) / name;
    const fs::path real = fs::canonical(full, status);
    // What lies elsewhere is not looked at, so that messages do not tell what exists there.
    if (!inside(status ? fs::path(full).lexically_normal().string() : real.string())) {
        problems_.error("include", from, "the file " + shown + " lies outside of the deck's folder",
                        "files are read from the folder of the deck and below, and from folders that are allowed");
        return nullptr;
    }
    if (status || !fs::is_regular_file(real, status)) {
        problems_.error("include", from, "there is no file " + shown + " beside the one that includes it");
        return nullptr;
    }
    if (const auto known = read_.find(real.string()); known != read_.end()) return known->second;
    const auto size = fs::file_size(real, status);
    if (status || size > most_bytes - bytes_) {
        problems_.error("include", from, "the file " + shown + " is too large: 1 GiB is the most for a whole deck");
        return nullptr;
    }
    auto file = read_text_file(real.string());
    if (!file) {
        for (Diagnostic d : file.error()) problems_.add(std::move(d));
        return nullptr;
    }
    // Named as it was asked for, beside the deck: shorter than the real path, and the same on every machine.
    const fs::path beside = fs::path(from.file->name()).parent_path() / name;
    auto named = std::make_shared<const SourceFile>(beside.lexically_normal().string(), std::string((*file)->text()));
    bytes_ += named->text().size();
    sources_.push_back(named);
    return read_[real.string()] = named.get();
}

} // namespace daedalus::spice
