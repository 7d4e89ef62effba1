// Tractability index: constant pencils of known index, circuits, and time-varying systems where local pencils mislead.
#include "analysis/known_pencils.hpp"
#include "analysis/projector_chain.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::ChainOutcome;
using analysis::projector_chain;
using analysis::ProjectorChain;
using analysis::properly_stated;
using linalg::MatrixSeries;

ProjectorChain chain_of(const Matrix& e, const Matrix& h) {
    const auto system = properly_stated(e, h);
    EXPECT_TRUE(system);
    return projector_chain(*system);
}

TEST(ProjectorChain, AgreesWithTheIndexOfNilpotency) {
    Random random(17);
    for (int index = 0; index <= 5; ++index)
        for (int repeat = 0; repeat < 20; ++repeat) {
            const KnownPencil known = random_regular(index, 1 + repeat % 6, random);
            const ProjectorChain chain = chain_of(known.e, known.h);
            ASSERT_EQ(chain.outcome, ChainOutcome::regular) << chain.reason;
            ASSERT_EQ(chain.index, index);
        }
}

TEST(ProjectorChain, ProjectorsAreAdmissible) {
    Random random(23);
    const KnownPencil known = random_regular(4, 3, random);
    const ProjectorChain chain = chain_of(known.e, known.h);
    ASSERT_EQ(chain.index, 4);
    for (std::size_t i = 0; i < 4; ++i) {
        const Matrix& q = chain.levels[i].q;
        EXPECT_LT(frobenius_norm(q * q - q), 1e-9);
        EXPECT_LT(frobenius_norm(chain.levels[i].g * q), 1e-9);
        for (std::size_t j = 0; j < i; ++j) EXPECT_LT(frobenius_norm(q * chain.levels[j].q), 1e-9) << i << " " << j;
    }
}

TEST(ProjectorChain, SingularPencilsHaveNoAdmissibleProjectors) {
    Random random(29);
    for (const auto& structure : {analysis::KroneckerStructure{{0}, {0}, {1}, 0},
                                  {{1}, {0}, {2}, 0},
                                  {{2}, {1}, {}, 0},
                                  {{0}, {2}, {3, 1}, 0}}) {
        const KnownPencil known = hidden(canonical_pencil(structure, {-1.0, 2.0}), random, 3.0);
        const ProjectorChain chain = chain_of(known.e, known.h);
        EXPECT_EQ(chain.outcome, ChainOutcome::singular) << chain.reason;
    }
}

TEST(ProjectorChain, HessenbergForms) {
    // x_1' = … with the chain x_k driven by x_{k+1}, and 0 = x_1: Hessenberg form of size n has index n.
    for (int size = 2; size <= 4; ++size) {
        Matrix e(size, size), h(size, size);
        for (int i = 0; i + 1 < size; ++i) {
            e(i, i) = 1.0;
            h(i, i + 1) = 1.0;
            h(i, i) = 0.3;
        }
        h(size - 1, 0) = 1.0;
        EXPECT_EQ(chain_of(e, h).index, size);
    }
}

