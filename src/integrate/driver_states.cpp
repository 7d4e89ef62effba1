// Which of the unknowns are states: chosen at the start, and again where the choice has become poor.
#include "integrate/driver_run.hpp"

#include <algorithm>

namespace daedalus::integrate {

void Driver::choose_states_at_start() {
    if (selection_->empty()) return;
    jx_.resize(static_cast<std::size_t>(problem_.pattern().nonzeros()));
    jdx_.resize(jx_.size());
    if (problem_.jacobian(t0_, x_.data(), dx_.data(), jx_.data(), jdx_.data()) != problem::EvalStatus::ok) return;
    const StateSelection::Assessment now = selection_->assess(jx_.data());
    if (now.singular || now.quality >= options_.state_selection.switch_below) return;
    problem_.set_links(selection_->best_links());
    stepper_->links_changed();
    consistent_->links_changed();
    jump_->links_changed();
    selection_->links_changed();
    for (const problem::Link& link : problem_.links()) dx_[link.state] = x_[link.derivative];
}

/// The best choice of the last assessment is in force from t on.
void Driver::exchange_links(double t) {
    StateSwitch record;
    record.t = t;
    const std::vector<problem::Link> before = problem_.links();
    problem_.set_links(selection_->best_links());
    const std::vector<problem::Link>& after = problem_.links();
    // Each unknown is the state of one link at most.
    const auto only_in = [n = static_cast<std::size_t>(problem_.size())](const std::vector<problem::Link>& these,
                                                                         const std::vector<problem::Link>& those) {
        std::vector<int> derivative(n, -1), states;
        for (const problem::Link& link : those) derivative[static_cast<std::size_t>(link.state)] = link.derivative;
        for (const problem::Link& link : these)
            if (derivative[static_cast<std::size_t>(link.state)] != link.derivative) states.push_back(link.state);
        return states;
    };
    record.left = only_in(before, after);
    record.entered = only_in(after, before);
    result_.statistics.state_switches.push_back(std::move(record));
    stepper_->links_changed();
    consistent_->links_changed();
    jump_->links_changed();
    selection_->links_changed();
}

/// Makes states of unknowns that an event has set, so that the others follow them. Where they cannot all be, those that
/// determine the rest best are; what follows for the remaining ones will be compared with what was set.
void Driver::lead(const std::vector<std::pair<int, double>>& set, double t) {
    std::vector<int> unknowns;
    unknowns.reserve(set.size());
    for (const auto& [unknown, value] : set) unknowns.push_back(unknown);
    const auto is_state = [&](int unknown) {
        return std::any_of(problem_.links().begin(), problem_.links().end(),
                           [&](const problem::Link& link) { return link.state == unknown; });
    };
    const bool dummies =
        std::any_of(unknowns.begin(), unknowns.end(), [&](int u) { return selection_->chooses(u) && !is_state(u); });
    if (selection_->empty() || !dummies) return;
    jx_.resize(static_cast<std::size_t>(problem_.pattern().nonzeros()));
    jdx_.resize(jx_.size());
    ++result_.statistics.counters.jacobians;
    if (problem_.jacobian(t, x_.data(), dx_.data(), jx_.data(), jdx_.data()) != problem::EvalStatus::ok) return;
    selection_->favour(unknowns, true);
    if (!selection_->assess(jx_.data()).singular && selection_->best_links() != problem_.links()) exchange_links(t);
    selection_->favour(unknowns, false);
}

/// Exchanges dummy derivatives when the present choice has become poor.
Driver::Flow Driver::watch_states(bool forced) {
    if (selection_->empty() || !options_.state_selection.monitor) return Flow::proceed;
    const Counters& counters = stepper_->counters();
    const double* jx = nullptr;
    if (!forced && counters.jacobians != jacobians_seen_) {
        jx = stepper_->latest_jacobian(); // at most one step old: good enough for a threshold with hysteresis
    } else if (forced || counters.steps - last_check_ >= check_interval_) {
        jx_.resize(static_cast<std::size_t>(problem_.pattern().nonzeros()));
        jdx_.resize(jx_.size());
        ++result_.statistics.counters.jacobians;
        if (problem_.jacobian(stepper_->t(), stepper_->x().data(), stepper_->dx().data(), jx_.data(), jdx_.data()) ==
            problem::EvalStatus::ok)
            jx = jx_.data();
    }
    if (jx == nullptr) return Flow::proceed;
    last_check_ = counters.steps;
    jacobians_seen_ = counters.jacobians;
    const StateSelection::Assessment now = selection_->assess(jx);
    // A choice that is good is looked at less often: each look may cost a Jacobian.
    const bool good = now.quality >= 0.5 * (1.0 + options_.state_selection.switch_below);
    check_interval_ = good ? std::min(2 * check_interval_, 4 * options_.state_selection.check_every)
                           : options_.state_selection.check_every;
    if (now.singular) return forced ? fail(FailureReason::no_state_choice, StepStatus::ok, h_) : Flow::proceed;
    if (now.quality >= options_.state_selection.switch_below) return Flow::proceed;

    exchange_links(stepper_->t());
    return Flow::proceed;
}

} // namespace daedalus::integrate
