// Values of the problem's root functions: at points, inside a step, and at points that are moved a little to see how
// far the functions can be trusted.
#pragma once

#include "integrate/observer.hpp"

#include <cmath>
#include <vector>

namespace daedalus::integrate {

/// A factor between -1 and 1 for the change of unknown j: no two of them cancel in a difference.
[[nodiscard]] inline double mixed(std::size_t j) { return std::cos(1.0 + 2.4 * static_cast<double>(j)); }
/// The same with full size.
[[nodiscard]] inline double alternating(std::size_t j) { return j % 2 == 0 ? 1.0 : -1.0; }

class RootValues {
public:
    explicit RootValues(const problem::ImplicitProblem& problem)
        : problem_(problem), x_(static_cast<std::size_t>(problem.size())), dx_(x_.size()) {
        for (const problem::UnknownInfo& info : problem.unknowns()) all_states_ = all_states_ && info.differential;
    }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(problem_.hybrid().roots.size); }
    /// No unknown is algebraic: interpolated points are as good as others.
    [[nodiscard]] bool all_states() const { return all_states_; }

    void at(double t, const double* x, const double* dx, std::vector<double>& g) const {
        g.resize(size());
        (void)problem_.roots(t, x, dx, g.data());
    }
    /// Inside a step, at a point that is kept. `exactly`: algebraic unknowns are solved for, not interpolated.
    void inside(const Interpolant& step, double t, bool exactly, std::vector<double>& g) {
        if (exactly && !all_states_)
            step.evaluate_with_states(t, x_.data(), dx_.data());
        else
            step.evaluate(t, x_.data(), dx_.data());
        at(t, x_.data(), dx_.data(), g);
    }
    /// At a point that is kept, whose unknown j is moved(j).
    template <class Moved>
    void near_by(double t, const double* dx, Moved moved, std::vector<double>& g) {
        for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = moved(j);
        at(t, x_.data(), dx, g);
    }
    /// The point kept.
    [[nodiscard]] std::vector<double>& x() { return x_; }
    [[nodiscard]] std::vector<double>& dx() { return dx_; }

private:
    const problem::ImplicitProblem& problem_;
    bool all_states_ = true;
    std::vector<double> x_, dx_;
};

} // namespace daedalus::integrate
