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
      level_(r_.size()) {}

std::span<const double> PointNoise::measure(double t, double shift, const double* x, const double* dx,
                                            Counters& counters) {
    std::fill(level_.begin(), level_.end(), infinity);
    if (jacobian_.evaluate(t, x, dx, counters) != problem::EvalStatus::ok ||
        matrix_.factor(jacobian_, shift, counters) != linalg::FactorStatus::ok)
        return level_;
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

} // namespace daedalus::integrate
