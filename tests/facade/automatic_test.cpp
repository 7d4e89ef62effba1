// The method that is chosen when nobody says, its reason, and changes where events are dense or a problem becomes
// stiff.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;

namespace {

/// Heat in a plate of n cells from the heated end to the cold one, `wide` of them side by side between insulated edges.
Model plate(int n, int wide, const std::string& heat, int conductivity = 100) {
    std::string text = "model Plate\n  Real u;\n";
    for (int i = 0; i < n * wide; ++i) text += "  Real x" + std::to_string(i) + "(start = 0, fixed = true);\n";
    text += "equation\n  u = " + heat + ";\n";
    const auto x = [&](int i, int j) {
        const int beside = std::min(std::max(j, 0), wide - 1);
        return i < 0 ? std::string("u") : i < n ? "x" + std::to_string(i * wide + beside) : std::string("0");
    };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < wide; ++j)
            text += "  der(" + x(i, j) + ") = " + std::to_string(conductivity) + "*(" + x(i - 1, j) + " + " +
                    x(i + 1, j) + " + " + x(i, j - 1) + " + " + x(i, j + 1) + " - 4*" + x(i, j) + ");\n";
    auto model = Model::from_string(text + "end Plate;\n");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}
Model rod(int n, const std::string& heat, int conductivity = 100) { return plate(n, 1, heat, conductivity); }

TEST(Automatic, SmallAndLarge) {
    const auto small = solve(rod(20, "1"), {.until = 10}); // 4000 times the fastest decay: stiff
    ASSERT_TRUE(small && small->success());
    EXPECT_EQ(small->method(), "radau");
    const auto large = solve(plate(46, 46, "1"), {.until = 10});
    ASSERT_TRUE(large && large->success());
    EXPECT_EQ(large->method(), "bdf");
    // Factors of tridiagonal matrices are as thin as they are.
    const auto thin = solve(rod(2100, "1"), {.until = 10});
    ASSERT_TRUE(thin && thin->success());
    EXPECT_EQ(thin->method(), "radau");
}

/// Species that all react with their neighbours on a ring and decay at rates from 1 to 1e6.
Model ring_of_reactions(int n) {
    std::string text = "model Ring\n";
    const auto c = [&](int i) { return "c" + std::to_string((i + n) % n); };
    for (int i = 0; i < n; ++i)
        text += "  Real " + c(i) + "(start = " + std::to_string(1.0 + 0.1 * (i % 5)) + ", fixed = true);\n";
    text += "equation\n";
    for (int i = 0; i < n; ++i)
        text += "  der(" + c(i) + ") = " + std::to_string(std::pow(10.0, 6.0 * i / n)) + "*(1 - " + c(i) + "*" + c(i) +
                " + 0.1*" + c(i - 1) + "*" + c(i + 1) + " - 0.1*" + c(i - 2) + "*" + c(i + 2) + ");\n";
    auto model = Model::from_string(text + "end Ring;\n");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

TEST(Automatic, FewDigitsOfWhatFillsInAreLeftToRosenbrock) {
    const auto few = solve(ring_of_reactions(24), {.until = 1, .rtol = 1e-4});
    ASSERT_TRUE(few && few->success());
    EXPECT_EQ(few->method(), "rodas4p");
    const auto many = solve(ring_of_reactions(24), {.until = 1, .rtol = 1e-7});
    ASSERT_TRUE(many && many->success());
    EXPECT_EQ(many->method(), "radau");
    for (const char* name : {"c0", "c7", "c23"}) EXPECT_NEAR(few->final(name), many->final(name), 1e-3) << name;
    const auto small = solve(ring_of_reactions(8), {.until = 1, .rtol = 1e-4});
    ASSERT_TRUE(small && small->success());
    EXPECT_EQ(small->method(), "radau");
}

Model model_of(const std::string& text) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

// Two bodies on a circle, after ten turns.
TEST(Automatic, ExplicitWhereNothingIsStiff) {
    const Model planet = model_of(R"(model Planet
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Real u(start = 0, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x/(x^2 + y^2)^1.5;
  der(v) = -y/(x^2 + y^2)^1.5;
end Planet;)");
    for (const double tol : {1e-4, 1e-7, 1e-10}) {
        const auto s = solve(planet, {.until = 20 * 3.14159265358979323846, .rtol = tol, .atol = tol});
        ASSERT_TRUE(s && s->success());
        EXPECT_EQ(s->method(), "dop853");
        EXPECT_NEAR(s->final("x"), 1.0, 10 * tol);
        EXPECT_NEAR(s->final("u"), 0.0, 10 * tol * 20 * 3.2); // phase errors grow with time
    }
}

// Not stiff until t = 1; then the relaxation oscillator's friction grows ten thousandfold.
const char* stiffening = R"(model Stiffening
  Real x(start = 2, fixed = true), v(start = 0, fixed = true), mu;
equation
  mu = 1 + 5000*(1 + tanh(50*(time - 1)));
  der(x) = v;
  der(v) = mu*(1 - x^2)*v - x;
end Stiffening;)";

TEST(Automatic, LeavesExplicitWhereItBecomesStiff) {
    const Model model = model_of(stiffening);
    const auto chosen = solve(model, {.until = 50, .rtol = 1e-6});
    ASSERT_TRUE(chosen && chosen->success()) << chosen->message();
    EXPECT_EQ(chosen->method(), "dop853");
    EXPECT_NE(chosen->to_json().find("method_changed"), std::string::npos);
    EXPECT_NE(chosen->to_text().find("the problem is stiff there"), std::string::npos);
    const auto reference = solve(model, {.until = 50, .method = "radau", .rtol = 1e-10});
    ASSERT_TRUE(reference && reference->success());
    EXPECT_NEAR(chosen->final("x"), reference->final("x"), 1e-5);
}

TEST(Automatic, ExplicitAsAskedSaysThatItIsStiff) {
    const auto s = solve(model_of(stiffening), {.until = 1.5, .method = "dop853", .rtol = 1e-6});
    ASSERT_TRUE(s && s->success());
    EXPECT_EQ(s->method(), "dop853");
    EXPECT_NE(s->to_json().find("stability and not accuracy"), std::string::npos);
}

TEST(Automatic, LeavesMultistepWhereEventsAreDense) {
    const std::string pulses = "if mod(time, 0.001) < 0.0005 then 1 else 0";
    const Model model = plate(46, 46, pulses, 2500);
    const auto chosen = solve(model, {.until = 0.01, .rtol = 1e-6, .points = 3});
    ASSERT_TRUE(chosen && chosen->success()) << chosen->message();
    EXPECT_NE(chosen->to_json().find("method_changed"), std::string::npos);
    const auto fixed = solve(model, {.until = 0.01, .method = "radau5", .rtol = 1e-8, .points = 3});
    ASSERT_TRUE(fixed && fixed->success());
    for (const char* name : {"x0", "x46", "x230"}) EXPECT_NEAR(chosen->final(name), fixed->final(name), 1e-5) << name;
}

} // namespace
