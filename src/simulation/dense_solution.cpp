#include "simulation/dense_solution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace daedalus::simulation {

namespace {

// Enough for polynomials of this degree less one: low-order methods, Runge–Kutta methods, high-order Radau methods,
// extrapolation. A continuous output that is no polynomial is kept with the largest number.
constexpr int point_counts[] = {4, 7, 11, 17, 25};
// Of values and nominal values: what the barycentric formula itself loses is some units of rounding.
constexpr double exact = 1e-12;

/// Chebyshev points of the second kind, as shares of the piece.
double node(int j, int points) { return 0.5 * (1.0 - std::cos(std::numbers::pi * j / (points - 1))); }

double weight(int j, int points) { return (j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == points - 1 ? 0.5 : 1.0); }

} // namespace

DenseSolution::DenseSolution(const problem::ImplicitProblem& problem, const integrate::IntegrationOptions& options,
                             std::size_t most, std::optional<std::vector<int>> wanted)
    : problem_(problem), options_(options), unknowns_(static_cast<std::size_t>(problem.size())),
      integrals_(static_cast<std::size_t>(problem.quadratures().size())), most_(most), points_(point_counts[1]),
      wanted_(std::move(wanted)) {
    options_.interrupt = nullptr; // what belongs to the caller may be gone when the solution is asked
    options_.progress = {};
    options_.checkpoint = {};
}

void DenseSolution::sample(const integrate::Interpolant& interpolant, double from, double to, int points,
                           std::vector<double>& values) const {
    const std::size_t width = 2 * unknowns_ + integrals_;
    values.resize(width * static_cast<std::size_t>(points));
    for (int j = 0; j < points; ++j) {
        double* z = values.data() + width * static_cast<std::size_t>(j);
        const double t = j == points - 1 ? to : from + (to - from) * node(j, points);
        interpolant.evaluate(t, z, z + unknowns_);
        if (integrals_ > 0) interpolant.integrals(t, z + 2 * unknowns_);
    }
}

void DenseSolution::add(const integrate::AcceptedStep& step, const problem::ImplicitProblem& run) {
    if (given_up_ || step.t == step.t_before) return;
    if (environments_.empty() || environments_.back().stamp() != run.environment().stamp())
        environments_.push_back(run.environment());
    if (links_.empty() || links_.back() != run.links()) links_.push_back(run.links());
    Piece piece{step.t_before,     step.t, points_, step.interpolant.degree(), environments_.size() - 1,
                links_.size() - 1, {}};
    const auto& names = problem_.unknowns();
    std::vector<double> direct(2 * unknowns_), kept(2 * unknowns_ + integrals_);
    for (const int points : point_counts) {
        if (points < points_ && points != point_counts[0]) continue;
        piece.points = points;
        sample(step.interpolant, step.t_before, step.t, points, piece.values);
        // Far from all points: where the formula would be worst.
        const double share = 0.5 * (node(points / 2, points) + node(points / 2 + 1, points));
        const double t = step.t_before + (step.t - step.t_before) * share;
        step.interpolant.evaluate(t, direct.data(), direct.data() + unknowns_);
        interpolate(piece, t, kept.data());
        bool same = true;
        for (std::size_t k = 0; k < unknowns_ && same; ++k)
            same = std::abs(kept[k] - direct[k]) <= exact * (std::abs(direct[k]) + std::abs(names[k].nominal));
        if (same) break;
    }
    points_ = piece.points;
    kept_ += piece.values.size();
    given_up_ = kept_ > most_;
    if (given_up_) {
        pieces_.clear();
        pieces_.shrink_to_fit();
        return;
    }
    pieces_.push_back(std::move(piece));
}

void DenseSolution::interpolate(const Piece& piece, double t, double* z) const {
    const std::size_t width = 2 * unknowns_ + integrals_;
    const double share = (t - piece.begin) / (piece.end - piece.begin);
    std::fill_n(z, width, 0.0);
    double sum = 0.0;
    for (int j = 0; j < piece.points; ++j) {
        const double* at = piece.values.data() + width * static_cast<std::size_t>(j);
        const double distance = share - node(j, piece.points);
        if (distance == 0.0) {
            std::copy_n(at, width, z);
            return;
        }
        const double part = weight(j, piece.points) / distance;
        sum += part;
        for (std::size_t k = 0; k < width; ++k) z[k] += part * at[k];
    }
    for (std::size_t k = 0; k < width; ++k) z[k] /= sum;
}

bool DenseSolution::covers(double t) const {
    if (empty()) return false;
    return t >= std::min(begin(), end()) && t <= std::max(begin(), end());
}

void DenseSolution::switch_to(const Piece& piece) const {
    const bool first = current_ == nullptr;
    if (first || current_->environment != piece.environment) problem_.environment() = environments_[piece.environment];
    if (first || current_->links != piece.links) {
        problem_.set_links(links_[piece.links]);
        if (consistent_) consistent_->links_changed();
    }
    if (!consistent_) consistent_ = std::make_unique<integrate::ConsistentOutput>(problem_, options_);
    if (first || current_->environment != piece.environment) {
        std::vector<double> z(2 * unknowns_ + integrals_);
        interpolate(piece, piece.begin, z.data());
        consistent_->forget_branches();
        consistent_->judge_branches(piece.begin, piece.end - piece.begin, z.data(), z.data() + unknowns_);
    }
    current_ = &piece;
}

void DenseSolution::evaluate(double t, std::vector<double>& y) const {
    const bool forward = end() >= begin();
    if (pieces_.empty() ||
        (earlier_ && (forward ? t < pieces_.front().begin : t > pieces_.front().begin) && earlier_->covers(t)))
        return earlier_->evaluate(t, y);
    const std::lock_guard lock(mutex_);
    // The last piece that begins at t or before it.
    const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), t, [&](double at, const Piece& piece) {
        return forward ? at < piece.begin : at > piece.begin;
    });
    const Piece& piece = behind == pieces_.begin() ? pieces_.front() : *std::prev(behind);
    switch_to(piece);
    std::vector<double> z(2 * unknowns_ + integrals_);
    interpolate(piece, t, z.data());
    double *x = z.data(), *dx = z.data() + unknowns_;
    (void)consistent_->refine_interpolated(t, piece.end - piece.begin, piece.degree, x, dx, false);
    y.resize(static_cast<std::size_t>(problem_.output_count()));
    (void)problem_.outputs(t, x, dx, y.data());
    for (std::size_t k = 0; k < integrals_; ++k)
        y[static_cast<std::size_t>(problem_.quadratures().output[k])] = z[2 * unknowns_ + k];
    if (!wanted_) return;
    std::vector<double> chosen;
    for (const int v : *wanted_) chosen.push_back(y[static_cast<std::size_t>(v)]);
    y = std::move(chosen);
}

} // namespace daedalus::simulation
