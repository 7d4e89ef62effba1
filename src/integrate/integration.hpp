// From a consistent start to the end time: the one loop that all methods run in, one step at a time or at once.
#pragma once

#include "integrate/anchors.hpp"
#include "integrate/bounds.hpp"
#include "integrate/chattering_watch.hpp"
#include "integrate/choice_of_states.hpp"
#include "integrate/delayed_values.hpp"
#include "integrate/dependent_errors.hpp"
#include "integrate/event_iteration.hpp"
#include "integrate/features_ahead.hpp"
#include "integrate/integration_result.hpp"
#include "integrate/moments.hpp"
#include "integrate/orientation_watch.hpp"
#include "integrate/rescue.hpp"
#include "integrate/run.hpp"
#include "integrate/step_statistics.hpp"
#include "integrate/stiffness_watch.hpp"
#include "integrate/transported_values.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace daedalus::integrate {

/// begin(), step() until it returns false, finish(). Problem, options, observer and `reconsider` are kept by reference.
class Integration {
public:
    /// From t0 to t1 (t1 < t0: backward). The problem's links may be exchanged on the way.
    Integration(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
                const IntegrationOptions& options, Observer& observer, const Reconsider& reconsider = no_change);
    Integration(const Integration&) = delete;
    Integration& operator=(const Integration&) = delete;

    /// x0, dx0 must satisfy F(t0, x0, dx0) = 0; derivatives of algebraic unknowns are improved where possible.
    void begin(std::span<const double> x0, std::span<const double> dx0);
    /// Goes on where another integration with the same problem, method and options was saved.
    void begin(const Checkpoint& from);
    /// One attempt, with all that follows from its acceptance or refusal. False: the run is over.
    bool step();
    [[nodiscard]] bool over() const { return run_.over; }
    /// How it ended; a run that is not over is stopped.
    [[nodiscard]] IntegrationResult finish();

    /// Between steps: a further time that is reached exactly. Those that are not ahead are ignored.
    void stop_at(double t) { run_.stops.add(t, this->t()); }
    /// The point reached.
    [[nodiscard]] double t() const { return run_.stepper->t(); }
    [[nodiscard]] std::span<const double> x() const { return run_.stepper->x(); }
    [[nodiscard]] std::span<const double> dx() const { return run_.stepper->dx(); }
    /// The solution inside the last accepted step, until the next call of step(). None where the method has begun anew
    /// behind it: events are seen by the observer only.
    [[nodiscard]] std::optional<Interpolant> last_step() const;
    /// Between steps: everything that a continuation needs.
    [[nodiscard]] Checkpoint save() const { return run_.save(); }

    /// For experiments: goes on without the participant of this name. False: there is none.
    bool leave_out(std::string_view name);

private:
    static const Reconsider no_change;
    [[nodiscard]] Flow prepare();
    [[nodiscard]] Verdict judge(const Attempt& attempt, double h, double t_new);
    [[nodiscard]] Flow accept(const Attempt& attempt, double h);
    [[nodiscard]] Flow deliver(const Attempt& attempt, double h, int refusals, bool event);
    [[nodiscard]] Flow pass_stops();
    [[nodiscard]] bool project_step();
    [[nodiscard]] Flow fail_clock();
    template <class Ask>
    [[nodiscard]] static Flow ask_all(const std::vector<Participant*>& participants, const Ask& ask);

    Run run_;
    FeaturesAhead ahead_;
    DependentErrors dependents_;
    Bounds bounds_;
    StepStatistics statistics_;
    DelayedValues delayed_;
    TransportedValues transported_;
    OrientationWatch orientation_;
    ChoiceOfStates states_;
    EventIteration events_;
    ChatteringWatch chattering_;
    StiffnessWatch stiffness_;
    Anchors anchors_;
    Moments moments_; ///< of a step, and who is asked then
    Rescue rescue_;
    double t_before_ = 0.0; ///< where the last accepted step began
};

/// The whole run. With options.checkpoint.resume it begins there, and x0, dx0 are ignored.
[[nodiscard]] IntegrationResult integrate(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
                                          std::span<const double> x0, std::span<const double> dx0,
                                          const IntegrationOptions& options, Observer& observer,
                                          const Reconsider& reconsider = {});

} // namespace daedalus::integrate
