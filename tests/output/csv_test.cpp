#include "output/csv.hpp"
#include "output/number_text.hpp"
#include "sample_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>

using namespace daedalus::output;

TEST(NumberText, IsShortAndReadsBackExactly) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(10.0), "10");
    EXPECT_EQ(number_text(100000.0), "100000");
    EXPECT_EQ(number_text(-0.0), "-0");
    EXPECT_EQ(number_text(1e-9), "1e-09");
    EXPECT_EQ(number_text(1e22), "1e+22");
    EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
    std::mt19937_64 random(7);
    for (int i = 0; i < 20000; ++i) {
        const double mantissa = std::uniform_real_distribution<double>(-1, 1)(random);
        const double value = std::ldexp(mantissa, std::uniform_int_distribution<int>(-1073, 1023)(random));
        const std::string text = number_text(value);
        ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
        ASSERT_LE(text.size(), 25U);
    }
}

TEST(NumberText, IsBriefForPeople) {
    EXPECT_EQ(brief_number(3.14159265), "3.1416");
    EXPECT_EQ(brief_number(1.2e-9), "1.2e-09");
    EXPECT_EQ(brief_duration(12e-6), "12 µs");
    EXPECT_EQ(brief_duration(0.0034), "3.4 ms");
    EXPECT_EQ(brief_duration(1.25), "1.25 s");
    EXPECT_EQ(brief_duration(125), "2 min 5 s");
    EXPECT_EQ(brief_duration(12000), "3 h 20 min");
    EXPECT_EQ(brief_duration(-1), "?");
}

TEST(NumberText, RepairsUtf8) {
    EXPECT_EQ(valid_utf8("größe λ 𝄞"), "größe λ 𝄞");
    EXPECT_EQ(valid_utf8("a\xFFz"), "a\uFFFDz");
    EXPECT_EQ(valid_utf8("\xC0\xAF"), "\uFFFD\uFFFD");           // overlong '/'
    EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD"); // a surrogate
    EXPECT_EQ(valid_utf8("x\xE2\x82"), "x\uFFFD\uFFFD");         // cut off
}

TEST(Csv, HasHeaderAndOneRowPerPoint) {
    Trajectory trajectory;
    trajectory.variables = {{"x", "", "", VariableKind::differential, 1},
                            {"a.b[2,3]", "", "", VariableKind::algebraic, 1}};
    trajectory.time = {0.0, 0.1, 10.0};
    trajectory.values = {{1.0, 0.3, -1e-20}, {2.0, std::numeric_limits<double>::quiet_NaN(), 5e5}};
    EXPECT_EQ(csv_text(trajectory), "time,x,\"a.b[2,3]\"\n0,1,2\n0.1,0.3,nan\n10,-1e-20,500000\n");
}

TEST(Csv, QuotesWhatNeedsIt) {
    EXPECT_EQ(csv_field("der(x)"), "der(x)");
    EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
    EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csv_field(" x"), "\" x\"");
}

TEST(Csv, ReproducesEveryDoubleAndEndsAtTheEnd) {
    const Trajectory trajectory = sample::pendulum(500);
    std::istringstream text(csv_text(trajectory));
    std::string line;
    std::getline(text, line);
    EXPECT_EQ(line, "time,x,y,vx,vy,lambda,E");
    std::size_t k = 0;
    while (std::getline(text, line)) {
        std::istringstream cells(line);
        std::string cell;
        std::getline(cells, cell, ',');
        ASSERT_EQ(std::stod(cell), trajectory.time[k]);
        for (const std::vector<double>& column : trajectory.values) {
            ASSERT_TRUE(std::getline(cells, cell, ','));
            ASSERT_EQ(std::strtod(cell.c_str(), nullptr), column[k]);
        }
        ++k;
    }
    EXPECT_EQ(k, trajectory.points());
    EXPECT_EQ(trajectory.time.back(), 10.0);
}

TEST(Csv, IsHandedOverInPieces) {
    const Trajectory trajectory = sample::many(20, 2000);
    std::size_t largest = 0;
    std::size_t pieces = 0;
    write_csv(trajectory, [&](std::string_view piece) {
        largest = std::max(largest, piece.size());
        ++pieces;
    });
    EXPECT_LT(largest, 100'000U);
    EXPECT_GT(pieces, 5U);
}

// Rows are gathered a few at a time: none may be lost or moved where their number is no multiple of that.
TEST(Csv, ManyRowsAndColumnsStandWhereTheyBelong) {
    for (const int points : {1, 15, 16, 17, 50}) {
        Trajectory trajectory;
        std::string expected = "time,a,b,c\n";
        for (const char* name : {"a", "b", "c"}) trajectory.variables.push_back({name, "", ""});
        trajectory.values.resize(3);
        for (int k = 0; k < points; ++k) {
            trajectory.time.push_back(k);
            expected += std::to_string(k);
            for (int v = 0; v < 3; ++v) {
                trajectory.values[static_cast<std::size_t>(v)].push_back(100 * v + k);
                expected += "," + std::to_string(100 * v + k);
            }
            expected += "\n";
        }
        EXPECT_EQ(csv_text(trajectory), expected) << points;
    }
}
