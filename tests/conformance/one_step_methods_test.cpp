// What every one-step method of index 1 must do, by name from the registry: polynomials, observed orders of
// differential and algebraic unknowns at end points and in continuous output, leading matrices that are constant or
// not, stop times and events in both directions of time, no drift of the step sequence, no allocation in the loop (see
// the allocation test), refusal of a higher index.
#include "conformance/order_problems.hpp"
#include "integrate/consistent_output.hpp"

#include <gtest/gtest.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Expected {
    const char* method;
    double end;      ///< order at end points
    double inside;   ///< at least, differential unknowns inside steps
    int semi, full;  ///< coarse grids that show the order above round-off, for semi-explicit and fully implicit;
                     ///< 0: none does, see Explicit.ObservedOrders
    int polynomials; ///< exact up to this degree
    int index = 1;   ///< the highest it integrates
    /// rodas5 comes near its order slowly: 4.69, 4.78 at 64 and 96 steps, then 4.78 to 4.82 as round-off has it.
    double slack = 0.2;
};
std::ostream& operator<<(std::ostream& out, const Expected& e) { return out << e.method; }

class OneStepMethod : public ::testing::TestWithParam<Expected> {};
INSTANTIATE_TEST_SUITE_P(
    All, OneStepMethod,
    ::testing::Values(Expected{"rodas3", 3, 1.8, 128, 64, 3}, Expected{"rodas4", 4, 2.8, 128, 64, 5},
                      Expected{"rodas4p", 4, 2.8, 512, 128, 4}, Expected{"rodas5", 5, 3.8, 96, 64, 5, 1, 0.25},
                      Expected{"rodas6", 6, 3.8, 64, 32, 5}, Expected{"esdirk3", 3, 2.8, 32, 32, 3},
                      Expected{"esdirk4", 4, 3.8, 32, 16, 4}, Expected{"esdirk5", 5, 4.8, 16, 8, 5},
                      Expected{"limex", 4, 2.8, 32, 32, 4}, Expected{"dopri5", 5, 3.8, 0, 0, 5},
                      Expected{"dop853", 8, 6.8, 0, 0, 8}, Expected{"midpoint", 2, 1.8, 64, 64, 2, 2}),
    [](const auto& tested) { return std::string(tested.param.method); });

struct Errors {
    std::vector<double> end, inside, consistent;
};

integrate::IntegrationOptions fixed_steps() {
    integrate::IntegrationOptions options = with_tolerance(1e-12);
    options.method.fixed_step = true;
    options.method.max_newton_iterations = 60;
    options.method.max_order = 4; // of methods with variable order
    return options;
}

