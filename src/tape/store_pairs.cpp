#include "tape/store_pairs.hpp"

#include <algorithm>

namespace daedalus::tape {

namespace {

/// How far apart two stores may be: a few times what the processor has under way at once gains nothing more.
constexpr std::size_t window = 32;

bool overwrites(const Step& s, Register r) {
    switch (s.action) {
    case Action::load:
    case Action::move:
    case Action::frame_load: return s.d == r;
    case Action::operate: return s.d == r || s.scratch == r;
    case Action::call:
    case Action::call_pair: return true;
    default: return false;
    }
}

/// Whether another value goes to the same place: what is stored last must stay last.
bool stores_to(const Step& s, std::uint32_t slot) {
    return (s.action == Action::store && s.slot == slot) ||
           (s.action == Action::store_pair && (s.slot == slot || s.slot + 1 == slot));
}

} // namespace

void pair_stores(std::vector<Step>& steps, Register scratch) {
    std::vector<char> gone(steps.size(), 0);
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const Step& first = steps[k];
        if (first.action != Action::store) continue;
        const std::size_t end = std::min(steps.size(), k + window);
        for (std::size_t j = k + 1; j < end; ++j) {
            Step& second = steps[j];
            if (second.action == Action::store && (second.slot == first.slot + 1 || second.slot + 1 == first.slot)) {
                const bool ascending = second.slot > first.slot;
                second.action = Action::store_pair;
                second.b = ascending ? second.a : first.a;
                second.a = ascending ? first.a : second.a;
                second.slot = std::min(first.slot, second.slot);
                second.scratch = scratch;
                gone[k] = 1;
                break;
            }
            if (overwrites(second, first.a) || stores_to(second, first.slot)) break;
        }
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < steps.size(); ++k)
        if (!gone[k]) steps[kept++] = steps[k];
    steps.resize(kept);
}

} // namespace daedalus::tape
