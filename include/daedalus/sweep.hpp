// Many runs of one compiled model with different parameters, on all cores.
#pragma once

#include "daedalus/compiled_model.hpp"
#include "daedalus/expected.hpp"
#include "daedalus/files.hpp"
#include "daedalus/options.hpp"
#include "daedalus/solution.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace daedalus {

/// A parameter and the values it takes.
struct SweepAxis {
    std::string name;
    std::vector<double> values;
};

/// `count` values from `from` to `to`, equally spaced, ends included.
[[nodiscard]] std::vector<double> equally_spaced(double from, double to, int count);

/// All combinations; the last axis varies fastest.
[[nodiscard]] std::vector<std::vector<double>> grid(const std::vector<SweepAxis>& axes);

/// `count` points in the box of the axes' ranges (first and last value): each axis is cut into as many strata, and
/// every stratum holds one point (McKay, Beckman & Conover 1979). Equal seeds give equal points on every machine.
[[nodiscard]] std::vector<std::vector<double>> latin_hypercube(const std::vector<SweepAxis>& axes, int count,
                                                               std::uint64_t seed);

struct SweepOptions {
    SolveOptions solve = {};                      ///< of every run; what varies is set on top
    std::vector<std::string> names = {};          ///< parameters that vary
    std::vector<std::vector<double>> points = {}; ///< a value for each of them
    std::vector<std::string> variables = {};      ///< to be kept at the end; empty: all
    int threads = 0;                              ///< 0: one per core; no result depends on it
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

struct SweepRun {
    std::vector<double> point;
    Outcome outcome = Outcome::failed;
    std::string message;        ///< why it ended early; empty for success
    double end_time = 0.0;      ///< time reached
    std::vector<double> finals; ///< values there; empty where the run could not begin
};

struct SweepResult {
    std::string model;
    std::vector<std::string> names;     ///< parameters
    std::vector<std::string> variables; ///< of `finals`
    std::vector<SweepRun> runs;         ///< in the order of the points
    std::vector<NamedFile> files;       ///< that the sweep read: write() refuses to replace them
    [[nodiscard]] std::size_t failures() const;

    /// Writes FILE.csv, FILE.json or FILE.html (curves over each parameter; runs that failed with their reasons).
    [[nodiscard]] Expected<std::uint64_t> write(const std::string& path) const;
    [[nodiscard]] std::string to_csv() const;
    [[nodiscard]] std::string to_json() const;
    [[nodiscard]] std::string to_html() const;
    /// A short summary for a terminal.
    [[nodiscard]] std::string to_text() const;
};

/// Unknown names and wrong sizes come back as diagnostics; a run that fails is a row of the result.
[[nodiscard]] Expected<SweepResult> sweep(const CompiledModel& model, const SweepOptions& options);

} // namespace daedalus
