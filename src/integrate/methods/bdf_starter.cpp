#include "integrate/methods/bdf_starter.hpp"

#include "integrate/methods/radau.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// The first points carry over to all that follows and are cheap: a hundredth of the tolerance, as BDF's own steps.
IntegrationOptions tight(IntegrationOptions options) {
    constexpr double factor = 0.01;
    options.tolerance.relative *= factor;
    options.tolerance.absolute *= factor;
    for (double& value : options.tolerance.relative_each) value *= factor;
    for (double& value : options.tolerance.absolute_each) value *= factor;
    return options;
}

/// Unless the user limits it further: the order at which what index 3 costs leaves two (W 2.1).
constexpr int first_order = 4;

} // namespace

BdfStarter::BdfStarter(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : n_(static_cast<std::size_t>(problem.size())),
      steps_(static_cast<std::size_t>(std::min(first_order, options.method.max_order))),
      one_step_(make_radau(problem, tight(options), 3)), multistep_(make_self_starting_bdf(problem, options)) {}

void BdfStarter::start(double t, std::span<const double> x, std::span<const double> dx, double h) {
    starting_ = last_by_one_step_ = true;
    failures_ = 0;
    one_step_->start(t, x, dx, h);
    times_.clear();
    values_.clear();
    remember();
}

void BdfStarter::go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
                       const MethodMemory& memory) {
    if (memory.times.size() <= steps_) return start(t, x, dx, h);
    multistep_->go_on(t, x, dx, h, memory);
    starting_ = last_by_one_step_ = false;
    failures_ = 0;
}

void BdfStarter::remember() {
    times_.insert(times_.begin(), one_step_->t());
    values_.insert(values_.begin(), one_step_->x().begin(), one_step_->x().end());
}

void BdfStarter::count() {
    const Counters& a = one_step_->counters();
    const Counters& b = multistep_->counters();
    counters_.steps = a.steps + b.steps;
    counters_.residuals = a.residuals + b.residuals;
    counters_.jacobians = a.jacobians + b.jacobians;
    counters_.factorizations = a.factorizations + b.factorizations;
    counters_.solves = a.solves + b.solves;
    counters_.newton_iterations = a.newton_iterations + b.newton_iterations;
}

Attempt BdfStarter::attempt(double h, double t_new) {
    Attempt attempt = present().attempt(h, t_new);
    h_attempt_ = h;
    count();
    if (starting_) {
        if (attempt.acceptable()) attempt.next_h = h; // equal steps, whatever the estimate allows
        return attempt;
    }
    constexpr int misled = 3; // failures in a row, as DASSL counts them before it goes back to order 1
    failures_ = attempt.acceptable() ? 0 : failures_ + 1;
    if (failures_ >= misled) {
        const std::vector<double> at(x().begin(), x().end()), slope(dx().begin(), dx().end());
        start(t(), at, slope, attempt.next_h);
    }
    return attempt;
}

void BdfStarter::accept() {
    present().accept();
    count();
    last_by_one_step_ = starting_;
    if (!starting_) return;
    // A step of another size (cut to a stop, or after a refusal) begins the row anew.
    constexpr double equal = 1e-6;
    if (times_.size() > 1 && std::abs((times_[0] - times_[1]) - h_attempt_) > equal * std::abs(h_attempt_)) {
        times_.resize(1);
        values_.resize(n_);
    }
    remember();
    if (times_.size() <= steps_) return;
    multistep_->start_with_history(times_, values_, one_step_->dx());
    starting_ = false;
    failures_ = 0;
}

void BdfStarter::correct(std::span<const double> x, std::span<const double> dx) { present().correct(x, dx); }

void BdfStarter::links_changed() {
    one_step_->links_changed();
    multistep_->links_changed();
}

} // namespace daedalus::integrate
