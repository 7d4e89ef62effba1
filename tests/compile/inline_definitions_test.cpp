// Unknowns that an equation defines are taken out: how many, and that nothing else changes.
#include "compile/compile.hpp"
#include "facade/access.hpp"

#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

using namespace daedalus;

namespace {

compile::CompiledModel compiled(const std::string& text, compile::CompileOptions options = {}) {
    const auto model = Model::from_string(text);
    EXPECT_TRUE(model) << render(model.error());
    options.inline_definitions = true;
    auto result = compile::compile(model->impl().model, options);
    EXPECT_TRUE(result);
    return *std::move(result);
}

const std::string chain_of_definitions = R"(model M
  Real x(start=1, fixed=true), a, b, c, unused;
equation
  der(x) = -c;
  a = 2*x;
  b = a^2;
  c = b + sin(a);
  unused = exp(c);
end M;)";

TEST(InlineDefinitions, DefinitionsOfDefinitionsGo) {
    const compile::CompiledModel m = compiled(chain_of_definitions);
    EXPECT_EQ(m.definitions, 3);
    EXPECT_EQ(m.problem.size(), 2); // what nothing else mentions stays: F tells where it has no value
    EXPECT_EQ(m.problem.dependents().size(), 3);
    EXPECT_EQ(m.outputs.size(), 5U);
}

TEST(InlineDefinitions, OutputsAreThoseOfTheEquationsAsWritten) {
    const auto model = Model::from_string(chain_of_definitions);
    ASSERT_TRUE(model);
    for (const char* method : {"radau", "bdf", "rodas5", "esdirk4", "limex", "dop853"}) {
        const auto small = solve(*model, {.until = 0.3, .method = method, .rtol = 1e-9});
        const auto whole = solve(*model, {.until = 0.3, .method = method, .rtol = 1e-9, .eliminate_aliases = false});
        ASSERT_TRUE(small && whole && small->success() && whole->success()) << method;
        for (const char* name : {"x", "a", "b", "c", "unused"})
            EXPECT_NEAR(small->final(name), whole->final(name), 1e-7 * std::abs(whole->final(name))) << name << method;
        EXPECT_NEAR(small->final("c"), small->final("b") + std::sin(small->final("a")), 1e-14);
    }
}

// i_k = c_k + i_{k+1}: each definition costs little, but a sum over all of the ladder in every row would not be sparse.
TEST(InlineDefinitions, ChainsDoNotGrowIntoSums) {
    constexpr int cells = 300;
    std::string declared = "model Ladder Real v0;\n", equations = "equation v0 = sin(time);\n";
    for (int k = 1; k <= cells; ++k) {
        const std::string n = std::to_string(k), before = std::to_string(k - 1), next = std::to_string(k + 1);
        declared += "Real v" + n + "(start = 0, fixed = true), u" + n + ", i" + n + ", c" + n + ";\n";
        equations += "u" + n + " = v" + before + " - v" + n + "; u" + n + " = 10*i" + n + "; c" + n + " = 1e-4*der(v" +
                     n + "); i" + n + " = c" + n + (k < cells ? " + i" + next : "") + ";\n";
    }
    const compile::CompiledModel m = compiled(declared + equations + "end Ladder;");
    EXPECT_GT(m.definitions, cells);
    EXPECT_LE(m.problem.pattern().nonzeros(), 6 * m.problem.size());
}

TEST(InlineDefinitions, LoopsStay) {
    const compile::CompiledModel m = compiled("model M Real x(start=1, fixed=true), a, b;\nequation\n"
                                              "der(x) = -a; a = 0.1*b + x; b = 0.2*sin(a); end M;");
    EXPECT_EQ(m.definitions, 1); // one of the two, and then the other is no definition any more
    EXPECT_EQ(m.problem.size(), 2);
}

TEST(InlineDefinitions, BoundsAndWishesKeepUnknowns) {
    const std::string text = "model M Real x(start=1, fixed=true), a(min=0), b;\nequation\n"
                             "der(x) = -a - b; a = 2*x; b = 3*x; end M;";
    EXPECT_EQ(compiled(text).definitions, 1);
    EXPECT_EQ(compiled(text, {.kept = {"b"}}).definitions, 0);
}

