#include "reading.hpp"

#include <gmock/gmock.h>

using namespace daedalus::spice;
using testing::ElementsAre;

TEST(FirstDeck, HasItsElements) {
    const Netlist n = deck(R"(* comment
V1 in 0 DC 1 AC 1 SIN(0 1 1k)
R1 in out 4.7K ; ohms
C1 out GND 10PF ic=2
+ m=3
D1 out 0 dm
Q1 c b e qn area=2
.model dm D(Is=1e-14 N=1.05)
.model qn npn bf=100
Rc in c 1meg
Rb in b 1mil
Re e 0 {2*k}
.param k = 3
E1 o2 0 in out 10
B1 o3 0 V=V(in)*2 + sin(time)*I(V1)
R9 o2 0 1
R10 o3 0 1
X1 in out sub w=3
.subckt sub a b w=2
R1 a m {w}
R2 m b 1
.ends
.tran 1u 1m
.end
)");
    EXPECT_EQ(value(n, "R1"), 4700.0);
    EXPECT_EQ(value(n, "x1.r1"), 3.0);
    EXPECT_EQ(value(n, "C1"), 1e-11);
    EXPECT_EQ(formula(n, "B1"), "+(*(V(in,0),2),*(sin(time),I(V1)))");
    EXPECT_THAT(nodes(n, "X1.R1"), ElementsAre("in", "X1.m"));
    EXPECT_EQ(model(n, "Q1").values.at("bf").number, 100.0);
    EXPECT_EQ(n.analyses.size(), 1U);
}
