// Methods that difference a quantity q = Q(t, x) in place of x (problem/differentiated_quantity.hpp): orders, accuracy,
// and that they conserve what differences of x do not.
#include "integrate/methods/bdf.hpp"
#include "stated_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// A nonlinear capacitor q = v + v³ behind a resistor, with the source such that v = sin t; the current i is an
/// algebraic unknown.
struct Capacitor {
    static constexpr int n = 2, m = 1;
    static bool differential(int i) { return i == 0; }
    template <class T>
    void q(T, const T* x, T* q) const {
        q[0] = x[0] + x[0] * x[0] * x[0];
    }
    template <class T>
    void g(T t, const T* x, const T*, const T* dq, T* r) const {
        using std::cos;
        using std::sin;
        const T v = sin(t), i = (1.0 + 3.0 * v * v) * cos(t);
        r[0] = dq[0] - x[1];
        r[1] = x[1] - (v + i - x[0]); // source v + R i, R = 1
    }
    static std::vector<double> x(double t) { return {std::sin(t), slope(t)}; }
    static std::vector<double> dx(double t) {
        const double s = std::sin(t), c = std::cos(t);
        return {c, 6.0 * s * c * c - (1.0 + 3.0 * s * s) * s};
    }
    static double slope(double t) { return (1.0 + 3.0 * std::sin(t) * std::sin(t)) * std::cos(t); }
};

double error_at_end(const char* method, const integrate::IntegrationOptions& options, double t1) {
    auto problem = make_stated_problem(Capacitor{});
    const auto result = solve(problem, method, 0.0, t1, Capacitor::x(0.0), Capacitor::dx(0.0), options);
    EXPECT_TRUE(result.finished()) << method << ": " << result.failure.cause;
    return std::max(std::abs(result.x[0] - std::sin(t1)), std::abs(result.x[1] - Capacitor::slope(t1)));
}

integrate::IntegrationOptions constant_steps(int max_order = 5) {
    integrate::IntegrationOptions options = with_tolerance(1e-12);
    options.method.fixed_step = true;
    options.method.max_newton_iterations = 60;
    options.method.max_order = max_order;
    return options;
}

/// Largest errors of x and of x' over equal steps up to 1.
struct Errors {
    double x = 0.0, dx = 0.0;
};

template <class Equations>
Errors march(integrate::Stepper& stepper, int steps) {
    const double begin = stepper.t(), h = (1.0 - begin) / steps;
    Errors errors;
    for (int step = 1; step <= steps; ++step) {
        const double t = begin + step * h;
        const integrate::Attempt attempt = stepper.attempt(h, t);
        EXPECT_TRUE(attempt.acceptable()) << "step " << step << " status " << static_cast<int>(attempt.status);
        if (!attempt.acceptable()) return {};
        stepper.accept();
        const std::vector<double> x = Equations::x(t), dx = Equations::dx(t);
        for (std::size_t i = 0; i < x.size(); ++i) {
            errors.x = std::max(errors.x, std::abs(stepper.x()[i] - x[i]));
            if (Equations::differential(static_cast<int>(i)))
                errors.dx = std::max(errors.dx, std::abs(stepper.dx()[i] - dx[i]));
        }
    }
    return errors;
}

template <class Equations>
Errors of_one_step_method(const char* method, int steps) {
    auto problem = make_stated_problem(Equations{});
    const auto stepper = integrate::find_method(method)->make(problem, constant_steps());
    stepper->start(0.0, Equations::x(0.0), Equations::dx(0.0), 1.0 / steps);
    return march<Equations>(*stepper, steps);
}

template <class Equations>
Errors of_bdf(int order, int steps) {
    auto problem = make_stated_problem(Equations{});
    std::vector<double> times, values;
    for (int k = 0; k <= order; ++k) {
        times.push_back(static_cast<double>(order - k) / steps);
        for (const double v : Equations::x(times.back())) values.push_back(v);
    }
    const auto stepper =
        integrate::make_bdf_with_history(problem, constant_steps(order), times, values, Equations::dx(times[0]));
    return march<Equations>(*stepper, steps - order);
}

