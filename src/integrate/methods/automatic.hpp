// Which method to use when nobody says: from what is known before the run, and again where the run has shown more.
#pragma once

#include "integrate/driver.hpp"

#include <string>

namespace daedalus::integrate {

struct MethodChoice {
    const Method* method = nullptr;
    std::string reason; ///< a sentence for the report
};

[[nodiscard]] MethodChoice choose_method(const problem::ImplicitProblem& problem, const IntegrationOptions& options);

/// Where events make a multistep method begin anew again and again, one-step methods, which have no start-up phase, go
/// on. For runs that choose_method() began.
[[nodiscard]] Reconsider reconsider_at_restarts(const problem::ImplicitProblem& problem, const Method& chosen);

} // namespace daedalus::integrate
