// What methods for mechanisms share: positions, velocities, accelerations and multipliers at the ends of the last step,
// and values between them.
#pragma once

#include "integrate/mechanism.hpp"
#include "integrate/methods/one_step.hpp"

namespace daedalus::integrate {

/// y, v, v' and λ.
struct MotionPoint {
    std::vector<double> y, v, a, lambda;
    explicit MotionPoint(const Mechanism& m)
        : y(m.positions()), v(m.velocities()), a(m.velocities()), lambda(m.constraints()) {}
};

class MechanicalPoints : public OneStepPoints {
public:
    /// Constraints that points between the ends of a step are returned to, as the ends are on them.
    enum class Between { velocities, positions_and_velocities };
    MechanicalPoints(const problem::ImplicitProblem& problem, const IntegrationOptions& options, Between between,
                     const Tolerance& tolerance_of_estimate);

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override;
    void correct(std::span<const double> x, std::span<const double> dx) override;
    void accept() override;
    /// Quintics through y, y', y'' of both ends where velocities are the derivatives of positions, cubics else; the
    /// rest follows from the equations of motion.
    void interpolate(double time, double* x, double* dx) const override;
    int degree() const override { return 5; }
    bool keeps_states() const override { return true; }
    const double* latest_jacobian() const override { return nullptr; }
    Trial trial() const override { return {t_new_, 0.0, x_new_, dx_new_, error_, norm_.weights()}; }

protected:
    /// Accelerations and multipliers at the end of the step, and the whole of x and x' from them. False: singular.
    [[nodiscard]] bool complete(double t);
    /// Positions and velocities between the ends of the last step, before they return to constraints.
    virtual void polynomial(double time, MotionPoint& at) const;
    /// y and v at a share s of the last step, and v' of the polynomial.
    void quintic(double s, MotionPoint& at, std::vector<double>* slope) const;
    void count_work() { counters_.add_work(mechanism_.take_counters()); }

    mutable Mechanism mechanism_;
    MotionPoint here_, next_, before_;

private:
    Between constraints_between_;
    mutable MotionPoint between_;
    mutable std::vector<double> whole_; ///< x and x' of a point between
};

} // namespace daedalus::integrate