/// x' is as good as continuous output needs it, one order below; of Radau IIA methods with s stages s + 2, since two
/// corrections follow the slope of a polynomial of degree s.
void expect_orders(const char* what, const Errors& coarse, const Errors& fine, double order, double of_slopes) {
    EXPECT_NEAR(std::log2(coarse.x / fine.x), order, 0.3) << what << ": " << coarse.x << ' ' << fine.x;
    // Corrections of x' end where they are a share of the tolerance, 1e-12 here: what is that good shows no order.
    constexpr double settled = 1e-11;
    if (of_slopes == 0.0 || fine.dx < settled) return;
    EXPECT_GT(std::log2(coarse.dx / fine.dx), of_slopes - 0.3) << what << ", x': " << coarse.dx << ' ' << fine.dx;
}

/// For index 1 with a properly stated leading term, methods by differences of q have the orders that they have for
/// ODEs (Lamour, März & Tischendorf 2013, chapter 5).
template <class Equations>
void expect_orders_of_methods(bool slopes_too) {
    for (int k = 1; k <= 5; ++k) {
        const int steps = k <= 2 ? 100 : k <= 4 ? 50 : 64;
        expect_orders("bdf", of_bdf<Equations>(k, steps), of_bdf<Equations>(k, 2 * steps), k, slopes_too ? k - 1 : 0);
    }
    const auto one_step = [&](const char* method, int steps, double order, double of_slopes) {
        expect_orders(method, of_one_step_method<Equations>(method, steps),
                      of_one_step_method<Equations>(method, 2 * steps), order, slopes_too ? of_slopes : 0.0);
    };
    one_step("radau1", 100, 1, 0);
    one_step("radau5", 10, 5, 4);
    one_step("radau9", 4, 9, 7);
    one_step("esdirk3", 20, 3, 2);
    one_step("esdirk4", 20, 4, 3);
    one_step("esdirk5", 10, 5, 4);
    one_step("radau2a-2", 40, 3, 2);
    one_step("lobatto3a-3", 20, 4, 3);
    one_step("lobatto3c-3", 20, 4, 3);
    one_step("sdirk3", 40, 3, 2);
}

TEST(DifferentiatedQuantity, MethodsHaveTheirOrders) { expect_orders_of_methods<Capacitor>(true); }

constexpr const char* methods[] = {"bdf",     "radau",   "radau5",    "radau9",      "esdirk3",
                                   "esdirk4", "esdirk5", "radau2a-2", "lobatto3c-3", "sdirk3"};

TEST(DifferentiatedQuantity, ErrorsAreWithinTheTolerance) {
    for (const char* method : methods)
        for (double tol = 1e-3; tol > 0.5e-9; tol /= 10)
            EXPECT_LT(error_at_end(method, with_tolerance(tol), 10.0), 10 * tol) << method << ' ' << tol;
}

/// Three capacitors q_k = v_k + v_k³ + b v_k⁵ between one node each and ground, connected by resistors and a source of
/// current between two of them: Σ q stays.
struct ClosedLoop {
    static constexpr int n = 3, m = 3;
    static bool differential(int) { return true; }
    template <class T>
    void q(T, const T* x, T* q) const {
        for (int k = 0; k < 3; ++k) q[k] = x[k] + x[k] * x[k] * x[k] * (1.0 + 0.2 * k * x[k] * x[k]);
    }
    template <class T>
    void g(T t, const T* x, const T*, const T* dq, T* r) const {
        using std::sin;
        const T a = 2.0 * (x[0] - x[1]), b = 3.0 * (x[1] - x[2]), c = 5.0 * (x[2] - x[0]), s = 8.0 * sin(2.0 * t);
        r[0] = dq[0] + a - c - s;
        r[1] = dq[1] + b - a + s;
        r[2] = dq[2] + c - b;
    }
    static double total(std::span<const double> x) {
        double q[3], sum = 0.0;
        ClosedLoop{}.q(0.0, x.data(), q);
        for (const double v : q) sum += v;
        return sum;
    }
};

/// q' at the start from the equations, v' from q'.
std::vector<double> slopes_of_loop(const std::vector<double>& x0) {
    double r[3], none[3] = {0, 0, 0};
    ClosedLoop{}.g(0.0, x0.data(), static_cast<double*>(nullptr), static_cast<const double*>(none), r);
    std::vector<double> dx0;
    for (int k = 0; k < 3; ++k) {
        const double v = x0[static_cast<std::size_t>(k)];
        dx0.push_back(-r[k] / (1.0 + 3.0 * v * v + k * v * v * v * v));
    }
    return dx0;
}

