#include "integrate/orientation_watch.hpp"

#include "integrate/local_matrix.hpp"
#include "integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

OrientationWatch::OrientationWatch(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), kind_(kind), local_(problem, kind) {
    std::vector<char> in_x, in_dx;
    if (problem.highest_index() > 1 || !problem.state_choice().blocks.empty())
        return;                                     // the choice of states watches the matrix
    if (!problem.mark_varying(in_x, in_dx)) return; // rows of black boxes may turn from point to point
    const SparsityPattern& pattern = problem.pattern();
    for (std::size_t j = 0; j + 1 < pattern.column_start.size(); ++j) {
        const bool state = problem.unknowns()[j].differential;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            active_ = active_ || in_dx[at] != 0 || (!state && in_x[at] != 0);
        }
    }
}

void note_singular_point(Statistics& statistics, const SingularPoint& point) {
    std::vector<SingularPoint>& known = statistics.singular_points;
    if (std::none_of(known.begin(), known.end(), [&](const SingularPoint& other) {
            return other.unknown == point.unknown && other.stepped_over == point.stepped_over;
        }))
        known.push_back(point);
}

void OrientationWatch::started(Run& run) {
    reset();
    if (std::exchange(at_start_, false)) look_now(run);
}

void OrientationWatch::load(Run&, const Checkpoint&) { at_start_ = true; }

Flow OrientationWatch::settled(Run& run) {
    // A look costs a Jacobian and a factorisation. Methods that need both in every step pay a sixteenth more for it.
    constexpr long seldom = 16; // steps
    if (run.steps() - looked_ >= seldom) look_now(run);
    return Flow::proceed;
}

void OrientationWatch::look_now(Run& run) {
    if (!active_) return;
    looked_ = run.steps();
    if (const std::optional<SingularPoint> point = look(run.stepper->t(), run.stepper->x(), run.stepper->dx()))
        note_singular_point(run.result.statistics, *point);
}

int OrientationWatch::sign_at(const Point& point) {
    std::vector<double> z = point.x;
    for (std::size_t k = 0; k < z.size(); ++k)
        if (problem_.unknowns()[k].differential) z[k] = point.dx[k];
    local_.follow_links(point.x.data(), z.data());
    if (local_.linearize(point.t, point.x.data(), z.data(), uncounted_) != problem::EvalStatus::ok) return 0;
    if (local_.factor(uncounted_) != linalg::FactorStatus::ok) return 0;
    const long double determinant = local_.determinant();
    return determinant > 0.0L ? 1 : determinant < 0.0L ? -1 : 0;
}

std::optional<SingularPoint> OrientationWatch::look(double t, std::span<const double> x, std::span<const double> dx) {
    Point now{t, {x.begin(), x.end()}, {dx.begin(), dx.end()}};
    const int sign = sign_at(now);
    if (local_.constant() || (sign == 0 && sign_ == 0)) active_ = false; // large matrices do not tell
    if (sign == 0) return {};
    std::optional<SingularPoint> between;
    if (sign_ != 0 && sign != sign_) between = locate(now);
    sign_ = sign;
    last_ = std::move(now);
    return between;
}

/// By bisection on the line from the last point to this one.
SingularPoint OrientationWatch::locate(const Point& now) {
    Point middle = now;
    double begin = 0.0, end = 1.0;
    constexpr int halvings = 40;
    for (int i = 0; i < halvings; ++i) {
        const double s = 0.5 * (begin + end);
        const auto between = [s](double a, double b) { return (1.0 - s) * a + s * b; };
        middle.t = between(last_.t, now.t);
        for (std::size_t k = 0; k < now.x.size(); ++k) {
            middle.x[k] = between(last_.x[k], now.x[k]);
            middle.dx[k] = between(last_.dx[k], now.dx[k]);
        }
        const int sign = sign_at(middle);
        if (sign == 0) break;
        (sign == sign_ ? begin : end) = s;
    }
    SingularPoint point{middle.t, -1, -1, true};
    LocalMatrix matrix(problem_, kind_);
    constexpr double large = 1e12; // states are given
    (void)matrix.smallest_singular_value(middle.t, middle.x.data(), middle.dx.data(), large);
    const auto most = [](const std::vector<double>& vector) {
        const auto at = std::max_element(vector.begin(), vector.end(),
                                         [](double a, double b) { return std::abs(a) < std::abs(b); });
        return at == vector.end() ? -1 : static_cast<int>(at - vector.begin());
    };
    point.unknown = most(matrix.right());
    point.row = most(matrix.left());
    return point;
}

} // namespace daedalus::integrate
