// A residual that states which quantities of its unknowns are differentiated: charges of nonlinear capacitors.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <filesystem>

namespace daedalus {
namespace {

using Vector = std::span<const double>;

double charge(double v) { return v + v * v * v; }

/// Three nonlinear capacitors to ground, connected by resistors and a source of current i = 8 sin 2t, which is an
/// unknown too: the sum of the charges stays.
BlackBox loop() {
    BlackBox box;
    box.x0 = {1.0, -0.5, 0.2, 77.0}; // i is not consistent: the start repairs it
    box.names = {"u", "v", "w", "i"};
    DifferentiatedQuantity q;
    q.size = 3;
    q.value = [](double, Vector x, std::span<double> value) {
        for (std::size_t k = 0; k < 3; ++k) value[k] = charge(x[k]);
    };
    q.residual = [](double t, Vector x, Vector, Vector dq, std::span<double> r) {
        const double a = 2.0 * (x[0] - x[1]), b = 3.0 * (x[1] - x[2]), c = 5.0 * (x[2] - x[0]);
        r[0] = dq[0] + a - c - x[3];
        r[1] = dq[1] + b - a + x[3];
        r[2] = dq[2] + c - b;
        r[3] = x[3] - 8.0 * std::sin(2.0 * t);
    };
    box.quantity = q;
    return box;
}

/// The same with the chain rule.
BlackBox chained() {
    BlackBox box = loop();
    box.residual = [g = box.quantity->residual](double t, Vector x, Vector dx, std::span<double> r) {
        std::vector<double> dq(3);
        for (std::size_t k = 0; k < 3; ++k) dq[k] = (1.0 + 3.0 * x[k] * x[k]) * dx[k];
        g(t, x, dx, dq, r);
    };
    box.quantity.reset();
    return box;
}

double drift(const Solution& s) {
    double first = 0.0, largest = 0.0;
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        const double total = charge(s["u"][k]) + charge(s["v"][k]) + charge(s["w"][k]);
        if (k == 0) first = total;
        largest = std::max(largest, std::abs(total - first));
    }
    return largest;
}

TEST(StatedBlackBox, ConservesWhatTheChainRuleLoses) {
    for (const char* method : {"auto", "bdf", "radau5", "esdirk4"}) {
        const SolveOptions options{.until = 300, .method = method, .rtol = 1e-3, .points = 0};
        const auto stated = solve(loop(), options), plain = solve(chained(), options);
        ASSERT_TRUE(stated && stated->success()) << method << ": " << (stated ? stated->message() : "");
        ASSERT_TRUE(plain && plain->success()) << method;
        EXPECT_NEAR((*stated)["i"][0], 0.0, 1e-12) << method;
        EXPECT_LT(drift(*stated), 1e-3) << method;
        EXPECT_GT(drift(*plain), 10 * drift(*stated)) << method;
    }
}

TEST(StatedBlackBox, AgreesWithTheChainRule) {
    const auto exact = solve(chained(), {.until = 5, .method = "radau", .rtol = 1e-11});
    ASSERT_TRUE(exact && exact->success());
    for (const char* method : {"auto", "bdf", "radau5", "radau9", "esdirk3", "esdirk4", "esdirk5"})
        for (const double rtol : {1e-4, 1e-7}) {
            const auto s = solve(loop(), {.until = 5, .method = method, .rtol = rtol});
            ASSERT_TRUE(s && s->success()) << method << ": " << (s ? s->message() : render(s.error()));
            for (const char* name : {"u", "v", "w", "i"})
                EXPECT_NEAR(s->final(name), exact->final(name), 30 * rtol) << method << ' ' << name;
        }
}

/// q depends on time itself: its slope must be given. q = (2 + sin t) x, q' = -q: x = exp(-t) 2 / (2 + sin t).
TEST(StatedBlackBox, QuantitiesOfTimeNeedTheirSlope) {
    BlackBox box;
    box.x0 = {1.0};
    DifferentiatedQuantity q;
    q.size = 1;
    q.value = [](double t, Vector x, std::span<double> value) { value[0] = (2.0 + std::sin(t)) * x[0]; };
    q.residual = [](double t, Vector x, Vector, Vector dq, std::span<double> r) {
        r[0] = dq[0] + (2.0 + std::sin(t)) * x[0];
    };
    box.quantity = q;
    const auto refused = solve(box, {.until = 3});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "black-box-quantity");
    box.quantity->slope = [](double t, Vector x, Vector dx, std::span<double> dq) {
        dq[0] = std::cos(t) * x[0] + (2.0 + std::sin(t)) * dx[0];
    };
    for (const char* method : {"auto", "bdf", "esdirk5"}) {
        const auto s = solve(box, {.until = 3, .method = method, .rtol = 1e-8});
        ASSERT_TRUE(s && s->success()) << method << ": " << (s ? s->message() : render(s.error()));
        EXPECT_NEAR(s->final("x[0]"), std::exp(-3.0) * 2.0 / (2.0 + std::sin(3.0)), 1e-7) << method;
    }
}

