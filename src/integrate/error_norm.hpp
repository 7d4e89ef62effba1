// The weighted norm in which 1 means "at tolerance":  w_i = h^(index_i - 1) / (rtol |x_i| + atol_i).
//
// The factor h^(index-1) makes error and Newton tests meaningful for variables of index 2 and 3 in direct
// integration, whose errors are larger by these powers of 1/h (HW VII.6; Petzold & Lötstedt 1986). Derivatives that are
// unknowns only because index reduction needs them get one more power: nobody asked for their accuracy.
#pragma once

#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace daedalus::integrate {

class ErrorNorm {
public:
    ErrorNorm(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind kind);

    /// Weights at x for steps of size h.
    void set_weights(const double* x, double h);
    /// Leaves unknowns that are no states out of account, from the next set_weights on.
    void states_only(const problem::ImplicitProblem& problem);
    /// Multiplies all tolerances.
    void relax(double factor) {
        for (double& r : relative_) r *= factor;
        for (double& a : absolute_) a *= factor;
    }
    /// The tolerance of component i is at least this.
    void raise_floor(int i, double level) {
        double& tolerance = absolute_[static_cast<std::size_t>(i)];
        tolerance = std::max(tolerance, level);
    }
    /// No component counts more than 1/(factor |noise_i|), until the next set_weights.
    void bound_weights(std::span<const double> noise, double factor);
    /// Norm of v (n components).
    [[nodiscard]] double operator()(const double* v) const { return stacked(v, 1); }
    /// Norm of `blocks` vectors stored one after the other, such as Runge–Kutta stages.
    [[nodiscard]] double stacked(const double* v, int blocks) const;
    /// The norm of that many vectors, from the sum of squares or the largest component of this part of them.
    [[nodiscard]] double of_parts(double part, int blocks) const {
        return kind_ == NormKind::rms ? std::sqrt(others_.sum_of(part) / (all_unknowns_ * blocks))
                                      : others_.largest_of(part);
    }
    [[nodiscard]] NormKind kind() const { return kind_; }
    /// Weight of component i; larger means more important.
    [[nodiscard]] const std::vector<double>& weights() const { return weight_; }

private:
    NormKind kind_;
    problem::Collective others_; ///< who has the other parts of the vectors
    double all_unknowns_ = 0.0;
    std::vector<double> relative_;
    std::vector<double> absolute_;
    std::vector<int> scaled_;   ///< unknowns of index > 1 and auxiliary ones …
    std::vector<int> power_;    ///< … and their power of h
    std::vector<int> left_out_; ///< unknowns with weight 0
    std::vector<double> weight_;
};

} // namespace daedalus::integrate