template <class Problem>
Errors march(const char* method, int steps, bool constant_leading_matrix = false) {
    problem::System system = make_system(Problem{}, static_cast<int>(Problem::index.size()));
    system.kernels.constant_leading_matrix = constant_leading_matrix;
    problem::ImplicitProblem problem(std::move(system));
    const auto stepper = integrate::find_method(method)->make(problem, fixed_steps());
    const double h = 1.0 / steps;
    stepper->start(0.0, Problem::x(0.0), Problem::dx(0.0), h);
    const std::size_t n = Problem::index.size();
    Errors errors{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
    integrate::ConsistentOutput consistent(problem, integrate::IntegrationOptions{});
    std::vector<double> x(n), dx(n);
    for (int step = 1; step <= steps; ++step) {
        const double t_new = step * h;
        const auto attempt = stepper->attempt(h, t_new);
        EXPECT_TRUE(attempt.acceptable()) << "step " << step << " status " << static_cast<int>(attempt.status);
        if (!attempt.acceptable()) return errors;
        stepper->accept();
        // Over all steps, because the error at one time may pass through zero.
        for (std::size_t i = 0; i < n; ++i)
            errors.end[i] = std::max(errors.end[i], std::abs(stepper->x()[i] - Problem::x(t_new)[i]));
        if (step <= 2) continue;
        for (const double theta : {0.25, 0.5, 0.8}) {
            const double t = t_new - (1 - theta) * h;
            stepper->interpolate(t, x.data(), dx.data());
            for (std::size_t i = 0; i < n; ++i)
                errors.inside[i] = std::max(errors.inside[i], std::abs(x[i] - Problem::x(t)[i]));
            EXPECT_TRUE(consistent.refine(t, h, x.data(), dx.data(), false));
            for (std::size_t i = 0; i < n; ++i)
                errors.consistent[i] = std::max(errors.consistent[i], std::abs(x[i] - Problem::x(t)[i]));
        }
    }
    return errors;
}

double observed(const std::vector<double>& coarse, const std::vector<double>& fine) {
    return std::log2(*std::max_element(coarse.begin(), coarse.end()) / *std::max_element(fine.begin(), fine.end()));
}

template <class Problem>
void expect_orders(const Expected& method, const char* what, int steps, bool constant_leading_matrix) {
    const Errors coarse = march<Problem>(method.method, steps, constant_leading_matrix);
    const Errors fine = march<Problem>(method.method, 2 * steps, constant_leading_matrix);
    EXPECT_NEAR(observed(coarse.end, fine.end), method.end, method.slack) << what;
    EXPECT_GT(observed(coarse.consistent, fine.consistent), method.inside) << what;
    EXPECT_GT(observed(coarse.inside, fine.inside), std::min(method.inside, 2.8)) << what; // algebraic ones: order 3
}

TEST_P(OneStepMethod, ObservedOrders) {
    const Expected& method = GetParam();
    if (method.semi == 0) return;
    expect_orders<SemiExplicitIndex1>(method, "semi-explicit, M taken as constant", method.semi, true);
    expect_orders<SemiExplicitIndex1>(method, "semi-explicit, M taken as variable", method.semi, false);
    expect_orders<FullyImplicitIndex1>(method, "fully implicit", method.full, false);
}

TEST_P(OneStepMethod, ExactOnPolynomials) {
    const Expected& method = GetParam();
    for (const bool constant : {true, false}) {
        problem::System system = make_system(Polynomials{}, 2 * Polynomials::degree);
        system.kernels.constant_leading_matrix = constant;
        problem::ImplicitProblem problem(std::move(system));
        const auto stepper = integrate::find_method(method.method)->make(problem, fixed_steps());
        stepper->start(1.0, Polynomials::x(1.0), Polynomials::dx(1.0), 0.25);
        for (int step = 1; step <= 4; ++step) {
            ASSERT_TRUE(stepper->attempt(0.25, 1.0 + 0.25 * step).acceptable());
            stepper->accept();
        }
        const std::vector<double> exact = Polynomials::x(2.0);
        for (int degree = 1; degree <= Polynomials::degree; ++degree)
            for (const int i : {degree - 1, Polynomials::degree + degree - 1}) {
                const double error = std::abs(stepper->x()[i] / exact[i] - 1.0);
                if (degree <= method.polynomials) {
                    EXPECT_LT(error, 1e-11) << "degree " << degree << ", unknown " << i;
                } else {
                    EXPECT_GT(error, 1e-8) << "degree " << degree << ", unknown " << i;
                }
            }
    }
}

struct Watcher final : integrate::Observer {
    std::vector<double> times, events;
    integrate::Action step(const integrate::AcceptedStep& step) override {
        times.push_back(step.t);
        return integrate::Action::proceed;
    }
    integrate::Action event(const integrate::EventPoint& point) override {
        events.push_back(point.t);
        return integrate::Action::proceed;
    }
};

TEST_P(OneStepMethod, StopTimesAndEventsInBothDirections) {
    for (const double end : {6.0, -6.0}) {
        auto problem = make_problem(PendulumAngle{}, 2);
        problem::Hybrid hybrid;
        hybrid.roots = {1, [](const problem::Call&, double, const double* x, const double*, double* y) {
                            y[0] = x[1]; // turning points, every half period: at 1, 2, 3, …
                            return problem::EvalStatus::ok;
                        }};
        problem.set_facet(std::move(hybrid));
        auto options = with_tolerance(1e-8);
        const double sign = end > 0 ? 1.0 : -1.0;
        options.stop_times = {sign * 0.3, sign * 2.7};
        Watcher watcher;
        const std::vector<double> x0{0.0, 0.0}, dx0{0.0, -pendulum_gravity};
        const auto result = integrate::integrate(problem, *integrate::find_method(GetParam().method), 0.0,
                                                 end - sign * 0.5, x0, dx0, options, watcher);
        ASSERT_TRUE(result.finished()) << result.failure.cause;
        for (const double stop : options.stop_times)
            EXPECT_NE(std::find(watcher.times.begin(), watcher.times.end(), stop), watcher.times.end()) << stop;
        ASSERT_EQ(watcher.events.size(), 5u);
        for (int k = 0; k < 5; ++k) EXPECT_NEAR(watcher.events[k], sign * (k + 1), 1e-6) << k;
    }
}

/// For problems that are not stiff only.
bool not_for_stiffness(const std::string& method) {
    return method == "midpoint" || method == "dopri5" || method == "dop853";
}

TEST_P(OneStepMethod, TransistorAmplifierRobertsonAndPendulum) {
    const char* method = GetParam().method;
    const double tol = 1e-5, allowed = 10.0;
    integrate::IntegrationResult result;
    if (!not_for_stiffness(method)) {
        auto amplifier = make_problem(TransistorAmplifier{}, 8);
        result = solve(amplifier, method, 0, 0.2, TransistorAmplifier::x0(), TransistorAmplifier::dx0(),
                       with_tolerance(tol));
        ASSERT_TRUE(result.finished()) << result.failure.cause;
        for (int i = 0; i < 8; ++i)
            EXPECT_NEAR(result.x[i], TransistorAmplifier::at_02[i],
                        allowed * tol * (1 + std::abs(TransistorAmplifier::at_02[i])));

        auto robertson = make_problem(Robertson{}, 3);
        auto options = with_tolerance(tol);
        options.tolerance.absolute_each = {tol * 1e-6, tol * 1e-12, tol};
        result = solve(robertson, method, 0, 1e11, {1, 0, 0}, {-0.04, 0.04, 0}, options);
        ASSERT_TRUE(result.finished()) << result.failure.cause;
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.x[i] / Robertson::at_1e11[i], 1.0, allowed * tol) << i;
    }

    auto pendulum = PendulumDummy::make();
    result = solve(pendulum, method, 0, 10, PendulumDummy::x0(), std::vector<double>(7), with_tolerance(tol));
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_EQ(result.statistics.state_switches.size(), 20u);
    EXPECT_NEAR(result.x[0], 1.0, allowed * tol);
    EXPECT_NEAR(result.x[3], 0.0, allowed * tol);
}

