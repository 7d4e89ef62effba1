#include "study/observed_order.hpp"

#include <algorithm>

namespace daedalus::study {

ObservedOrder observe_order(const Vector& errors, const Vector& floor) {
    ObservedOrder result;
    // Large steps may be beyond the method's reach: the equations have no solution near the exact one yet.
    std::size_t begin = 0;
    while (begin < errors.size() && !std::isfinite(errors[begin])) ++begin;
    // The asymptotic range ends where the error comes near its round-off: twenty times above it a slope is off by
    // log2(1.05) at most.
    std::size_t end = begin;
    while (end < errors.size() && std::isfinite(errors[end]) && errors[end] > 20 * floor[end]) ++end;
    result.used = static_cast<int>(end - begin);
    result.exact = end == begin && begin < errors.size();
    Vector slopes;
    for (std::size_t i = begin; i + 1 < end; ++i) slopes.push_back(std::log2(errors[i] / errors[i + 1]));
    const std::size_t m = slopes.size();
    result.at_round_off = end < errors.size() && m > 0;
    if (m == 0) return result;
    // error = C h^p (1 + c h + …) makes slope = p + c' h + …: one Richardson step removes c', if the slopes do settle.
    Real p = slopes.back();
    if (m >= 2) {
        const Real last = slopes[m - 1] - slopes[m - 2];
        const Real before = m >= 3 ? slopes[m - 2] - slopes[m - 3] : 2 * last;
        if (std::abs(last) < std::abs(before) && std::abs(last) < 0.5L)
            p += last * std::clamp(last / (before - last), 0.0L, 1.0L);
        result.settled = std::abs(last) < 0.05L;
    }
    result.order = static_cast<double>(p);
    return result;
}

} // namespace daedalus::study
