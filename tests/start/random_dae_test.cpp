// Random DAEs whose index is known by construction. Each is made of hidden chains
//   ψ_1(z_1) = a(t),  ψ_2(z_2) = φ(z_1, z_1'),  …,  ψ_k(z_k) = φ(z_{k-1}, z_{k-1}')     (index k)
// and ordinary differential equations for states, in shuffled order. Equation j of a chain of length k is
// differentiated c = k - j times, and its variable d = k - j times. Any variable of an earlier chain with d ≥ c, and
// any state where c ≤ 1, may enter an equation without raising an offset (the offsets stay dual feasible, Pryce 2001),
// so such terms are added at random: a triangular nonlinear mixture. ψ is increasing: solutions exist and are unique.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

using namespace daedalus;

namespace {

using Random = std::mt19937;

double uniform(Random& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

struct Generated {
    Model model{"Random"};
    int index = 0;
    int freedom = 0;
};

Generated random_dae(Random& random) {
    Generated result;
    const int n = 2 + static_cast<int>(random() % 59);
    const int wanted = static_cast<int>(random() % 7);
    std::vector<int> chains; // lengths; 0: a state
    int left = n;
    if (wanted > 0 && wanted <= left) {
        chains.push_back(wanted);
        left -= wanted;
    }
    result.index = chains.empty() ? 0 : wanted;
    while (left > 0) {
        const int longest = std::min(left, result.index);
        const int length = longest > 0 && random() % 2 == 0 ? 1 + static_cast<int>(random() % unsigned(longest)) : 0;
        chains.push_back(length);
        left -= std::max(length, 1);
    }
    // Variables in random order, so that columns tell nothing.
    std::vector<int> shuffled(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) shuffled[static_cast<std::size_t>(k)] = k;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    std::vector<Expression> x;
    for (int k = 0; k < n; ++k)
        x.push_back(result.model.variable("x" + std::to_string(k), {.start = uniform(random, -1.5, 1.5)}));
    std::vector<Expression> z;
    for (int k = 0; k < n; ++k) z.push_back(x[static_cast<std::size_t>(shuffled[static_cast<std::size_t>(k)])]);

    std::vector<Expression> states;
    int at = 0;
    for (const int length : chains) {
        if (length == 0) states.push_back(z[static_cast<std::size_t>(at)]);
        at += std::max(length, 1);
    }
    struct Row {
        Expression left, right;
    };
    struct Known {
        Expression variable;
        int differentiations;
    };
    std::vector<Row> rows;
    std::vector<Known> known;
    for (const Expression& state : states) known.push_back({state, 1});
    /// Terms in what is known and may be differentiated c times more.
    const auto mixture = [&](int c) {
        Expression sum(0.0);
        for (unsigned k = random() % 4; k > 0 && !known.empty(); --k) {
            const Known& other = known[random() % known.size()];
            if (other.differentiations >= c) sum = sum + uniform(random, -0.3, 0.3) * sin(other.variable);
        }
        return sum;
    };
    at = 0;
    for (const int length : chains) {
        const auto variable = [&](int k) { return z[static_cast<std::size_t>(at + k)]; };
        if (length == 0) {
            ++result.freedom;
            const Expression other = states[random() % states.size()];
            rows.push_back({der(variable(0)) * (1.5 + 0.5 * cos(other)),
                            sin(other) - 0.5 * variable(0) + cos(result.model.time())});
            ++at;
            continue;
        }
        const double frequency = uniform(random, 0.3, 1.2);
        rows.push_back({variable(0) + 0.2 * sin(variable(0)),
                        cos(frequency * result.model.time()) + uniform(random, -0.5, 0.5) + mixture(length - 1)});
        for (int k = 1; k < length; ++k)
            rows.push_back({variable(k) + 0.25 * sin(variable(k)),
                            1.3 * der(variable(k - 1)) + 0.2 * sin(variable(k - 1)) + mixture(length - 1 - k)});
        for (int k = 0; k < length; ++k) known.push_back({variable(k), length - 1 - k});
        at += length;
    }
    std::shuffle(rows.begin(), rows.end(), random);
    for (const Row& row : rows) result.model.equation(row.left == row.right);
    return result;
}

} // namespace

TEST(RandomDaes, IndexAndInitialValuesAsConstructed) {
    Random random(31415);
    std::map<int, int> by_index;
    std::map<int, int> by_digits;
    double worst = 0.0;
    for (int trial = 0; trial < 1000; ++trial) {
        const Generated g = random_dae(random);
        const auto analysis = analyze(g.model, {}, {.derivative_arrays = false, .measure = {}, .along_solution = {}});
        ASSERT_TRUE(analysis) << "system " << trial << "\n" << render(analysis.error());
        EXPECT_EQ(analysis->structural_index, g.index) << "system " << trial << "\n" << g.model.to_modelica();
        EXPECT_EQ(analysis->degrees_of_freedom, g.freedom) << "system " << trial;
        const auto values = initialize(g.model);
        ASSERT_TRUE(values) << "system " << trial << "\n" << render(values.error());
        EXPECT_LE(values->relative_residual, 1e-10) << "system " << trial;
        EXPECT_EQ(values->degrees_of_freedom, g.freedom) << "system " << trial;
        worst = std::max(worst, values->relative_residual);
        ++by_index[g.index];
        ++by_digits[static_cast<int>(std::floor(std::log10(std::max(values->relative_residual, 1e-17))))];
    }
    for (const auto& [index, count] : by_index) std::printf("index %d: %d systems\n", index, count);
    for (const auto& [digits, count] : by_digits) std::printf("relative residual in 1e%d: %d systems\n", digits, count);
    std::printf("worst %.2g\n", worst);
}
