#include "tape/address_windows.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace daedalus::tape;

namespace {

/// Every window reaches what is read by it, and points where it was last moved to.
void expect_reachable(const std::vector<MemoryUse>& uses, const std::vector<Address>& chosen, int registers) {
    std::vector<std::pair<int, std::int32_t>> held(static_cast<std::size_t>(registers), {-1, 0});
    for (std::size_t k = 0; k < uses.size(); ++k) {
        if (uses[k].array == MemoryUse::everything) held.assign(held.size(), {-1, 0});
        if (chosen[k].window == Address::plain) continue;
        ASSERT_LT(chosen[k].window, registers);
        auto& window = held[chosen[k].window];
        if (chosen[k].moves) window = {uses[k].array, chosen[k].center};
        ASSERT_EQ(window.first, uses[k].array) << k;
        ASSERT_EQ(window.second, chosen[k].center) << k;
        const std::int32_t distance = uses[k].displacement - chosen[k].center;
        ASSERT_TRUE(distance >= -128 && distance <= 127) << k;
    }
}

} // namespace

TEST(AddressWindows, ArraysThatAreWalkedThroughNeedFewMoves) {
    std::vector<MemoryUse> uses;
    for (int k = 0; k < 1000; ++k) {
        uses.push_back({0, 8 * k});
        uses.push_back({1, 8 * (2000 - k)});
    }
    const std::vector<Address> chosen = choose_windows(uses, 4);
    expect_reachable(uses, chosen, 4);
    int moves = 0, far = 0;
    for (std::size_t k = 0; k < uses.size(); ++k) {
        moves += chosen[k].moves;
        far += chosen[k].window == Address::plain && uses[k].displacement > 127;
    }
    EXPECT_LE(moves, 70); // 32 operands per window
    EXPECT_LE(far, 8);
}

TEST(AddressWindows, NothingSurvivesACallAndScatteredOperandsStayAsTheyAre) {
    std::vector<MemoryUse> uses;
    for (int k = 0; k < 40; ++k) {
        uses.push_back({0, 4096 + 8 * (k % 4)});
        if (k % 2 == 1) uses.push_back({MemoryUse::everything, 0});
    }
    for (const Address& a : choose_windows(uses, 4)) EXPECT_EQ(a.window, Address::plain); // too few between calls
    uses.clear();
    for (int k = 0; k < 200; ++k) uses.push_back({0, 4096 * k});
    for (const Address& a : choose_windows(uses, 4)) EXPECT_EQ(a.window, Address::plain);
}

TEST(AddressWindows, RandomUses) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<MemoryUse> uses;
        for (int k = 0; k < 500; ++k) {
            const auto array = static_cast<std::uint8_t>(random() % 3);
            const auto kind = random() % 50;
            uses.push_back({kind == 0   ? MemoryUse::everything
                            : kind == 1 ? MemoryUse::nowhere
                                        : array,
                            static_cast<std::int32_t>(8 * (random() % 40 + 20 * static_cast<unsigned>(k / 10)))});
        }
        const int registers = static_cast<int>(random() % 8);
        expect_reachable(uses, choose_windows(uses, registers), registers);
    }
}
