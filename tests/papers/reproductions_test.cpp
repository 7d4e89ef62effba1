// Every reproduction's verdict, and the tables that must come out to the printed digits.
#include "daedalus/study.hpp"

#include <gtest/gtest.h>

namespace {

using daedalus::StudyVerdict;

class Reproductions : public testing::TestWithParam<std::string> {};

TEST_P(Reproductions, Verdict) {
    const auto result = daedalus::reproduce(GetParam());
    ASSERT_TRUE(result.has_value());
    std::string remarks;
    int differences = 0;
    for (const std::string& r : result->remarks) {
        remarks += r + "\n";
        differences += r.starts_with("DIFFERS") ? 1 : 0;
    }
    EXPECT_EQ(result->verdict, StudyVerdict::agrees) << remarks;
    EXPECT_EQ(differences, 0) << remarks;
    EXPECT_FALSE(result->tables.empty());
    for (const auto& table : result->tables)
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
    EXPECT_NE(result->to_html().find("</html>"), std::string::npos);
}

std::vector<std::string> ids() {
    std::vector<std::string> list;
    for (const auto& r : daedalus::reproductions()) list.push_back(r.id);
    return list;
}

INSTANTIATE_TEST_SUITE_P(All, Reproductions, testing::ValuesIn(ids()), [](const auto& info) {
    std::string name = info.param;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

TEST(NumericallyConsistentTables, PrintedDigits) {
    // Rows in the order of the tables; half a unit of the last digit printed.
    const double nc51[][4] = {{2.0040, 5e-5, 0.004003, 5e-7},     {0.0040085, 5e-8, 0.0040085, 5e-8},
                              {0.0040185, 5e-8, 0.0040185, 5e-8}, {0.0040286, 5e-8, 0.0040286, 5e-8},
                              {2.0080, 5e-5, 0.0080120, 5e-8},    {0.0080341, 5e-8, 0.0080341, 5e-8}};
    const double nc52[][4] = {{2.3973, 5e-5, 0.0047995, 5e-8},    {0.0056125, 5e-8, 0.0056125, 5e-8},
                              {0.0055573, 5e-8, 0.0055573, 5e-8}, {0.0055028, 5e-8, 0.0055028, 5e-8},
                              {2.3917, 5e-5, 0.009586, 5e-7},     {0.011062, 5e-7, 0.011062, 5e-7}};
    for (const auto& [id, printed] : {std::pair{"NC-5.1", nc51}, {"NC-5.2", nc52}}) {
        const auto result = daedalus::reproduce(id);
        ASSERT_TRUE(result.has_value());
        const auto& table = result->tables.at(0);
        ASSERT_EQ(table.columns[2].name, "exact_iv");
        ASSERT_EQ(table.columns[4].name, "consistent_iv");
        ASSERT_EQ(table.rows.size(), 6u);
        for (std::size_t r = 0; r < 6; ++r) {
            EXPECT_NEAR(std::get<double>(table.rows[r][2]), printed[r][0], printed[r][1]) << id << " row " << r;
            EXPECT_NEAR(std::get<double>(table.rows[r][4]), printed[r][2], printed[r][3]) << id << " row " << r;
        }
    }
}

TEST(ReproductionNames, UnknownIdIsAnError) { EXPECT_FALSE(daedalus::reproduce("NC-9.9").has_value()); }

} // namespace
