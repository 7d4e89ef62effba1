// Permutations as vectors: position → element.
#pragma once

#include <cstddef>
#include <vector>

namespace daedalus::linalg {

/// Determinant of the permutation's matrix, +1 or -1: each cycle of even length turns the sign.
template <class Index>
[[nodiscard]] int parity(std::vector<Index> order) {
    int sign = 1;
    for (std::size_t i = 0; i < order.size(); ++i)
        while (static_cast<std::size_t>(order[i]) != i) {
            const auto next = static_cast<std::size_t>(order[i]);
            order[i] = order[next];
            order[next] = static_cast<Index>(next);
            sign = -sign;
        }
    return sign;
}

} // namespace daedalus::linalg
