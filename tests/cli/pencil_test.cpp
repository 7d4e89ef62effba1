// `daedalus pencil` as a process: one page, one JSON value, clean refusals.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace cli_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string array = "%%MatrixMarket matrix array real general\n";
const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";

Answer pencil(const Scratch& scratch, const std::string& e, const std::string& h, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"pencil", scratch.file("E.mtx", e), scratch.file("H.mtx", h)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
}

TEST(PencilCommand, OnePage) {
    const Scratch scratch;
    // x₁' + x₁ = c₁, x₃' + x₂ = c₂, x₃ = c₃
    const Answer r = pencil(scratch, coordinate + "3 3 2\n1 1 1\n2 3 1\n", array + "3 3\n1 0 0\n0 1 0\n0 0 1\n");
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.err, "");
    EXPECT_THAT(r.out, AllOf(HasSubstr("regular, index 2"), HasSubstr("Kronecker form"),
                             HasSubstr("infinite blocks    2"), HasSubstr("Finite eigenvalues"),
                             HasSubstr("smallest kept"), HasSubstr("backward error"), HasSubstr("dimension 1")));
}

TEST(PencilCommand, ExactSolution) {
    const Scratch scratch;
    const std::string e = coordinate + "3 3 2\n1 1 1\n2 3 1\n", h = array + "3 3\n1 0 0\n0 1 0\n0 0 1\n";
    const Answer r =
        pencil(scratch, e, h, {"--forcing", "0; exp(time); sin(3*time)", "--x0", "2,0,0", "--points", "4", "--json"});
    ASSERT_EQ(r.code, 0) << r.err;
    const json answer = json::parse(r.out);
    EXPECT_EQ(answer["index"], 2);
    const json& last = answer["solution"]["x"].back();
    EXPECT_NEAR(last[0], 2 * std::exp(-1.0), 1e-12);
    EXPECT_NEAR(last[1], std::exp(1.0) - 3 * std::cos(3.0), 1e-12); // the derivative of c₃
    EXPECT_NEAR(last[2], std::sin(3.0), 1e-12);
    EXPECT_EQ(answer["solution"]["derivatives_of_c"], json({-1, 1, 0}));
    EXPECT_THAT(pencil(scratch, e, h, {"--forcing", "0"}).out, HasSubstr("Exact solution"));
    const Answer unknown = pencil(scratch, e, h, {"--forcing", "0; 0; sin(tim)"});
    EXPECT_NE(unknown.code, 0);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("forcing:5"), HasSubstr("'tim' is not declared")));
    EXPECT_THAT(pencil(scratch, e, h, {"--forcing", "1; 2"}).err, HasSubstr("c has 2 formulas"));
    EXPECT_THAT(pencil(scratch, e, h, {"--forcing", "0", "--x0", "1,b,0"}).err, HasSubstr("'b' is not a number"));
    EXPECT_THAT(pencil(scratch, e, array + "3 3\n1 0 0\n0 1 0\n0 0 0\n", {"--forcing", "0"}).err,
                HasSubstr("singular"));
}

TEST(PencilCommand, LongChainInCubicTime) {
    const Scratch scratch;
    std::string e = coordinate + "300 300 299\n", h = coordinate + "300 300 300\n";
    for (int i = 1; i < 300; ++i) e += std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
    for (int i = 1; i <= 300; ++i) h += std::to_string(i) + " " + std::to_string(i) + " 1\n";
    const Answer r = pencil(scratch, e, h, {"--json"});
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(json::parse(r.out)["index"], 300);
}

TEST(PencilCommand, Json) {
    const Scratch scratch;
    const Answer r =
        pencil(scratch, coordinate + "3 3 2\n1 1 1\n2 3 1\n", array + "3 3\n1 0 0\n0 1 0\n0 0 1\n", {"--json"});
    EXPECT_EQ(r.code, 0);
    const json p = json::parse(r.out);
    EXPECT_EQ(p["regular"], true);
    EXPECT_EQ(p["index"], 2);
    EXPECT_EQ(p["infinite_blocks"], json({2}));
    ASSERT_EQ(p["finite_eigenvalues"].size(), 1U);
    EXPECT_NEAR(p["finite_eigenvalues"][0][0].get<double>(), -1.0, 1e-14);
    EXPECT_LT(p["backward_error"].get<double>(), 1e-14);
    EXPECT_GE(p["rank_gaps"].size(), 4U);
    EXPECT_EQ(p["verdict"], "regular, index 2");
    EXPECT_EQ(p["degrees_of_freedom"], 1);
    EXPECT_EQ(p["cross_check"], "agrees");
}

