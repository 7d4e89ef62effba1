// What is said of points between steps that nothing determines to the tolerance: a warning above ten tolerances, and no
// success where rounding is more than a ten-thousandth of an unknown.
#include "integrate/problems.hpp"
#include "simulation/run_warnings.hpp"

#include <gtest/gtest.h>

#include <optional>

using namespace daedalus;
using namespace daedalus::testing;
using integrate::DoubtfulPoint;

namespace {

struct Named final : problem::Legend {
    [[nodiscard]] std::string variable(int column) const override { return column == 0 ? "x" : "z"; }
    [[nodiscard]] std::string equation(int row) const override { return row == 0 ? "der(x) = 1" : "c*z = f"; }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        if (row != 1) return std::nullopt;
        return Location{.file = "weak.mo", .line = 7, .column = 3};
    }
    [[nodiscard]] std::optional<Location> variable_location(int /*column*/) const override {
        return Location{.file = "weak.mo", .line = 2, .column = 8};
    }
};

struct Two {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - 1.0;
        r[1] = x[1] - x[0];
    }
};

simulation::Record judged(const DoubtfulPoint& point, double rtol) {
    auto problem = make_problem(Two{}, 2);
    problem::System system = problem.system();
    system.facets.set(problem::Names{std::make_shared<Named>()});
    const problem::ImplicitProblem named(std::move(system));
    simulation::Record record;
    record.outcome = Outcome::success;
    simulation::judge_doubtful_point(named, point, rtol, record);
    return record;
}

TEST(DoubtfulPoint, WithinTenTolerancesNothingIsSaid) {
    const simulation::Record record = judged({0.5, 1, 9.0, DoubtfulPoint::Error::rounding, 1}, 1e-6);
    EXPECT_TRUE(record.report.diagnostics.empty());
    EXPECT_EQ(record.outcome, Outcome::success);
}

TEST(DoubtfulPoint, RoundingIsNamedWithItsEquation) {
    const simulation::Record record = judged({0.5, 1, 42.0, DoubtfulPoint::Error::rounding, 1}, 1e-9);
    ASSERT_EQ(record.report.diagnostics.size(), 1U);
    const Diagnostic& d = record.report.diagnostics.front();
    EXPECT_EQ(d.code, "magnified-rounding");
    EXPECT_EQ(d.severity, Severity::warning);
    EXPECT_NE(d.message.find("c*z = f"), std::string::npos) << d.message;
    EXPECT_NE(d.message.find("'z' is determined there to about 42 times"), std::string::npos) << d.message;
    ASSERT_TRUE(d.where.has_value());
    EXPECT_EQ(d.where->line, 7);
    EXPECT_EQ(record.outcome, Outcome::success);
}

TEST(DoubtfulPoint, RoundingThatShowsIsNoSuccess) {
    const simulation::Record record = judged({0.5, 1, 200.0, DoubtfulPoint::Error::rounding, 1}, 1e-6); // 2e-4 of z
    ASSERT_EQ(record.report.diagnostics.size(), 1U);
    EXPECT_EQ(record.report.diagnostics.front().severity, Severity::error);
    EXPECT_EQ(record.outcome, Outcome::failed);
    EXPECT_EQ(record.message, record.report.diagnostics.front().message);
}

TEST(DoubtfulPoint, WhatInterpolationIsOffByIsSaidOfTheVariable) {
    const simulation::Record record = judged({0.5, 1, 30.0, DoubtfulPoint::Error::polynomial, -1}, 1e-2);
    ASSERT_EQ(record.report.diagnostics.size(), 1U);
    const Diagnostic& d = record.report.diagnostics.front();
    EXPECT_EQ(d.code, "magnified-errors");
    EXPECT_EQ(d.severity, Severity::warning);
    EXPECT_NE(d.message.find("'z'"), std::string::npos) << d.message;
    ASSERT_TRUE(d.where.has_value());
    EXPECT_EQ(d.where->line, 2);
    EXPECT_EQ(record.outcome, Outcome::success);
}

} // namespace
