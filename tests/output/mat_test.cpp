// MAT files, read back by what the format says, byte by byte.
#include "output/mat.hpp"
#include "sample_data.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace daedalus::output {
namespace {

struct Matrix {
    int type = 0, rows = 0, columns = 0;
    std::string bytes;
    [[nodiscard]] double at(int row, int column) const {
        double value = 0.0;
        std::memcpy(&value, bytes.data() + 8 * (column * rows + row), 8);
        return value;
    }
    [[nodiscard]] int whole(int row, int column) const {
        std::int32_t value = 0;
        std::memcpy(&value, bytes.data() + 4 * (column * rows + row), 4);
        return value;
    }
    /// A text per column, or per row.
    [[nodiscard]] std::string text(int k, bool per_column) const {
        std::string s;
        for (int i = 0; i < (per_column ? rows : columns); ++i)
            s += bytes[static_cast<std::size_t>(per_column ? k * rows + i : i * rows + k)];
        s.erase(s.find_last_not_of(' ') + 1);
        return s;
    }
};

std::map<std::string, Matrix> matrices(const std::string& file) {
    std::map<std::string, Matrix> all;
    std::size_t at = 0;
    while (at + 20 <= file.size()) {
        std::int32_t h[5];
        std::memcpy(h, file.data() + at, 20);
        const std::string name = file.substr(at + 20, static_cast<std::size_t>(h[4]) - 1);
        at += 20 + static_cast<std::size_t>(h[4]);
        const int size = h[0] == 0 ? 8 : h[0] == 20 ? 4 : 1; // precision: double, 32-bit integer, byte
        const auto length =
            static_cast<std::size_t>(size) * static_cast<std::size_t>(h[1]) * static_cast<std::size_t>(h[2]);
        all[name] = {h[0], h[1], h[2], file.substr(at, length)};
        at += length;
    }
    EXPECT_EQ(at, file.size());
    return all;
}

TEST(Mat, HoldsNamesUnitsAndNumbers) {
    const Trajectory t = sample::pendulum(11);
    ReportData report;
    report.model.parameters = {{"L", 1.5, "m", "length", false}, {"g", 9.81, "", "", false}};
    std::string file;
    write_mat(t, report, [&](std::string_view piece) { file += piece; });
    const auto m = matrices(file);
    ASSERT_EQ(m.size(), 6U);
    const Matrix& format = m.at("Aclass");
    EXPECT_EQ(format.type, 51);
    EXPECT_EQ(format.text(0, false) + "|" + format.text(1, false) + "|" + format.text(2, false) + "|" +
                  format.text(3, false),
              "Atrajectory|1.1||binTrans");
    const Matrix &name = m.at("name"), &info = m.at("dataInfo"), &text = m.at("description");
    const Matrix &fixed = m.at("data_1"), &varying = m.at("data_2");
    ASSERT_EQ(name.columns, 9); // time, two parameters, six variables
    ASSERT_EQ(info.columns, 9);
    EXPECT_EQ(info.rows, 4);
    EXPECT_EQ(name.text(0, true), "time");
    EXPECT_EQ(info.whole(0, 0), 0);
    EXPECT_EQ(name.text(1, true), "L");
    EXPECT_EQ(text.text(1, true), "length [m]");
    EXPECT_EQ(info.whole(0, 1), 1);
    EXPECT_EQ(fixed.at(info.whole(1, 1) - 1, 0), 1.5);
    EXPECT_EQ(fixed.at(info.whole(1, 2) - 1, 1), 9.81);
    EXPECT_EQ(fixed.at(0, 1), t.time.back());
    ASSERT_EQ(varying.columns, 11);
    for (int v = 0; v < 6; ++v) {
        EXPECT_EQ(name.text(3 + v, true), t.variables[static_cast<std::size_t>(v)].name);
        EXPECT_EQ(info.whole(0, 3 + v), 2);
        for (int k = 0; k < 11; ++k)
            EXPECT_EQ(varying.at(info.whole(1, 3 + v) - 1, k),
                      t.values[static_cast<std::size_t>(v)][static_cast<std::size_t>(k)]);
    }
}

} // namespace
} // namespace daedalus::output
