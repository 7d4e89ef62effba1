// Pantelides' algorithm and the Σ-method are two witnesses of the same numbers.
#include "structure/generated_systems.hpp"
#include "structure/pantelides.hpp"
#include "structure/signature_method.hpp"

#include <gtest/gtest.h>

namespace daedalus::structure {
namespace {

TEST(Pantelides, PendulumDifferentiatesTheConstraintTwice) {
    const PantelidesResult r = pantelides(generated::pendulum());
    ASSERT_TRUE(r.regular);
    EXPECT_EQ(r.differentiations, (std::vector<int>{1, 1, 0, 0, 2}));
    EXPECT_EQ(r.highest_order, (std::vector<int>{2, 2, 1, 1, 0}));
    EXPECT_EQ(r.structural_index, 3);
    EXPECT_EQ(r.nodes, 5 + 4);
}

TEST(Pantelides, SingularSystemsAreRefusedInsteadOfLooping) {
    EXPECT_FALSE(pantelides(generated::system(2, {{{0, 1}}, {{0, 0}}})).regular);
    EXPECT_FALSE(pantelides(generated::system(2, {{{0, 1}, {1, 0}}})).regular);
    EXPECT_TRUE(pantelides(SignatureMatrix{}).regular);
}

TEST(Pantelides, AgreesWithTheSignatureMethod) {
    std::mt19937 random(1988);
    int regular = 0, high_index = 0;
    while (regular < 6000 || high_index < 2500) {
        const int n = 1 + static_cast<int>(random() % 12u);
        const int max_order = static_cast<int>(random() % 4u);
        const double density = (1.2 + static_cast<double>(random() % 3u)) / n;
        const SignatureMatrix m = generated::random_small(n, max_order, density, random);
        const SignatureAnalysis a = signature_method(m);
        const PantelidesResult p = pantelides(m);
        ASSERT_EQ(a.regular, p.regular);
        if (!a.regular) continue;
        ++regular;
        if (a.structural_index >= 2) ++high_index;
        ASSERT_EQ(a.c, p.differentiations);
        ASSERT_EQ(a.d, p.highest_order);
        ASSERT_EQ(a.structural_index, p.structural_index);
    }
}

TEST(Pantelides, AgreesOnLargerFamilies) {
    for (const SignatureMatrix& m :
         {generated::integrator_chain(60), generated::shuffled(generated::circuit_ladder(200), 1),
          generated::shuffled(generated::pendulum_chain(100), 2), generated::random_of_depth(500, 5, 2.0, 3)}) {
        const SignatureAnalysis a = signature_method(m);
        const PantelidesResult p = pantelides(m);
        ASSERT_TRUE(a.regular && p.regular);
        EXPECT_EQ(a.c, p.differentiations);
        EXPECT_EQ(a.d, p.highest_order);
    }
}

} // namespace
} // namespace daedalus::structure
