// Everything a user may set about an integration, as nested aggregates with their defaults.
#pragma once

#include "linalg/linear_solver.hpp"

#include <atomic>
#include <functional>
#include <limits>
#include <vector>

namespace daedalus::integrate {

/// Wanted local accuracy: |error_i| ≤ relative |x_i| + absolute_i.
struct Tolerance {
    double relative = 1e-6;
    double absolute = 1e-6;            ///< times the unknown's nominal value
    std::vector<double> relative_each; ///< per unknown; empty: `relative` for all
    std::vector<double> absolute_each; ///< per unknown, as it stands (no nominal); empty: `absolute` for all
};

enum class NormKind {
    rms, ///< root of the mean of squares, as in RADAU5 and DASSL
    max, ///< every component on its own
};

struct StepLimits {
    double first = 0.0; ///< 0: chosen
    double min = 0.0;   ///< 0: round-off of t
    double max = std::numeric_limits<double>::infinity();
    long max_steps = 10'000'000; ///< accepted steps
    int max_consecutive_failures = 60;
};

/// How a Runge–Kutta step ends whose last stage is not its end (methods/implicit_runge_kutta.hpp).
enum class EndOfStep {
    automatic, ///< indirect for index 1, direct above
    direct,    ///< algebraic unknowns are combined as all others are
    indirect,  ///< … follow from the constraints at the end
    projected, ///< index 2: back to the constraint, algebraic unknowns from the hidden one
};

/// How BDF with constant steps begins on index 3 (numerical_start.hpp).
enum class StartUp {
    exact,     ///< with values of the solution
    numerical, ///< with values that the difference equations take for consistent
    corrected, ///< exact, and what the first step leaves in multipliers is removed afterwards; implicit Euler only
};

/// What implicit methods ask of a step besides the error they estimate. Tests switch one off to show what it prevents.
struct StepWatches {
    bool growth = true;          ///< methods/growth_guard.hpp
    bool weakened_matrix = true; ///< methods/weakened_matrix.hpp
    bool followers = true;       ///< methods/follower_errors.hpp
    bool gaps = true;            ///< methods/stage_gaps.hpp
};

struct MethodOptions {
    int max_order = 5;             ///< BDF: 1 … 6
    int max_newton_iterations = 0; ///< 0: the method's own default
    bool fixed_step = false;       ///< every step has the size step.first and no error test (order experiments)
    EndOfStep variant = EndOfStep::automatic;
    StartUp start_up = StartUp::exact;
    StepWatches watches;
};

struct StateSelectionOptions {
    bool monitor = true;       ///< exchange dummy derivatives when the choice degrades
    double switch_below = 0.7; ///< quality of the present choice relative to the best one
    int check_every = 4;       ///< accepted steps between checks when the method evaluates no Jacobian; up to four
                               ///< times as many while the choice is good
};

struct EventOptions {
    bool locate = true;
};

/// Bounds of unknowns (UnknownInfo::min, max).
struct BoundOptions {
    bool keep = true; ///< steps that leave a bound by more than the tolerance are refused, states put back onto it
};

struct Checkpoint;
struct CheckpointOptions {
    long every = 100;                            ///< accepted steps from one to the next, at least: at the next anchor
    std::function<void(const Checkpoint&)> save; ///< empty: none are made
    const Checkpoint* resume = nullptr;          ///< begin here instead of at the start
};

/// A run that goes on where another one, of other equations, ended at an event.
struct ContinuationOptions {
    bool active = false;            ///< no first event: clauses, samples and held values are in the environment
    std::vector<signed char> sides; ///< per root function, as they were there; 0: not known. They count where the
                                    ///< function is so near to zero that its value does not tell
};

struct IntegrationOptions {
    Tolerance tolerance;
    NormKind norm = NormKind::rms;
    StepLimits step;
    MethodOptions method;
    StateSelectionOptions state_selection;
    EventOptions events;
    BoundOptions bounds;
    CheckpointOptions checkpoint;
    ContinuationOptions continuation;
    std::vector<double> stop_times; ///< reached exactly; any order, those outside the interval are ignored
    linalg::SolverKind linear_solver = linalg::SolverKind::automatic;
    const std::atomic<bool>* interrupt = nullptr;     ///< set by another thread or a signal handler
    std::function<void(double t, double h)> progress; ///< called after every accepted step
};

} // namespace daedalus::integrate
