// Facet: what happens at events. Root functions whose zeros are events, branches of F that they decide, discrete
// variables and when-clauses, and instants that are known before they are reached.
#pragma once

#include "problem/functions.hpp"
#include "problem/legend.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::problem {

/// Branches of F that stay as they are during a step. Mode k belongs to root function k: it says on which side of zero
/// the function counts as being, +1 or -1, whatever its value is meanwhile. F is then as smooth as its branches, and
/// the loop alone changes sides: at events.
struct Modes {
    int size = 0; ///< 0, or one per root function
    void (*set)(const void* code, Environment& environment, const signed char* side) = nullptr;
    /// Which of the functions can change F while the others keep these sides; null: all. Those that cannot (conditions
    /// inside a branch that is not taken) make no events.
    void (*activity)(const void* code, const signed char* side, char* active) = nullptr;
    std::vector<signed char> at_zero; ///< the side that a function counts to where it vanishes (> and <=: -1)
    std::vector<char> known_instant;  ///< changes at one of the known instants only

    [[nodiscard]] signed char side_of(std::size_t k, double value) const {
        return value > 0.0 ? 1 : value < 0.0 ? -1 : at_zero[k];
    }
};

/// Values of discrete variables, samples and actions of when-clauses, which events change. Their present state is in
/// the environment.
struct Discrete {
    struct Change {
        bool values = false;           ///< held values changed: branches and algebraic unknowns follow
        bool states = false;           ///< x was changed (reinit)
        bool ends = false;             ///< the run ends here …
        bool fails = false;            ///< … or fails, for an assertion does not hold
        std::string message;           ///< … for this reason
        std::optional<Location> where; ///< where that is written
        std::vector<int> set;          ///< unknowns that were given a value: they keep it
    };
    /// One pass of the event iteration at (t, x, x'), with modes and algebraic unknowns up to date.
    Change (*update)(const void* code, Environment& environment, double t, double* x, double* dx) = nullptr;
    /// Held values that follow from the point alone (integer parts) take their value there, seen from behind t in the
    /// direction of integration.
    void (*follow)(const void* code, Environment& environment, double t, const double* x, const double* dx,
                   bool forward) = nullptr;
    /// The point where an event begins, on the branches before it: what is to be remembered of them is.
    void (*arrive)(const void* code, Environment& environment, double t, const double* x, const double* dx) = nullptr;
    /// Before the first event of a run: conditions that hold are no news; sampling begins, and when initial() acts.
    void (*begin)(const void* code, Environment& environment, double t, const double* x, const double* dx) = nullptr;
    /// The iteration is over: samples move on. True if held values changed; then branches follow, and note().
    bool (*end)(const void* code, Environment& environment, double t) = nullptr;
    /// The run is at its end: one more pass of the event iteration, for what waits for that. Null: nothing does.
    void (*last)(const void* code, Environment& environment) = nullptr;
    /// Conditions that hold now are no news.
    void (*note)(const void* code, Environment& environment, double t, const double* x, const double* dx) = nullptr;

    [[nodiscard]] bool empty() const { return update == nullptr; }
};

/// The next time at which F jumps or changes its branches, known before it is reached.
struct Instant {
    double t = std::numeric_limits<double>::infinity(); ///< none: infinite
    bool discontinuity = true; ///< false: so far was looked and nothing found; ask again from there
};

struct Hybrid {
    VectorFunction roots;               ///< zero-crossing functions
    std::vector<signed char> direction; ///< only rising (+1) or falling (-1) zeros count, 0: all; empty: all
    std::shared_ptr<const Legend> legend = std::make_shared<Legend>(); ///< equation(i) = condition i
    Modes modes;
    Discrete discrete;
    std::vector<double> time_events; ///< known discontinuities in time, ascending
    /// Those that are found on the way, behind `t` in the direction of `end`, which lies behind all that is asked for.
    Instant (*next_instant)(const void* code, const Environment& environment, double t, double end) = nullptr;

    /// F can change at a point.
    [[nodiscard]] bool changes() const {
        return modes.size > 0 || !discrete.empty() || !time_events.empty() || next_instant != nullptr;
    }
};

/// A time behind t by more than the rounding of a known instant, and by nothing that matters.
[[nodiscard]] inline double just_after(double t, bool forward) {
    const double distance = 16 * std::numeric_limits<double>::epsilon() * std::abs(t) + 1e-290;
    return forward ? t + distance : t - distance;
}

} // namespace daedalus::problem
