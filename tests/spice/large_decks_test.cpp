// Decks that are large or want to be.
#include "reading.hpp"

#include <gmock/gmock.h>

#include <chrono>

using namespace daedalus;
using namespace daedalus::spice;
using testing::HasSubstr;

namespace {

std::string ladder(int sections) {
    std::string text = "V1 n0 0 1\n";
    for (int k = 0; k < sections; ++k) {
        const std::string a = std::to_string(k), b = std::to_string(k + 1);
        text += "R" + a + " n" + a + " n" + b + " 1k\nC" + a + " n" + b + " 0 1p\n";
    }
    return text;
}

double seconds(const std::string& text) {
    double best = 1e9;
    for (int k = 0; k < 3; ++k) {
        const auto start = std::chrono::steady_clock::now();
        EXPECT_TRUE(read_deck(text));
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// Each subcircuit has two instances of the next smaller one.
std::string doubling(int levels, const std::string& leaf) {
    std::string text = ".subckt s0 a\n" + leaf + ".ends\n";
    for (int k = 1; k <= levels; ++k) {
        const std::string below = "s" + std::to_string(k - 1);
        text += ".subckt s" + std::to_string(k) + " a\nX1 a " + below + "\nX2 a " + below + "\n.ends\n";
    }
    return text + "X1 1 s" + std::to_string(levels) + "\nR1 1 0 1\n";
}

} // namespace

// 16 times the deck in about 16 times the time; a list that is searched would take 256 times as long.
TEST(SpiceLargeDecks, TimeGrowsAboutLinearly) {
    const double small = seconds(ladder(5'000)), large = seconds(ladder(80'000));
    EXPECT_LT(large, 60.0 * small);
}

TEST(SpiceLargeDecks, EveryInstanceIsThere) {
    const Netlist n = deck(doubling(12, "R1 a m 1\nC1 m 0 1\n"));
    EXPECT_EQ(n.elements.size(), 2U * 4096U + 1U);
    EXPECT_EQ(n.nodes.size(), 4096U + 2U);
}

TEST(SpiceLargeDecks, ExponentialExpansionIsRefusedBeforehand) {
    for (const char* leaf : {"R1 a 0 1\n", ""}) {
        const auto start = std::chrono::steady_clock::now();
        EXPECT_THAT(messages(doubling(150, leaf)), HasSubstr("more than 10000000 elements and instances"));
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
    }
    // What stands behind .if is counted while it is expanded.
    ReadOptions options;
    options.most_elements = 10'000;
    std::string text = doubling(60, ".if (1)\nR1 a 0 1\n.endif\n");
    for (std::size_t at = 0; (at = text.find("X2 a s", at)) != std::string::npos; at += 20)
        text.replace(at, text.find('\n', at) - at,
                     ".if (1)\n" + text.substr(at, text.find('\n', at) - at) + "\n.endif");
    EXPECT_THAT(messages(text, options), HasSubstr("more than 10000 elements and instances"));
}

TEST(SpiceLargeDecks, DeepNestingIsRefused) {
    std::string text = ".subckt s0 a\nR1 a 0 1\n.ends\n";
    for (int k = 1; k <= 1000; ++k)
        text += ".subckt s" + std::to_string(k) + " a\nX1 a s" + std::to_string(k - 1) + "\n.ends\n";
    EXPECT_THAT(messages(text + "X1 1 s1000\n"), HasSubstr("nested more than 200 levels deep"));
    EXPECT_TRUE(read_deck(text + "X1 1 s150\n"));
    std::string definitions, ends;
    for (int k = 0; k < 100'000; ++k) {
        definitions += ".subckt s" + std::to_string(k) + " a\n";
        ends += ".ends\n";
    }
    EXPECT_THAT(messages(definitions + ends + "R1 1 0 1\n"), HasSubstr("defined more than 200 levels deep"));
    std::string conditions, endifs;
    for (int k = 0; k < 100'000; ++k) {
        conditions += ".if (1)\n";
        endifs += ".endif\n";
    }
    EXPECT_EQ(value(deck(conditions + "R1 1 0 1\n" + endifs), "R1"), 1.0);
}

TEST(SpiceLargeDecks, LongLinesAndManyMistakes) {
    std::string points = "V1 1 0 PWL(0 0\n";
    for (int k = 1; k <= 100'000; ++k) points += "+ " + std::to_string(k) + " 1\n";
    const Netlist n = deck(points + "+ )\nR1 1 0 1\n");
    EXPECT_EQ(element(n, "V1").waveform.numbers.size(), 200'002U);
    std::string wrong;
    for (int k = 0; k < 10'000; ++k) wrong += "R" + std::to_string(k) + " 1 0\n";
    const auto read = read_deck(wrong);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().size(), 21U);
    EXPECT_EQ(read.error().back().message, "and 9980 more errors");
}

TEST(SpiceLargeDecks, ManyCoupledCoils) {
    std::string chain;
    for (int k = 0; k < 20'000; ++k) {
        chain += "L" + std::to_string(k) + " " + std::to_string(k + 1) + " 0 1u\n";
        if (k > 0)
            chain += "K" + std::to_string(k) + " L" + std::to_string(k - 1) + " L" + std::to_string(k) + " 0.4\n";
    }
    EXPECT_TRUE(read_deck(chain));
}
