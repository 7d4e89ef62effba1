#include "integrate/methods/weakened_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

WeakenedMatrix::WeakenedMatrix(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : problem_(problem), kind_(options.linear_solver), there_(problem) {
    std::vector<char> jx, jdx;
    // Unknowns of higher index are off by Newton's rest over powers of h, which this would take for an error.
    applies_ = options.method.watches.weakened_matrix && problem.mark_varying(jx, jdx) &&
               std::find(jx.begin(), jx.end(), 1) != jx.end() && problem.highest_index() <= 1;
    if (applies_) correction_.resize(static_cast<std::size_t>(problem.size()));
}

void WeakenedMatrix::links_changed() {
    there_.resize();
    if (matrix_) matrix_->resize(problem_);
    quiet_ = 0;
}

/// Entries of `now` that are smaller than those of `then` by much, and whether all have hardly changed.
WeakenedMatrix::Comparison WeakenedMatrix::compare(const std::vector<double>& now, const std::vector<double>& then) {
    // A correction that is too small by this factor is still below the tolerance where Newton's iteration stops.
    constexpr double much = 10.0, little = 2.0;
    bool weaker = false, quiet = true;
    for (std::size_t k = 0; k < now.size(); ++k) {
        const double a = std::abs(now[k]), b = std::abs(then[k]);
        weaker |= much * a < b;
        quiet &= (a <= little * b) & (b <= little * a);
    }
    return {weaker, quiet};
}

bool WeakenedMatrix::hides_error(const JacobianValues& used, double shift, const EndOfAttempt& end,
                                 const ErrorNorm& norm, Counters& counters) {
    if (!applies_) return false;
    constexpr double longer = 1.5; // than the step of the last look: the matrix may be another one by as much
    if (quiet_ > 0 && std::abs(shift) * longer > shift_of_look_ && compare(used.jx, there_.jx).quiet) {
        --quiet_;
        return false;
    }
    quiet_ = 0;
    if (there_.linearize(end.t, end.x, end.dx, end.dq, correction_.data(), counters) != problem::EvalStatus::ok)
        return false;
    const Comparison changes = compare(there_.jx, used.jx);
    if (changes.quiet) { // a look at every fourth step is enough
        quiet_ = 3;
        shift_of_look_ = std::abs(shift);
    }
    if (!changes.weaker) return false;
    if (!matrix_) matrix_ = std::make_unique<ShiftedMatrix<double>>(problem_, kind_);
    if (matrix_->factor(there_, shift, counters) != linalg::FactorStatus::ok) return false;
    matrix_->solve(correction_, counters);
    constexpr double tolerable = 0.5;
    return !(norm(correction_.data()) <= tolerable);
}

} // namespace daedalus::integrate
