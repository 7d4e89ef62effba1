// A parallelogram linkage lies flat twice per turn: there its four constraints depend on each other, and it may go on
// as a parallelogram or crossed. That is never passed in silence.
#include "mechanics/mech.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numbers>

namespace daedalus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Turning freely: bars of a parallelogram where `coupler` is as long as the ground.
Model linkage(double coupler = 0.4) {
    return testing::mech(fmt::format(R"(mechanism linkage in plane
coordinates absolute
parameter a = 0.1, b = {}, d = 0.4
body crank {{ mass = 1, inertia = 1e-3, center = (a/2, 0), marker tip = (a, 0), angle = 60 deg, omega = 5 }}
body coupler {{ mass = 1, inertia = 1e-2, center = (b/2, 0), marker tip = (b, 0) }}
body rocker {{ mass = 1, inertia = 1e-3, center = (a/2, 0), marker tip = (a, 0), angle = 60 deg }}
revolute O between ground and crank
revolute A between crank.tip and coupler
revolute B between coupler.tip and rocker.tip
revolute C between ground at (d, 0) and rocker)",
                                     coupler));
}

std::string said(const Solution& s) { return render(s.diagnostics()); }

TEST(ChangePoint, IsNamedWithTimeAndConfigurationByWhateverPassesIt) {
    const Model model = linkage();
    for (const auto& [reduction, method] : {std::pair{Reduction::index2, "hem5"},
                                            {Reduction::tangent, "dop853"},
                                            {Reduction::ggl, "radau"},
                                            {Reduction::projection, "dop853"},
                                            {Reduction::dummy, "bdf"},
                                            {Reduction::none, "radau"}}) {
        for (const bool dense : {true, false}) {
            const auto s = solve(model, {.until = 0.5, .method = method, .reduction = reduction, .dense = dense});
            ASSERT_TRUE(s);
            // The crank turns at a constant speed, since all bodies move as if their masses were on two cranks.
            const double speed = (*s)["crank.omega"].front(),
                         t = (std::numbers::pi - (*s)["crank.angle"].front()) / speed;
            const std::string text = said(*s);
            EXPECT_THAT(text, HasSubstr(fmt::format("at t = {:.4g}", t))) << to_string(reduction) << text;
            EXPECT_THAT(text, HasSubstr("change point"));
            EXPECT_THAT(text, HasSubstr("crank.angle = 3.14"));
            EXPECT_THAT(text, HasSubstr("O.force_x"));
        }
    }
}

TEST(ChangePoint, EndsARunThatCannotPassAndIsNamedThere) {
    const auto s = solve(linkage(), {.until = 0.5});
    ASSERT_TRUE(s);
    EXPECT_THAT(said(*s), HasSubstr("change point"));
    if (!s->success()) {
        EXPECT_THAT(said(*s), HasSubstr("the run ended there"));
    }
}

TEST(ChangePoint, IsNoPlaceToStartFrom) {
    const Model model = testing::mech(R"(mechanism flat in plane
body crank { mass = 1, inertia = 1e-3, marker tip = (0.1, 0), angle = 0 }
body coupler { mass = 1, inertia = 1e-2, marker tip = (0.4, 0), angle = 0 }
body rocker { mass = 1, inertia = 1e-3, marker tip = (0.1, 0), angle = 0 }
revolute O between ground and crank
revolute A between crank.tip and coupler
revolute B between coupler.tip and rocker.tip
revolute C between ground at (0.4, 0) and rocker
gravity = (0, -9.81))");
    const auto s = solve(model, {.until = 1.0});
    ASSERT_TRUE(s);
    EXPECT_FALSE(s->success());
    EXPECT_THAT(said(*s), HasSubstr("at t = 0"));
    EXPECT_THAT(said(*s), HasSubstr("change point"));
}

TEST(ChangePoint, IsNotSeenWhereThereIsNone) {
    // A coupler longer by a hundredth: the linkage cannot lie flat, it comes near to it.
    const auto grashof = solve(linkage(0.42), {.until = 3.0, .method = "hem5"});
    ASSERT_TRUE(grashof);
    EXPECT_THAT(said(*grashof), Not(HasSubstr("change point")));
    for (const char* name : {"four_bar.mech", "slider_crank.mech", "andrews.mech", "spatial_slider_crank.mech"}) {
        const auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/" + name);
        ASSERT_TRUE(model);
        const auto s = solve(*model);
        ASSERT_TRUE(s && s->success()) << name;
        EXPECT_THAT(said(*s), Not(HasSubstr("change point"))) << name;
    }
}

} // namespace
} // namespace daedalus
