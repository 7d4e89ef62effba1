// What happens at an event: everything but the states follows the new branches, branches that this decides follow in
// turn, and clauses act, which may change both; until nothing changes. Behind it the method begins anew or goes on.
//
// Where the branches have no point next to the one before, others are looked for (consistent_jump, hand_over), and
// where the equations are singular at the event itself, a point a little later (singular_passage).
#pragma once

#include "integrate/choice_of_states.hpp"
#include "integrate/consistent_jump.hpp"
#include "integrate/event_watch.hpp"
#include "integrate/hand_over.hpp"
#include "integrate/integration_result.hpp"
#include "integrate/participant.hpp"
#include "integrate/singular_passage.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class EventIteration final : public Participant {
public:
    EventIteration(Run& run, ChoiceOfStates& states);
    [[nodiscard]] std::string_view name() const override { return "events"; }
    void forget(Run& run) override;
    void save(const Run& run, Checkpoint& c) const override;
    void load(Run& run, const Checkpoint& c) override;

    /// What happens at the start itself.
    [[nodiscard]] Flow at_start();
    /// The event that the root finder has located, with the run's point there, in a step that began at t_before.
    [[nodiscard]] Flow at_root(double t_before);
    /// A known discontinuity at t_jump, where the stepper has come to.
    [[nodiscard]] Flow at_discontinuity(double t_jump);
    /// The end of a run that has reached it: clauses that wait for it act.
    [[nodiscard]] Flow at_end(Outcome outcome);
    /// From the stepper's point, which no step leads away from, to one behind a singular point. Nothing: there is none.
    [[nodiscard]] std::optional<Flow> leave_singular_point();

    [[nodiscard]] EventWatch& watch() { return watch_; }
    /// Conditions of the last event.
    [[nodiscard]] const std::vector<int>& conditions() const { return conditions_; }

private:
    using Values = std::vector<std::pair<int, double>>; ///< that clauses gave to unknowns
    enum class Pass { again, over, end };
    [[nodiscard]] Flow iterate(double& t, double time_scale);
    [[nodiscard]] Pass follow_branches(double& t, double time_scale, const Values& given);
    [[nodiscard]] Pass let_clauses_act(double t, Values& given);
    [[nodiscard]] bool settle_branches(double t);
    [[nodiscard]] bool settle_on_the_way(double t);
    void watch_cycles();
    enum class Jump { none, made, impossible };
    [[nodiscard]] Jump jump(double t, double time_scale, bool reached);
    [[nodiscard]] Flow fail_before(FailureReport report, double t);

    void remember_point(double t);
    [[nodiscard]] bool same_equations(double t) const;
    [[nodiscard]] bool smooth_there(double h) const;
    [[nodiscard]] bool turned_back(double t);
    void go_on_behind(double t, const MethodMemory& memory);

    [[nodiscard]] std::optional<Flow> pass_singular_point(double& t, bool steep_only);
    [[nodiscard]] Flow deliver_passage(const SingularPassage& passage, double t_before);

    Run& run_;
    ChoiceOfStates& states_;
    HandOver hand_over_;
    EventWatch watch_;
    std::vector<int> conditions_;
    std::vector<int> turned_; ///< functions located last, with their directions,
    std::vector<int> turned_direction_;
    double turned_at_ = 0.0;                     ///< when, and
    int returns_ = 0;                            ///< how often in a row they have come back
    BranchPoint before_;                         ///< the point on the branches before the present event
    std::vector<double> residual_before_;        ///< of F there, where the index is higher than 1
    std::vector<std::vector<signed char>> seen_; ///< branches at the present event, since clauses acted
    bool one_by_one_ = false;                    ///< they have come back
    BranchPoint left_;                           ///< the point before it moved onto the present branches
    bool acted_ = false;                         ///< clauses changed states or held values at the present event
    bool ends_ = false;                          ///< the model asked for the end there
};

} // namespace daedalus::integrate
