// The method that is chosen when nobody says, its reason, and the change where events are dense.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;

namespace {

/// Heat in a rod of n cells that is heated at one end.
Model rod(int n, const std::string& heat) {
    std::string text = "model Rod\n  Real u;\n";
    for (int i = 0; i < n; ++i) text += "  Real x" + std::to_string(i) + "(start = 0, fixed = true);\n";
    text += "equation\n  u = " + heat + ";\n";
    const auto x = [&](int i) { return i < 0 ? std::string("u") : i < n ? "x" + std::to_string(i) : std::string("0"); };
    for (int i = 0; i < n; ++i)
        text += "  der(" + x(i) + ") = 100*(" + x(i - 1) + " - 2*" + x(i) + " + " + x(i + 1) + ");\n";
    auto model = Model::from_string(text + "end Rod;\n");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

TEST(Automatic, SmallAndLarge) {
    const auto small = solve(rod(20, "1"), {.until = 0.1});
    ASSERT_TRUE(small && small->success());
    EXPECT_EQ(small->method(), "radau");
    const auto large = solve(rod(2100, "1"), {.until = 0.1});
    ASSERT_TRUE(large && large->success());
    EXPECT_EQ(large->method(), "bdf");
    EXPECT_NE(large->to_json().find("2100 unknowns"), std::string::npos); // the reason
}

TEST(Automatic, LeavesMultistepWhereEventsAreDense) {
    const std::string pulses = "if mod(time, 0.004) < 0.002 then 1 else 0";
    const Model model = rod(2100, pulses);
    const auto chosen = solve(model, {.until = 0.04, .rtol = 1e-6, .points = 3});
    ASSERT_TRUE(chosen && chosen->success()) << chosen->message();
    EXPECT_NE(chosen->to_json().find("method_changed"), std::string::npos);
    const auto fixed = solve(model, {.until = 0.04, .method = "radau5", .rtol = 1e-8, .points = 3});
    ASSERT_TRUE(fixed && fixed->success());
    for (const char* name : {"x0", "x1", "x5"}) EXPECT_NEAR(chosen->final(name), fixed->final(name), 1e-5) << name;
}

} // namespace
