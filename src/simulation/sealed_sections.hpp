// A file of named sections, each with its length and checksum, behind a mark and the length of the whole:
//     mark (8 bytes), length of the file, then per section: name (4 bytes), length, checksum, bytes.
// A file that was cut, lengthened or changed anywhere is refused before anything in it is looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace daedalus::simulation {

struct Section {
    std::string_view name; ///< 4 characters
    std::string_view bytes;
};

/// `mark` has 8 characters.
[[nodiscard]] std::string seal(std::string_view mark, const std::vector<Section>& sections);

enum class SealTrouble { none, other_kind, damaged };
/// Checks everything and fills in the bytes of the sections, which must be those that are named, in this order.
[[nodiscard]] SealTrouble open_seal(std::string_view mark, std::string_view file, std::vector<Section>& sections);

} // namespace daedalus::simulation
