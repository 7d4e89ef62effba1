// Stop conditions, integrals and limits of steps, from the command line.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace cli_test {
namespace {

using testing::HasSubstr;

struct Decay {
    Scratch scratch;
    std::string model = scratch / "decay.mo";
    Decay() {
        std::ofstream(model)
            << "model Decay\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Decay;\n";
    }
    [[nodiscard]] Answer solve(std::vector<std::string> more) const {
        std::vector<std::string> arguments{"solve", model, "--until", "5", "--output", scratch / "r.csv"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    }
    [[nodiscard]] std::vector<std::string> last() const {
        std::vector<std::string> cells;
        std::istringstream stream(lines(read(scratch / "r.csv")).back());
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        return cells;
    }
};

TEST(CliEvents, StopWhen) {
    const Decay decay;
    const Answer r = decay.solve({"--stop-when", "x < 0.5", "--rtol", "1e-9"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("x < 0.5"));
    EXPECT_NEAR(std::stod(decay.last()[0]), std::log(2.0), 1e-7);
    const Answer bad = decay.solve({"--stop-when", "y < 0.5"});
    EXPECT_EQ(bad.code, 2);
    EXPECT_THAT(bad.err, HasSubstr("'y' is not declared"));
}

TEST(CliEvents, Integral) {
    const Decay decay;
    for (const char* how : {"--quiet", "--no-quadratures"}) {
        const Answer r = decay.solve({"--integral", "area=x", "--rtol", "1e-8", how});
        EXPECT_EQ(r.code, 0) << r.err;
        EXPECT_NEAR(std::stod(decay.last()[2]), 1 - std::exp(-5), 1e-6);
    }
    EXPECT_EQ(decay.solve({"--integral", "x=x"}).code, 2);
    EXPECT_EQ(decay.solve({"--integral", "x"}).code, 2);
}

TEST(CliEvents, LimitsOfSteps) {
    const Decay decay;
    EXPECT_EQ(decay.solve({"--max-step", "0.1", "--first-step", "1e-3"}).code, 0);
    const Answer r = decay.solve({"--max-step", "0.1", "--max-steps", "10"});
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.err, HasSubstr("too many steps"));
}

} // namespace
} // namespace cli_test
