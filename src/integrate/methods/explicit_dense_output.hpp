// The inside of a step of an explicit Runge–Kutta method: states from the method's dense output; everything else from a
// polynomial through solutions of F = 0 at Chebyshev points inside the step.
#pragma once

#include "integrate/consistent_output.hpp"
#include "integrate/methods/stage_extrapolation.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::integrate {

/// A complete step. z: x' of differential, x of algebraic unknowns (local_system.hpp), one block per stage; there is
/// room for the extra stages.
struct ExplicitStep {
    double t_before, t;
    std::span<const double> x_before, x;
    std::span<double> z;
};

class ExplicitDenseOutput {
public:
    ExplicitDenseOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                        const tableau::ExplicitRungeKutta& method, const StageExtrapolation& extrapolation);

    void links_changed() { consistent_.links_changed(); }
    /// `links` tell x' of some of the differential unknowns.
    void prepare(const ExplicitStep& step, const std::vector<char>& differential,
                 const std::vector<problem::Link>& links);
    void evaluate(double time, double* x, double* dx) const;
    [[nodiscard]] const Counters& counters() const { return consistent_.counters(); }

private:
    void states(double theta, double* x, double* dx) const;

    const tableau::ExplicitRungeKutta& method_;
    const StageExtrapolation& extrapolation_;
    ConsistentOutput consistent_;
    std::size_t n_;
    double t_before_ = 0.0, h_ = 0.0;
    std::vector<char> differential_;
    std::vector<double> start_;   ///< x at the beginning
    std::vector<double> F_;       ///< F_0, F_1, …
    std::vector<double> nodes_;   ///< θ at which F = 0 was solved, ends included; empty: no algebraic unknowns
    std::vector<double> z_nodes_; ///< z there
};

} // namespace daedalus::integrate
