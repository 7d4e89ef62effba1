// Kernel rows and links as one system: pattern, residual and Jacobian, whatever the links are.
#include "problem/implicit_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace daedalus;
using namespace daedalus::problem;

namespace {

/// F_i = Σ a_ij x_j² + Σ b_ij x'_j on a random pattern: ∂F/∂x varies, ∂F/∂x' is constant but for some entries, where
/// b x'² stands instead.
struct Polynomial {
    SparsityPattern pattern;
    std::vector<double> a, b;
    std::vector<char> squared;
    std::vector<int> varying;

    Polynomial(int rows, int n, std::mt19937& rng) {
        std::vector<std::pair<int, int>> entries;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < n; ++j)
                if (rng() % 3 == 0) entries.emplace_back(i, j);
        pattern = SparsityPattern::from_entries(rows, n, entries);
        const std::size_t nnz = pattern.row_index.size();
        for (std::size_t k = 0; k < nnz; ++k) {
            a.push_back(rng() % 4 == 0 ? 0.0 : 1.0 + static_cast<double>(rng() % 8));
            b.push_back(1.0 + static_cast<double>(rng() % 8));
            squared.push_back(rng() % 3 == 0);
        }
        for (std::size_t k = 0; k < nnz; ++k)
            if (a[k] != 0.0) varying.push_back(static_cast<int>(k));
        for (std::size_t k = 0; k < nnz; ++k)
            if (squared[k] != 0) varying.push_back(static_cast<int>(nnz + k));
    }
    template <class Visit>
    void each(Visit&& visit) const {
        for (int j = 0; j < pattern.cols; ++j)
            for (int k = pattern.column_start[static_cast<std::size_t>(j)];
                 k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k)
                visit(static_cast<std::size_t>(k), pattern.row_index[static_cast<std::size_t>(k)], j);
    }
    double by_x(std::size_t k, double x) const { return 2.0 * a[k] * x; }
    double by_dx(std::size_t k, double dx) const { return squared[k] != 0 ? 2.0 * b[k] * dx : b[k]; }
};

EvalStatus residual(const Call& call, double, const double* x, const double* dx, double* r) {
    const auto& p = call.as<Polynomial>();
    std::fill_n(r, p.pattern.rows, 0.0);
    p.each([&](std::size_t k, int i, int j) {
        r[i] += p.a[k] * x[j] * x[j] + p.b[k] * (p.squared[k] != 0 ? dx[j] * dx[j] : dx[j]);
    });
    return EvalStatus::ok;
}

EvalStatus jacobian(const Call& call, double, const double* x, const double* dx, double* jx, double* jdx) {
    const auto& p = call.as<Polynomial>();
    p.each([&](std::size_t k, int, int j) {
        jx[k] = p.by_x(k, x[j]);
        jdx[k] = p.by_dx(k, dx[j]);
    });
    return EvalStatus::ok;
}

EvalStatus linearize(const Call& call, double t, const double* x, const double* dx, double* r_entries) {
    const auto& p = call.as<Polynomial>();
    std::vector<double> jx(p.a.size()), jdx(p.a.size());
    (void)jacobian(call, t, x, dx, jx.data(), jdx.data());
    jx.insert(jx.end(), jdx.begin(), jdx.end());
    double* to = r_entries + p.pattern.rows;
    for (const int k : p.varying) *to++ = jx[static_cast<std::size_t>(k)];
    return residual(call, t, x, dx, r_entries);
}

} // namespace

TEST(ImplicitProblem, LinksBelowTheKernelsRows) {
    std::mt19937 rng(4);
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 1 + static_cast<int>(rng() % 12), links = static_cast<int>(rng() % static_cast<unsigned>(n));
        const int rows = n - links;
        Polynomial kernel(rows, n, rng);
        const auto random_links = [&] {
            std::vector<int> order(static_cast<std::size_t>(n));
            for (int j = 0; j < n; ++j) order[static_cast<std::size_t>(j)] = j;
            std::shuffle(order.begin(), order.end(), rng);
            std::vector<Link> chosen;
            for (std::size_t k = 0; k < static_cast<std::size_t>(links); ++k)
                chosen.push_back({order[k], order[k + 1]});
            return chosen;
        };
        System system;
        system.code = std::shared_ptr<const void>(std::shared_ptr<void>(), &kernel);
        system.kernels = {
            .residual = residual, .jacobian = jacobian, .linearize = linearize, .varying = kernel.varying};
        system.pattern = kernel.pattern;
        system.links = random_links();
        system.unknowns.resize(static_cast<std::size_t>(n));
        ImplicitProblem p(std::move(system));
        for (int choice = 0; choice < 3; ++choice) {
            if (choice > 0) p.set_links(random_links());
            std::vector<std::pair<int, int>> entries;
            kernel.each([&](std::size_t, int i, int j) { entries.emplace_back(i, j); });
            for (std::size_t k = 0; k < p.links().size(); ++k) {
                entries.emplace_back(rows + static_cast<int>(k), p.links()[k].state);
                entries.emplace_back(rows + static_cast<int>(k), p.links()[k].derivative);
            }
            ASSERT_EQ(p.pattern(), SparsityPattern::from_entries(n, n, entries));

            std::vector<double> x(static_cast<std::size_t>(n)), dx(x), r(x), again(x);
            const auto nonzeros = static_cast<std::size_t>(p.pattern().nonzeros());
            std::vector<double> jx(nonzeros), jdx(nonzeros), expected_x(nonzeros, 0.0), expected_dx(nonzeros, 0.0);
            const auto draw = [&] {
                for (double& v : x) v = u(rng);
                for (double& v : dx) v = u(rng);
            };
            draw();
            ASSERT_EQ(p.jacobian(0.0, x.data(), dx.data(), jx.data(), jdx.data()), EvalStatus::ok);
            draw(); // constant entries are in their places now
            ASSERT_EQ(p.linearize(0.0, x.data(), dx.data(), r.data(), jx.data(), jdx.data()), EvalStatus::ok);
            kernel.each([&](std::size_t k, int i, int j) {
                const auto at = static_cast<std::size_t>(p.pattern().find(i, j));
                expected_x[at] = kernel.by_x(k, x[static_cast<std::size_t>(j)]);
                expected_dx[at] = kernel.by_dx(k, dx[static_cast<std::size_t>(j)]);
            });
            for (std::size_t k = 0; k < p.links().size(); ++k) {
                const int row = rows + static_cast<int>(k);
                expected_dx[static_cast<std::size_t>(p.pattern().find(row, p.links()[k].state))] = 1.0;
                expected_x[static_cast<std::size_t>(p.pattern().find(row, p.links()[k].derivative))] = -1.0;
            }
            EXPECT_EQ(jx, expected_x);
            EXPECT_EQ(jdx, expected_dx);
            ASSERT_EQ(p.residual(0.0, x.data(), dx.data(), again.data()), EvalStatus::ok);
            EXPECT_EQ(r, again);
            for (std::size_t k = 0; k < p.links().size(); ++k)
                EXPECT_EQ(r[static_cast<std::size_t>(rows) + k],
                          dx[static_cast<std::size_t>(p.links()[k].state)] -
                              x[static_cast<std::size_t>(p.links()[k].derivative)]);
        }
    }
}
