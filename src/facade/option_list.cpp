#include "daedalus/option_list.hpp"

#include "base/diagnostic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <concepts>

namespace daedalus {

namespace {

constexpr std::string_view interval = "Interval", method = "Method and accuracy", values = "Values",
                           steps = "Steps and output";

constexpr Option list[] = {
    {"until", "T", interval, "end time (default: the model's StopTime)", &SolveOptions::until},
    {.name = "from",
     .value = "T",
     .group = interval,
     .help = "start time (default: the model's StartTime, or 0)",
     .member = &SolveOptions::from,
     .of_start = true},
    {"stop-at", "T", interval, "a time that is reached exactly by a step", &SolveOptions::stop_times},
    {"stop-when", "CONDITION", interval, "end the run where this becomes true, for example \"x < 0\"",
     &SolveOptions::stop_when},
    {"method", "NAME", method, "auto, radau, bdf, …; see `list methods`", &SolveOptions::method},
    {"linear-solver", "NAME", method, "auto, dense, straight-line, klu or umfpack", &SolveOptions::linear_solver},
    {"rtol", "R", method, "relative tolerance (default: the model's Tolerance, or 1e-6)", &SolveOptions::rtol, 0.0},
    {"atol", "A", method, "absolute tolerance, in units of each variable's nominal value (default: rtol/1000)",
     &SolveOptions::atol, 0.0},
    {"atol-of", "NAME=A", method, "absolute tolerance of one variable", &SolveOptions::atol_each, 0.0, true},
    {"rtol-of", "NAME=R", method, "relative tolerance of one variable", &SolveOptions::rtol_each, 0.0, true},
    {.name = "reduce",
     .value = "HOW",
     .group = method,
     .help = "how the index is reduced: auto, none (equations as written), dummy (dummy derivatives), underlying-ode, "
             "projection, ggl, baumgarte, index2, stabilised-index1, derivative-array or campbell-moore; of mechanisms "
             "also "
             "overdetermined, project-position, project-velocity, partition, minimal, tangent, penalty, knorrenschild "
             "or hanke",
     .member = &SolveOptions::reduction,
     .of_model = true,
     .of_start = true},
    {"certify", "WHAT", method,
     "what is checked against the equations: none, steps or all (the default: also between steps)",
     &SolveOptions::certify},
    {.name = "baumgarte-alpha",
     .value = "A",
     .group = method,
     .help = "decay rate of constraints for --reduce baumgarte (default: from the start)",
     .member = &SolveOptions::baumgarte_alpha,
     .least = 0.0,
     .above = true,
     .of_model = true},
    {.name = "baumgarte-beta",
     .value = "B",
     .group = method,
     .help = "with alpha of --reduce baumgarte: g'' + 2 A g' + B^2 g = 0 (default: B = A)",
     .member = &SolveOptions::baumgarte_beta,
     .least = 0.0,
     .above = true,
     .of_model = true},
    {.name = "epsilon",
     .value = "E",
     .group = method,
     .help = "small parameter of --reduce penalty, knorrenschild and hanke (default: from the tolerance)",
     .member = &SolveOptions::epsilon,
     .least = 0.0,
     .above = true,
     .of_model = true},
    {.name = "epsilon-mu",
     .value = "MU",
     .group = method,
     .help = "second small parameter of --reduce knorrenschild and hanke (default: epsilon)",
     .member = &SolveOptions::epsilon_mu,
     .least = 0.0,
     .of_model = true},
    {.name = "no-jit",
     .value = "",
     .group = method,
     .help = "interpret the equations instead of compiling them to machine code",
     .member = &SolveOptions::machine_code,
     .of_start = true},
    {.name = "no-aliases",
     .value = "",
     .group = method,
     .help = "keep variables that are only another name, or known",
     .member = &SolveOptions::eliminate_aliases,
     .of_model = true,
     .of_start = true},
    {.name = "param",
     .value = "NAME=VALUE",
     .group = values,
     .help = "value of a parameter",
     .member = &SolveOptions::parameters,
     .of_model = true,
     .of_start = true},
    {.name = "start",
     .value = "NAME=VALUE",
     .group = values,
     .help = "initial value that must hold, of x or der(x)",
     .member = StartStrength::fixed,
     .of_start = true},
    {.name = "prefer",
     .value = "NAME=VALUE",
     .group = values,
     .help = "initial value that is kept as well as possible",
     .member = StartStrength::preferred,
     .of_start = true},
    {.name = "guess",
     .value = "NAME=VALUE",
     .group = values,
     .help = "initial value to search from",
     .member = StartStrength::guess,
     .of_start = true},
    {.name = "strict",
     .value = "",
     .group = values,
     .help = "refuse start values that contradict the equations, in place of changing them",
     .member = &SolveOptions::strict,
     .of_start = true},
    {.name = "init",
     .value = "HOW",
     .group = values,
     .help = "steady: all derivatives vanish at the start; multistart N: try N other starts and list the solutions",
     .member = &SolveOptions::initial,
     .of_start = true},
    {"points", "N", steps, "output points, equally spaced; 0: one per step (default: 500)", &SolveOptions::points, 0.0},
    {"integral", "NAME=EXPRESSION", steps, "a further variable: the integral of the expression from the start on",
     &SolveOptions::integrals},
    {"first-step", "H", steps, "first step size (default: chosen)", &SolveOptions::first_step, 0.0, true},
    {"fixed-step", "H", steps, "every step has this size, and no error is estimated (for experiments with orders)",
     &SolveOptions::fixed_step, 0.0, true},
    {"end-of-step", "HOW", steps,
     "algebraic variables at the end of an implicit Runge-Kutta step: auto, direct (combined from the stages), "
     "indirect "
     "(from the constraints) or projected (index 2: onto the constraint, then from the hidden one)",
     &SolveOptions::end_of_step},
    {"start-up", "HOW", steps,
     "of bdf1 to bdf6 on index 3 as written: exact, numerical (velocities begin as the difference equations want them: "
     "multipliers are accurate from the first step) or corrected (bdf1: multipliers of the first step afterwards)",
     &SolveOptions::start_up},
    {"max-step", "H", steps, "largest step size", &SolveOptions::max_step, 0.0, true},
    {"max-steps", "N", steps, "give up after so many steps (default: 10 million)", &SolveOptions::max_steps, 1.0},
    {.name = "no-quadratures",
     .value = "",
     .group = steps,
     .help = "integrate running integrals with the rest of the system, instead of by quadrature along the solution",
     .member = &SolveOptions::quadratures},
    {.name = "no-bounds",
     .value = "",
     .group = steps,
     .help = "let variables leave their min and max",
     .member = &SolveOptions::keep_bounds},
    {"checkpoint", "FILE", steps, "write now and then what is needed to go on after an interruption",
     &SolveOptions::checkpoint},
    {"checkpoint-every", "N", steps, "steps from one checkpoint to the next, a multiple of 2000 (default: 2000)",
     &SolveOptions::checkpoint_every, 1.0},
    {"resume", "FILE", steps,
     "go on from a checkpoint: the result is that of a run with --checkpoint that was not interrupted",
     &SolveOptions::resume},
    {"max-order", "K", steps, "highest order of BDF, 1 to 6 (default: 5)", &SolveOptions::max_order, 1.0, false, 6.0},
};

Diagnostic bad(std::string message, std::string hint = {}) {
    return make_error("bad-option", std::move(message), std::move(hint));
}

std::string_view trimmed(std::string_view text) {
    const auto from = text.find_first_not_of(" \t");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::optional<Diagnostic> check_range(const Option& option, double value, std::string_view text) {
    if (value < option.least || value > option.most || (option.above && value == option.least)) {
        std::string must = option.above                 ? fmt::format("greater than {}", option.least)
                           : std::isfinite(option.most) ? fmt::format("between {} and {}", option.least, option.most)
                                                        : fmt::format("at least {}", option.least);
        return bad(fmt::format("{} is not possible: it must be {}", text, must));
    }
    return std::nullopt;
}

/// A finite number in the notation of C, whatever the locale: 10, -0.5, 1e-6.
template <class Number>
std::optional<Diagnostic> read(const Option& option, std::string_view text, Number& value) {
    std::string_view digits = trimmed(text);
    if (digits.starts_with('+') && !digits.substr(1).starts_with('-')) digits.remove_prefix(1);
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc::result_out_of_range)
        return bad(fmt::format("'{}' is too large or too small for a number", text));
    if (error != std::errc() || stop != end) {
        if constexpr (std::integral<Number>) {
            double fraction = 0.0;
            if (!read(option, text, fraction)) return bad(fmt::format("'{}' is not a whole number", text));
        }
        std::string hint;
        if (text.find(',') != std::string_view::npos) hint = "decimals follow a point: 0.5";
        return bad(text.empty() ? "a number is missing" : fmt::format("'{}' is not a number", text), hint);
    }
    if constexpr (std::floating_point<Number>)
        if (!std::isfinite(value)) return bad(fmt::format("'{}' is not a finite number", text));
    return check_range(option, static_cast<double>(value), text);
}

std::optional<Diagnostic> read(const Option& option, std::string_view text, std::pair<std::string, double>& value) {
    const auto sign = text.find('=');
    const std::string_view name = trimmed(text.substr(0, sign));
    if (sign == std::string_view::npos)
        return bad(fmt::format("'{}' has no '='", text), fmt::format("write {}", option.value));
    if (name.empty())
        return bad(fmt::format("'{}' has no name before '='", text), fmt::format("write {}", option.value));
    value.first = name;
    return read(option, text.substr(sign + 1), value.second);
}

std::optional<Diagnostic> read(const Option&, std::string_view text, std::string& value) {
    value = trimmed(text);
    if (value.empty()) return bad("an expression is missing");
    return std::nullopt;
}

std::optional<Diagnostic> read(const Option& option, std::string_view text,
                               std::pair<std::string, std::string>& value) {
    const auto sign = text.find('=');
    const std::string_view name = trimmed(text.substr(0, sign));
    if (sign == std::string_view::npos || name.empty())
        return bad(fmt::format("'{}' has no name and '='", text), fmt::format("write {}", option.value));
    value.first = name;
    return read(option, text.substr(sign + 1), value.second);
}

struct Setter {
    SolveOptions& options;
    const Option& option;
    std::string_view text;

