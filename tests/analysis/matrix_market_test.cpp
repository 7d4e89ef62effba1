// The Matrix Market reader: what it accepts, and where it says that something is wrong.
#include "analysis/matrix_market.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::MarketMatrix;
using analysis::parse_matrix_market;

const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

double entry(const MarketMatrix& m, int row, int col) {
    double sum = 0.0;
    for (const auto& e : m.entries)
        if (e.row == row && e.col == col) sum += e.value;
    return sum;
}

TEST(MatrixMarket, Coordinate) {
    const auto m = parse_matrix_market(coordinate + "% comment\n\n2 3 3\n1 1 1.5\n2 3 -2e-3\n2 3 +1\n", "m");
    ASSERT_TRUE(m);
    EXPECT_EQ(m->rows, 2);
    EXPECT_EQ(m->cols, 3);
    EXPECT_EQ(entry(*m, 0, 0), 1.5);
    EXPECT_DOUBLE_EQ(entry(*m, 1, 2), 0.998);
}

TEST(MatrixMarket, ArrayIsByColumns) {
    const auto m = parse_matrix_market(array + "2 2\n1\n2\n3 4\n", "m");
    ASSERT_TRUE(m);
    EXPECT_EQ(entry(*m, 1, 0), 2.0);
    EXPECT_EQ(entry(*m, 0, 1), 3.0);
}

TEST(MatrixMarket, SymmetricAndSkew) {
    const auto s =
        parse_matrix_market("%%matrixmarket MATRIX coordinate integer symmetric\n2 2 2\n1 1 4\n2 1 5\n", "m");
    ASSERT_TRUE(s);
    EXPECT_EQ(entry(*s, 0, 1), 5.0);
    EXPECT_EQ(entry(*s, 1, 0), 5.0);
    const auto skew = parse_matrix_market("%%MatrixMarket matrix array real skew-symmetric\n2 2\n7\n", "m");
    ASSERT_TRUE(skew);
    EXPECT_EQ(entry(*skew, 1, 0), 7.0);
    EXPECT_EQ(entry(*skew, 0, 1), -7.0);
    const auto dense = parse_matrix_market("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", "m");
    ASSERT_TRUE(dense);
    EXPECT_EQ(entry(*dense, 0, 1), 2.0);
    EXPECT_EQ(entry(*dense, 1, 1), 3.0);
}

TEST(MatrixMarket, EmptyAndSpecialValues) {
    EXPECT_TRUE(parse_matrix_market(coordinate + "0 0 0\n", "m"));
    EXPECT_TRUE(parse_matrix_market(array + "0 5\n", "m"));
    EXPECT_TRUE(parse_matrix_market(coordinate + "20000 20000 0", "m"));
    const auto m = parse_matrix_market(array + "1 2\nnan\n-Inf\n", "m");
    ASSERT_TRUE(m);
    EXPECT_TRUE(std::isnan(entry(*m, 0, 0)));
    EXPECT_TRUE(std::isinf(entry(*m, 0, 1)));
    EXPECT_EQ(entry(*parse_matrix_market(array + "1 1\n1.5D+01\n", "m"), 0, 0), 15.0);
}

struct Wrong {
    std::string text, code;
    int line;
};

TEST(MatrixMarket, ErrorsHaveTheirLine) {
    const Wrong cases[] = {
        {"", "matrix-market-header", 0},
        {"1 2 3\n", "matrix-market-header", 1},
        {"%%MatrixMarket matrix coordinate\n", "matrix-market-header", 1},
        {"%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "matrix-market-header", 1},
        {"%%MatrixMarket matrix coordinate pattern general\n1 1 0\n", "matrix-market-header", 1},
        {"%%MatrixMarket matrix heap real general\n", "matrix-market-header", 1},
        {coordinate, "matrix-market-size", 0},
        {coordinate + "2 2\n", "matrix-market-size", 2},
        {coordinate + "2 -2 1\n", "matrix-market-size", 2},
        {coordinate + "2 2.5 1\n", "matrix-market-size", 2},
        {coordinate + "2 2 99999999999999999999\n", "matrix-market-size", 2},
        {coordinate + "2000000000 2000000000 1\n1 1 1\n", "matrix-market-size", 2},
        {coordinate + "10 10 1000000000000\n1 1 1\n", "matrix-market-size", 2},
        {array + "1000000 1000000\n1\n", "matrix-market-size", 2},
        {array + "20000000 20000000\n1\n", "matrix-market-size", 2},
        {coordinate + "2 2 2\n1 1 1\n", "matrix-market-entries", 0},
        {coordinate + "2 2 1\n3 1 1\n", "matrix-market-entries", 3},
        {coordinate + "2 2 1\n0 1 1\n", "matrix-market-entries", 3},
        {coordinate + "2 2 1\n1 1\n", "matrix-market-entries", 3},
        {coordinate + "2 2 1\n1 1 x\n", "matrix-market-number", 3},
        {coordinate + "2 2 1\n1 1 1e999\n", "matrix-market-number", 3},
        {coordinate + "2 2 1\n1 1 1\n2 2 2\n", "matrix-market-trailing", 4},
        {array + "1 2\n1\n2\n3\n", "matrix-market-trailing", 5},
        {array + "1 2\n1 2 3\n", "matrix-market-trailing", 3},
        {array + "2 2\n1\n2\n3\n", "matrix-market-entries", 0},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "matrix-market-size", 2},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "matrix-market-entries", 3},
        {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "matrix-market-entries", 3},
    };
    for (const Wrong& c : cases) {
        const auto m = parse_matrix_market(c.text, "m.mtx");
        ASSERT_FALSE(m) << c.text;
        ASSERT_EQ(m.error().size(), 1U);
        EXPECT_EQ(m.error()[0].code, c.code) << c.text;
        ASSERT_TRUE(m.error()[0].where) << c.text;
        if (c.line > 0) {
            EXPECT_EQ(m.error()[0].where->line, c.line) << c.text;
        }
    }
    EXPECT_EQ(analysis::read_matrix_market("/nonexistent/E.mtx").error()[0].code, "cannot-read");
    EXPECT_EQ(analysis::read_matrix_market("/").error()[0].code, "cannot-read");
}

} // namespace
} // namespace daedalus::testing
