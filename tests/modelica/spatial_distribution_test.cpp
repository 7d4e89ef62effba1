// What flows carry along, against characteristics: z(y, t) is what lay at y − x(t) + x(s), or entered when the flow
// last passed an end at that place.
#include "facade/solving.hpp"

#include <atomic>
#include <cmath>
#include <filesystem>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

constexpr double pi = 3.14159265358979323846;

TEST(SpatialDistribution, AtConstantVelocityItIsADelay) {
    const Solution s =
        solved("model M Real x(start = 3, fixed = true), z, n(start = 0, fixed = true); equation "
               "der(x) = 0.5; (, z) = spatialDistribution(sin(time), 0, x, true, {0, 0.5, 1}, {0, 1, 4}); "
               "der(n) = z; end M;",
               {.until = 9.0, .rtol = 1e-8, .atol = 1e-9, .points = 90});
    const auto t = s.time(), z = s["z"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double y = 1 - 0.5 * t[k];
        EXPECT_NEAR(z[k], t[k] > 2 ? std::sin(t[k] - 2) : y < 0.5 ? 2 * y : 1 + 6 * (y - 0.5), 1e-7) << t[k];
    }
    EXPECT_NEAR(s["n"].back(), 2 * (0.25 + 1.25) + 1 - std::cos(7.0), 1e-7);
}

/// x = A sin t: what leaves at time t, with in0 = t, in1 = −t and 1 + 2 y + max(0, 4 y − 2) at first.
struct Swinging {
    double amplitude;
    static double initial(double y) { return 1 + 2 * y + std::max(0.0, 4 * y - 2); }
    [[nodiscard]] double right(double t) const { // while cos t > 0
        const double turn = std::floor((t + pi / 2) / (2 * pi)), x = amplitude * std::sin(t);
        const double lowest = turn > 0 ? -amplitude : 0.0;
        if (x - 1 >= lowest)
            return 2 * pi * turn + std::asin((x - 1) / amplitude);              // entered on the left since the turn
        return turn > 0 ? -(2 * (2 * pi * turn - pi / 2) - t) : initial(1 - x); // came from the right before it
    }
    [[nodiscard]] double left(double t) const { // while cos t < 0
        const double turn = std::floor((t - pi / 2) / (2 * pi)), x = amplitude * std::sin(t);
        if (x + 1 <= amplitude) return -(pi + 2 * pi * turn - std::asin((x + 1) / amplitude));
        const double entered = 2 * (pi / 2 + 2 * pi * turn) - t;
        return entered > 0 ? entered : initial(-x);
    }
};

TEST(SpatialDistribution, FlowsThatTurnRound) {
    for (const double amplitude : {0.8, 1.6, 2.7}) {
        const Swinging exact{amplitude};
        const std::string a = std::to_string(amplitude);
        const Solution s =
            solved("model M Real x(start = 0, fixed = true), a, b, n(start = 0, fixed = true); equation "
                   "der(x) = " +
                       a +
                       "*cos(time); der(n) = a + b; "
                       "(a, b) = spatialDistribution(time, -time, x, der(x) >= 0, {0, 0.5, 1}, {1, 2, 5}); "
                       "end M;",
                   {.until = 20.0, .rtol = 1e-8, .atol = 1e-9, .points = 300});
        const auto t = s.time(), left = s["a"], right = s["b"];
        for (std::size_t k = 0; k < t.size(); ++k) {
            const double v = std::cos(t[k]);
            if (std::abs(v) < 1e-6) continue;
            EXPECT_NEAR(left[k], v > 0 ? t[k] : exact.left(t[k]), 2e-6) << amplitude << " " << t[k];
            EXPECT_NEAR(right[k], v > 0 ? exact.right(t[k]) : -t[k], 2e-6) << amplitude << " " << t[k];
        }
    }
}

// The same without events where the velocity changes its sign, were there none: what enters changes there all the same.
TEST(SpatialDistribution, TurnsAreEventsInAnyCase) {
    const Swinging exact{1.6};
    const Solution s = solved("model M Real x(start = 0, fixed = true), v(start = 1.6, fixed = true), a, b; equation "
                              "der(x) = v; der(v) = -x; (a, b) = spatialDistribution(time, -time, x, noEvent(v >= 0), "
                              "initialValues = {1, 2, 5}, initialPoints = {0, 0.5, 1}); end M;",
                              {.until = 9.0, .rtol = 1e-9, .atol = 1e-10, .points = 90});
    const auto t = s.time(), right = s["b"];
    for (std::size_t k = 0; k < t.size(); ++k)
        if (std::cos(t[k]) > 1e-6) EXPECT_NEAR(right[k], exact.right(t[k]), 1e-5) << t[k];
}