/// The rows of the extrapolation table have the order that theory gives: one more per row.
TEST(Extrapolation, OneOrderPerRow) {
    for (int rows = 2; rows <= 4; ++rows) {
        auto problem = make_problem(SemiExplicitIndex1{}, 2);
        auto options = fixed_steps();
        options.method.max_order = rows;
        double error[2] = {};
        for (const int level : {0, 1}) {
            const auto stepper = integrate::find_method("limex")->make(problem, options);
            const int steps = 64 << level;
            stepper->start(0.0, SemiExplicitIndex1::x(0.0), SemiExplicitIndex1::dx(0.0), 1.0 / steps);
            for (int k = 1; k <= steps; ++k) {
                ASSERT_TRUE(stepper->attempt(1.0 / steps, static_cast<double>(k) / steps).acceptable());
                stepper->accept();
            }
            for (int i = 0; i < 2; ++i)
                error[level] = std::max(error[level], std::abs(stepper->x()[i] - SemiExplicitIndex1::x(1.0)[i]));
        }
        EXPECT_NEAR(std::log2(error[0] / error[1]), rows, 0.2) << rows;
    }
}

/// Index 2: y of order 2; the multiplier belongs to the middle of its step, hence order 1 at the end and 2 there.
TEST(Midpoint, HessenbergIndexTwo) {
    double y[2] = {}, z[2] = {};
    for (const int level : {0, 1}) {
        auto problem = make_problem(HessenbergIndex2{}, 3, {1, 1, 2});
        const auto stepper = integrate::find_method("midpoint")->make(problem, fixed_steps());
        const int steps = 200 << level;
        const double h = 1.0 / steps;
        stepper->start(0.0, HessenbergIndex2::x(0.0), HessenbergIndex2::dx(0.0), h);
        for (int k = 1; k <= steps; ++k) {
            ASSERT_TRUE(stepper->attempt(h, k * h).acceptable());
            stepper->accept();
        }
        const auto exact = HessenbergIndex2::x(1.0);
        y[level] = std::max(std::abs(stepper->x()[0] - exact[0]), std::abs(stepper->x()[1] - exact[1]));
        z[level] = std::abs(stepper->x()[2] - HessenbergIndex2::x(1.0 - 0.5 * h)[2]);
        EXPECT_NEAR(stepper->x()[0] * stepper->x()[0] * stepper->x()[1], 1.0, 1e-10); // on the constraint
    }
    EXPECT_NEAR(std::log2(y[0] / y[1]), 2.0, 0.2);
    EXPECT_NEAR(std::log2(z[0] / z[1]), 2.0, 0.2);
}

