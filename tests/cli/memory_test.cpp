// Too little memory is said, whatever is under way when it runs out.
#include "cli/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cli_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_work = false;
#else
constexpr bool limits_work = true;
#endif

TEST(Memory, RunningOutWhileReadingOrCompilingIsACleanError) {
    if (!limits_work) GTEST_SKIP() << "a sanitizer reserves more than the limit";
    std::string declarations, equations;
    constexpr int n = 20'000;
    for (int i = 0; i < n; ++i) {
        declarations += fmt::format("Real x{}(start = 1); ", i);
        equations += fmt::format("der(x{}) = -x{}*x{}; ", i, i, (i + 1) % n);
    }
    const Scratch scratch;
    const std::string model = scratch.model(declarations, equations);
    bool refused = false;
    for (const int kilobytes : {60'000, 100'000, 150'000}) {
        const std::string command =
            fmt::format("ulimit -v {}; exec {} solve {} --until 1e-3 -q", kilobytes, DAEDALUS_PROGRAM, model);
        const Answer r = run({}, {.command = {"/bin/sh", "-c", command}});
        EXPECT_EQ(r.signal, 0) << kilobytes;
        if (r.code == 0) continue;
        refused = true;
        EXPECT_THAT(r.err, testing::HasSubstr("error: there is not enough memory for this")) << kilobytes;
    }
    EXPECT_TRUE(refused);
}

} // namespace
} // namespace cli_test
