#include "integrate/methods/bdf.hpp"

#include "integrate/methods/bdf_controller.hpp"
#include "integrate/methods/bdf_corrector.hpp"
#include "integrate/methods/bdf_errors.hpp"
#include "integrate/methods/bdf_history.hpp"
#include "integrate/methods/bdf_norms.hpp"
#include "integrate/methods/bdf_starter.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/methods/kept_differences.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// Predicts from the history, corrects by Newton's iteration, and asks the controller how to go on.
class Bdf final : public MultistepStepper {
public:
    Bdf(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : Bdf(problem, options, std::clamp(options.method.max_order, 1, BdfHistory::max_order)) {}

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        begin(t, x, dx);
        start_history(h);
        controller_.start();
    }
    void start_with_history(std::span<const double> times, std::span<const double> values,
                            std::span<const double> dx) override {
        begin(times[0], values.first(n_), dx);
        history_.start(times, with_quantities(times, values));
        controller_.start_at(static_cast<int>(times.size()) - 1);
    }
    [[nodiscard]] MethodMemory remember(double t) const override;
    void go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
               const MethodMemory& memory) override;

    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    bool proposal(double* x) const override {
        std::copy(trial_.x.begin(), trial_.x.end(), x);
        return true;
    }
    void accept() override;
    bool project_with(const Projector& projector) override {
        projector_ = projector;
        norms_.test_states_only(problem_);
        return true;
    }
    void correct(std::span<const double> x, std::span<const double> dx) override {
        for (std::size_t k = 0; k < n_; ++k) work_[k] = x[k] - here_.x[k];
        std::copy(x.begin(), x.end(), here_.x.begin());
        std::copy(dx.begin(), dx.end(), here_.dx.begin());
        quantity_work_ = here_.q; // whatever was conserved, the point has been moved
        find_quantity();
        for (std::size_t k = 0; k < here_.q.size(); ++k) quantity_work_[k] = here_.q[k] - quantity_work_[k];
        history_.correct(work_.data(), quantity_work_.data());
    }

    double t() const override { return here_.t; }
    std::span<const double> x() const override { return here_.x; }
    std::span<const double> dx() const override { return here_.dx; }
    int order() const override { return std::max(1, controller_.last_order()); }
    void interpolate(double time, double* x, double* dx) const override {
        if (time == here_.t) {
            std::copy(here_.x.begin(), here_.x.end(), x);
            std::copy(here_.dx.begin(), here_.dx.end(), dx);
            return;
        }
        history_.interpolate(time - here_.t, x, dx);
    }
    std::unique_ptr<const KeptStep> keep() const override {
        return keep_differences(history_, here_.t, here_.x, here_.dx, degree());
    }
    void links_changed() override { corrector_.links_changed(); }
    const double* latest_jacobian() const override { return corrector_.latest_jacobian(); }
    std::string linear_solver() const override { return corrector_.description(); }
    int degree() const override { return order(); }
    std::span<const NoiseFloor> noise() const override { return norms_.noise(); }
    Trial trial() const override {
        return {trial_.t, history_.leading_coefficient(),   trial_.x, trial_.dx,
                trial_.e, norms_.of_corrections().weights()};
    }

