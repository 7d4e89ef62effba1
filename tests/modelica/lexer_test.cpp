#include "modelica/lexer.hpp"

#include <gtest/gtest.h>

namespace daedalus::modelica {
namespace {

using enum TokenKind;

std::vector<TokenKind> kinds(const std::string& text) {
    const SourceFile file("t.mo", text);
    Report report(file);
    std::vector<TokenKind> result;
    for (const Token& token : tokenize(file, report).tokens) result.push_back(token.kind);
    EXPECT_FALSE(report.has_errors()) << render(report.take());
    return result;
}

std::string problems(const std::string& text) {
    const SourceFile file("t.mo", text);
    Report report(file);
    (void)tokenize(file, report);
    std::string out;
    for (const Diagnostic& d : report.take()) out += d.code + "@" + std::to_string(d.where->column) + " ";
    return out;
}

TEST(Lexer, EverySpellingGivesItsOwnKind) {
    for (std::size_t k = static_cast<std::size_t>(left_parenthesis); k < token_text.size(); ++k) {
        const auto kind = static_cast<TokenKind>(k);
        EXPECT_EQ(kinds(std::string(spelling(kind))), (std::vector{kind, end_of_file})) << spelling(kind);
    }
}

TEST(Lexer, NumbersAndElementwiseOperators) {
    EXPECT_EQ(kinds("1 1. 1.5 .5 1e3 1.5E-3 2.e+4"),
              (std::vector{integer, real, real, real, real, real, real, end_of_file}));
    EXPECT_EQ(kinds("1.*x"), (std::vector{integer, dot_times, identifier, end_of_file}));
    EXPECT_EQ(kinds("x.+1./y"), (std::vector{identifier, dot_plus, integer, dot_divide, identifier, end_of_file}));
    EXPECT_EQ(kinds("1e-400"), (std::vector{real, end_of_file})) << "too small is zero, not an error";
}

TEST(Lexer, CommentsStringsAndQuotedNames) {
    EXPECT_EQ(kinds("a // to the end\n/* one\n * two */ b"), (std::vector{identifier, identifier, end_of_file}));
    EXPECT_EQ(kinds("\"with \\\" quote\nand line\" 'odd name + 1'"), (std::vector{string, identifier, end_of_file}));
    EXPECT_EQ(kinds("\xEF\xBB\xBFmodel"), (std::vector{kw_model, end_of_file}));
    EXPECT_EQ(string_value(R"("a\"b\\\n")"), "a\"b\\\n");
}

TEST(Lexer, Mistakes) {
    EXPECT_EQ(problems("x = 1e999"), "number-out-of-range@5 ");
    EXPECT_EQ(problems("x = 12ab"), "bad-number@5 ");
    EXPECT_EQ(problems("x = \"abc"), "unterminated-string@5 ");
    EXPECT_EQ(problems("x /* abc"), "unterminated-comment@3 ");
    EXPECT_EQ(problems("'abc\nx"), "unterminated-identifier@1 ");
    EXPECT_EQ(problems("a != b && c || d ** e"),
              "foreign-operator@3 foreign-operator@8 foreign-operator@13 foreign-operator@18 ");
    EXPECT_EQ(problems("a # b"), "stray-character@3 ");
    EXPECT_EQ(problems("\xCF\x89 = 1"), "stray-character@1 ") << "one message for one letter of two bytes";
}

TEST(Lexer, WhatIsNotText) {
    EXPECT_EQ(problems(std::string("abc\0def", 7)), "not-text@1 ");
    EXPECT_EQ(problems("\x7f\x45LF\x02\x01\x01\x03\x04\x05"), "not-text@1 ");
    EXPECT_EQ(problems("\xFF\xFEm"), "not-utf8@1 ");
}

} // namespace
} // namespace daedalus::modelica
