// Dulmage–Mendelsohn parts and the diagnosis of singular systems.
#include "structure/diagnosis.hpp"
#include "structure/generated_systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace daedalus::structure {
namespace {

TEST(DulmageMendelsohn, ThreePartsByHand) {
    // Variables 0…5. Over: equations 0, 1, 2 in variables 0, 1. Well: 3 ↔ 2, 4 ↔ 3. Under: 5 in variables 4, 5.
    const Incidence p = Incidence::from_rows(6, {{0, 1}, {0, 1}, {0, 1}, {0, 2}, {2, 3}, {3, 4, 5}});
    const DulmageMendelsohn dm = dulmage_mendelsohn(p);
    EXPECT_FALSE(dm.structurally_regular());
    EXPECT_EQ(dm.over, (Part{{0, 1, 2}, {0, 1}}));
    EXPECT_EQ(dm.well, (Part{{3, 4}, {2, 3}}));
    EXPECT_EQ(dm.under, (Part{{5}, {4, 5}}));
    EXPECT_EQ(dm.well_blocks, (std::vector<Part>{{{3}, {2}}, {{4}, {3}}}));
    EXPECT_EQ(dm.over_components.size(), 1u);
    EXPECT_EQ(dm.under_components.size(), 1u);
}

TEST(DulmageMendelsohn, ComponentsAreSeparate) {
    const Incidence p = Incidence::from_rows(3, {{0}, {0}, {1}, {1}, {}});
    const DulmageMendelsohn dm = dulmage_mendelsohn(p);
    EXPECT_EQ(dm.over_components, (std::vector<Part>{{{0, 1}, {0}}, {{2, 3}, {1}}, {{4}, {}}}));
    EXPECT_EQ(dm.under_components, (std::vector<Part>{{{}, {2}}}));
    EXPECT_TRUE(dm.well.empty());
}

TEST(DulmageMendelsohn, DoesNotDependOnTheMatching) {
    std::mt19937 random(5);
    for (int trial = 0; trial < 2000; ++trial) {
        const int n = 1 + static_cast<int>(random() % 8u);
        const Incidence p = generated::random_small(n, 0, 0.22, random).pattern;
        Matching other = Matching::empty(n, n);
        augment_to_maximum(p, other);
        const DulmageMendelsohn a = dulmage_mendelsohn(p), b = dulmage_mendelsohn(p, other);
        ASSERT_EQ(a.over, b.over);
        ASSERT_EQ(a.well, b.well);
        ASSERT_EQ(a.under, b.under);
        // The coarse block structure: over-determined equations see only over-determined variables, and
        // under-determined variables appear only in under-determined equations.
        for (int i = 0; i < n; ++i)
            for (int j : p.row(i)) {
                ASSERT_TRUE(a.of_equation[i] != Determination::over || a.of_variable[j] == Determination::over);
                ASSERT_TRUE(a.of_variable[j] != Determination::under || a.of_equation[i] == Determination::under);
            }
        ASSERT_EQ(a.well.equations.size(), a.well.variables.size());
    }
}

TEST(Diagnosis, RegularSystemHasNothingToReport) {
    const StructuralDiagnosis d = diagnose(generated::pendulum());
    EXPECT_TRUE(d.regular());
    EXPECT_TRUE(d.surplus_equations.empty());
    EXPECT_TRUE(d.surplus_variables.empty());
    EXPECT_TRUE(d.equations_alike.empty());
}

TEST(Diagnosis, EquationWrittenTwiceAndVariableForgotten) {
    // Pendulum with the constraint in the place of v' = …: x² + y² = 1 twice; λ and v remain in too few equations.
    const SignatureMatrix m = generated::system(6, {{{0, 1}, {2, 0}},
                                                    {{1, 1}, {3, 0}},
                                                    {{2, 1}, {4, 0}, {0, 0}},
                                                    {{0, 0}, {1, 0}},
                                                    {{0, 0}, {1, 0}},
                                                    {{0, 0}, {1, 0}}});
    const StructuralDiagnosis d = diagnose(m);
    EXPECT_FALSE(d.regular());
    ASSERT_EQ(d.surplus_equations.size(), 1u);
    EXPECT_EQ(d.surplus_equations[0], (Part{{3, 4, 5}, {0, 1}}));
    EXPECT_EQ(d.equations_alike, (std::vector<std::vector<int>>{{3, 4, 5}}));
    EXPECT_EQ(d.variables_in_no_equation, (std::vector<int>{5}));
    EXPECT_EQ(d.surplus_variable_count(), 1);
    EXPECT_EQ(d.surplus_variables[0], (Part{{}, {5}}));
}

TEST(Diagnosis, EquationWithoutVariables) {
    const StructuralDiagnosis d = diagnose(generated::system(1, {{{0, 0}}, {}}));
    EXPECT_EQ(d.equations_without_variable, (std::vector<int>{1}));
    EXPECT_EQ(d.surplus_equations, (std::vector<Part>{{{1}, {}}}));
}

TEST(Diagnosis, SingularSubsetsAreMinimal) {
    std::mt19937 random(3);
    int seen = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const SignatureMatrix m = generated::random_small(7, 1, 0.25, random);
        const StructuralDiagnosis d = diagnose(m);
        ASSERT_EQ(d.regular(), maximum_matching(m.pattern).perfect());
        ASSERT_EQ(static_cast<int>(d.surplus_equations.size()), d.surplus_equation_count());
        for (const Part& part : d.surplus_equations) {
            ++seen;
            ASSERT_EQ(part.equations.size(), part.variables.size() + 1);
            for (int i : part.equations) {
                const auto row = m.variables_of(i);
                ASSERT_TRUE(std::includes(part.variables.begin(), part.variables.end(), row.begin(), row.end()));
            }
            for (std::size_t out = 0; out < part.equations.size(); ++out) {
                std::vector<int> rest = part.equations;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
                ASSERT_TRUE(maximum_matching(m.pattern.submatrix(rest, part.variables)).perfect());
            }
        }
        for (const Part& part : d.surplus_variables) ASSERT_EQ(part.variables.size(), part.equations.size() + 1);
    }
    EXPECT_GT(seen, 500);
}

TEST(Diagnosis, LargeLadderWithOneEquationLost) {
    // The source of a 100001-equation ladder is written twice and the last Kirchhoff sum is forgotten.
    const SignatureMatrix ladder = generated::circuit_ladder(25000);
    const int n = ladder.equations();
    std::vector<SignatureEntry> entries;
    for (int i = 0; i + 1 < n; ++i)
        for (int k = ladder.pattern.row_start[i]; k < ladder.pattern.row_start[i + 1]; ++k)
            entries.push_back({i, ladder.pattern.column[k], ladder.order[k]});
    entries.push_back({n - 1, 0, 0});
    const StructuralDiagnosis d = diagnose(SignatureMatrix::from_entries(n, n, entries));
    EXPECT_EQ(d.surplus_equation_count(), 1);
    EXPECT_EQ(d.surplus_equations, (std::vector<Part>{{{0, n - 1}, {0}}}));
    EXPECT_EQ(d.equations_alike, (std::vector<std::vector<int>>{{0, n - 1}}));
    ASSERT_EQ(d.surplus_variables.size(), 1u);
    EXPECT_EQ(d.surplus_variables[0].variables.size(), d.surplus_variables[0].equations.size() + 1);
}

} // namespace
} // namespace daedalus::structure
