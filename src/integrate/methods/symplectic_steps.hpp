// What symplectic methods share: constant steps, made of steps of a symmetric method where their order is higher, from
// (q, v) to itself; stages solved to round-off, since errors of their solution would add up to a trend of the energy.
#pragma once

#include "integrate/methods/composition.hpp"
#include "integrate/methods/mechanical_points.hpp"
#include "nonlinear/newton.hpp"

#include <limits>

namespace daedalus::integrate {

class SymplecticSteps : public MechanicalPoints {
public:
    /// `order` of the composition: 4 or 6; else there is none.
    SymplecticSteps(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int order)
        : MechanicalPoints(problem, options, Between::positions_and_velocities, options.tolerance),
          q_(mechanism_.positions()), v_(mechanism_.velocities()), g_(mechanism_.constraints()),
          right_(mechanism_.velocities() + mechanism_.constraints()), parts_(composition(order)) {}

    [[nodiscard]] Attempt attempt(double h, double t_new) override {
        h_ = h;
        t_new_ = t_new;
        norm_.set_weights(x_.data(), h);
        q_ = here_.y;
        v_ = first_velocity();
        StepStatus status = StepStatus::ok;
        for (const double part : parts_)
            if (status = advance_by(part * h); status != StepStatus::ok) break;
        next_.y = q_;
        next_.v = v_;
        if (status == StepStatus::ok && !complete(t_new_)) status = StepStatus::singular_matrix;
        count_work();
        return {status, 0.0, status == StepStatus::ok ? h : 0.5 * h};
    }

protected:
    /// From (q_, v_) to itself.
    [[nodiscard]] virtual StepStatus advance_by(double h) = 0;
    [[nodiscard]] virtual const std::vector<double>& first_velocity() const { return here_.v; }

    /// With the factors at hand, which serve all iterations.
    template <class Equation>
    [[nodiscard]] StepStatus solve_to_round_off(Equation& equation) {
        constexpr double eps = std::numeric_limits<double>::epsilon();
        nonlinear::NewtonOptions options;
        options.max_iterations = 100;
        options.kappa = 0.5 * eps;
        options.smallest_eta = 1.0;
        options.stagnation_level = 1e-12; // corrections that no longer shrink below this are round-off
        nonlinear::ConvergenceMonitor monitor;
        const nonlinear::NewtonResult result = nonlinear::newton(equation, monitor, options, 0.5 * eps);
        counters_.newton_iterations += result.iterations;
        if (result.status == nonlinear::NewtonStatus::not_finite) return StepStatus::not_finite;
        const bool solved = result.usable() || result.last_norm < options.stagnation_level;
        return solved ? StepStatus::ok : StepStatus::newton_failed;
    }

    std::vector<double> q_, v_, g_, right_;

private:
    std::vector<double> parts_;
};

} // namespace daedalus::integrate
