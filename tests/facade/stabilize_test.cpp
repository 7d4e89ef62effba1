// The stabilised form of a nearly index-2 system (MW Example 8.1, matrices as reconstructed in src/study).
#include "daedalus/analysis.hpp"
#include "daedalus/solve.hpp"
#include "daedalus/stabilize.hpp"

#include <gmock/gmock.h>

namespace daedalus {
namespace {

const char* const nearly_index_2 = "model N\n  parameter Real eps = 1e-6;\n"
                                   "  Real x1(start=-1, fixed=true);\n  Real x2(start=0, fixed=true);\n"
                                   "  Real y1(start=-1);\n  Real y2(start=0);\nequation\n"
                                   "  der(x1) = -2*x1 - x2 + y1 + y2;\n"
                                   "  der(x2) = -3*x2 + 2*y1 + cos(time);\n"
                                   "  0 = -x1 - x2 + y1 + sin(time);\n  0 = x1 + eps*y2 + cos(time);\nend N;\n";

TEST(Stabilized, KeepsTheSolutionAndItsMultipliersVanish) {
    const auto model = Model::from_string(nearly_index_2);
    ASSERT_TRUE(model);
    const auto stable = stabilized(*model);
    ASSERT_TRUE(stable);
    EXPECT_EQ(stable->equation_count(), 6U);
    EXPECT_EQ(stable->variable_names().back(), "mu2");
    SolveOptions options;
    options.until = 0.1;
    const auto plain = solve(*model, options);
    options.reduction = Reduction::none;
    const auto run = solve(*stable, options);
    ASSERT_TRUE(plain && run);
    ASSERT_TRUE(run->success()) << run->message();
    for (const char* name : {"x1", "x2", "y1", "y2"}) EXPECT_NEAR(run->final(name), plain->final(name), 1e-3) << name;
    EXPECT_NEAR(run->final("mu1"), 0.0, 1e-3);
    EXPECT_NEAR(run->final("mu2"), 0.0, 1e-3);
}

TEST(Stabilized, IsRecommendedWhereItHelps) {
    SolveOptions options;
    options.until = 0.1;
    const auto a = analyze(*Model::from_string(nearly_index_2), options);
    ASSERT_TRUE(a);
    EXPECT_THAT(a->recommendation, testing::HasSubstr("daedalus derive --stabilized"));
}

TEST(Stabilized, RefusesWhatIsNotSemiExplicit) {
    const auto model = Model::from_string("model M\n  Real x;\n  Real y;\nequation\n  der(x) + der(y) = x;\n"
                                          "  x = y;\nend M;\n");
    ASSERT_TRUE(model);
    const auto stable = stabilized(*model);
    ASSERT_FALSE(stable);
    EXPECT_EQ(stable.error().front().code, "not-semi-explicit");
}

} // namespace
} // namespace daedalus
