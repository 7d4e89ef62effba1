// Baumgarte's parameters: those chosen by the program against a scan of hand-tuned ones, at equal work: constant steps
// of one method.
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Scan {
    const Model& model;
    double until, h;
    std::vector<std::string> positions;
};

double difference(const Solution& s, const Solution& exact, const std::vector<std::string>& names) {
    double worst = 0;
    for (const std::string& name : names) {
        double size = 0;
        for (const double x : exact[name]) size = std::max(size, std::abs(x));
        for (std::size_t i = 0; i < exact.time().size(); ++i)
            worst = std::max(worst, std::abs(s[name][i] - exact[name][i]) / size);
    }
    return worst;
}

/// Of what the program chooses, over the least of α = β = 10^(k/2).
double over_best(const Scan& scan, int first, int last) {
    const Solution exact = solved(scan.model, {.until = scan.until, .method = "radau", .rtol = 1e-12, .points = 50});
    SolveOptions o{
        .until = scan.until, .method = "rk4", .reduction = Reduction::baumgarte, .points = 50, .fixed_step = scan.h};
    const double chosen = difference(solved(scan.model, o), exact, scan.positions);
    double best = std::numeric_limits<double>::infinity();
    for (int k = first; k <= last; ++k) {
        o.baumgarte_alpha = std::pow(10.0, k / 2.0);
        const Solution s = run(scan.model, o);
        if (s.success()) best = std::min(best, difference(s, exact, scan.positions));
    }
    return chosen / best;
}

} // namespace

TEST(Baumgarte, OfThePendulumIsAsGoodAsByHand) {
    const Model model = read(pendulum());
    for (const double h : {0.1, 0.05, 0.0125}) EXPECT_LT(over_best({model, 20, h, {"x", "y"}}, -3, 3), 2) << h;
}

TEST(Baumgarte, OfAndrewsMechanismIsAsGoodAsByHand) {
    auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/andrews.mo");
    ASSERT_TRUE(model);
    for (const double h : {5e-5, 2e-5})
        EXPECT_LT(over_best({*model, 0.03, h, {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}}, 2, 8), 2)
            << h;
}

TEST(Baumgarte, OfASliderCrankIsAsGoodAsByHand) {
    auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/slider_crank.mech");
    ASSERT_TRUE(model);
    for (const double h : {5e-4, 2e-4, 1e-4})
        EXPECT_LT(over_best({*model, 0.1, h, {"rod.x", "rod.y", "rod.angle", "piston.x"}}, 0, 6), 2) << h;
}

// Steps longer than the motion takes to change cannot resolve its rate: theirs is the limit.
TEST(Baumgarte, DoesNotDecayFasterThanStepsResolve) {
    const std::string model = "model P Real x(start = 1), y(start = 0, fixed = true), u(start = 0), v(start = 100, "
                              "fixed = true), l; equation "
                              "der(x) = u; der(y) = v; der(u) = -x*l; der(v) = -1 - y*l; x^2 + y^2 = 1; end P;";
    const Solution s =
        run(model, {.until = 0.1, .method = "rk4", .reduction = Reduction::baumgarte, .fixed_step = 0.05});
    EXPECT_THAT(s.to_json(), ::testing::HasSubstr("\"baumgarte-alpha\": 20"));
}
