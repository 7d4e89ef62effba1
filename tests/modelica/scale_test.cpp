// Size and depth: long is fine, deep is refused, nothing overflows.
#include "modelica/parse.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

namespace daedalus::modelica {
namespace {

std::string repeat(const std::string& part, int count) {
    std::string out;
    out.reserve(part.size() * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) out += part;
    return out;
}

TEST(Scale, LongSumsAndProducts) {
    const auto m = read_text(around("Real x;", "x = time" + repeat(" + sin(x)*x - 1", 100000) + ";"));
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_GT(m->graph->size(), 100000U);
}

TEST(Scale, LongElseifChainsAndArgumentLists) {
    EXPECT_TRUE(
        read_text(around("Real x;", "x = if x > 0 then 1" + repeat(" elseif x > 1 then 2", 20000) + " else 0;")));
    EXPECT_NE(messages(around("Real x;", "x = sin(1" + repeat(", 1", 100000) + ");")).find("not 100001"),
              std::string::npos);
}

TEST(Scale, ManyEquationsAndParameters) {
    std::string declarations;
    std::string equations;
    for (int i = 0; i < 100000; ++i) {
        const std::string n = std::to_string(i);
        declarations += "parameter Real p" + n + " = " + (i > 0 ? "p" + std::to_string(i - 1) : "0") + " + 1;\n";
        declarations += "L x" + n + "(start = p" + n + ");\n";
        equations += "der(x" + n + ") = -p" + n + "*x" + n + ";\n";
    }
    const auto m =
        read_text("model M type L = Real(unit = \"m\");\n" + declarations + "equation\n" + equations + "end M;");
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_EQ(m->equations.size(), 100000U);
    EXPECT_EQ(model::parameter_values(*m).value().back(), 100000.0);
}

TEST(Scale, ManyErrorsAreCounted) {
    const std::string text = messages(around("Real x;", repeat("x = unknown_name + nofun(1);\n", 10000)));
    EXPECT_NE(text.find("m.mo: error: and 19980 more errors"), std::string::npos);
    const std::string syntax = messages(around("Real x;", repeat("x = ) + ;\n", 10000)));
    EXPECT_NE(syntax.find("and 9980 more errors"), std::string::npos);
}

TEST(Scale, DeepNestingIsRefusedInEveryForm) {
    const auto refused = [](const std::string& text) {
        const SourceFile file("m.mo", text);
        return render(parse(file).diagnostics).find("nested deeper than 500 levels") != std::string::npos;
    };
    constexpr int deep = 100000;
    EXPECT_TRUE(refused(around("Real x;", "x = " + repeat("(", deep) + "1" + repeat(")", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", "x = " + repeat("{", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", "x = " + repeat("[", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", "x = " + repeat("sin(", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", "x = " + repeat("a[", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", "x = " + repeat("if a then b else ", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", repeat("if x > 0 then ", deep) + ";")));
    EXPECT_TRUE(refused(around("Real x;", repeat("for i in 1:2 loop ", deep) + ";")));
    EXPECT_TRUE(refused("model M algorithm " + repeat("while x loop ", deep) + "end M;"));
    EXPECT_TRUE(refused(repeat("model M ", deep)));
    EXPECT_TRUE(refused("model M Real x" + repeat("(a", deep) + "; end M;"));
    EXPECT_TRUE(refused("model M Real x(" + repeat("redeclare model A = B(", deep) + "; end M;"));
}

TEST(Scale, NestingBelowTheLimitWorks) {
    EXPECT_TRUE(read_text(around("Real x;", "x = " + repeat("(", 450) + "1" + repeat(")", 450) + ";")));
    EXPECT_TRUE(
        read_text(around("Real x;", repeat("if time > 0 then ", 400) + "x = 1;" + repeat("else x = 2; end if;", 400))));
}

TEST(Scale, SignsAndNotsInARow) {
    EXPECT_TRUE(read_text(around("Real x;", "x = " + repeat("- ", 100000) + "1;")));
    EXPECT_TRUE(read_text(around("Real x;", "x = if " + repeat("not ", 100000) + "true then 1 else 2;")));
}

TEST(Scale, StrayEndsInARow) {
    EXPECT_FALSE(messages(around("Real x;", repeat("end if; ", 100000))).empty());
    EXPECT_FALSE(messages("model M " + repeat("end if; ", 100000)).empty());
    EXPECT_FALSE(messages(repeat("end M; ", 100000)).empty());
}

TEST(Scale, NestedDerivativesOfExpressionsAreLimited) {
    const std::string text =
        messages(around("Real x;", "x = " + repeat("der(", 50) + "sin(x)" + repeat(")", 50) + ";"));
    EXPECT_NE(text.find("nested this deep"), std::string::npos);
    EXPECT_NE(messages(around("Real x;", "x = " + repeat("der(", 400) + "x" + repeat(")", 400) + ";"))
                  .find("above order 100"),
              std::string::npos);
}

} // namespace
} // namespace daedalus::modelica
