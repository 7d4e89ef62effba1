// Random DAEs whose index is known by construction. Each is made of hidden chains
//   ψ_1(z_1) = a(t),  ψ_2(z_2) = φ(z_1, z_1'),  …,  ψ_k(z_k) = φ(z_{k-1}, z_{k-1}')     (index k)
// and ordinary differential equations for states, in shuffled order. Equation j of a chain of length k is
// differentiated c = k - j times, and its variable d = k - j times. Any variable of an earlier chain with d ≥ c, and
// any state where c ≤ 1, may enter an equation without raising an offset (the offsets stay dual feasible, Pryce 2001),
// so such terms are added at random: a triangular nonlinear mixture. ψ is increasing: solutions exist and are unique.
// Each equation is built twice: as an expression for the library, and as a function of Taylor series in long double,
// with which the values that the library finds are judged, the equations' time derivatives up to order c included.
#include "start/extended_series.hpp"

#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <random>

using namespace daedalus;

namespace {

using Random = std::mt19937;

double uniform(Random& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
}

using Series = testing_support::ExtendedSeries;

/// What stands at the start: the series of each variable as far as it is known, and of time.
struct Jets {
    std::vector<Series> x;
    Series time{0};
};
using Term = std::function<Series(const Jets&)>;

/// Σ terms = 0, to be differentiated up to `differentiations` times.
struct Judged {
    std::vector<Term> terms;
    int differentiations = 0;
};

struct Generated {
    Model model{"Random"};
    int index = 0;
    int freedom = 0;
    std::vector<Judged> judged;
    std::vector<int> derivatives; ///< d_j: so many are determined, per variable
};

/// Largest |Σ terms^(k)| relative to 1 + Σ |terms^(k)|, over all equations and k ≤ c.
long double independent_residual(const Generated& g, const InitialValues& values) {
    Jets jets;
    constexpr std::size_t enough = 8;
    jets.time = Series(enough);
    jets.time[1] = 1;
    for (std::size_t j = 0; j < g.derivatives.size(); ++j) {
        const std::string name = "x" + std::to_string(j);
        Series x(static_cast<std::size_t>(g.derivatives[j]));
        long double factorial = 1;
        for (std::size_t k = 0; k <= x.order(); ++k) {
            if (k > 0) factorial *= static_cast<long double>(k);
            const std::string jet = k == 0   ? name
                                    : k == 1 ? "der(" + name + ")"
                                             : "der(" + name + ", " + std::to_string(k) + ")";
            const std::optional<double> value = values[jet];
            EXPECT_TRUE(value) << jet << " is missing";
            x[k] = value.value_or(std::nan("")) / factorial;
        }
        jets.x.push_back(std::move(x));
    }
    long double worst = 0;
    for (const Judged& row : g.judged) {
        std::vector<Series> terms;
        for (const Term& term : row.terms) terms.push_back(term(jets));
        long double factorial = 1;
        for (std::size_t k = 0; k <= static_cast<std::size_t>(row.differentiations); ++k) {
            if (k > 0) factorial *= static_cast<long double>(k);
            long double sum = 0, size = 1;
            for (const Series& term : terms) {
                EXPECT_GE(term.order(), k); // else the construction's offsets would be wrong
                sum += factorial * term[k];
                size += std::abs(factorial * term[k]);
            }
            if (!(std::abs(sum) / size <= worst)) worst = std::abs(sum) / size; // NaN too
        }
    }
    return worst;
}

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
    const auto series = [&shuffled](int k) -> Term {
        return [j = static_cast<std::size_t>(shuffled[static_cast<std::size_t>(k)])](const Jets& jets) {
            return jets.x[j];
        };
    };
    result.derivatives.resize(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) z.push_back(x[static_cast<std::size_t>(shuffled[static_cast<std::size_t>(k)])]);

