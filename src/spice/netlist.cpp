#include "spice/netlist.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace daedalus::spice {

namespace {
bool same(const std::string& a, const std::string& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
        return std::tolower(x) == std::tolower(y); // names of decks do not tell cases apart
    });
}
template <class List>
std::optional<int> find(const List& list, const std::string& name) {
    const auto at = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return same(entry.name, name); });
    if (at == list.end()) return std::nullopt;
    return static_cast<int>(at - list.begin());
}
} // namespace

bool is_deck(const std::string& name) {
    constexpr std::array<const char*, 4> endings{".cir", ".net", ".sp", ".ckt"};
    return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
        return name.size() > ending.size() && same(name.substr(name.size() - ending.size()), ending);
    });
}

std::optional<int> Netlist::find_node(const std::string& name) const { return find(nodes, name); }
std::optional<int> Netlist::find_element(const std::string& name) const { return find(elements, name); }

} // namespace daedalus::spice
