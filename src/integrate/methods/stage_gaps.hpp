// What the collocation polynomial leaves of F between stages: pulses that the stages step over show, as of diodes that
// conduct for a moment only. Points divide the ways from stage to stage so that none is longer than an eighth of the
// step; residuals are added up and one solution tells the correction of x, for where one is large, so is the sum.
#pragma once

#include "integrate/methods/stage_algebra.hpp"
#include "integrate/statistics.hpp"
#include "integrate/tableau/radau_iia.hpp"
#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace daedalus::integrate {

template <int S>
class StageGaps {
public:
    StageGaps(const problem::ImplicitProblem& problem, const tableau::RadauIIA& tableau) : problem_(problem) {
        constexpr double longest = 0.125; // of a step: a feature of eight to a step is seen, as between short steps
        for (int i = 0; i < S; ++i) {
            const double from = i == 0 ? 0.0 : tableau.c[i - 1], way = tableau.c[i] - from;
            const int parts = static_cast<int>(std::ceil(way / longest));
            for (int k = 1; k < parts; ++k) {
                Point& point = points_.emplace_back();
                point.theta = from + way * k / parts;
                tableau.collocation_weights(point.theta, point.value, point.slope);
            }
        }
        for (auto* v : {&x_, &dx_, &residual_}) v->resize(static_cast<std::size_t>(problem.size()));
    }

    /// Σ F along x + Σ ℓ_j Z_j in the step from t of size h.
    template <class Stages>
    void add_up(double t, double h, std::span<const double> x, const Stages& Z, std::span<double> sum,
                Counters& counters) {
        const std::size_t n = x_.size();
        std::fill(sum.begin(), sum.end(), 0.0);
        for (const Point& point : points_) {
            combine_stages<1, S>(point.value, n, Z.data(), x_.data());
            combine_stages<1, S>(point.slope, n, Z.data(), dx_.data());
            for (std::size_t k = 0; k < n; ++k) {
                x_[k] += x[k];
                dx_[k] /= h;
            }
            ++counters.residuals;
            if (problem_.residual(t + point.theta * h, x_.data(), dx_.data(), residual_.data()) !=
                problem::EvalStatus::ok)
                continue; // the polynomial may leave the domain where the solution does not
            for (std::size_t k = 0; k < n; ++k) sum[k] += residual_[k];
        }
    }

private:
    /// With the weights of the collocation polynomial there.
    struct Point {
        double theta = 0.0;
        std::array<double, S> value{}, slope{};
    };

    const problem::ImplicitProblem& problem_;
    std::vector<Point> points_;
    std::vector<double> x_, dx_, residual_;
};

} // namespace daedalus::integrate
