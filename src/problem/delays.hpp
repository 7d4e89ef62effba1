// Facet: delayed values, u(t − T). The run keeps the past of each u (base/history.hpp), and each reader of it stands on
// a stretch between two breaks, the number of which is in the environment. When its time reaches the next break a root
// function vanishes, and the reader moves on.
#pragma once

#include "base/polynomial_piece.hpp"
#include "base/source.hpp"
#include "problem/functions.hpp"

#include <optional>
#include <vector>

namespace daedalus::problem {

struct Delays {
    VectorFunction values;   ///< u of each of them, then T of each, then the longest T that is allowed
    std::size_t history = 0; ///< where the environment has the number of the history
    struct Reader {
        /// Where the environment has the stretch, where the next one begins and where this one does.
        std::size_t stretch = 0, next = 0, begins = 0;
        bool varies = false; ///< T depends on more than parameters
        std::optional<Location> where;
    };
    std::vector<Reader> readers;
    [[nodiscard]] std::size_t size() const { return readers.size(); }
};

using daedalus::never;

} // namespace daedalus::problem
