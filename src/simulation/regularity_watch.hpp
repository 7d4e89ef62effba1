// Structure that stops being true on the way. A system Jacobian (Pryce 2001) that is regular at the start may become
// singular, or singular within the tolerance, later: behind an event, or where a coefficient dies out. What was built
// on structure goes on for a while, and errors of some unknowns grow by the condition of the Jacobian without being
// seen.
//
// The run is looked at behind every change of branches and now and then between, at the points it accepts. These
// satisfy the equations to the tolerance only, so that what is singular within it is a suspicion; where two points in a
// row raise it, consistent points there and beside (hidden_structure.hpp) decide. Found so, the run ends. Initial
// equations, which hold at the start only, are left out for that.
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "integrate/observer.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace daedalus::simulation {

class RegularityWatch {
public:
    /// Of a run of compiled.problem that began with the initial values u0.
    RegularityWatch(compile::CompiledModel& compiled, std::vector<double> u0, double t1, double rtol,
                    const integrate::StartOptions& start, const compile::CompileOptions& how);
    /// After an accepted step: the block that has become singular, in the model's words; nothing where all is well.
    [[nodiscard]] std::optional<Diagnostic> look(const integrate::AcceptedStep& step);

private:
    [[nodiscard]] std::vector<double> initial_unknowns(const integrate::AcceptedStep& step);
    [[nodiscard]] bool due();
    [[nodiscard]] std::optional<Diagnostic> decide(double t, const std::vector<double>& u);

    compile::CompiledModel& compiled_;
    std::vector<double> u0_;
    double t1_, level_;
    integrate::StartOptions start_;
    compile::CompileOptions how_;
    /// Without what holds at the start only, if anything does; made when first needed.
    std::unique_ptr<compile::CompiledModel> on_the_way_;
    bool active_ = true;
    long gap_;             ///< steps between looks
    long since_ = 0;       ///< steps since the last one
    long postponed_ = 0;   ///< steps without a look, after suspicions that came to nothing
    int suspicions_ = 0;   ///< in a row
    int refuted_ = 0;      ///< suspicions that came to nothing
    int changes_seen_ = 0; ///< of branches or held values
    std::uint64_t stamp_ = 0;
};

} // namespace daedalus::simulation
