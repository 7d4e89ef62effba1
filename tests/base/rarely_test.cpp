#include "base/rarely.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace daedalus {
namespace {

TEST(Rarely, IsAValueLikeWhatItHolds) {
    static_assert(sizeof(Rarely<std::vector<int>>) == sizeof(void*));
    Rarely<std::vector<int>> list;
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.begin(), list.end());
    list.edit().push_back(3);
    list.edit().push_back(4);
    const Rarely<std::vector<int>> copy = list;
    list.edit()[0] = 5;
    EXPECT_EQ(copy.get(), (std::vector<int>{3, 4})); // copies are their own
    EXPECT_EQ(list[0] + list.back(), 9);
    list = copy;
    EXPECT_EQ(list.front(), 3);
    list = std::vector<int>{};
    EXPECT_EQ(list.size(), 0U);
    Rarely<std::string> text(std::string("a"));
    const std::string& seen = text;
    EXPECT_EQ(seen, "a");
    text.clear();
    EXPECT_TRUE(text.empty());
}

} // namespace
} // namespace daedalus