TEST(SpatialDistribution, VaryingVelocity) {
    const auto position = [](double t) { return t + 0.45 * std::sin(2 * t); };
    const Solution s = solved("model M Real x(start = 0, fixed = true), z; equation der(x) = 1 + 0.9*cos(2*time); "
                              "(, z) = spatialDistribution(cos(3*time), 0, x, true); end M;",
                              {.until = 6.0, .rtol = 1e-9, .atol = 1e-10, .points = 100});
    const auto t = s.time(), z = s["z"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        double low = 0.0, high = t[k];
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            (position(middle) < position(t[k]) - 1 ? low : high) = middle;
        }
        EXPECT_NEAR(z[k], position(t[k]) < 1 ? 0.0 : std::cos(3 * low), 1e-6) << t[k];
    }
}

// Jumps of what enters, of what lies there at first, and of what enters while the flow stands still.
TEST(SpatialDistribution, JumpsArriveExactly) {
    const Solution s = solved(
        "model M Real x(start = 0, fixed = true), z, u; Real at1(start = 0, fixed = true), "
        "at2(start = 0, fixed = true), at3(start = 0, fixed = true); equation "
        "der(x) = if time < 1 or time > 2 then 0.8 else 0; u = if time < 0.5 then 3 else 2*time; "
        "(, z) = spatialDistribution(u, 0, x, true, {0, 0.6, 0.6, 1}, {1, 1, 2, 2}); "
        "when z < 1.5 and time < 1 then at1 = time; end when; when z > 2.5 and time < 3 then at2 = time; end when; "
        "when z > 3.5 then at3 = time; end when; end M;",
        {.until = 4.0, .points = 80});
    EXPECT_NEAR(s["at1"].back(), 0.5, 1e-9);
    EXPECT_NEAR(s["at2"].back(), 2.25, 1e-9); // x(2.25) = 1
    EXPECT_NEAR(s["at3"].back(), 3.25, 1e-9); // what entered from 1 on, at once 4
    const auto t = s.time(), z = s["z"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double x = t[k] < 1 ? 0.8 * t[k] : t[k] < 2 ? 0.8 : 0.8 * (t[k] - 1);
        const double entered = (x - 1) / 0.8;
        if (std::abs(x - 0.4) < 1e-6 || std::abs(entered) < 1e-6 || std::abs(entered - 0.5) < 1e-6 ||
            std::abs(entered - 1) < 1e-6)
            continue;
        const double exact = x < 0.4 ? 2 : x < 1 ? 1 : entered < 0.5 ? 3 : 2 * (entered < 1 ? entered : entered + 1);
        EXPECT_NEAR(z[k], exact, 1e-6) << t[k];
    }
}

// A ring of two pipes: what is in them goes round and is what it was, whichever way.
TEST(SpatialDistribution, ARingOfPipes) {
    const Solution s = solved("model M Real x(start = 0, fixed = true), a0, a1, b0, b1; equation "
                              "der(x) = 1 - 2*x/5*(if time < 8 then 0 else 1) + (if time < 8 then 0 else -1); "
                              "(a0, a1) = spatialDistribution(b1, b0, x, der(x) >= 0, {0, 1}, {0, 1}); "
                              "(b0, b1) = spatialDistribution(a1, a0, x, der(x) >= 0, {0, 1}, {1, 0}); end M;",
                              {.until = 12.0, .rtol = 1e-8, .atol = 1e-9, .points = 120});
    const auto t = s.time(), x = s["x"], a1 = s["a1"], b1 = s["b1"];
    const auto lies = [](double y) { // around the ring, of length 2
        y -= 2 * std::floor(y / 2);
        return y < 1 ? y : 2 - y;
    };
    for (std::size_t k = 0; k < t.size(); ++k) {
        EXPECT_NEAR(a1[k], lies(1 - x[k]), 1e-6) << t[k];
        EXPECT_NEAR(b1[k], lies(2 - x[k]), 1e-6) << t[k];
    }
}

TEST(SpatialDistribution, Vectors) {
    const Solution s =
        solved("model M Real x(start = 0, fixed = true), a[2], b[2]; equation der(x) = 1; "
               "(a, b) = spatialDistribution({time, 2*time}, {0, 0}, x, true, {0, 1}, [1, 1; 4, 3]); end M;",
               {.until = 3.0, .rtol = 1e-8, .points = 30});
    const auto t = s.time(), one = s["b[1]"], two = s["b[2]"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        if (std::abs(t[k] - 1) < 1e-9) continue;
        EXPECT_NEAR(one[k], t[k] < 1 ? 1 : t[k] - 1, 1e-7) << t[k];
        EXPECT_NEAR(two[k], t[k] < 1 ? 3 + t[k] : 2 * (t[k] - 1), 1e-7) << t[k];
    }
}

