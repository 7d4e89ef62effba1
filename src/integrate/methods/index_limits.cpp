#include "integrate/methods/index_limits.hpp"

#include <fmt/format.h>

namespace daedalus::integrate {

int index_limit_of(tableau::Family family, int s) {
    using tableau::Family;
    switch (family) {
    case Family::gauss: return s >= 3 ? 2 : 1;                     // C(s), R(∞) = (-1)^s: orders s - 1 and s - 2
    case Family::radau_iia: return index_limit_of_radau(s);        // C(s), R(∞) = 0
    case Family::radau_ia:                                         // C(s-1), R(∞) = 0
    case Family::lobatto_iiic: return s >= 3 ? 3 : s >= 2 ? 2 : 1; // C(s-1), R(∞) = 0
    case Family::lobatto_iiia: return 2;
    case Family::lobatto_iiib: return 1;
    }
    return 1;
}

int index_limit_of(const tableau::MultistepMethod& method) {
    if (method.bdf) return 3;
    return method.implicit() && tableau::spectral_radius_at_infinity(method) < 1 - 1e-9L ? 2 : 1;
}

std::string index_refusal(const Method& method, int max_order, int index) {
    const int limit = method.highest_index(max_order);
    std::string text =
        fmt::format("method '{}'{} integrates unknowns of index up to {}, here there are some of index {}", method.name,
                    limit < method.index_limit ? fmt::format(" at order {}", max_order) : "", limit, index);
    if (method.index_limit_at != nullptr && limit < method.index_limit && index <= method.index_limit)
        text +=
            fmt::format(": where step sizes change, BDF of order k gives them the order k - {} (W 2.1), which is {} "
                        "at order {}",
                        index - 2, max_order - index + 2, max_order);
    else if (method.can.coupled_stages && index == 3)
        text += ": Radau IIA with s stages gives them the order s - 1 (W Thm 3.6), which is none for one stage";
    else if (method.can.end_variants && index == 2)
        text += ": its stages would leave them an error that does not go with the step size (HW Table VII.4.1)";
    else if (method.can.end_variants && index == 3)
        text += ": no theorem promises them an order (W Thm 3.6)";
    return text;
}

} // namespace daedalus::integrate
