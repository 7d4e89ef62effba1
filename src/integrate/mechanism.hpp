// A mechanism at a point: the parts of its equations of motion (problem/mechanical_structure.hpp) evaluated and solved.
//
//     [ M  L ] [ v' ]   [ f  ]                                   [ M  L ] [ δ ]   [ 0 ]
//     [ W  0 ] [ λ  ] = [ -γ ]   HW (2.5), accelerations         [ W  0 ] [ μ ] = [ r ]   HW (2.10), (2.11),
//     projections
//
// One matrix serves both. Half-explicit and symplectic methods take its upper half from one point, its lower from
// another.
#pragma once

#include "integrate/options.hpp"
#include "integrate/statistics.hpp"
#include "linalg/linear_solver.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/mechanical_structure.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class Mechanism {
public:
    Mechanism(const problem::ImplicitProblem& problem, linalg::SolverKind solver);

    [[nodiscard]] const problem::MechanicalStructure& parts() const { return s_; }
    [[nodiscard]] std::size_t positions() const { return static_cast<std::size_t>(s_.positions); }
    [[nodiscard]] std::size_t velocities() const { return static_cast<std::size_t>(s_.velocities); }
    [[nodiscard]] std::size_t constraints() const { return static_cast<std::size_t>(s_.constraints); }
    /// Work since the last call.
    [[nodiscard]] Counters take_counters() { return std::exchange(counters_, {}); }

    void gather(const double* x, const double* dx, double* y, double* v, double* a, double* lambda) const;
    [[nodiscard]] bool expand(double t, const double* y, const double* v, const double* a, const double* lambda,
                              double* x, double* dx);

    [[nodiscard]] bool rates(double t, const double* y, const double* v, double* k) const {
        return s_.rates(problem_.call(), t, y, v, k) == problem::EvalStatus::ok;
    }
    [[nodiscard]] bool velocity(double t, const double* y, const double* v, double* w) const {
        return s_.constraints == 0 || s_.velocity(problem_.call(), t, y, v, w) == problem::EvalStatus::ok;
    }
    [[nodiscard]] bool position(double t, const double* y, double* g) const {
        return s_.holonomic == 0 || s_.position(problem_.call(), t, y, g) == problem::EvalStatus::ok;
    }

    /// M, L, W, f and -γ at a point: `upper` is what the next factor() takes M and L from.
    [[nodiscard]] bool dynamics(double t, const double* y, const double* v);
    /// M, L and W from positions alone, for the same place, or for the lower half.
    [[nodiscard]] bool upper(double t, const double* y);
    [[nodiscard]] bool lower(double t, const double* y);
    /// The lower half from the same point as the upper one.
    void lower_as_upper() { lower_is_upper_ = true; }
    [[nodiscard]] bool factor();
    [[nodiscard]] std::span<const double> force() const { return {upper_.data() + nonzeros_, velocities()}; }
    /// First `velocities()` entries, then `constraints()`: in place.
    void solve(std::span<double> right_side);
    /// M v and L λ into `result`, of the upper half.
    void times_M(const double* v, double* result) const;      // NOLINT(readability-identifier-naming)
    void times_L(const double* lambda, double* result) const; // NOLINT(readability-identifier-naming)
    /// F = f + (dM/dt) v, of momenta M v, where `dynamics` was evaluated last.
    [[nodiscard]] bool momentum_rate(double t, const double* y, const double* v, double* F) const; // NOLINT: a letter
    /// Entries of the matrix at hand, on its pattern.
    [[nodiscard]] std::span<const double> entries() const { return {upper_.data(), nonzeros_}; }
    /// w_v b into `result`, with W of the lower half.
    void times_W(const double* b, double* result) const; // NOLINT(readability-identifier-naming)

    /// v' and λ at a point, HW (2.5); leaves the factors of that point behind.
    [[nodiscard]] bool accelerations(double t, const double* y, const double* v, double* a, double* lambda);
    /// HW (2.10): the nearest position on the constraints in the metric of M, to round-off. False: not found.
    [[nodiscard]] bool project_positions(double t, double* y);
    /// HW (2.11), with y as it is.
    [[nodiscard]] bool project_velocities(double t, const double* y, double* v);
    /// Coordinates of the tangent space at (t0, y0), HW (2.23): y = y0 + η + N c(η) with G(y0) η = 0, and likewise v.
    /// The normal space N is that of Z M⁻¹ L there. Leaves M, L, W, Z and the factors of that point behind.
    [[nodiscard]] bool at_center(double t0, const double* y0);
    /// Their rates from those of positions and velocities: P k and P a, P the projection along N and M⁻¹ L. At the
    /// centre.
    void make_tangential(double* k, double* a);
    /// From a point beside the constraints to them along N and M⁻¹ L.
    [[nodiscard]] bool return_along(double t0, const double* y0, double t, double* y, double* v);
    /// y += Z δ at (t, y, v)
    [[nodiscard]] bool displace(double t, double* y, const double* v, const double* delta);

private:
    void times_columns(int first, const double* b, double* result) const;
    struct PositionEquation;
    enum class Along { here, center }; ///< Z of each iterate, or that of the centre
    [[nodiscard]] bool find_position(double t, double* y, Along along);
    void add_along_z(double* y, const double* delta) const;
    [[nodiscard]] bool lower_along_center(double t, const double* y);
    [[nodiscard]] bool find_velocity(double t, const double* y, double* v);

    const problem::ImplicitProblem& problem_;
    const problem::MechanicalStructure& s_;
    std::size_t nonzeros_ = 0;
    double nominal_ = 1e-300;                    ///< the largest of positions
    std::vector<char> of_lower_;                 ///< per entry of the matrix: it is one of W
    std::vector<double> upper_, lower_, values_; ///< entries; behind those of upper_, f and -γ
    bool lower_is_upper_ = true;
    std::vector<double> right_, v_a_lambda_, both_, z_, zero_, g_, slopes_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    Counters counters_;
};

} // namespace daedalus::integrate
