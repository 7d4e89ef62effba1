// What the command line asks for, and the functions that do it.
#pragma once

#include "console.hpp"
#include "daedalus/analysis.hpp"
#include "daedalus/model.hpp"
#include "daedalus/options.hpp"
#include "daedalus/terminal.hpp"
#include "exit_code.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cli {

enum class Command {
    none,
    solve,
    compare,
    sweep,
    start,
    analyze,
    explain,
    check,
    flatten,
    format,
    derive,
    pencil,
    orders,
    reproduce,
    list
};
enum class Topic { methods, functions, examples };

struct Request {
    Command command = Command::none;
    std::string model; ///< path, or "-" for standard input
    std::string model_class;
    std::vector<std::string> libraries; ///< folders that hold packages
    daedalus::SolveOptions options;
    std::vector<std::string> input_values; ///< NAME=FILE or NAME=NUMBER
    std::vector<std::string> input_files;  ///< tables with a header
    std::string interpolation = "linear";
    bool hold_inputs = false;
    bool backward = false;
    bool alternatives = false; ///< list other admissible sets of free variables
    std::vector<std::string> outputs;
    std::vector<std::string> sweep_parameters; ///< NAME=FROM:TO:COUNT, NAME=A,B,C or NAME=VALUE
    std::string sweep_list;                    ///< CSV file with a column per parameter
    int latin = 0;                             ///< so many points of a Latin hypercube
    std::uint64_t seed = 1;
    std::vector<std::string> variables; ///< of a sweep, to be kept
    int threads = 0;
    std::vector<std::string> compared_reductions, compared_methods;
    std::vector<double> compared_tolerances;
    std::optional<double> compared_accuracy;
    double seconds_per_run = 5.0;
    daedalus::AnalyzeOptions analyze;
    std::string html; ///< of analyze
    daedalus::TerminalMode progress = daedalus::TerminalMode::automatic;
    std::string matrix_e, matrix_h; ///< Matrix Market files
    double noise = 0.0;             ///< relative accuracy of their entries
    std::string forcing;            ///< c(t), a formula per equation, separated by ";"; empty: no solution asked for
    std::string pencil_start;       ///< initial values, separated by ","
    double pencil_until = 1.0;
    int pencil_points = 10;
    bool derive_stabilized = false;
    bool derive_lagrange = false; ///< the model is one of energies
    std::string derive_cost;      ///< of an optimal control problem
    std::string derive_parameter; ///< small one, to expand in
    int derive_order = 0;
    std::string plot; ///< names of variables, separated by commas
    bool check_units = false;
    bool format_in_place = false, format_only_checks = false;
    Topic topic = Topic::methods;
    std::string order_method; ///< filters of `orders`
    std::string order_class;
    std::string order_model; ///< measured on this model instead
    int order_steps = 16, order_runs = 5;
    std::string reproduction;        ///< ID
    bool list_reproductions = false; ///< instead of running one
    std::string page;                ///< HTML file of a reproduction
    std::string program;             ///< how the user calls it, for hints
    Console console;
};

[[nodiscard]] ExitCode run_solve(Request& request);
/// The run of a model that was read, with all that is shown and written of it.
[[nodiscard]] ExitCode solve_model(Request& request, daedalus::Model model);
/// The analyses that a SPICE deck asks for.
[[nodiscard]] ExitCode run_deck(Request& request);
[[nodiscard]] ExitCode run_compare(Request& request);
[[nodiscard]] ExitCode run_sweep(Request& request);
[[nodiscard]] ExitCode run_start(const Request& request);
[[nodiscard]] ExitCode run_analyze(const Request& request);
[[nodiscard]] ExitCode run_explain(const Request& request);
[[nodiscard]] ExitCode run_check(const Request& request);
[[nodiscard]] ExitCode run_flatten(const Request& request);
[[nodiscard]] ExitCode run_format(const Request& request);
[[nodiscard]] ExitCode run_derive(const Request& request);
[[nodiscard]] ExitCode run_pencil(const Request& request);
[[nodiscard]] ExitCode run_orders(const Request& request);
[[nodiscard]] ExitCode run_reproduce(const Request& request);
[[nodiscard]] ExitCode run_list(const Request& request);

} // namespace cli
