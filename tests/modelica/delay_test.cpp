// Delayed values against closed forms: the method of steps by hand, reflections on a line, known functions of time.
#include "facade/solving.hpp"

#include <atomic>
#include <cmath>
#include <filesystem>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// x' = −x(t − 1), x = 1 before 0: on each unit of time a polynomial more (El'sgol'ts & Norkin 1973).
double first_order(double t) {
    double sum = 0.0, term = 1.0; // of (−1)^k (t − k + 1)^k / k!
    for (int k = 0; t >= k - 1; ++k) {
        term = k == 0 ? 1.0 : std::pow(-(t - k + 1), k) / std::tgamma(k + 1.0);
        sum += term;
    }
    return sum;
}
const char* const first_order_model = "model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 1); end M;";

TEST(Delay, PolynomialsOfTheMethodOfSteps) {
    const Solution s = solved(first_order_model, {.until = 6.0, .rtol = 1e-9, .atol = 1e-10, .points = 60});
    const auto t = s.time(), x = s["x"];
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(x[k], first_order(t[k]), 1e-7) << t[k];
}

TEST(Delay, EveryMethod) {
    for (const std::string& method : every_method()) {
        const Solution s = run(first_order_model, {.until = 3.0, .method = method, .rtol = 1e-4, .points = 30});
        EXPECT_TRUE(s.success()) << method << ": " << s.message();
        const auto t = s.time(), x = s["x"];
        for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(x[k], first_order(t[k]), 5e-3) << method << " " << t[k];
    }
}

// x' = −a x(t − 1) − b x(t − √2): with x = 1 + z, z by the Laplace transform. Kinks come back at all i + j √2.
TEST(Delay, TwoDelays) {
    constexpr double a = 0.7, b = 0.9, r = 1.4142135623730951;
    const auto exact = [&](double t) {
        double z = 0.0;
        for (int i = 0; i <= t; ++i)
            for (int j = 0; i + j * r <= t; ++j) {
                const int n = i + j;
                const double choose = std::tgamma(n + 1.0) / (std::tgamma(i + 1.0) * std::tgamma(j + 1.0));
                z -= (a + b) * std::pow(-a, i) * std::pow(-b, j) * choose * std::pow(t - i - j * r, n + 1) /
                     std::tgamma(n + 2.0);
            }
        return 1.0 + z;
    };
    const Solution s = solved("model M Real x(start = 1, fixed = true); equation "
                              "der(x) = -0.7*delay(x, 1) - 0.9*delay(x, sqrt(2)); end M;",
                              {.until = 5.0, .rtol = 1e-9, .atol = 1e-10, .points = 50});
    const auto t = s.time(), x = s["x"];
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(x[k], exact(t[k]), 1e-7) << t[k];
}

// A jump is a jump after the delay, at once in what is compared with it.
TEST(Delay, IsAParameter) {
    const Model model = read("model M parameter Real T = 1; Real x(start = 1, fixed = true); "
                             "equation der(x) = -delay(x, T); end M;");
    for (const double delay : {0.5, 2.0}) { // in units of which time is T t, and the rate T
        SolveOptions options{.until = delay, .rtol = 1e-8};
        options.parameters = {{"T", delay}};
        EXPECT_NEAR(solved(model, options)["x"].back(), 1 - delay, 1e-8);
    }
    SolveOptions none{.until = 1.0};
    none.parameters = {{"T", 0.0}};
    EXPECT_NE(run(model, none).message().find("so short"), std::string::npos);
}

TEST(Delay, JumpsArriveExactly) {
    const Solution s = solved("model M Real u, y, n(start = 0, fixed = true); Real at(start = 0, fixed = true); "
                              "equation u = if time < 0.3 then 0 else 1 + time; y = delay(u, 0.25); der(n) = y; "
                              "when y > 0.5 then at = time; end when; end M;",
                              {.until = 1.0, .points = 40});
    EXPECT_NEAR(s["at"].back(), 0.55, 1e-12);
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k)
        EXPECT_NEAR(y[k], t[k] < 0.55 ? 0.0 : 1 + t[k] - 0.25, 1e-6) << t[k]; // of left and right limits either
    EXPECT_NEAR(s["n"].back(), 0.45 + (0.75 * 0.75 - 0.3 * 0.3) / 2, 1e-6);
}

// Values that count are kept to the last bit: an integer part of one that is a rounding smaller would be another one.
TEST(Delay, OfWhatCounts) {
    const Solution s = solved("model M Real u, y; Integer n(start = 3, fixed = true); equation "
                              "when sample(0.1, 0.1) then n = mod(pre(n) + 2, 5) + 1; end when; u = n; "
                              "y = integer(delay(u, 0.03)); end M;",
                              {.until = 1.0, .points = 200});
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double theta = t[k] - 0.03;
        const int ticks = theta < 0 ? 0 : static_cast<int>(std::floor(theta / 0.1 + 1e-9));
        if (std::abs(theta - 0.1 * std::round(theta / 0.1)) < 1e-9) continue;
        int n = 3;
        for (int i = 0; i < ticks; ++i) n = (n + 2) % 5 + 1;
        EXPECT_EQ(y[k], n) << t[k];
    }
}

