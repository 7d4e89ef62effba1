// Methods that are their coefficients: observed orders of constant steps, by step halving, against the theorems, on
// problems of index 1, 2 and 3 as they are written, every component class apart (HLR 1989, tables 2.1–2.3; HW Table
// VII.4.1; W Thms 2.5–2.7, 3.4–3.6).
#include "conformance/order_problems.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/tableau/stage_form.hpp"

#include <gtest/gtest.h>

#include <numeric>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

using integrate::EndOfStep;

/// Largest errors of unknowns of index 1, 2, 3 in the last half of the interval.
template <class Problem>
std::array<double, 3> errors(const std::string& method, int steps, double end, EndOfStep variant) {
    const int n = static_cast<int>(Problem::index.size());
    problem::ImplicitProblem problem(
        make_system(Problem{}, n, std::vector<int>(Problem::index.begin(), Problem::index.end())));
    integrate::IntegrationOptions options = with_tolerance(1e-13);
    options.method.fixed_step = true;
    options.method.variant = variant;
    const integrate::Method* found = integrate::find_method(method);
    EXPECT_NE(found, nullptr) << method;
    const auto stepper = found->make(problem, options);
    const double h = end / steps;
    stepper->start(0.0, Problem::x(0.0), Problem::dx(0.0), h);
    std::array<double, 3> largest{};
    for (int step = 1; step <= steps; ++step) {
        const double t = step * h;
        if (!stepper->attempt(h, t).acceptable()) {
            ADD_FAILURE() << method << ": step " << step << " of " << steps;
            return largest;
        }
        stepper->accept();
        if (2 * step <= steps) continue;
        const std::vector<double> exact = Problem::x(t);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            double& worst = largest[static_cast<std::size_t>(Problem::index[i]) - 1];
            worst = std::max(worst, std::abs(stepper->x()[i] - exact[i]) / std::max(1.0, std::abs(exact[i])));
        }
    }
    return largest;
}

/// Round-off hides it.
constexpr double unseen = -1;

struct Case {
    const char* method;
    std::vector<double> order; ///< of unknowns of index 1, 2, 3
    int steps;                 ///< of the coarser run
    EndOfStep variant = EndOfStep::automatic;
};

template <class Problem>
void expect_orders(const std::vector<Case>& cases, double end, double slack = 0.25) {
    for (const Case& c : cases) {
        const auto coarse = errors<Problem>(c.method, c.steps, end, c.variant);
        const auto fine = errors<Problem>(c.method, 2 * c.steps, end, c.variant);
        for (std::size_t k = 0; k < c.order.size(); ++k) {
            if (c.order[k] == unseen) continue;
            EXPECT_NEAR(std::log2(coarse[k] / fine[k]), c.order[k], slack)
                << c.method << ", unknowns of index " << k + 1 << ": errors " << coarse[k] << ", " << fine[k];
        }
    }
}

TEST(CoefficientMethods, OrdersOnIndex1) {
    expect_orders<SemiExplicitIndex1>(
        {{"gauss-1", {2}, 64},     {"gauss-2", {4}, 16},     {"gauss-3", {6}, 8},      {"gauss-4", {8}, 4},
         {"radau1a-1", {1}, 256},  {"radau1a-2", {3}, 32},   {"radau1a-3", {5}, 8},    {"radau2a-2", {3}, 32},
         {"radau2a-4", {7}, 6},    {"lobatto3a-2", {2}, 64}, {"lobatto3a-3", {4}, 16}, {"lobatto3a-4", {6}, 8},
         {"lobatto3b-2", {2}, 64}, {"lobatto3b-3", {4}, 16}, {"lobatto3b-4", {6}, 8},  {"lobatto3c-2", {2}, 64},
         {"lobatto3c-3", {4}, 16}, {"lobatto3c-4", {6}, 8},  {"sdirk2", {2}, 64},      {"sdirk3", {3}, 32},
         {"sdirk4", {4}, 32},      {"crouzeix3", {3}, 64},   {"dirk2", {2}, 64},       {"rk4", {4}, 32},
         {"bdf1", {1}, 512},       {"bdf2", {2}, 256},       {"bdf3", {3}, 128},       {"bdf4", {4}, 64},
         {"bdf5", {5}, 48},        {"bdf6", {6}, 48},        {"am1", {2}, 64},         {"am2", {3}, 64},
         {"am3", {4}, 48},         {"am4", {5}, 32},         {"ab1", {1}, 512},        {"ab2", {2}, 256},
         {"ab3", {3}, 128},        {"ab4", {4}, 64},         {"da2", {2}, 128},        {"da3", {3}, 128},
         {"oneleg2", {2}, 128},    {"crouzeix4", {4}, 64}},
        1.0);
}

