// Determinants with zeros of odd and even order anywhere in a step are noticed; those that only vary are not.
#include "integrate/methods/determinant_watch.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

using namespace daedalus;
using integrate::DeterminantWatch;

namespace {

/// Whether a step over [a, b] passes a zero of d, seen at the stages only.
template <class Function>
bool passes(const tableau::ExplicitRungeKutta& method, double a, double b, Function d) {
    DeterminantWatch watch(std::span(method.c).first(static_cast<std::size_t>(method.stages)));
    watch.reset();
    watch.begin_step();
    for (int i = 1; i < method.stages; ++i) // a step on the spot tells the value at the beginning
        if (watch.passes(i, d(a))) return true;
    watch.accept();
    watch.begin_step();
    for (int i = 1; i < method.stages; ++i)
        if (watch.passes(i, d(a + method.c[static_cast<std::size_t>(i)] * (b - a)))) return true;
    return false;
}

class DeterminantWatched : public ::testing::TestWithParam<tableau::ExplicitName> {};
INSTANTIATE_TEST_SUITE_P(Methods, DeterminantWatched,
                         ::testing::Values(tableau::ExplicitName::dopri5, tableau::ExplicitName::dop853));

TEST_P(DeterminantWatched, ZerosOfAnyOrderAreNoticedWhereverTheyAre) {
    const auto method = tableau::make_explicit_runge_kutta(GetParam());
    for (int k = 1; k < 200; ++k) {
        const double zero = (k - 0.37) / 200.0; // at no stage: there 0 would mean "not known"
        for (const int order : {1, 2}) {
            SCOPED_TRACE(::testing::Message() << order << " at " << zero);
            EXPECT_TRUE(passes(method, 0.0, 1.0, [&](double t) { return std::pow(t - zero, order); }));
            if (zero > 0.97) continue; // the polynomial is not exact, and the end is as small as what it leaves
            EXPECT_TRUE(passes(method, 0.0, 1.0,
                               [&](double t) { return -std::exp(0.5 * t) * std::pow(std::sin(t - zero), order); }));
        }
    }
}

TEST_P(DeterminantWatched, VariationIsNoZero) {
    const auto method = tableau::make_explicit_runge_kutta(GetParam());
    for (int k = 0; k <= 100; ++k) {
        const double shift = 0.1 * k;
        EXPECT_FALSE(passes(method, 0.0, 1.0, [&](double t) { return 1.0 + 0.6 * std::cos(2.0 * t + shift); }));
        EXPECT_FALSE(passes(method, 0.0, 1.0, [&](double t) { return std::exp(4.0 * t - shift); }));
        EXPECT_FALSE(passes(method, 0.0, 1.0, [&](double t) { return -std::exp(-4.0 * t - shift); }));
    }
}

} // namespace