    std::optional<Diagnostic> operator()(std::string SolveOptions::*member) const {
        if (text.empty()) return bad("a name is missing");
        options.*member = text;
        return std::nullopt;
    }
    std::optional<Diagnostic> operator()(bool SolveOptions::*member) const {
        if (!text.empty()) return bad("takes no value");
        options.*member = !option.name.starts_with("no-");
        return std::nullopt;
    }
    std::optional<Diagnostic> operator()(Certify SolveOptions::*member) const {
        constexpr std::pair<std::string_view, Certify> names[] = {
            {"none", Certify::none}, {"steps", Certify::steps}, {"all", Certify::all}};
        for (const auto& [name, value] : names)
            if (text == name) {
                options.*member = value;
                return std::nullopt;
            }
        return bad(fmt::format("'{}' is not known", text), "use none, steps or all");
    }
    std::optional<Diagnostic> operator()(Reduction SolveOptions::*member) const {
        std::vector<std::string> known;
        for (const Reduction value : all_reductions) {
            if (text == to_string(value)) {
                options.*member = value;
                return std::nullopt;
            }
            known.emplace_back(to_string(value));
        }
        const auto close = closest(text, known);
        return bad(fmt::format("'{}' is not known", text),
                   close ? fmt::format("did you mean '{}'?", *close) : fmt::format("use {}", fmt::join(known, ", ")));
    }
    std::optional<Diagnostic> operator()(InitialOptions SolveOptions::*member) const {
        InitialOptions& initial = options.*member;
        if (text == "steady") {
            initial.steady_state = true;
            return std::nullopt;
        }
        const auto cut = text.find_first_of("= ");
        const std::string_view word = text.substr(0, cut);
        if (word == "multistart") {
            if (cut == std::string_view::npos) return bad("how many starts?", "write multistart=20");
            int starts = 0;
            if (auto problem = read(option, text.substr(cut + 1), starts)) return problem;
            if (starts < 1) return bad(fmt::format("{} starts cannot be tried", starts));
            initial.multistart = starts;
            return std::nullopt;
        }
        const auto close = closest(word, {"steady", "multistart"});
        return bad(fmt::format("'{}' is not known", text),
                   close ? fmt::format("did you mean '{}'?", *close) : "use steady or multistart=N");
    }
    std::optional<Diagnostic> operator()(StartStrength strength) const {
        std::pair<std::string, double> value;
        if (auto problem = read(option, text, value)) return problem;
        options.starts.push_back({value.first, value.second, strength});
        return std::nullopt;
    }
    template <class T>
    std::optional<Diagnostic> operator()(T SolveOptions::*member) const {
        return read(option, text, options.*member);
    }
    std::optional<Diagnostic> operator()(std::optional<double> SolveOptions::*member) const {
        return read(option, text, (options.*member).emplace());
    }
    template <class T>
    std::optional<Diagnostic> operator()(std::vector<T> SolveOptions::*member) const {
        return read(option, text, (options.*member).emplace_back());
    }
};

} // namespace

bool Option::repeatable() const {
    return std::holds_alternative<StartStrength>(member) ||
           std::holds_alternative<InitialOptions SolveOptions::*>(member) ||
           std::holds_alternative<std::vector<double> SolveOptions::*>(member) ||
           std::holds_alternative<std::vector<std::string> SolveOptions::*>(member) ||
           std::holds_alternative<std::vector<std::pair<std::string, std::string>> SolveOptions::*>(member) ||
           std::holds_alternative<std::vector<std::pair<std::string, double>> SolveOptions::*>(member);
}

std::span<const Option> option_list() { return list; }

std::optional<Diagnostic> set_option(SolveOptions& options, const Option& option, std::string_view text) {
    return std::visit(Setter{options, option, text}, option.member);
}

} // namespace daedalus
