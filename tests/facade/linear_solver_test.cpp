// The linear solver as an option: each gives the same solution, and an unknown name is refused.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

using namespace daedalus;

namespace {

TEST(LinearSolverOption, EverySolverGivesTheSameSolution) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/slcrank_ida.mo");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 1.0;
    options.rtol = 1e-8;
    const auto reference = solve(*model, options);
    ASSERT_TRUE(reference && reference->success());
    for (const char* name : {"dense", "straight-line", "klu", "umfpack"}) {
        options.linear_solver = name;
        const auto solution = solve(*model, options);
        ASSERT_TRUE(solution && solution->success()) << name;
        EXPECT_NEAR(solution->final("q"), reference->final("q"), 1e-7) << name;
    }
}

TEST(LinearSolverOption, UnknownNamesAreRefused) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/pendulum.mo");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 1.0;
    options.linear_solver = "gauss";
    const auto solution = solve(*model, options);
    ASSERT_FALSE(solution);
    EXPECT_NE(render(solution.error()).find("no linear solver 'gauss'"), std::string::npos);
}

} // namespace
