// What users see of machine code: the same results without it, one warning where it cannot be had.
#include "daedalus/daedalus.hpp"
#include "tape/executable_memory.hpp"
#include "tape/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

daedalus::Model pendulum() {
    auto model = daedalus::Model::from_file(DAEDALUS_SOURCE_DIR "/examples/pendulum.mo");
    EXPECT_TRUE(model);
    return *std::move(model);
}

long warnings(const daedalus::Solution& solution) {
    const auto& list = solution.diagnostics();
    return std::count_if(list.begin(), list.end(), [](const auto& d) { return d.code == "no-machine-code"; });
}

} // namespace

TEST(MachineCode, InterpretedSolutionIsTheSame) {
    const auto model = pendulum();
    const auto fast = daedalus::solve(model, {.until = 2});
    const auto slow = daedalus::solve(model, {.until = 2, .machine_code = false});
    ASSERT_TRUE(fast && slow);
    EXPECT_EQ(fast->to_csv(), slow->to_csv());
    EXPECT_EQ(warnings(*slow), 0);
}

TEST(MachineCode, LinearSolversAreInterpretedToo) {
    const auto model = pendulum();
    const auto slow = daedalus::solve(model, {.until = 2, .method = "radau5", .machine_code = false});
    ASSERT_TRUE(slow);
    const auto path = std::filesystem::temp_directory_path() / "daedalus_interpreted.html";
    ASSERT_TRUE(slow->write(path.string()));
    std::ifstream file(path);
    const std::string report{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    EXPECT_NE(report.find("operations, interpreted"), std::string::npos);
    EXPECT_EQ(report.find("operations, machine code"), std::string::npos);
}

TEST(MachineCode, OneWarningWithoutExecutableMemory) {
    if (daedalus::tape::best_instruction_set() == daedalus::tape::InstructionSet::none ||
        !daedalus::tape::machine_code_allowed())
        GTEST_SKIP() << "there is no machine code to deny here";
    const auto model = pendulum();
    daedalus::tape::ExecutableMemory::deny(true);
    const auto denied = daedalus::solve(model, {.until = 1});
    const auto not_wanted = daedalus::solve(model, {.until = 1, .machine_code = false});
    daedalus::tape::ExecutableMemory::deny(false);
    const auto allowed = daedalus::solve(model, {.until = 1});
    ASSERT_TRUE(denied && not_wanted && allowed);
    EXPECT_EQ(warnings(*denied), 1);
    EXPECT_EQ(warnings(*not_wanted), 0);
    EXPECT_EQ(warnings(*allowed), 0);
    EXPECT_EQ(denied->to_csv(), allowed->to_csv());
}