TEST(Delay, OfAKnownFunctionAlone) {
    const Solution s = solved("model M Real y; equation y = delay(sin(5*time), 0.2); end M;",
                              {.until = 2.0, .rtol = 1e-8, .points = 40});
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k)
        EXPECT_NEAR(y[k], t[k] < 0.2 ? 0.0 : std::sin(5 * (t[k] - 0.2)), 1e-7) << t[k];
}

// Neither has a delay, but nothing is left to integrate there either when all is known from the start on.
TEST(Delay, StepsAreMadeWhereAllIsKnown) {
    const Solution s = solved("model M parameter Real p(fixed = false, start = 1); Real y, n(start = 0, fixed = true); "
                              "discrete Real at(start = 0, fixed = true); initial equation p^3 + p = 10; "
                              "equation y = p*time; der(n) = y; when time > 0.4 then at = y; end when; end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s["n"].back(), 1.0, 1e-9);
    EXPECT_NEAR(s["at"].back(), 0.8, 1e-9);
}

// Likewise what a loop computes: it is no constant between events because it is no operation of the graph.
TEST(Delay, ConditionsOnRoutinesMakeEvents) {
    const Solution s = solved("package P function f input Real x; output Real y; algorithm y := x; "
                              "while y > 1 loop y := y - 1; end while; end f; "
                              "model M Real x(start = 0, fixed = true); discrete Real at(start = 0, fixed = true); "
                              "equation der(x) = 1; when f(x) > 0.5 then at = time; end when; end M; end P;",
                              {.until = 0.9});
    EXPECT_NEAR(s["at"].back(), 0.5, 1e-9);
}

TEST(Delay, ThatVariesInTime) {
    const Solution s = solved("model M Real x(start = 0, fixed = true), y; equation der(x) = cos(time); "
                              "y = delay(x, 0.5 + 0.4*sin(3*time), 1); end M;",
                              {.until = 4.0, .rtol = 1e-8, .atol = 1e-9, .points = 80});
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double theta = t[k] - 0.5 - 0.4 * std::sin(3 * t[k]);
        EXPECT_NEAR(y[k], theta < 0 ? 0.0 : std::sin(theta), 1e-6) << t[k];
    }
}

// A delay that grows faster than time leads back: to 1.8 − t here, and at 1.5 before the jump that was at 0.3.
TEST(Delay, ThatLeadsBack) {
    for (const char* grown : {"if time > 1 then 2*(time - 1) else 0", "2*x"}) {
        const Solution s = solved(
            "model M Real u, y, T, n(start = 0, fixed = true), x(start = 0, fixed = true); "
            "discrete Real at(start = 0, fixed = true); equation "
            "der(x) = if time > 1 then 1 else 0; "
            "u = if time < 0.3 then 0 else 1; T = 0.2 + (" +
                std::string(grown) + "); y = delay(u, T, 3); der(n) = y; when y < 0.5 then at = time; end when; end M;",
            {.until = 2.0, .rtol = 1e-8});
        EXPECT_NEAR(s["at"].back(), 1.5, 1e-7) << grown;
        EXPECT_NEAR(s["n"].back(), 1.0, 1e-6) << grown; // from 0.5 to 1.5
        EXPECT_EQ(s["y"].back(), 0.0) << grown;
    }
}

TEST(Delay, ThatAStateDecides) { // a vehicle that hears its own echo: T is found with the solution
    const Solution s = solved("model M Real p(start = 2, fixed = true), T, y; equation der(p) = 0.3; "
                              "T = p/(1 + 0.5); y = delay(2 + p, T, 10); end M;",
                              {.until = 8.0, .rtol = 1e-8, .points = 40});
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double theta = t[k] - (2 + 0.3 * t[k]) / 1.5;
        EXPECT_NEAR(y[k], 4 + 0.3 * std::max(0.0, theta), 1e-6) << t[k];
    }
}

