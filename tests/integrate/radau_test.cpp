// Radau beyond accuracy at the end: values between the steps, the number of stages, the passes over the stages, work.
#include "integrate/methods/stage_algebra.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// Two components that follow cos t and sin 2t at 1e5 and at 30 per unit of time (Prothero & Robinson 1974), one that
/// is not stiff, and one that follows algebraically.
struct Followers {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        r[0] = dx[0] + 1e5 * (x[0] - cos(t)) + sin(t);
        r[1] = dx[1] + 30.0 * (x[1] - sin(2.0 * t)) - 2.0 * cos(2.0 * t);
        r[2] = dx[2] + x[2] - x[0];
        r[3] = x[3] - x[0] * x[1];
    }
    static void exact(double t, double* x) {
        x[0] = std::cos(t);
        x[1] = std::sin(2 * t);
        x[2] = 0.5 * (std::cos(t) + std::sin(t)) + 0.5 * std::exp(-t);
        x[3] = x[0] * x[1];
    }
};

struct WorstBetween : integrate::Observer {
    double error = 0.0; ///< in the scale of the tolerances
    integrate::Action step(const integrate::AcceptedStep& step) override {
        for (int k = 0; k <= 20; ++k) {
            const double t = step.t_before + 0.05 * k * (step.t - step.t_before);
            double x[4], dx[4], exact[4];
            step.interpolant.evaluate_consistent(t, x, dx);
            Followers::exact(t, exact);
            for (int i = 0; i < 4; ++i) error = std::max(error, std::abs(x[i] - exact[i]) / (1 + std::abs(exact[i])));
        }
        return integrate::Action::proceed;
    }
};

class BetweenSteps : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Stages, BetweenSteps, ::testing::Values("radau", "radau5", "radau9", "radau13", "radau17"));

// At the ends of its steps Radau is far more accurate in stiff components than between them. (At 1e-11 the ends
// themselves are off by up to 13 tolerances here: the estimate's tolerance counts on errors that fall faster than it.)
TEST_P(BetweenSteps, StiffComponentsKeepTheTolerance) {
    for (const double tol : {1e-3, 1e-5, 1e-7, 1e-9}) {
        auto problem = make_problem(Followers{}, 4);
        WorstBetween worst;
        const double x0[] = {1, 0, 1, 0}, dx0[] = {0, 2, 0, 2};
        const auto result = integrate::integrate(problem, *integrate::find_method(GetParam()), 0, 10, x0, dx0,
                                                 with_tolerance(tol), worst);
        ASSERT_TRUE(result.finished()) << tol;
        EXPECT_LT(worst.error, 10 * tol) << tol;
    }
}

// Steps of kinetics grow with time: more stages than the tolerance asks for would not make them longer.
TEST(VariableRadau, KeepsThreeStagesWhereStepsOnlyGrow) {
    auto problem = make_problem(Robertson{}, 3);
    auto options = with_tolerance(1e-3);
    options.tolerance.absolute_each = {1e-9, 1e-15, 1e-3};
    const auto result = solve(problem, "radau", 0, 1e11, {1, 0, 0}, {-0.04, 0.04, 0}, options);
    ASSERT_TRUE(result.finished());
    EXPECT_EQ(result.statistics.highest_order, 5);
}

// Near round-off Newton's last corrections no longer shrink. That is no reason for fewer stages or smaller steps.
TEST(VariableRadau, IsNotMisledByRoundOff) {
    long residuals[2];
    int k = 0;
    for (const char* method : {"radau", "radau13"}) {
        auto problem = make_problem(TransistorAmplifier{}, 8);
        const auto result = solve(problem, method, 0, 0.2, TransistorAmplifier::x0(), TransistorAmplifier::dx0(),
                                  with_tolerance(1e-11));
        ASSERT_TRUE(result.finished()) << method;
        residuals[k++] = result.statistics.counters.residuals;
    }
    EXPECT_LT(static_cast<double>(residuals[0]), 1.2 * static_cast<double>(residuals[1]));
}

// Snapshots: a change of these numbers needs a reason.
TEST(VariableRadau, WorkCounts) {
    struct Row {
        double tolerance;
        long steps, residuals, jacobians, factorizations, solves;
    };
    for (const Row& row : {Row{1e-3, 204, 2245, 205, 467, 1574}, Row{1e-6, 170, 4856, 176, 550, 2985},
                           Row{1e-9, 149, 10592, 160, 774, 6022}}) {
        auto problem = PendulumDummy::make();
        const auto result =
            solve(problem, "radau", 0, 10, PendulumDummy::x0(), std::vector<double>(7), with_tolerance(row.tolerance));
        ASSERT_TRUE(result.finished());
        const integrate::Counters& c = result.statistics.counters;
        const auto near = [&](long value, long expected, const char* what) {
            // 5 %: another compiler rounds differently and a step more or less is no regression.
            EXPECT_NEAR(value, expected, 0.05 * expected) << what << " at " << row.tolerance;
        };
        near(c.steps, row.steps, "steps");
        near(c.residuals, row.residuals, "residuals");
        near(c.jacobians, row.jacobians, "Jacobians");
        near(c.factorizations, row.factorizations, "factorisations");
        near(c.solves, row.solves, "solves");
    }
}

