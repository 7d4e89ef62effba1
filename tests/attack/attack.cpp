// attack [--minutes M | --hours H | --models N] [--seed S] [--settings K] [--limit SECONDS] [--reduce R] [--show]
//        [--one SEED] [--seeds FILE] [--program RUNS [--kind KIND]]
// Random DAEs with exact solutions through the public interface, then RUNS attacks of each kind (or of one) on the
// program from outside; counts every minute, and tables of what became of them at the end, also where Ctrl-C or SIGTERM
// ends it early. The exit status is 1 if a run was wrong with success, crashed or
// did not end.
#include "attempt.hpp"
#include "fuzz/stop_request.hpp"
#include "program_attack.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using Counts = std::array<long, attack::verdicts>;
constexpr const char* titles[attack::verdicts] = {"right",         "WRONG",  "refused right",
                                                  "refused wrong", "failed", "crashed"};

void print_table(const char* title, const std::map<std::string, Counts>& table) {
    fmt::print("\n{:<28}", title);
    for (const char* t : titles) fmt::print("{:>15}", t);
    Counts sum{};
    for (const auto& [name, counts] : table) {
        fmt::print("\n{:<28}", name);
        for (std::size_t v = 0; v < counts.size(); ++v) {
            fmt::print("{:>15}", counts[v]);
            sum[v] += counts[v];
        }
    }
    fmt::print("\n{:<28}", "all");
    for (const long count : sum) fmt::print("{:>15}", count);
    fmt::print("\n");
}

void print_counts(const std::map<std::string, Counts>& table, long models, double minutes) {
    fmt::print("// {} models, {:.1f} minutes:", models, minutes);
    for (std::size_t v = 0; v < attack::verdicts; ++v) {
        long sum = 0;
        for (const auto& [name, counts] : table) sum += counts[v];
        fmt::print(" {} {}{}", sum, titles[v], v + 1 < attack::verdicts ? "," : "\n");
    }
    std::fflush(stdout);
}

/// The number of runs that must not be.
long attack_program(const std::string& one_kind, std::uint64_t seed, long runs, int limit) {
    fmt::print("\n{:<14}{:>8}{:>11}{:>10}{:>9}{:>7}{:>7}{:>14}\n", "program", "runs", "success", "refused", "signals",
               "hangs", "wrong", "undocumented");
    long unacceptable = 0;
    for (const std::string& kind : attack::program_kinds()) {
        if (daedalus::fuzz::stop_requested != 0) break;
        if (!one_kind.empty() && kind != one_kind) continue;
        const attack::ProgramCounts c =
            attack::attack_program(kind, seed, runs, limit, DAEDALUS_PROGRAM, DAEDALUS_EXAMPLES);
        fmt::print("{:<14}{:>8}{:>11}{:>10}{:>9}{:>7}{:>7}{:>14}\n", kind, c.runs, c.successes, c.refusals, c.signals,
                   c.hangs, c.wrong, c.undocumented);
        std::fflush(stdout);
        unacceptable += c.unacceptable();
    }
    return unacceptable;
}

/// Of the largest error of a run, in tolerances; what is above 10 is wrong.
const char* range_of(double error) {
    static constexpr std::array<std::pair<double, const char*>, 7> ranges{{{0.01, "up to 0.01"},
                                                                           {0.1, "up to 0.1"},
                                                                           {1.0, "up to 1"},
                                                                           {3.4, "up to 3.4"},
                                                                           {10.0, "up to 10"},
                                                                           {100.0, "up to 100"},
                                                                           {1000.0, "up to 1000"}}};
    for (const auto& [limit, name] : ranges)
        if (error <= limit) return name;
    return "more";
}

} // namespace

