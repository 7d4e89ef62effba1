// Finds the place of a name in a list, apart from case: a table of places with open addressing, eight bytes or less for
// each name beside the name itself, which stays where it is.
#pragma once

#include "spice/lines.hpp"

#include <cstdint>
#include <vector>

namespace daedalus::spice {

template <class List>
class NameIndex {
public:
    explicit NameIndex(const List& list) : list_(list), slots_(64, -1) {}

    /// -1: not there.
    [[nodiscard]] int find(std::string_view name) const { return slots_[slot(name)]; }
    /// For the last one of the list.
    void add_last() {
        if (2 * (count_ + 1) > slots_.size()) grow();
        slots_[slot(list_.back().name)] = static_cast<int>(list_.size()) - 1;
        ++count_;
    }
    /// After entries have moved.
    void rebuild() {
        slots_.assign(slots_.size(), -1);
        for (std::size_t k = 0; k < list_.size(); ++k) slots_[slot(list_[k].name)] = static_cast<int>(k);
        count_ = list_.size();
    }

private:
    [[nodiscard]] std::size_t slot(std::string_view name) const {
        std::uint64_t h = 0xcbf29ce484222325U; // FNV-1a, 64 bits (Fowler, Noll, Vo)
        for (const char c : name) {
            h ^= static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
            h *= 0x100000001b3U;
        }
        h ^= h >> 29U;
        for (std::size_t k = h & (slots_.size() - 1);; k = (k + 1) & (slots_.size() - 1))
            if (slots_[k] < 0 || same(list_[static_cast<std::size_t>(slots_[k])].name, name)) return k;
    }
    void grow() {
        const std::vector<int> old = std::move(slots_);
        slots_.assign(2 * old.size(), -1);
        for (const int place : old)
            if (place >= 0) slots_[slot(list_[static_cast<std::size_t>(place)].name)] = place;
    }

    const List& list_;
    std::vector<int> slots_;
    std::size_t count_ = 0;
};

} // namespace daedalus::spice
