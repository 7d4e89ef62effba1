// The short form of tests/fuzz/checkpoint_fuzz.cpp.
#include "fuzz/checkpoint_mutations.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace daedalus::fuzz {
namespace {

std::string scratch_file(const std::string& name) {
    return (std::filesystem::path(::testing::TempDir()) / (name + std::to_string(getpid()) + ".chk")).string();
}

class MutatedCheckpoints : public ::testing::TestWithParam<const char*> {};

TEST_P(MutatedCheckpoints, AreRefusedOrHarmless) {
    CheckpointSubject subject(pendulum_with_everything, GetParam(), 400.0, scratch_file(GetParam()));
    ASSERT_FALSE(subject.valid().empty());
    ASSERT_TRUE(subject.accepts(subject.valid()));
    const Tally tally = try_mutants(subject, 3000, 20240607, 200);
    EXPECT_EQ(tally.unsealed_accepted, 0);
    // Most numbers in it may have another value: what is checked is what they are used for.
    EXPECT_GT(tally.sealed_accepted, 0);
    EXPECT_TRUE(subject.accepts(subject.valid()));
}
INSTANTIATE_TEST_SUITE_P(Methods, MutatedCheckpoints, ::testing::Values("bdf", "radau"));

TEST(MutatedCheckpoints, EveryCutAndEveryByteIsSeen) {
    CheckpointSubject subject(plain_oscillator, "bdf", 60.0, scratch_file("cut"));
    const std::string& valid = subject.valid();
    ASSERT_TRUE(subject.accepts(valid));
    // About a thousand of each, and all of the beginning.
    const std::size_t stride = std::max<std::size_t>(1, valid.size() / 1000);
    for (std::size_t k = 0; k < valid.size(); k += k < 200 ? 1 : stride) {
        EXPECT_FALSE(subject.accepts(valid.substr(0, k))) << k;
        std::string changed = valid;
        changed[k] = static_cast<char>(changed[k] ^ 0x10);
        EXPECT_FALSE(subject.accepts(changed)) << k;
    }
    EXPECT_FALSE(subject.accepts(valid + '\0'));
    EXPECT_FALSE(subject.accepts(valid + valid));
}

} // namespace
} // namespace daedalus::fuzz
