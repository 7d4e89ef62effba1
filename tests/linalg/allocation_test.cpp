// After the first factorisation, factor() and solve() take no memory.
#include "linalg/linear_solver.hpp"
#include "tape/program.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

// Not inlined: GCC 12 would see free() on memory from operator new and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace daedalus;
using namespace daedalus::linalg;

template <class Scalar>
class AllocationTest : public ::testing::Test {};
using AllocationScalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(AllocationTest, AllocationScalars);

TYPED_TEST(AllocationTest, NoneAfterTheFirstFactorisation) {
    const int n = 60;
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j)
        for (int i : {j, (j + 1) % n, (j + 7) % n}) entries.emplace_back(i, j);
    const auto p = SparsityPattern::from_entries(n, n, entries);
    for (SolverKind kind : {SolverKind::dense, SolverKind::straight_line, SolverKind::klu}) {
        const auto solver = make_linear_solver<TypeParam>(p, kind);
        std::vector<TypeParam> a(p.row_index.size()), b(static_cast<std::size_t>(n), TypeParam(1.0));
        for (std::size_t k = 0; k < a.size(); ++k) a[k] = TypeParam(1.0 + 0.37 * static_cast<double>(k % 5));
        for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(p.find(j, j))] = TypeParam(8.0);
        ASSERT_EQ(solver->factor(a), FactorStatus::ok);
        const long before = allocations;
        for (int repeat = 0; repeat < 3; ++repeat) {
            for (TypeParam& v : a) v *= 1.25;
            const FactorStatus status = solver->factor(a);
            solver->solve(b);
            solver->solve_transposed(b);
            const double rcond = solver->reciprocal_condition();
            EXPECT_TRUE(status == FactorStatus::ok && rcond > 0.0);
        }
        EXPECT_EQ(allocations - before, 0) << solver->name();
    }
}

// The automatic choice takes memory once more, when it changes to a program: after that, none.
TYPED_TEST(AllocationTest, NoneAfterTheAutomaticChange) {
    const int n = 60;
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j)
        for (int i : {j, (j + 1) % n, (j + 7) % n}) entries.emplace_back(i, j);
    const auto p = SparsityPattern::from_entries(n, n, entries);
    const auto solver = make_linear_solver<TypeParam>(p);
    std::vector<TypeParam> a(p.row_index.size(), TypeParam(1.0)), b(static_cast<std::size_t>(n), TypeParam(1.0));
    for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(p.find(j, j))] = TypeParam(8.0);
    FactorStatus status = FactorStatus::ok;
    for (int k = 0; k < 5000 && solver->name() != "straight-line"; ++k) status = solver->factor(a);
    ASSERT_EQ(solver->name(), "straight-line");
    status = solver->factor(a);
    const long before = allocations;
    for (int repeat = 0; repeat < 3; ++repeat) {
        status = solver->factor(a);
        solver->solve(b);
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(status, FactorStatus::ok);
}

// Nor in dense pieces.
TEST(Allocation, NoneAfterTheFirstFactorisationInPieces) {
    const int N = 60, n = N * N;
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j)
        for (const int i : {j - N, j - 1, j, j + 1, j + N})
            if (i >= 0 && i < n) entries.emplace_back(i, j);
    const auto p = SparsityPattern::from_entries(n, n, entries);
    const auto solver = make_linear_solver<double>(p);
    std::vector<double> a(p.row_index.size(), 1.0), b(static_cast<std::size_t>(n), 1.0);
    for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(p.find(j, j))] = 8.0;
    ASSERT_EQ(solver->factor(a), FactorStatus::ok);
    EXPECT_NE(solver->description().find("dense pieces"), std::string::npos) << solver->description();
    const long before = allocations;
    for (double& v : a) v *= 1.25;
    const FactorStatus status = solver->factor(a);
    solver->solve(b);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_EQ(status, FactorStatus::ok);
}
