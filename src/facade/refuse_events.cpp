#include "facade/refuse_events.hpp"

#include "base/expected.hpp"

#include <fmt/format.h>

namespace daedalus::facade {

std::optional<Diagnostic> refuse_events(const model::Model& m, const char* what) {
    const auto part = m.event_part();
    if (!part) return std::nullopt;
    Diagnostic d = make_error(
        "events-not-carried-over",
        fmt::format("{} cannot be derived from {}: it has {}, which has no place in it", what, m.name, *part),
        "derive it from the equations between events: a model without them");
    for (const model::When& clause : m.clauses)
        for (const model::WhenBranch& branch : clause.branches)
            if (branch.span.known() && !d.where) d.where = branch.span.locate();
    return d;
}

} // namespace daedalus::facade
