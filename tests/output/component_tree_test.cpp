// The tree of components in the report.
#include "output/component_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::output {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ComponentTree, FollowsDotsButNotThoseInBrackets) {
    const std::string tree = component_tree({{"R1.p.v", "V", "potential"},
                                             {"R1.p.i", "A", ""},
                                             {"R1.u", "", ""},
                                             {"'bus.line[1.5,2]'", "", ""},
                                             {"x", "", "<free>"}},
                                            100);
    EXPECT_THAT(tree, HasSubstr("<summary><code>R1</code> <span class=\"soft\">3 variables</span></summary>"));
    EXPECT_THAT(tree, HasSubstr("<summary><code>p</code> <span class=\"soft\">2 variables</span></summary>"));
    EXPECT_THAT(tree, HasSubstr("<code>v</code> <span class=\"tag\">V</span> <span class=\"soft\">potential</span>"));
    EXPECT_THAT(tree, HasSubstr("<code>line[1.5,2]</code>"));
    EXPECT_THAT(tree, HasSubstr("&lt;free&gt;"));
}

TEST(ComponentTree, IsAbsentWhereNothingIsNestedAndEndsSomewhere) {
    EXPECT_EQ(component_tree({{"x", "", ""}, {"y", "", ""}}, 100), "");
    const std::string tree = component_tree({{"a.x", "", ""}, {"a.y", "", ""}, {"b.z", "", ""}}, 2);
    EXPECT_THAT(tree, HasSubstr("and 1 more variables"));
    EXPECT_THAT(tree, Not(HasSubstr("<code>z</code>")));
}

} // namespace
} // namespace daedalus::output