/// W Thm 3.2: without the constraint at the end, y has the order min(p, q + 1), or q where R(∞) = 1.
TEST(CoefficientMethods, OrdersOnIndex1Directly) {
    struct Direct {
        const char* method;
        double y;
        int steps;
    };
    for (const Direct& d : {Direct{"gauss-1", 2, 32},
                            {"gauss-2", 2, 32},
                            {"gauss-3", 4, 16},
                            {"radau1a-2", 2, 32},
                            {"radau1a-3", 3, 16},
                            {"crouzeix3", 2, 64},
                            {"crouzeix4", 2, 64}}) {
        // Only y: x, of higher order, hides behind it.
        const auto y_error = [&](int steps) {
            return errors<SemiExplicitIndex1>(d.method, steps, 1.0, EndOfStep::direct)[0];
        };
        EXPECT_NEAR(std::log2(y_error(d.steps) / y_error(2 * d.steps)), d.y, 0.25) << d.method;
    }
}

TEST(CoefficientMethods, OrdersOnIndex2) {
    expect_orders<HessenbergIndex2>({{"gauss-3", {4, 2}, 32},      {"gauss-4", {4, 2}, 32},
                                     {"gauss-5", {unseen, 4}, 10}, {"radau1a-2", {2, 1}, 64},
                                     {"radau1a-3", {3, 2}, 32},    {"radau2a-2", {3, 2}, 32},
                                     {"radau2a-3", {5, 3}, 12},    {"radau2a-4", {unseen, 4}, 8},
                                     {"lobatto3a-2", {2, 2}, 64},  {"lobatto3a-3", {4, 2}, 32},
                                     {"lobatto3a-4", {6, 4}, 8},   {"lobatto3c-2", {2, 1}, 128},
                                     {"lobatto3c-3", {4, 2}, 64},  {"lobatto3c-4", {unseen, 3}, 16},
                                     {"bdf1", {1, 1}, 512},        {"bdf2", {2, 2}, 256},
                                     {"bdf3", {3, 3}, 256},        {"bdf4", {4, 4}, 128},
                                     {"bdf5", {5, 5}, 48},         {"bdf6", {6, 6}, 32},
                                     {"da2", {2, 2}, 256},         {"da3", {3, 3}, 256}},
                                    0.5);
}

TEST(CoefficientMethods, OrdersOnIndex2Projected) {
    const auto projected = EndOfStep::projected;
    expect_orders<HessenbergIndex2>({{"gauss-1", {2, 2}, 64, projected},
                                     {"gauss-2", {4, 4}, 48, projected},
                                     {"gauss-3", {6, 6}, 20, projected},
                                     {"radau2a-2", {3, 3}, 32, projected},
                                     {"radau2a-3", {5, 5}, 16, projected}},
                                    0.5);
}

TEST(CoefficientMethods, OrdersOnIndex3) {
    expect_orders<HessenbergIndex3>({{"radau2a-2", {3, 2, 1}, 64},
                                     {"radau2a-3", {5, 3, 2}, 24},
                                     {"radau2a-4", {unseen, 4, 3}, 8},
                                     {"bdf1", {1, 1, 1}, 512},
                                     {"bdf2", {2, 2, 2}, 256},
                                     {"bdf3", {3, 3, 3}, 128},
                                     {"bdf4", {4, 4, 4}, 96}},
                                    1.0);
}

/// NC Thm 3.1, 4.1: from exact values implicit Euler gives the multiplier of the first step an error O(1), and BDF with
/// k steps O(h^(k-1)) in the first step by its formula (W Thm 2.7); numerically consistent ones leave O(h^k).
TEST(CoefficientMethods, NumericallyConsistentStarts) {
    using P = HessenbergIndex3;
    using integrate::StartUp;
    const auto first_multiplier = [](const std::string& method, int k, double h, StartUp start_up) {
        problem::ImplicitProblem problem(make_system(P{}, 5, std::vector<int>(P::index.begin(), P::index.end())));
        for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(problem.unknowns()[i].index, P::index[i]);
        integrate::IntegrationOptions options = with_tolerance(1e-12);
        options.method.fixed_step = true;
        options.method.start_up = start_up;
        const auto stepper = integrate::find_method(method)->make(problem, options);
        stepper->start(0.0, P::x(0.0), P::dx(0.0), h);
        for (int step = 1; step <= k; ++step) {
            EXPECT_TRUE(stepper->attempt(h, step * h).acceptable());
            stepper->accept();
        }
        return std::abs(stepper->x()[4] - P::x(k * h)[4]);
    };
    for (const auto& [method, k, h] : {std::tuple{"bdf1", 1, 0.01}, {"bdf2", 2, 0.01}, {"bdf3", 3, 0.02}}) {
        const auto order = [&, method = method, k = k, h = h](StartUp start_up) {
            return std::log2(first_multiplier(method, k, h, start_up) / first_multiplier(method, k, h / 2, start_up));
        };
        EXPECT_NEAR(order(StartUp::exact), k - 1, 0.25) << method;
        EXPECT_NEAR(order(StartUp::numerical), k, 0.3) << method;
    }
    const double before = first_multiplier("bdf1", 1, 0.001, StartUp::exact);
    EXPECT_GT(before, 0.1);
    for (const StartUp start_up : {StartUp::numerical, StartUp::corrected}) {
        const double coarse = first_multiplier("bdf1", 1, 0.002, start_up);
        const double fine = first_multiplier("bdf1", 1, 0.001, start_up);
        EXPECT_LT(fine, 0.02 * before) << static_cast<int>(start_up);
        EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.2) << static_cast<int>(start_up);
    }
}

