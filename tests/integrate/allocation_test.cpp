// No allocation once a stepper is warm: global operator new is counted.
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {
long allocations = 0;
}

// GCC sees through the pair below when it inlines one half and then warns about the other.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size)) return p;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { // std::stable_sort uses this one
    ++allocations;
    return std::malloc(size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace daedalus;
using namespace daedalus::testing;

namespace {

void run(integrate::Stepper& stepper, double t_end, double& h) {
    while (stepper.t() < t_end) {
        const auto attempt = stepper.attempt(h, stepper.t() + h);
        if (attempt.acceptable()) stepper.accept();
        h = attempt.next_h;
    }
}

TEST(Allocation, NoneAfterWarmUp) {
    auto options = with_tolerance(1e-5);
    // The automatic solver writes a program for new pivots when matrices have changed; that is no step of the method.
    options.linear_solver = linalg::SolverKind::dense;
    for (const char* method :
         {"radau5", "bdf", "rodas4", "rodas5", "rodas6", "esdirk3", "esdirk4", "esdirk5", "limex"}) {
        auto problem = make_problem(TransistorAmplifier{}, 8);
        const auto stepper = integrate::find_method(method)->make(problem, options);
        double h = 1e-6;
        stepper->start(0, TransistorAmplifier::x0(), TransistorAmplifier::dx0(), h);
        run(*stepper, 0.01, h);
        const long before = allocations;
        const long steps = stepper->counters().steps;
        run(*stepper, 0.05, h);
        EXPECT_EQ(allocations, before) << method;
        EXPECT_GT(stepper->counters().steps, steps + (method == std::string("limex") ? 20 : 50));
    }
}

TEST(Allocation, NoneAfterWarmUpWithoutStiffness) {
    auto problem = make_problem(PendulumAngle{}, 2);
    const auto stepper = integrate::find_method("midpoint")->make(problem, with_tolerance(1e-5));
    double h = 1e-4;
    stepper->start(0, std::vector<double>{0, 0}, std::vector<double>{0, -pendulum_gravity}, h);
    run(*stepper, 1.0, h);
    const long before = allocations;
    const long steps = stepper->counters().steps;
    run(*stepper, 2.0, h);
    EXPECT_EQ(allocations, before);
    EXPECT_GT(stepper->counters().steps, steps + 50);
}

} // namespace
