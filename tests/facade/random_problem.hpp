// Random problems with known solutions, of index 1, 2 and 3, some of them stiff.
//
// With s(t), r(t) chosen and e = x - s, d = z - r:
//     index 1   x' = s' + A e + c e∘e + B d ,                      0 = D d + C e + 0.1 d∘d∘d
//     index 2   x' = s' + A e + B d ,                              0 = C e + 0.1 e∘e ,   C B regular
//     index 3   q' = v ,  v' = s'' + A e - (v - s') + Cᵀ d ,       0 = C e + 0.1 e∘e
// so that x = s and z = r solve them whatever A, B, C, D are.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace daedalus::testing {

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

} // namespace daedalus::testing
