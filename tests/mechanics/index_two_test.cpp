// Half-explicit methods on systems of index 2 that are no mechanisms: exact solutions, observed orders, tolerances.
#include "facade/solving.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Exact {
    std::string model;
    std::vector<std::pair<std::string, std::function<double(double)>>> solution; ///< multipliers last
    double until;
};

/// Hairer, Lubich & Roche (1989): f is not linear in z.
const Exact powers{"model Powers Real y1(start = 1, fixed = true), y2(start = 1), z(start = 1); equation "
                   "der(y1) = y1*y2^2*z^2; der(y2) = y1^2*y2^2 - 3*y2^2*z; y1^2*y2 = 1; end Powers;",
                   {{"y1", [](double t) { return std::exp(t); }},
                    {"y2", [](double t) { return std::exp(-2 * t); }},
                    {"z", [](double t) { return std::exp(2 * t); }}},
                   1.0};

double angle(double t) { return 1 - std::exp(-t); }
double radius(double t) { return 1 + 0.5 * std::sin(t); }

/// On a circle that breathes; what is not linear in z vanishes on the solution, and nothing else about it is simple.
const Exact circle{
    "model Circle Real y1(start = 1), y2(start = 0, fixed = true), w(start = 1, fixed = true), z, r, s, k; "
    "equation r = 1 + 0.5*sin(time); s = z*(1 + 0.2*y2); k = s - 0.5*cos(time)/r; "
    "der(y1) = -y2*w + s*y1; der(y2) = y1*w + s*y2; der(w) = -w + k + k^3; "
    "y1^2 + y2^2 = r^2; end Circle;",
    {{"y1", [](double t) { return radius(t) * std::cos(angle(t)); }},
     {"y2", [](double t) { return radius(t) * std::sin(angle(t)); }},
     {"w", [](double t) { return std::exp(-t); }},
     {"z", [](double t) { return 0.5 * std::cos(t) / radius(t) / (1 + 0.2 * radius(t) * std::sin(angle(t))); }}},
    4.0};

/// Implicit unknowns of index 1 in the constraint (c) and beside it (d), and a derivative that is not alone in its row.
const Exact mixed{"model Mixed Real a(start = 0.5), b(start = 1, fixed = true), c(start = 0.4), d(start = 0.3), "
                  "g(start = 0.3), z; "
                  "equation der(a) + 0.3*der(b) = cos(time) - 0.3*sin(time) + z - sin(2*time); "
                  "der(b) = -sin(time) + (1 + c^2)*(z - sin(2*time)); c + 0.2*sin(c) = a - 0.1; "
                  "c + b = cos(time) + g; g + 0.2*sin(g) = sin(time) + 0.4; d + 0.1*exp(d) = z; end Mixed;",
                  {{"a", [](double t) { return 0.5 + std::sin(t); }},
                   {"b", [](double t) { return std::cos(t); }},
                   {"z", [](double t) { return std::sin(2 * t); }}},
                  4.0};

double error_at_end(const Solution& s, const Exact& e, std::size_t from, std::size_t to) {
    double worst = 0;
    for (std::size_t k = from; k < to; ++k)
        worst = std::max(worst, std::abs(s.final(e.solution[k].first) - e.solution[k].second(e.until)));
    return worst;
}

double largest_error(const Solution& s, const Exact& e) {
    double worst = 0;
    for (const auto& [name, exact] : e.solution)
        for (std::size_t i = 0; i < s.time().size(); ++i)
            worst = std::max(worst,
                             std::abs(s[name][i] - exact(s.time()[i])) / std::max(1.0, std::abs(exact(s.time()[i]))));
    return worst;
}

} // namespace

TEST(HalfExplicitIndexTwo, HasItsOrderInAllUnknowns) {
    const std::tuple<const char*, int, double> methods[] = {
        {"half-explicit-euler", 1, 0.01}, {"hem4", 4, 0.05}, {"hem5", 5, 0.1}};
    for (const Exact* e : {&circle, &mixed})
        for (const auto& [method, order, h] : methods) {
            double y[2], z[2];
            for (const int k : {0, 1}) {
                const Solution s =
                    solved(e->model, {.until = e->until, .method = method, .points = 0, .fixed_step = h / (1 + k)});
                y[k] = error_at_end(s, *e, 0, e->solution.size() - 1);
                z[k] = error_at_end(s, *e, e->solution.size() - 1, e->solution.size());
            }
            EXPECT_NEAR(std::log2(y[0] / y[1]), order, 0.35) << method << ' ' << y[1];
            EXPECT_NEAR(std::log2(z[0] / z[1]), order, 0.35) << method << ' ' << z[1];
        }
}

