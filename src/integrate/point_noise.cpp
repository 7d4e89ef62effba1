#include "integrate/point_noise.hpp"

#include <algorithm>
#include <limits>

namespace daedalus::integrate {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

PointNoise::PointNoise(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), jacobian_(problem), matrix_(problem, kind),
      round_off_(static_cast<std::size_t>(problem.size())), r_(static_cast<std::size_t>(problem.size())),
      level_(r_.size()), errors_(r_.size()) {}

std::span<const double> PointNoise::measure(double t, double shift, const double* x, const double* dx,
                                            Counters& counters) {
    std::fill(level_.begin(), level_.end(), infinity);
    factored_ = false;
    if (jacobian_.evaluate(t, x, dx, counters) != problem::EvalStatus::ok ||
        matrix_.factor(jacobian_, shift, counters) != linalg::FactorStatus::ok)
        return level_;
    factored_ = true;
    round_off_.reset();
    constexpr int draws = 3; // one may cancel by accident
    for (int k = 0; k < draws; ++k) {
        ++counters.residuals;
        if (problem_.residual(t, x, dx, r_.data()) != problem::EvalStatus::ok) return level_;
        round_off_.measure(t, x, dx, r_.data(), jacobian_, shift, counters);
        round_off_.estimate(jacobian_, shift, x, matrix_, counters, infinity);
    }
    std::copy(round_off_.level().begin(), round_off_.level().end(), level_.begin());
    return level_;
}

double PointNoise::of_errors(double shift, std::span<const double> errors, std::span<const double> tolerances,
                             Counters& counters) {
    if (!factored_) return infinity;
    constexpr int draws = 4; // of signs: the largest of them is about half of what the worst signs give
    double largest = 0.0;
    for (int k = 0; k < draws; ++k) {
        for (std::size_t i = 0; i < errors_.size(); ++i) errors_[i] = (random_() >> 16U & 1U ? -1.0 : 1.0) * errors[i];
        std::fill(r_.begin(), r_.end(), 0.0);
        jacobian_.apply(0.0, shift, errors_.data(), r_.data());
        matrix_.solve(r_, counters);
        for (std::size_t i = 0; i < r_.size(); ++i)
            if (!problem_.unknowns()[i].auxiliary) largest = std::max(largest, std::abs(r_[i]) / tolerances[i]);
    }
    return largest;
}

int PointNoise::loudest_row(int unknown, const double* x, const double* dx, Counters& counters) {
    if (!factored_) return -1;
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(errors_.begin(), errors_.end(),
              0.0); // sums of the sizes of a row's terms, to which its rounding is in proportion
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[static_cast<std::size_t>(j)];
             k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            errors_[static_cast<std::size_t>(pattern.row_index[e])] +=
                std::abs(jacobian_.jx[e] * x[j]) + std::abs(jacobian_.jdx[e] * dx[j]);
        }
    int loudest = -1;
    double most = 0.0;
    for (int row = 0; row < pattern.rows; ++row) {
        std::fill(r_.begin(), r_.end(), 0.0);
        r_[static_cast<std::size_t>(row)] = errors_[static_cast<std::size_t>(row)];
        matrix_.solve(r_, counters);
        const double here = std::abs(r_[static_cast<std::size_t>(unknown)]);
        if (!(here > most)) continue;
        most = here;
        loudest = row;
    }
    return loudest;
}

} // namespace daedalus::integrate
