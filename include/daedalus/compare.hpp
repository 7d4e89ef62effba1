// One model, solved in every formulation by every method at every tolerance: what each of them costs, how accurate it
// is, how well it keeps constraints and energy, and which one is the best for the accuracy that is wanted.
#pragma once

#include "daedalus/compiled_model.hpp"
#include "daedalus/expected.hpp"
#include "daedalus/files.hpp"
#include "daedalus/options.hpp"
#include "daedalus/reduction.hpp"
#include "daedalus/solution.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

struct CompareOptions {
    SolveOptions solve = {};                ///< of every run; formulation, method and tolerance are set on top
    std::vector<Reduction> reductions = {}; ///< empty: those that suit what the model is
    std::vector<std::string> methods = {};  ///< likewise
    std::vector<double> tolerances = {};    ///< empty: 1e-3, 1e-5, 1e-7 and 1e-9
    std::optional<double> accuracy = {};    ///< at which costs are compared; default: solve.rtol, or 1e-6
    double seconds_per_run = 5.0;           ///< of processor time: what takes longer is stopped
    int threads = 0;                        ///< 0: one per core
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// What is looked at along a run, at some of its steps. Empty: there is no such thing.
struct CompareHistory {
    std::vector<double> time, error;
    std::vector<double> position, velocity; ///< largest violation of a constraint: see CompareRun::position_drift
    std::vector<double> energy;             ///< less that of the reference
};

/// One run. Numbers are NaN where there is nothing to measure.
struct CompareRun {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    Reduction reduction = Reduction::automatic;
    std::string method;
    std::string used;       ///< what `auto` chose
    double tolerance = 0.0; ///< relative; 0: constant steps
    double step = 0.0;      ///< of methods with constant steps; 0: they follow the tolerance
    Outcome outcome = Outcome::failed;
    std::string message; ///< why it did not reach the end
    /// Largest difference to the reference at the steps, over all variables that are differentiated in the model, each
    /// in units of its largest value along the reference.
    double error = none;
    double seconds = none;        ///< of processor time, integration only
    std::int64_t steps = 0;       ///< accepted
    std::int64_t evaluations = 0; ///< of the residual
    std::int64_t factorizations = 0;
    /// Largest violation of a constraint on positions, and on velocities, along the run, in units of what errors as
    /// large as the variables themselves would make of it: comparable with `error`. Of models that are no mechanisms,
    /// `velocity_drift` is the largest residual of a hidden constraint.
    double position_drift = none, velocity_drift = none;
    double energy_error = none; ///< largest difference to the energy of the reference, in the model's own units
    std::vector<double> finals; ///< of CompareResult::variables where it ended
    CompareHistory history;

    [[nodiscard]] bool success() const { return outcome == Outcome::success || outcome == Outcome::terminated; }
};

/// A formulation and a method, judged over all tolerances.
struct CompareRank {
    Reduction reduction = Reduction::automatic;
    std::string method;
    std::string used;                  ///< what `auto` chose at the largest tolerance
    bool reached = false;              ///< the accuracy, by one of its runs
    double seconds = CompareRun::none; ///< at the accuracy, between its runs by a straight line of logarithms
    double evaluations = CompareRun::none;
    double best_error = CompareRun::none;
    double drift = CompareRun::none; ///< largest violation of a constraint where the accuracy is reached
    bool claims_hold = true;         ///< see CompareResult::overconfident
};

/// A combination that does not exist for this model.
struct CompareRefusal {
    Reduction reduction = Reduction::automatic;
    std::string method;
    std::string reason;
};

struct CompareResult {
    /// Errors so many times as large as the tolerance, and as what the other combinations have at that tolerance (their
    /// median: the solution may magnify what every method leaves), are more than a method may claim.
    static constexpr double overconfident = 100;

    std::string model;
    std::string kind; ///< what the model is, in words
    double from = 0.0, until = 0.0;
    double accuracy = 0.0;
    std::string reference;              ///< how it was found, and what checked it
    double reference_error = 0.0;       ///< difference of the two
    std::string energy;                 ///< where it comes from; empty: the model has none
    std::vector<std::string> variables; ///< that errors are of
    std::vector<CompareRun> runs;       ///< pair by pair, tolerances in the order given
    std::vector<CompareRank> ranking;   ///< by cost at the accuracy; those that do not reach it follow by their error
    std::vector<CompareRefusal> refused;
    std::optional<std::size_t> choice; ///< in `ranking`
    std::string why;                   ///< it, and not another one
    bool interrupted = false;
    std::vector<NamedFile> files; ///< that were read: write() refuses to replace them

    /// Writes FILE.html, FILE.json or FILE.csv.
    [[nodiscard]] Expected<std::uint64_t> write(const std::string& path) const;
    [[nodiscard]] std::string to_html() const;
    [[nodiscard]] std::string to_json() const; ///< schema: docs/compare.md
    [[nodiscard]] std::string to_csv() const;
    [[nodiscard]] std::string to_text(int width = 80) const;
};

/// Names that do not exist, and models of which no two tight solutions agree, come back as diagnostics. A combination
/// that is refused or fails is part of the result.
[[nodiscard]] Expected<CompareResult> compare(const CompiledModel& model, const CompareOptions& options = {});

} // namespace daedalus
