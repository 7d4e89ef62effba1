// Tables in files, written here byte by byte, and the curves through their points.
#include "modelica/object.hpp"
#include "modelica/table_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace daedalus::modelica {
namespace {

std::string written(const std::string& name, const std::string& bytes) {
    const std::string path = (std::filesystem::temp_directory_path() / ("daedalus_table_" + name)).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}
template <class T>
std::string raw(std::initializer_list<T> values) {
    std::string bytes;
    for (const T value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return bytes;
}
void expect_table(const Expected<FileTable, std::string>& table) { // 1 2; 3 4; 5 6.5
    ASSERT_TRUE(table) << table.error();
    EXPECT_EQ(table->rows, 3);
    EXPECT_EQ(table->columns, 2);
    EXPECT_EQ(table->values, (std::vector<double>{1, 2, 3, 4, 5, 6.5}));
}

TEST(TableFiles, Text) {
    expect_table(read_table(
        written("a.txt", "#1\ndouble other(1,1)\n7\ndouble tab(3,2) # comment\n1 2\n3, 4 # and another\n5\t6.5\n"),
        "tab"));
}

TEST(TableFiles, CommaSeparatedValues) {
    expect_table(read_table(written("a.csv", "time,value\n1,2\n 3, +4\n\n5,6.5\r\n"), "any", ',', 1));
    expect_table(read_table(written("b.csv", "1;2\n3;4\n5;6,5\n"), "any", ';'));
    EXPECT_FALSE(read_table(written("c.csv", "1,2\n3\n"), "any"));
    EXPECT_FALSE(read_table(written("d.csv", "1,two\n"), "any"));
}

TEST(TableFiles, MatricesOfLevelFourInBothByteOrders) {
    const std::string name("tab\0", 4);
    const std::string other = raw<std::int32_t>({20, 1, 2, 0, 2}) + std::string("x\0", 2) + raw<std::int32_t>({8, 9});
    std::string header = raw<std::int32_t>({0, 3, 2, 0, 4}), data = raw<double>({1, 3, 5, 2, 4, 6.5});
    expect_table(read_table(written("a.mat", other + header + name + data), "tab"));
    header = raw<std::int32_t>({1000, 3, 2, 0, 4});
    for (std::size_t k = 0; k < header.size(); k += 4) std::reverse(header.begin() + k, header.begin() + k + 4);
    for (std::size_t k = 0; k < data.size(); k += 8) std::reverse(data.begin() + k, data.begin() + k + 8);
    expect_table(read_table(written("b.mat", header + name + data), "tab"));
    EXPECT_FALSE(read_table(written("c.mat", header + name), "another"));
}

TEST(TableFiles, MatricesOfLevelFive) {
    std::string file = "MATLAB 5.0 MAT-file";
    file.resize(124, ' ');
    file += raw<std::uint16_t>({0x0100, 0x4D49});
    const std::string body = raw<std::uint32_t>({6, 8, 6, 0}) + raw<std::uint32_t>({5, 8}) + raw<std::int32_t>({3, 2}) +
                             raw<std::uint16_t>({1, 3}) + std::string("tab\0", 4) + raw<std::uint32_t>({9, 48}) +
                             raw<double>({1, 3, 5, 2, 4, 6.5});
    file += raw<std::uint32_t>({14, static_cast<std::uint32_t>(body.size())}) + body;
    expect_table(read_table(written("d.mat", file), "tab"));
    EXPECT_FALSE(read_table(written("e.mat", file.substr(0, file.size() - 8)), "tab")); // cut off
}

double at(const Pieces& pieces, double u) {
    const Pieces::Piece* found = &pieces.list.front();
    for (const Pieces::Piece& p : pieces.list)
        if (p.begin <= u) found = &p;
    const double s = u - found->origin;
    return found->c0 + s * (found->c1 + s * (found->c2 + s * found->c3));
}

TEST(Interpolation, MonotoneSplinesStayBetweenTheirPoints) {
    const std::vector<double> x{0, 1, 2.5, 3, 5, 6}, y{0, 0, 2, 2.1, 7, 6};
    for (const Smoothness s : {Smoothness::fritsch_butland, Smoothness::steffen}) {
        const Pieces pieces = interpolate(x, y, s, false);
        for (std::size_t i = 0; i + 1 < x.size(); ++i)
            for (double w = 0; w <= 1; w += 0.0625) {
                const double u = x[i] + w * (x[i + 1] - x[i]) * (1 - 1e-12), v = at(pieces, u);
                EXPECT_GE(v, std::min(y[i], y[i + 1]) - 1e-12);
                EXPECT_LE(v, std::max(y[i], y[i + 1]) + 1e-12);
            }
    }
}

TEST(Interpolation, AllSplinesKeepStraightLinesAndHaveContinuousSlopes) {
    const std::vector<double> x{0, 1, 2.5, 3, 5}, line{1, 3, 6, 7, 11}, curve{0, 1, 3, 2, 4};
    for (const Smoothness s :
         {Smoothness::akima, Smoothness::modified_akima, Smoothness::fritsch_butland, Smoothness::steffen}) {
        const Pieces straight = interpolate(x, line, s, false), bent = interpolate(x, curve, s, false);
        for (double u = 0; u < 5; u += 0.3) EXPECT_NEAR(at(straight, u), 1 + 2 * u, 1e-12);
        for (std::size_t i = 1; i + 1 < x.size(); ++i) {
            const double h = 1e-7, left = (at(bent, x[i] - h) - at(bent, x[i] - 2 * h)) / h;
            const double right = (at(bent, x[i] + 2 * h) - at(bent, x[i] + h)) / h;
            EXPECT_NEAR(left, right, 1e-5);
            EXPECT_NEAR(at(bent, x[i]), curve[i], 1e-12);
        }
    }
}

} // namespace
} // namespace daedalus::modelica
