// Random problems with known solutions: the ratio of error to tolerance, over index, stiffness, tolerance and method.
//
// With s(t), r(t) chosen and e = x - s, d = z - r:
//     index 1   x' = s' + A e + c e∘e + B d ,                      0 = D d + C e + 0.1 d∘d∘d
//     index 2   x' = s' + A e + B d ,                              0 = C e + 0.1 e∘e ,   C B regular
//     index 3   q' = v ,  v' = s'' + A e - (v - s') + Cᵀ d ,       0 = C e + 0.1 e∘e
// so that x = s and z = r solve them whatever A, B, C, D are. Set DAEDALUS_ROBUSTNESS=1000 for the full study.
#include <daedalus/daedalus.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>

using namespace daedalus;

namespace {

struct Wave {
    double mean, size, rate, phase;
    [[nodiscard]] double at(double t) const { return mean + size * std::sin(rate * t + phase); }
    [[nodiscard]] std::string text(int derivatives = 0) const {
        static constexpr const char* of[] = {"({0} + {1}*sin({2}*time + {3}))", "({1}*{2}*cos({2}*time + {3}))",
                                             "(-{1}*{2}*{2}*sin({2}*time + {3}))"};
        return fmt::format(fmt::runtime(of[derivatives]), mean, size, rate, phase);
    }
};

struct RandomProblem {
    std::string model;
    std::vector<Wave> x, z;
    int index = 1;
    double stiffness = 1;
};

class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    RandomProblem make() {
        RandomProblem p;
        p.index = 1 + static_cast<int>(random_() % 3);
        const int n = 1 + static_cast<int>(random_() % 4);
        const int m = 1 + static_cast<int>(random_() % static_cast<unsigned>(n));
        p.stiffness = random_() % 2 == 0 ? 1.0 : std::pow(10.0, between(1, 6));
        for (int i = 0; i < n; ++i) p.x.push_back(wave());
        for (int i = 0; i < m; ++i) p.z.push_back(wave());
        const auto e = [&](int i) { return fmt::format("(x{} - {})", i, p.x[static_cast<std::size_t>(i)].text()); };
        const auto d = [&](int i) { return fmt::format("(z{} - {})", i, p.z[static_cast<std::size_t>(i)].text()); };
        std::string declared, equations;
        for (int i = 0; i < n; ++i) {
            const Wave& w = p.x[static_cast<std::size_t>(i)];
            declared += fmt::format("  Real x{}(start = {});\n", i, w.at(0));
            if (p.index == 3)
                declared += fmt::format("  Real v{}(start = {});\n", i, w.size * w.rate * std::cos(w.phase));
        }
        for (int i = 0; i < m; ++i)
            declared += fmt::format("  Real z{}(start = {});\n", i, p.z[static_cast<std::size_t>(i)].at(0));
        // Rows of C and columns of B near the same unit vectors: C B and D are regular.
        std::vector<std::vector<double>> C(static_cast<std::size_t>(m),
                                           std::vector<double>(static_cast<std::size_t>(n)));
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                C[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
                    (i == j ? 1.0 : 0.0) + between(-0.15, 0.15);
        for (int i = 0; i < n; ++i) {
            const Wave& w = p.x[static_cast<std::size_t>(i)];
            // Diagonally dominant and stable; stiff in some directions only where no projection mixes them with others.
            const double lambda =
                (p.index > 1 ? 1.0 : between(0.5, 2.0)) * (p.index > 1 || i % 2 == 0 ? p.stiffness : 1.0);
            std::string right = w.text(p.index == 3 ? 2 : 1);
            for (int j = 0; j < n; ++j)
                right += fmt::format(" + ({})*{}",
                                     i == j ? -lambda : lambda * between(-0.2, 0.2) * (p.index > 1 ? 0.5 : 1.0), e(j));
            if (p.index == 1) right += fmt::format(" + ({})*{}^2", between(-0.3, 0.3), e(i));
            for (int j = 0; j < m; ++j)
                right += fmt::format(" + ({})*{}",
                                     p.index == 3 ? C[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]
                                                  : (i == j ? 1.0 : 0.0) + between(-0.15, 0.15),
                                     d(j));
            if (p.index == 3) {
                equations += fmt::format("  der(x{}) = v{};\n", i, i);
                equations +=
                    fmt::format("  der(v{}) = {} - ({})*(v{} - {});\n", i, right, 2 * std::sqrt(lambda), i, w.text(1));
            } else {
                equations += fmt::format("  der(x{}) = {};\n", i, right);
            }
        }
        for (int i = 0; i < m; ++i) {
            std::string left;
            for (int j = 0; j < n; ++j)
                left += fmt::format("{}({})*{}", j == 0 ? "" : " + ",
                                    C[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], e(j));
            if (p.index == 1)
                left += fmt::format(" + ({})*{} + 0.1*{}^3", between(1, 3), d(i), d(i));
            else
                left += fmt::format(" + 0.1*{}^2", e(i));
            equations += fmt::format("  {} = 0;\n", left);
        }
        p.model = "model Random\n" + declared + "equation\n" + equations + "end Random;\n";
        return p;
    }
    double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
    unsigned next() { return static_cast<unsigned>(random_()); }

private:
    Wave wave() { return {between(-1, 1), between(0.5, 2), between(0.5, 3), between(0, 6)}; }
    std::mt19937 random_;
};

TEST(Robustness, ErrorsOfRandomProblemsStayNearTheTolerance) {
    const char* wanted = std::getenv("DAEDALUS_ROBUSTNESS");
    const int problems = wanted != nullptr ? std::atoi(wanted) : 60;
    std::map<std::string, std::vector<double>> ratios;
    std::vector<std::string> failures, bad;
    int count = 0, judged = 0, within = 0;
    for (int k = 0; k < problems; ++k) {
        Generator generator(1000U + static_cast<unsigned>(k));
        const RandomProblem p = generator.make();
        const double tol = std::pow(10.0, generator.between(-11, -3));
        auto model = Model::from_string(p.model);
        ASSERT_TRUE(model) << render(model.error()) << p.model;
        for (const char* method : {"radau", "bdf"}) {
            const auto s = solve(*model, {.until = 5, .method = method, .rtol = tol, .atol = tol, .points = 50});
            const std::string what = fmt::format("problem {} ({}, index {}, stiffness {:.1e}, tol {:.1e})", k, method,
                                                 p.index, p.stiffness, tol);
            ++count;
            if (!s || !s->success()) {
                failures.push_back(what + ": " + (s ? s->message() : render(s.error())));
                continue;
            }
            double ratio = 0;
            const auto compare = [&](const char* name, const std::vector<Wave>& waves, double allowance) {
                for (std::size_t i = 0; i < waves.size(); ++i) {
                    const auto values = (*s)[fmt::format("{}{}", name, i)];
                    for (std::size_t j = 0; j < values.size(); ++j) {
                        const double exact = waves[i].at(s->time()[j]);
                        ratio =
                            std::max(ratio, std::abs(values[j] - exact) / (tol * (1 + std::abs(exact)) * allowance));
                    }
                }
            };
            compare("x", p.x, 1.0);
            // Multipliers of forces that stiffness amplifies are known to that much less.
            compare("z", p.z, p.index == 1 ? std::max(1.0, 1.0) : 10.0 * std::max(1.0, p.stiffness));
            ratios[fmt::format("{:5} index {}", method, p.index)].push_back(ratio);
            ++judged;
            within += ratio <= 10;
            if (ratio > 10) bad.push_back(fmt::format("{}: {:.3g}", what, ratio));
        }
    }
    fmt::print("error / tolerance        runs   median      90 %      99 %   largest\n");
    for (auto& [name, list] : ratios) {
        std::sort(list.begin(), list.end());
        const auto part = [&](double q) {
            return list[static_cast<std::size_t>(q * static_cast<double>(list.size() - 1))];
        };
        fmt::print("{:22} {:6} {:8.2g}  {:8.2g}  {:8.2g}  {:8.2g}\n", name, list.size(), part(0.5), part(0.9),
                   part(0.99), list.back());
    }
    for (const std::string& line : bad) fmt::print("beyond 10: {}\n", line);
    for (const std::string& line : failures) fmt::print("failed: {}\n", line);
    // Each failure says so; stiff multipliers near round-off may end in one.
    EXPECT_LE(static_cast<double>(failures.size()), 0.01 * count);
    EXPECT_GE(within, static_cast<int>(0.99 * judged));
}

Solution solved(const std::string& text, const SolveOptions& options) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    auto solution = solve(*model, options);
    EXPECT_TRUE(solution) << (solution ? "" : render(solution.error()));
    return *std::move(solution);
}