TEST(StatedBlackBox, RefusesWhatCannotBe) {
    for (const char* method : {"rodas4", "dop853", "limex", "midpoint", "gauss-3"}) {
        const auto s = solve(loop(), {.until = 1, .method = method});
        ASSERT_FALSE(s) << method;
        EXPECT_EQ(s.error()[0].code, "method-and-quantity") << method;
        EXPECT_NE(s.error()[0].message.find(method), std::string::npos);
    }
    BlackBox two = loop();
    two.residual = chained().residual;
    EXPECT_EQ(solve(two, {.until = 1}).error()[0].code, "black-box-quantity");
    BlackBox unsized = loop();
    unsized.quantity->size = 0;
    EXPECT_EQ(solve(unsized, {.until = 1}).error()[0].code, "black-box-quantity");
    BlackBox scaled = loop();
    scaled.quantity->nominal = {1.0};
    EXPECT_EQ(solve(scaled, {.until = 1}).error()[0].code, "black-box-quantity");
}

/// An event that moves charge from one capacitor to another, and one that takes some away: behind it the rest stays.
TEST(StatedBlackBox, EventsMoveTheQuantity) {
    for (const char* method : {"bdf", "radau5", "esdirk4"}) {
        BlackBox box = loop();
        double total = 0.0;
        for (std::size_t k = 0; k < 3; ++k) total += charge(box.x0[k]);
        int seen = 0;
        box.events = {{[](double t, Vector, Vector) { return std::sin(t); }, EventFunction::Direction::falling, false,
                       "half of u",
                       [&](double, std::span<double> x, std::span<double>) {
                           ++seen;
                           total -= charge(x[0]) - charge(0.5 * x[0]);
                           x[0] *= 0.5;
                       }}};
        const auto s = solve(box, {.until = 40, .method = method, .rtol = 1e-5});
        ASSERT_TRUE(s && s->success()) << method << ": " << (s ? s->message() : render(s.error()));
        EXPECT_EQ(seen, 6) << method; // π, 3π, …, 11π
        EXPECT_NEAR(charge(s->final("u")) + charge(s->final("v")) + charge(s->final("w")), total, 1e-5) << method;
    }
}

TEST(StatedBlackBox, ResumedEqualsUninterrupted) {
    for (const char* method : {"bdf", "radau5", "esdirk4"}) {
        const auto at = [&](const char* name) {
            return (std::filesystem::path(::testing::TempDir()) / ("stated_" + std::string(method) + name)).string();
        };
        SolveOptions options{.until = 600, .method = method, .rtol = 1e-4, .points = 20};
        options.checkpoint = at("_whole.chk");
        const auto whole = solve(loop(), options);
        ASSERT_TRUE(whole && whole->success()) << method;
        options.checkpoint = at("_part.chk");
        std::atomic<bool> interrupt = false;
        SolveOptions first = options;
        first.interrupt = &interrupt;
        first.progress = [&](double t, double) { interrupt = t > 500; };
        const auto part = solve(loop(), first);
        ASSERT_TRUE(part) << method;
        EXPECT_EQ(part->outcome(), Outcome::interrupted) << method;
        options.resume = at("_part.chk");
        options.checkpoint.clear();
        const auto resumed = solve(loop(), options);
        ASSERT_TRUE(resumed && resumed->success()) << method;
        for (const char* name : {"u", "v", "w", "i"})
            EXPECT_EQ(std::bit_cast<std::uint64_t>(resumed->final(name)),
                      std::bit_cast<std::uint64_t>(whole->final(name)))
                << method << ' ' << name;
        for (const char* name : {"_whole.chk", "_part.chk"}) std::filesystem::remove(at(name));
    }
}

} // namespace
} // namespace daedalus
