// Diodes that block leave nodes all but floating: entries of the Jacobian fall by ten orders of magnitude within a step
// or two, and Newton's iteration with the matrix of before would take any value for converged.
#include "facade/solving.hpp"

using namespace daedalus;
using namespace daedalus::testing;

TEST(BlockingDiode, FloatingNodesAreFoundByMethodsThatKeepMatrices) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/wider/rectifier.mo");
    ASSERT_TRUE(model);
    // radau, bdf and rodas5 at 1e-11 agree in these digits.
    constexpr double out = 3.98293840, n1 = 0.0693742336;
    for (const char* method : {"auto", "radau5", "bdf", "esdirk3", "esdirk4", "esdirk5", "midpoint"})
        for (const double rtol : {1e-3, 3e-4, 1e-4, 1e-5}) {
            if (rtol < 1e-4 && std::string_view(method) == "midpoint") continue; // 30,000 steps
            SCOPED_TRACE(std::string(method) + " " + std::to_string(rtol));
            SolveOptions options;
            options.until = 0.1;
            options.method = method;
            options.rtol = rtol;
            const Solution s = solved(*model, options);
            EXPECT_DOUBLE_EQ(s.end_time(), 0.1);
            EXPECT_NEAR(s.final("out"), out, 10 * rtol * out);
            EXPECT_NEAR(s.final("n1"), n1, 10 * rtol);
        }
}
