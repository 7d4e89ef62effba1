// The order that errors under step halving show.
#pragma once

#include "study/real.hpp"

#include <optional>

namespace daedalus::study {

struct ObservedOrder {
    std::optional<double> order; ///< nothing: the errors are round-off from the start, or they are not finite
    bool exact = false;          ///< errors at round-off level: the method solves this component exactly
    int used = 0;                ///< runs in the asymptotic range
    bool settled = false;        ///< the last two slopes agree to 0.05
    bool at_round_off = false;   ///< smaller steps show nothing new
};

/// `errors` belong to h, h/2, h/4, …; `floor` is the level of round-off in them.
[[nodiscard]] ObservedOrder observe_order(const Vector& errors, const Vector& floor);

} // namespace daedalus::study