struct Drift : integrate::Observer {
    double first = 0.0, largest = 0.0, early = 0.0;
    long steps = 0;
    integrate::Action step(const integrate::AcceptedStep& s) override {
        const double d = std::abs(ClosedLoop::total(s.x) - first);
        largest = std::max(largest, d);
        if (++steps <= 500) early = std::max(early, d);
        return integrate::Action::proceed;
    }
};

Drift drift_of(const char* method, bool with_quantity, integrate::IntegrationOptions options, double t1) {
    auto problem = make_stated_problem(ClosedLoop{}, with_quantity);
    const std::vector<double> x0{1.0, -0.5, 0.2};
    const std::vector<double> dx0 = slopes_of_loop(x0);
    Drift drift;
    drift.first = ClosedLoop::total(x0);
    const auto result =
        integrate::integrate(problem, *integrate::find_method(method), 0.0, t1, x0, dx0, options, drift);
    EXPECT_TRUE(result.finished()) << method << ": " << result.failure.cause;
    return drift;
}

TEST(DifferentiatedQuantity, ChargeIsConservedByLooseTolerances) {
    for (const char* method : {"bdf", "radau5", "esdirk4"}) {
        const Drift charges = drift_of(method, true, with_tolerance(1e-3), 3000.0);
        const Drift chain = drift_of(method, false, with_tolerance(1e-3), 3000.0);
        EXPECT_GT(charges.steps, 10'000) << method;
        EXPECT_LT(charges.largest, 1e-3) << method;
        EXPECT_GT(chain.largest, 30 * charges.largest) << method;
    }
}

/// A momentum with a constraint: index 2. x = (sin t, cos t), z = exp(-t).
struct ConstrainedMomentum {
    static constexpr int n = 3, m = 2;
    static constexpr int index[3] = {1, 1, 2};
    static bool differential(int i) { return i < 2; }
    template <class T>
    void q(T t, const T* x, T* q) const {
        q[0] = x[0] + 0.2 * x[0] * x[0] * x[0] * x[1];
        q[1] = x[1] * (1.0 + 0.1 * t);
    }
    template <class T>
    void g(T t, const T* x, const T*, const T* dq, T* r) const {
        using std::cos;
        using std::exp;
        using std::sin;
        const T s = sin(t), c = cos(t), z = exp(-t);
        r[0] = dq[0] - (c + 0.6 * s * s * c * c - 0.2 * s * s * s * s) - (x[0] * x[2] - s * z);
        r[1] = dq[1] - (0.1 * c - s * (1.0 + 0.1 * t)) - (x[1] * x[2] - c * z);
        r[2] = x[0] * x[0] + x[1] * x[1] - 1.0;
    }
    static std::vector<double> x(double t) { return {std::sin(t), std::cos(t), std::exp(-t)}; }
    static std::vector<double> dx(double t) { return {std::cos(t), -std::sin(t), -std::exp(-t)}; }
};

/// As for Hessenberg systems of index 2 (W Thm 2.4; HW VII.4 Table 4.1): BDF has its order in all components, the least
/// of Radau IIA with three stages is that of z.
TEST(DifferentiatedQuantity, OrdersOfIndexTwo) {
    for (int k = 2; k <= 4; ++k)
        expect_orders("bdf", of_bdf<ConstrainedMomentum>(k, 50), of_bdf<ConstrainedMomentum>(k, 100), k, k - 1);
    expect_orders("radau5", of_one_step_method<ConstrainedMomentum>("radau5", 20),
                  of_one_step_method<ConstrainedMomentum>("radau5", 40), 3, 3);
}

/// Newton's iteration to round-off: nothing is left that could add up.
TEST(DifferentiatedQuantity, ChargeIsConservedToRoundOffByExactIterations) {
    const std::vector<double> x0{1.0, -0.5, 0.2}, dx0 = slopes_of_loop(x0);
    for (const char* method : {"radau5", "esdirk4", "bdf", "radau2a-2", "lobatto3c-3", "sdirk3"}) {
        double drift[2] = {};
        for (const bool with_quantity : {true, false}) {
            auto problem = make_stated_problem(ClosedLoop{}, with_quantity);
            const auto stepper = integrate::find_method(method)->make(problem, constant_steps());
            constexpr double h = 0.05;
            stepper->start(0.0, x0, dx0, h);
            for (int step = 1; step <= 4000; ++step) {
                ASSERT_TRUE(stepper->attempt(h, step * h).acceptable()) << method << ' ' << step;
                stepper->accept();
                drift[with_quantity] =
                    std::max(drift[with_quantity], std::abs(ClosedLoop::total(stepper->x()) - ClosedLoop::total(x0)));
            }
        }
        EXPECT_LT(drift[true], 4000 * 10 * 2.2e-16) << method; // roundings of three charges of size 1 to 10 per step
        EXPECT_GT(drift[false], 1e-7) << method;
    }
}

/// Random quantities of all unknowns and of time, fewer than unknowns, with a solution that is known: x_j = a_j + b_j
/// sin(ω_j t + φ_j). All derivatives occur, and the leading matrix is singular in a way that changes along the
/// solution.
struct RandomQuantity {
    static constexpr int n = 4, m = 2;
    static bool differential(int) { return true; }
    double level[n], swing[n], frequency[n], phase[n];
    double A[m][n], B[m][n], bend[m], speed[m], P[m][m], K[m][n], E[n - m][n];

    explicit RandomQuantity(unsigned seed = 1, double stiffest = 1.0) {
        std::mt19937 generator(seed);
        const auto random = [&](double from, double to) {
            return from + (to - from) * (static_cast<double>(generator()) / 4294967296.0);
        };
        for (int j = 0; j < n; ++j) {
            level[j] = random(-1, 1);
            swing[j] = random(0.3, 1);
            frequency[j] = random(0.5, 3);
            phase[j] = random(0, 6);
        }
        for (int k = 0; k < m; ++k) {
            bend[k] = random(-0.3, 0.3);
            speed[k] = random(-2, 2);
            for (int j = 0; j < n; ++j) {
                A[k][j] = (j == k ? 1.0 : 0.0) + random(-0.2, 0.2);
                B[k][j] = random(-0.7, 0.7);
                K[k][j] = (j == k ? std::pow(stiffest, random(0, 1)) : 0.0) + random(-0.1, 0.1);
            }
            for (int l = 0; l < m; ++l) P[k][l] = (k == l ? 1.0 : 0.0) + random(-0.2, 0.2);
        }
        for (int k = 0; k < n - m; ++k)
            for (int j = 0; j < n; ++j) E[k][j] = (j == m + k ? 1.0 : 0.0) + random(-0.2, 0.2);
    }
    template <class T>
    void exact(T t, T* x, T* dx) const {
        using std::cos;
        using std::sin;
        for (int j = 0; j < n; ++j) {
            x[j] = level[j] + swing[j] * sin(frequency[j] * t + phase[j]);
            dx[j] = swing[j] * frequency[j] * cos(frequency[j] * t + phase[j]);
        }
    }
    template <class T>
    T angle(int k, T t, const T* x) const {
        T sum = speed[k] * t;
        for (int j = 0; j < n; ++j) sum += B[k][j] * x[j];
        return sum;
    }
    template <class T>
    void q(T t, const T* x, T* q) const {
        using std::sin;
        for (int k = 0; k < m; ++k) {
            q[k] = bend[k] * sin(angle(k, t, x));
            for (int j = 0; j < n; ++j) q[k] += A[k][j] * x[j];
        }
    }
    template <class T>
    void g(T t, const T* x, const T*, const T* dq, T* r) const {
        using std::cos;
        T xs[n], dxs[n], e[n], f[m];
        exact(t, xs, dxs);
        for (int j = 0; j < n; ++j) e[j] = x[j] - xs[j] + 0.1 * (x[j] * x[j] * x[j] - xs[j] * xs[j] * xs[j]);
        for (int k = 0; k < m; ++k) {
            f[k] = dq[k];
            const T c = bend[k] * cos(angle(k, t, static_cast<const T*>(xs)));
            f[k] -= c * speed[k];
            for (int j = 0; j < n; ++j) f[k] -= (A[k][j] + c * B[k][j]) * dxs[j];
        }
        for (int k = 0; k < m; ++k) {
            r[k] = 0.0;
            for (int l = 0; l < m; ++l) r[k] += P[k][l] * f[l];
            for (int j = 0; j < n; ++j) r[k] += K[k][j] * e[j];
        }
        for (int k = 0; k < n - m; ++k) {
            r[m + k] = 0.0;
            for (int j = 0; j < n; ++j) r[m + k] += E[k][j] * e[j];
        }
    }
    static std::vector<double> x(double t) {
        double x[n], dx[n];
        RandomQuantity().exact(t, x, dx);
        return {x, x + n};
    }
    static std::vector<double> dx(double t) {
        double x[n], dx[n];
        RandomQuantity().exact(t, x, dx);
        return {dx, dx + n};
    }
};

/// F has fewer combinations of x' than there are unknowns, and x' is as good as the slope of a polynomial through the
/// stages: not more than that can be expected.
TEST(DifferentiatedQuantity, OrdersWhereAllDerivativesOccur) { expect_orders_of_methods<RandomQuantity>(false); }

/// Largest errors at and between the steps.
struct ErrorsOnTheWay : integrate::Observer {
    explicit ErrorsOnTheWay(const RandomQuantity& known) : equations(known) {}
    const RandomQuantity& equations;
    double at_steps = 0.0, between = 0.0;

    [[nodiscard]] double error(double t, const double* x) const {
        double known[RandomQuantity::n], slopes[RandomQuantity::n], largest = 0.0;
        equations.exact(t, known, slopes);
        for (int j = 0; j < RandomQuantity::n; ++j) largest = std::max(largest, std::abs(x[j] - known[j]));
        return largest;
    }
    integrate::Action step(const integrate::AcceptedStep& s) override {
        at_steps = std::max(at_steps, error(s.t, s.x.data()));
        double x[RandomQuantity::n], dx[RandomQuantity::n];
        for (const double theta : {0.2, 0.5, 0.8}) {
            const double t = s.t_before + theta * (s.t - s.t_before);
            s.interpolant.evaluate(t, x, dx);
            between = std::max(between, error(t, x));
        }
        return integrate::Action::proceed;
    }
};

TEST(DifferentiatedQuantity, RandomQuantities) {
    for (unsigned seed = 1; seed <= 30; ++seed) {
        const RandomQuantity equations(seed, 1000.0);
        double x0[RandomQuantity::n], dx0[RandomQuantity::n];
        equations.exact(0.0, x0, dx0);
        for (const char* method : methods)
            for (const double tol : {1e-4, 1e-7}) {
                auto problem = make_stated_problem(equations);
                ErrorsOnTheWay errors(equations);
                const auto result = integrate::integrate(problem, *integrate::find_method(method), 0.0, 5.0,
                                                         std::span(x0), std::span(dx0), with_tolerance(tol), errors);
                ASSERT_TRUE(result.finished()) << seed << ' ' << method << ": " << result.failure.cause;
                EXPECT_LT(errors.error(5.0, result.x.data()), 10 * tol) << seed << ' ' << method << ' ' << tol;
                EXPECT_LT(errors.at_steps, 20 * tol) << seed << ' ' << method << ' ' << tol;
                // Cubics with slopes of the order of the stages are less accurate, as they are with the chain rule.
                const std::string name = method;
                if (name == "bdf" || (name.starts_with("radau") && name != "radau2a-2")) {
                    EXPECT_LT(errors.between, 20 * tol) << seed << ' ' << method << ' ' << tol;
                }
            }
    }
}

/// What an iteration leaves in q must not be noise that differences amplify: then orders would stay low and steps
/// short.
TEST(DifferentiatedQuantity, CostsHardlyMoreStepsThanTheChainRule) {
    for (const char* method : {"bdf", "radau", "esdirk4"})
        for (const double tol : {1e-4, 1e-7}) {
            long steps[2] = {};
            for (unsigned seed = 1; seed <= 60; ++seed)
                for (const bool with_quantity : {true, false}) {
                    const RandomQuantity equations(seed, 1000.0);
                    double x0[RandomQuantity::n], dx0[RandomQuantity::n];
                    equations.exact(0.0, x0, dx0);
                    auto problem = make_stated_problem(equations, with_quantity);
                    const auto result =
                        solve(problem, method, 0.0, 5.0, {x0, x0 + 4}, {dx0, dx0 + 4}, with_tolerance(tol));
                    steps[with_quantity] += result.statistics.counters.steps;
                }
            EXPECT_LT(static_cast<double>(steps[true]), 1.15 * static_cast<double>(steps[false]))
                << method << ' ' << tol;
        }
}

} // namespace
