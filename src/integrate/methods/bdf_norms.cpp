#include "integrate/methods/bdf_norms.hpp"

#include "integrate/methods/tightening.hpp"

#include <algorithm>
#include <utility>

namespace daedalus::integrate {

namespace {

// Weights stop at the fortieth part of the round-off: differences of order 6 amplify it thirtyfold (the root of the sum
// of squares of binomials), of which the error test sees a sixth, an eighth of the tolerance. In direct integration of
// higher index, where round-off grows with 1/h or 1/h² and what velocities are off adds up, at the third part.
constexpr double times_round_off = 40.0, times_round_off_of_higher_index = 3.0;
// Where weights are this far from being bounded, round-off is measured with every fifth Jacobian only: it would have to
// grow twentyfold meanwhile to be missed.
constexpr double far_below = 0.05;
constexpr int now_and_then = 5;
constexpr double nearly_bounded = 0.5; // of that bound: what is granted is looked for in detail
// Troubles: a restart takes up to 2 · 6 steps to come back to order 6, and order and size settle once more.
constexpr long quick = 40; // accepted steps between two troubles
constexpr int most_troubles = 4;
constexpr double relief = 2.0;

} // namespace

BdfNorms::BdfNorms(const problem::ImplicitProblem& problem, const IntegrationOptions& options, int max_order)
    : measures_(!options.method.fixed_step), others_(problem.collective()),
      above_round_off_(problem.highest_index() > 1 ? times_round_off_of_higher_index : times_round_off),
      norm_(problem, tightened(options.tolerance, tightening_of_bdf(problem.highest_index(), max_order), problem),
            options.norm),
      test_norm_(norm_),
      quantity_(problem, tightened(options.tolerance, tightening_of_bdf(problem.highest_index(), max_order), problem),
                options.norm),
      asked_(problem, options.tolerance, options.norm), round_off_(static_cast<std::size_t>(problem.size())),
      noise_(problem),
      tightening_(tightening_of_bdf(problem.highest_index(), max_order).factor(options.tolerance.relative)) {}

void BdfNorms::restart() {
    round_off_.reset();
    jacobians_ = 0;
}

void BdfNorms::test_states_only(const problem::ImplicitProblem& problem) {
    test_differs_ = true;
    test_norm_.states_only(problem);
}

void BdfNorms::set_weights(const std::vector<double>& x, double h) {
    norm_.set_weights(x.data(), h);
    norm_.bound_weights(round_off_.level(), above_round_off_);
    if (!test_differs_) return;
    test_norm_.set_weights(x.data(), h);
    test_norm_.bound_weights(round_off_.level(), above_round_off_);
}

void BdfNorms::jacobian_evaluated(double t, const double* x, const double* dx, const double* residual,
                                  const JacobianValues& jacobian, double cj, Counters& counters) {
    const bool relevant = round_off_.relevant(norm_.weights(), far_below / above_round_off_, others_);
    if (measures_ && (relevant || jacobians_ % now_and_then == 0))
        round_off_.measure(t, x, dx, residual, jacobian, cj, counters);
    ++jacobians_;
}

void BdfNorms::matrix_factorised(const JacobianValues& jacobian, double cj, const std::vector<double>& x, double h,
                                 ShiftedMatrix<double>& matrix, Counters& counters) {
    round_off_.estimate(jacobian, cj, x.data(), matrix, counters);
    noise_is_new_ = true;
    set_weights(x, h);
}

void BdfNorms::note_noise(double t, const std::vector<double>& x, double h) {
    if (!std::exchange(noise_is_new_, false) ||
        !round_off_.relevant(norm_.weights(), nearly_bounded / above_round_off_, others_))
        return;
    asked_.set_weights(x.data(), h);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double level = above_round_off_ * round_off_.level()[i];
        if (level * asked_.weights()[i] > 1.0) noise_.note({t, static_cast<int>(i), level});
    }
}

void BdfNorms::note_trouble(long steps) {
    const bool at_once = steps - last_trouble_ < quick;
    last_trouble_ = steps;
    if (!at_once) {
        troubles_ = 0;
        return;
    }
    if (++troubles_ < most_troubles || tightening_ >= 1.0) return;
    const double factor = std::min(relief, 1.0 / tightening_);
    tightening_ *= factor;
    norm_.relax(factor);
    test_norm_.relax(factor);
    quantity_.relax(factor);
    troubles_ = 0;
}

} // namespace daedalus::integrate
