// Bounds min ≤ x_i ≤ max that unknowns are declared to keep.
//
// An accepted point may be off by its tolerance, and where a model is only stable within its bounds (concentrations)
// such an error grows. So a step that leaves a bound by more than the tolerance is refused; a state that left it by
// less is put back onto it (as the constraint handling of CVODES does, Hindmarsh et al. 2005). If the equations
// themselves drive a state out, that is the model's fault and is said.
#pragma once

#include "integrate/options.hpp"
#include "integrate/participant.hpp"

#include <string>
#include <vector>

namespace daedalus::integrate {

class Bounds final : public Participant {
public:
    Bounds(const problem::ImplicitProblem& problem, const IntegrationOptions& options);
    [[nodiscard]] std::string_view name() const override { return "bounds"; }
    [[nodiscard]] Verdict judge(Run& run, const Attempt& attempt, double h, double t_new) override;
    /// Puts states that round-off or a tolerated error took over a bound back onto it.
    [[nodiscard]] Flow accepted(Run& run, double h) override;
    void forget(Run& run) override;
    [[nodiscard]] bool explain(const Run& run, FailureReport& report) const override;

    /// Whether the point that the stepper proposes keeps all bounds up to their tolerances.
    [[nodiscard]] bool admit(const Stepper& stepper);
    /// Whether some state is beyond a bound at all.
    [[nodiscard]] bool outside(std::span<const double> x) const;
    /// Puts states back; true if some were beyond.
    [[nodiscard]] bool clip(std::vector<double>& x);
    /// Whether the slope at clipped states has taken one of them out by far more than errors of steps can.
    [[nodiscard]] bool pushed_out(const std::vector<double>& dx, double h);

    [[nodiscard]] int worst() const { return worst_; }
    [[nodiscard]] std::string complaint() const;

private:
    struct Bound {
        int unknown;
        double min, max;
        double tolerance; ///< at the bound
        bool state;
        double pushed = 0.0;  ///< how far slopes would have taken it beyond
        bool refused = false; ///< steps were, since it was last inside
        int clips = 0;        ///< outward ones since then
        bool clipped = false;
        bool at_min = false; ///< where it was clipped
    };
    void collect();

    const problem::ImplicitProblem& problem_;
    const IntegrationOptions& options_;
    std::vector<Bound> bounds_;
    std::vector<double> x_;
    int worst_ = -1;
};

} // namespace daedalus::integrate
