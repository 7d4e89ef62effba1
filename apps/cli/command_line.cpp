#include "command_line.hpp"

#include "daedalus/option_list.hpp"
#include "daedalus/version.hpp"
#include "help.hpp"
#include "inputs.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace cli {

namespace {

using daedalus::Diagnostic;
using daedalus::Diagnostics;
using daedalus::Option;

const std::map<std::string, daedalus::TerminalMode> modes{{"auto", daedalus::TerminalMode::automatic},
                                                          {"always", daedalus::TerminalMode::always},
                                                          {"never", daedalus::TerminalMode::never}};

/// Values as given; turned into options after parsing, so that all wrong ones are reported together.
struct Given {
    const Option* option;
    std::vector<std::string> texts;
};

struct Parser {
    explicit Parser(Request& r) : request(r), app(purpose(Command::none)) {}

    Request& request;
    CLI::App app;
    std::vector<std::unique_ptr<Given>> given;
    std::string color = "auto", progress = "auto", topic;

    void build();
    CLI::App& add(Command command, const char* name);
    void add_model(CLI::App& sub);
    void add_class(CLI::App& sub);
    void add_display(CLI::App& sub);
    void add_analyze(CLI::App& sub);
    void add_options(CLI::App& sub, bool Option::*only = nullptr, const std::vector<std::string_view>& but = {});
    void add_inputs(CLI::App& sub);
    void add_compare(CLI::App& sub);
    void add_sweep(CLI::App& sub);
    [[nodiscard]] Diagnostics apply();
};

Diagnostic usage(std::string code, std::string message, std::string hint = {}) {
    Diagnostic problem;
    problem.code = "usage-" + std::move(code);
    problem.message = std::move(message);
    problem.hint = std::move(hint);
    return problem;
}

CLI::App& Parser::add(Command command, const char* name) {
    CLI::App& sub = *app.add_subcommand(name, purpose(command));
    sub.footer(footer(command, request.program));
    sub.callback([this, command] { request.command = command; });
    return sub;
}

void Parser::add_display(CLI::App& sub) {
    sub.add_flag("--json", request.console.json, "print the result, or the errors, as JSON")->group("Display");
    sub.add_option("--color", color, "auto, always or never")->type_name("WHEN")->group("Display");
}

void Parser::add_model(CLI::App& sub) {
    sub.add_option("model", request.model,
                   "a Modelica file, a mechanism (.mech), a class of a library, or - for standard input")
        ->type_name("")
        ->option_text("MODEL")
        ->required();
}

void Parser::add_class(CLI::App& sub) {
    sub.add_option("--class", request.model_class, "which model of the file (default: the last)")
        ->type_name("NAME")
        ->group("Values");
    sub.add_option("--library", request.libraries, "a folder that holds Modelica packages (repeatable)")
        ->type_name("DIR")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Values");
}

void Parser::add_options(CLI::App& sub, bool Option::*only, const std::vector<std::string_view>& but) {
    for (const Option& option : daedalus::option_list()) {
        if ((only != nullptr && !(option.*only)) || std::find(but.begin(), but.end(), option.name) != but.end())
            continue;
        auto& values = given.emplace_back(std::make_unique<Given>(Given{&option, {}}));
        if (option.is_flag()) {
            sub.add_flag_function(
                   "--" + std::string(option.name), [texts = &values->texts](std::int64_t) { texts->assign(1, ""); },
                   std::string(option.help))
                ->group(std::string(option.group));
            continue;
        }
        CLI::Option* added = sub.add_option("--" + std::string(option.name), values->texts,
                                            std::string(option.help) + (option.repeatable() ? " (repeatable)" : ""));
        added->type_name(std::string(option.value))
            ->group(std::string(option.group))
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
}

void Parser::add_inputs(CLI::App& sub) {
    constexpr const char* group = "Inputs";
    sub.add_option("--input", request.input_values, "an input from a CSV file with times and values (repeatable)")
        ->type_name("NAME=FILE|NUMBER")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    sub.add_option("--inputs", request.input_files, "inputs from a CSV file: time, then a column for each named input")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    sub.add_option("--interpolation", request.interpolation,
                   "between the times of tables: linear (the default), cubic (a spline) or hold (jumps)")
        ->type_name("HOW")
        ->group(group);
    sub.add_flag("--hold-inputs", request.hold_inputs, "keep the first and last value outside of a table")
        ->group(group);
}

void Parser::add_compare(CLI::App& sub) {
    constexpr const char* group = "What is compared (by default: what suits the model)";
    const auto list = [&](const char* name, auto& values, const char* type, const char* help) {
        sub.add_option(name, values, help)->type_name(type)->delimiter(',')->allow_extra_args(false)->group(group);
    };
    list("--reduce", request.compared_reductions, "NAMES", "formulations, separated by commas");
    list("--methods", request.compared_methods, "NAMES", "methods, separated by commas");
    list("--tolerances", request.compared_tolerances, "NUMBERS", "relative tolerances (default: 1e-3,1e-5,1e-7,1e-9)");
    sub.add_option("--accuracy", request.compared_accuracy, "at which costs are compared (default: --rtol, or 1e-6)")
        ->type_name("E")
        ->group(group);
    sub.add_option("--seconds", request.seconds_per_run, "of processor time for a run (default: 5)")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->group(group);
    sub.add_option("--threads", request.threads, "how many (default: one per core)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024))
        ->group(group);
    sub.add_option("-o,--output", request.outputs,
                   "write FILE.html, and FILE.json beside it; or FILE.json, FILE.csv (repeatable)")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Steps and output");
}

void Parser::add_sweep(CLI::App& sub) {
    constexpr const char* group = "What varies";
    sub.add_option("--param", request.sweep_parameters,
                   "values of a parameter, equally spaced; NAME=A,B,C lists them, NAME=VALUE fixes it (repeatable)")
        ->type_name("NAME=FROM:TO:COUNT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    sub.add_option("--list", request.sweep_list, "points from a CSV file: a column per parameter, a row per run")
        ->type_name("FILE")
        ->group(group);
    sub.add_option("--latin", request.latin, "N points of a Latin hypercube in place of all combinations")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000'000))
        ->group(group);
    sub.add_option("--seed", request.seed, "of the Latin hypercube (default: 1)")->type_name("N")->group(group);
    sub.add_option("--variables", request.variables, "kept at the end of each run, separated by commas (default: all)")
        ->type_name("NAMES")
        ->delimiter(',')
        ->group(group);
    sub.add_option("--threads", request.threads, "how many (default: one per core); no result depends on it")
        ->type_name("N")
        ->check(CLI::Range(1, 1024))
        ->group(group);
    sub.add_option("-o,--output", request.outputs, "write FILE.csv, .json or .html (repeatable)")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Steps and output");
}

void Parser::add_analyze(CLI::App& sub) {
    const auto yes = [&](std::optional<bool>& option) { return [&option](std::int64_t) { option = true; }; };
    constexpr const char* group = "What is looked at (by default: what a small model needs little time for)";
    sub.add_flag_function("--arrays", yes(request.analyze.derivative_arrays), "derivative arrays, whatever the size")
        ->group(group);
    sub.add_flag_function("--measure", yes(request.analyze.measure), "perturbation index by perturbed solutions")
        ->group(group);
    sub.add_flag_function("--along", yes(request.analyze.along_solution), "conditioning and index along the solution")
        ->group(group);
    for (const Option& option : daedalus::option_list())
        if (option.name == "until" || option.name == "from" || option.name == "start") {
            auto& values = given.emplace_back(std::make_unique<Given>(Given{&option, {}}));
            sub.add_option("--" + std::string(option.name), values->texts, std::string(option.help))
                ->type_name(std::string(option.value))
                ->group(std::string(option.group))
                ->expected(1)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        }
    sub.add_option("--html", request.html, "write the page with drawings to FILE")->type_name("FILE")->group("Display");
}

void Parser::build() {
    app.name(request.program);
    app.footer(footer(Command::none, request.program));
    app.set_version_flag("--version", fmt::format("daedalus {}", daedalus::version), "print the version");
    app.set_help_flag("-h,--help", "print this help");
    app.get_formatter()->column_width(28);
    app.require_subcommand(0, 1);
    app.failure_message(CLI::FailureMessage::simple);

    const auto add_tear = [this](CLI::App& sub, const char* help) {
        sub.add_flag("--tear", request.options.tear, help)->group("Method and accuracy");
    };
    const char* tear_start = "solve nonlinear blocks of the start by iterating on a few torn variables first";

    CLI::App& solve = add(Command::solve, "solve");
    add_model(solve);
    add_options(solve);
    add_inputs(solve);
    solve.add_flag("--backward", request.backward, "integrate toward an end time before the start time")
        ->group("Interval");
    solve.add_option("-o,--output", request.outputs, "write FILE.csv, .json, .html, .mat or .svg (repeatable)")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Steps and output");
    solve.add_option("--plot", request.plot, "draw these in the terminal, as \"R1.i, x[1,2]\"")
        ->type_name("NAMES")
        ->group("Display");
    solve.add_option("--variables", request.options.variables, "recorded, separated by commas (default: all)")
        ->type_name("NAMES")
        ->delimiter(',')
        ->group("Steps and output");
    add_class(solve);
    add_display(solve);
    add_tear(solve, tear_start);
    solve.add_flag("-q,--quiet", request.console.quiet, "print errors only")->group("Display");
    solve.add_option("--progress", progress, "auto, always or never")->type_name("WHEN")->group("Display");

    CLI::App& compare = add(Command::compare, "compare");
    add_model(compare);
    add_options(compare, nullptr,
                {"reduce", "method", "fixed-step", "points", "checkpoint", "checkpoint-every", "resume"});
    add_compare(compare);
    add_inputs(compare);
    add_class(compare);
    add_display(compare);
    compare.add_flag("-q,--quiet", request.console.quiet, "print errors only")->group("Display");
    compare.add_option("--progress", progress, "auto, always or never")->type_name("WHEN")->group("Display");

    CLI::App& sweep = add(Command::sweep, "sweep");
    add_model(sweep);
    add_options(sweep, nullptr, {"param"});
    add_sweep(sweep);
    add_inputs(sweep);
    add_class(sweep);
    add_display(sweep);
    sweep.add_flag("-q,--quiet", request.console.quiet, "print errors only")->group("Display");
    sweep.add_option("--progress", progress, "auto, always or never")->type_name("WHEN")->group("Display");

    CLI::App& start = add(Command::start, "start");
    add_model(start);
    add_options(start, &Option::of_start);
    add_inputs(start);
    add_class(start);
    add_display(start);
    add_tear(start, tear_start);
    start.add_flag("--alternatives", request.alternatives, "list other admissible sets of free variables")
        ->group("Display");

    for (const auto& [command, name] : {std::pair{Command::analyze, "analyze"}, {Command::explain, "explain"}}) {
        CLI::App& sub = add(command, name);
        add_model(sub);
        add_options(sub, &Option::of_model);
        add_class(sub);
        add_display(sub);
        add_tear(sub, "choose torn variables in the blocks and show them");
        if (command == Command::analyze) add_analyze(sub);
    }
    CLI::App& check = add(Command::check, "check");
    add_model(check);
    check.add_flag("--check-units", request.check_units, "compare the units of sums and equations")
        ->group("What is checked besides");
    add_class(check);
    add_display(check);
    CLI::App& flatten = add(Command::flatten, "flatten");
    add_model(flatten);
    flatten.add_option("-o,--output", request.outputs, "write FILE.mo instead of printing")
        ->type_name("FILE")
        ->expected(1)
        ->group("Steps and output");
    add_class(flatten);
    add_display(flatten);
    CLI::App& format = add(Command::format, "format");
    format.add_option("model", request.model, "a Modelica file, or - for standard input")
        ->type_name("")
        ->option_text("FILE")
        ->required();
    format.add_flag("--in-place", request.format_in_place, "write the file instead of printing");
    format.add_flag("--check", request.format_only_checks, "say by the exit code whether it is formatted already");
    add_display(format);
    CLI::App& derive = add(Command::derive, "derive");
    add_model(derive);
    constexpr const char* which = "What to derive";
    derive
        .add_flag("--stabilized", request.derive_stabilized, "one more multiplier per constraint, against 1/h errors")
        ->group(which);
    derive.add_flag("--lagrange", request.derive_lagrange, "equations of motion from the energies of a .lagrange file")
        ->group(which);
    derive.add_option("--minimize", request.derive_cost, "optimality conditions of ∫ FORMULA dt, controls free")
        ->type_name("FORMULA")
        ->group(which);
    derive.add_option("--expand", request.derive_parameter, "equations of the powers of a small parameter")
        ->type_name("PARAMETER")
        ->group(which);
    derive.add_option("--order", request.derive_order, "highest power of --expand (default: 0, the reduced model)")
        ->type_name("N")
        ->group(which);
    add_class(derive);
    add_display(derive);
    CLI::App& pencil = add(Command::pencil, "pencil");
    const auto add_matrix = [&pencil](const char* name, std::string& path, const char* help) {
        pencil.add_option(name, path, help)->type_name("")->option_text(std::string(name) + ".mtx")->required();
    };
    add_matrix("E", request.matrix_e, "the matrix of x', in Matrix Market format");
    add_matrix("H", request.matrix_h, "the matrix of x");
    pencil.add_option("--noise", request.noise, "relative accuracy of the entries (default: exact up to rounding)")
        ->type_name("NUMBER");
    constexpr const char* exact = "Exact solution of E x' + H x = c(t)";
    pencil.add_option("--forcing", request.forcing, "c: a formula in time per equation, separated by ;  (0: none)")
        ->type_name("FORMULAS")
        ->group(exact);
    pencil.add_option("--x0", request.pencil_start, "initial values at time 0, made consistent (default: 0)")
        ->type_name("NUMBERS")
        ->group(exact);
    pencil.add_option("--until", request.pencil_until, "last time of the table (default: 1)")
        ->type_name("T")
        ->check(CLI::PositiveNumber)
        ->group(exact);
    pencil.add_option("--points", request.pencil_points, "rows of the table (default: 10)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000000))
        ->group(exact);
    add_display(pencil);
    CLI::App& orders = add(Command::orders, "orders");
    orders.add_option("--method", request.order_method, "only this method, or all whose id begins so")
        ->type_name("ID")
        ->group("What to show");
    orders
        .add_option("--class", request.order_class,
                    "only this class of problems, or all that begin so; with --model: which model of the file")
        ->type_name("ID")
        ->group("What to show");
    constexpr const char* on_model = "On a model of your own";
    orders
        .add_option("--model", request.order_model, "measure on this model, with --method NAME,NAME… of `list methods`")
        ->type_name("FILE.mo")
        ->group(on_model);
    orders.add_option("--steps", request.order_steps, "of the coarsest run (default: 16)")
        ->type_name("N")
        ->group(on_model);
    orders.add_option("--runs", request.order_runs, "each with half the step size of the one before (default: 5)")
        ->type_name("N")
        ->group(on_model);
    orders.add_option("-o,--output,--html", request.outputs, "write FILE.csv or FILE.html (repeatable)")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(on_model);
    add_options(orders, nullptr, {"method"});
    add_display(orders);

    CLI::App& reproduce = add(Command::reproduce, "reproduce");
    reproduce.add_option("id", request.reproduction, "what to reproduce, as NC-5.1")->type_name("")->option_text("ID");
    reproduce.add_flag("--list", request.list_reproductions, "name everything that can be reproduced");
    reproduce.add_option("--html", request.page, "write a page with tables and figures")->type_name("FILE");
    add_display(reproduce);

    CLI::App& list = add(Command::list, "list");
    list.add_option("topic", topic, "methods, functions or examples")->type_name("")->option_text("TOPIC")->required();
    add_display(list);
}

template <class Value>
void choose(Diagnostics& problems, const std::string& flag, const std::string& text,
            const std::map<std::string, Value>& values, Value& value) {
    if (const auto found = values.find(text); found != values.end()) {
        value = found->second;
        return;
    }
    std::vector<std::string> names;
    names.reserve(values.size());
    for (const auto& [name, ignored] : values) names.push_back(name);
    const auto close = daedalus::closest(text, names);
    problems.push_back(usage("choice", fmt::format("{} '{}' is not known", flag, text),
                             close ? fmt::format("did you mean '{}'?", *close)
                                   : fmt::format("it is one of {}", fmt::join(names, ", "))));
}

Diagnostics Parser::apply() {
    Diagnostics problems;
    for (const auto& values : given) {
        const Option& option = *values->option;
        if (values->texts.size() > 1 && !option.repeatable()) {
            problems.push_back(usage("twice", fmt::format("--{} is given {} times: {}", option.name,
                                                          values->texts.size(), fmt::join(values->texts, ", "))));
            continue;
        }
        for (const std::string& text : values->texts) {
            auto problem = daedalus::set_option(request.options, option, text);
            if (!problem) continue;
            problem->message = fmt::format("--{} {}: {}", option.name, text, problem->message);
            problems.push_back(std::move(*problem));
        }
    }
    if (Diagnostics wrong = read_inputs(request, request.options); !wrong.empty())
        problems.insert(problems.end(), wrong.begin(), wrong.end());
    choose(problems, "--color", color, modes, request.console.color);
    choose(problems, "--progress", progress, modes, request.progress);
    if (request.command == Command::list)
        choose(problems, "the topic", topic,
               std::map<std::string, Topic>{
                   {"methods", Topic::methods}, {"functions", Topic::functions}, {"examples", Topic::examples}},
               request.topic);
    return problems;
}

/// The flags and commands that could have been meant.
std::vector<std::string> known_words(const CLI::App& app) {
    std::vector<std::string> words;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        words.push_back(sub->get_name());
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    return words;
}

Diagnostic explain(const CLI::App& app, const CLI::ParseError& error, const std::string& program) {
    const auto chosen = app.get_subcommands();
    const CLI::App& where = chosen.empty() ? app : *chosen.front();
    const std::string help = fmt::format("see {}{} --help", program, chosen.empty() ? "" : " " + where.get_name());
    std::vector<std::string> extra = app.remaining(true);
    // Of these errors the text begins with the name of the flag or argument.
    const std::string text = error.what();
    const std::string subject = text.substr(0, text.find_first_of(": "));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return usage("no-value", fmt::format("{} needs a value", subject), help);
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
        return usage("missing", fmt::format("no {} is given", subject), help);
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || extra.empty()) return usage("flags", text, help);
    const std::string word = extra.front().substr(0, extra.front().find('='));
    const auto close = daedalus::closest(word, known_words(where));
    const char* const kind = word.starts_with('-') ? "flag" : chosen.empty() ? "command" : "argument";
    return usage("unknown", fmt::format("unknown {} '{}'", kind, word),
                 close ? fmt::format("did you mean '{}'?", *close) : help);
}

bool asks_for_json(int argc, const char* const* argv) {
    return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

/// The words as given, except that "--init multistart 20" becomes "--init multistart=20": one value per flag, and that
/// `compare` takes --json FILE.json for --output FILE.json: elsewhere --json is a flag.
std::vector<std::string> words_of(int argc, const char* const* argv) {
    std::vector<std::string> words(argv, argv + argc);
    if (words.size() > 1 && words[1] == "compare")
        for (std::size_t k = 2; k + 1 < words.size(); ++k)
            if (words[k] == "--json" && words[k + 1].ends_with(".json")) words[k] = "--output";
    for (std::size_t k = 0; k + 2 < words.size(); ++k) {
        const std::string& number = words[k + 2];
        const bool joined = words[k] == "--init=multistart";
        const std::size_t at = joined ? k : k + 1;
        const std::string& count = joined ? words[k + 1] : number;
        if (!joined && !(words[k] == "--init" && words[k + 1] == "multistart")) continue;
        if (count.empty() || count.find_first_not_of("0123456789") != std::string::npos) continue;
        words[at] += "=" + count;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    return words;
}

} // namespace

std::optional<ExitCode> parse(int argc, const char* const* argv, Request& request) {
    // Called by a path (in a clone: ./daedalus) or found on the PATH.
    const bool by_path = argc > 0 && std::string_view(argv[0]).find('/') != std::string_view::npos;
    request.program = by_path ? "./daedalus" : "daedalus";
    Parser parser(request);
    parser.build();
    try {
        std::vector<const char*> pointers;
        const std::vector<std::string> words = words_of(argc, argv);
        for (const std::string& word : words) pointers.push_back(word.c_str());
        parser.app.parse(static_cast<int>(pointers.size()), pointers.data());
    } catch (const CLI::Success& answer) { // --help, --version
        return static_cast<ExitCode>(parser.app.exit(answer));
    } catch (const CLI::ParseError& error) {
        request.console.json = asks_for_json(argc, argv);
        return request.console.fail({explain(parser.app, error, request.program)});
    }
    if (request.command == Command::none) {
        std::fputs(parser.app.help().c_str(), stderr);
        return ExitCode::usage;
    }
    if (const Diagnostics problems = parser.apply(); !problems.empty()) return request.console.fail(problems);
    return std::nullopt;
}

} // namespace cli