TEST(SpatialDistribution, TheDerivativeIsThatOfWhatLiesThere) {
    const Solution s = solved("model M Real x(start = 0, fixed = true), z, d; equation der(x) = 2; d = der(z); "
                              "(, z) = spatialDistribution(cos(time), 0, x, true, {0, 1}, {1, 4}); end M;",
                              {.until = 3.0, .rtol = 1e-8, .atol = 1e-9, .points = 50});
    const auto t = s.time(), d = s["d"];
    for (std::size_t k = 0; k < t.size(); ++k)
        if (std::abs(t[k] - 0.5) > 1e-6) EXPECT_NEAR(d[k], t[k] < 0.5 ? -6 : -std::sin(t[k] - 0.5), 1e-5) << t[k];
}

TEST(SpatialDistribution, EveryMethod) {
    for (const std::string& method : every_method()) {
        const Solution s = run("model M Real x(start = 0, fixed = true), z, n(start = 0, fixed = true); equation "
                               "der(x) = 1 + 0.5*sin(time); (, z) = spatialDistribution(n, 0, x, true); "
                               "der(n) = 1 - z; end M;",
                               {.until = 1.5, .method = method, .rtol = 1e-4, .points = 30});
        EXPECT_TRUE(s.success()) << method << ": " << s.message();
        const auto t = s.time(), n = s["n"];
        for (std::size_t k = 0; k < t.size(); ++k) // z = 0 until x = 1, then small: n(s) where x(s) = x − 1
            if (t[k] + 0.5 * (1 - std::cos(t[k])) < 1) EXPECT_NEAR(n[k], t[k], 5e-3) << method << " " << t[k];
    }
}

TEST(SpatialDistribution, WhatIsRefused) {
    const auto code = [](const std::string& text) {
        auto model = Model::from_string(text);
        if (!model) return model.error().front().code;
        auto s = solve(*model, {.until = 2.0});
        if (!s) return s.error().front().code;
        return s->success() ? std::string("none") : s->message();
    };
    const auto with = [](const std::string& arguments) {
        return "model M parameter Real p = 1; Real x(start = 0, fixed = true), z; equation der(x) = 1; "
               "(, z) = spatialDistribution(" +
               arguments + "); end M;";
    };
    EXPECT_EQ(code(with("time, 0, x, true")), "none");
    EXPECT_EQ(code(with("time, 0, x")), "argument-count");
    EXPECT_EQ(code(with("time, 0, x, 1.0")), "type");
    EXPECT_EQ(code(with("time, 0, x, true, {0, 0.7, 0.5, 1}, {0, 0, 0, 0}")), "initial-distribution");
    EXPECT_EQ(code(with("time, 0, x, true, {0, 0.9}, {0, 0}")), "initial-distribution");
    EXPECT_EQ(code(with("time, 0, x, true, {0, 1}, {0, time}")), "initial-distribution");
    EXPECT_EQ(code(with("time, 0, x, true, {0, 1}, {0, 0, 0}")), "array-size");
    EXPECT_EQ(code(with("{time, 1}, 0, x, true")), "array-size");
    EXPECT_NE(code(with("time, 0, 1 - x, true")).find("falls while positiveVelocity is true"), std::string::npos);
    EXPECT_NE(code(with("time, 0, x, false")).find("rises while positiveVelocity is false"), std::string::npos);
    EXPECT_NE(code("model M Real x(start = 0, fixed = true), z; equation der(x) = 1; "
                   "(, z) = spatialDistribution(time, 0, x, true); when time > 0.5 then reinit(x, 3); end when; end M;")
                  .find("jumps"),
              std::string::npos);
    // A parameter that is changed is looked at when the run begins.
    const Model model = read(with("time, 0, x, true, {0, p}, {0, 0}"));
    SolveOptions options{.until = 1.0};
    options.parameters = {{"p", 0.7}};
    EXPECT_NE(run(model, options).message().find("do not reach from 0 to 1"), std::string::npos);
    auto backward = solve(model, {.from = 0.0, .until = -1.0});
    ASSERT_FALSE(backward);
    EXPECT_EQ(backward.error().front().code, "backward-delay");
}

// With delays beside them: what a checkpoint keeps is all that the rest of the run needs, to the last bit.
TEST(SpatialDistribution, RunsGoOnFromCheckpoints) {
    const std::string path = (std::filesystem::path(::testing::TempDir()) / "daedalus_transport.chk").string();
    for (const char* beside : {"0", "delay(z, 0.3)"}) {
        const std::string text = "model M Real x(start = 1, fixed = true), z, y, n(start = 0, fixed = true); equation "
                                 "der(x) = 2*cos(time); der(n) = z - y - " +
                                 std::string(beside) +
                                 "; "
                                 "(y, z) = spatialDistribution(1 - n, n, x, der(x) >= 0, {0, 1}, {1, 2}); end M;";
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
        for (std::size_t k = 0; k < whole.time().size(); ++k) EXPECT_EQ(rest["n"][k], whole["n"][k]) << whole.time()[k];
        std::filesystem::remove(path);
    }
}

} // namespace
