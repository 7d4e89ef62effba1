#include "attempt.hpp"

#include "daedalus/daedalus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attack {

namespace {

constexpr double allowed = 10.0; // tolerances: error per unit step adds up over an interval of a few time constants

struct NamedReduction {
    const char* name;
    daedalus::Reduction value;
};
using daedalus::Reduction;
constexpr NamedReduction reductions[] = {{"automatic", Reduction::automatic},
                                         {"none", Reduction::none},
                                         {"dummy", Reduction::dummy},
                                         {"underlying-ode", Reduction::underlying_ode},
                                         {"projection", Reduction::projection},
                                         {"ggl", Reduction::ggl},
                                         {"baumgarte", Reduction::baumgarte},
                                         {"derivative-array", Reduction::derivative_array},
                                         {"campbell-moore", Reduction::campbell_moore}};

// Tolerances as the program understands them, relative to the largest value on the interval: what passes zero is not
// meant to be exact there.
double error_in_tolerances(const RandomModel& m, const daedalus::Solution& s, double rtol, std::string& where) {
    const double atol = std::min(rtol, std::max(1e-3 * rtol, 1e-12));
    const std::size_t n = m.names.size();
    std::vector<double> weight(n, 0.0);
    const auto exact = [&](std::size_t i, double t) { return m.scale[i] * m.exact[i](t); };
    for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k <= 100; ++k) weight[i] = std::max(weight[i], std::abs(exact(i, m.until * k / 100.0)));
        weight[i] = rtol * weight[i] + atol * m.nominal[i];
    }
    double worst = 0.0;
    for (std::size_t p = 0; p < s.time().size(); ++p) {
        double sum = 0.0, largest = 0.0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double error = (s[m.names[i]][p] - exact(i, s.time()[p])) / weight[i];
            sum += error * error;
            if (std::abs(error) > largest) {
                largest = std::abs(error);
                at = i;
            }
        }
        const double here = std::isfinite(sum) ? std::sqrt(sum / static_cast<double>(n)) : HUGE_VAL;
        if (here <= worst) continue;
        worst = here;
        where = fmt::format("largest in {} at t = {:.3g}", m.names[at], s.time()[p]);
    }
    return worst;
}

template <std::size_t N>
void put(char (&to)[N], const std::string& text) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::copy_n(text.begin(), length, to);
    to[length] = '\0';
}

void say(Attempt& a, const std::string& text) { put(a.message, text); }

/// Warnings that tell a user what of a result not to trust.
std::string doubts(const daedalus::Diagnostics& list) {
    std::string codes;
    for (const char* code : {"growing-errors", "magnified-rounding", "magnified-errors", "singular-start"})
        if (std::any_of(list.begin(), list.end(), [&](const auto& d) { return d.code == code; }))
            codes += (codes.empty() ? "" : ", ") + std::string(code);
    return codes;
}

Attempt run_here(const RandomModel& m, const Setting& s) {
    Attempt a;
    const auto model = daedalus::Model::from_string(m.text, fmt::format("seed{}.mo", m.seed));
    if (!model) {
        say(a, "not read: " + model.error().front().message);
        return a;
    }
    daedalus::SolveOptions o;
    o.rtol = s.rtol;
    o.method = s.method;
    o.points = 50;
    for (const NamedReduction& r : reductions)
        if (s.reduction == r.name) o.reduction = r.value;
    const auto solution = daedalus::solve(*model, o);
    if (!solution) {
        say(a, fmt::format("[{}] {}", solution.error().front().code, solution.error().front().message));
        return a;
    }
    std::string where;
    a.error = error_in_tolerances(m, *solution, s.rtol, where);
    a.residual = solution->residual_in_tolerances();
    const bool right = a.error <= allowed;
    const auto& list = solution->diagnostics();
    put(a.said, doubts(list));
    const bool refused = std::any_of(list.begin(), list.end(), [](const auto& d) { return d.code == "not-certified"; });
    say(a, where + (solution->message().empty() ? "" : "; " + solution->message()));
    if (solution->success())
        a.verdict = right ? Verdict::right : Verdict::wrong;
    else if (refused)
        a.verdict = right ? Verdict::refused_right : Verdict::refused_wrong;
    return a;
}

} // namespace

Setting setting(std::uint64_t seed, int k) {
    std::mt19937_64 random(seed * 7919 + static_cast<std::uint64_t>(k) * 104729);
    const auto pick = [&](auto size) { return static_cast<std::size_t>(random() % size); };
    Setting s;
    s.rtol = std::pow(10.0, -2.0 - static_cast<double>(pick(9U)));
    if (k == 0) return s;
    if (pick(2U) == 0) {
        const auto methods = daedalus::methods();
        s.method = methods[pick(methods.size())].name;
    } else
        s.reduction = reductions[1 + pick(std::size(reductions) - 1)].name;
    return s;
}

std::string command_line(const Setting& s) {
    return fmt::format("--rtol {:.0e} --method {} --reduce {}", s.rtol, s.method,
                       s.reduction == "automatic" ? "auto" : s.reduction);
}

Attempt attempt(const RandomModel& model, const Setting& setting, int seconds) {
    Attempt result;
    int ends[2];
    if (pipe(ends) != 0) return result;
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        setpgid(0, 0); // Ctrl-C is meant for the attack, which waits for this run
        const rlimit no_core{0, 0}, limit{static_cast<rlim_t>(seconds), static_cast<rlim_t>(seconds + 1)};
        setrlimit(RLIMIT_CORE, &no_core);
        setrlimit(RLIMIT_CPU, &limit);
        const Attempt a = run_here(model, setting);
        const bool written = write(ends[1], &a, sizeof a) == static_cast<ssize_t>(sizeof a);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    const bool answered = read(ends[0], &result, sizeof result) == static_cast<ssize_t>(sizeof result);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!answered) {
        result.verdict = Verdict::crashed;
        say(result, WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
                        ? fmt::format("still running after {} s", seconds)
                        : fmt::format("ended by signal {}", WIFSIGNALED(status) ? WTERMSIG(status) : 0));
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
}

} // namespace attack
