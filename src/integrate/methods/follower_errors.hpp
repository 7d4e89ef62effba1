// Errors of algebraic unknowns that follow slopes. A stiff component is determined by its slope, x = s + (x' - s')/λ,
// and what is divided by the small 1/λ elsewhere is as exact as that slope only. At the end of a step of collocation F
// holds with the slope of the polynomial, whose error is
//     E'(1) = Π_{j<s} (1 - c_j) h^s D ,      D: divided difference of order s + 1,
// the derivative of the remainder θ Π (θ - c_j) h^(s+1) D of interpolation at θ = 1 = c_s.
// It leaves (γ/h M + J) e = -M E'(1) in stiff directions. The embedded formula (HW (8.19)) has the slope at the
// beginning of the step in place of it, with what the step before has left there: where steps grow by 1.4 (s = 3) both
// cancel. In directions that are not stiff the ends of steps are of higher order than their slopes; there
// (γ/h) (γ/h M + J)⁻¹ M e = e, which is taken off.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/options.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::integrate {

class FollowerErrors {
public:
    FollowerErrors(const problem::ImplicitProblem& problem, const StepWatches& watches) : problem_(problem) {
        const auto& unknowns = problem.unknowns();
        const auto state = [](const problem::UnknownInfo& info) { return info.differential; };
        const bool some = problem.collective().any(std::any_of(unknowns.begin(), unknowns.end(), state));
        const bool others = problem.collective().any(!std::all_of(unknowns.begin(), unknowns.end(), state));
        active_ = watches.followers && problem.highest_index() <= 1 && some && others;
    }
    [[nodiscard]] bool active() const { return active_; }
    /// Other matrices: how much they magnify is not known.
    void forget() { magnifies_ = -1.0; }
    /// In tolerances. `slopes`: E'(1), of the size `size` in tolerances over h, of which as much may be round-off, or
    /// what Newton's iteration has left, as `noise` says of each component; `shift`: γ/h.
    template <class Noise>
    [[nodiscard]] double estimate(std::vector<double>& slopes, double size, Noise noise, double shift,
                                  const JacobianValues& jacobian, ShiftedMatrix<double>& matrix, const ErrorNorm& norm,
                                  Counters& counters) {
        constexpr double negligible = 0.1; // tolerances
        if (magnifies_ >= 0.0 && magnifies_ * size < negligible) return 0.0;
        const auto followed = [&] {
            error_.assign(slopes.size(), 0.0);
            jacobian.apply(0.0, 1.0, slopes.data(), error_.data());
            matrix.solve(error_, counters);
            smooth_.assign(slopes.size(), 0.0);
            jacobian.apply(0.0, shift, error_.data(), smooth_.data());
            matrix.solve(smooth_, counters);
            for (std::size_t k = 0; k < error_.size(); ++k)
                error_[k] = problem_.unknowns()[k].differential ? 0.0 : error_[k] - smooth_[k];
            return norm(error_.data());
        };
        const double error = followed();
        magnifies_ = size > 0.0 ? error / size : 0.0;
        if (error < negligible) return 0.0;
        for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = sign() * noise(k);
        return std::max(0.0, error - followed());
    }

private:
    [[nodiscard]] double sign() {
        random_ = random_ * 1664525U + 1013904223U; // as in RoundOff
        return (random_ >> 31) != 0 ? -1.0 : 1.0;
    }

    const problem::ImplicitProblem& problem_;
    bool active_ = false;
    double magnifies_ = -1.0; ///< errors of followers over those of slopes, with the matrices at hand; < 0: unknown
    std::vector<double> error_, smooth_;
    unsigned random_ = 0x9e3779b9U;
};

} // namespace daedalus::integrate
