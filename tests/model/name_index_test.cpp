#include "model/model.hpp"
#include "model/name_index.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace daedalus::model {
namespace {

// Against the standard library's table, with names that come again and names that are not there.
TEST(NameIndex, FindsWhatAnOrdinaryTableFinds) {
    std::mt19937 random(3);
    std::vector<std::string> names;
    NameIndex index;
    std::unordered_map<std::string, int> known;
    const auto name_of = [&](std::size_t k) -> const std::string& { return names[k]; };
    EXPECT_FALSE(index.find("x", name_of));
    for (int k = 0; k < 5000; ++k) {
        names.push_back("x" + std::to_string(random() % 4000));
        index.add(name_of);
        known.emplace(names.back(), k);
    }
    for (int k = 0; k < 5000; ++k) {
        const std::string name = "x" + std::to_string(k);
        const auto it = known.find(name);
        EXPECT_EQ(index.find(name, name_of), it == known.end() ? std::nullopt : std::optional(it->second)) << name;
    }
    index.clear();
    EXPECT_FALSE(index.find(names.front(), name_of));
}

TEST(Model, NamesAreFoundAfterVariablesWereDropped) {
    Model m;
    for (const char* const name : {"a", "b", "c", "d"}) {
        Variable v;
        v.name = name;
        (void)m.add_variable(std::move(v));
    }
    Parameter p;
    p.name = "k";
    EXPECT_EQ(m.add_parameter(std::move(p)), 0);
    m.keep_variables({1, 0, 1, 0});
    EXPECT_EQ(m.find_variable("c"), std::optional(1));
    EXPECT_FALSE(m.find_variable("b"));
    EXPECT_EQ(m.find_parameter("k"), std::optional(0));
    EXPECT_FALSE(m.find_parameter("c"));
}

} // namespace
} // namespace daedalus::model
