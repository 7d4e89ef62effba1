// What a solve leaves behind for output: the model's variables at the output times, the history of the steps, and
// the certificate, that is, how well every equation and every hidden constraint holds at the steps and between them.
#pragma once

#include "base/source.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::output {

enum class VariableKind {
    differential, ///< its derivative occurs in the equations
    algebraic,
    discrete,  ///< changes at events only
    eliminated ///< removed by a pass (alias, constant, solved block) and re-created for output
};

struct VariableInfo {
    std::string name; ///< as in the model
    std::string unit;
    std::string description;
    VariableKind kind = VariableKind::differential;
    int index = 0; ///< differentiation index of this variable; 0: not determined
};

/// One accepted step [t - h, t] and what it took.
struct StepRecord {
    double t = 0.0;
    double h = 0.0;
    int order = 0;
    int rejected = 0; ///< attempts that were refused before this one succeeded
};

/// How well one equation holds. The series have one entry per accepted step; both may be empty for large systems,
/// for which only the maxima are kept.
struct ResidualSeries {
    std::string name; ///< short: "eq 3", "hidden 1"
    std::string text; ///< the equation in the model's words
    int differentiations = 0;
    std::optional<Location> where;    ///< of the equation as written
    std::vector<double> at_steps;     ///< |residual| at the end of the step
    std::vector<double> at_midpoints; ///< the same in the middle of the last step where that was looked at
    double max_at_steps = 0.0;
    double max_at_midpoints = 0.0;

    void record(double at_step, double at_midpoint) {
        at_steps.push_back(at_step);
        at_midpoints.push_back(at_midpoint);
        note(at_step, at_midpoint);
    }
    /// Keeps the maxima only. A residual that is not a number is the worst there is.
    void note(double at_step, double at_midpoint) {
        if (!(at_step <= max_at_steps)) max_at_steps = at_step;
        if (!(at_midpoint <= max_at_midpoints)) max_at_midpoints = at_midpoint;
    }
};

struct EventRecord {
    double t = 0.0;
    std::string text; ///< what happened: "h < 0 became true (line 12)"
};

struct StateSwitch {
    double t = 0.0;
    std::vector<std::string> before; ///< states given up
    std::vector<std::string> after;  ///< states taken instead
    std::string reason;
};

struct Trajectory {
    std::vector<VariableInfo> variables;
    std::vector<double> time;                ///< output points, in the direction of integration
    std::vector<std::vector<double>> values; ///< values[variable][point]
    std::vector<StepRecord> steps;
    std::vector<ResidualSeries> residuals;
    double residual_tolerance = 0.0;  ///< what the certificate demands of each residual; 0: nothing demanded
    bool residuals_explained = false; ///< larger ones are what errors of the size of the tolerance make of them
    std::vector<EventRecord> events;
    std::vector<StateSwitch> state_switches;

    [[nodiscard]] std::size_t points() const { return time.size(); }
    /// Every variable has a column and every column has a value per output point.
    [[nodiscard]] bool is_rectangular() const {
        if (values.size() != variables.size()) return false;
        for (const std::vector<double>& column : values)
            if (column.size() != time.size()) return false;
        return true;
    }
};

[[nodiscard]] constexpr const char* name_of(VariableKind kind) {
    switch (kind) {
    case VariableKind::differential: return "differential";
    case VariableKind::algebraic: return "algebraic";
    case VariableKind::discrete: return "discrete";
    case VariableKind::eliminated: return "eliminated";
    }
    return "";
}

} // namespace daedalus::output
