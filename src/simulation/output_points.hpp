// Output points: equally spaced samples of the solution, each made consistent with all equations where it lies.
//
// They are taken from the steps while a run goes on, or from the pieces that a solution keeps once somebody asks for
// them (pending_points): the same code on the same polynomials.
#pragma once

#include "integrate/observer.hpp"
#include "output/trajectory.hpp"
#include "problem/implicit_problem.hpp"
#include "simulation/point_check.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace daedalus::simulation {

struct PointOptions {
    double t0 = 0.0, t1 = 0.0;
    int points = 500;       ///< intervals between them; 0: one per step
    bool consistent = true; ///< false: the method's polynomial as it is
    double rtol = 1e-6, atol = 1e-6;
    bool check = true; ///< points that cannot be made consistent: against the equations as written
    std::optional<std::vector<int>> kept = {}; ///< outputs that are recorded, in this order; none given: all
};

class OutputPoints {
public:
    OutputPoints(const problem::ImplicitProblem& problem, PointOptions options, PointCheck& check,
                 output::Trajectory& trajectory);

    [[nodiscard]] const PointOptions& options() const { return options_; }
    /// Room for all of them, at once.
    void reserve();
    /// The number of the next one, from 0 on, and its time.
    [[nodiscard]] int next() const { return next_; }
    [[nodiscard]] int& next() { return next_; }
    [[nodiscard]] double next_time() const;
    /// Whether it lies at t or before.
    [[nodiscard]] bool is_due(double t) const;
    /// Integrals at the point that comes next.
    [[nodiscard]] std::vector<double>& integrals() { return q_; }
    [[nodiscard]] const std::vector<double>& integrals() const { return q_; }

    /// A point that is known.
    void add(double t, const double* x, const double* dx);
    /// What is recorded of a point.
    [[nodiscard]] std::vector<double> row(double t, const double* x, const double* dx);
    /// All that are due until `end`, which lies in a step of size h.
    using Integrals = std::function<void(double t, double* q)>;
    void add_due(const integrate::Interpolant& step, double h, double end, const Integrals& integrals);
    /// The point at t in a step of size h, made consistent: x() and dx().
    void find(const integrate::Interpolant& step, double h, double t);
    [[nodiscard]] const double* x() const { return x_.data(); }
    [[nodiscard]] const double* dx() const { return dx_.data(); }
    /// All of a problem without unknowns.
    void fill(const double* x, const double* dx);
    /// A row that was kept.
    void add_row(double t, const std::vector<double>& row);
    /// Points wait for their columns: all of them are in the trajectory from here on.
    void flush();
    /// The last one goes.
    void remove_last();

private:
    void choose_between(const integrate::Interpolant& step, double h, double t);
    void evaluate(double t, const double* x, const double* dx, double* row);

    const problem::ImplicitProblem& problem_;
    PointOptions options_;
    PointCheck& check_;
    output::Trajectory& trajectory_;
    int next_ = 0;
    std::vector<double> x_, dx_, y_, q_, polynomial_, polynomial_slopes_;
    std::vector<double> rows_; ///< the last output points, one after another
    std::size_t waiting_ = 0;  ///< how many
};

} // namespace daedalus::simulation
