// A step of an explicit Runge–Kutta method for later: its stages. Extra stages, and the polynomial, are found when
// somebody asks for the inside of it (explicit_dense_output).
#pragma once

#include "integrate/kept_step.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

struct KeptExplicitStep final : KeptStep {
    explicit KeptExplicitStep(const tableau::ExplicitRungeKutta& of) : method(of) {}
    std::unique_ptr<StepReader> make_reader(const problem::ImplicitProblem& problem,
                                            const IntegrationOptions& options) const override;
    std::size_t size() const override { return x_before.size() + x.size() + dx.size() + z.size() + weights.size(); }

    const tableau::ExplicitRungeKutta& method;
    double t_before = 0.0, t = 0.0, round_off = 0.0;
    std::vector<double> x_before, x, dx, z, weights;
};

} // namespace daedalus::integrate
