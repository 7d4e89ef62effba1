// A point of F(t, x, x') = 0 next to a given one, with the states kept.
//
// An interpolated x satisfies the algebraic rows of F only to the interpolant's accuracy. For problems of index ≤ 1
// the non-states and the derivatives of the states follow from the states: Newton for (x_d', x_a) with the matrix
// whose columns are ∂F/∂x' for differential and ∂F/∂x for algebraic unknowns. Where that matrix is singular although
// the index is 1 (a leading matrix that mixes components, as in circuits with loops of capacitors),
//     (J + σ M) δ = -F(t, x, x') ,   x += δ ,   x' += σ δ ,        J = ∂F/∂x, M = ∂F/∂x'
// does the same with states that move by O(residual/σ), σ large.
//
// Stiff components are no good as given values: x' = λ (x - s(t)) + s' turns an error e of x into λ e of x', however
// small e is, and into as much of all that depends on x'. The equations know x better than the interpolant does: x = s
// + (x' - s')/λ has the error of x' divided by λ. So in steps of implicit methods
//     (J + σ M) δ = -F(t, x, x') ,   x += δ ,   x' += σ δ ,        σ = 2 d²/h ,   d: the interpolant's degree,
// until F = 0. With errors e of x and e' of x' there remains (J + σ M)⁻¹ M (σ e - e') in x: σ/|λ| of e where |λ| ≫ σ,
// so that x' is as good as a difference quotient; and e - e'/σ where λ is small. By Markov's inequality |e'| ≤ (2 d²/h)
// max |e| for polynomials of degree d: moderate components do not lose more than they may be off by already.
//
// Where the problem has constraints besides F, the states are projected onto them first. So are polynomials in which
// all coordinates are as good as the states: what is kept then is no longer a question of which they are.
#pragma once

#include "integrate/consistency_matrix.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/options.hpp"
#include "integrate/projection.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::integrate {

class ConsistentOutput {
public:
    ConsistentOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options);

    /// False for formulations of higher index, where x is returned as it is.
    [[nodiscard]] bool applicable() const { return applicable_; }
    [[nodiscard]] std::size_t size() const { return r_.size(); }
    /// Ideal switches change the index: (J + σ M)⁻¹, which stays bounded for σ → ∞ where the index is 1, grows as
    /// σ^(ν-1) where it is ν. There the states do not determine the other unknowns, and the shifted matrix puts σ times
    /// the errors of the states into them: from now on they are taken from short steps of the implicit Euler method.
    /// Looks at (x, x') on the branches that hold now.
    void judge_branches(double t, double time_scale, double* x, double* dx);
    /// Nothing is known about the branches that come.
    void forget_branches() { higher_index_ = false; }
    [[nodiscard]] bool branches_of_higher_index() const { return higher_index_; }
    /// Moves (x, x') onto F = 0 and the constraints besides. `time_scale` > 0: the length over which x changes, such as
    /// the step size. Returns false and leaves the point alone if the iteration does not converge. The matrix is kept
    /// while `keep_matrix`. `accuracy` of what is solved for, relative to values and nominal values; 0: to round-off.
    [[nodiscard]] bool refine(double t, double time_scale, double* x, double* dx, bool keep_matrix,
                              double accuracy = 0.0);
    /// The same for a point on a polynomial of this degree in a step of this size, where x' tells something about x:
    /// stiff components are not kept but follow the equations. Degree 0: nothing is stiff, and the states are kept.
    [[nodiscard]] bool refine_interpolated(double t, double step, int degree, double* x, double* dx, bool keep_matrix,
                                           double accuracy = 0.0);
    /// The same for a point that nobody keeps. Any shift serves that is near the one wanted: with `any_matrix` that of
    /// the matrix at hand, from wherever it is.
    [[nodiscard]] bool refine_sample(double t, double step, int degree, double* x, double* dx, bool any_matrix);
    /// The same where an interpolated point was no good to begin with: what is no state begins with the values of a
    /// consistent neighbour (y, y'), such as the end of the step.
    [[nodiscard]] bool refine_beside(double t, double step, const double* y, const double* dy, double* x, double* dx);
    /// Round-off of the equations leaves corrections that no longer shrink: so large they may be, relative to values
    /// and nominal values. Strictly: not larger than the tolerance.
    void strictly(bool yes) { noise_.allowed = yes ? std::min(noise_.tolerance, most_noise) : most_noise; }
    /// The two halves of refine(): states onto the constraints besides F (true if there are none) …
    [[nodiscard]] bool project(double t, double* x) { return projection_.empty() || projection_.project(t, x); }
    /// … and everything else onto F = 0, with the states kept.
    [[nodiscard]] bool follow(double t, double time_scale, double* x, double* dx, bool keep_matrix,
                              double accuracy = 0.0);
    [[nodiscard]] bool projects() const { return !projection_.empty(); }
    /// The links changed.
    void links_changed();
    [[nodiscard]] Counters counters() const {
        Counters all = counters_;
        all.add_work(projection_.counters());
        all.add_work(onto_rows_.counters());
        return all;
    }