TEST(InlineDefinitions, SumsOverEverythingStayOut) {
    std::string declared, sum = "s = 0", rows;
    constexpr int n = 40;
    for (int k = 1; k <= n; ++k) {
        const std::string x = "x" + std::to_string(k);
        declared += "Real " + x + "(start=1, fixed=true);";
        sum += " + " + x;
        rows += "der(" + x + ") = -s*" + x + ";\n";
    }
    const compile::CompiledModel m =
        compiled("model M " + declared + " Real s;\nequation\n" + rows + sum + ";\nend M;");
    EXPECT_EQ(m.definitions, 0); // it would fill the Jacobian
    EXPECT_EQ(m.problem.size(), n + 1);
}

TEST(InlineDefinitions, DependentCoordinatesGoWithTheirDerivatives) {
    // The end of a pendulum's rod is a name for what its angle tells.
    const compile::CompiledModel m = compiled(R"(model M
  Real phi(start=1, fixed=true), w(start=0, fixed=true), x, y, fx, fy;
equation
  x = sin(phi);
  y = -cos(phi);
  der(phi) = w;
  der(der(x)) = fx;
  der(der(y)) = fy - 9.81;
  fx*cos(phi) + fy*sin(phi) = 0;
end M;)");
    EXPECT_GE(m.definitions, 4);
    EXPECT_LE(m.problem.size(), 7);
}

// With a term more in every equation the arm's blocks without states define unknowns of each other.
TEST(InlineDefinitions, BlocksWithoutStatesMayDefineEachOther) {
    std::ifstream file(DAEDALUS_SOURCE_DIR "/examples/robot_arm.mo");
    std::string text, line;
    for (int number = 0; std::getline(file, line); text += line + "\n")
        if (line.find(" = ") != std::string::npos && line.find("annotation") == std::string::npos)
            line.insert(line.rfind(';'), " + 1e-3*sin(10*time + " + std::to_string(number++) + ")");
    for (const bool inlined : {true, false}) {
        compile::CompileOptions options;
        options.eliminate_aliases = inlined;
        const compile::CompiledModel m = compiled(text, options);
        EXPECT_EQ(m.definitions > 0, inlined);
        EXPECT_EQ(m.problem.kernel_rows() + static_cast<int>(m.problem.links().size()), m.problem.size());
        EXPECT_EQ(m.problem.pattern().rows, m.problem.size());
    }
    const auto model = Model::from_string(text);
    ASSERT_TRUE(model);
    const auto small = solve(*model, {.until = 0.3, .rtol = 1e-8});
    const auto whole = solve(*model, {.until = 0.3, .rtol = 1e-8, .eliminate_aliases = false});
    ASSERT_TRUE(small && whole && small->success() && whole->success());
    for (const char* name : {"x1", "x2", "x3", "u1", "u2"})
        EXPECT_NEAR(small->final(name), whole->final(name), 1e-5 * (1.0 + std::abs(whole->final(name)))) << name;
}

TEST(InlineDefinitions, ErrorsOfWhatWentCount) {
    // y is a small difference of large numbers: its relative accuracy needs steps that x alone does not.
    const std::string text = "model M Real x(start=1, fixed=true), y, z(start=0, fixed=true);\nequation\n"
                             "der(x) = -x + sin(10*time); y = 1e4*(x - 2)^5; der(z) = 1e-9*y; end M;";
    const auto model = Model::from_string(text);
    ASSERT_TRUE(model);
    const auto vague = solve(*model, {.until = 5, .method = "radau5", .rtol = 1e-5});
    const auto exact = solve(*model, {.until = 5, .method = "radau", .rtol = 1e-12});
    ASSERT_TRUE(vague && exact && vague->success() && exact->success());
    EXPECT_NEAR(vague->final("y"), exact->final("y"), 1e-4 * std::abs(exact->final("y")));
}

} // namespace
