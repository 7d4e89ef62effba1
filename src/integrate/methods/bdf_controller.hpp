// Order and size of the next step of a BDF method: the strategy of DASSL (Brenan, Campbell & Petzold 1996, 5.2.3),
// asked after every attempt. What differs from it:
//
//   * Growth waits until the differences have forgotten the last change of size or order. Where an unknown behaves like
//     a derivative of others (multipliers of stiff constraints, nearly index 2), each change makes its error jump.
//   * After a restart the order goes up before the step size does, see `recovering_`.
//   * A history that comes from before an event is doubted until the first accepted step.
//   * Where stability limits the steps, orders above 2 are left (bdf_stability.hpp).
#pragma once

#include "integrate/methods/bdf_errors.hpp"
#include "integrate/methods/bdf_stability.hpp"
#include "integrate/stepper.hpp"

namespace daedalus::integrate {

class BdfController {
public:
    /// Orders from `least` to `most`. Stability is watched at index 1 only: at higher index terms of successive orders
    /// are not in the ratio |hλ|.
    BdfController(int least, int most, bool watches_stability)
        : least_(least), most_(most), watches_stability_(watches_stability) {}

    /// Begins at order 1, without a past.
    void start();
    /// Begins at this order, with as many points behind the present one.
    void start_at(int order);
    /// Until then, terms tell nothing about stability.
    void watch_stability_from(long steps) { stability_.not_before(steps); }
    /// Begins at this order with a past that may be smoother than what follows.
    void go_on_at(int order);

    /// The order of the next attempt.
    [[nodiscard]] int order() const { return order_; }
    /// Order and size of the last accepted step; 0: none.
    [[nodiscard]] int last_order() const { return last_order_; }
    [[nodiscard]] double last_step() const { return last_step_; }

    /// A step of size h to t_new will be attempted.
    void begin(double h, double t_new);

    /// What the history has to do with a size.
    enum class History {
        stays,
        begins_at_kink,   ///< only the present point and its slope are right
        begins_misguided, ///< it has misled three attempts in a row
    };
    struct Plan {
        double h;
        History history = History::stays;
    };
    /// No solution was found, or none that is finite.
    [[nodiscard]] Plan after_failure(double h);
    /// The error test said no.
    [[nodiscard]] Plan after_error(double h, const BdfErrors& errors);
    /// The size of the next step if this one is accepted; `steps` were accepted before.
    [[nodiscard]] Plan after_success(double h, const BdfErrors& errors, long steps);
    /// Constant steps: the order stays.
    void keep_order() { next_order_ = tried_order_; }
    /// The step of size h just attempted was accepted.
    void accept(double h);

private:
    void forget_past();
    /// Whether terms do not fall from order to order: the lower order is better.
    [[nodiscard]] bool lower_is_better(const BdfErrors& errors) const;
    /// The estimate at the order of the next step, which it chooses.
    [[nodiscard]] double choose_order(const BdfErrors& errors, int most, bool lower, bool settled);

    const int least_; ///< below it unknowns of higher index have no accuracy; a starter gives the first points
    const int most_;
    const bool watches_stability_;
    StabilityLimit stability_;

    int order_ = 1;          ///< of the next attempt
    int tried_order_ = 1;    ///< of the last attempt
    int next_order_ = 1;     ///< after its acceptance
    int last_order_ = 0;     ///< of the last accepted step
    double last_step_ = 0.0; ///< its size
    int equal_steps_ = 0;    ///< steps taken with this size and order
    int equal_trial_ = 0;    ///< … with the one being tried
    bool raising_ = true;    ///< starting phase: order and step size go up at every step
    /// After a restart at order 1: low orders show their true error in algebraic components only when the step size
    /// changes (at equal steps the estimate misses a part proportional to h), so the order goes up first, whatever
    /// the estimates at the neighbouring orders say, and the step size only then.
    bool recovering_ = false;
    bool doubtful_ = false;  ///< the past may have been smoother than what follows: no step has shown yet
    int error_failures_ = 0; ///< since the last accepted step
    int hold_ = 0;           ///< accepted steps during which the step size must not grow after a failure
};

} // namespace daedalus::integrate
