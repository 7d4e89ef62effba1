// Finds the place of a name in a list, apart from case: a table of places with open addressing, beside the names, which
// stay where they are.
#pragma once

#include "spice/lines.hpp"

#include <cstdint>
#include <vector>

namespace daedalus::spice {

template <class List>
class NameIndex {
public:
    explicit NameIndex(const List& list) : list_(list), slots_(64) {}

    /// -1: not there.
    [[nodiscard]] int find(std::string_view name) const { return slots_[slot(name, hash(name))].place; }
    /// For the last one of the list.
    void add_last() {
        if (2 * (count_ + 1) > slots_.size()) grow();
        put(list_.size() - 1);
        ++count_;
    }
    /// After entries have moved.
    void rebuild() {
        slots_.assign(slots_.size(), {});
        for (std::size_t k = 0; k < list_.size(); ++k) put(k);
        count_ = list_.size();
    }

private:
    struct Slot {
        std::uint32_t hash = 0; ///< names are looked at only where these agree: they lie all over memory
        int place = -1;
    };

    static std::uint32_t hash(std::string_view name) {
        std::uint64_t h = 0xcbf29ce484222325U; // FNV-1a, 64 bits (Fowler, Noll, Vo), folded
        for (const char c : name) {
            h ^= static_cast<unsigned char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
            h *= 0x100000001b3U;
        }
        return static_cast<std::uint32_t>(h ^ (h >> 32U));
    }
    [[nodiscard]] std::size_t slot(std::string_view name, std::uint32_t h) const {
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t k = h & mask;; k = (k + 1) & mask) {
            const Slot& s = slots_[k];
            if (s.place < 0 || (s.hash == h && same(list_[static_cast<std::size_t>(s.place)].name, name))) return k;
        }
    }
    void put(std::size_t place) {
        const auto& name = list_[place].name;
        const std::uint32_t h = hash(name);
        slots_[slot(name, h)] = {h, static_cast<int>(place)};
    }
    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        const std::size_t mask = slots_.size() - 1;
        for (const Slot& s : old) {
            if (s.place < 0) continue;
            std::size_t k = s.hash & mask;
            while (slots_[k].place >= 0) k = (k + 1) & mask;
            slots_[k] = s;
        }
    }

    const List& list_;
    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

} // namespace daedalus::spice
