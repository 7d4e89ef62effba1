#include "integrate/delayed_values.hpp"

#include "integrate/run.hpp"
#include "integrate/step_polynomials.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

void DelayedValues::begin(Run& run) {
    delays_ = run.problem.system().facets.find<problem::Delays>();
    if (delays_ == nullptr) return;
    const std::size_t n = delays_->size();
    x_.resize(run.x.size());
    dx_.resize(run.x.size());
    values_.resize(3 * n);
    readers_.note(run.problem);
    problem::Environment& environment = run.problem.environment();
    if (run.options.continuation.active && environment.history() != nullptr) {
        past_ = environment.history(); // of the same run, on other equations
        return;
    }
    const double t0 = run.interval.t0;
    (void)find_values(run, t0, run.x.data(), run.dx.data());
    past_ = new_history(run.problem);
    constexpr int kink = 1; // the value before the start is that at the start, and does not vary
    for (std::size_t k = 0; k < n; ++k) {
        past_->add_break(k, t0, kink, values_[k]);
        environment.set(delays_->readers[k].stretch, 0.0);
        environment.set(delays_->readers[k].next, t0);
        environment.set(delays_->readers[k].begins, -problem::never);
    }
    environment.set_history(past_, delays_->history);
    readers_.note(run.problem);
}

bool DelayedValues::find_values(Run& run, double t, const double* x, const double* dx) {
    return run.problem.evaluate(delays_->values, t, x, dx, values_.data()) == problem::EvalStatus::ok;
}

double DelayedValues::tolerance(const Run& run, double size) const {
    return run.options.tolerance.relative * size + run.options.tolerance.absolute;
}

/// Which derivative may jump where the method begins anew: the value, if it does by more than the tolerance; if the
/// event was that readers came to breaks, one more than jumps there; else the first.
int DelayedValues::level_behind(const Run& run, std::size_t k) const {
    const std::vector<History::Piece>& pieces = past_->pieces(k);
    if (!pieces.empty()) {
        const double before = pieces.back().at(pieces.back().end);
        if (std::abs(values_[k] - before) > tolerance(run, std::max(std::abs(before), std::abs(values_[k])))) return 0;
    }
    return readers_.level_met(run.problem, *past_).value_or(1);
}

void DelayedValues::started(Run& run) {
    if (delays_ == nullptr) return;
    if (!find_values(run, run.stepper->t(), run.x.data(), run.dx.data())) return; // before() says so
    std::vector<int> level;
    for (std::size_t k = 0; k < delays_->size(); ++k) level.push_back(level_behind(run, k));
    for (std::size_t k = 0; k < delays_->size(); ++k) past_->add_break(k, run.stepper->t(), level[k], values_[k]);
    readers_.note(run.problem);
    tell_readers(run);
}

/// Where the next stretch begins, which was not known when readers came to theirs.
void DelayedValues::tell_readers(Run& run) {
    problem::Environment& environment = run.problem.environment();
    const std::uint64_t before = environment.stamp();
    for (std::size_t k = 0; k < delays_->size(); ++k) {
        const problem::Delays::Reader& reader = delays_->readers[k];
        const int next = past_->next_stretch(k, static_cast<int>(environment[reader.stretch]));
        environment.set(reader.next, next > 0 ? past_->beginning(k, next) : problem::never);
    }
    if (environment.stamp() == before) return;
    // At a stop the event is still to come, and the start behind it looks ahead.
    if (!run.stops.reached(run.stops.next(), run.stepper->t())) run.stops.look_ahead(run.stepper->t());
    run.roots->begin(run.stepper->t(), run.stepper->x().data(), run.stepper->dx().data());
}

Flow DelayedValues::refuse(Run& run, std::size_t k, const char* why) {
    FailureReport report;
    report.reason = FailureReason::assertion;
    report.t = run.stepper->t();
    report.cause = why;
    report.where = delays_->readers[k].where;
    return run.fail(std::move(report));
}