template <int S>
class StageAlgebra {
public:
    explicit StageAlgebra(std::size_t n) : n_(n) {
        std::mt19937 random(static_cast<unsigned>(100 * S + n));
        std::uniform_real_distribution<double> number(-1, 1);
        for (double& c : C_) c = number(random);
        for (auto* v : {&in_, &z_}) {
            v->resize(S * n);
            for (double& x : *v) x = number(random);
        }
        for (auto* v : {&x_, &w_}) {
            v->resize(n);
            for (double& x : *v) x = number(random);
        }
    }
    void check() const {
        std::vector<double> X(S * n_), dX(S * n_), W(S * n_), out(S * n_), Z = z_;
        integrate::combine_stages<S, S>(C_, n_, in_.data(), out.data());
        integrate::form_stages<S>(C_, n_, x_.data(), in_.data(), X.data(), dX.data());
        integrate::transform_residuals<S>(C_, n_, in_.data(), W.data());
        double sum = 0, largest = 0;
        const double got =
            integrate::correct_stages<S>(C_, n_, W.data(), w_.data(), integrate::StageNorm::sum_of_squares, Z.data());
        std::vector<double> again = z_;
        const double got_largest =
            integrate::correct_stages<S>(C_, n_, W.data(), w_.data(), integrate::StageNorm::largest, again.data());
        for (std::size_t k = 0; k < n_; ++k) {
            std::array<double, S> once;
            for (int i = 0; i < S; ++i) {
                const std::size_t at = static_cast<std::size_t>(i) * n_ + k;
                once[static_cast<std::size_t>(i)] =
                    row(i, [&](int j) { return in_[static_cast<std::size_t>(j) * n_ + k]; });
                EXPECT_EQ(out[at], once[static_cast<std::size_t>(i)]);
                EXPECT_EQ(dX[at], once[static_cast<std::size_t>(i)]);
                EXPECT_EQ(X[at], x_[k] + in_[at]);
                const std::size_t pair = static_cast<std::size_t>(i == 0 ? 0 : (i - 1) / 2 * 2 + 1) * n_;
                EXPECT_EQ(W[i == 0 ? k : pair + 2 * k + static_cast<std::size_t>((i - 1) % 2)],
                          once[static_cast<std::size_t>(i)]);
            }
            for (int i = 0; i < S; ++i) {
                const double change = row(i, [&](int j) { return once[static_cast<std::size_t>(j)]; });
                EXPECT_EQ(Z[static_cast<std::size_t>(i) * n_ + k], z_[static_cast<std::size_t>(i) * n_ + k] + change);
                sum += change * w_[k] * change * w_[k];
                largest = std::max(largest, std::abs(change * w_[k]));
            }
        }
        EXPECT_NEAR(got, sum, 1e-14 * sum);
        EXPECT_DOUBLE_EQ(got_largest, largest);
        EXPECT_EQ(again, Z);
    }

private:
    template <class Value>
    [[nodiscard]] double row(int i, Value value) const {
        double sum = C_[static_cast<std::size_t>(i * S)] * value(0);
        for (int j = 1; j < S; ++j) sum += C_[static_cast<std::size_t>(i * S + j)] * value(j);
        return sum;
    }
    std::size_t n_;
    std::array<double, S * S> C_{};
    std::vector<double> in_, z_, x_, w_;
};

TEST(StageAlgebra, IsThatOfPlainLoops) {
    for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 13, 27}) {
        StageAlgebra<1>(n).check();
        StageAlgebra<3>(n).check();
        StageAlgebra<5>(n).check();
        StageAlgebra<7>(n).check();
        StageAlgebra<9>(n).check();
    }
}

TEST(StageAlgebra, NotANumberStaysVisible) {
    std::array<double, 9> T{1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::vector<double> W(15, 0.5), w(5, 1.0), Z(15);
    for (const std::size_t at : {0, 3, 4, 9, 14}) {
        std::vector<double> bad = W;
        bad[at] = std::nan("");
        for (const auto kind : {integrate::StageNorm::sum_of_squares, integrate::StageNorm::largest})
            EXPECT_TRUE(std::isnan(integrate::correct_stages<3>(T, 5, bad.data(), w.data(), kind, Z.data()))) << at;
    }
}

} // namespace
