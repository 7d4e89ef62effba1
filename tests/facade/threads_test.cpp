// One const model, many threads: every one gets what a single thread gets, to the last bit. Under the preset tsan this
// also shows that no two of them write where another reads.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace daedalus {
namespace {

constexpr int threads = 4, rounds = 3;

template <class Work>
void everywhere(const Work& work) {
    std::vector<std::thread> team;
    for (int k = 0; k < threads; ++k)
        team.emplace_back([&work, k] {
            for (int round = 0; round < rounds; ++round) work(k);
        });
    for (std::thread& thread : team) thread.join();
}

// Index 3, states that are exchanged, a switching force, held values and an integral.
const std::string pendulum = R"(
model Pendulum
  parameter Real g = 9.81;
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, lambda, e(start = 0, fixed = true);
  discrete Real held(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x + (if x > 0.3 then 0.5 else -0.25);
  der(v) = -lambda*y - g;
  x^2 + y^2 = 1;
  der(e) = x*u;
  when sample(0, 0.5) then
    held = pre(held) + x;
  end when;
end Pendulum;
)";

std::string everything(const Solution& s) {
    std::string text = s.message();
    for (const std::string& name : s.names())
        for (const double v : s[name]) text.append(reinterpret_cast<const char*>(&v), sizeof v);
    return text;
}

TEST(Threads, SolveOneModel) {
    const auto model = Model::from_string(pendulum);
    ASSERT_TRUE(model) << render(model.error());
    const SolveOptions options{.until = 2.0, .points = 40};
    const auto alone = solve(*model, options);
    ASSERT_TRUE(alone && alone->success());
    const std::string expected = everything(*alone);
    everywhere([&](int k) {
        SolveOptions own = options;
        if (k == 1) own.parameters = {{"g", 1.62}};
        if (k == 2) own.stop_when = {"x < -2"}; // adds to the model
        if (k == 3) own.integrals = {{"area", "x^2"}};
        const auto solution = solve(*model, own);
        ASSERT_TRUE(solution) << render(solution.error());
        EXPECT_TRUE(solution->success());
        if (k == 0) EXPECT_EQ(everything(*solution), expected);
    });
    const auto after = solve(*model, options);
    ASSERT_TRUE(after);
    EXPECT_EQ(everything(*after), expected); // nothing of all that stayed in the model
}

TEST(Threads, AskEverythingOfOneModel) {
    const auto model = Model::from_string(pendulum);
    ASSERT_TRUE(model) << render(model.error());
    const auto analysis = analyze(*model, {});
    ASSERT_TRUE(analysis);
    const std::string expected = analysis->to_text(false);
    const std::string text = model->to_modelica();
    everywhere([&](int k) {
        if (k == 0) {
            const auto a = analyze(*model, {});
            ASSERT_TRUE(a);
            EXPECT_EQ(a->to_text(false), expected);
        } else if (k == 1) {
            EXPECT_TRUE(initialize(*model, {}));
            (void)model->time();
        } else if (k == 2) {
            EXPECT_TRUE(explain(*model, {}));
        } else {
            EXPECT_TRUE(solve(*model, {.until = 0.5, .method = "bdf"}));
            EXPECT_EQ(model->to_modelica(), text);
        }
    });
}

// Analyses are dense linear algebra. The serial build of OpenBLAS serves one thread at a time, and gave one analysis in
// thirty other numbers here.
TEST(Threads, AnalyzeAtTheSameTime) {
    const auto model = Model::from_string(pendulum);
    ASSERT_TRUE(model) << render(model.error());
    const auto analysis = analyze(*model, {});
    ASSERT_TRUE(analysis);
    const std::string expected = analysis->to_text(false);
    for (int round = 0; round < 25; ++round)
        everywhere([&](int) {
            const auto a = analyze(*model, {});
            ASSERT_TRUE(a);
            EXPECT_EQ(a->to_text(false), expected);
        });
}

TEST(Threads, DeriveFromOneModel) {
    Model m("Steering");
    const Expression x = m.variable("x", {.start = 1.0, .fixed = true}), y = m.variable("y", {.start = 0.0}),
                     z = m.variable("z"), eps = m.parameter("eps", 0.01);
    m.equation(der(x) == -1.0 * z * y);
    m.equation(der(y) == z * x + eps * y);
    m.equation(x * x + y * y == 1.0);
    const Model& model = m;
    everywhere([&](int k) {
        if (k == 0) (void)stabilized(model);
        if (k == 1) (void)perturbation_hierarchy(model, "eps", 1);
        if (k == 2) (void)analyze(model, {});
        if (k == 3) (void)solve(model, {.until = 0.1});
    });
}

} // namespace
} // namespace daedalus
