// What comes with the program is explained from end to end.
#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace cli_test {
namespace {

TEST(Examples, AreExplained) {
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(DAEDALUS_SOURCE_DIR "/examples")) {
        const std::string file = entry.path().filename().string();
        const auto kind = entry.path().extension();
        if (kind != ".mo" && kind != ".mech" && kind != ".urdf" && kind != ".lagrange") continue;
        ++models;
        const Answer r = run({"explain", example(file)});
        EXPECT_EQ(r.code, 0) << file << '\n' << r.err;
        EXPECT_GT(r.out.size(), 200U) << file;
    }
    EXPECT_GE(models, 19);
}

} // namespace
} // namespace cli_test