private:
    class ShortStep;
    class Follow;
    [[nodiscard]] bool prepare(double t, double time_scale, const double* x, const double* dx);
    [[nodiscard]] bool refine_kept(double t, double time_scale, double* x, double* dx, bool keep_matrix,
                                   double accuracy);
    [[nodiscard]] bool refine_shifted(double t, double step, double shift, double* x, double* dx, bool keep_matrix,
                                      double accuracy);
    [[nodiscard]] bool iterate(double t, double time_scale, double* x, double* dx, bool keep_matrix, double accuracy);
    void solve_correction();
    double apply_correction(double part, double* x, double* dx) const;
    [[nodiscard]] double correction_of_variables(const double* x) const;
    [[nodiscard]] bool shorten(double t, double* x, double* dx);
    [[nodiscard]] bool grows_with_shift(double time_scale, const double* x);
    [[nodiscard]] bool short_step(double t, double step, const double* x, std::vector<double>& y,
                                  std::vector<double>& dy);
    void follow_short_steps(double t, double time_scale, double* x, double* dx);

    static constexpr double most_noise = 1e-6; ///< relative corrections above it are no round-off, whatever they do

    const problem::ImplicitProblem& problem_;
    bool applicable_;
    struct {
        double tolerance = most_noise, allowed = most_noise;
    } noise_;
    bool higher_index_ = false; ///< of the present branches
    Projection projection_;
    Projection onto_rows_; ///< constraints among the rows of F, for points where the states may be a bad choice
    JacobianValues jacobian_;
    ConsistencyMatrix local_;
    ShiftedMatrix<double> matrix_, short_matrix_;
    std::vector<double> r_, taken_, scale_, x_start_, dx_start_;
    struct End {
        std::vector<double> x, dx;
    };
    End short_step_, half_step_;       ///< of a short step, and of one half as long
    std::vector<char> has_derivative_; ///< x'_j occurs in F at the last Jacobian
    double shift_ = 0.0;               ///< σ; 0: the states are kept exactly
    double wanted_shift_ = 0.0;        ///< σ that is asked for; 0: none unless it must be
    double watched_over_ = 0.0;        ///< corrections of x' count over this length; 0: they do not
    bool factored_ = false;            ///< for shift_
    double factored_for_ = 0.0;        ///< the shift that was asked for then
    /// Where F is linear, one correction with the matrix at hand leaves what rounding leaves of it: the second is found
    /// at some points, over the first, and left out at others where it could not be seen. Elsewhere rates tell nothing
    /// of other points.
    struct LinearRate {
        double largest = 0.0;
        int measured = 0, asked = 0;
        [[nodiscard]] double expected(const problem::ImplicitProblem& problem);
        void note(double rate);
    } linear_;
    Counters counters_;
};

} // namespace daedalus::integrate
