// How much the equations multiply errors along a run, and what that makes of the errors that its steps make.
//
// A perturbation δ of the solution obeys the variational equation  M δ' + J δ = 0 ,  J = ∂F/∂x, M = ∂F/∂x'. One vector
// e is carried along: from look to look it is propagated, and what the error test let pass since the last look is added
// to it, in directions of random signs:
//     e ← Φ (e + a y) ,   a = Σ err over the steps,   y = (J + σ M)⁻¹ σ M r ,   r_i = ± tolerance_i ,   ‖y‖ = 1 .
// So ‖e‖ estimates the error of the solution in tolerances, and ‖e‖ over the sum of all a says by how much errors were
// multiplied. Norms are relative to the largest size that an unknown has had: growth of an error beside a solution that
// grows alike is none.
//
// Φ over a time H is made of m steps of the method of order 2 with R(z) = (1 + (1 - 2γ) z)/(1 - γ z)², γ = 1 - 1/√2
// (Alexander 1977): with one factorisation of J + σ M, σ = m/(γ H),
//     y₁ = (J + σ M)⁻¹ σ M e ,   y₂ = (J + σ M)⁻¹ σ M y₁ ,   R e = y₂ + √2 (y₂ - y₁) .
// What decays is damped (L-stability), and what is algebraic follows. R is near the exponential up to z = 1 and has a
// pole at z = 3.4: where a coarse Φ grows, a finer one is made.
//
// What is algebraic follows the states at once, (J + σ M)⁻¹ σ M e for large σ: a row that determines it weakly for a
// moment multiplies their errors for as long, and then no more. That is no growth over the time between two looks.
#pragma once

#include "integrate/iteration_matrix.hpp"
#include "integrate/observer.hpp"
#include "integrate/options.hpp"

#include <initializer_list>
#include <memory>
#include <random>
#include <vector>

namespace daedalus::simulation {

/// What became of errors.
struct Growth {
    double error = 0.0;  ///< largest estimate of the solution's error, in tolerances …
    double factor = 1.0; ///< … there: by how much errors were multiplied
    double t = 0.0;      ///< when
    int unknown = -1;    ///< where it is largest
};

class GrowthWatch {
public:
    GrowthWatch(const problem::ImplicitProblem& problem, const integrate::Tolerance& tolerance, linalg::SolverKind kind,
                double t1);
    void step(const integrate::AcceptedStep& step);
    [[nodiscard]] const Growth& worst() const { return worst_; }
    /// An error of an unknown, by its size so far.
    [[nodiscard]] double in_tolerances(int unknown, double error) const;

private:
    [[nodiscard]] double norm(const std::vector<double>& v, int* where = nullptr) const;
    [[nodiscard]] bool linearise(double t, const double* x, const double* dx);
    [[nodiscard]] bool propagate(const integrate::JacobianValues& jacobian, double h, int substeps,
                                 std::vector<double>& to);
    [[nodiscard]] bool follow_algebra(double h, std::initializer_list<std::vector<double>*> errors);
    void look(double t, const double* x, const double* dx);
    [[nodiscard]] bool carry(const integrate::JacobianValues& jacobian, double h, int substeps, std::vector<double>& e);
    [[nodiscard]] bool add_errors(const integrate::JacobianValues& jacobian, double shift);
    void smooth(const integrate::JacobianValues& jacobian, double shift, const std::vector<double>& from,
                std::vector<double>& to);

    const problem::ImplicitProblem& problem_;
    bool active_;
    std::vector<int> looked_at_; ///< unknowns that are variables, or derivatives of them
    std::vector<double> relative_, absolute_, largest_;
    std::vector<problem::Link> links_; ///< that jacobian and matrix were made for: choices of states exchange them
    integrate::JacobianValues jacobian_, before_;
    bool at_begin_ = false; ///< before_ is that at t_
    std::unique_ptr<integrate::ShiftedMatrix<double>> matrix_;
    std::vector<double> e_, y1_, y2_, trial_, other_;
    double t0_ = 0.0, t1_;    ///< of the run
    double t_ = 0.0;          ///< of e
    double errors_ = 0.0;     ///< of the steps since
    double all_errors_ = 0.0; ///< of all steps
    long steps_ = 0, since_ = 0, restarts_ = 0;
    Growth worst_;
    std::minstd_rand random_{20817}; // any seed: signs
    integrate::Counters counters_;
};

} // namespace daedalus::simulation
