#include "base/diagnostic.hpp"
#include "base/printable.hpp"

#include <gtest/gtest.h>

namespace daedalus {
namespace {

TEST(Printable, LetsOrdinaryTextThrough) {
    for (const char* text : {"", "der(x) = -k*x", "Größe λ₁ ≤ 10⁻³", "日本語", "a  b"}) {
        EXPECT_EQ(printable(text), text);
        EXPECT_TRUE(is_printable(text));
    }
}

TEST(Printable, EscapesWhatATerminalObeys) {
    EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
    EXPECT_EQ(printable("a\rb\x07\x7f"), "a\\x0db\\x07\\x7f");
    EXPECT_EQ(printable("\xC2\x9B"
                        "31m"),
              "\\x9b31m"); // CSI of eight bits
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    for (const char* text : {"\x1b", "\r", "\n", "\t", "\x7f", "\xC2\x85"}) EXPECT_FALSE(is_printable(text));
}

TEST(Printable, EscapesWhatChangesTheDirection) {
    EXPECT_EQ(printable("\u202Egnp.exe"), "\\u202egnp.exe");
    for (const char* text : {"\u061C", "\u200E", "\u200F", "\u202A", "\u202D", "\u2066", "\u2069", "\u2028", "\uFEFF"})
        EXPECT_FALSE(is_printable(text));
}

TEST(Printable, EscapesBytesThatAreNoText) {
    EXPECT_EQ(printable("a\xFF"), "a\\xff");
    EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");                   // overlong '/'
    EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");          // a surrogate
    EXPECT_EQ(printable("x\xE2\x82"), "x\\xe2\\x82");                 // cut off
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"); // beyond the last character
}

TEST(Printable, LayoutIsKeptOrBecomesSpace) {
    EXPECT_EQ(printable("a\tb\nc", Layout::keep), "a\tb\nc");
    EXPECT_EQ(printable("a\tb\nc"), "a b c");
}

TEST(Printable, DiagnosticsAreRenderedWithIt) {
    Diagnostic d = make_error("x", "there is no '\x1b[31m'", "try '\x07'");
    d.where = Location{"a\x1b.mo", 3, 5, 7, "ab\x1b xyz"};
    const std::string text = render(d);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find('\x07'), std::string::npos);
    // The mark stands below what it means, although the line has become longer: "ab\x1b xyz", column 5 is x.
    EXPECT_NE(text.find("  ab\\x1b xyz\n         ^~\n"), std::string::npos) << text;
}

} // namespace
} // namespace daedalus