/// Two implementations of one tableau make the same steps.
TEST(CoefficientMethods, RadauIIAIsRadau5) {
    for (const auto& [general, own] :
         {std::pair{"radau2a-1", "radau1"}, {"radau2a-3", "radau5"}, {"radau2a-5", "radau9"}}) {
        problem::ImplicitProblem problem(make_system(HessenbergIndex2{}, 3, {1, 1, 2}));
        integrate::IntegrationOptions options = with_tolerance(1e-12);
        options.method.fixed_step = true;
        options.method.max_newton_iterations = 50;
        const auto a = integrate::find_method(general)->make(problem, options);
        const auto b = integrate::find_method(own)->make(problem, options);
        for (const auto* stepper : {&a, &b})
            (*stepper)->start(0.0, HessenbergIndex2::x(0.0), HessenbergIndex2::dx(0.0), 0.005);
        for (int step = 1; step <= 20; ++step) {
            for (const auto* stepper : {&a, &b}) {
                ASSERT_TRUE((*stepper)->attempt(0.005, 0.005 * step).acceptable()) << general << " " << step;
                (*stepper)->accept();
            }
            for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a->x()[k], b->x()[k], 1e-11) << general << " " << step;
        }
    }
}

/// The limits written for the families follow from what the theorems ask of tableaus.
TEST(CoefficientMethods, IndexLimitsFollowFromTheTheorems) {
    using tableau::Family;
    for (const Family family : {Family::gauss, Family::radau_ia, Family::radau_iia, Family::lobatto_iiic})
        for (int s = family == Family::lobatto_iiic ? 2 : 1; s <= 5; ++s) {
            const tableau::ButcherProperties p = tableau::properties(tableau::make_family(family, s));
            const double R = static_cast<double>(*p.R_infinity);
            const int multipliers = std::abs(R) < 1 - 1e-9 ? p.C : R < 0 ? p.C - 1 : p.C - 2;
            int limit = multipliers >= 1 ? 2 : 1;
            if (std::abs(R) < 1 - 1e-9 && p.C >= 2 && p.B >= p.C + 1) limit = 3;
            EXPECT_EQ(integrate::index_limit_of(family, s), limit) << static_cast<int>(family) << " " << s;
        }
    for (const tableau::ButcherTableau& t : tableau::diagonally_implicit_tableaus()) {
        const tableau::ButcherProperties p = tableau::properties(t);
        EXPECT_EQ(p.C, 1) << t.id;
        EXPECT_LT(std::abs(static_cast<double>(*p.R_infinity)), 1.0) << t.id;
    }
}

/// T^{-1} W T is as the units say, and e = b^T W.
TEST(StageForm, Decouples) {
    using tableau::Family;
    for (const Family family : {Family::gauss, Family::radau_ia, Family::radau_iia, Family::lobatto_iiia,
                                Family::lobatto_iiib, Family::lobatto_iiic})
        for (int s = 2; s <= 8; ++s) {
            const tableau::StageForm form = tableau::make_stage_form(tableau::make_family(family, s));
            const int m = form.solved;
            std::vector<double> expected(static_cast<std::size_t>(m * m)), found = expected;
            const auto at = [m](int i, int j) { return static_cast<std::size_t>(i * m + j); };
            for (const auto& unit : form.units) {
                expected[at(unit.row, unit.row)] = unit.alpha;
                if (unit.beta == 0.0) continue;
                expected[at(unit.row + 1, unit.row + 1)] = unit.alpha;
                expected[at(unit.row, unit.row + 1)] = unit.beta;
                expected[at(unit.row + 1, unit.row)] = -unit.beta;
            }
            double size = 0.0, difference = 0.0;
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < m; ++j) {
                    for (int k = 0; k < m; ++k)
                        for (int l = 0; l < m; ++l)
                            found[at(i, j)] += form.T_inverse[at(i, k)] * form.W[at(k, l)] * form.T[at(l, j)];
                    size = std::max(size, std::abs(expected[at(i, j)]));
                    difference = std::max(difference, std::abs(found[at(i, j)] - expected[at(i, j)]));
                }
            EXPECT_LT(difference, 1e-9 * size) << static_cast<int>(family) << " " << s;
        }
}

} // namespace
