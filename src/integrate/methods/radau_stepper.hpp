// What Radau steppers of any number of stages share: the point reached, the last two accepted steps, and the
// collocation polynomial of the last one. A stepper of other order takes it over and goes on without a restart.
#pragma once

#include "integrate/iteration_matrix.hpp"
#include "integrate/noise_floors.hpp"
#include "integrate/stepper.hpp"

namespace daedalus::integrate {

class RadauStepper : public Stepper {
public:
    RadauStepper(const problem::ImplicitProblem& problem, int stages);

    double t() const override { return t_; }
    std::span<const double> x() const override { return x_; }
    std::span<const double> dx() const override { return dx_; }
    const double* latest_jacobian() const override { return jacobian_.jx.data(); }
    int order() const override { return 2 * stages_ - 1; }
    /// The collocation polynomial has errors there that the ends have not: those of stiff components, which follow the
    /// others only at the stages. A quarter of the tolerance needs no correction.
    int degree() const override { return stages_; }
    std::span<const NoiseFloor> noise() const override { return noise_.list(); }
    void magnified(double factor) override { magnified_ = factor; }

    [[nodiscard]] int stages() const { return stages_; }
    /// Geometric mean of Newton's rates Θ in the last attempt; 0 if one iteration sufficed.
    [[nodiscard]] double rate() const { return rate_; }
    /// The point, its past and the Jacobian of a stepper with another number of stages, whose last step was accepted.
    virtual void take_over(const RadauStepper& other);
    /// z = u(t_before + θ h) - x_before, where u is the collocation polynomial of the last accepted step.
    virtual void collocation(double theta, double* z) const = 0;

protected:
    const problem::ImplicitProblem& problem_;
    const int stages_;
    const std::size_t n_;
    JacobianValues jacobian_;
    double t_ = 0, t_before_ = 0, t_older_ = 0;
    double h_old_ = 0;                         ///< size of the last accepted step, whose stages are Z_old_
    std::vector<double> x_, dx_;               ///< at t_
    std::vector<double> x_before_, dx_before_; ///< at the start of the last accepted step
    std::vector<double> x_older_, dx_older_;   ///< at the start of the step before
    std::vector<double> Z_old_;
    std::vector<char> differential_; ///< x'_k occurs in F
    int marked_revision_ = -1;       ///< links for which differential_ was found
    int revision_ = -1;              ///< links for which the matrices were made
    int history_ = 0;                ///< accepted steps since start
    int smooth_steps_ = 0;           ///< accepted steps since start with the present links
    bool jacobian_current_ = false;  ///< evaluated at t_, x_
    bool need_jacobian_ = true;
    double rate_ = 0;
    NoiseFloors noise_;
    double magnified_ = 1;    ///< errors of what follows over those of the unknowns
    double newton_floor_ = 0; ///< corrections smaller than this are noise; in tolerances
};

[[nodiscard]] std::unique_ptr<RadauStepper> make_radau_stepper(const problem::ImplicitProblem& problem,
                                                               const IntegrationOptions& options, int stages);

} // namespace daedalus::integrate
