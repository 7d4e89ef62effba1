#include "simulation/start_options.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::simulation {

integrate::StartOptions start_options(const SolveOptions& options) {
    integrate::StartOptions o;
    o.multistart = options.initial.multistart;
    o.alternatives = options.initial.alternatives;
    o.tear = options.tear;
    return o;
}

std::vector<std::string> start_notes(const integrate::ConsistentStart& start) {
    constexpr std::size_t most = 3;
    std::vector<std::string> notes;
    std::string text;
    std::size_t count = 0;
    for (const integrate::StartChange& change : start.changes) {
        if (change.strength != problem::Strength::preferred) continue;
        if (++count > most) continue;
        text +=
            fmt::format("{}{}: {:.6g} → {:.6g}", text.empty() ? "" : ", ", change.name, change.before, change.after);
    }
    if (count > most) text += fmt::format(" and {} more", count - most);
    if (count > 0)
        notes.push_back(fmt::format("start value{} changed to satisfy the equations: {}", count == 1 ? "" : "s", text));
    if (start.solutions.size() > 1)
        notes.push_back(fmt::format("{} solutions for the initial values were found; the nearest to the start values "
                                    "is used",
                                    start.solutions.size()));
    return notes;
}

} // namespace daedalus::simulation
