#include "integrate/methods/esdirk.hpp"

#include "integrate/methods/dirk.hpp"
#include "integrate/tableau/esdirk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

class EsdirkStepper final : public DirkStepper {
public:
    // What Newton leaves in the stages is divided by hγ and combined by weights of size 1: well below the estimate.
    EsdirkStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options, tableau::Esdirk method)
        : DirkStepper(problem, options, tightening_of_esdirk(method.order), options.method.fixed_step ? 1e-3 : 0.01,
                      method.order, {.safety = 0.9, .shrink = 0.2, .grow = 6.0}),
          method_(std::move(method)), K_(static_cast<std::size_t>(method_.stages) * n_), base_(n_) {
        newton_options_.growth_at_first = 3.0;
    }

    int order() const override { return method_.order; }
    void interpolate(double time, double* x, double* dx) const override;

private:
    [[nodiscard]] StepStatus factor(double h) override { return factored(matrix_, 1.0 / (h * method_.gamma), shift_); }
    [[nodiscard]] StepStatus solve_stages() override;
    [[nodiscard]] StepStatus estimate_error(double& norm) override;
    [[nodiscard]] double* slope(int i) { return K_.data() + static_cast<std::size_t>(i) * n_; }

    const tableau::Esdirk method_;
    std::vector<double> K_, base_;
};

StepStatus EsdirkStepper::solve_stages() {
    const int s = method_.stages;
    const double h = h_;
    const double shift = 1.0 / (h * method_.gamma);
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double roundoff = 4 * eps * norm_(x_.data());
    rate_ = 0.0;
    std::copy(dx_.begin(), dx_.end(), slope(0));
    for (int i = 1; i < s; ++i) {
        const double* a = method_.A.data() + static_cast<std::size_t>(i) * s;
        std::copy(x_.begin(), x_.end(), base_.begin());
        for (int j = 0; j < i; ++j) {
            const double w = h * a[j];
            const double* k = slope(j);
            for (std::size_t m = 0; m < n_; ++m) base_[m] += w * k[m];
        }
        // Start: the last step's polynomial continued; without one, the parabola through x_n, K_1 and K_2.
        const double time = i == s - 1 ? t_new_ : t_ + method_.c[i] * h;
        double* X = x_new_.data();
        double* k = slope(i);
        if (smooth_steps_ > 0 && std::abs(h) < 5.0 * std::abs(t_ - t_before_)) {
            interpolate(time, X, k);
        } else {
            const double c = method_.c[i] * h, bend = i > 1 ? 0.5 * c * method_.c[i] / method_.c[1] : 0.0;
            const double* k0 = slope(0);
            const double* k1 = slope(i > 1 ? 1 : 0);
            for (std::size_t m = 0; m < n_; ++m) X[m] = x_[m] + c * k0[m] + bend * (k1[m] - k0[m]);
        }
        for (std::size_t m = 0; m < n_; ++m) k[m] = shift * (X[m] - base_[m]);
        DirkStage stage{problem_, matrix_, norm_, counters_, time, shift, X, k, delta_};
        const nonlinear::NewtonResult newton = nonlinear::newton(stage, monitor_, newton_options_, roundoff);
        if (const StepStatus status = outcome(newton); status != StepStatus::ok) {
            std::copy_n(k, n_, dx_new_.data());
            return status;
        }
        rate_ = std::max(rate_, newton.rate);
    }
    std::copy_n(slope(s - 1), n_, dx_new_.data());
    return StepStatus::ok;
}

StepStatus EsdirkStepper::estimate_error(double& norm) {
    const int s = method_.stages;
    std::fill(base_.begin(), base_.end(), 0.0);
    for (int i = 0; i < s; ++i) {
        const double w = (method_.A[static_cast<std::size_t>(s - 1) * s + i] - method_.embedded[i]) / method_.gamma;
        const double* k = slope(i);
        for (std::size_t m = 0; m < n_; ++m) base_[m] += w * k[m]; // e / (hγ)
    }
    std::fill(error_.begin(), error_.end(), 0.0);
    jacobian_.apply(0.0, 1.0, base_.data(), error_.data());
    matrix_.solve(error_, counters_);
    norm = norm_(error_.data());
    return StepStatus::ok;
}

void EsdirkStepper::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    const bool inside = (time - t_) * (t_ - t_before_) <= 0.0;
    hermite(time, inside, x, dx);
}

} // namespace

std::unique_ptr<Stepper> make_esdirk(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                     int order) {
    return std::make_unique<EsdirkStepper>(problem, options, tableau::make_esdirk(order));
}

} // namespace daedalus::integrate
