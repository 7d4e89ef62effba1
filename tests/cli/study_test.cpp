// `daedalus orders` and `daedalus reproduce` as processes.
#include "cli/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(OrdersCommand, OneMethodAsJson) {
    const Answer r = run({"orders", "--method", "bdf", "--json"});
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_FALSE(json::parse(r.out, nullptr, false).is_discarded());
}

TEST(OrdersCommand, RefusesAnUnknownMethod) {
    const Answer r = run({"orders", "--method", "no_such_method"});
    EXPECT_NE(r.code, 0);
    EXPECT_THAT(r.err, HasSubstr("no_such_method"));
}

TEST(ReproduceCommand, ListsAndReproduces) {
    const Answer list = run({"reproduce", "--list"});
    EXPECT_EQ(list.code, 0);
    EXPECT_THAT(list.out, HasSubstr("NC-5.1"));
    const Answer one = run({"reproduce", "W-1.6", "--json"});
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_FALSE(json::parse(one.out, nullptr, false).is_discarded());
    const Answer unknown = run({"reproduce", "X-0.0"});
    EXPECT_NE(unknown.code, 0);
    EXPECT_THAT(unknown.err, HasSubstr("X-0.0"));
}

} // namespace
} // namespace cli_test
