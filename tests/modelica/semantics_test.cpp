// What the language means where it is most often got wrong, each against numbers that follow by hand.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// parameter k(fixed = false) is an unknown of the start, constant from then on: k = 3 from x'(0) = -k x(0) = -3.
TEST(Semantics, ParametersThatTheStartDetermines) {
    const Solution s = solved("model M parameter Real k(fixed = false, start = 1); Real x(start = 1, fixed = true); "
                              "initial equation der(x) = -3; equation der(x) = -k*x; end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s.final("x"), std::exp(-3.0), 1e-5);
}

// Several of them, where what defines one is looked at before the others: a = 2 b, b³ = 27, c + a = b + c³ - 3.
TEST(Semantics, ParametersThatDependOnEachOther) {
    const Solution s = solved("package P model Q parameter Real a(fixed = false), b(fixed = false, start = 1), "
                              "c(fixed = false, start = 3); Real x(start = 0, fixed = true); "
                              "initial equation a = 2*b; b^3 = 27; c + a = b + c^3 - 3; "
                              "equation der(x) = a; end Q; model M Q q; end M; end P;",
                              {.until = 1.0});
    EXPECT_NEAR(s.final("q.x"), 6.0, 1e-6);
    const double c = s.final("q.c");
    EXPECT_NEAR(c * c * c - c - 6, 0.0, 1e-8); // c = 2
}

// start without fixed is a guess: the initial equation holds. Of x² = 4 the root next to it is taken.
TEST(Semantics, StartsThatAreNotFixedAreGuesses) {
    for (const auto& [guess, root] : {std::pair(5.0, 2.0), std::pair(-0.5, -2.0)}) {
        const Solution s = solved("model M Real x(start = " + std::to_string(guess) +
                                      "); initial equation x^2 = 4; equation der(x) = -x; end M;",
                                  {.until = 1.0});
        EXPECT_NEAR(s.final("x"), root * std::exp(-1.0), 1e-5);
    }
}

// When the condition becomes true, not while it is, and not because it is true at the start.
TEST(Semantics, WhenActsOnTheRisingEdge) {
    const Solution s = solved("model M Integer n(start = 0, fixed = true), m(start = 0, fixed = true), "
                              "k(start = 0, fixed = true); equation "
                              "when sin(6.283185307179586*time) > 0.5 then n = pre(n) + 1; end when; "
                              "when time >= 0 then m = pre(m) + 1; end when; "
                              "when {initial(), time >= 2} then k = pre(k) + 1; end when; end M;",
                              {.until = 5.0});
    EXPECT_EQ(s.final("n"), 5.0);
    EXPECT_EQ(s.final("m"), 0.0);
    EXPECT_EQ(s.final("k"), 2.0);
}

// elsewhen: the first branch whose condition becomes true; both become true at 1.
TEST(Semantics, FirstOfSimultaneousBranchesActs) {
    const Solution s = solved("model M Real a(start = 0, fixed = true); equation "
                              "when time >= 1 then a = 10; elsewhen 2*time >= 2 then a = 20; "
                              "elsewhen time >= 3 then a = pre(a) + 1; end when; end M;",
                              {.until = 4.0});
    EXPECT_EQ(s.final("a"), 11.0);
}

// A time event and a state event at the same instant are one event: pre() is what was before both.
TEST(Semantics, SimultaneousEventsAreOne) {
    const Solution s = solved("model M Real x(start = 0, fixed = true); Integer a(start = 0, fixed = true), "
                              "b(start = 0, fixed = true), c(start = 0, fixed = true); equation der(x) = 1; "
                              "when time >= 1 then a = pre(c) + 1; end when; "
                              "when time >= 1 then c = 5; end when; "
                              "when sample(0.5, 0.5) then b = pre(b) + pre(a); end when; end M;",
                              {.until = 1.2});
    EXPECT_EQ(s.final("a"), 1.0); // c was 0 before
    EXPECT_EQ(s.final("b"), 0.0); // so was a
}

// Relations make events in if-expressions too; inside noEvent they do not: the same integral either way.
TEST(Semantics, RelationsOutsideNoEventAreLocated) {
    const std::string begin = "model M Real x(start = 0, fixed = true); equation der(x) = ";
    const Solution located = solved(begin + "if time < 1/3 then 1 else -1; end M;", {.until = 1.0});
    EXPECT_NEAR(located.final("x"), -1.0 / 3, 1e-13);
    const Solution smooth = solved(begin + "noEvent(if time < 1/3 then 1 else -1); end M;", {.until = 1.0});
    EXPECT_TRUE(smooth.events().empty());
    EXPECT_NEAR(smooth.final("x"), -1.0 / 3, 1e-4);
}

// reinit changes the state it names, and pre(…) is what it was before.
TEST(Semantics, ReinitUsesValuesBefore) {
    const Solution s =
        solved("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true); equation "
               "der(x) = 0; der(y) = 0; when time >= 0.5 then reinit(x, pre(y)); reinit(y, pre(x)); end when; "
               "end M;",
               {.until = 1.0});
    EXPECT_NEAR(s.final("x"), 2.0, 1e-12);
    EXPECT_NEAR(s.final("y"), 1.0, 1e-12);
}

// Structural parameters are numbers before types are compared; branches that they rule out are not looked at.
TEST(Semantics, BranchesNotTakenAreNotTyped) {
    const Solution s = solved("model M parameter Integer n = 2; parameter Boolean three = n > 2; Real x[n], y; "
                              "equation x = if three then {1, 2, 3} else {4, 5}; "
                              "if three then y = x[3]; else y = x[2]; end if; end M;",
                              {.until = 1.0});
    EXPECT_EQ(s.final("x[1]"), 4.0);
    EXPECT_EQ(s.final("y"), 5.0);
}

// inner outer: in the equations of Box `root` is the one outside, for what is in Box it is the one declared there.
TEST(Semantics, InnerOuterIsOneForBelowAndAnotherAbove) {
    const auto model = Model::from_string(R"(
package P
  model Root Real level; end Root;
  model Leaf outer Root root; Real y; equation y = root.level*time; end Leaf;
  model Box inner outer Root root(level = above + 1); Leaf leaf; Real above; equation above = root.level; end Box;
  model Crate inner outer Root root(level = 10*root.level); Box box; end Crate;
  model M inner Root root(level = 5); Box box; Leaf leaf; Crate crate; end M;
end P;)");
    ASSERT_TRUE(model) << render(model.error());
    const Solution s = solved(*model, {.until = 1.0});
    EXPECT_EQ(s.final("leaf.y"), 5.0);
    EXPECT_EQ(s.final("box.above"), 5.0);
    EXPECT_EQ(s.final("box.leaf.y"), 6.0);
    EXPECT_EQ(s.final("crate.box.leaf.y"), 51.0);
}

// What only buses declare does not exist; what is connected arrives.
TEST(Semantics, UnusedMembersOfBusesDoNotExist) {
    const auto model = Model::from_string(R"(
package P
  connector Out = output Real;
  connector In = input Real;
  expandable connector Bus Boolean unused; Real other; Real used; end Bus;
  model Source Bus bus; Out y; equation y = 2*time; connect(y, bus.used); end Source;
  model Sink Bus bus; In u; Real x(start = 0, fixed = true);
  equation connect(bus.used, u); der(x) = u; end Sink;
  model M Source a; Sink b; Bus c; equation connect(a.bus, c); connect(c, b.bus); end M;
end P;)");
    ASSERT_TRUE(model) << render(model.error());
    EXPECT_NEAR(solved(*model, {.until = 3.0}).final("b.x"), 9.0, 1e-5);
}

} // namespace
