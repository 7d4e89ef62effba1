// The ratio of error to tolerance on random problems with known solutions, over index, stiffness, tolerance and method.
// Set DAEDALUS_ROBUSTNESS=1000 for the full study, and DAEDALUS_ROBUSTNESS_METHODS=bdf,limex for some methods only.
#include "facade/random_problem.hpp"

#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Studied {
    const char* method;
    double tightest; ///< log10 of the smallest tolerance asked of it: low orders would take for ever
    bool explicit_method = false;
};
constexpr Studied studied[] = {
    {"auto", -11},    {"radau", -11},   {"radau1", -4},   {"radau5", -11},       {"radau9", -11},
    {"radau13", -11}, {"radau17", -11}, {"bdf", -11},     {"rodas3", -7},        {"rodas4", -10},
    {"rodas4p", -9},  {"rodas5", -11},  {"rodas6", -11},  {"esdirk3", -8},       {"esdirk4", -10},
    {"esdirk5", -11}, {"limex", -11},   {"midpoint", -6}, {"dop853", -11, true}, {"dopri5", -10, true},
};
/// Runs that would take for ever end: stability limits the steps of explicit methods on stiff problems.
constexpr long steps_of_explicit = 20'000, steps_of_others = 1'000'000;

/// Largest error at the output points over what is allowed there: x and z.
double error_ratio(const RandomProblem& p, const Solution& s, double tol) {
    double ratio = 0;
    const auto compare = [&](const char* name, const std::vector<Wave>& waves, double allowance) {
        for (std::size_t i = 0; i < waves.size(); ++i) {
            const auto values = s[fmt::format("{}{}", name, i)];
            for (std::size_t j = 0; j < values.size(); ++j) {
                const double exact = waves[i].at(s.time()[j]);
                const double now = std::abs(values[j] - exact) / (tol * (1 + std::abs(exact)) * allowance);
                if (!(now <= ratio)) ratio = now; // NaN counts
            }
        }
    };
    compare("x", p.x, 1.0);
    // Multipliers of forces that stiffness amplifies are known to that much less.
    compare("z", p.z, p.index == 1 ? 1.0 : 10.0 * std::max(1.0, p.stiffness));
    return ratio;
}

bool wanted(const char* method) {
    const char* list = std::getenv("DAEDALUS_ROBUSTNESS_METHODS");
    if (list == nullptr) return true;
    return ("," + std::string(list) + ",").find("," + std::string(method) + ",") != std::string::npos;
}

TEST(Robustness, ErrorsOfRandomProblemsStayNearTheTolerance) {
    const char* count_wanted = std::getenv("DAEDALUS_ROBUSTNESS");
    const int problems = count_wanted != nullptr ? std::atoi(count_wanted) : 25;
    struct Tally {
        std::map<int, std::vector<double>> ratios; ///< by index
        int runs = 0, stiff = 0;
        std::vector<std::string> failures, beyond;
    };
    std::map<std::string, Tally> tallies;
    for (int k = 0; k < problems; ++k) {
        Generator generator(1000U + static_cast<unsigned>(k));
        const RandomProblem p = generator.make();
        const double depth = generator.between(0, 1); // 0: 1e-3, 1: the tightest of the method
        auto model = Model::from_string(p.model);
        ASSERT_TRUE(model) << render(model.error()) << p.model;
        for (const Studied& m : studied) {
            if (!wanted(m.method)) continue;
            const double tol = std::pow(10.0, -3 + depth * (m.tightest + 3));
            SolveOptions options{.until = 5, .method = m.method, .rtol = tol, .atol = tol, .points = 50};
            options.max_steps = m.explicit_method ? steps_of_explicit : steps_of_others;
            const auto s = solve(*model, options);
            const std::string what =
                fmt::format("seed {} (index {}, stiffness {:.1e}, tol {:.1e})", 1000 + k, p.index, p.stiffness, tol);
            Tally& tally = tallies[m.method];
            ++tally.runs;
            if (m.explicit_method && p.stiffness > 1 && s && !s->success()) {
                ++tally.stiff;
                continue;
            }
            if (!s || !s->success()) {
                tally.failures.push_back(what + ": " + (s ? s->message() : render(s.error())));
                continue;
            }
            const double ratio = error_ratio(p, *s, tol);
            tally.ratios[p.index].push_back(ratio);
            if (!(ratio <= 10)) tally.beyond.push_back(fmt::format("{}: {:.3g}", what, ratio));
        }
    }
    fmt::print("error / tolerance    runs   median      90 %      99 %   largest\n");
    for (auto& [method, tally] : tallies)
        for (auto& [index, list] : tally.ratios) {
            std::sort(list.begin(), list.end());
            const auto part = [&](double q) {
                return list[static_cast<std::size_t>(q * static_cast<double>(list.size() - 1))];
            };
            fmt::print("{:10} index {} {:6} {:8.2g}  {:8.2g}  {:8.2g}  {:8.2g}\n", method, index, list.size(),
                       part(0.5), part(0.9), part(0.99), list.back());
        }
    for (const auto& [method, tally] : tallies) {
        for (const std::string& line : tally.beyond) fmt::print("{}, beyond 10: {}\n", method, line);
        for (const std::string& line : tally.failures) fmt::print("{}, failed: {}\n", method, line);
        if (tally.stiff > 0) fmt::print("{}: {} stiff problems left to others\n", method, tally.stiff);
        // 99 % of all are solved, and within ten times the tolerance: all of a few. A failure says so.
        EXPECT_LE(static_cast<double>(tally.failures.size() + tally.beyond.size()), 0.01 * tally.runs) << method;
    }
}

} // namespace
