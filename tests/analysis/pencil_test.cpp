// Kronecker structure, Weierstrass form and verdicts, on pencils whose structure is known.
#include "analysis/known_pencils.hpp"
#include "analysis/pencil.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::analyze_pencil;
using analysis::CrossCheck;
using analysis::KroneckerStructure;
using analysis::PencilReport;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string reasons(const PencilReport& r) {
    std::string text;
    for (const auto& reason : r.reasons) text += reason + "\n";
    return text;
}

void expect_eigenvalues(const PencilReport& r, const std::vector<double>& expected, double tolerance) {
    ASSERT_TRUE(r.eigenvalues);
    ASSERT_EQ(r.eigenvalues->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR((*r.eigenvalues)[i].real(), expected[i], tolerance);
        EXPECT_NEAR((*r.eigenvalues)[i].imag(), 0.0, tolerance);
    }
}

TEST(Pencil, HundredsOfRegularOnesAreRecognised) {
    Random random(20260101);
    int count = 0;
    for (int index = 0; index <= 6; ++index)
        for (int repeat = 0; repeat < 40; ++repeat, ++count) {
            const KnownPencil known = random_regular(index, repeat % 17, random);
            const PencilReport r = analyze_pencil(known.e, known.h);
            ASSERT_TRUE(r.decided) << "index " << index << ", size " << r.rows << ": " << reasons(r);
            ASSERT_EQ(r.structure, known.structure) << "index " << index << ", size " << r.rows;
            ASSERT_EQ(r.structure.index(), index);
            ASSERT_EQ(r.cross_check, r.rows == 0 ? CrossCheck::not_possible : CrossCheck::agrees);
            ASSERT_TRUE(r.weierstrass);
            ASSERT_LT(r.backward_error, 1e-13);
            ASSERT_EQ(r.weierstrass->index, index);
            // Perturbation theory: simple, but hidden by factors of condition 5 and coupled to the infinite part.
            expect_eigenvalues(r, known.eigenvalues, 1e-8);
        }
    EXPECT_EQ(count, 280);
}

TEST(Pencil, KroneckerStructureOfSingularAndRectangularOnes) {
    Random random(7);
    std::uniform_int_distribution<int> blocks(0, 3), size(0, 3), finite(0, 5);
    for (int repeat = 0; repeat < 300; ++repeat) {
        KroneckerStructure s;
        for (int k = blocks(random); k > 0; --k) s.right_minimal_indices.push_back(size(random));
        for (int k = blocks(random); k > 0; --k) s.left_minimal_indices.push_back(size(random));
        for (int k = blocks(random); k > 0; --k) s.infinite_blocks.push_back(1 + size(random));
        std::vector<double> eigenvalues;
        for (int k = finite(random); k > 0; --k) eigenvalues.push_back(k - 2.5);
        const KnownPencil known = hidden(canonical_pencil(s, eigenvalues), random, 3.0);
        const PencilReport r = analyze_pencil(known.e, known.h);
        ASSERT_TRUE(r.decided) << repeat << ": " << reasons(r);
        ASSERT_EQ(r.structure, known.structure) << repeat;
        // A singular square pencil has no well-defined eigenvalues of s E + H; the finite part still has its own.
        expect_eigenvalues(r, known.eigenvalues, 1e-6);
        if (!known.structure.right_minimal_indices.empty()) {
            // (λ E + H) x(λ) = 0 at any λ
            ASSERT_FALSE(r.right_null.empty());
            std::vector<double> x(static_cast<std::size_t>(r.cols), 0.0);
            const double lambda = 0.7;
            double power = 1.0;
            for (const auto& coefficient : r.right_null) {
                for (std::size_t i = 0; i < x.size(); ++i) x[i] += power * coefficient[i];
                power *= lambda;
            }
            for (const double residual : (lambda * known.e + known.h) * x) ASSERT_NEAR(residual, 0.0, 1e-12);
        }
    }
}