TEST(HalfExplicitIndexTwo, FollowsTheToleranceAtEveryPoint) {
    for (const Exact* e : {&powers, &circle, &mixed})
        for (const char* method : {"hem4", "hem5"})
            for (const double rtol : {1e-5, 1e-7, 1e-9}) {
                const Solution s = solved(e->model, {.until = e->until, .method = method, .rtol = rtol, .atol = rtol});
                EXPECT_LT(largest_error(s, *e), 30 * rtol) << method << ' ' << rtol;
                for (const ResidualSummary& r : s.residuals())
                    if (r.equation.find("y1^2") != std::string::npos)
                        EXPECT_LT(r.at_steps, 1e-13) << r.equation; // the constraint, to round-off
            }
}

// Index 3 that is no mechanism is differentiated once, and drifts there as mechanisms do.
TEST(HalfExplicitIndexTwo, TakesIndexThreeInItsIndexTwoForm) {
    const std::string model =
        "model Chain Real x(start = 0), u(start = 1), v(start = 0), z; equation der(x) = u + 0.1*x*u; "
        "der(u) = v + sin(x); der(v) = z + z^3 - v; x = sin(time); end Chain;";
    const Solution exact = solved(model, {.until = 3, .method = "radau", .rtol = 1e-11, .points = 50});
    const Solution s = solved(model, {.until = 3, .method = "hem5", .rtol = 1e-9, .atol = 1e-9, .points = 50});
    for (const char* name : {"x", "u", "v", "z"})
        for (std::size_t i = 0; i < s.time().size(); ++i) EXPECT_NEAR(s[name][i], exact[name][i], 1e-7) << name;
}

// The constraint changes its direction at an event.
TEST(HalfExplicitIndexTwo, GoesOnBehindEvents) {
    const std::string model = "model Switch Real x(start = 0.5), y(start = 0, fixed = true), z; Real s; equation "
                              "s = if y > 0.5 then 2 else 1; der(x) = -s*y + z + 0.1*z^3; der(y) = x - 0.3*y + 0.2*z; "
                              "x + 0.3*y^2 = 0.5 + 0.3*sin(time); end Switch;";
    const Solution exact = solved(model, {.until = 3, .method = "radau", .rtol = 1e-11, .points = 50});
    for (const char* method : {"hem4", "hem5"}) {
        const Solution s = solved(model, {.until = 3, .method = method, .rtol = 1e-8, .atol = 1e-8, .points = 50});
        EXPECT_GE(exact.events().size(), 1U);
        EXPECT_EQ(s.events().size(), exact.events().size());
        for (const char* name : {"x", "y"}) EXPECT_NEAR(s.final(name), exact.final(name), 1e-6) << method << name;
    }
}

// A constraint may be solved before the run: nothing is left of index 2.
TEST(HalfExplicitIndexTwo, SolvesWhatHasNoConstraintLeft) {
    const std::string model = "model Known Real x(start = 0.2), y(start = 0, fixed = true), z; equation "
                              "der(x) = -y + z; der(y) = -x + 0.1*z^2 - y; x = 0.2 + 0.3*sin(time); end Known;";
    const Solution exact = solved(model, {.until = 3, .method = "radau", .rtol = 1e-11, .points = 50});
    const Solution s = solved(model, {.until = 3, .method = "hem5", .rtol = 1e-8, .atol = 1e-8, .points = 50});
    for (const char* name : {"x", "y", "z"})
        for (std::size_t i = 0; i < s.time().size(); ++i) EXPECT_NEAR(s[name][i], exact[name][i], 3e-7) << name;
}

TEST(HalfExplicitIndexTwo, PartitionedMethodsSayWhatTheyNeed) {
    const auto s = solve(*Model::from_string(powers.model), {.until = 1, .method = "phem56"});
    ASSERT_FALSE(s);
    EXPECT_THAT(render(s.error()), ::testing::HasSubstr("needs equations of motion"));
    const auto projected =
        solve(*Model::from_string(powers.model), {.until = 1, .method = "hem5", .reduction = Reduction::projection});
    ASSERT_FALSE(projected);
    EXPECT_THAT(render(projected.error()), ::testing::HasSubstr("without --reduce the method takes"));
}
