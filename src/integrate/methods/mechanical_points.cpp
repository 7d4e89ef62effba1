#include "integrate/methods/mechanical_points.hpp"

#include <algorithm>

namespace daedalus::integrate {

MechanicalPoints::MechanicalPoints(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                   Between between, const Tolerance& tolerance_of_estimate)
    : OneStepPoints(problem, options, tolerance_of_estimate), mechanism_(problem, options.linear_solver),
      here_(mechanism_), next_(mechanism_), before_(mechanism_), constraints_between_(between), between_(mechanism_),
      whole_(2 * n_) {
    for (std::size_t k = 0; k < n_; ++k) differential_[k] = problem.unknowns()[k].differential ? 1 : 0;
}

void MechanicalPoints::start(double t, std::span<const double> x, std::span<const double> dx, double h) {
    OneStepPoints::start(t, x, dx, h);
    mechanism_.gather(x.data(), dx.data(), here_.y.data(), here_.v.data(), here_.a.data(), here_.lambda.data());
    // Multipliers of the equations as written may be other than those of the point: they follow from it.
    (void)mechanism_.accelerations(t, here_.y.data(), here_.v.data(), here_.a.data(), here_.lambda.data());
    before_ = here_;
}

void MechanicalPoints::correct(std::span<const double> x, std::span<const double> dx) {
    OneStepPoints::correct(x, dx);
    mechanism_.gather(x.data(), dx.data(), here_.y.data(), here_.v.data(), here_.a.data(), here_.lambda.data());
    (void)mechanism_.accelerations(t_, here_.y.data(), here_.v.data(), here_.a.data(), here_.lambda.data());
    (void)mechanism_.expand(t_, here_.y.data(), here_.v.data(), here_.a.data(), here_.lambda.data(), x_.data(),
                            dx_.data());
}

bool MechanicalPoints::complete(double t) {
    return mechanism_.accelerations(t, next_.y.data(), next_.v.data(), next_.a.data(), next_.lambda.data()) &&
           mechanism_.expand(t, next_.y.data(), next_.v.data(), next_.a.data(), next_.lambda.data(), x_new_.data(),
                             dx_new_.data());
}

void MechanicalPoints::accept() {
    advance();
    std::swap(before_, here_);
    here_ = next_;
}

/// y(s) = y0 + h v0 s + h² a0 s²/2 + s³ (c3 + c4 s + c5 s²), from y, y', y'' at s = 1.
void MechanicalPoints::quintic(double s, MotionPoint& at, std::vector<double>* slope) const {
    const double h = t_ - t_before_;
    for (std::size_t i = 0; i < at.y.size(); ++i) {
        const double y0 = before_.y[i], v0 = h * before_.v[i], a0 = 0.5 * h * h * before_.a[i];
        const double d = here_.y[i] - y0 - v0 - a0, e = h * here_.v[i] - v0 - 2 * a0, f = 0.5 * h * h * here_.a[i] - a0;
        const double c3 = 10 * d - 4 * e + f, c4 = -15 * d + 7 * e - 2 * f, c5 = 6 * d - 3 * e + f;
        at.y[i] = y0 + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5))));
        at.v[i] = (v0 + s * (2 * a0 + s * (3 * c3 + s * (4 * c4 + 5 * s * c5)))) / h;
        if (slope != nullptr) (*slope)[i] = (2 * a0 + s * (6 * c3 + s * (12 * c4 + 20 * s * c5))) / (h * h);
    }
}

void MechanicalPoints::polynomial(double time, MotionPoint& at) const {
    if (mechanism_.parts().identity_kinematics) return quintic((time - t_before_) / (t_ - t_before_), at, nullptr);
    hermite(time, true, whole_.data(), whole_.data() + n_);
    mechanism_.gather(whole_.data(), whole_.data() + n_, at.y.data(), at.v.data(), at.a.data(), at.lambda.data());
}

void MechanicalPoints::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    MotionPoint& at = between_;
    polynomial(time, at);
    if (constraints_between_ == Between::positions_and_velocities)
        (void)mechanism_.project_positions(time, at.y.data());
    (void)mechanism_.project_velocities(time, at.y.data(), at.v.data());
    if (!mechanism_.accelerations(time, at.y.data(), at.v.data(), at.a.data(), at.lambda.data()) ||
        !mechanism_.expand(time, at.y.data(), at.v.data(), at.a.data(), at.lambda.data(), x, dx))
        hermite(time, false, x, dx);
}

} // namespace daedalus::integrate
