#include "integrate/choice_of_states.hpp"

#include "integrate/run.hpp"

#include <algorithm>

namespace daedalus::integrate {

void ChoiceOfStates::forget(Run& run) {
    selection_ = std::make_unique<StateSelection>(run.problem);
    interval_ = run.options.state_selection.check_every;
    jacobians_seen_ = 0;
}

/// ∂F/∂x at a point, or null.
const double* ChoiceOfStates::jacobian(Run& run, double t, std::span<const double> x, std::span<const double> dx) {
    jx_.resize(static_cast<std::size_t>(run.problem.pattern().nonzeros()));
    jdx_.resize(jx_.size());
    const auto status = run.problem.jacobian(t, x.data(), dx.data(), jx_.data(), jdx_.data());
    return status == problem::EvalStatus::ok ? jx_.data() : nullptr;
}

void ChoiceOfStates::begin(Run& run) {
    if (selection_->empty()) return;
    const double* jx = jacobian(run, run.interval.t0, run.x, run.dx);
    if (jx == nullptr) return;
    const StateSelection::Assessment now = selection_->assess(jx);
    if (now.singular || now.quality >= run.options.state_selection.switch_below) return;
    run.problem.set_links(selection_->best_links());
    run.links_changed();
    selection_->links_changed();
    for (const problem::Link& link : run.problem.links()) run.dx[link.state] = run.x[link.derivative];
}

void ChoiceOfStates::started(Run& run) { last_look_ = run.stepper->counters().steps; }

/// The best choice of the last assessment is in force from t on.
void ChoiceOfStates::exchange(Run& run, double t) {
    StateSwitch record;
    record.t = t;
    const std::vector<problem::Link> before = run.problem.links();
    run.problem.set_links(selection_->best_links());
    const std::vector<problem::Link>& after = run.problem.links();
    // Each unknown is the state of one link at most.
    const auto only_in = [n = static_cast<std::size_t>(run.problem.size())](const std::vector<problem::Link>& these,
                                                                            const std::vector<problem::Link>& those) {
        std::vector<int> derivative(n, -1), states;
        for (const problem::Link& link : those) derivative[static_cast<std::size_t>(link.state)] = link.derivative;
        for (const problem::Link& link : these)
            if (derivative[static_cast<std::size_t>(link.state)] != link.derivative) states.push_back(link.state);
        return states;
    };
    record.left = only_in(before, after);
    record.entered = only_in(after, before);
    run.result.statistics.state_switches.push_back(std::move(record));
    run.links_changed();
    selection_->links_changed();
}

void ChoiceOfStates::lead(Run& run, std::span<const int> unknowns, double t) {
    const std::vector<problem::Link>& links = run.problem.links();
    const auto is_state = [&](int unknown) {
        return std::any_of(links.begin(), links.end(),
                           [&](const problem::Link& link) { return link.state == unknown; });
    };
    const bool dummies =
        std::any_of(unknowns.begin(), unknowns.end(), [&](int u) { return selection_->chooses(u) && !is_state(u); });
    if (selection_->empty() || !dummies) return;
    ++run.result.statistics.counters.jacobians;
    const double* jx = jacobian(run, t, run.x, run.dx);
    if (jx == nullptr) return;
    const std::vector<int> favoured(unknowns.begin(), unknowns.end());
    selection_->favour(favoured, true);
    if (!selection_->assess(jx).singular && selection_->best_links() != run.problem.links()) exchange(run, t);
    selection_->favour(favoured, false);
}

/// Exchanges dummy derivatives when the present choice has become poor.
Flow ChoiceOfStates::look(Run& run, bool forced) {
    const StateSelectionOptions& options = run.options.state_selection;
    if (selection_->empty() || !options.monitor) return Flow::proceed;
    const Counters& counters = run.stepper->counters();
    const double* jx = nullptr;
    if (!forced && counters.jacobians != jacobians_seen_) {
        jx = run.stepper->latest_jacobian(); // at most one step old: good enough for a threshold with hysteresis
    } else if (forced || counters.steps - last_look_ >= interval_) {
        ++run.result.statistics.counters.jacobians;
        jx = jacobian(run, run.stepper->t(), run.stepper->x(), run.stepper->dx());
    }
    if (jx == nullptr) return Flow::proceed;
    last_look_ = counters.steps;
    jacobians_seen_ = counters.jacobians;
    const StateSelection::Assessment now = selection_->assess(jx);
    // A choice that is good is looked at less often: each look may cost a Jacobian.
    const bool good = now.quality >= 0.5 * (1.0 + options.switch_below);
    interval_ = good ? std::min(2 * interval_, 4 * options.check_every) : options.check_every;
    if (now.singular)
        return forced ? run.fail(FailureReason::no_state_choice, StepStatus::ok, run.control.wanted()) : Flow::proceed;
    if (now.quality < options.switch_below) exchange(run, run.stepper->t());
    return Flow::proceed;
}

} // namespace daedalus::integrate
