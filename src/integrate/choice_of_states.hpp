// Which of the unknowns are states: chosen at the start, and again where the choice has become poor (state_selection).
#pragma once

#include "integrate/participant.hpp"
#include "integrate/state_selection.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::integrate {

class ChoiceOfStates final : public Participant {
public:
    explicit ChoiceOfStates(Run& run) { forget(run); }
    [[nodiscard]] std::string_view name() const override { return "choice of states"; }

    void begin(Run& run) override;
    void started(Run& run) override;
    [[nodiscard]] Flow settled(Run& run) override { return look(run, false); }
    void forget(Run& run) override;

    /// Steps are refused: a bad choice shows as a singular or ill-conditioned iteration matrix.
    [[nodiscard]] Flow doubt(Run& run) { return look(run, true); }
    /// Makes states of unknowns that an event at t has set, so that the others follow them. Where they cannot all be,
    /// those that determine the rest best are.
    void lead(Run& run, std::span<const int> unknowns, double t);

private:
    [[nodiscard]] Flow look(Run& run, bool forced);
    [[nodiscard]] const double* jacobian(Run& run, double t, std::span<const double> x, std::span<const double> dx);
    void exchange(Run& run, double t);

    std::unique_ptr<StateSelection> selection_;
    std::vector<double> jx_, jdx_;
    long jacobians_seen_ = 0; ///< of the stepper's
    long last_look_ = 0;      ///< after so many of its steps
    int interval_ = 1;        ///< accepted steps from one look to the next
};

} // namespace daedalus::integrate
