// `daedalus solve DECK`: every analysis of a deck, its files, and what goes wrong.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace cli_test;
using testing::HasSubstr;

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

TEST(Deck, RunsWhatItAsksFor) {
    const auto folder = std::filesystem::temp_directory_path() / "daedalus_deck_test";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const auto deck = folder / "rc.cir";
    std::ofstream(deck) << "low pass\nV1 in 0 DC 2 SIN(0 1 1k) AC 1\nR1 in out 1k\nC1 out 0 1u\n"
                           ".op\n.dc V1 0 4 1\n.ac dec 1 1 100\n.tran 1u 1m\n.end\n";
    const Answer r = run({"solve", deck.string(), "--output", (folder / "r.csv").string(), "--param", "R1=500"});
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("operating point (Newton's method: "));
    EXPECT_THAT(r.out, HasSubstr("dc: 5 points, V1 = 0"));
    EXPECT_THAT(r.out, HasSubstr("ac: 3 points"));
    EXPECT_THAT(r.out, HasSubstr("solved  t = 0"));
    EXPECT_THAT(text_of(folder / "r.op.csv"), HasSubstr("V(in),V(out),I(V1)\n2,2,0"));
    EXPECT_THAT(text_of(folder / "r.dc.csv"), HasSubstr("\n3,3,3,"));
    EXPECT_THAT(text_of(folder / "r.ac.csv"), HasSubstr("frequency,|V(in)|"));
    EXPECT_THAT(text_of(folder / "r.csv"), HasSubstr("time,"));
    std::filesystem::remove_all(folder);
}

TEST(Deck, TablesAsJson) {
    const auto file = std::filesystem::temp_directory_path() / "daedalus_json_test.cir";
    std::ofstream(file) << "divider\nV1 a 0 4\nR1 a b 1k\nR2 b 0 3k\n.step R1 1k 2k 1k\n.op\n.end\n";
    const Answer r = run({"solve", file.string(), "--json"});
    ASSERT_EQ(r.code, 0) << r.err;
    const auto table = nlohmann::json::parse(r.out);
    EXPECT_EQ(table["analysis"], "op");
    EXPECT_EQ(table["columns"][1]["name"], "V(b)");
    EXPECT_DOUBLE_EQ(table["columns"][1]["values"][0], 3.0);
    EXPECT_THAT(table["diagnostics"].dump(), HasSubstr(".step is not run"));
    std::filesystem::remove(file);
}

TEST(Deck, NothingAskedForIsPassedOver) {
    const auto file = std::filesystem::temp_directory_path() / "daedalus_asked_test.cir";
    std::ofstream(file) << "divider\nV1 a 0 4\nR1 a 0 1k\n.op\n.end\n";
    const Answer page = run({"solve", file.string(), "--output", "never.html"});
    EXPECT_EQ(page.code, 2);
    EXPECT_THAT(page.err, HasSubstr("only a transient analysis has such a file"));
    const Answer until = run({"solve", file.string(), "--until", "1"});
    EXPECT_EQ(until.code, 0) << until.err;
    EXPECT_THAT(until.out, HasSubstr("solved  t = 0"));
    std::filesystem::remove(file);
}

TEST(Deck, AnalyzeSpeaksOfLoops) {
    const auto file = std::filesystem::temp_directory_path() / "daedalus_loop_test.cir";
    std::ofstream(file) << "loop\nV1 in 0 SIN(0 1 1k)\nC1 in x 1u\nC2 x 0 1u\nR1 x 0 1k\n.tran 1u 1m\n.end\n";
    const Answer r = run({"analyze", file.string()});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("by the graph of the circuit: index 2"));
    EXPECT_THAT(r.out, HasSubstr("the current of V1 has index 2"));
    std::filesystem::remove(file);
}

TEST(Deck, WhatIsWrongIsSaidWithItsLine) {
    const auto file = std::filesystem::temp_directory_path() / "daedalus_wrong_test.cir";
    std::ofstream(file) << "wrong\nV1 a 0 1\nR1 a b 1k\nD1 b 0 DX\n.end\n";
    const Answer r = run({"solve", file.string()});
    EXPECT_NE(r.code, 0);
    EXPECT_THAT(r.err, HasSubstr("_test.cir:4:"));
    std::filesystem::remove(file);
}

} // namespace
