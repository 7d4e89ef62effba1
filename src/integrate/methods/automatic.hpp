// Which method to use when nobody says: from what is known before the run, and again where the run has shown more.
#pragma once

#include "integrate/integration_result.hpp"

#include <span>
#include <string>

namespace daedalus::integrate {

struct MethodChoice {
    const Method* method = nullptr;
    std::string reason; ///< a sentence for the report
};

/// Where and how far.
struct Journey {
    double t0, t1;
    std::span<const double> x0, dx0;
};

/// Without a journey nothing is evaluated, and explicit methods are out of the question.
[[nodiscard]] MethodChoice choose_method(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                         const Journey* journey = nullptr);

/// Where events make a multistep method begin anew again and again, one-step methods, which have no start-up phase, go
/// on; where a problem turns out to be stiff, an implicit one. For runs that choose_method() began.
[[nodiscard]] Reconsider reconsider_at_restarts(const problem::ImplicitProblem& problem,
                                                const IntegrationOptions& options, const Method& chosen);

} // namespace daedalus::integrate