int main(int argc, char** argv) {
    double minutes = 3.0;
    long models = 1'000'000'000;
    std::uint64_t seed = 1;
    int settings = 2, limit = 20;
    bool show = false, one = false;
    std::string reduction, kind;
    long program_runs = 0;
    std::vector<std::uint64_t> list;
    for (int i = 1; i < argc; ++i) {
        const std::string flag = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::atof(argv[++i]) : 0.0; };
        if (flag == "--minutes")
            minutes = value();
        else if (flag == "--hours")
            minutes = 60.0 * value();
        else if (flag == "--models")
            models = static_cast<long>(value());
        else if (flag == "--seed")
            seed = static_cast<std::uint64_t>(value());
        else if (flag == "--settings")
            settings = static_cast<int>(value());
        else if (flag == "--limit")
            limit = static_cast<int>(value());
        else if (flag == "--program")
            program_runs = static_cast<long>(value());
        else if (flag == "--kind" && i + 1 < argc)
            kind = argv[++i];
        else if (flag == "--reduce" && i + 1 < argc)
            reduction = argv[++i];
        else if (flag == "--seeds" && i + 1 < argc) {
            std::ifstream file(argv[++i]);
            for (std::uint64_t number = 0; file >> number;) list.push_back(number);
            models = static_cast<long>(list.size());
        } else if (flag == "--show")
            show = true;
        else if (flag == "--one") {
            seed = static_cast<std::uint64_t>(value());
            models = 1;
            show = one = true;
        } else {
            fmt::print(stderr, "attack: unknown flag {}; see the first lines of tests/attack/attack.cpp\n", flag);
            return 2;
        }
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 60.0;
    };
    std::map<std::string, Counts> by_family, by_index, by_setting, by_error, by_residual, by_said;
    long unacceptable = 0;
    long done = 0;
    double said = 0.0;
    daedalus::fuzz::stop_on_request();
    for (; done < models && elapsed() < minutes && daedalus::fuzz::stop_requested == 0; ++done, ++seed) {
        if (!list.empty()) seed = list[static_cast<std::size_t>(done)];
        const attack::RandomModel model = attack::random_model(seed);
        if (one) fmt::print("{}", model.text);
        for (int k = 0; k < settings; ++k) {
            attack::Setting s = attack::setting(seed, k);
            if (!reduction.empty()) s.reduction = reduction;
            const attack::Attempt a = attack::attempt(model, s, limit);
            const auto v = static_cast<std::size_t>(a.verdict);
            ++by_family[model.family][v];
            ++by_index[fmt::format("index {}", model.index)][v];
            ++by_setting[s.reduction != "automatic" ? "reduce " + s.reduction : "method " + s.method][v];
            if (a.verdict < attack::Verdict::failed)
                ++by_residual[a.residual > 30.0   ? "more than 30 tolerances"
                              : a.residual > 10.0 ? "10 to 30"
                              : a.residual > 1.0  ? "1 to 10"
                                                  : "0 to 1"][v];
            if (a.verdict < attack::Verdict::failed) ++by_said[a.said[0] != '\0' ? a.said : "nothing"][v];
            if (a.verdict < attack::Verdict::failed) ++by_error[range_of(a.error)][v];
            const bool bad = a.verdict == attack::Verdict::wrong || a.verdict == attack::Verdict::crashed;
            unacceptable += bad ? 1 : 0;
            if (show && a.verdict != attack::Verdict::right)
                fmt::print("seed {} ({}, index {}) {}: {}, error {:.3g}, {:.2f} s {}{}{}\n", seed, model.family,
                           model.index, attack::command_line(s), titles[v], a.error, a.seconds, a.message,
                           a.said[0] != '\0' ? "; said: " : "", a.said);
            else if (bad)
                fmt::print("// {}: error {:.3g} tolerances; {}\n{}\n", attack::command_line(s), a.error, a.message,
                           model.text);
            std::fflush(stdout);
        }
        if (elapsed() < said + 1.0) continue;
        said = elapsed();
        print_counts(by_family, done + 1, said);
    }
    fmt::print("\n{} models, {:.1f} minutes\n", done, elapsed());
    print_table("family", by_family);
    print_table("index", by_index);
    print_table("setting", by_setting);
    print_table("largest residual", by_residual);
    print_table("largest error over tolerance", by_error);
    print_table("said of it", by_said);
    if (program_runs > 0) unacceptable += attack_program(kind, seed, program_runs, limit);
    return unacceptable == 0 ? 0 : 1;
}
