// A large block of index 2: Stokes flow in a square whose lid moves, on a staggered grid.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

using namespace daedalus;

namespace {

/// Pressures p in N × N cells, velocities u and v between them; zero on the walls, where neighbours are mirrored.
std::string stokes(int N) {
    const auto name = [](char c, int i, int j) {
        return std::string(1, c) + "_" + std::to_string(i) + "_" + std::to_string(j);
    };
    const auto u = [&](int i, int j) { return i == 0 || i == N ? std::string("0") : name('u', i, j); };
    const auto v = [&](int i, int j) { return j == 0 || j == N ? std::string("0") : name('v', i, j); };
    const std::string n = std::to_string(N), squared = std::to_string(N * N);
    std::string variables, equations;
    const auto add = [&](const std::string& variable, const std::string& equation) {
        variables += "  Real " + variable + "(start = 0);\n";
        equations += "  " + equation + ";\n";
    };
    const auto each = [N](int from_i, int from_j, const auto& visit) {
        for (int i = from_i; i < N; ++i)
            for (int j = from_j; j < N; ++j) visit(i, j);
    };
    each(1, 0, [&](int i, int j) {
        const std::string above = j < N - 1 ? u(i, j + 1) : "(2*sin(3*time)*time/(time + 0.1) - " + u(i, j) + ")";
        const std::string below = j > 0 ? u(i, j - 1) : "(-" + u(i, j) + ")";
        add(u(i, j), "der(" + u(i, j) + ") = " + squared + "*(" + u(i + 1, j) + " + " + u(i - 1, j) + " + " + above +
                         " + " + below + " - 4*" + u(i, j) + ") - " + n + "*(" + name('p', i, j) + " - " +
                         name('p', i - 1, j) + ")");
    });
    each(0, 1, [&](int i, int j) {
        const std::string right = i < N - 1 ? v(i + 1, j) : "(-" + v(i, j) + ")";
        const std::string left = i > 0 ? v(i - 1, j) : "(-" + v(i, j) + ")";
        add(v(i, j), "der(" + v(i, j) + ") = " + squared + "*(" + v(i, j + 1) + " + " + v(i, j - 1) + " + " + right +
                         " + " + left + " - 4*" + v(i, j) + ") - " + n + "*(" + name('p', i, j) + " - " +
                         name('p', i, j - 1) + ")");
    });
    each(0, 0, [&](int i, int j) {
        const std::string flow = u(i + 1, j) + " - " + u(i, j) + " + " + v(i, j + 1) + " - " + v(i, j);
        add(name('p', i, j), (i + j == 0 ? name('p', 0, 0) : flow) + " = 0");
    });
    return "model Stokes\n" + variables + "equation\n" + equations + "end Stokes;\n";
}

// Round-off of the elimination of thousands of rows is no sign of a singular start.
TEST(Stokes, StartsWithoutWarning) {
    const auto model = Model::from_string(stokes(40));
    ASSERT_TRUE(model) << render(model.error());
    const auto s = solve(*model, {.until = 0.01, .rtol = 1e-3, .points = 1});
    ASSERT_TRUE(s && s->success());
    EXPECT_EQ(s->to_json().find("singular-start"), std::string::npos);
    EXPECT_NEAR(s->final("u_1_0"), s->final("u_39_0"), 1e-3 * std::abs(s->final("u_20_39"))); // symmetric to the middle
}

} // namespace
