#include "integrate/methods/half_explicit_extrapolation.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/extrapolation_controller.hpp"
#include "integrate/methods/motion_with_middle.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr int max_rows = ExtrapolationController::max_rows;
constexpr const ExtrapolationScheme& scheme = half_explicit_midpoint;

class HalfExplicitExtrapolation final : public MechanicalPoints {
public:
    HalfExplicitExtrapolation(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : MechanicalPoints(problem, options, Between::velocities,
                           tightened(options.tolerance, tightening_of_extrapolation(options.tolerance), problem)),
          controller_(options, scheme), size_(mechanism_.positions() + mechanism_.velocities()), now_(mechanism_),
          other_(mechanism_), middle_(mechanism_), motion_(mechanism_), probe_(mechanism_),
          slope_(mechanism_.velocities()), rate_(mechanism_.positions()),
          right_(mechanism_.velocities() + mechanism_.constraints()) {
        for (Table& table : tables_) table.resize(max_rows * size_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        MechanicalPoints::start(t, x, dx, h);
        controller_.start();
        rows_ = fixed_step_ ? controller_.rows() : 2;
        longest_ = std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return 2 * rows_; }
    int degree() const override { return 8; }
    double longest_step() const override { return longest_; }

private:
    using Table = std::vector<double>; ///< last diagonal, T_{j,j}, T_{j,j-1}, … behind each other, each (y, v)
    void polynomial(double time, MotionPoint& at) const override {
        motion_.at((time - t_before_) / (t_ - t_before_), at, nullptr, nullptr);
    }
    [[nodiscard]] StepStatus compute_row(int row);
    [[nodiscard]] StepStatus substep(double t, double t_next, double length);
    void extrapolate(int row, const MotionPoint& value, Table& table, double* error);
    void take(const Table& table, int row, MotionPoint& point) const;
    [[nodiscard]] Attempt finish(double h, int rows);
    [[nodiscard]] Attempt failed(StepStatus status, double h) {
        count_work();
        return {status, 0.0, controller_.after_failure(status, h)};
    }
    [[nodiscard]] Attempt refused(double next_h) {
        constexpr double above_tolerance = 1.0 + 1e-6; // rows may fail to converge with a smaller error
        count_work();
        refuse_error(error_norm_);
        return {StepStatus::ok, std::max(error_norm_, above_tolerance), next_h};
    }
    [[nodiscard]] double longest_for_output();

    ExtrapolationController controller_;
    std::size_t size_;
    int rows_ = 0;     ///< of the last accepted step
    int computed_ = 0; ///< of the present attempt
    double error_norm_ = 0.0, longest_ = std::numeric_limits<double>::infinity();
    std::array<Table, 2> tables_; ///< of the end and of the middle
    MotionPoint now_, other_;     ///< the present point of the rule, and the one before it, which the next one replaces
    MotionPoint middle_;
    MotionWithMiddle motion_;
    MotionPoint probe_;
    std::vector<double> slope_, rate_, right_;
};

/// From now_ at t to other_ at t_next, where other_ is the point that the step of this length starts from.
StepStatus HalfExplicitExtrapolation::substep(double t, double t_next, double length) {
    const std::size_t n = mechanism_.velocities();
    if (!mechanism_.rates(t, now_.y.data(), now_.v.data(), rate_.data())) return StepStatus::not_finite;
    if (!mechanism_.dynamics(t, now_.y.data(), now_.v.data())) return StepStatus::not_finite;
    for (std::size_t k = 0; k < rate_.size(); ++k) other_.y[k] += length * rate_[k];
    std::copy(mechanism_.force().begin(), mechanism_.force().end(), right_.begin());
    if (!mechanism_.lower(t_next, other_.y.data()) ||
        !mechanism_.velocity(t_next, other_.y.data(), other_.v.data(), right_.data() + n))
        return StepStatus::not_finite;
    if (!mechanism_.factor()) return StepStatus::singular_matrix;
    for (std::size_t k = n; k < right_.size(); ++k) right_[k] /= -length;
    mechanism_.solve(right_);
    for (std::size_t k = 0; k < n; ++k) other_.v[k] += length * right_[k];
    return StepStatus::ok;
}

StepStatus HalfExplicitExtrapolation::compute_row(int row) {
    const int n = scheme.substeps(row);
    const double tau = h_ / n;
    now_ = other_ = here_;
    for (int k = 0; k < n; ++k) {
        const double t_next = k + 1 == n ? t_new_ : t_ + (k + 1) * tau;
        if (const StepStatus status = substep(t_ + k * tau, t_next, k == 0 ? tau : 2.0 * tau); status != StepStatus::ok)
            return status;
        std::swap(now_, other_);
        if (k == 0) other_ = here_;
        if (2 * (k + 1) == n) middle_ = now_;
    }
    const auto finite = [](double v) { return std::isfinite(v); };
    if (!std::all_of(now_.v.begin(), now_.v.end(), finite) || !std::all_of(now_.y.begin(), now_.y.end(), finite))
        return StepStatus::not_finite;
    std::fill(error_.begin(), error_.end(), 0.0);
    extrapolate(row, now_, tables_[0], error_.data());
    extrapolate(row, middle_, tables_[1], nullptr);
    return StepStatus::ok;
}

/// Aitken–Neville in τ², with a further T_{row,1}; the error is T_{row,row+1} - T_{row,row}.
void HalfExplicitExtrapolation::extrapolate(int row, const MotionPoint& point, Table& table, double* error) {
    const problem::MechanicalStructure& parts = mechanism_.parts();
    const std::size_t positions = point.y.size();
    for (std::size_t i = 0; i < size_; ++i) {
        double value = i < positions ? point.y[i] : point.v[i - positions], lower = value;
        for (int k = 0; k < row; ++k) {
            double& before = table[static_cast<std::size_t>(k) * size_ + i]; // T_{row-1,k+1}
            const double ratio = static_cast<double>(scheme.substeps(row)) / scheme.substeps(row - k - 1);
            const double next = value + (value - before) / (ratio * ratio - 1.0);
            before = value;
            lower = value;
            value = next;
        }
        table[static_cast<std::size_t>(row) * size_ + i] = value;
        if (error != nullptr) error[i < positions ? parts.y[i] : parts.v[i - positions]] = value - lower;
    }
}

void HalfExplicitExtrapolation::take(const Table& table, int row, MotionPoint& point) const {
    const double* value = table.data() + static_cast<std::size_t>(row) * size_;
    std::copy_n(value, point.y.size(), point.y.begin());
    std::copy_n(value + point.y.size(), point.v.size(), point.v.begin());
}

Attempt HalfExplicitExtrapolation::attempt(double h, double t_new) {
    using Verdict = ExtrapolationController::Verdict;
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    controller_.begin();
    for (int row = 0;; ++row) {
        if (const StepStatus status = compute_row(row); status != StepStatus::ok) return failed(status, h);
        const int rows = row + 1;
        if (rows < 2) continue;
        error_norm_ = norm_(error_.data());
        if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite, h);
        switch (controller_.judge(rows, h, error_norm_)) {
        case Verdict::next_row: break;
        case Verdict::finished: return finish(h, rows);
        case Verdict::refused: return refused(controller_.after_error(h, rows));
        case Verdict::divergent: return refused(controller_.after_divergence(h));
        }
    }
}

Attempt HalfExplicitExtrapolation::finish(double h, int rows) {
    computed_ = rows;
    take(tables_[0], rows - 1, next_);
    take(tables_[1], rows - 1, middle_);
    const bool whole = mechanism_.project_velocities(t_new_, next_.y.data(), next_.v.data()) && complete(t_new_) &&
                       mechanism_.project_velocities(t_ + 0.5 * h, middle_.y.data(), middle_.v.data()) &&
                       mechanism_.accelerations(t_ + 0.5 * h, middle_.y.data(), middle_.v.data(), middle_.a.data(),
                                                middle_.lambda.data());
    if (!whole) return failed(StepStatus::singular_matrix, h);
    count_work();
    return {StepStatus::ok, fixed_step_ ? 0.0 : error_norm_, controller_.after_success(h, rows, error_norm_)};
}

void HalfExplicitExtrapolation::accept() {
    rows_ = computed_;
    const bool known = motion_.set(mechanism_, t_, h_, here_, middle_, next_);
    MechanicalPoints::accept();
    controller_.accept();
    if (!fixed_step_ && known) longest_ = longest_for_output();
}

/// The polynomial's order is 8, whatever that of the step: what it leaves of the equations of motion where its error
/// shows most tells how long the next step may be.
double HalfExplicitExtrapolation::longest_for_output() {
    const MotionWithMiddle::Probe probe = motion_.probe();
    const double h = t_ - t_before_, t = t_before_ + probe.share * h;
    std::vector<double>& rate = rate_;
    motion_.at(probe.share, probe_, &slope_, &rate);
    if (!mechanism_.accelerations(t, probe_.y.data(), probe_.v.data(), probe_.a.data(), probe_.lambda.data()))
        return std::numeric_limits<double>::infinity();
    std::fill(error_.begin(), error_.end(), 0.0);
    const problem::MechanicalStructure& parts = mechanism_.parts();
    // Roundings of the three positions, which the second derivative multiplies by less than this over h².
    constexpr double noise = 300 * std::numeric_limits<double>::epsilon();
    for (std::size_t k = 0; k < slope_.size(); ++k) {
        const double seen = slope_[k] - probe_.a[k];
        const double rounding = motion_.identity() ? noise * std::abs(probe_.y[k]) / (h * h) : 0.0;
        const double defect = std::max(0.0, std::abs(seen) - rounding);
        error_[static_cast<std::size_t>(parts.v[k])] = probe.of_v * h * defect;
        if (motion_.identity()) error_[static_cast<std::size_t>(parts.y[k])] = probe.of_y * h * h * defect;
    }
    if (!motion_.identity()) {
        std::vector<double>& exact = other_.y;
        if (!mechanism_.rates(t, probe_.y.data(), probe_.v.data(), exact.data()))
            return std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < exact.size(); ++k)
            error_[static_cast<std::size_t>(parts.y[k])] = probe.of_y * h * (rate[k] - exact[k]);
    }
    count_work();
    const double error = norm_(error_.data()) / allowed_between_ends;
    constexpr double safety = 0.9; // as of the controller
    return error > 0.0 ? elementary_factor(error, probe.power, safety * std::abs(h))
                       : std::numeric_limits<double>::infinity();
}

} // namespace

std::unique_ptr<Stepper> make_half_explicit_extrapolation(const problem::ImplicitProblem& problem,
                                                          const IntegrationOptions& options) {
    return std::make_unique<HalfExplicitExtrapolation>(problem, options);
}

} // namespace daedalus::integrate
