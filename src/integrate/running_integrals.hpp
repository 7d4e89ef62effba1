// Integrals along the solution, q' = f(t, x, x'), which nothing else depends on: computed from the continuous output of
// each accepted step, without rows and columns in the linear algebra.
//
// The rule is the pair of Gauss (3 points, degree 5) and Kronrod (7 points, degree 11) (Kronrod 1965). Where the two
// differ by more than a tenth of the tolerance the interval is halved; the solution itself is as accurate between the
// ends of a step as the tolerance says, and that bounds what remains.
#pragma once

#include "integrate/observer.hpp"
#include "integrate/options.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class RunningIntegrals {
public:
    RunningIntegrals(const problem::ImplicitProblem& problem, const Tolerance& tolerance);

    [[nodiscard]] bool empty() const { return q_.empty(); }
    [[nodiscard]] std::span<const double> values() const { return q_; }
    void set(std::span<const double> values) { q_.assign(values.begin(), values.end()); }

    /// Over the whole of a step, or up to the event that ends it. False: an integrand has no value
    /// or no integral there.
    [[nodiscard]] bool advance(const Interpolant& step);
    /// Inside the step that advance() will take; times in the order of integration are cheapest.
    void at(const Interpolant& step, double t, double* q) const;
    [[nodiscard]] long evaluations() const { return evaluations_; }

private:
    /// False: halving does not help, by more than the tolerance.
    bool integrate(const Interpolant& step, double a, double b, std::vector<double>& sum) const;
    bool rule(const Interpolant& step, double a, double b, std::vector<double>& sum) const;

    const problem::ImplicitProblem& problem_;
    double relative_, absolute_;
    std::vector<double> q_;
    mutable std::vector<double> x_, dx_, rate_, gauss_, kronrod_, part_, partial_q_;
    mutable double partial_from_ = 0.0, partial_t_ = 0.0; ///< how far at() has come in the present step
    mutable bool partial_ = false;
    mutable double unresolved_ = 0.0; ///< difference of the pair in the last application, in tolerances
    mutable long evaluations_ = 0;
};

} // namespace daedalus::integrate
