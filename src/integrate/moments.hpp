// Which participants have something to do at which moment of a step: a type that does not override a moment is not
// asked there. Short steps of small systems cost no more than a few dozen calls.
#pragma once

#include "integrate/participant.hpp"

#include <string_view>
#include <type_traits>
#include <vector>

namespace daedalus::integrate {

struct Moments {
    std::vector<Participant*> before, judge, accepted, delivered, settled;

    /// Each in its order.
    template <class... Each>
    void add(Each&... participants) {
        (add_one(participants), ...);
    }
    void leave_out(std::string_view name) {
        for (auto* list : {&before, &judge, &accepted, &delivered, &settled})
            std::erase_if(*list, [&](const Participant* p) { return p->name() == name; });
    }

private:
    template <class P>
    void add_one(P& p) {
        if constexpr (!std::is_same_v<decltype(&P::before), decltype(&Participant::before)>) before.push_back(&p);
        if constexpr (!std::is_same_v<decltype(&P::judge), decltype(&Participant::judge)>) judge.push_back(&p);
        if constexpr (!std::is_same_v<decltype(&P::accepted), decltype(&Participant::accepted)>) accepted.push_back(&p);
        if constexpr (!std::is_same_v<decltype(&P::delivered), decltype(&Participant::delivered)>)
            delivered.push_back(&p);
        if constexpr (!std::is_same_v<decltype(&P::settled), decltype(&Participant::settled)>) settled.push_back(&p);
    }
};

} // namespace daedalus::integrate
