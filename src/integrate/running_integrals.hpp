// Integrals along the solution, q' = f(t, x, x'), which nothing else depends on: computed from the continuous output of
// each accepted step, without rows and columns in the linear algebra.
//
// The rule is the pair of Gauss (3 points, degree 5) and Kronrod (7 points, degree 11) (Kronrod 1965). Where the two
// differ by more than a tenth of the tolerance the interval is halved; the states themselves are as accurate between
// the ends of a step as the tolerance says, and that bounds what remains.
//
// Their difference is a multiple of the coefficient of degree 6 of the polynomial through the seven values. That of an
// integrand which oscillates within the interval vanishes for some frequencies, whatever the phase; coefficients of
// degree 5 and 4 do so for others. Further null rules (Berntsen & Espelid 1991) tell them: all have to be small.
//
// What is not a state may vary as fast as time does, and no error test sees that between the ends of steps. Where it
// differs from the step's polynomial by anything that counts, it is taken from the equations at every node.
#pragma once

#include "integrate/observer.hpp"
#include "integrate/options.hpp"
#include "integrate/participant.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class RunningIntegrals final : public Participant {
public:
    RunningIntegrals(const problem::ImplicitProblem& problem, const Tolerance& tolerance);

    [[nodiscard]] std::string_view name() const override { return "running integrals"; }
    [[nodiscard]] Flow delivered(Run& run, const AcceptedStep& step) override;
    void save(const Run& run, Checkpoint& c) const override;
    void load(Run& run, const Checkpoint& c) override;

    [[nodiscard]] bool empty() const { return q_.empty(); }
    [[nodiscard]] std::span<const double> values() const { return q_; }
    void set(std::span<const double> values) { q_.assign(values.begin(), values.end()); }

    /// Over the whole of a step, or up to the event that ends it. False: an integrand has no value
    /// or no integral there, or it varies too fast.
    [[nodiscard]] bool advance(const Interpolant& step);
    /// Inside the step that advance() will take; times in the order of integration are cheapest.
    void at(const Interpolant& step, double t, double* q) const;
    [[nodiscard]] long evaluations() const { return evaluations_; }

private:
    /// False: halving does not help, by more than the tolerance, or helps too little.
    bool integrate(const Interpolant& step, double a, double b, std::vector<double>& sum) const;
    bool integrate_pieces(const Interpolant& step, double a, double b, double share, int& halvings) const;
    bool rule(const Interpolant& step, double a, double b, double share) const;
    void rates_at(const Interpolant& step, double t) const;
    [[nodiscard]] double weight(std::size_t k, double change) const;
    [[nodiscard]] bool mentions_only_states() const;
    void look_between(const Interpolant& step) const;

    const problem::ImplicitProblem& problem_;
    double relative_, absolute_;
    std::vector<double> q_;
    mutable std::vector<double> x_, dx_, rate_, sixth_, fifth_, fourth_, kronrod_, size_, error_, part_, errors_,
        partial_q_;
    mutable double partial_from_ = 0.0, partial_t_ = 0.0; ///< how far at() has come in the present step
    mutable bool partial_ = false;
    mutable bool lost_ = false;                            ///< at() has found no integral: advance() tells
    mutable double unresolved_ = 0.0;                      ///< null rules in the last application, in tolerances
    mutable bool from_states_ = true;                      ///< rates depend on states and time only …
    mutable int revision_ = -1;                            ///< … with the links of this revision
    mutable bool from_polynomial_ = true;                  ///< other unknowns follow the polynomial well enough …
    mutable double looked_begin_ = 0.0, looked_end_ = 0.0; ///< … in this step
    mutable long evaluations_ = 0;
};

} // namespace daedalus::integrate
