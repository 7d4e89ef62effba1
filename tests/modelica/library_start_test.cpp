// Starts of mechanisms of the standard library, which is not part of this project: DAEDALUS_MSL names its folder.
#include "facade/solving.hpp"

#include <cmath>
#include <cstdlib>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution solved_example(const std::string& name, const SolveOptions& options) {
    const std::string full = "Modelica.Mechanics.MultiBody.Examples." + name;
    auto model = Model::from_library(full, {std::getenv("DAEDALUS_MSL")});
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return solved(*model, options);
}

// The tip of two rods of length 1/2 is at (0.7, 0.3) and at rest: the law of cosines says how the second one stands.
TEST(LibraryStart, TipOfADoublePendulum) {
    if (std::getenv("DAEDALUS_MSL") == nullptr) GTEST_SKIP() << "DAEDALUS_MSL is not set";
    const Solution s = solved_example("Elementary.DoublePendulumInitTip", {.until = 0.1});
    const double first = s["revolute1.phi"].front(), second = s["revolute2.phi"].front();
    EXPECT_NEAR(0.5 * (std::cos(first) + std::cos(first + second)), 0.7, 1e-9);
    EXPECT_NEAR(0.5 * (std::sin(first) + std::sin(first + second)), 0.3, 1e-9);
    EXPECT_NEAR(std::cos(second), (0.58 - 0.5) / 0.5, 1e-9);
    EXPECT_NEAR(s["revolute1.w"].front(), 0.0, 1e-9);
}

// Forces in a loop that an assembly of joints solves: a stage that is linear, badly scaled and of deficient rank.
TEST(LibraryStart, EngineWithAnAssemblyOfJoints) {
    if (std::getenv("DAEDALUS_MSL") == nullptr) GTEST_SKIP() << "DAEDALUS_MSL is not set";
    const Solution whole = solved_example("Loops.Engine1b", {.until = 0.02, .rtol = 1e-7, .points = 10});
    const Solution s = solved_example("Loops.Engine1b_analytic", {.until = 0.02, .rtol = 1e-7, .points = 10});
    for (std::size_t k = 0; k < s.time().size(); ++k)
        EXPECT_NEAR(s["inertia.w"][k], whole["inertia.w"][k], 1e-4 * std::abs(whole["inertia.w"][k]) + 1e-6);
}

} // namespace
