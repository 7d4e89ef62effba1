// Time against digits: one curve per code, the time at a number of digits read off it, and the report.
#pragma once

#include "peers/peer_code.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::benchmarks {

struct Sample {
    double tolerance = 0.0;
    double digits = 0.0;
    double seconds = 0.0; ///< processor time of one integration, smallest of all rounds
    double floor = 0.0;   ///< of its evaluations, factorisations and solves as straight-line code
};

struct Curve {
    std::string code, family;
    std::vector<Sample> samples; ///< finished runs only
    /// On the lower envelope, linear in log(time) between its corners; unset where the digits were not reached.
    [[nodiscard]] std::optional<double> seconds_at(double digits) const { return at(digits, &Sample::seconds); }
    [[nodiscard]] std::optional<double> floor_at(double digits) const { return at(digits, &Sample::floor); }

private:
    [[nodiscard]] std::optional<double> at(double digits, double Sample::*time) const;
};

struct ProblemCurves {
    std::string problem;
    std::vector<Curve> curves;
};

struct MeasureOptions {
    std::vector<double> tolerances;
    int rounds = 7;
    double shortest = 4e-4; ///< a sample repeats the integration until this many seconds are spent
};

/// Rounds over all codes and tolerances in turn, so that disturbances meet all alike.
[[nodiscard]] std::vector<Curve> measure(const TestProblem& problem, const std::vector<PeerCode>& codes,
                                         const MeasureOptions& options);

/// Table of times and ratios at 3, 6, 9, 11 digits, for the terminal.
[[nodiscard]] std::string text_table(const std::vector<ProblemCurves>& all);
/// What `solve` takes beside the bare integration, and what equations eliminated by hand take.
[[nodiscard]] std::string beside_the_integration(const std::vector<ProblemCurves>& all);
[[nodiscard]] std::string csv(const std::vector<ProblemCurves>& all);
/// One plot per problem.
[[nodiscard]] std::string html(const std::vector<ProblemCurves>& all);

} // namespace daedalus::benchmarks