private:
    Bdf(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int max_order)
        : problem_(problem), n_(static_cast<std::size_t>(problem.size())), fixed_step_(options.method.fixed_step),
          here_(n_, size_of_quantity(problem)), trial_(n_, size_of_quantity(problem)),
          history_(n_, size_of_quantity(problem)),
          norms_(problem, options, fixed_step_ ? BdfHistory::max_order : max_order), corrector_(problem, options),
          controller_(fixed_step_ ? 1 : std::min(max_order, least_order_of_bdf(problem.highest_index())), max_order,
                      problem.highest_index() <= 1),
          work_(n_), quantity_work_(size_of_quantity(problem)) {}

    [[nodiscard]] static std::size_t size_of_quantity(const problem::ImplicitProblem& problem) {
        return static_cast<std::size_t>(problem.quantity().size);
    }
    void start_history(double h) { history_.start(here_.x, here_.dx, h, here_.q, here_.dq); }
    void find_quantity();
    [[nodiscard]] std::vector<double> with_quantities(std::span<const double> times, std::span<const double> x) const;
    void begin(double t, std::span<const double> x, std::span<const double> dx);
    [[nodiscard]] StepStatus solve();
    [[nodiscard]] bool project();
    [[nodiscard]] Attempt judge();

    const problem::ImplicitProblem& problem_;
    const std::size_t n_;
    const bool fixed_step_;
    BdfPoint here_;
    BdfTrial trial_;
    BdfHistory history_;
    BdfNorms norms_;
    BdfCorrector corrector_;
    BdfController controller_;
    Projector projector_;
    std::vector<double> work_, quantity_work_;
};

void Bdf::begin(double t, std::span<const double> x, std::span<const double> dx) {
    here_.t = t;
    std::copy(x.begin(), x.end(), here_.x.begin());
    std::copy(dx.begin(), dx.end(), here_.dx.begin());
    find_quantity();
    // Orders rise with each of the first steps, and the terms of q then look like oscillations.
    constexpr long start_up = 30;
    if (!here_.q.empty()) controller_.watch_stability_from(counters_.steps + start_up);
    norms_.restart();
    corrector_.restart();
}

/// q and q' of the point. Where they have no value, the first attempt finds out.
void Bdf::find_quantity() {
    if (here_.q.empty()) return;
    (void)problem_.quantity_value(here_.t, here_.x.data(), here_.q.data());
    (void)problem_.quantity_slope(here_.t, here_.x.data(), here_.dx.data(), here_.dq.data());
}

/// Points d = (x, q) from those of x, block by block.
std::vector<double> Bdf::with_quantities(std::span<const double> times, std::span<const double> x) const {
    const std::size_t m = here_.q.size();
    std::vector<double> d((n_ + m) * times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        double* const point = d.data() + i * (n_ + m);
        std::copy_n(x.data() + i * n_, n_, point);
        if (m > 0) (void)problem_.quantity_value(times[i], point, point + n_);
    }
    return d;
}

/// The polynomial of the last step, as its values at equal distances back from t.
MethodMemory Bdf::remember(double t) const {
    const int order = controller_.last_order();
    const double h = controller_.last_step();
    if (order == 0 || h == 0.0) return {};
    MethodMemory memory{order, {}, {}};
    memory.values.resize(static_cast<std::size_t>(order + 1) * n_);
    std::vector<double> slope(n_);
    for (int i = 0; i <= order; ++i) {
        memory.times.push_back(t - i * h);
        interpolate(memory.times.back(), memory.values.data() + static_cast<std::size_t>(i) * n_, slope.data());
    }
    return memory;
}

void Bdf::go_on(double t, std::span<const double> x, std::span<const double> dx, double h, const MethodMemory& memory) {
    if (memory.times.size() < 2) return start(t, x, dx, h);
    std::vector<double> values = memory.values;
    std::copy(x.begin(), x.end(), values.begin());
    start_with_history(memory.times, values, dx);
    controller_.go_on_at(static_cast<int>(memory.times.size()) - 1);
}

Attempt Bdf::attempt(double h, double t_new) {
    trial_.h = h;
    trial_.t = t_new;
    controller_.begin(h, t_new);
    norms_.set_weights(here_.x, h);
    if (!here_.q.empty()) norms_.set_quantity_weights(here_.q);
    StepStatus status = solve();
    if (status == StepStatus::ok && !project()) status = StepStatus::newton_failed;
    if (status == StepStatus::ok) return judge();
    if (status == StepStatus::newton_failed) norms_.note_trouble(counters_.steps);
    return {status, 0.0, controller_.after_failure(h).h};
}

