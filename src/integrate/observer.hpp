// What an integration tells while it runs: every accepted step with its continuous output, and events.
#pragma once

#include "integrate/consistent_output.hpp"
#include "integrate/doubtful_point.hpp"
#include "integrate/kept_step.hpp"
#include "integrate/stepper.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::integrate {

class RunningIntegrals;

/// The solution inside one accepted step.
class Interpolant {
public:
    Interpolant(const ContinuousOutput& output, ConsistentOutput& consistent, double begin, double end,
                const RunningIntegrals* integrals = nullptr)
        : output_(output), consistent_(consistent), begin_(begin), end_(end), integrals_(integrals) {}
    [[nodiscard]] double begin() const { return begin_; }
    [[nodiscard]] double end() const { return end_; }
    /// That of refine_interpolated(); 0: the states are kept.
    [[nodiscard]] int degree() const { return output_.keeps_states() ? 0 : output_.degree(); }
    /// See ContinuousOutput.
    [[nodiscard]] std::unique_ptr<const KeptStep> keep() const { return output_.keep(); }
    /// x and x' from the method's polynomial.
    void evaluate(double t, double* x, double* dx) const { output_.interpolate(t, x, dx); }
    /// The same with the algebraic unknowns solved again from the states, so that all constraints hold to round-off.
    /// Falls back on evaluate() (and returns false) where that is impossible.
    /// Accuracy as for ConsistentOutput::refine.
    bool evaluate_consistent(double t, double* x, double* dx, double accuracy = 0.0) const;

    /// The same for a single point, as a sample: with what matrix there is, also of an earlier step if `any_matrix`,
    /// and without the method's polynomial of what is solved for anyway.
    bool evaluate_once(double t, double* x, double* dx, bool any_matrix) const;

    /// The same with the states as they are interpolated, also stiff ones: for events, which are zeros along them.
    void evaluate_with_states(double t, double* x, double* dx) const {
        evaluate(t, x, dx);
        matrix_kept_ = consistent_.refine(t, end_ - begin_, x, dx, matrix_kept_);
    }

    /// Solves for the algebraic unknowns of a point at t, with a matrix that may belong to an earlier step.
    bool follow_states(double t, double* x, double* dx, double accuracy = 0.0) const {
        const bool done = consistent_.refine(t, end_ - begin_, x, dx, true, accuracy);
        matrix_kept_ = matrix_kept_ && done;
        return done;
    }

    /// The worst of all points so far.
    [[nodiscard]] const DoubtfulPoint& doubtful() const;

    /// The problem's quadratures at t.
    void integrals(double t, double* q) const;

private:
    [[nodiscard]] bool find_consistent(double t, double* x, double* dx, double accuracy) const;
    [[nodiscard]] bool evaluate_with_difficulty(double t, double* x, double* dx, double accuracy) const;
    void choose(double t, double* x, double* dx) const;
    [[nodiscard]] double noise(const double* x, const double* dx) const;
    [[nodiscard]] double shift() const;
    void look_along_step() const;

    const ContinuousOutput& output_;
    ConsistentOutput& consistent_;
    double begin_, end_;
    const RunningIntegrals* integrals_;
    mutable bool matrix_kept_ = false; ///< the refinement matrix belongs to this step
    /// The last point that was not found from the polynomial.
    mutable struct {
        std::vector<double> x = {}, dx = {};
    } neighbour_;
};

struct AcceptedStep {
    double t_before, t; ///< t is the located root when the step ends at an event
    double h;           ///< size of the method's step, longer than t - t_before at an event
    int order;
    double error; ///< weighted norm; 1 = at tolerance
    int rejected; ///< attempts that failed before this one
    std::span<const double> x, dx;
    const Interpolant& interpolant;
    long restarts = 0; ///< so far; another number than before: the equations may be others since
};

/// A zero of root functions, located; x and dx may be changed and are made consistent afterwards.
struct EventPoint {
    double t;
    std::span<const int> roots;     ///< which root functions vanish here
    std::span<const int> direction; ///< +1 rising, -1 falling (in the direction of integration), one per entry of roots
    std::span<double> x, dx;
};

enum class Action { proceed, stop };

class Observer {
public:
    virtual ~Observer() = default;
    virtual void begin(double /*t*/, std::span<const double> /*x*/, std::span<const double> /*dx*/) {}
    virtual Action step(const AcceptedStep&) { return Action::proceed; }
    virtual Action event(const EventPoint&) { return Action::proceed; }
    /// The end of the run was an event itself: the point behind it.
    virtual void end(double /*t*/, std::span<const double> /*x*/, std::span<const double> /*dx*/) {}
};

} // namespace daedalus::integrate
