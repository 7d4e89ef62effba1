// Whether an error that the tolerance allows may have grown to the size of the solution itself.
//
// Of an autonomous system the slope x' obeys the variational equation M δ' + J δ = 0, so that a perturbation of the
// solution at s in the direction of x'(s), as large as the tolerance there, is at t
//     δ(t) = x'(t) / ‖x'(s)‖ ,   ‖·‖ the largest component in tolerances at s .
// Where a solution comes to rest, to within its tolerance, and leaves again, |δ_i(t)| exceeds the size of x_i: what
// follows may be the solution, or an error that was allowed at s and that the equations let grow (Robertson's kinetics
// beyond a concentration that is negative within its absolute tolerance). All equations hold either way, and only a run
// with another tolerance tells (simulation/solve_model). Forced systems are looked at in the same way: there the answer
// costs a run that was not needed.
#pragma once

#include "integrate/observer.hpp"
#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace daedalus::simulation {

/// A variable that left a state of rest in which the tolerance allowed any of its later courses.
struct Departure {
    int unknown = -1;
    double rest = 0.0;  ///< when the slope was smallest
    double leave = 0.0; ///< when what the tolerance allowed there had grown to the size of the variable
};

class DepartureWatch {
public:
    DepartureWatch(const problem::ImplicitProblem& problem, const integrate::Tolerance& tolerance);
    void step(const integrate::AcceptedStep& step);
    /// At the end of the run.
    [[nodiscard]] std::optional<Departure> found(std::span<const double> x) const;

private:
    [[nodiscard]] double tolerance(std::size_t i, double x) const { return relative_[i] * std::abs(x) + absolute_[i]; }
    void restart();
    [[nodiscard]] double level(std::span<const double> x, std::span<const double> dx) const;
    void look(double t, std::span<const double> x, std::span<const double> dx);

    long restarts_ = 0;
    std::vector<int> looked_at_; ///< unknowns that are variables, or derivatives of them
    std::vector<double> relative_, absolute_;
    std::vector<double> largest_;    ///< |x_i| so far
    std::array<double, 2> recent_{}; ///< levels of the two steps before
    double quiet_ = 0.0;             ///< the smallest level that three steps have kept
    double rest_ = 0.0;
    std::vector<double> x_at_rest_, largest_until_rest_;
    std::optional<Departure> lost_; ///< the first that was below its tolerance at rest
    std::vector<Departure> beyond_; ///< per state: the first time, and how far it had been …
    std::vector<double> reach_;     ///< … until then; 0: never
};

} // namespace daedalus::simulation
