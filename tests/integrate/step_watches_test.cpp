// What implicit methods ask of a step besides the error they estimate: each with what goes wrong without it.
#include "integrate/leave_out.hpp"

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct WorstError : integrate::Observer {
    double (*exact)(double) = nullptr;
    std::size_t unknown = 0;
    double worst = 0.0;
    integrate::Action step(const integrate::AcceptedStep& step) override {
        if (exact != nullptr) worst = std::max(worst, std::abs(step.x[unknown] - exact(step.t)));
        return integrate::Action::proceed;
    }
};

/// A kernel that says which of its Jacobian's entries vary (of n² in ∂F/∂x, then n² in ∂F/∂x'), as compiled models do.
template <class Residual>
problem::ImplicitProblem varying(Residual f, int n, std::vector<int> entries, bool steep = false) {
    problem::System system = make_system(f, n);
    for (const int entry : entries) system.kernels.varying.push_back(entry);
    system.kernels.steep = steep;
    system.kernels.linearize = [](const problem::Call& call, double t, const double* x, const double* dx,
                                  double* values) {
        const int unknowns = call.object<Traced<Residual>>().n;
        const auto known = Traced<Residual>::residual(call, t, x, dx, values);
        double* const jx = values + unknowns;
        const auto linear = Traced<Residual>::jacobian(call, t, x, dx, jx, jx + unknowns * unknowns);
        return known == problem::EvalStatus::ok ? linear : known;
    };
    return problem::ImplicitProblem(system);
}

integrate::IntegrationResult solved(const problem::ImplicitProblem& problem, Given given, const char* method,
                                    double tolerance, integrate::StepWatches watches, WorstError* error = nullptr) {
    given.method = method;
    given.options = with_tolerance(tolerance);
    given.options.method.watches = watches;
    return run_without("", problem, given, error);
}

/// x' = -1/(2x) from 1: x = √(1 - t) ends at t = 1.
struct SquareRoot {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + 1.0 / (2.0 * x[0]);
    }
};

/// x' = x² from 1: x = 1/(1 - t) has a pole at t = 1.
struct Pole {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[0] * x[0];
    }
};

/// x follows the voltage z of a diode in a circuit with a source 2 sin t: currents of e^(40 z) on one side, next to
/// nothing on the other.
struct Diode {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::exp;
        using std::sin;
        r[0] = dx[0] + x[0] - x[1];
        r[1] = 1e-6 * (exp(40.0 * x[1]) - 1.0) + (x[1] - 2.0 * sin(t)) / 1e3;
    }
};

/// (x, y) goes round the unit circle, z' = 50 e^(-1000 y²): four pulses and a half of area 2.804 until t = 15, each a
/// twentieth of a unit wide.
struct Pulses {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        using std::exp;
        r[0] = dx[0] + x[1];
        r[1] = dx[1] - x[0];
        r[2] = dx[2] - 50.0 * exp(-1000.0 * x[1] * x[1]);
    }
};

/// x is stiff, x = sin t to within 10⁻⁶; y = (sin t - x)/10⁻⁶ = x' follows its slope.
struct Follower {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::sin;
        r[0] = 1e-6 * dx[0] + x[0] - sin(t);
        r[1] = x[1] - (sin(t) - x[0]) / 1e-6;
    }
};

} // namespace

TEST(GrowthGuard, KeepsStepsFromGoingBeyondTheEndOfASolution) {
    const auto problem = varying(SquareRoot{}, 1, {0});
    const Given given{.t1 = 2, .x0 = {1}, .dx0 = {-0.5}};
    for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
        const auto with = solved(problem, given, "bdf", tolerance, {});
        EXPECT_FALSE(with.finished());
        EXPECT_NEAR(with.t, 1.0, 1e-3);
        const auto without = solved(problem, given, "bdf", tolerance, {.growth = false});
        EXPECT_TRUE(without.finished()); // to t = 2, with success
    }
}

TEST(GrowthGuard, KeepsRosenbrockMethodsFromPassingAPole) {
    const auto problem = varying(Pole{}, 1, {0});
    const Given given{.t1 = 2, .x0 = {1}, .dx0 = {1}};
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
        const auto with = solved(problem, given, "rodas3", tolerance, {});
        EXPECT_FALSE(with.finished());
        EXPECT_NEAR(with.t, 1.0, 1e-3);
        const auto without = solved(problem, given, "rodas3", tolerance, {.growth = false});
        ASSERT_TRUE(without.finished());
        EXPECT_NEAR(without.x[0], -1.0, 0.1); // 1/(1 - 2): beyond the pole, with success
    }
}

TEST(WeakenedMatrixGuard, FollowsADiodeThatBlocks) {
    const auto problem = varying(Diode{}, 2, {3}, true);
    const Given given{.t1 = 15, .x0 = {0, 0}, .dx0 = {0, 0}};
    const auto reference = solved(problem, given, "radau9", 1e-10, {});
    ASSERT_TRUE(reference.finished());
    for (const double tolerance : {1e-2, 1e-3}) {
        const auto with = solved(problem, given, "radau5", tolerance, {});
        ASSERT_TRUE(with.finished()) << with.failure.cause;
        EXPECT_NEAR(with.x[0], reference.x[0], 10 * tolerance);
        const auto without = solved(problem, given, "radau5", tolerance, {.weakened_matrix = false});
        EXPECT_FALSE(without.finished());
    }
}

TEST(StageGapsGuard, SeesPulsesThatStagesStepOver) {
    const auto problem = varying(Pulses{}, 3, {7}, true);
    const Given given{.t1 = 15, .x0 = {1, 0, 0}, .dx0 = {0, 1, 50}};
    // ∫ e^(-1000 sin² t) dt over one pulse: π e^(-500) I₀(500) (Abramowitz & Stegun 9.6.16)
    const double pulse = 50.0 * std::acos(-1.0) * std::exp(-500.0) * std::cyl_bessel_i(0.0, 500.0);
    const auto with = solved(problem, given, "radau9", 1e-3, {});
    ASSERT_TRUE(with.finished());
    EXPECT_NEAR(with.x[2], 4.5 * pulse, 10 * 1e-3 * 4.5 * pulse);
    const auto without = solved(problem, given, "radau9", 1e-3, {.gaps = false});
    ASSERT_TRUE(without.finished());
    EXPECT_LT(without.x[2], 0.5 * pulse + 0.1); // the half pulse at the start alone, with success
}

TEST(FollowerErrorsGuard, HoldsWhatFollowsASlopeToTheTolerance) {
    problem::System system = make_system(Follower{}, 2);
    system.unknowns[1].differential = false;
    const problem::ImplicitProblem problem{system};
    const Given given{.t1 = 3, .x0 = {-1e-6, 1}, .dx0 = {1, 0}};
    constexpr double tolerance = 1e-7;
    WorstError with, without;
    for (WorstError* error : {&with, &without}) {
        error->exact = [](double t) { return std::cos(t) + 1e-6 * std::sin(t); };
        error->unknown = 1;
    }
    ASSERT_TRUE(solved(problem, given, "radau9", tolerance, {}, &with).finished());
    ASSERT_TRUE(solved(problem, given, "radau9", tolerance, {.followers = false}, &without).finished());
    EXPECT_LT(with.worst, 15 * tolerance);
    EXPECT_GT(without.worst, 2 * with.worst);
}
