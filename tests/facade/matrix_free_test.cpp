// A residual without a matrix, through the public interface.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace daedalus {
namespace {

constexpr std::size_t cells = 200;
constexpr double width = 1.0 / (cells + 1);

/// u_t = u_xx - p with p = u: sin(πx) decays with the rate of the discrete operator, which is known, plus one.
MatrixFreeBox rod() {
    MatrixFreeBox box;
    box.x0.assign(2 * cells, 0.0);
    box.differential.assign(2 * cells, 1);
    for (std::size_t i = 0; i < cells; ++i) {
        box.x0[i] = std::sin(std::numbers::pi * width * static_cast<double>(i + 1));
        box.differential[cells + i] = 0;
    }
    box.residual = [](double, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        for (std::size_t i = 0; i < cells; ++i) {
            const double left = i > 0 ? x[i - 1] : 0.0, right = i + 1 < cells ? x[i + 1] : 0.0;
            r[i] = dx[i] - (left - 2.0 * x[i] + right) / (width * width) + x[cells + i];
            r[cells + i] = x[cells + i] - x[i];
        }
    };
    box.precondition = [](double, std::span<const double>, std::span<const double>, double shift, std::span<double> z) {
        const double off = -1.0 / (width * width), diagonal = shift + 2.0 / (width * width) + 1.0;
        std::vector<double> d(cells, diagonal), r(cells);
        for (std::size_t i = 0; i < cells; ++i) r[i] = z[i] - z[cells + i];
        for (std::size_t i = 1; i < cells; ++i) {
            d[i] -= off / d[i - 1] * off;
            r[i] -= off / d[i - 1] * r[i - 1];
        }
        for (std::size_t i = cells; i-- > 0;) {
            z[i] = (r[i] - (i + 1 < cells ? off * z[i + 1] : 0.0)) / d[i];
            z[cells + i] += z[i];
        }
    };
    return box;
}

double rate() {
    const double s = std::sin(std::numbers::pi * width / 2.0) / width;
    return 4.0 * s * s + 1.0;
}

SolveOptions until(double t, const char* method) {
    SolveOptions options;
    options.until = t;
    options.method = method;
    options.rtol = options.atol = 1e-6;
    return options;
}

MatrixFreeBox with_products(MatrixFreeBox box) {
    box.product = [](double, std::span<const double>, std::span<const double>, double a, double b,
                     std::span<const double> v, std::span<double> y) {
        for (std::size_t i = 0; i < cells; ++i) {
            const double left = i > 0 ? v[i - 1] : 0.0, right = i + 1 < cells ? v[i + 1] : 0.0;
            y[i] = b * v[i] + a * (v[cells + i] - (left - 2.0 * v[i] + right) / (width * width));
            y[cells + i] = a * (v[cells + i] - v[i]);
        }
    };
    return box;
}

TEST(MatrixFreeFacade, DecaysAtTheRateOfTheDiscreteOperator) {
    for (const char* method : {"auto", "bdf", "radau5", "esdirk4", "rodas4"}) {
        const bool iterates = std::string_view(method) != "rodas4";
        const auto solution = solve(iterates ? rod() : with_products(rod()), until(0.2, method));
        ASSERT_TRUE(solution) << method << ": " << solution.error().front().message;
        ASSERT_TRUE(solution->success()) << method;
        const std::vector<double> end = *solution->at(0.2);
        for (std::size_t i = 0; i < cells; i += 20) {
            const double exact =
                std::sin(std::numbers::pi * width * static_cast<double>(i + 1)) * std::exp(-rate() * 0.2);
            EXPECT_NEAR(end[i], exact, 1e-5) << method;
            EXPECT_NEAR(end[cells + i], exact, 1e-5) << method;
        }
    }
}

TEST(MatrixFreeFacade, RefusesWhatItCannotDo) {
    const auto explicit_method = solve(rod(), until(0.1, "dop853"));
    EXPECT_FALSE(explicit_method && explicit_method->success());
    const auto differences = solve(rod(), until(0.1, "rodas4"));
    EXPECT_FALSE(differences && differences->success());
    MatrixFreeBox wrong = rod();
    wrong.differential.resize(3);
    EXPECT_FALSE(solve(wrong, until(0.1, "bdf")));
    MatrixFreeBox no_start = rod();
    no_start.residual = [f = no_start.residual](double t, std::span<const double> x, std::span<const double> dx,
                                                std::span<double> r) {
        f(t, x, dx, r);
        r[cells] = x[0] * x[0] + 1.0; // never
    };
    const auto refused = solve(no_start, until(0.1, "bdf"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "inconsistent-start");
    MatrixFreeBox none;
    none.x0 = {1.0};
    EXPECT_FALSE(solve(none, until(0.1, "bdf")));
}

} // namespace
} // namespace daedalus
