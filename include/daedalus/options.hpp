// Everything that can be set about a solve, as aggregates with their defaults: SolveOptions{.until = 10, .rtol = 1e-8}.
#pragma once

#include "daedalus/input.hpp"
#include "daedalus/reduction.hpp"

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace daedalus {

/// How firmly a start value from outside is meant.
enum class StartStrength { guess, preferred, fixed };

struct StartValue {
    std::string name; ///< "x" or "der(x)"
    double value = 0.0;
    StartStrength strength = StartStrength::fixed;
};

/// What is checked against the equations before success is claimed.
enum class Certify {
    none,  ///< nothing: the result says so
    steps, ///< every equation and hidden constraint at the steps
    all    ///< and at points between them
};

/// How initial values are found, beyond the start values themselves.
struct InitialOptions {
    bool steady_state = false; ///< every derivative that the model mentions vanishes at the start
    int multistart = 0;        ///< so many other starts are tried, to find other solutions; the nearest is used
    int alternatives = 0;      ///< so many other admissible sets of free variables are looked for
};

struct SolveOptions {
    std::optional<double> from = {};    ///< start time; default: the model's, or 0
    std::optional<double> until = {};   ///< end time; default: the model's experiment annotation
    std::string method = "auto";        ///< "auto", "radau", "bdf", …
    std::string linear_solver = "auto"; ///< "auto", "dense", "straight-line", "klu" or "umfpack"
    std::optional<double> rtol = {};    ///< relative tolerance; default: the model's, or 1e-6
    std::optional<double> atol =
        {}; ///< absolute tolerance in units of each variable's nominal value; default: rtol/1000
    std::vector<std::pair<std::string, double>> atol_each = {}; ///< absolute tolerance of single variables
    std::vector<std::pair<std::string, double>> rtol_each = {}; ///< relative tolerance of single variables
    Reduction reduction = Reduction::automatic;
    Certify certify = Certify::all;
    std::optional<double> baumgarte_alpha = {}; ///< decay rate of Reduction::baumgarte; default: from the start
    std::optional<double> baumgarte_beta = {};  ///< with α: g'' + 2 α g' + β² g = 0; default: β = α
    std::optional<double> epsilon = {};         ///< of Reduction::penalty, knorrenschild and hanke
    std::optional<double> epsilon_mu = {};      ///< μ of the last two; default: ε
    bool eliminate_aliases = true;
    bool tear = false;        ///< show torn variables of the blocks; the start iterates on them first
    bool machine_code = true; ///< equations are compiled to machine code where possible; false: interpreted
    std::vector<std::pair<std::string, double>> parameters = {};
    std::vector<StartValue> starts = {};
    bool strict = false; ///< start values that contradict the equations are refused, not changed
    InitialOptions initial = {};
    std::vector<Input> inputs = {};          ///< values over time of the model's inputs
    std::vector<std::string> variables = {}; ///< that are recorded; empty: all
    int points = 500;                        ///< output points, equally spaced; 0: one per step
    bool dense = true;                       ///< the solution can be evaluated at any time (Solution::at)
    double first_step = 0.0;                 ///< 0: chosen
    double max_step = std::numeric_limits<double>::infinity();
    double fixed_step = 0.0; ///< every step has this size, and no error is estimated; 0: steps follow the tolerances
    std::string end_of_step = "auto"; ///< of implicit Runge–Kutta methods: auto, direct, indirect or projected
    std::string start_up = "exact";   ///< of BDF with constant steps on index 3: exact values, or "numerical" ones,
                                      ///< which the difference equations take for consistent
    long max_steps = 10'000'000;
    int max_order = 5;                       ///< of BDF, 1 … 6
    bool keep_bounds = true;                 ///< min and max of variables: kept, or the run ends
    std::string checkpoint = {};             ///< file to continue from after an interruption
    long checkpoint_every = 2000;            ///< accepted steps, a multiple of 2000; no result depends on it
    std::string resume = {};                 ///< such a file: go on where it was written
    std::vector<double> stop_times = {};     ///< reached exactly
    std::vector<std::string> stop_when = {}; ///< conditions in the model's names, "x < 0": the run ends where one
                                             ///< becomes true
    std::vector<std::pair<std::string, std::string>> integrals = {}; ///< name and expression: a variable that is the
                                                                     ///< integral over time from the start
    bool quadratures = true; ///< variables that are integrals of others are not part of the linear algebra
    const std::atomic<bool>* interrupt = nullptr;          ///< when set, the solve ends with what it has
    std::function<void(double t, double h)> progress = {}; ///< called after every accepted step
};

} // namespace daedalus
