// The golden table: every applicable cell agrees with its theorem or exceeds a bound.
#include "daedalus/study.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

using daedalus::OrderVerdict;

class Orders : public testing::TestWithParam<std::string> {};

TEST_P(Orders, AgreeWithTheTheorems) {
    const auto table = daedalus::orders({{}, GetParam()});
    ASSERT_TRUE(table.has_value());
    for (const auto& c : table->cells) {
        EXPECT_NE(c.verdict, OrderVerdict::differs)
            << c.method << " " << c.component << ": predicted " << c.predicted.value_or(-99) << ", observed "
            << c.observed.value_or(-99) << " (" << c.theorem << ")";
    }
    EXPECT_EQ(table->failures(), 0);
}

std::vector<std::string> class_ids() {
    std::vector<std::string> ids;
    for (const auto& c : daedalus::order_classes()) ids.push_back(c.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Classes, Orders, testing::ValuesIn(class_ids()), [](const auto& info) {
    std::string name = info.param;
    std::erase(name, '-');
    return name;
});

/// What a regression of a prediction or of a method would change first.
TEST(OrderTable, KnownCells) {
    const struct {
        const char* method;
        const char* problem_class;
        const char* component;
        double order;
    } golden[] = {{"bdf6", "index3", "z", 6},
                  {"bdf5", "linear4", "v1", 5},
                  {"gauss-2", "index1-direct", "y", 2},
                  {"gauss-3", "index1-direct", "y", 4},
                  {"gauss-3", "index2-projected", "x", 6},
                  {"radau1a-3", "index2", "x", 3},
                  {"radau2a-3", "index2", "x", 5},
                  {"radau2a-3", "index2", "y", 3},
                  {"radau2a-3", "index3", "z", 2},
                  {"lobatto3c-3", "index2", "y", 2},
                  {"sdirk4", "index2", "y", 1},
                  {"crouzeix3", "index1-direct", "y", 2},
                  {"da3", "index2", "y", 3},
                  {"radau2a-2", "linear3", "v1", 1},
                  {"radau1a-2", "linear4", "v1", -1}};
    for (const auto& g : golden) {
        const auto table = daedalus::orders({g.method, g.problem_class});
        ASSERT_TRUE(table.has_value());
        bool seen = false;
        for (const auto& c : table->cells) {
            if (c.component != g.component) continue;
            seen = true;
            ASSERT_TRUE(c.observed.has_value()) << g.method << " " << g.problem_class;
            EXPECT_NEAR(*c.observed, g.order, 0.2) << g.method << " " << g.problem_class << " " << g.component;
        }
        EXPECT_TRUE(seen) << g.method << " " << g.problem_class << " " << g.component;
    }
}

TEST(OrderTable, UnknownNamesAreErrors) {
    const auto table = daedalus::orders({"bdf9", "nowhere"});
    ASSERT_FALSE(table.has_value());
    EXPECT_EQ(table.error().size(), 2u);
}

} // namespace