TEST(ProjectorChain, Circuits) {
    // Node potentials e1, e2 and the source's current j; resistors from node 1 to 2 and from 2 to ground, a source v at
    // node 1 with a capacitor across it, a loop of capacitor and source: j = -C v' - …, index 2.
    const double c = 1e-6, g = 1e-3;
    const Matrix e{{c, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const Matrix loop{{g, -g, 1.0}, {-g, 2.0 * g, 0.0}, {1.0, 0.0, 0.0}};
    const ProjectorChain chain = chain_of((1.0 / c) * e, loop);
    EXPECT_EQ(chain.outcome, ChainOutcome::regular) << chain.reason;
    EXPECT_EQ(chain.index, analysis::analyze_pencil(e, loop).structure.index());
    EXPECT_EQ(chain.index, 2);
    // The capacitor behind a resistor instead: index 1.
    const Matrix e1{{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}};
    const Matrix h1{{1.0, -1.0, 1.0}, {-1.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    EXPECT_EQ(chain_of(e1, h1).index, 1);
}

/// Taylor coefficients about t from those of polynomials in t: entry (i, j) = Σ_k c[k](i, j) t^k.
MatrixSeries expanded(const std::vector<Matrix>& c, double t, int order) {
    std::vector<Matrix> result;
    for (int k = 0; k <= order; ++k) {
        Matrix sum(c[0].rows(), c[0].cols());
        for (int p = k; p < static_cast<int>(c.size()); ++p) {
            double binomial = 1.0;
            for (int q = 0; q < k; ++q) binomial = binomial * (p - q) / (q + 1);
            sum += (binomial * std::pow(t, p - k)) * c[static_cast<std::size_t>(p)];
        }
        result.push_back(std::move(sum));
    }
    return MatrixSeries(std::move(result));
}

TEST(ProjectorChain, SolvableAlthoughEveryLocalPencilIsSingular) {
    // [-t t²; -1 t] x' + x = q: det(λ E + I) = 1, regular, nilpotent of index 2 — but infinitely many solutions.
    // [0 0; 1 -t] x' + [1 -t; 0 0] x = q: det = 0 for all t — but a unique solution (HW (1.8); Brenan et al.
    // 1996, 2.4).
    for (const double t : {0.0, 0.4, -1.3}) {
        const std::vector<Matrix> e1{{{0.0, 0.0}, {-1.0, 0.0}}, {{-1.0, 0.0}, {0.0, 1.0}}, {{0.0, 1.0}, {0.0, 0.0}}};
        const std::vector<Matrix> h1{Matrix::identity(2)};
        const auto misleading = properly_stated(expanded(e1, t, 4), expanded(h1, t, 4));
        ASSERT_TRUE(misleading);
        EXPECT_EQ(analysis::analyze_pencil(expanded(e1, t, 0).value(), h1[0]).structure.index(), 2);
        EXPECT_EQ(projector_chain(*misleading).outcome, ChainOutcome::singular);

        const std::vector<Matrix> e2{{{0.0, 0.0}, {1.0, 0.0}}, {{0.0, 0.0}, {0.0, -1.0}}};
        const std::vector<Matrix> h2{{{1.0, 0.0}, {0.0, 0.0}}, {{0.0, -1.0}, {0.0, 0.0}}};
        const auto solvable = properly_stated(expanded(e2, t, 4), expanded(h2, t, 4));
        ASSERT_TRUE(solvable);
        EXPECT_FALSE(
            analysis::analyze_pencil(expanded(e2, t, 0).value(), expanded(h2, t, 0).value()).structure.regular());
        const ProjectorChain chain = projector_chain(*solvable);
        EXPECT_EQ(chain.outcome, ChainOutcome::regular) << chain.reason;
        EXPECT_EQ(chain.index, 2);
    }
}

TEST(ProjectorChain, TimeVaryingTransformationsKeepTheIndex) {
    // E = P E₀ Q, H = P (H₀ Q + E₀ Q') with polynomials P, Q of degree 1: the same system in other unknowns.
    Random random(31);
    for (int index = 1; index <= 4; ++index) {
        const KnownPencil known = random_regular(index, 2, random);
        const int n = known.e.rows(), order = 6;
        const MatrixSeries p({well_conditioned(n, random), 0.1 * random_matrix(n, n, random)}),
            q({well_conditioned(n, random), 0.1 * random_matrix(n, n, random)});
        const auto padded = [&](const MatrixSeries& a) { return expanded({a[0], a[1]}, 0.0, order); };
        const MatrixSeries pt = padded(p), qt = padded(q);
        const MatrixSeries e0 = MatrixSeries::constant(known.e, order), h0 = MatrixSeries::constant(known.h, order);
        const MatrixSeries q_prime = MatrixSeries::constant(q[1], order);
        const auto system = properly_stated(pt * e0 * qt, pt * (h0 * qt + e0 * q_prime));
        ASSERT_TRUE(system);
        const ProjectorChain chain = projector_chain(*system);
        EXPECT_EQ(chain.outcome, ChainOutcome::regular) << index << ": " << chain.reason;
        EXPECT_EQ(chain.index, index);
    }
}

TEST(ProjectorChain, CriticalPoint) {
    // t x' + x = 0 at t = 0: the rank of E changes.
    EXPECT_FALSE(properly_stated(MatrixSeries({Matrix{{0.0}}, Matrix{{1.0}}}), MatrixSeries::constant({{1.0}}, 1)));
}

} // namespace
} // namespace daedalus::testing
