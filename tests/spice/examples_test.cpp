// The circuits that a newcomer runs first.
#include "base/text_file.hpp"
#include "reading.hpp"

#include <filesystem>

using namespace daedalus;
using namespace daedalus::spice;

TEST(SpiceExamples, AreReadWithoutAWarning) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(DAEDALUS_SOURCE_DIR) + "/examples")) {
        if (entry.path().extension() != ".cir") continue;
        const auto file = read_text_file(entry.path().string());
        ASSERT_TRUE(file);
        const auto read = read_netlist(*file);
        ASSERT_TRUE(read) << render(read.error());
        EXPECT_EQ(render(read->warnings), "");
        EXPECT_FALSE(read->analyses.empty()) << entry.path();
        EXPECT_FALSE(read->wanted.empty()) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 6);
}

TEST(SpiceExamples, TheDifferentiatorHasItsFourElements) {
    const auto file = read_text_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/differentiator.cir");
    ASSERT_TRUE(file);
    const auto n = read_netlist(*file);
    ASSERT_TRUE(n);
    EXPECT_EQ(n->elements.size(), 4U);
    EXPECT_EQ(element(*n, "E1").kind, ElementKind::nullor);
    EXPECT_EQ(nodes(*n, "E1"), (std::vector<std::string>{"3", "0", "0", "2"}));
}