class Extremes : public ::testing::TestWithParam<const char*> {};

TEST_P(Extremes, VeryStiff) {
    const Solution s = solved("model S Real x(start = 2, fixed = true); equation der(x) = -1e12*(x - cos(time)) - "
                              "sin(time); end S;",
                              {.until = 3, .method = GetParam(), .rtol = 1e-7, .atol = 1e-7});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("x"), std::cos(3.0), 1e-6);
}

TEST_P(Extremes, VeryShortAndVeryLong) {
    const std::string text = "model S parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; "
                             "end S;";
    for (const double span : {1e-12, 1e-3, 1e11}) {
        const Solution s = solved(
            text, {.until = span, .method = GetParam(), .rtol = 1e-8, .atol = 1e-10, .parameters = {{"k", 1 / span}}});
        ASSERT_TRUE(s.success()) << span << s.message();
        EXPECT_NEAR(s.final("x"), std::exp(-1.0), 1e-7) << span;
    }
    const Solution decayed = solved(text, {.until = 1e11, .method = GetParam(), .rtol = 1e-6, .atol = 1e-9});
    ASSERT_TRUE(decayed.success()) << decayed.message();
    EXPECT_NEAR(decayed.final("x"), 0.0, 1e-8);
}

// sqrt is asked for beyond its domain by steps that overshoot, never by the solution.
TEST_P(Extremes, UndefinedRegionsAreSteppedAround) {
    const Solution s = solved("model N Real x(start = 1, fixed = true); equation der(x) = -2*sqrt(x) + 1e-3; end N;",
                              {.until = 20, .method = GetParam(), .rtol = 1e-5, .atol = 1e-9});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("x"), 2.5e-7, 1e-8);
}

