// A solved model: trajectories, certificate, statistics, and how it ended.
#pragma once

#include "daedalus/expected.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daedalus {

enum class Outcome {
    success,     ///< the end time was reached and every equation holds within tolerance
    terminated,  ///< the model or a stop condition ended the run, as it should: message() says which
    interrupted, ///< stopped by the caller; what was computed is here
    ended,       ///< the solution itself ends before the end time (singular point)
    failed       ///< the integration could not go on; what was computed is here
};

/// How well one equation or hidden constraint holds along the solution.
struct ResidualSummary {
    std::string equation;
    int differentiations = 0;
    double at_steps = 0.0; ///< largest absolute residual at the steps
    double between = 0.0;  ///< and at points between them
};

struct SolutionEvent {
    double t = 0.0;
    std::string cause; ///< in the model's words
};

class Solution {
public:
    [[nodiscard]] Outcome outcome() const;
    [[nodiscard]] bool success() const { return outcome() == Outcome::success || outcome() == Outcome::terminated; }
    /// Why it ended early: a sentence; empty for success.
    [[nodiscard]] const std::string& message() const;
    [[nodiscard]] const Diagnostics& diagnostics() const; ///< warnings, and errors if it failed
    [[nodiscard]] double end_time() const;                ///< time reached

    [[nodiscard]] const std::vector<std::string>& names() const; ///< the model's variables
    [[nodiscard]] std::span<const double> time() const;          ///< output points: found when first asked for
    /// Values of a variable at the output points; empty if there is no such variable.
    [[nodiscard]] std::span<const double> operator[](std::string_view name) const;
    /// All variables at any time of the run, in the order of names(): as accurate as the method's own steps, and
    /// consistent with all constraints. At an event, the values behind it. May be called by several threads.
    [[nodiscard]] Expected<std::vector<double>> at(double t) const;
    /// One of them.
    [[nodiscard]] Expected<double> at(double t, std::string_view name) const;
    /// What happened on the way, and when.
    [[nodiscard]] std::vector<SolutionEvent> events() const;
    /// Value at the end.
    [[nodiscard]] double final(std::string_view name) const;

    [[nodiscard]] const std::vector<ResidualSummary>& residuals() const;
    [[nodiscard]] double largest_residual() const; ///< over all equations and hidden constraints, everywhere checked
    /// Largest residual at a step, in units of what an error of the size of the tolerance makes of that equation there.
    [[nodiscard]] double residual_in_tolerances() const;
    /// Counters by name: "steps", "rejected", "residual_evaluations", "jacobian_evaluations", "factorizations", …
    [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> statistics() const;
    [[nodiscard]] const std::string& method() const;

    /// Writes FILE.csv, FILE.json, FILE.html or FILE.svg by its extension; the file appears complete or not at all.
    [[nodiscard]] Expected<std::uint64_t> write(const std::string& path) const;
    /// A short summary for a terminal.
    [[nodiscard]] std::string to_text(bool color = false, int width = 80) const;
    [[nodiscard]] std::string to_csv() const;
    [[nodiscard]] std::string to_json() const;

    struct Impl;
    explicit Solution(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

private:
    std::shared_ptr<const Impl> impl_;
};

/// What Solution::write would object to (unknown extension, a directory, a missing folder, no permission), found
/// before a long solve.
[[nodiscard]] std::optional<Diagnostic> check_output(const std::string& path);

} // namespace daedalus