Flow DelayedValues::before(Run& run) {
    if (delays_ == nullptr) return Flow::proceed;
    const std::size_t n = delays_->size();
    const double t = run.stepper->t();
    if (!find_values(run, t, run.stepper->x().data(), run.stepper->dx().data()))
        return run.fail(FailureReason::not_finite, StepStatus::not_finite, run.control.wanted());
    double longest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < n; ++k) {
        const double delay = values_[n + k];
        constexpr double rounding = 1e-12; // of a longest delay that is computed in another way than the delay
        if (delay > values_[2 * n + k] * (1.0 + rounding)) return refuse(run, k, "the delay time exceeds the longest");
        if (delay < 0.0) return refuse(run, k, "the delay time is negative");
        if (delay <= run.control.smallest(t))
            return refuse(run, k, "the delay time has become so short that no step is shorter");
        constexpr double room = 0.5; // a delay that varies may shrink by as much in a step; judge() looks
        longest = std::min(longest, delays_->readers[k].varies ? room * delay : delay);
    }
    run.stops.limit(Stops::Asks::delays, longest);
    return Flow::proceed;
}

Verdict DelayedValues::judge(Run& run, const Attempt& attempt, double h, double t_new) {
    if (delays_ == nullptr || !run.stepper->proposal(x_.data())) return {attempt};
    const double t = run.stepper->t();
    if (!find_values(run, t_new, x_.data(), run.stepper->dx().data())) return {attempt};
    for (std::size_t k = 0; k < delays_->size(); ++k)
        if (delays_->readers[k].varies && t_new - values_[delays_->size() + k] > t)
            return {{attempt.status, attempt.error, 0.5 * h}, true};
    return {attempt};
}

/// Behind a break, as soon as the slope there is known.
void DelayedValues::look_for_kinks(const Run& run, double h) {
    for (std::size_t k = 0; k < delays_->size(); ++k) {
        const std::vector<History::Piece>& pieces = past_->pieces(k);
        const std::size_t first = past_->breaks(k).back().first_piece;
        if (first == 0 || first >= pieces.size()) continue;
        const History::Piece &before = pieces[first - 1], &behind = pieces[first];
        constexpr double seen = 10.0; // tolerances: slopes of polynomials are known less well than values
        if (std::abs(h * (behind.at(behind.begin, 1) - before.at(before.end, 1))) >
            seen * tolerance(run, std::abs(behind.at(behind.begin))))
            past_->lower_level(k, 1);
    }
}

Flow DelayedValues::delivered(Run& run, const AcceptedStep& step) {
    if (delays_ == nullptr || step.t == step.t_before) return Flow::proceed;
    StepPolynomials along(delays_->values, delays_->size(),
                          [&](std::size_t, double size) { return tolerance(run, size); });
    const auto append = [&](const std::vector<PolynomialPiece>& pieces) {
        for (std::size_t q = 0; q < pieces.size(); ++q) past_->append(q, pieces[q]);
    };
    if (!along.find(run, step, append)) return run.fail(FailureReason::not_finite, StepStatus::not_finite, step.h);
    (void)run.problem.environment().change(); // what was computed from the past may be another value now
    look_for_kinks(run, step.t - step.t_before);
    tell_readers(run);
    return Flow::proceed;
}

void DelayedValues::save(const Run& run, Checkpoint& c) const {
    if (delays_ == nullptr) return;
    const std::size_t n = delays_->size();
    std::vector<double> values(3 * n), from;
    const double t = run.stepper->t();
    (void)run.problem.evaluate(delays_->values, t, run.stepper->x().data(), run.stepper->dx().data(), values.data());
    for (std::size_t k = 0; k < n; ++k)
        from.push_back(t - (delays_->readers[k].varies ? values[2 * n + k] : values[n + k]));
    c.history = past_->save(from);
}

void DelayedValues::load(Run& run, const Checkpoint& c) {
    delays_ = run.problem.system().facets.find<problem::Delays>();
    if (delays_ == nullptr) return;
    past_ = new_history(run.problem);
    (void)past_->load(c.history); // what_is_wrong() has looked
    x_.resize(c.x.size());
    dx_.resize(c.x.size());
    values_.resize(3 * delays_->size());
    run.problem.environment().set_history(past_, delays_->history);
    readers_.note(run.problem);
}

} // namespace daedalus::integrate
