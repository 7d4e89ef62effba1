#include "tape/address_windows.hpp"

#include <algorithm>

namespace daedalus::tape {

namespace {

constexpr std::int32_t nearest = -128, furthest = 127;
constexpr std::size_t looked_at = 64; ///< steps ahead: what comes later finds another window in its place
constexpr int least_uses = 4;         ///< moving a register takes seven bytes, each use saves three

bool reaches(std::int32_t center, std::int32_t displacement) {
    return displacement - center >= nearest && displacement - center <= furthest;
}

struct Window {
    std::uint8_t array = MemoryUse::nowhere;
    std::int32_t center = 0;
    std::size_t last = 0; ///< use
};

} // namespace

std::vector<Address> choose_windows(std::span<const MemoryUse> uses, int registers) {
    std::vector<Address> result(uses.size());
    std::vector<Window> windows(static_cast<std::size_t>(registers));
    if (windows.empty()) return result;
    for (std::size_t k = 0; k < uses.size(); ++k) {
        const MemoryUse& use = uses[k];
        if (use.array == MemoryUse::everything) windows.assign(windows.size(), {});
        if (use.array >= MemoryUse::everything || reaches(0, use.displacement)) continue;
        auto found = std::find_if(windows.begin(), windows.end(), [&](const Window& w) {
            return w.array == use.array && reaches(w.center, use.displacement);
        });
        bool moves = false;
        if (found == windows.end()) {
            // Most arrays are walked through upwards, some the other way.
            const std::int32_t up = use.displacement - nearest, down = use.displacement - furthest + 7;
            int above = 0, below = 0;
            for (std::size_t ahead = k; ahead < std::min(uses.size(), k + looked_at); ++ahead) {
                if (uses[ahead].array == MemoryUse::everything) break;
                if (uses[ahead].array != use.array) continue;
                above += reaches(up, uses[ahead].displacement);
                below += reaches(down, uses[ahead].displacement);
            }
            if (std::max(above, below) < least_uses) continue;
            found = std::min_element(windows.begin(), windows.end(),
                                     [](const Window& a, const Window& b) { return a.last < b.last; });
            *found = {use.array, above >= below ? up : down, k};
            moves = true;
        }
        found->last = k;
        result[k] = {static_cast<std::uint8_t>(found - windows.begin()), moves, found->center};
    }
    return result;
}

} // namespace daedalus::tape
