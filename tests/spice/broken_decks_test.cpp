// What a user reads about a deck that is wrong: every message is compared, letter by letter, with the file beside it.
// After a change for the better: DAEDALUS_REGENERATE=1 test_spice, then read the difference before committing it.
#include "spice/netlist.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace daedalus;

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(DAEDALUS_SOURCE_DIR) / "tests/spice/broken";

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cir") list.push_back(entry.path().stem().string());
    std::sort(list.begin(), list.end());
    return list;
}

class BrokenDecks : public testing::TestWithParam<std::string> {};

} // namespace

TEST_P(BrokenDecks, SayWhatIsWrong) {
    const std::string name = GetParam() + ".cir";
    const auto read = spice::read_netlist(std::make_shared<const SourceFile>(name, contents(folder / name)));
    EXPECT_EQ(read.has_value(), GetParam() == "ignored");
    const std::string said = render(read ? read->warnings : read.error());
    EXPECT_FALSE(said.empty());
    const fs::path expected = folder / (GetParam() + ".txt");
    if (std::getenv("DAEDALUS_REGENERATE") != nullptr)
        std::ofstream(expected, std::ios::binary) << said;
    else
        EXPECT_EQ(said, contents(expected));
}

INSTANTIATE_TEST_SUITE_P(Golden, BrokenDecks, testing::ValuesIn(names()), [](const auto& test) { return test.param; });

TEST(BrokenDecks, AreAtLeastThirty) { EXPECT_GE(names().size(), 30U); }
