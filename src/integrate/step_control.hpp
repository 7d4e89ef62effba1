// The size of the next step, wherever it is decided: at a start, after acceptance, after refusal.
//
// How errors turn into a size is the method's business (controller.hpp; Attempt::next_h). What is added here holds for
// all methods: limits, the rounding of the clock, steps that were cut to a stop, and the end of all patience.
#pragma once

#include "integrate/interval.hpp"
#include "integrate/options.hpp"
#include "integrate/stepper.hpp"

namespace daedalus::integrate {

class StepControl {
public:
    StepControl(const IntegrationOptions& options, const Interval& interval) : options_(options), interval_(interval) {}

    /// The size wanted next, signed, before it is cut to a stop.
    [[nodiscard]] double wanted() const { return h_; }
    /// Refusals since the last accepted step.
    [[nodiscard]] int refusals() const { return refusals_; }
    /// Below this a step at t is given up.
    [[nodiscard]] double smallest(double t) const;
    /// Whether refusals have gone on until nothing can be hoped for from smaller steps.
    [[nodiscard]] bool hopeless(double t) const;

    /// The least size of a step chosen behind an event, where a step before it had the size wanted(): for methods
    /// without a past; `room` to the next stop.
    [[nodiscard]] double after_event(double room) const;
    /// A method begins at t with a step of this size, within the limits.
    void first(double t, double size);
    /// A step of size h was accepted; continuous output will do up to the size `longest`. Returns the refusals before
    /// it.
    int after_acceptance(const Attempt& attempt, double h, double longest);
    /// A step was refused, with what to try next.
    void after_rejection(const Attempt& attempt);
    /// Refusals up to here tell nothing about what follows; how many they were.
    int forget_refusals();

    /// What to try after a step of size h that left the domain of the equations or the bounds of an unknown.
    [[nodiscard]] static double after_leaving_domain(double h);
    /// … or whose error, estimated to this order, was `error` tolerances.
    [[nodiscard]] static double by_error(double h, double error, int order);

private:
    const IntegrationOptions& options_;
    Interval interval_;
    double h_ = 0.0;
    int refusals_ = 0;
};

} // namespace daedalus::integrate