// A lossless line of impedance 1 (Branin 1967) between a source with resistance 3 and a resistor of 1/4: what arrives
// is reflected by (1/4 − 1)/(1/4 + 1) there and by (3 − 1)/(3 + 1) here. Each of the jumps comes back undiminished.
TEST(Delay, ReflectionsOnALine) {
    const Solution s = solved("model M Real v1, v2, i1, i2, es, er, u; equation u = if time < 0.5 then 0 else 1; "
                              "i1 = v1 - es; i2 = v2 - er; es = 2*delay(v2, 1) - delay(er, 1); "
                              "er = 2*delay(v1, 1) - delay(es, 1); v1 = u - 3*i1; v2 = -0.25*i2; end M;",
                              {.until = 9.0, .points = 90});
    const double far = -0.6, near = 0.5;
    const auto t = s.time(), v2 = s["v2"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        double exact = 0.0, wave = 0.25; // what the source sends
        bool jumps = false;
        for (int n = 0; n < 6; ++n) {
            const double arrives = 1.5 + 2 * n;
            jumps = jumps || std::abs(t[k] - arrives) < 1e-9;
            if (t[k] > arrives) exact += wave * (1 + far);
            wave *= far * near;
        }
        if (!jumps) EXPECT_NEAR(v2[k], exact, 1e-9) << t[k];
    }
}

TEST(Delay, TheDerivativeIsThatOfThePast) {
    const Solution s = solved("model M Real x(start = 0, fixed = true), y, z; equation der(x) = cos(2*time); "
                              "y = delay(x, 0.5); z = der(y); end M;",
                              {.until = 3.0, .rtol = 1e-8, .atol = 1e-9, .points = 40});
    const auto t = s.time(), z = s["z"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        if (std::abs(t[k] - 0.5) < 1e-6) continue;
        EXPECT_NEAR(z[k], t[k] < 0.5 ? 0.0 : std::cos(2 * (t[k] - 0.5)), 1e-5) << t[k];
    }
}

// What delays need besides is nobody's: neither shown nor chosen.
TEST(Delay, ShowsWhatWasWrittenOnly) {
    const Solution s = solved(first_order_model, {.until = 1.0});
    EXPECT_EQ(s.names(), std::vector<std::string>{"x"});
    EXPECT_EQ(s.to_text().find("before the start"), std::string::npos) << s.to_text();
    EXPECT_NE(s.to_text().find("1 degree of freedom"), std::string::npos) << s.to_text();
    const auto analysis = analyze(read(first_order_model));
    ASSERT_TRUE(analysis);
    EXPECT_EQ(analysis->degrees_of_freedom, 1);
    EXPECT_EQ(analysis->to_text().find("before the start "), std::string::npos) << analysis->to_text();
}

TEST(Delay, WhatIsRefused) {
    const auto code = [](const std::string& text) {
        auto model = Model::from_string(text);
        if (!model) return model.error().front().code;
        auto s = solve(*model, {.until = 2.0});
        if (!s) return s.error().front().code;
        return s->success() ? std::string("none") : s->message();
    };
    EXPECT_EQ(code("model M Real x = delay(time, -1); end M;"), "delay-time");
    EXPECT_EQ(code("model M Real x = delay(time, 1 + time); end M;"), "delay-time");
    EXPECT_EQ(code("model M Real x(start = 0, fixed = true), a; equation der(x) = sin(time); "
                   "a = der(der(delay(x, 0.5))); end M;"),
              "delay-derivative");
    EXPECT_NE(code("model M Real x(start = 0, fixed = true); equation der(x) = delay(x, 1 - time, 2); end M;")
                  .find("so short"),
              std::string::npos);
    EXPECT_NE(code("model M Real x(start = 0, fixed = true); equation der(x) = delay(x, 1 + time, 2); end M;")
                  .find("exceeds"),
              std::string::npos);
    auto model = Model::from_string(first_order_model);
    ASSERT_TRUE(model);
    EXPECT_FALSE(flatten(*model)); // with the words: there is no flat text of delay
    auto backward = solve(*model, {.from = 0.0, .until = -1.0});
    ASSERT_FALSE(backward);
    EXPECT_EQ(backward.error().front().code, "backward-delay");
}

// What a checkpoint keeps of the past is all that the rest of the run needs, to the last bit.
TEST(Delay, RunsGoOnFromCheckpoints) {
    const std::string path = (std::filesystem::path(::testing::TempDir()) / "daedalus_delay.chk").string();
    const std::string text = "model M Real x(start = 1, fixed = true); equation "
                             "der(x) = -delay(x, 1) - 0.3*delay(x, 0.2 + 0.1*sin(time), 0.5); end M;";
    SolveOptions options{.until = 6.0, .points = 60};
    options.max_step = 1e-3; // checkpoints are made every 2000 steps
    SolveOptions first = options;
    first.checkpoint = path;
    const Solution whole = solved(text, first);
    std::atomic<bool> interrupt = false;
    first.interrupt = &interrupt;
    first.progress = [&](double t, double) { interrupt = t > 5.0; };
    EXPECT_EQ(run(text, first).outcome(), Outcome::interrupted);
    SolveOptions second = options;
    second.resume = path;
    const Solution rest = solved(text, second);
    ASSERT_EQ(rest.time().size(), whole.time().size());
    for (std::size_t k = 0; k < whole.time().size(); ++k) EXPECT_EQ(rest["x"][k], whole["x"][k]) << whole.time()[k];
    std::filesystem::remove(path);
}

} // namespace
