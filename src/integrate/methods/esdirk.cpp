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
          method_(std::move(method)), K_(static_cast<std::size_t>(method_.stages) * n_), base_(n_),
          Kq_(static_cast<std::size_t>(method_.stages) * quantity_.size()) {
        newton_options_.growth_at_first = 3.0;
        stated_ = quantity_.present();
        stage_quantity_.base.resize(quantity_.size());
        stage_quantity_.value.resize(quantity_.size());
    }

    int order() const override { return method_.order; }
    void interpolate(double time, double* x, double* dx) const override;

private:
    [[nodiscard]] StepStatus factor(double h) override { return factored(matrix_, 1.0 / (h * method_.gamma), shift_); }
    [[nodiscard]] StepStatus solve_stages() override;
    [[nodiscard]] StepStatus estimate_error(double& norm) override;
    void predict_stage(int i, double time, double* X, double* k);
    [[nodiscard]] double* slope(int i) { return K_.data() + static_cast<std::size_t>(i) * n_; }
    [[nodiscard]] double* quantity_slope(int i) { return Kq_.data() + static_cast<std::size_t>(i) * quantity_.size(); }

    const tableau::Esdirk method_;
    std::vector<double> K_, base_;
    std::vector<double> Kq_; ///< slopes of the differentiated quantity
    DirkQuantity stage_quantity_;
};

/// base += h Σ_j a_j K_j
void add_slopes(double h, const double* a, int stages, const std::vector<double>& K, std::vector<double>& base) {
    const std::size_t n = base.size();
    for (int j = 0; j < stages; ++j) {
        const double w = h * a[j];
        const double* k = K.data() + static_cast<std::size_t>(j) * n;
        for (std::size_t m = 0; m < n; ++m) base[m] += w * k[m];
    }
}

/// Start: the last step's polynomial continued; without one, the parabola through x_n, K_1 and K_2.
void EsdirkStepper::predict_stage(int i, double time, double* X, double* k) {
    if (smooth_steps_ > 0 && std::abs(h_) < 5.0 * std::abs(t_ - t_before_)) {
        interpolate(time, X, k);
        return;
    }
    const double c = method_.c[i] * h_, bend = i > 1 ? 0.5 * c * method_.c[i] / method_.c[1] : 0.0;
    const double* k0 = slope(0);
    const double* k1 = slope(i > 1 ? 1 : 0);
    for (std::size_t m = 0; m < n_; ++m) X[m] = x_[m] + c * k0[m] + bend * (k1[m] - k0[m]);
}

StepStatus EsdirkStepper::solve_stages() {
    const int s = method_.stages;
    const double h = h_;
    const double shift = 1.0 / (h * method_.gamma);
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double roundoff = 4 * eps * norm_(x_.data());
    rate_ = 0.0;
    std::copy(dx_.begin(), dx_.end(), slope(0));
    std::copy(quantity_.slope.begin(), quantity_.slope.end(), quantity_slope(0));
    for (int i = 1; i < s; ++i) {
        const double* a = method_.A.data() + static_cast<std::size_t>(i) * s;
        std::copy(x_.begin(), x_.end(), base_.begin());
        add_slopes(h, a, i, K_, base_);
        const double time = i == s - 1 ? t_new_ : t_ + method_.c[i] * h;
        double* X = x_new_.data();
        double* k = slope(i);
        predict_stage(i, time, X, k);
        for (std::size_t m = 0; m < n_; ++m) k[m] = shift * (X[m] - base_[m]);
        if (stated_) {
            stage_quantity_.base = quantity_.value;
            add_slopes(h, a, i, Kq_, stage_quantity_.base);
            stage_quantity_.slope = quantity_slope(i);
        }
        DirkStage stage{problem_, matrix_, norm_, counters_, time,
                        shift,    X,       k,     delta_,    stated_ ? &stage_quantity_ : nullptr};
        const nonlinear::NewtonResult newton = nonlinear::newton(stage, monitor_, newton_options_, roundoff);
        if (const StepStatus status = outcome(newton); status != StepStatus::ok) {
            std::copy_n(k, n_, dx_new_.data());
            return status;
        }
        if (stated_ && !stage_quantity_.carry(quantity_.frozen, shift, delta_)) return StepStatus::not_finite;
        rate_ = std::max(rate_, newton.rate);
    }
    std::copy_n(slope(s - 1), n_, dx_new_.data());
    if (stated_) {
        std::copy_n(quantity_slope(s - 1), quantity_.size(), quantity_.new_slope.data());
        quantity_.new_value = stage_quantity_.value;
    }
    return StepStatus::ok;
}

StepStatus EsdirkStepper::estimate_error(double& norm) {
    const int s = method_.stages;
    const auto combine = [&](const std::vector<double>& K, std::vector<double>& sum) { // e / (hγ)
        std::fill(sum.begin(), sum.end(), 0.0);
        for (int i = 0; i < s; ++i) {
            const double w = (method_.A[static_cast<std::size_t>(s - 1) * s + i] - method_.embedded[i]) / method_.gamma;
            const double* k = K.data() + static_cast<std::size_t>(i) * sum.size();
            for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += w * k[m];
        }
    };
    combine(K_, base_);
    if (stated_) {
        combine(Kq_, stage_quantity_.base);
        if (!weigh_slopes(t_new_, x_new_.data(), dx_new_.data(), quantity_.new_slope.data(), base_,
                          stage_quantity_.base))
            return StepStatus::not_finite;
    } else {
        std::fill(error_.begin(), error_.end(), 0.0);
        jacobian_.apply(0.0, 1.0, base_.data(), error_.data());
    }
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