/// A first step on unknowns of index 3 is solved twice, see BdfCorrector::shifted_start(). Only the history changes;
/// the velocities at the beginning have been delivered as they are.
StepStatus Bdf::solve() {
    const int k = controller_.order();
    const double h = trial_.h;
    const bool shifts = controller_.last_order() == 0 && k == 1 && problem_.highest_index() >= 3;
    if (shifts) start_history(h);
    history_.prepare(h, k);
    const StepStatus status = corrector_.solve(history_, here_, trial_, norms_, counters_);
    if (!shifts || status != StepStatus::ok) return status;
    corrector_.shifted_start(here_, trial_, work_, counters_);
    history_.start(work_, here_.dx, h, here_.q, here_.dq);
    history_.prepare(h, 1);
    return corrector_.solve(history_, here_, trial_, norms_, counters_);
}

/// Onto constraints besides F, before the error test: the differences that estimate errors are then all between
/// points of the constraints, and what the projection takes away, which jumps with step size and order, is no error.
bool Bdf::project() {
    if (!projector_) return true;
    std::copy(trial_.x.begin(), trial_.x.end(), work_.begin());
    if (!projector_(trial_.t, trial_.h, trial_.x.data(), trial_.dx.data())) return false;
    for (std::size_t k = 0; k < n_; ++k) trial_.e[k] += trial_.x[k] - work_[k];
    return trial_.quantity.evaluate(problem_, trial_.t, history_.leading_coefficient(), trial_.x.data());
}

Attempt Bdf::judge() {
    using History = BdfController::History;
    const double h = trial_.h;
    if (fixed_step_) {
        controller_.keep_order();
        return {StepStatus::ok, 0.0, h};
    }
    const BdfErrors errors(history_, norms_.of_errors(), norms_.of_quantity(), controller_.order(),
                           {trial_.e, trial_.quantity.e, work_, quantity_work_});
    if (!std::isfinite(errors.error())) return {StepStatus::not_finite, 0.0, controller_.after_failure(h).h};
    if (errors.error() <= 1.0)
        return {StepStatus::ok, errors.error(), controller_.after_success(h, errors, counters_.steps).h};
    const BdfController::Plan plan = controller_.after_error(h, errors);
    if (plan.history != History::stays) start_history(plan.h);
    if (plan.history == History::begins_misguided) norms_.note_trouble(counters_.steps);
    return {StepStatus::ok, errors.error(), plan.h};
}

void Bdf::accept() {
    ++counters_.steps;
    corrector_.step_accepted();
    history_.commit(trial_.e.data(), trial_.quantity.e.data());
    corrector_.find_slopes(trial_, norms_, counters_);
    std::swap(here_.q, trial_.quantity.value);
    std::swap(here_.dq, trial_.quantity.slope);
    std::swap(here_.x, trial_.x);
    std::swap(here_.dx, trial_.dx);
    here_.t = trial_.t;
    norms_.note_noise(here_.t, here_.x, trial_.h);
    controller_.accept(trial_.h);
}

} // namespace

std::unique_ptr<MultistepStepper> make_self_starting_bdf(const problem::ImplicitProblem& problem,
                                                         const IntegrationOptions& options) {
    return std::make_unique<Bdf>(problem, options);
}

std::unique_ptr<Stepper> make_bdf(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    const int least = least_order_of_bdf(problem.highest_index());
    const bool needs_starter = !options.method.fixed_step && least > 1 && options.method.max_order >= least;
    if (needs_starter) return std::make_unique<BdfStarter>(problem, options);
    return make_self_starting_bdf(problem, options);
}

std::unique_ptr<Stepper> make_bdf_with_history(const problem::ImplicitProblem& problem,
                                               const IntegrationOptions& options, std::span<const double> times,
                                               std::span<const double> values, std::span<const double> dx) {
    assert(times.size() >= 2 && times.size() <= BdfHistory::max_order + 1);
    auto stepper = std::make_unique<Bdf>(problem, options);
    stepper->start_with_history(times, values, dx);
    return stepper;
}

} // namespace daedalus::integrate
