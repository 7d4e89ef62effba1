// Index by topology on small circuits whose loops and cut sets are seen by eye.
#include "circuit/topology.hpp"
#include "spice/netlist.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace {

using namespace daedalus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

spice::Netlist read(const std::string& elements) {
    auto netlist = spice::read_netlist(std::make_shared<SourceFile>("test.cir", "test\n" + elements + ".end\n"));
    EXPECT_TRUE(netlist) << render(netlist.error());
    return netlist ? *std::move(netlist) : spice::Netlist{};
}
std::vector<std::string> names(const spice::Netlist& n, const std::vector<int>& elements) {
    std::vector<std::string> list;
    for (const int e : elements) list.push_back(n.elements[static_cast<std::size_t>(e)].name);
    return list;
}

TEST(Topology, LoopsOfCapacitorsWithASourceHaveIndexTwo) {
    const auto n = read("V1 a 0 1\nC1 a b 1n\nC2 b 0 1n\nR1 b 0 1k\nC3 b 0 2n\n");
    const circuit::Topology t = circuit::topology(n);
    EXPECT_EQ(t.index_bound(), 2);
    ASSERT_THAT(t.capacitive_loops, SizeIs(1)); // C2 and C3 beside each other need no source
    const std::vector<std::string> loop = names(n, t.capacitive_loops[0].elements);
    EXPECT_THAT(loop, SizeIs(3));
    EXPECT_EQ(loop[0], "V1");
    EXPECT_THAT(circuit::describe(t, n), ElementsAre(HasSubstr("the current of V1 has index 2")));
}

TEST(Topology, AResistanceInTheLoopLowersTheIndex) {
    const circuit::Topology t = circuit::topology(read("V1 a 0 1\nR0 a a2 1\nC1 a2 b 1n\nC2 b 0 1n\n"));
    EXPECT_EQ(t.index_bound(), 1);
    EXPECT_THAT(t.capacitive_loops, IsEmpty());
}

TEST(Topology, CutSetsOfInductorsAndCurrentSources) {
    const auto n = read("I1 0 a 1\nL1 a b 1m\nR1 b 0 1\nL2 a c 1m\nR2 c 0 1\n");
    const circuit::Topology t = circuit::topology(n);
    EXPECT_EQ(t.index_bound(), 2);
    ASSERT_THAT(t.inductive_cuts, SizeIs(1));
    EXPECT_THAT(names(n, t.inductive_cuts[0].elements), UnorderedElementsAre("I1", "L1", "L2"));
    EXPECT_THAT(t.inductive_cuts[0].nodes, ElementsAre(*n.find_node("a")));
    EXPECT_EQ(circuit::topology(read("I1 0 a 1\nL1 a b 1m\nR1 b 0 1\nR2 a 0 1\n")).index_bound(), 1);
}

TEST(Topology, ContradictionsAreNamed) {
    const auto loop = read("V1 a 0 1\nV2 b a 1\nR b 0 1\nV3 b 0 3\n");
    const Diagnostics d = circuit::contradictions(circuit::topology(loop), loop);
    ASSERT_THAT(d, SizeIs(1));
    EXPECT_THAT(d[0].message, HasSubstr("V3, V2, V1"));
    EXPECT_EQ(d[0].where->line, 5);
    const auto cut = read("I1 0 a 1\nC1 a b 1n\nI2 b 0 2\nI3 c 0 1\nR1 d 0 1\nI4 c d 1\n");
    const Diagnostics e = circuit::contradictions(circuit::topology(cut), cut);
    ASSERT_THAT(e, SizeIs(2));
    EXPECT_THAT(e[0].message, HasSubstr("I1, I2 alone connect nodes a, b"));
    const auto island = read("V1 a 0 1\nR1 a 0 1\nR2 x y 1\nC1 x y 1n\n");
    const Diagnostics f = circuit::contradictions(circuit::topology(island), island);
    ASSERT_THAT(f, SizeIs(1));
    EXPECT_THAT(f[0].message, HasSubstr("nothing connects nodes x, y with ground"));
}

} // namespace
