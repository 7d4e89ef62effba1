// What one-step methods share: the point reached, the last accepted steps and Hermite interpolation between their ends;
// and, for those with one real matrix, the values of the Jacobian and the partial derivative of F by time.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/methods/hermite_steps.hpp"
#include "integrate/methods/step_quantity.hpp"
#include "integrate/methods/tightening.hpp"
#include "integrate/noise_floors.hpp"
#include "integrate/stepper.hpp"

#include <algorithm>
#include <limits>

namespace daedalus::integrate {

/// Errors of continuous output between the ends of steps do not add up: they may be as large as so many tolerances.
constexpr double allowed_between_ends = 4.0;

/// The points of a one-step method.
class OneStepPoints : public Stepper {
public:
    OneStepPoints(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                  const Tolerance& tolerance_of_estimate);

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override;
    bool proposal(double* x) const override {
        std::copy(x_new_.begin(), x_new_.end(), x);
        return true;
    }
    void correct(std::span<const double> x, std::span<const double> dx) override;
    void links_changed() override;
    double t() const override { return t_; }
    std::span<const double> x() const override { return x_; }
    std::span<const double> dx() const override { return dx_; }
    std::span<const NoiseFloor> noise() const override { return noise_.list(); }
    void suspect_noise() override;

protected:
    /// The step was refused for error_, of this size.
    void refuse_error(double size) {
        if (stall_.proves_noise(h_, size, stalled_down_)) noise_.grant(t_, x_, size, error_, norm_);
    }
    /// Moves on to x_new_, dx_new_ at t_new_.
    void advance();
    /// From values and slopes: cubics through the ends of the last step; for differential unknowns a quintic over two
    /// steps where it can be trusted, if wanted.
    void hermite(double time, bool quintic, double* x, double* dx) const;
    /// There are two steps of comparable size behind the point, over which a quintic can be laid.
    [[nodiscard]] bool has_quintic() const;
    /// The end of the last accepted step, and its beginning.
    [[nodiscard]] StepEnd here() const { return {t_, x_.data(), dx_.data()}; }
    [[nodiscard]] StepEnd before() const { return {t_before_, x_before_.data(), dx_before_.data()}; }
    /// Puts that quintic in the place of (x, dx) at differential unknowns k where `trusted(k, its value)`.
    template <class Trusted>
    void improve_by_quintic(double time, double* x, double* dx, Trusted trusted) const;

    const problem::ImplicitProblem& problem_;
    const std::size_t n_;
    const bool fixed_step_;
    ErrorNorm norm_;
    double t_ = 0, t_new_ = 0, t_before_ = 0, t_older_ = 0;
    double h_ = 0; ///< size of the last attempt
    std::vector<double> x_, dx_;
    std::vector<double> x_new_, dx_new_, error_;
    std::vector<double> x_before_, dx_before_, x_older_, dx_older_;
    std::vector<char> differential_; ///< x'_k occurs in F
    int history_ = 0;                ///< accepted steps since start
    int smooth_steps_ = 0;           ///< accepted steps since start with the present links
    StepQuantity quantity_;
    NoiseFloors noise_;
    double stalled_down_ = 0.1; ///< share of a step down to which an estimate must not shrink to be noise

private:
    Stall stall_;
};

template <class Trusted>
void OneStepPoints::improve_by_quintic(double time, double* x, double* dx, Trusted trusted) const {
    const StepQuintic quintic({t_older_, x_older_.data(), dx_older_.data()}, before(), here(), time);
    for (std::size_t k = 0; k < n_; ++k) {
        if (!differential_[k]) continue;
        const double value = quintic.value(k);
        if (!fixed_step_ && !trusted(k, value)) continue;
        x[k] = value;
        dx[k] = quintic.slope(k);
    }
}

class OneStepStepper : public OneStepPoints {
public:
    OneStepStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                   const Tolerance& tolerance_of_estimate);

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override;
    void links_changed() override;
    const double* latest_jacobian() const override { return jacobian_.jx.data(); }
    std::string linear_solver() const override { return matrix_.description(); }
    Trial trial() const override { return {t_new_, shift_, x_new_, dx_new_, error_, norm_.weights()}; }
    double longest_step() const override { return longest_step_; }

protected:
    /// J and M at the present point, unless they are there already.
    [[nodiscard]] bool evaluate_jacobian();
    void advance();
    /// ∂F/∂t at (t, x, dx) where F = `residual`, by a one-sided difference of fourth order into the step of size h:
    /// behind t there may be a discontinuity. False if F is not defined there.
    [[nodiscard]] bool time_derivative(double t, const double* x, const double* dx, const double* residual, double h,
                                       double* result);

    /// For methods whose continuous output the error test does not see: judges that of the step just accepted by what
    /// it leaves of F, with the matrix of that step, and limits the next one. `tightening`: of the tolerance of norm_.
    void judge_between(double tightening);

    JacobianValues jacobian_;
    ShiftedMatrix<double> matrix_;
    double shift_ = 0;              ///< σ of the factorised matrix, 0: none
    int marked_revision_ = -1;      ///< links for which differential_ was found
    bool jacobian_current_ = false; ///< evaluated at t_, x_
    bool stated_ = false;           ///< the method differences the quantity, if there is one

private:
    std::vector<double> later_;
    std::vector<double> x_between_, dx_between_;
    double longest_step_ = std::numeric_limits<double>::infinity();
};

} // namespace daedalus::integrate
