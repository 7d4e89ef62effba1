// The matrix of Newton's iteration for accelerations and multipliers at the end of a step, with the slopes of forces:
//
//     [ c M + s_v C + s_y K Z   L ] [ δa ]
//     [ W                       0 ] [ δλ ] ,    C = ∂r/∂v,  K = ∂r/∂y  of  r = M v' + L λ - f,  y' = Z v + … ,
//
// where v and y change by s_v δa and s_y Z δa.
#pragma once

#include "integrate/mechanism.hpp"

#include <array>
#include <memory>
#include <vector>

namespace daedalus::integrate {

class StiffMotionMatrix {
public:
    StiffMotionMatrix(const problem::ImplicitProblem& problem, const Mechanism& mechanism, linalg::SolverKind solver);
    struct Shares {
        double of_rate, of_velocity, of_position;
    };
    [[nodiscard]] bool factor(double t, const double* y, const double* v, const double* rate, const double* lambda,
                              const Shares& shares, Counters& counters);
    void solve(std::span<double> right_side) { solver_->solve(right_side); }
    /// x[unknown_i] += factor (Z b)_i, with Z where factor() was called.
    void add_displacement(double factor, const double* b, double* x, const std::vector<int>& unknown) const;

private:
    /// to += share first second
    struct Product {
        std::size_t to, first, second;
    };
    const problem::ImplicitProblem& problem_;
    const problem::MechanicalStructure& s_;
    std::vector<std::size_t> of_matrix_;                    ///< place of each entry of [M L; W 0]
    std::vector<char> of_masses_;                           ///< per entry of it
    std::vector<std::pair<std::size_t, std::size_t>> of_c_; ///< place, entry of the forces' pattern
    std::vector<Product> of_kz_;
    std::vector<double> entries_, forces_, z_, values_, v_a_lambda_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
};

} // namespace daedalus::integrate
