#include "integrate/methods/radau_stepper.hpp"

namespace daedalus::integrate {

RadauStepper::RadauStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int stages)
    : OneStepPoints(problem, options, tightened(options.tolerance, tightening_of_radau(stages), problem)),
      stages_(stages), jacobian_(problem), revision_(problem.revision()) {
    Z_old_.resize(static_cast<std::size_t>(stages) * n_);
}

void RadauStepper::take_over(const RadauStepper& other) {
    if (revision_ != problem_.revision()) links_changed();
    counters_ = other.counters_;
    noise_ = other.noise_;
    newton_floor_ = other.newton_floor_;
    magnified_ = other.magnified_;
    jacobian_ = other.jacobian_;
    t_ = other.t_;
    t_before_ = other.t_before_;
    t_older_ = other.t_older_;
    h_old_ = other.h_old_;
    x_ = other.x_;
    quantity_ = other.quantity_;
    dx_ = other.dx_;
    x_before_ = other.x_before_;
    dx_before_ = other.dx_before_;
    x_older_ = other.x_older_;
    dx_older_ = other.dx_older_;
    differential_ = other.differential_;
    marked_revision_ = other.marked_revision_;
    history_ = other.history_;
    smooth_steps_ = other.smooth_steps_;
    jacobian_current_ = other.jacobian_current_;
    need_jacobian_ = other.need_jacobian_;
}

} // namespace daedalus::integrate
