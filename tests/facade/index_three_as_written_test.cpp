// Problem 5.1 of NC, index 3, as it is written: methods that no theorem gives an order for the multiplier refuse with
// that reason, the others have it within tolerance.
#include "daedalus/daedalus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace daedalus {
namespace {

constexpr const char* problem_5_1 = R"(model NC51
  Real x(start = sin(1)); Real y(start = cos(1));
  Real u(start = 2*cos(1)); Real v(start = -2*sin(1));
  Real lambda(start = -4);
equation
  der(x) = u; der(y) = v;
  der(u) = 2*y + x*lambda;
  der(v) = -2*x + y*lambda;
  0 = x^2 + y^2 - 1;
  annotation(experiment(StopTime = 1));
end NC51;)";

struct Case {
    const char* method;
    int max_order;
    double rtol;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.method << ' ' << c.max_order << ' ' << c.rtol;
}

Expected<Solution> solved(const Case& c, int points) {
    const auto model = Model::from_string(problem_5_1, "nc51.mo");
    if (!model) return Unexpected{model.error()};
    SolveOptions o;
    o.method = c.method;
    o.max_order = c.max_order;
    o.rtol = c.rtol;
    o.points = points;
    o.reduction = Reduction::none;
    return solve(*model, o);
}

class IndexThreeAsWritten : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(NC51, IndexThreeAsWritten,
                         ::testing::Values(Case{"auto", 5, 1e-3}, Case{"auto", 5, 1e-6}, Case{"auto", 5, 1e-8},
                                           Case{"radau", 5, 1e-9}, Case{"radau5", 5, 1e-3}, Case{"radau5", 5, 1e-6},
                                           Case{"bdf", 5, 1e-3}, Case{"bdf", 5, 1e-6}, Case{"bdf", 2, 1e-3},
                                           Case{"bdf", 3, 1e-3}, Case{"bdf", 3, 1e-6}));

TEST_P(IndexThreeAsWritten, MultiplierIsWithinToleranceOrToldNotToBe) {
    // At 1000 points, the first of them in the first steps, where starts of low order leave O(1).
    const auto s = solved(GetParam(), 1000);
    ASSERT_TRUE(s.has_value()) << s.error().front().message;
    ASSERT_TRUE(s->success()) << s->message();
    double worst = 0.0;
    for (std::size_t p = 0; p < s->time().size(); ++p) {
        const double exact = -4.0 * std::pow(1.0 + s->time()[p], 2);
        worst = std::max(worst, std::abs((*s)["lambda"][p] - exact) / std::abs(exact));
    }
    const auto& list = s->diagnostics();
    const bool told = std::any_of(list.begin(), list.end(), [](const auto& d) { return d.code == "granted-errors"; });
    EXPECT_TRUE(worst < 10 * GetParam().rtol || told) << worst;
}

TEST(IndexThreeRefused, MethodsWithoutAnOrderForTheMultiplierAreRefused) {
    for (const auto& [c, reason] : {std::pair{Case{"bdf", 1, 1e-3}, "W 2.1"},
                                    {Case{"radau1", 5, 1e-3}, "W Thm 3.6"},
                                    {Case{"radau2a-1", 5, 1e-3}, "W Thm 3.6"}}) {
        const auto s = solved(c, 10);
        ASSERT_FALSE(s.has_value()) << c;
        EXPECT_EQ(s.error().front().code, "method-and-index") << c;
        EXPECT_THAT(s.error().front().message, ::testing::HasSubstr(reason)) << c;
    }
}

} // namespace
} // namespace daedalus
