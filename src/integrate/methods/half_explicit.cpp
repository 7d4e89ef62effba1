#include "integrate/methods/half_explicit.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/half_explicit_index_two.hpp"
#include "integrate/methods/mechanical_points.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// HEM5 and PHEM56: SAFE = 0.9, FAC1 = 0.2, FAC2 = 10.
constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.2, .grow = 10.0};

class HalfExplicitStepper final : public MechanicalPoints {
public:
    HalfExplicitStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                        const tableau::HalfExplicit& method)
        : MechanicalPoints(problem, options, Between::velocities, options.tolerance), method_(method),
          controller_(method.order_of_estimate + 1, limits) {
        const auto s = static_cast<std::size_t>(method.stages) + 1; // and the end
        K_.resize(s * mechanism_.positions());
        A_.resize(s * mechanism_.velocities());
        Y_.resize(mechanism_.positions());
        V_.resize(mechanism_.velocities());
        right_.resize(mechanism_.velocities() + mechanism_.constraints());
    }
    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        MechanicalPoints::start(t, x, dx, h);
        controller_.reset();
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override {
        controller_.accept(h_, error_norm_);
        MechanicalPoints::accept();
    }
    int order() const override { return method_.order; }

private:
    // NOLINTBEGIN(readability-identifier-naming): letters of the literature
    [[nodiscard]] double* K(std::size_t i) { return K_.data() + i * mechanism_.positions(); }
    [[nodiscard]] double* A(std::size_t i) { return A_.data() + i * mechanism_.velocities(); }
    // NOLINTEND(readability-identifier-naming)
    [[nodiscard]] bool stage(std::size_t i);
    void combine(const std::vector<double>& row, std::size_t count, double* y, double* v);
    [[nodiscard]] double estimate_error();
    [[nodiscard]] Attempt failed(StepStatus status) { return {status, 0.0, controller_.after_failure(status) * h_}; }

    const tableau::HalfExplicit& method_;
    PredictiveController controller_;
    std::vector<double> K_, A_, Y_, V_, right_;
    double error_norm_ = 0.0;
};

/// y0 + h Σ_{j<count} row_j K_j and v0 + h Σ row_j A_j.
void HalfExplicitStepper::combine(const std::vector<double>& row, std::size_t count, double* y, double* v) {
    std::copy(here_.y.begin(), here_.y.end(), y);
    std::copy(here_.v.begin(), here_.v.end(), v);
    for (std::size_t j = 0; j < count; ++j) {
        const double factor = h_ * row[j];
        if (factor == 0.0) continue;
        for (std::size_t k = 0; k < mechanism_.positions(); ++k) y[k] += factor * K(j)[k];
        for (std::size_t k = 0; k < mechanism_.velocities(); ++k) v[k] += factor * A(j)[k];
    }
}

/// K_i and A_i; leaves y and v at which its constraint holds in `next_`.
bool HalfExplicitStepper::stage(std::size_t i) {
    combine(method_.a[i], i, Y_.data(), V_.data());
    const double t = t_ + method_.c[i] * h_;
    if (!mechanism_.rates(t, Y_.data(), V_.data(), K(i))) return false;
    if (i == 0 && method_.explicit_first) {
        std::copy(here_.a.begin(), here_.a.end(), A(0));
        return true;
    }
    const std::vector<double>& row = method_.constraint[i];
    const double t_constraint = i + 1 == method_.a.size() ? t_new_ : t_ + method_.c_constraint[i] * h_;
    if (!mechanism_.dynamics(t, Y_.data(), V_.data())) return false;
    const std::size_t n = mechanism_.velocities();
    std::copy(mechanism_.force().begin(), mechanism_.force().end(), right_.begin());
    combine(row, i, next_.y.data(), next_.v.data());
    for (std::size_t k = 0; k < mechanism_.positions(); ++k) next_.y[k] += h_ * row[i] * K(i)[k];
    if (!mechanism_.lower(t_constraint, next_.y.data()) || !mechanism_.factor()) return false;
    if (!mechanism_.velocity(t_constraint, next_.y.data(), next_.v.data(), right_.data() + n)) return false;
    for (std::size_t k = n; k < right_.size(); ++k) right_[k] /= -h_ * row[i];
    mechanism_.solve(right_);
    std::copy_n(right_.data(), n, A(i));
    for (std::size_t k = 0; k < n; ++k) next_.v[k] += h_ * row[i] * A(i)[k];
    return true;
}

Attempt HalfExplicitStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    for (std::size_t i = 0; i < method_.a.size(); ++i)
        if (!stage(i)) return failed(StepStatus::singular_matrix);
    const bool whole = complete(t_new_); // and leaves the matrix of the end
    count_work();
    if (!whole) return failed(StepStatus::singular_matrix);
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    error_norm_ = estimate_error();
    if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite);
    if (error_norm_ > 1.0) return {StepStatus::ok, error_norm_, h * controller_.after_error(error_norm_)};
    return {StepStatus::ok, error_norm_, h * controller_.after_success(h, error_norm_)};
}

double HalfExplicitStepper::estimate_error() {
    const std::size_t s = method_.a.size(), n = mechanism_.velocities();
    if (!mechanism_.rates(t_new_, next_.y.data(), next_.v.data(), K(s))) return NAN;
    std::copy(next_.a.begin(), next_.a.end(), A(s));
    combine(method_.embedded, method_.embedded.size(), Y_.data(), V_.data());
    for (std::size_t k = 0; k < V_.size(); ++k) V_[k] -= next_.v[k];
    std::fill(right_.begin(), right_.end(), 0.0);
    mechanism_.times_W(V_.data(), right_.data() + n);
    for (std::size_t k = n; k < right_.size(); ++k) right_[k] = -right_[k];
    mechanism_.solve(right_);
    const problem::MechanicalStructure& parts = mechanism_.parts();
    std::fill(error_.begin(), error_.end(), 0.0);
    for (std::size_t k = 0; k < Y_.size(); ++k) error_[static_cast<std::size_t>(parts.y[k])] = Y_[k] - next_.y[k];
    for (std::size_t k = 0; k < n; ++k) error_[static_cast<std::size_t>(parts.v[k])] = V_[k] + right_[k];
    return norm_(error_.data());
}

} // namespace

std::unique_ptr<Stepper> make_half_explicit(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                            tableau::HalfExplicitName name) {
    if (problem.facet<problem::MechanicalStructure>().empty())
        return make_half_explicit_index_two(problem, options, tableau::half_explicit(name));
    return std::make_unique<HalfExplicitStepper>(problem, options, tableau::half_explicit(name));
}

} // namespace daedalus::integrate
