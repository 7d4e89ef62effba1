#include "simulation/sealed_sections.hpp"

#include "simulation/bytes.hpp"

namespace daedalus::simulation {

std::string seal(std::string_view mark, const std::vector<Section>& sections) {
    constexpr std::size_t head = 4 + 2 * sizeof(std::uint64_t); // of a section
    std::uint64_t length = mark.size() + sizeof length;
    for (const Section& s : sections) length += head + s.bytes.size();
    ByteWriter number;
    number(length);
    std::string file = std::string(mark) + number.take();
    file.reserve(length);
    for (const Section& s : sections) {
        number(std::uint64_t{s.bytes.size()}, fingerprint(s.bytes));
        file.append(s.name).append(number.take()).append(s.bytes);
    }
    return file;
}

SealTrouble open_seal(std::string_view mark, std::string_view file, std::vector<Section>& sections) {
    if (!file.starts_with(mark)) return SealTrouble::other_kind;
    ByteReader in(file.substr(mark.size()));
    std::uint64_t length = 0;
    in(length);
    if (!in.ok() || length != file.size()) return SealTrouble::damaged;
    for (Section& s : sections) {
        if (in.take(s.name.size()) != s.name) return SealTrouble::damaged;
        std::uint64_t size = 0, checksum = 0;
        in(size, checksum);
        s.bytes = in.take(size);
        if (!in.ok() || fingerprint(s.bytes) != checksum) return SealTrouble::damaged;
    }
    return in.at_end() ? SealTrouble::none : SealTrouble::damaged;
}

} // namespace daedalus::simulation
