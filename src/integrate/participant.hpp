// Those who take part in an integration besides its method: each looks after one thing, in a file of its own, and is
// asked at fixed moments. They are asked in the order of the run's list, and the first that ends the run has the word.
//
//   begin → started → ( before → judge → accepted → delivered → settled )* → finish
//
// Between `delivered` and `settled` lies the event that ends a step, if there is one; `started` comes wherever the
// method begins anew.
#pragma once

#include "integrate/observer.hpp"
#include "integrate/stepper.hpp"

#include <string_view>

namespace daedalus::integrate {

struct Run;           // run.hpp
struct Checkpoint;    // checkpoint.hpp
struct FailureReport; // failure_report.hpp

enum class Flow { proceed, end };

/// An attempt and what participants think of it.
struct Verdict {
    Attempt attempt;
    bool refused = false; ///< for where it leads to, whatever its error is; `attempt.next_h` is what to try next
    [[nodiscard]] bool acceptable() const { return !refused && attempt.acceptable(); }
};

class Participant {
public:
    virtual ~Participant() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// At the start of a run, before its first event.
    virtual void begin(Run&) {}
    /// The method has begun (again) at run.stepper->t().
    virtual void started(Run&) {}
    /// A further step will be attempted.
    [[nodiscard]] virtual Flow before(Run&) { return Flow::proceed; }
    /// An attempt of size h, to t_new, that all before found acceptable: as it is, or with a larger error, or refused.
    [[nodiscard]] virtual Verdict judge(Run&, const Attempt& attempt, double /*h*/, double /*t_new*/) {
        return {attempt};
    }
    /// A step of size h was accepted; its end may still be moved by what the tolerance allows.
    [[nodiscard]] virtual Flow accepted(Run&, double /*h*/) { return Flow::proceed; }
    /// The step was shown to the observer, up to the event that ends it.
    [[nodiscard]] virtual Flow delivered(Run&, const AcceptedStep&) { return Flow::proceed; }
    /// The event at its end, if there was one, is behind.
    [[nodiscard]] virtual Flow settled(Run&) { return Flow::proceed; }
    /// The run is over; its result is still open.
    virtual void finish(Run&) {}

    /// Stepper and its like were made anew: what was learnt from them is void.
    virtual void forget(Run&) {}
    /// What a continuation has to know of this participant; load() comes before the method is started.
    virtual void save(const Run&, Checkpoint&) const {}
    virtual void load(Run&, const Checkpoint&) {}
    /// Steps that this participant refuses have become as small as they can: true if the report says why.
    [[nodiscard]] virtual bool explain(const Run&, FailureReport&) const { return false; }
};

} // namespace daedalus::integrate
