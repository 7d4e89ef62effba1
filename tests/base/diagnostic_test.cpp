#include "base/diagnostic.hpp"

#include <gtest/gtest.h>

using namespace daedalus;

TEST(Diagnostic, ShowsFileLineColumnTheLineAndACaret) {
    const SourceFile file("m.mo", "model M\n  Real x;\nend M;\n");
    const Diagnostic d =
        make_error("unknown-identifier", "unknown identifier 'x'", SourceSpan{&file, 15, 16}, "did you mean 'y'?");
    EXPECT_EQ(render(d), "m.mo:2:8: error: unknown identifier 'x'\n"
                         "    Real x;\n"
                         "         ^\n"
                         "  hint: did you mean 'y'?\n");
}

TEST(Diagnostic, LocatesTheEndOfFileAndUtf8Columns) {
    const SourceFile file("m.mo", "a\nψ = 1");
    EXPECT_EQ(file.locate(100, 200).line, 2);
    EXPECT_EQ(file.locate(5, 6).column, 3); // ψ is two bytes, one column
}

TEST(Diagnostic, SuggestsTheClosestNameOnly) {
    EXPECT_EQ(closest("lamda", {"lambda", "x"}), "lambda");
    EXPECT_EQ(closest("zeta", {"lambda", "x"}), std::nullopt);
}
