// Controllers by hand: what they say after errors and failures follows from the formulas in print, and error terms of a
// BDF method are known for polynomials.
#include "integrate/controller.hpp"
#include "integrate/methods/bdf_controller.hpp"
#include "integrate/methods/bdf_errors.hpp"
#include "integrate/methods/extrapolation_controller.hpp"
#include "integrate/methods/hermite_steps.hpp"
#include "integrate/methods/radau_stages.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace daedalus;
using namespace daedalus::integrate;
using namespace daedalus::testing;

namespace {

TEST(Controller, RefusedStepsDoNotGrowWhenTheySucceed) {
    PredictiveController controller(4.0);
    EXPECT_GT(controller.after_success(1.0, 1e-4), 1.0);
    EXPECT_LT(controller.after_error(16.0), 0.5);
    EXPECT_EQ(controller.after_success(0.4, 1e-4), 1.0);
    controller.accept(0.4, 1e-4);
    EXPECT_GT(controller.after_success(0.4, 1e-4), 1.0) << "the refusal is forgotten";
}

// An estimate of order 9 that is round-off: it grows as the step shrinks, and varies by chance between a third and
// three times that. What controls steps by it must not let them shrink to nothing.
TEST(Controller, NoiseDoesNotMakeStepsCreep) {
    PredictiveController controller(10.0);
    double h = 1.0;
    unsigned random = 1;
    for (int step = 0; step < 20'000; ++step) {
        random = random * 1664525U + 1013904223U;
        const double chance = std::pow(3.0, 2.0 * (random >> 8) / double(1U << 24) - 1.0);
        const double error = 0.2 * chance * std::pow(h, -0.05);
        if (error > 1.0) {
            h *= controller.after_error(error);
            continue;
        }
        const double factor = PredictiveController::worth_a_factorisation(controller.after_success(h, error));
        controller.accept(h, error);
        h *= factor;
    }
    EXPECT_GT(h, 0.01); // 0 where estimates are believed; the first fifty steps alone leave 0.04
}

// An error that follows the step is held to the tolerance however much the solution asks for.
TEST(Controller, StepsFollowAnErrorThatIsOne) {
    PredictiveController controller(5.0);
    double h = 1.0, largest = 0.0;
    int refused = 0;
    for (int step = 0; step < 2000; ++step) {
        const double error =
            std::pow(h * std::pow(10.0, step / 500.0), 5.0); // four orders of magnitude smaller at the end
        if (error > 1.0) {
            h *= controller.after_error(error);
            ++refused;
            continue;
        }
        largest = std::max(largest, error);
        const double factor = controller.after_success(h, error);
        controller.accept(h, error);
        h *= factor;
    }
    EXPECT_LE(h, 1.1e-4);
    EXPECT_GE(h, 0.5e-4);
    EXPECT_LE(refused, 30); // two for each time that steps are halved, at most
}

TEST(Controller, FailuresShortenByTheirKind) {
    PredictiveController controller(4.0);
    EXPECT_EQ(controller.after_failure(StepStatus::newton_failed), 0.5);
    EXPECT_EQ(controller.after_failure(StepStatus::singular_matrix), 0.5);
    EXPECT_EQ(controller.after_failure(StepStatus::not_finite), 0.25);
    EXPECT_EQ(controller.after_success(1.0, 1e-8), 1.0);
}

/// HW IV.8: h_new = 0.8 h η^(-1/(4 + k_max - 1 - k)).
TEST(Controller, SlowNewtonShortensByWhatIsMissing) {
    PredictiveController controller(4.0);
    EXPECT_NEAR(controller.after_slow_newton(16.0, 0), 0.4, 1e-12);
    EXPECT_NEAR(controller.after_slow_newton(1e9, 0), 0.8 * std::pow(20.0, -0.25), 1e-12) << "bounded";
}

/// x = t^{k+1} at equal steps: e = Δ^{k+1} x = (k+1)! h^{k+1}, the term h^{k+1} x^{(k+1)} itself; the error test has
/// the constant 1/(k+1) of the BDF formula.
TEST(BdfErrors, TermsOfPolynomialsAreTheirDerivatives) {
    auto problem = make_problem(PendulumAngle{}, 2);
    const Tolerance unit{.relative = 0.0, .absolute = 1.0, .relative_each = {}, .absolute_each = {}};
    ErrorNorm norm(problem, unit, NormKind::max);
    const std::vector<double> zero{0.0, 0.0};
    norm.set_weights(zero.data(), 1.0);
    const QuantityNorm no_quantity(problem, unit, NormKind::max);
    std::vector<double> none, no_work;
    const double h = 0.1;
    for (int k = 1; k <= 5; ++k) {
        std::vector<double> times, values;
        for (int i = 0; i <= k; ++i) {
            times.push_back(1.0 - i * h);
            values.insert(values.end(), {std::pow(times.back(), k + 1), 0.0});
        }
        BdfHistory history(2);
        history.start(times, values);
        history.prepare(h, k);
        std::vector<double> x(2), dx(2), e(2), work(2);
        history.predict(x.data(), dx.data());
        e[0] = std::pow(1.0 + h, k + 1) - x[0];
        double derivative = std::pow(h, k + 1);
        for (int i = 2; i <= k + 1; ++i) derivative *= i;
        const BdfErrors errors(history, norm, no_quantity, k, {e, none, work, no_work});
        EXPECT_NEAR(errors.term() / derivative, 1.0, 1e-9) << k;
        EXPECT_NEAR(errors.error() / derivative, 1.0 / (k + 1), 1e-9) << k;
        // x^{(k)} = (k+1)! t, which its backward difference of order k shows in the middle of its points.
        if (k > 1) {
            EXPECT_NEAR(errors.term_below() / (derivative / h * (1.0 + h - 0.5 * k * h)), 1.0, 1e-9) << k;
        }
    }
}

/// A correction e of this size at order k, on a history of rest.
struct Rest {
    explicit Rest(double size, int k) : norm(problem, unit(), NormKind::max), history(2), e{size, 0.0}, work(2) {
        norm.set_weights(zero.data(), 1.0);
        history.start(zero, zero, 0.1);
        history.prepare(0.1, k);
    }
    static Tolerance unit() { return {.relative = 0.0, .absolute = 1.0, .relative_each = {}, .absolute_each = {}}; }
    problem::ImplicitProblem problem = make_problem(PendulumAngle{}, 2);
    std::vector<double> zero{0.0, 0.0};
    ErrorNorm norm;
    BdfHistory history;
    std::vector<double> e, work, none, no_work;
    QuantityNorm no_quantity{problem, unit(), NormKind::max};
    [[nodiscard]] BdfErrors errors() { return {history, norm, no_quantity, 1, {e, none, work, no_work}}; }
};

TEST(BdfController, BeginsAnewAfterThreeErrors) {
    BdfController controller(1, 5, true);
    controller.start_at(3);
    double h = 0.1;
    for (int attempt = 0; attempt < 3; ++attempt) {
        controller.begin(h, 1.0);
        Rest rest(100.0, 1);
        const BdfErrors errors = rest.errors();
        const BdfController::Plan plan = controller.after_error(h, errors);
        EXPECT_LE(plan.h, 0.9 * h);
        EXPECT_EQ(plan.history == BdfController::History::begins_misguided, attempt == 2) << attempt;
        h = plan.h;
    }
    EXPECT_EQ(controller.order(), 1);
    EXPECT_EQ(controller.last_order(), 0);
}

TEST(BdfController, MeetsAKinkWithOrderOne) {
    BdfController controller(1, 5, true);
    controller.go_on_at(4);
    controller.begin(0.1, 1.0);
    Rest rest(800.0, 1); // an error of 400 tolerances: half of the step that order 1 needs is h/40
    const BdfErrors errors = rest.errors();
    const BdfController::Plan plan = controller.after_error(0.1, errors);
    EXPECT_EQ(plan.history, BdfController::History::begins_at_kink);
    EXPECT_NEAR(plan.h, 0.1 * 0.5 / std::sqrt(400.0), 1e-12);
    EXPECT_EQ(controller.order(), 1);
}

/// HW IV.9: H_k = H · 0.93 (0.6/err_k)^(1/k).
TEST(ExtrapolationController, FollowsTheFormulaOfSeulex) {
    IntegrationOptions options;
    options.tolerance.relative = 1e-4; // three rows at first
    ExtrapolationController controller(options, linearly_implicit_euler);
    controller.start();
    ASSERT_EQ(controller.rows(), 3);
    controller.begin();
    EXPECT_EQ(controller.judge(2, 0.1, 3.0), ExtrapolationController::Verdict::next_row);
    EXPECT_EQ(controller.judge(3, 0.1, 100.0), ExtrapolationController::Verdict::divergent) << "errors must fall";
    EXPECT_EQ(controller.after_divergence(0.1), 0.05);
    controller.begin();
    EXPECT_EQ(controller.judge(2, 0.05, 0.5), ExtrapolationController::Verdict::finished) << "a row less is enough";
    EXPECT_NEAR(controller.after_success(0.05, 2, 0.5), std::min(0.05, 0.05 * 0.93 * std::sqrt(0.6 / 0.5)), 1e-12);
    controller.accept();
}

// With an error in h² the last error of k rows goes like h^(2k-1), and a refused step is as much shorter.
TEST(ExtrapolationController, OfASymmetricMethodKnowsItsOrders) {
    IntegrationOptions options;
    options.tolerance.relative = 1e-4; // three rows at first
    ExtrapolationController controller(options, half_explicit_midpoint);
    controller.start();
    controller.begin();
    EXPECT_EQ(half_explicit_midpoint.substeps(2), 12);
    EXPECT_EQ(controller.judge(2, 0.1, 30.0), ExtrapolationController::Verdict::next_row);
    EXPECT_EQ(controller.judge(3, 0.1, 0.2), ExtrapolationController::Verdict::finished);
    // h · 0.93 (0.6/ε)^(1/5) with three rows: more work per step, and less per unit of time, than (0.6/30)^(1/3) with
    // two.
    EXPECT_GE(controller.after_success(0.1, 3, 0.2), 0.093 * std::pow(0.6 / 0.2, 0.2) * (1 - 1e-12));
    controller.begin();
    EXPECT_EQ(controller.judge(2, 0.1, 40.0), ExtrapolationController::Verdict::refused) << "(8/4)² (12/4)² is 36";
}

TEST(RadauStages, RiseWhereNewtonIsEasyAndFallWhereItFails) {
    RadauStages stages(1e-6, false);
    const int begin = stages.level();
    EXPECT_EQ(RadauStages::family[static_cast<std::size_t>(begin)], 5);
    Attempt good;
    good.error = 0.5;
    for (int step = 0; step < 40 && stages.wanted() == begin; ++step) {
        stages.attempted(0.1, good);
        stages.accepted(1e-4);
    }
    ASSERT_EQ(stages.wanted(), begin + 1);
    stages.change();
    Attempt failed;
    failed.status = StepStatus::newton_failed;
    good.error = 1e-3;
    stages.attempted(0.1, good);
    for (int i = 0; i < 2; ++i) stages.attempted(0.1, failed);
    EXPECT_EQ(stages.wanted(), begin);
}

TEST(StepPolynomials, ReproduceTheirDegree) {
    const auto p = [](double t, int degree) { return std::pow(t - 0.3, degree); };
    const auto dp = [](double t, int degree) { return degree * std::pow(t - 0.3, degree - 1); };
    const std::array<double, 3> t{0.0, 0.4, 1.0};
    for (const int degree : {1, 2, 3, 4, 5}) {
        std::array<double, 3> x{}, dx{};
        for (std::size_t i = 0; i < 3; ++i) {
            x[i] = p(t[i], degree);
            dx[i] = dp(t[i], degree);
        }
        const StepEnd older{t[0], &x[0], &dx[0]}, begin{t[1], &x[1], &dx[1]}, end{t[2], &x[2], &dx[2]};
        const StepQuintic quintic(older, begin, end, 0.7);
        EXPECT_NEAR(quintic.value(0), p(0.7, degree), 1e-13);
        EXPECT_NEAR(quintic.slope(0), dp(0.7, degree), 1e-12);
        if (degree > 3) continue;
        const StepCubic cubic(begin, end, 0.7);
        EXPECT_NEAR(cubic.value(0), p(0.7, degree), 1e-14);
        EXPECT_NEAR(cubic.slope(0), dp(0.7, degree), 1e-13);
    }
    EXPECT_TRUE(StepQuintic::fits(0.1, 0.5));
    EXPECT_FALSE(StepQuintic::fits(0.1, 2.0));
}

} // namespace
