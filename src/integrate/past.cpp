#include "integrate/past.hpp"

#include <algorithm>

namespace daedalus::integrate {

namespace {

struct Stretches {
    std::vector<int> delayed, carried;
};

Stretches stretches(const problem::ImplicitProblem& problem) {
    Stretches now;
    const problem::Environment& e = problem.environment();
    if (const auto* const delays = problem.system().facets.find<problem::Delays>())
        for (const problem::Delays::Reader& reader : delays->readers)
            now.delayed.push_back(static_cast<int>(e[reader.stretch]));
    if (const auto* const transports = problem.system().facets.find<problem::Transports>())
        for (const problem::Transports::Transport& transport : transports->list)
            for (const auto* reader : {&transport.left, &transport.right})
                now.carried.push_back(static_cast<int>(e[reader->stretch]));
    return now;
}

} // namespace

std::shared_ptr<History> new_history(const problem::ImplicitProblem& problem) {
    const auto* const delays = problem.system().facets.find<problem::Delays>();
    const auto* const transports = problem.system().facets.find<problem::Transports>();
    return std::make_shared<History>(delays != nullptr ? delays->size() : 0,
                                     transports != nullptr ? transports->size() : 0);
}

void ReadersBefore::note(const problem::ImplicitProblem& problem) {
    Stretches now = stretches(problem);
    delayed_ = std::move(now.delayed);
    carried_ = std::move(now.carried);
}

std::optional<int> ReadersBefore::level_met(const problem::ImplicitProblem& problem, const History& past) const {
    const Stretches now = stretches(problem);
    std::optional<int> level;
    const auto met = [&](int jumps) { level = std::min(level.value_or(jumps + 1), jumps + 1); };
    for (std::size_t k = 0; k < now.delayed.size() && k < delayed_.size(); ++k)
        if (now.delayed[k] != delayed_[k] && now.delayed[k] > 0)
            met(past.breaks(k)[static_cast<std::size_t>(now.delayed[k]) - 1].level);
    for (std::size_t k = 0; k < now.carried.size() && k < carried_.size(); ++k)
        if (now.carried[k] != carried_[k] && now.carried[k] > 0 && carried_[k] > 0)
            met(past.profile(k / 2).level_between(carried_[k], now.carried[k]));
    return level;
}

} // namespace daedalus::integrate
