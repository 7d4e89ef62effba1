// Families computed from their definition, against published coefficients and rooted trees.
#include "integrate/tableau/butcher.hpp"
#include "integrate/tableau/multistep_coefficients.hpp"
#include "integrate/tableau/radau_iia.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace daedalus::tableau;

void expect_entries(const std::vector<long double>& ours, const std::vector<double>& published) {
    ASSERT_EQ(ours.size(), published.size());
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(static_cast<double>(ours[i]), published[i], 1e-15);
}

TEST(Butcher, PublishedTableaus) {
    const double r3 = std::sqrt(3.0);
    expect_entries(make_family(Family::gauss, 2).A, {1. / 4, 1. / 4 - r3 / 6, 1. / 4 + r3 / 6, 1. / 4});
    expect_entries(make_family(Family::radau_ia, 2).A, {1. / 4, -1. / 4, 1. / 4, 5. / 12});
    expect_entries(make_family(Family::radau_iia, 2).A, {5. / 12, -1. / 12, 3. / 4, 1. / 4});
    expect_entries(make_family(Family::lobatto_iiia, 3).A,
                   {0, 0, 0, 5. / 24, 1. / 3, -1. / 24, 1. / 6, 2. / 3, 1. / 6});
    expect_entries(make_family(Family::lobatto_iiib, 3).A, {1. / 6, -1. / 6, 0, 1. / 6, 1. / 3, 0, 1. / 6, 5. / 6, 0});
    expect_entries(make_family(Family::lobatto_iiic, 3).A,
                   {1. / 6, -1. / 3, 1. / 6, 1. / 6, 5. / 12, -1. / 12, 1. / 6, 2. / 3, 1. / 6});
}

TEST(Butcher, RadauIIAIsTheProductionMethod) {
    for (const int s : {3, 5, 7}) {
        const RadauIIA production = make_radau_iia(s);
        expect_entries(make_family(Family::radau_iia, s).c, production.c);
    }
}

TEST(Butcher, OrdersByTrees) {
    for (const ButcherTableau& m : diagonally_implicit_tableaus()) EXPECT_EQ(order_by_trees(m), m.order) << m.id;
    for (int f = 0; f < 6; ++f)
        for (int s = f < 3 ? 1 : 2; s <= 4; ++s) {
            const ButcherTableau m = make_family(static_cast<Family>(f), s);
            EXPECT_EQ(order_by_trees(m), std::min(5, m.order)) << m.id;
        }
}

TEST(Multistep, PublishedCoefficients) {
    expect_entries(make_bdf(2).alpha, {1.5, -2, 0.5});
    expect_entries(make_bdf(4).alpha, {25. / 12, -4, 3, -4. / 3, 1. / 4});
    expect_entries(make_adams(2, false).beta, {0, 1.5, -0.5});
    expect_entries(make_adams(2, true).beta, {5. / 12, 8. / 12, -1. / 12});
    for (int k = 1; k <= 6; ++k) EXPECT_EQ(multistep_order(make_bdf(k)), k);
    EXPECT_EQ(multistep_order(make_damped_adams(3, 0.5L)), 3);
    EXPECT_LT(spectral_radius_at_infinity(make_damped_adams(3, 0.5L)), 1);
    EXPECT_GT(spectral_radius_at_infinity(make_adams(2, true)), 1);
}

} // namespace
