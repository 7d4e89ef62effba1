// The inside of a step of an explicit Runge–Kutta method: states from the method's dense output; everything else from a
// polynomial through solutions of F = 0 at Chebyshev points inside the step. These are solved as stages are, by a
// solver of its own: what is asked of the inside of steps must not change the steps that follow.
//
// The polynomial has its own error, of lower order than that of the step's end. Its last two terms tell it; where it is
// larger than a step may be wrong, the inside is found by shorter steps of the same method.
#pragma once

#include "integrate/consistent_output.hpp"
#include "integrate/methods/stage_extrapolation.hpp"
#include "integrate/methods/stage_solver.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::integrate {

/// What stages of explicit methods are given, and the tolerance of the method's estimates.
[[nodiscard]] LocalSystem::Given given_to_stages(const problem::ImplicitProblem& problem);
[[nodiscard]] double relative_of_stages(const problem::ImplicitProblem& problem, const IntegrationOptions& options);

/// A complete step. z: x' of differential, x of algebraic unknowns (local_system.hpp), one block per stage.
struct ExplicitStep {
    double t_before, t;
    std::span<const double> x_before, x, z;
};

class ExplicitDenseOutput {
public:
    ExplicitDenseOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                        const tableau::ExplicitRungeKutta& method, const StageExtrapolation& extrapolation);

    void links_changed();
    /// `weights`: of the method's errors.
    void prepare(const ExplicitStep& step, std::span<const double> weights, double round_off);
    void evaluate(double time, double* x, double* dx) const;
    /// The states as evaluate() gives them, the rest as the stages tell it.
    void evaluate_states(double time, double* x, double* dx) const;

private:
    /// A part of the step, itself a step of the method, with a polynomial of its own; most often all of it.
    struct Piece {
        double t = 0.0, h = 0.0;
        std::vector<double> start;   ///< x at its beginning
        std::vector<double> z;       ///< of its stages
        std::vector<double> F;       ///< F_0, F_1, …
        std::vector<double> z_nodes; ///< z at the nodes …
        bool between_known = false;  ///< … once F = 0 was solved there
    };
    void find_coefficients(Piece& piece, const double* end);
    void add(const tableau::ExplicitRungeKutta::Row& row, const Piece& piece, double* sum) const;
    void guess(double time, double* z) const;
    void solve_stage(double time, double* x, double* z);
    [[nodiscard]] double polynomial_error(std::span<const double> weights);
    void divide(int parts, std::span<const double> end);
    void solve_between(Piece& piece);
    const Piece& piece_at(double time) const;
    void states(const Piece& piece, double theta, double* x, double* dx) const;

    const tableau::ExplicitRungeKutta& method_;
    const StageExtrapolation& extrapolation_;
    const problem::ImplicitProblem& problem_;
    const IntegrationOptions options_;
    StageSolver stages_;
    std::optional<ConsistentOutput> consistent_; ///< where the solver of stages fails
    bool keep_matrix_ = false;                   ///< of that
    Counters counters_;
    std::size_t n_;
    double t_before_ = 0.0, h_ = 0.0;
    std::span<const double> z_; ///< of the stages of the whole step
    std::vector<Piece> pieces_; ///< of equal length
    std::vector<char> differential_;
    bool all_states_ = false;     ///< no algebraic unknowns
    std::vector<double> nodes_;   ///< θ at which F = 0 is solved, ends included
    std::vector<double> weights_; ///< barycentric
    std::vector<double> x_, dx_;  ///< scratch
};

} // namespace daedalus::integrate