TEST(Pencil, WeierstrassFormHasItsShape) {
    Random random(3);
    const KnownPencil known = hidden(canonical_pencil({{}, {}, {3, 2, 1}, 0}, {-2.0, -1.0, 0.5, 1.0}), random);
    const auto w = analysis::weierstrass_form(known.e, known.h);
    ASSERT_TRUE(w);
    const Matrix e = w->p * known.e * w->q, h = w->p * known.h * w->q;
    EXPECT_LT(frobenius_norm(e.block(0, 0, 4, 4) - Matrix::identity(4)), 1e-11);
    EXPECT_LT(frobenius_norm(e.block(0, 4, 4, 6)), 1e-11);
    EXPECT_LT(frobenius_norm(e.block(4, 0, 6, 4)), 1e-11);
    EXPECT_LT(frobenius_norm(h.block(4, 4, 6, 6) - Matrix::identity(6)), 1e-11);
    EXPECT_LT(frobenius_norm(h.block(0, 4, 4, 6)), 1e-11);
    EXPECT_GT(frobenius_norm(w->n * w->n), 0.01);
    EXPECT_EQ(frobenius_norm(w->n * w->n * w->n), 0.0);
    EXPECT_LT(w->condition_p, 1e3);
}

TEST(Pencil, PerturbedRanksAreUndecidedOrUnchanged) {
    Random random(11);
    int undecided = 0;
    for (int repeat = 0; repeat < 100; ++repeat) {
        const int index = repeat % 5;
        const KnownPencil known = random_regular(index, 4, random);
        const int n = known.e.rows();
        const Matrix e = known.e + 1e-10 * random_matrix(n, n, random),
                     h = known.h + 1e-10 * random_matrix(n, n, random);
        const PencilReport r = analyze_pencil(e, h);
        if (r.decided) {
            EXPECT_EQ(r.structure, known.structure);
        } else {
            ++undecided;
            EXPECT_THAT(reasons(r), HasSubstr("not clear"));
        }
        // Whoever knows the noise gets the answer.
        const PencilReport informed = analyze_pencil(e, h, {.noise = 1e-8});
        if (informed.decided) {
            EXPECT_EQ(informed.structure, known.structure) << "index " << index;
        }
        if (index <= 2) {
            EXPECT_TRUE(informed.decided) << reasons(informed);
        }
    }
    EXPECT_GE(undecided, 70);
}

TEST(Pencil, SmallAndEmptyOnes) {
    const auto structure = [](const Matrix& e, const Matrix& h) {
        const PencilReport r = analyze_pencil(e, h);
        EXPECT_TRUE(r.decided) << reasons(r);
        return r.structure;
    };
    EXPECT_EQ(structure(Matrix(0, 0), Matrix(0, 0)), (KroneckerStructure{{}, {}, {}, 0}));
    EXPECT_EQ(structure(Matrix(0, 3), Matrix(0, 3)), (KroneckerStructure{{0, 0, 0}, {}, {}, 0}));
    EXPECT_EQ(structure(Matrix(2, 0), Matrix(2, 0)), (KroneckerStructure{{}, {0, 0}, {}, 0}));
    EXPECT_EQ(structure({{2.0}}, {{6.0}}), (KroneckerStructure{{}, {}, {}, 1}));
    EXPECT_EQ(structure({{0.0}}, {{6.0}}), (KroneckerStructure{{}, {}, {1}, 0}));
    EXPECT_EQ(structure({{0.0}}, {{0.0}}), (KroneckerStructure{{0}, {0}, {}, 0}));
    EXPECT_EQ(structure(Matrix(3, 3), Matrix(3, 3)), (KroneckerStructure{{0, 0, 0}, {0, 0, 0}, {}, 0}));
    EXPECT_EQ(structure(Matrix(3, 3), Matrix::identity(3)), (KroneckerStructure{{}, {}, {1, 1, 1}, 0}));
    EXPECT_EQ(structure(Matrix::identity(3), Matrix(3, 3)), (KroneckerStructure{{}, {}, {}, 3}));
    EXPECT_EQ(structure({{1.0, 0.0}}, {{0.0, 1.0}}), (KroneckerStructure{{1}, {}, {}, 0}));
}

