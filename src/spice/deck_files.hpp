// Files that a deck includes: found relative to the including file, and only inside of the deck's own folder or of
// allowed ones, wherever links lead.
#pragma once

#include "base/problems.hpp"
#include "base/source.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::spice {

class DeckFiles {
public:
    DeckFiles(const std::shared_ptr<const SourceFile>& deck, const std::vector<std::string>& allowed,
              Problems& problems);

    /// Nothing if it may not or cannot be read, which has been said then. A file is read once.
    [[nodiscard]] const SourceFile* open(std::string_view path, const SourceSpan& from);
    [[nodiscard]] std::vector<std::shared_ptr<const SourceFile>> sources() const { return sources_; }

private:
    [[nodiscard]] bool inside(const std::string& real_path) const;

    std::vector<std::string> folders_;              ///< canonical, with a slash at the end
    std::map<std::string, const SourceFile*> read_; ///< by canonical path
    std::vector<std::shared_ptr<const SourceFile>> sources_;
    std::size_t bytes_ = 0;
    Problems& problems_;
};

} // namespace daedalus::spice