/// The same in faster time.
template <class Problem, int factor>
struct Faster {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        const T slow[2] = {dx[0] / static_cast<double>(factor), dx[1] / static_cast<double>(factor)};
        Problem{}(t * static_cast<double>(factor), x, slow, r);
    }
    static std::vector<double> x(double t) { return Problem::x(factor * t); }
    static std::vector<double> dx(double t) {
        std::vector<double> result = Problem::dx(factor * t);
        for (double& v : result) v *= factor;
        return result;
    }
    static constexpr std::array index{1, 1};
};

/// Their errors on slow problems are round-off on any grid.
TEST(Explicit, ObservedOrders) {
    const auto check = [](const char* method, double order, const Errors& coarse, const Errors& fine, double above) {
        const double end = observed(coarse.end, fine.end);
        EXPECT_GT(end, order - 0.2) << method;
        EXPECT_LT(end, order + above) << method;
        EXPECT_GT(observed(coarse.inside, fine.inside), order - 1.2) << method; // with all constraints: see interpolate
    };
    check("dopri5", 5, march<Oscillator>("dopri5", 32), march<Oscillator>("dopri5", 64), 0.2);
    check("dop853", 8, march<Oscillator>("dop853", 16), march<Oscillator>("dop853", 32), 0.2);
    using Semi = Faster<SemiExplicitIndex1, 2>;
    using Full = Faster<FullyImplicitIndex1, 8>;
    // Their first error terms nearly cancel: at least the order.
    check("dopri5", 5, march<Semi>("dopri5", 32), march<Semi>("dopri5", 64), 2.0);
    check("dopri5", 5, march<Full>("dopri5", 32), march<Full>("dopri5", 64), 2.0);
    check("dop853", 8, march<Semi>("dop853", 16), march<Semi>("dop853", 32), 2.0);
    check("dop853", 8, march<Full>("dop853", 16), march<Full>("dop853", 32), 2.0);
}

TEST(Explicit, PendulumWithDummyDerivatives) {
    for (const char* method : {"dopri5", "dop853"}) {
        auto pendulum = PendulumDummy::make();
        const double tol = 1e-7;
        const auto result =
            solve(pendulum, method, 0, 10, PendulumDummy::x0(), std::vector<double>(7), with_tolerance(tol));
        ASSERT_TRUE(result.finished()) << result.failure.cause;
        EXPECT_EQ(result.statistics.state_switches.size(), 20u);
        EXPECT_NEAR(result.x[0], 1.0, 10 * tol) << method;
        EXPECT_NEAR(result.x[3], 0.0, 10 * tol) << method;
    }
}

/// Output does not disturb: asked for points inside steps or not, the steps are the same to the last bit.
TEST(Explicit, DenseOutputLeavesTheStepsAlone) {
    struct Asking final : integrate::Observer {
        integrate::Action step(const integrate::AcceptedStep& step) override {
            std::vector<double> x(7), dx(7);
            for (const double theta : {0.3, 0.9})
                step.interpolant.evaluate(step.t_before + theta * (step.t - step.t_before), x.data(), dx.data());
            // On the circle, moving along it, everywhere in the step.
            worst = std::max(worst, std::abs(x[0] * x[0] + x[3] * x[3] - 1.0));
            return integrate::Action::proceed;
        }
        double worst = 0.0;
    } asking;
    integrate::Observer silent;
    auto a = PendulumDummy::make(), b = PendulumDummy::make();
    const auto options = with_tolerance(1e-8);
    const std::vector<double> dx0(7);
    const auto* method = integrate::find_method("dop853");
    const auto one = integrate::integrate(a, *method, 0, 10, PendulumDummy::x0(), dx0, options, asking);
    const auto two = integrate::integrate(b, *method, 0, 10, PendulumDummy::x0(), dx0, options, silent);
    EXPECT_EQ(one.x, two.x);
    EXPECT_LT(asking.worst, 1e-7);
}

TEST_P(OneStepMethod, SaysWhichIndexItIntegrates) {
    EXPECT_EQ(integrate::find_method(GetParam().method)->highest_index(5), GetParam().index);
    EXPECT_EQ(integrate::find_method("radau5")->highest_index(5), 3);
}

} // namespace
