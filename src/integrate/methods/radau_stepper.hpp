// What Radau steppers of any number of stages share besides the points of a one-step method: the collocation polynomial
// of the last step. A stepper of other order takes it over and goes on without a restart.
#pragma once

#include "integrate/methods/one_step.hpp"

namespace daedalus::integrate {

class RadauStepper : public OneStepPoints {
public:
    RadauStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int stages);

    const double* latest_jacobian() const override { return jacobian_.jx.data(); }
    int order() const override { return 2 * stages_ - 1; }
    /// The collocation polynomial has errors there that the ends have not: those of stiff components, which follow the
    /// others only at the stages. A quarter of the tolerance needs no correction.
    int degree() const override { return stages_; }
    void magnified(double factor) override { magnified_ = factor; }

    [[nodiscard]] int stages() const { return stages_; }
    /// Geometric mean of Newton's rates Θ in the last attempt; 0 if one iteration sufficed.
    [[nodiscard]] double rate() const { return rate_; }
    /// The point, its past and the Jacobian of a stepper with another number of stages, whose last step was accepted.
    virtual void take_over(const RadauStepper& other);
    /// z = u(t_before + θ h) - x_before, where u is the collocation polynomial of the last accepted step.
    virtual void collocation(double theta, double* z) const = 0;

protected:
    const int stages_;
    JacobianValues jacobian_;
    double h_old_ = 0; ///< size of the last accepted step, whose stages are Z_old_
    std::vector<double> Z_old_;
    int marked_revision_ = -1;      ///< links for which differential_ was found
    int revision_ = -1;             ///< links for which the matrices were made
    bool jacobian_current_ = false; ///< evaluated at t_, x_
    bool need_jacobian_ = true;
    double rate_ = 0;
    double magnified_ = 1;    ///< errors of what follows over those of the unknowns
    double newton_floor_ = 0; ///< corrections smaller than this are noise; in tolerances
};

[[nodiscard]] std::unique_ptr<RadauStepper> make_radau_stepper(const problem::ImplicitProblem& problem,
                                                               const IntegrationOptions& options, int stages);

} // namespace daedalus::integrate
