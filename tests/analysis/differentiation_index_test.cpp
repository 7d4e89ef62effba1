// Differentiation and strangeness index of every test problem, against what its source states.
#include "arrays.hpp"

#include <random>

namespace daedalus::analysis {
namespace {

struct Known {
    const char* path;
    int differentiation;
    int freedom; ///< degrees of freedom: d
};

class KnownIndex : public testing::TestWithParam<Known> {};

TEST_P(KnownIndex, FromDerivativeArrays) {
    const Known known = GetParam();
    const auto model = read_problem(known.path);
    ASSERT_TRUE(model);
    const Analysed a = index_of(model);
    ASSERT_TRUE(a.index.differentiation) << a.index.reason;
    EXPECT_EQ(*a.index.differentiation, known.differentiation) << a.index.reason;
    ASSERT_TRUE(a.index.strangeness);
    EXPECT_EQ(*a.index.strangeness, std::max(0, known.differentiation - 1));
    EXPECT_EQ(a.index.differential, known.freedom);
    EXPECT_EQ(a.index.differential + a.index.algebraic, a.model.array->unknowns());
    EXPECT_TRUE(a.index.full_row_rank);
}

const Known problems[] = {
    {"tests/problems/pendulum.mo", 3, 2},
    {"tests/problems/andrews.mo", 3, 2},
    {"tests/problems/caraxis.mo", 3, 4},
    {"tests/problems/transamp.mo", 1, 5},
    {"tests/problems/ringmod.mo", 1, 15},
    {"tests/problems/ringmod_dae.mo", 2, 10},
    {"tests/problems/robertson_dae.mo", 1, 2},
    {"tests/problems/chemakzo.mo", 1, 5},
    {"tests/problems/crank.mo", 2, 11},
    {"tests/problems/crank3.mo", 3, 8},
    {"tests/problems/double_pendulum.mo", 3, 4},
    {"tests/problems/jay.mo", 3, 2},
    {"tests/problems/ascher_petzold.mo", 2, 1},
    {"tests/problems/batch_reactor.mo", 1, 6},
    {"tests/problems/campbell_moore.mo", 3, 4},
    {"tests/problems/skate.mo", 2, 3},
    {"tests/problems/slcrank_ida.mo", 2, 2},
    {"tests/problems/structure/reissig.mo", 1, 2},
    {"tests/problems/structure/lubich.mo", 1, 1},
    {"tests/problems/structure/campbell_gear.mo", 1, 0},
    {"tests/problems/structure/substitution.mo", 2, 1},
    {"examples/robot_arm.mo", 5, 0},
};

std::string name_of(const testing::TestParamInfo<Known>& info) {
    return std::filesystem::path(info.param.path).stem().string();
}

// x₁' = f₁, x₂' = x₁ + …, …, 0 = x_{k-1}: Hessenberg form of size k has index k (HW (1.16)).
class Hessenberg : public testing::TestWithParam<int> {};

TEST_P(Hessenberg, OfRandomSystems) {
    const int index = GetParam();
    std::minstd_rand random(static_cast<unsigned>(index));
    std::uniform_real_distribution<double> number(0.5, 1.5);
    for (int trial = 0; trial < 5; ++trial) {
        std::string declarations, equations;
        // z, then the chain x1 … x_{index-1} down to the constraint; each with nonlinear terms of what is above it.
        for (int i = 0; i < index; ++i) declarations += "Real x" + std::to_string(i) + "(start=0.1); ";
        if (index == 1) {
            declarations += "Real w(start=0.3); ";
            equations = "der(w) = -" + std::to_string(number(random)) + "*w + sin(x0); " +
                        std::to_string(number(random)) + "*x0 + 0.1*x0^3 = w; ";
        } else {
            for (int i = 1; i < index; ++i) {
                equations += "der(x" + std::to_string(i) + ") = " + std::to_string(number(random)) + "*x" +
                             std::to_string(i - 1) + " + 0.1*x" + std::to_string(i - 1) + "^3";
                for (int j = i; j < index; ++j)
                    equations += " + " + std::to_string(0.2 * number(random)) + "*sin(x" + std::to_string(j) + ")";
                equations += "; ";
            }
            equations += "x" + std::to_string(index - 1) + " = 0.1*sin(time); ";
        }
        const Analysed a = index_of(model_of("model M " + declarations + "equation " + equations + "end M;"));
        ASSERT_TRUE(a.index.differentiation) << a.index.reason << equations;
        EXPECT_EQ(*a.index.differentiation, index) << equations;
        EXPECT_EQ(*a.index.strangeness, index - 1) << equations;
    }
}

INSTANTIATE_TEST_SUITE_P(Size, Hessenberg, testing::Range(1, 5));

// der(x) = 1, 0 = y (x − t) has no unique y: the array stays redundant or undetermined however long it is.
TEST(DerivativeArray, ASingularSystemHasNoIndex) {
    const Analysed a = index_of(model_of("model M Real x(start=0), y; equation der(x) + der(y) = 1; "
                                         "2*der(x) + 2*der(y) = 2; end M;"));
    EXPECT_FALSE(a.index.differentiation);
    EXPECT_FALSE(a.index.full_row_rank);
    EXPECT_GT(a.index.vanishing, 0) << a.index.reason;
}

INSTANTIATE_TEST_SUITE_P(Problems, KnownIndex, testing::ValuesIn(problems), name_of);

} // namespace
} // namespace daedalus::analysis
