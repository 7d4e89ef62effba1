#include "integrate/methods/generalized_alpha.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/kinematic_flow.hpp"
#include "integrate/methods/mechanical_points.hpp"
#include "integrate/methods/stiff_motion_matrix.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr double rho = 0.8; ///< damps the highest frequencies to that share per step, and the others hardly
constexpr double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
constexpr double delta = alpha_m - alpha_f, gamma_ = 0.5 - delta, beta = 0.25 * (gamma_ + 0.5) * (gamma_ + 0.5);
/// Local errors: h³ c_y v'' of positions, h³ c_v v''' of velocities.
constexpr double c_y = 1.0 / 6.0 - 0.5 * delta - beta;
constexpr double c_v = 1.0 / 6.0 - 0.5 * ((1.0 - gamma_) * delta * delta + gamma_ * (1.0 + delta) * (1.0 + delta));

constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.2, .grow = 4.0};
constexpr double order_of_local_error = 3.0;

class GeneralizedAlpha final : public MechanicalPoints {
public:
    GeneralizedAlpha(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : MechanicalPoints(problem, options, Between::positions_and_velocities,
                           options.method.fixed_step
                               ? options.tolerance
                               : tightened(options.tolerance, tightening_of_generalized_alpha(), problem)),
          controller_(order_of_local_error, limits), matrix_(problem, mechanism_, options.linear_solver),
          flow_(mechanism_) {
        const std::size_t n = mechanism_.velocities();
        for (auto* v : {&v_, &a_, &rate_, &jerk_, &v_new_, &a_new_, &rate_new_, &mean_, &mass_rate_, &normal_})
            v->resize(n);
        lambda_.resize(mechanism_.constraints());
        g_.resize(mechanism_.constraints());
        right_.resize(n + mechanism_.constraints());
        change_.resize(n_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        MechanicalPoints::start(t, x, dx, h);
        controller_.reset();
        begin(h);
    }
    void correct(std::span<const double> x, std::span<const double> dx) override {
        MechanicalPoints::correct(x, dx);
        begin(h_);
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return 2; }
    int degree() const override { return 3; }

    // What Newton needs of the equation of the step.
    [[nodiscard]] bool residual();
    void solve() { matrix_.solve(right_); }
    [[nodiscard]] double update();

private:
    void begin(double h);
    [[nodiscard]] bool fit(double h);
    [[nodiscard]] bool follow();
    [[nodiscard]] StepStatus solve_step();
    [[nodiscard]] StepStatus solve_from_guess();
    [[nodiscard]] bool factor();
    [[nodiscard]] double estimate_error();
    void make_tangential(std::vector<double>& x);
    void into_unknowns(double of_y, const double* y_change, double of_v, const double* v_change, double* x);
    void polynomial(double time, MotionPoint& at) const override;
    [[nodiscard]] Attempt failed(StepStatus status) {
        count_work();
        return {status, 0.0, controller_.after_failure(status) * h_};
    }

    PredictiveController controller_;
    StiffMotionMatrix matrix_;
    KinematicFlow flow_;
    std::vector<double> v_, a_, rate_, jerk_; ///< v_n, a_n, v'_n of the method, and v''
    double fitted_ = 0.0;                     ///< step size that v_ and a_ belong to
    double jerk_age_ = 0.0;                   ///< time from where jerk_ was found to t_n
    std::vector<double> v_new_, a_new_, rate_new_, lambda_, mean_, mass_rate_, normal_, g_, right_, change_;
    double error_norm_ = 0.0;
    bool renews_ = false; ///< the matrix, at every iterate
};

/// v'' at the start: of the motion a little before and behind.
void GeneralizedAlpha::begin(double h) {
    constexpr double share = 0.01; // of the step: its square is below what order 2 shows
    v_ = here_.v;
    a_ = rate_ = here_.a;
    lambda_ = here_.lambda;
    fitted_ = jerk_age_ = 0.0;
    std::fill(jerk_.begin(), jerk_.end(), 0.0);
    const double d = share * h;
    bool known = d != 0.0;
    for (const double side : {1.0, -1.0}) {
        for (std::size_t k = 0; k < v_.size(); ++k) {
            mean_[k] = v_[k] + 0.5 * side * d * rate_[k];
            v_new_[k] = v_[k] + side * d * rate_[k];
        }
        known = known && flow_.follow(t_, side * d, here_.y.data(), mean_.data(), next_.y.data()) &&
                mechanism_.accelerations(t_ + side * d, next_.y.data(), v_new_.data(), rate_new_.data(),
                                         next_.lambda.data());
        for (std::size_t k = 0; known && k < v_.size(); ++k) jerk_[k] += side * rate_new_[k] / (2.0 * d);
    }
    const auto size = [](const std::vector<double>& x) {
        double largest = 0.0;
        for (const double c : x) largest = std::max(largest, std::abs(c));
        return largest;
    };
    // Oscillations that steps do not resolve have no v'' that would tell anything.
    const bool resolved = size(jerk_) * std::abs(h) <= std::max(size(rate_), 0.1 * size(v_) / std::abs(h));
    if (!known || !resolved) std::fill(jerk_.begin(), jerk_.end(), 0.0);
}

/// Moves a_n and v_n to where steps of size h have them.
bool GeneralizedAlpha::fit(double h) {
    if (h == fitted_) return true;
    const std::size_t n = v_.size();
    normal_ = jerk_;
    if (!g_.empty()) { // the part that W sees: M x + L μ = 0, W x = W v''
        if (!mechanism_.upper(t_, here_.y.data()) || !mechanism_.factor()) return false;
        std::fill(right_.begin(), right_.end(), 0.0);
        mechanism_.times_W(jerk_.data(), right_.data() + n);
        const auto holonomic = static_cast<std::size_t>(mechanism_.parts().holonomic);
        std::fill(right_.begin() + static_cast<std::ptrdiff_t>(n + holonomic), right_.end(), 0.0);
        mechanism_.solve(right_);
        std::copy_n(right_.begin(), n, normal_.begin());
    }
    for (std::size_t k = 0; k < n; ++k) {
        a_[k] += delta * (h - fitted_) * jerk_[k];
        if (!g_.empty()) v_[k] += c_y * (h * h - fitted_ * fitted_) * normal_[k];
    }
    fitted_ = h;
    return true;
}

/// y, v, v' at the end of the step for a_new_.
bool GeneralizedAlpha::follow() {
    for (std::size_t k = 0; k < v_.size(); ++k) {
        rate_new_[k] = ((1.0 - alpha_m) * a_new_[k] + alpha_m * a_[k] - alpha_f * rate_[k]) / (1.0 - alpha_f);
        mean_[k] = v_[k] + h_ * ((0.5 - beta) * a_[k] + beta * a_new_[k]);
        v_new_[k] = v_[k] + h_ * ((1.0 - gamma_) * a_[k] + gamma_ * a_new_[k]);
    }
    return flow_.follow(t_, h_, here_.y.data(), mean_.data(), next_.y.data());
}

/// Right side of the corrections: minus the residuals; constraints divided by what a_{n+1} moves them by, W apart.
bool GeneralizedAlpha::residual() {
    const std::size_t n = v_.size();
    if (!follow() || !mechanism_.dynamics(t_new_, next_.y.data(), v_new_.data())) return false;
    mechanism_.times_M(rate_new_.data(), mass_rate_.data());
    mechanism_.times_L(lambda_.data(), right_.data());
    for (std::size_t k = 0; k < n; ++k) right_[k] = mechanism_.force()[k] - mass_rate_[k] - right_[k];
    const auto holonomic = static_cast<std::size_t>(mechanism_.parts().holonomic);
    if (holonomic < g_.size()) {
        if (!mechanism_.velocity(t_new_, next_.y.data(), v_new_.data(), g_.data())) return false;
        for (std::size_t k = holonomic; k < g_.size(); ++k) right_[n + k] = -g_[k] / (gamma_ * h_);
    }
    if (!mechanism_.position(t_new_, next_.y.data(), g_.data())) return false;
    for (std::size_t k = 0; k < holonomic; ++k) right_[n + k] = -g_[k] / (beta * h_ * h_);
    return true;
}

void GeneralizedAlpha::into_unknowns(double of_y, const double* y_change, double of_v, const double* v_change,
                                     double* x) {
    const problem::MechanicalStructure& parts = mechanism_.parts();
    std::fill_n(x, n_, 0.0);
    matrix_.add_displacement(of_y, y_change, x, parts.y);
    for (std::size_t k = 0; k < v_.size(); ++k) x[parts.v[k]] = of_v * v_change[k];
}

double GeneralizedAlpha::update() {
    const std::size_t n = v_.size();
    for (std::size_t k = 0; k < n; ++k) a_new_[k] += right_[k];
    for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += right_[n + k];
    into_unknowns(beta * h_ * h_, right_.data(), gamma_ * h_, right_.data(), change_.data());
    if (renews_ && !factor()) return std::numeric_limits<double>::infinity();
    return norm_(change_.data());
}

/// From where the present acceleration leads, or, where that is the one of a stiff oscillation, from y_n + h v_n with a
/// matrix for every iterate.
StepStatus GeneralizedAlpha::solve_step() {
    for (std::size_t k = 0; k < v_.size(); ++k) a_new_[k] = a_[k] + h_ * jerk_[k];
    const StepStatus status = solve_from_guess();
    if (status == StepStatus::ok) return status;
    for (std::size_t k = 0; k < v_.size(); ++k) a_new_[k] = -(0.5 - beta) / beta * a_[k];
    renews_ = true;
    const StepStatus other = solve_from_guess();
    renews_ = false;
    return other;
}

bool GeneralizedAlpha::factor() {
    const StiffMotionMatrix::Shares shares{
        .of_rate = (1.0 - alpha_m) / (1.0 - alpha_f), .of_velocity = gamma_ * h_, .of_position = beta * h_ * h_};
    return follow() &&
           matrix_.factor(t_new_, next_.y.data(), v_new_.data(), rate_new_.data(), lambda_.data(), shares, counters_);
}

StepStatus GeneralizedAlpha::solve_from_guess() {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    lambda_ = here_.lambda;
    if (!factor()) return StepStatus::singular_matrix;
    nonlinear::NewtonOptions options;
    // Constant steps have no tolerance, and elsewhere a has what is left of constraints over h².
    options.kappa = fixed_step_ ? 1e-6 : 1e-4;
    options.max_iterations = fixed_step_ ? 30 : 10;
    nonlinear::ConvergenceMonitor monitor;
    const nonlinear::NewtonResult result = nonlinear::newton(*this, monitor, options, 4.0 * eps * norm_(x_.data()));
    counters_.newton_iterations += result.iterations;
    if (result.status == nonlinear::NewtonStatus::not_finite) return StepStatus::not_finite;
    if (!result.usable()) return StepStatus::newton_failed;
    return follow() ? StepStatus::ok : StepStatus::not_finite;
}

Attempt GeneralizedAlpha::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    if (!fit(h)) return failed(StepStatus::singular_matrix);
    if (const StepStatus status = solve_step(); status != StepStatus::ok) return failed(status);
    next_.v = v_new_;
    if (!mechanism_.project_velocities(t_new_, next_.y.data(), next_.v.data()) || !complete(t_new_))
        return failed(StepStatus::singular_matrix);
    count_work();
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    error_norm_ = estimate_error();
    if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite);
    if (error_norm_ > 1.0) return {StepStatus::ok, error_norm_, h * controller_.after_error(error_norm_)};
    return {StepStatus::ok, error_norm_, h * controller_.after_success(h, error_norm_)};
}