TEST(Pencil, HugeAndTinyEntries) {
    Random random(5);
    const KnownPencil known = random_regular(3, 3, random);
    for (const double of_e : {1e-200, 1.0, 1e200})
        for (const double of_h : {1e-200, 1.0, 1e200}) {
            const PencilReport r = analyze_pencil(of_e * known.e, of_h * known.h);
            EXPECT_TRUE(r.decided) << reasons(r);
            EXPECT_EQ(r.structure, known.structure);
        }
    // Rows and columns in units that differ by 120 decades.
    KnownPencil scaled = known;
    const int n = known.e.rows();
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double factor = std::pow(10.0, 40.0 * ((i % 3) - 1) + 20.0 * ((j % 4) - 1));
            scaled.e(i, j) *= factor;
            scaled.h(i, j) *= factor;
        }
    const PencilReport r = analyze_pencil(scaled.e, scaled.h);
    EXPECT_TRUE(r.balanced);
    EXPECT_TRUE(r.decided) << reasons(r);
    EXPECT_EQ(r.structure, known.structure);
}

TEST(Pencil, WhatCannotBeToldIsNotTold) {
    // Time constants 400 decades apart: 1e-200 may be a zero, and then the index is 1.
    const PencilReport wide = analyze_pencil({{1e200, 0.0}, {0.0, 1e-200}}, Matrix::identity(2));
    EXPECT_FALSE(wide.decided);
    EXPECT_THAT(reasons(wide), HasSubstr("orders of magnitude"));
    const PencilReport grey = analyze_pencil({{1.0, 0.0}, {0.0, 1e-11}}, Matrix::identity(2));
    EXPECT_FALSE(grey.decided);
    const double nan = std::nan("");
    const PencilReport not_a_number = analyze_pencil({{1.0, 0.0}, {nan, 1.0}}, Matrix::identity(2));
    EXPECT_FALSE(not_a_number.decided);
    EXPECT_THAT(reasons(not_a_number), HasSubstr("entry (2, 1) of E"));
    const PencilReport infinite = analyze_pencil(Matrix::identity(1), {{INFINITY}});
    EXPECT_FALSE(infinite.decided);
}

TEST(Pencil, SingularOnesNameTheCulprits) {
    // Row 3 is the sum of the others: z = (1, 1, -1).
    const Matrix e{{1.0, 2.0, 0.0}, {0.0, 1.0, 1.0}, {1.0, 3.0, 1.0}};
    const Matrix h{{0.0, 1.0, 1.0}, {2.0, 0.0, 1.0}, {2.0, 1.0, 2.0}};
    const PencilReport r = analyze_pencil(e, h);
    ASSERT_TRUE(r.decided) << reasons(r);
    EXPECT_FALSE(r.structure.regular());
    EXPECT_THAT(r.structure.left_minimal_indices, ElementsAre(0));
    ASSERT_EQ(r.left_null.size(), 1U);
    const auto& z = r.left_null[0];
    EXPECT_NEAR(z[1] / z[0], 1.0, 1e-12);
    EXPECT_NEAR(z[2] / z[0], -1.0, 1e-12);
    EXPECT_EQ(r.cross_check, CrossCheck::agrees);
}

TEST(Pencil, MechanicalAndOptimalControlExamples) {
    // Linear multibody system q' = v, v' = -q - Gᵀ λ, G q = 0 with G = (1, 0): index 3.
    Matrix e(5, 5), h(5, 5);
    for (int i = 0; i < 4; ++i) e(i, i) = 1.0;
    for (int i = 0; i < 2; ++i) {
        h(i, i + 2) = -1.0;
        h(i + 2, i) = 1.0;
    }
    h(2, 4) = h(4, 0) = 1.0;
    const PencilReport pendulum = analyze_pencil(e, h);
    ASSERT_TRUE(pendulum.decided) << reasons(pendulum);
    EXPECT_EQ(pendulum.structure.index(), 3);
    EXPECT_EQ(pendulum.structure.finite_size, 2);
    // MW Lemma 9.1: z' = A z + B w, 0 = C z with C Aⁱ B = 0 for all i is singular.
    const Matrix singular_e{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}};
    const Matrix singular_h{{1.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
    const PencilReport singular = analyze_pencil(singular_e, singular_h);
    ASSERT_TRUE(singular.decided) << reasons(singular);
    EXPECT_FALSE(singular.structure.regular());
}

} // namespace
} // namespace daedalus::testing
