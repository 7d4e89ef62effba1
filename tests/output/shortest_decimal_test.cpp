// Against the standard library, which finds the shortest decimal by another algorithm.
#include "output/shortest_decimal.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

namespace daedalus::output {
namespace {

std::string ours(double value) {
    char text[longest_number];
    return {text, write_shortest(text, value)};
}

std::string standard(double value) {
    const double magnitude = std::abs(value);
    const bool fixed = magnitude == 0.0 || (magnitude >= 1e-4 && magnitude < 1e16);
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, value,
                                fixed ? std::chars_format::fixed : std::chars_format::scientific)
                      .ptr};
}

TEST(ShortestDecimal, RandomBitsAsTheStandardLibrary) {
    std::mt19937_64 random(20);
    for (int k = 0; k < 1000000; ++k) {
        const auto value = std::bit_cast<double>(random());
        if (std::isnan(value)) continue;
        ASSERT_EQ(ours(value), standard(value)) << std::hexfloat << value;
    }
}

TEST(ShortestDecimal, NumbersOfOrdinarySize) {
    std::mt19937_64 random(21);
    std::uniform_real_distribution<double> exponent(-9, 18), mantissa(-1, 1);
    for (int k = 0; k < 1000000; ++k) {
        const double value = mantissa(random) * std::pow(10.0, exponent(random));
        ASSERT_EQ(ours(value), standard(value)) << std::hexfloat << value;
        const double rounded = std::round(value);
        ASSERT_EQ(ours(rounded), standard(rounded)) << std::hexfloat << rounded;
    }
}

TEST(ShortestDecimal, PowersOfTwoAndTenAndTheirNeighbours) {
    // Below a power of two doubles are half as far apart, the case with bounds of its own.
    const double infinity = std::numeric_limits<double>::infinity();
    const auto with_neighbours = [&](double value) {
        for (const double v : {std::nextafter(value, 0.0), value, std::nextafter(value, infinity)}) {
            ASSERT_EQ(ours(v), standard(v)) << std::hexfloat << v;
            ASSERT_EQ(ours(-v), standard(-v)) << std::hexfloat << v;
        }
    };
    for (int e = -1074; e <= 1023; ++e) with_neighbours(std::ldexp(1.0, e));
    for (int e = -323; e <= 308; ++e) with_neighbours(std::strtod(("1e" + std::to_string(e)).c_str(), nullptr));
    with_neighbours(std::numeric_limits<double>::max());
}

TEST(ShortestDecimal, WhatHasNoDigits) {
    EXPECT_EQ(ours(0.0), "0");
    EXPECT_EQ(ours(-0.0), "-0");
    EXPECT_EQ(ours(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(ours(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_EQ(ours(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

} // namespace
} // namespace daedalus::output
