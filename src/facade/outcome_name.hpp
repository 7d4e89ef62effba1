// How a run ended, as files say it.
#pragma once

#include "daedalus/solution.hpp"

namespace daedalus::facade {

[[nodiscard]] constexpr const char* name_of(Outcome outcome) {
    switch (outcome) {
    case Outcome::success: return "success";
    case Outcome::terminated: return "terminated";
    case Outcome::interrupted: return "interrupted";
    case Outcome::ended: return "ended";
    case Outcome::failed: return "failed";
    }
    return "";
}

} // namespace daedalus::facade
