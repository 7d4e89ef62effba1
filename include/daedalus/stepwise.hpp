// A run that the caller drives: step by step or from time to time, with parameters and states changed in between.
#pragma once

#include "daedalus/compiled_model.hpp"
#include "daedalus/expected.hpp"
#include "daedalus/options.hpp"
#include "daedalus/solution.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

/// Made by CompiledModel::begin. One thread at a time; any number of runs of one compiled model may exist beside each
/// other. SolveOptions::until is the end that no step goes beyond.
class Run {
public:
    /// One attempt of the method and what follows from it: an accepted step, a smaller one to be tried, an event.
    /// False: the run is over, and outcome() says how.
    bool step();
    /// Steps until this time is reached exactly; the end of the run is not passed. True: it was reached.
    bool advance_to(double t);

    [[nodiscard]] double time() const;
    [[nodiscard]] const std::vector<std::string>& names() const;
    /// All variables now, in the order of names().
    [[nodiscard]] std::vector<double> values() const;
    /// Not a number where there is no such variable.
    [[nodiscard]] double value(std::string_view name) const;
    [[nodiscard]] bool over() const;
    [[nodiscard]] Outcome outcome() const; ///< of a run that is over
    [[nodiscard]] const std::string& message() const;

    /// From now on a parameter (an input that is held from call to call) has this value; what depends on it follows,
    /// the states stay. The complaint if that cannot be; then nothing has changed.
    [[nodiscard]] std::optional<Diagnostic> set_parameter(std::string_view name, double value);
    /// From now on an input that was given as a number or table is `value` + `slope` (t - now), as a co-simulation has
    /// it; what the table would have said is forgotten.
    [[nodiscard]] std::optional<Diagnostic> set_input(std::string_view name, double value, double slope = 0.0);
    /// From now on a variable that is integrated has this value, and the others follow it.
    [[nodiscard]] std::optional<Diagnostic> set_state(std::string_view name, double value);

    /// Everything from which the run can go on, as often as one likes; a run that is over goes on from before its end.
    class State;
    [[nodiscard]] std::shared_ptr<const State> save() const;
    void restore(const std::shared_ptr<const State>& state);

    struct Impl;
    explicit Run(std::unique_ptr<Impl> impl);
    Run(Run&&) noexcept;
    Run& operator=(Run&&) noexcept;
    ~Run();

private:
    std::unique_ptr<Impl> impl_;
};

} // namespace daedalus
