#include "base/sparsity_pattern.hpp"

#include <gtest/gtest.h>

using daedalus::SparsityPattern;

TEST(SparsityPattern, MergesAndSortsEntries) {
    const auto p = SparsityPattern::from_entries(2, 3, {{1, 2}, {0, 0}, {1, 0}, {1, 2}});
    EXPECT_EQ(p.nonzeros(), 3);
    EXPECT_EQ(p.find(0, 0), 0);
    EXPECT_EQ(p.find(1, 0), 1);
    EXPECT_EQ(p.find(1, 2), 2);
    EXPECT_EQ(p.find(0, 2), -1);
}
