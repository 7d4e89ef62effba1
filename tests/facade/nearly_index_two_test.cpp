// ε x' + a x + … with a small ε, and an unknown that follows x': its error is that of a slope, which error tests of the
// ends of steps do not see, and round-off over ε, which no tolerance can go below.
#include "daedalus/daedalus.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace daedalus {
namespace {

struct Outcome {
    double worst = 0.0; ///< of w, in tolerances
    long steps = 0;
    bool warned = false;
};

// v = x, and w follows v': x = v = sin 2t, w = 1/(1 + t).
Outcome solved(double epsilon, double rtol, const char* method) {
    const auto model = Model::from_string(fmt::format(R"(model Follows
  parameter Real epsilon = {:.17g};
  Real x(start = 0), v(start = 0), w(start = 1);
equation
  epsilon*der(x) + 1.34*x - 0.43*sin(v) = 2*epsilon*cos(2*time) + 1.34*sin(2*time) - 0.43*sin(sin(2*time));
  v = x;
  der(v) - w - 0.1*w^3 + 0.07*v^2 = 2*cos(2*time) - 1/(1 + time) - 0.1/(1 + time)^3 + 0.07*sin(2*time)^2;
end Follows;
)",
                                                      epsilon));
    EXPECT_TRUE(model.has_value());
    const auto s = solve(*model, {.until = 2, .method = method, .rtol = rtol, .points = 50});
    EXPECT_TRUE(s.has_value() && s->success()) << epsilon << " " << rtol << " " << method;
    Outcome outcome;
    if (!s.has_value()) return outcome;
    for (std::size_t k = 0; k < s->time().size(); ++k)
        outcome.worst = std::max(outcome.worst, std::abs((*s)["w"][k] - 1 / (1 + s->time()[k])) / rtol);
    for (const auto& [name, count] : s->statistics())
        if (name == "steps") outcome.steps = count;
    for (const Diagnostic& d : s->diagnostics()) outcome.warned = outcome.warned || d.severity == Severity::warning;
    return outcome;
}

TEST(NearlyIndexTwo, SlopesAreAsExactAsTheToleranceAsks) {
    for (const double epsilon : {1e-5, 1e-6})
        for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10})
            for (const char* method : {"auto", "radau5"})
                EXPECT_LT(solved(epsilon, rtol, method).worst, 10.0) << epsilon << " " << rtol << " " << method;
}

// Noise keeps steps at the size of ε where longer ones are quiet: millions of them.
TEST(NearlyIndexTwo, RunsDoNotCreepInNoise) {
    for (const double rtol : {1e-8, 3e-9, 1e-9, 3e-10}) {
        const Outcome outcome = solved(1e-8, rtol, "auto");
        EXPECT_LT(outcome.steps, 50'000) << rtol;
        EXPECT_TRUE(outcome.worst < 10.0 || outcome.warned) << rtol << " " << outcome.worst;
    }
}

} // namespace
} // namespace daedalus
