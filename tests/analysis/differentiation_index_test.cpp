// Differentiation and strangeness index of every test problem, against what its source states.
#include "arrays.hpp"

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
    for (const ArrayRanks& r : a.index.by_order)
        printf("k=%d M %dx%d rank %d kept %.2g drop %.2g decided %d | a %d red %d d %d kept %.2g drop %.2g | tan rank %d kept %.2g drop %.2g leak %.2g free %d const %d\n", r.order, r.derivatives.rows, r.derivatives.cols, r.derivatives.rank, r.derivatives.kept, r.derivatives.dropped, r.decided, r.constraints, r.redundant, r.dynamics, r.all.kept, r.all.dropped, r.tangent.rank, r.tangent.kept, r.tangent.dropped, r.leak, r.strangeness_free, a.index.constant_rank);
    for (auto& w : a.index.warnings) printf("%s\n", w.c_str());
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
    {"examples/robot_arm.mo", 5, 0},
};

std::string name_of(const testing::TestParamInfo<Known>& info) {
    return std::filesystem::path(info.param.path).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Problems, KnownIndex, testing::ValuesIn(problems), name_of);

} // namespace
} // namespace daedalus::analysis
