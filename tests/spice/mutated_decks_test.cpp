// A few thousand of the changed decks that fuzz_netlist makes without end.
#include "fuzz/netlist_mutations.hpp"

#include <gtest/gtest.h>

using namespace daedalus;

TEST(MutatedDecks, SeedsAreRead) {
    for (const std::string& deck : fuzz::seed_decks()) {
        const auto read = spice::read_netlist(std::make_shared<const SourceFile>("seed.cir", deck));
        ASSERT_TRUE(read) << render(read.error());
        EXPECT_TRUE(fuzz::is_whole(*read));
    }
}

TEST(MutatedDecks, EndInANetlistOrInReasons) {
    std::mt19937_64 random(20);
    fuzz::NetlistTally tally;
    while (tally.tried < 3000) {
        const std::string text = fuzz::mutated_deck(random);
        ASSERT_TRUE(fuzz::try_deck(text, tally)) << text;
    }
    EXPECT_GT(tally.accepted, 100) << "changes that break everything test little";
    EXPECT_GT(tally.tried - tally.accepted, 100);
}