// Residuals with errors of 1e-8, different at every point but reproducible.
TEST_P(Extremes, NoisyResiduals) {
    BlackBox box;
    const auto noise = [](double value) { return 1e-8 * std::sin(1e9 * value); };
    box.residual = [noise](double t, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        r[0] = dx[0] + 50 * (x[0] - std::cos(t)) * (1 + noise(x[0])) + std::sin(t);
        r[1] = x[1] * (1 + noise(x[1])) - x[0] * x[0];
    };
    box.pattern = {{0, 0}, {1, 0}, {1, 1}};
    // Differences of noisy residuals would be noise; this is what the noise is added to.
    box.jacobian = [](double, std::span<const double> x, std::span<const double>, std::span<double> jx,
                      std::span<double> jdx) {
        jx[0] = 50;
        jx[1] = -2 * x[0];
        jx[2] = 1;
        jdx[0] = 1;
        jdx[1] = jdx[2] = 0;
    };
    box.x0 = {1, 1};
    box.dx0 = {0, 0};
    const auto s = solve(box, {.until = 5, .method = GetParam(), .rtol = 1e-5, .atol = 1e-5});
    ASSERT_TRUE(s) << render(s.error());
    ASSERT_TRUE(s->success()) << s->message();
    EXPECT_NEAR(s->final(s->names()[0]), std::cos(5.0), 1e-4);
    EXPECT_NEAR(s->final(s->names()[1]), std::pow(std::cos(5.0), 2), 1e-4);
    for (const auto& [name, value] : s->statistics())
        if (name == "steps") EXPECT_LT(value, 2000);
}

INSTANTIATE_TEST_SUITE_P(Methods, Extremes, ::testing::Values("radau", "bdf"));

} // namespace