TEST(PencilCommand, SingularAndRectangular) {
    const Scratch scratch;
    const Answer zero = pencil(scratch, coordinate + "2 2 0\n", coordinate + "2 2 0\n", {"--json"});
    EXPECT_EQ(zero.code, 0);
    const json z = json::parse(zero.out);
    EXPECT_EQ(z["regular"], false);
    EXPECT_TRUE(z["index"].is_null());
    EXPECT_EQ(z["left_minimal_indices"], json({0, 0}));
    const Answer wide = pencil(scratch, array + "1 2\n1\n0\n", array + "1 2\n0\n1\n");
    EXPECT_EQ(wide.code, 0);
    EXPECT_THAT(wide.out, AllOf(HasSubstr("singular (1 by 2)"), HasSubstr("1 undetermined function")));
}

TEST(PencilCommand, UndecidedIsSaid) {
    const Scratch scratch;
    const Answer noise = pencil(scratch, array + "2 2\n1 0 0 1e-11\n", array + "2 2\n1 0 0 1\n", {"--json"});
    EXPECT_EQ(noise.code, 0);
    const json n = json::parse(noise.out);
    EXPECT_THAT(n["verdict"].get<std::string>(), StartsWith("undecided, because "));
    EXPECT_TRUE(n["index"].is_null());
    const Answer told =
        pencil(scratch, array + "2 2\n1 0 0 1e-11\n", array + "2 2\n1 0 0 1\n", {"--json", "--noise", "1e-9"});
    EXPECT_EQ(json::parse(told.out)["index"], 1);
    const Answer nan = pencil(scratch, array + "1 1\nnan\n", array + "1 1\n1\n");
    EXPECT_EQ(nan.code, 0);
    EXPECT_THAT(nan.out, HasSubstr("undecided, because entry (1, 1) of E is nan"));
}

TEST(PencilCommand, LargeSparseOnesAreTestedForRegularity) {
    const Scratch scratch;
    const int n = 5000;
    std::string e = coordinate + "5000 5000 4999\n", h = coordinate + "5000 5000 5000\n";
    for (int i = 1; i <= n; ++i) {
        h += std::to_string(i) + " " + std::to_string(i) + " 1\n";
        if (i < n) e += std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
    }
    const Answer r = pencil(scratch, e, h, {"--json"});
    EXPECT_EQ(r.code, 0);
    const json p = json::parse(r.out);
    EXPECT_EQ(p["regular"], true);
    EXPECT_TRUE(p["index"].is_null());
    EXPECT_THAT(p["verdict"].get<std::string>(), HasSubstr("it is regular"));
}

TEST(PencilCommand, BadInput) {
    const Scratch scratch;
    const Answer missing = run({"pencil", scratch / "none.mtx", scratch / "none.mtx"});
    EXPECT_EQ(missing.code, 3);
    EXPECT_THAT(missing.err, HasSubstr("cannot be read"));
    const Answer shapes = pencil(scratch, array + "1 1\n1\n", array + "2 1\n1\n1\n");
    EXPECT_EQ(shapes.code, 3);
    EXPECT_THAT(shapes.err, HasSubstr("E is 1 by 1, but H is 2 by 1"));
    const Answer text = pencil(scratch, array + "1 1\none\n", array + "1 1\n1\n");
    EXPECT_EQ(text.code, 3);
    EXPECT_THAT(text.err, AllOf(HasSubstr("E.mtx:3:1"), HasSubstr("'one'")));
    const Answer huge = pencil(scratch, array + "999999 999999\n1\n", array + "1 1\n1\n", {"--json"});
    EXPECT_EQ(huge.code, 3);
    EXPECT_EQ(json::parse(huge.out)["diagnostics"][0]["code"], "matrix-market-size");
    EXPECT_EQ(pencil(scratch, array + "1 1\n1\n", array + "1 1\n1\n", {"--noise", "2"}).code, 2);
    EXPECT_EQ(run({"pencil", scratch / "only_one.mtx"}).code, 2);
}

} // namespace
} // namespace cli_test
