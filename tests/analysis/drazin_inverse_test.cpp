// The three axioms to round-off, the index, and projectors against the Weierstrass form.
#include "analysis/drazin_inverse.hpp"
#include "analysis/known_pencils.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::drazin_axioms_error;
using analysis::drazin_inverse;

/// diag(B, nilpotent blocks) in a random basis.
Matrix matrix_of_index(int index, int core, Random& random) {
    const int n = core + (index > 0 ? index + 1 : 0);
    Matrix a(n, n);
    a.set_block(0, 0, well_conditioned(core, random, 3.0));
    for (int i = core; i + 1 < core + index; ++i) a(i, i + 1) = 1.0; // and one block of size 1
    const Matrix s = well_conditioned(n, random);
    return s * a * solve(s, Matrix::identity(n))->x;
}

TEST(DrazinInverse, AxiomsHoldToRoundOff) {
    Random random(41);
    for (int index = 0; index <= 5; ++index)
        for (int repeat = 0; repeat < 20; ++repeat) {
            const Matrix a = matrix_of_index(index, 1 + repeat % 8, random);
            const auto d = drazin_inverse(a);
            ASSERT_TRUE(d && d->decided);
            ASSERT_EQ(d->index, index);
            ASSERT_LT(drazin_axioms_error(a, d->inverse, d->index), 1e-11) << index;
            ASSERT_LT(frobenius_norm(d->projector - d->inverse * a) / frobenius_norm(d->projector), 1e-10);
        }
}

TEST(DrazinInverse, SpecialCases) {
    EXPECT_EQ(frobenius_norm(drazin_inverse(Matrix(3, 3))->inverse), 0.0);
    EXPECT_EQ(drazin_inverse(Matrix(3, 3))->index, 1);
    EXPECT_LT(frobenius_norm(drazin_inverse({{2.0, 0.0}, {0.0, 4.0}})->inverse - Matrix{{0.5, 0.0}, {0.0, 0.25}}),
              1e-15);
    EXPECT_EQ(drazin_inverse({{0.0, 1.0}, {0.0, 0.0}})->index, 2);
    EXPECT_EQ(drazin_inverse(Matrix(0, 0))->index, 0);
    EXPECT_FALSE(drazin_inverse({{std::nan("")}}));
    // A violated axiom is noticed.
    EXPECT_GT(drazin_axioms_error({{2.0}}, {{0.4}}, 0), 0.1);
}

TEST(DrazinInverse, ConsistentValuesAreThoseOfTheWeierstrassForm) {
    Random random(43);
    for (int index = 1; index <= 4; ++index) {
        const KnownPencil known = random_regular(index, 4, random);
        const auto projectors = analysis::spectral_projectors(known.e, known.h);
        const auto w = analysis::weierstrass_form(known.e, known.h);
        ASSERT_TRUE(projectors && w);
        EXPECT_EQ(projectors->index, index);
        ASSERT_EQ(projectors->consistent.cols(), 4);
        const Matrix finite = w->q.columns(0, 4), infinite = w->q.columns(4, known.e.cols() - 4);
        EXPECT_LT(frobenius_norm(projectors->finite * finite - finite) / frobenius_norm(finite), 1e-9);
        EXPECT_LT(frobenius_norm(projectors->finite * infinite) / frobenius_norm(infinite), 1e-9);
    }
}

} // namespace
} // namespace daedalus::testing