    std::vector<Expression> states;
    std::vector<Term> state_series;
    int at = 0;
    for (const int length : chains) {
        if (length == 0) {
            states.push_back(z[static_cast<std::size_t>(at)]);
            state_series.push_back(series(at));
        }
        for (int k = 0; k < std::max(length, 1); ++k)
            result.derivatives[static_cast<std::size_t>(shuffled[static_cast<std::size_t>(at + k)])] =
                length == 0 ? 1 : length - 1 - k;
        at += std::max(length, 1);
    }
    struct Row {
        Expression left, right;
    };
    struct Known {
        Expression variable;
        Term series;
        int differentiations;
    };
    std::vector<Row> rows;
    std::vector<Known> known;
    for (std::size_t k = 0; k < states.size(); ++k) known.push_back({states[k], state_series[k], 1});
    /// Terms in what is known and may be differentiated c times more.
    const auto mixture = [&](int c, std::vector<Term>& terms) {
        Expression sum(0.0);
        for (unsigned k = random() % 4; k > 0 && !known.empty(); --k) {
            const Known& other = known[random() % known.size()];
            if (other.differentiations < c) continue;
            const double weight = uniform(random, -0.3, 0.3);
            sum = sum + weight * sin(other.variable);
            terms.push_back(
                [weight, x = other.series](const Jets& j) { return static_cast<long double>(-weight) * sin(x(j)); });
        }
        return sum;
    };
    at = 0;
    for (const int length : chains) {
        const auto variable = [&](int k) { return z[static_cast<std::size_t>(at + k)]; };
        if (length == 0) {
            ++result.freedom;
            const std::size_t which = random() % states.size();
            const Expression other = states[which];
            rows.push_back({der(variable(0)) * (1.5 + 0.5 * cos(other)),
                            sin(other) - 0.5 * variable(0) + cos(result.model.time())});
            const Term own = series(at), y = state_series[which];
            result.judged.push_back(
                {{[own, y](const Jets& j) { return own(j).derivative() * (Series(1, 1.5L) + 0.5L * cos(y(j))); },
                  [y](const Jets& j) { return -1.0L * sin(y(j)); }, [own](const Jets& j) { return 0.5L * own(j); },
                  [](const Jets& j) { return -1.0L * cos(j.time); }},
                 0});
            ++at;
            continue;
        }
        const double frequency = uniform(random, 0.3, 1.2);
        const double shift = uniform(random, -0.5, 0.5);
        Judged first{{[x = series(at)](const Jets& j) { return x(j) + 0.2L * sin(x(j)); },
                      [frequency](const Jets& j) { return -1.0L * cos(static_cast<long double>(frequency) * j.time); },
                      [shift](const Jets& j) { return Series(j.time.order(), -shift); }},
                     length - 1};
        rows.push_back({variable(0) + 0.2 * sin(variable(0)),
                        cos(frequency * result.model.time()) + shift + mixture(length - 1, first.terms)});
        result.judged.push_back(std::move(first));
        for (int k = 1; k < length; ++k) {
            Judged next{{[x = series(at + k)](const Jets& j) { return x(j) + 0.25L * sin(x(j)); },
                         [x = series(at + k - 1)](const Jets& j) { return -1.3L * x(j).derivative(); },
                         [x = series(at + k - 1)](const Jets& j) { return -0.2L * sin(x(j)); }},
                        length - 1 - k};
            rows.push_back(
                {variable(k) + 0.25 * sin(variable(k)),
                 1.3 * der(variable(k - 1)) + 0.2 * sin(variable(k - 1)) + mixture(length - 1 - k, next.terms)});
            result.judged.push_back(std::move(next));
        }
        for (int k = 0; k < length; ++k) known.push_back({variable(k), series(at + k), length - 1 - k});
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
    long double worst_judged = 0.0;
    for (int trial = 0; trial < 1000; ++trial) {
        const Generated g = random_dae(random);
        const auto analysis = analyze(g.model, {}, {.derivative_arrays = false, .measure = {}, .along_solution = {}});
        ASSERT_TRUE(analysis) << "system " << trial << "\n" << render(analysis.error());
        EXPECT_EQ(analysis->repaired_index.value_or(analysis->structural_index), g.index) << "system " << trial << "\n"
                                                                                          << g.model.to_modelica();
        EXPECT_EQ(analysis->degrees_of_freedom, g.freedom) << "system " << trial;
        const auto values = initialize(g.model);
        ASSERT_TRUE(values) << "system " << trial << "\n" << render(values.error());
        EXPECT_LE(values->relative_residual, 1e-10) << "system " << trial;
        EXPECT_EQ(values->degrees_of_freedom, g.freedom) << "system " << trial;
        const long double judged = independent_residual(g, *values);
        EXPECT_LE(judged, 1e-10L) << "system " << trial;
        worst = std::max(worst, values->relative_residual);
        worst_judged = std::max(worst_judged, judged);
        ++by_index[g.index];
        ++by_digits[static_cast<int>(std::floor(std::log10(std::max(values->relative_residual, 1e-17))))];
    }
    for (const auto& [index, count] : by_index) std::printf("index %d: %d systems\n", index, count);
    for (const auto& [digits, count] : by_digits) std::printf("relative residual in 1e%d: %d systems\n", digits, count);
    std::printf("worst %.2g, judged independently %.2Lg\n", worst, worst_judged);
}