/// Without what W sees, by the factors at the end of the step: constraints decide about that, and what Newton's
/// iteration leaves of them is divided by h² in a.
void GeneralizedAlpha::make_tangential(std::vector<double>& x) {
    if (g_.empty()) return;
    const std::size_t n = x.size();
    std::fill(right_.begin(), right_.end(), 0.0);
    mechanism_.times_W(x.data(), right_.data() + n);
    for (std::size_t k = n; k < right_.size(); ++k) right_[k] = -right_[k];
    mechanism_.solve(right_);
    for (std::size_t k = 0; k < n; ++k) x[k] += right_[k];
}

/// With v'' = (a_{n+1} - a_n)/h, and v''' from its change.
double GeneralizedAlpha::estimate_error() {
    const double between = 0.5 * h_ + jerk_age_;
    for (std::size_t k = 0; k < v_.size(); ++k) {
        mean_[k] = a_new_[k] - a_[k];
        mass_rate_[k] = (mean_[k] / h_ - jerk_[k]) / between;
    }
    make_tangential(mean_);
    make_tangential(mass_rate_);
    into_unknowns(c_y * h_ * h_, mean_.data(), c_v * h_ * h_ * h_, mass_rate_.data(), error_.data());
    return norm_(error_.data());
}

void GeneralizedAlpha::accept() {
    for (std::size_t k = 0; k < v_.size(); ++k) jerk_[k] = (a_new_[k] - a_[k]) / h_;
    jerk_age_ = 0.5 * h_;
    v_ = v_new_;
    a_ = a_new_;
    rate_ = rate_new_;
    controller_.accept(h_, error_norm_);
    MechanicalPoints::accept();
}

/// Cubics through positions and velocities: accelerations of what is stiff are not those of the motion.
void GeneralizedAlpha::polynomial(double time, MotionPoint& at) const {
    if (!mechanism_.parts().identity_kinematics) return MechanicalPoints::polynomial(time, at);
    const double h = t_ - t_before_, s = (time - t_before_) / h;
    for (std::size_t i = 0; i < at.y.size(); ++i) {
        const double d = here_.y[i] - before_.y[i], v0 = h * before_.v[i], v1 = h * here_.v[i];
        const double c2 = 3.0 * d - 2.0 * v0 - v1, c3 = v0 + v1 - 2.0 * d;
        at.y[i] = before_.y[i] + s * (v0 + s * (c2 + s * c3));
        at.v[i] = (v0 + s * (2.0 * c2 + 3.0 * s * c3)) / h;
    }
}

} // namespace

std::unique_ptr<Stepper> make_generalized_alpha(const problem::ImplicitProblem& problem,
                                                const IntegrationOptions& options) {
    return std::make_unique<GeneralizedAlpha>(problem, options);
}

} // namespace daedalus::integrate
