// Methods that difference a quantity q = Q(t, x) in place of x (problem/differentiated_quantity.hpp): orders, accuracy,
// and that they conserve what differences of x do not.
#include "integrate/methods/bdf.hpp"
#include "stated_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
    EXPECT_GT(std::log2(coarse.dx / fine.dx), of_slopes - 0.3) << what << ", x': " << coarse.dx << ' ' << fine.dx;
}

/// For index 1 with a properly stated leading term, methods by differences of q have the orders that they have for
/// ODEs (Lamour, März & Tischendorf 2013, chapter 5).
template <class Equations>
void expect_orders_of_methods() {
    for (int k = 1; k <= 5; ++k) {
        const int steps = k <= 2 ? 100 : k == 3 ? 50 : 40;
        expect_orders("bdf", of_bdf<Equations>(k, steps), of_bdf<Equations>(k, 2 * steps), k, k - 1);
    }
    const auto one_step = [](const char* method, int steps, double order, double of_slopes) {
        expect_orders(method, of_one_step_method<Equations>(method, steps),
                      of_one_step_method<Equations>(method, 2 * steps), order, of_slopes);
    };
    one_step("radau1", 100, 1, 0);
    one_step("radau5", 10, 5, 4);
    one_step("radau9", 4, 9, 7);
    one_step("esdirk3", 20, 3, 2);
    one_step("esdirk4", 20, 4, 3);
    one_step("esdirk5", 10, 5, 4);
}

TEST(DifferentiatedQuantity, MethodsHaveTheirOrders) { expect_orders_of_methods<Capacitor>(); }

TEST(DifferentiatedQuantity, ErrorsAreWithinTheTolerance) {
    for (const char* method : {"bdf", "radau", "radau5", "radau9", "esdirk3", "esdirk4", "esdirk5"})
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
    // q' at the start from the equations, v' from q'
    double r[3], none[3] = {0, 0, 0};
    ClosedLoop{}.g(0.0, x0.data(), static_cast<double*>(nullptr), static_cast<const double*>(none), r);
    std::vector<double> dx0;
    for (int k = 0; k < 3; ++k) {
        const double v = x0[static_cast<std::size_t>(k)];
        dx0.push_back(-r[k] / (1.0 + 3.0 * v * v + k * v * v * v * v));
    }
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

} // namespace
