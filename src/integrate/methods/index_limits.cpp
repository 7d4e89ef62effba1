#include "integrate/methods/index_limits.hpp"

#include <fmt/format.h>

namespace daedalus::integrate {

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
    else if (method.name == "radau1" && index == 3)
        text += ": Radau IIA with s stages gives them the order s - 1 (W Thm 3.6), which is none for one stage";
    return text;
}

} // namespace daedalus::integrate
