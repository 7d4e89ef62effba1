#include "simulation/dense_solution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
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
struct Nodes {
    static constexpr int most = std::end(point_counts)[-1];
    std::array<std::array<double, most>, most + 1> at{};
    Nodes() {
        for (const int points : point_counts)
            for (int j = 0; j < points; ++j)
                at[static_cast<std::size_t>(points)][static_cast<std::size_t>(j)] =
                    0.5 * (1.0 - std::cos(std::numbers::pi * j / (points - 1)));
    }
};

double node(int j, int points) {
    static const Nodes nodes;
    return nodes.at[static_cast<std::size_t>(points)][static_cast<std::size_t>(j)];
}

double weight(int j, int points) { return (j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == points - 1 ? 0.5 : 1.0); }

} // namespace

DenseSolution::DenseSolution(const problem::ImplicitProblem& problem, const integrate::IntegrationOptions& options,
                             std::size_t most, std::optional<std::vector<int>> wanted)
    : problem_(problem), options_(options), unknowns_(static_cast<std::size_t>(problem.size())),
      integrals_(static_cast<std::size_t>(problem.quadratures().size())), most_(most), wanted_(std::move(wanted)) {
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

bool DenseSolution::add(const integrate::AcceptedStep& step, const problem::ImplicitProblem& run) {
    if (given_up_ || step.t == step.t_before) return true;
    if (environments_.empty() || environments_.back().stamp() != run.environment().stamp())
        environments_.push_back(run.environment());
    if (links_.empty() || links_.back() != run.links()) links_.push_back(run.links());
    Piece piece{step.t_before,
                step.t,
                step.h,
                0,
                step.interpolant.degree(),
                environments_.size() - 1,
                links_.size() - 1,
                {},
                integrals_ == 0 ? step.interpolant.keep() : nullptr};
    if (!piece.kept) keep_values(step, piece);
    kept_ += piece.kept ? piece.kept->size() : piece.values.size();
    pieces_.push_back(std::move(piece));
    return kept_ <= most_;
}

void DenseSolution::keep_values(const integrate::AcceptedStep& step, Piece& piece) {
    const auto& names = problem_.unknowns();
    direct_.resize(2 * unknowns_);
    interpolated_.resize(2 * unknowns_ + integrals_);
    for (const int points : point_counts) {
        // What a piece costs depends on nothing but the piece: resumed runs count as uninterrupted ones do.
        if (points <= piece.degree && points != std::end(point_counts)[-1]) continue;
        piece.points = points;
        sample(step.interpolant, step.t_before, step.t, points, piece.values);
        // Far from all points: where the formula would be worst.
        const double share = 0.5 * (node(points / 2, points) + node(points / 2 + 1, points));
        const double t = step.t_before + (step.t - step.t_before) * share;
        step.interpolant.evaluate(t, direct_.data(), direct_.data() + unknowns_);
        interpolate(piece, t, interpolated_.data());
        bool same = true;
        for (std::size_t k = 0; k < unknowns_ && same; ++k)
            same =
                std::abs(interpolated_[k] - direct_[k]) <= exact * (std::abs(direct_[k]) + std::abs(names[k].nominal));
        if (same) break;
    }
}

void DenseSolution::give_up() {
    given_up_ = true;
    pieces_.clear();
    pieces_.shrink_to_fit();
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

class DenseSolution::Steps::Values final : public integrate::ContinuousOutput {
public:
    explicit Values(const Steps& of) : of_(of), z_(of.z_.size()) {}
    void interpolate(double t, double* x, double* dx) const override {
        of_.solution_.interpolate(*of_.piece_, t, z_.data());
        const auto n = static_cast<std::ptrdiff_t>(of_.solution_.unknowns_);
        std::copy_n(z_.begin(), n, x);
        std::copy_n(z_.begin() + n, n, dx);
    }
    [[nodiscard]] int degree() const override { return of_.piece_->degree; }
    [[nodiscard]] bool keeps_states() const override { return of_.piece_->degree == 0; }

private:
    const Steps& of_;
    mutable std::vector<double> z_;
};

DenseSolution::Steps::Steps(const DenseSolution& solution)
    : solution_(solution), problem_(solution.problem_), consistent_(problem_, solution.options_),
      z_(2 * solution.unknowns_ + solution.integrals_) {
    values_ = std::make_unique<Values>(*this);
}

void DenseSolution::Steps::go_to(std::size_t k) {
    const Piece& piece = solution_.pieces_[k];
    if (&piece == piece_) return;
    const bool other_branches = piece_ == nullptr || piece_->environment != piece.environment;
    if (other_branches) problem_.environment() = solution_.environments_[piece.environment];
    if (piece_ == nullptr || piece_->links != piece.links) {
        problem_.set_links(solution_.links_[piece.links]);
        consistent_.links_changed();
        if (reader_) reader_->links_changed();
    }
    piece_ = &piece;
    if (piece.kept && !(reader_ && reader_->read(*piece.kept))) {
        reader_ = piece.kept->make_reader(problem_, solution_.options_);
        (void)reader_->read(*piece.kept);
    }
    interpolant_.emplace(piece.kept ? *reader_ : *values_, consistent_, piece.begin, piece.end);
    if (!other_branches) return;
    std::vector<double> x(solution_.unknowns_), dx(solution_.unknowns_);
    interpolant_->evaluate(piece.begin, x.data(), dx.data());
    consistent_.forget_branches();
    consistent_.judge_branches(piece.begin, piece.end - piece.begin, x.data(), dx.data());
}

void DenseSolution::Steps::integrals(double t, double* q) {
    if (solution_.integrals_ == 0) return;
    solution_.interpolate(*piece_, t, z_.data());
    std::copy(z_.begin() + static_cast<std::ptrdiff_t>(2 * solution_.unknowns_), z_.end(), q);
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
    if (!asked_) asked_ = std::make_unique<Steps>(*this);
    asked_->go_to(behind == pieces_.begin() ? 0 : static_cast<std::size_t>(behind - pieces_.begin()) - 1);
    std::vector<double> x(unknowns_), dx(unknowns_), q(integrals_);
    (void)asked_->interpolant().evaluate_consistent(t, x.data(), dx.data());
    y.resize(static_cast<std::size_t>(problem_.output_count()));
    (void)asked_->problem().outputs(t, x.data(), dx.data(), y.data());
    if (integrals_ > 0) asked_->integrals(t, q.data());
    for (std::size_t k = 0; k < integrals_; ++k) y[static_cast<std::size_t>(problem_.quadratures().output[k])] = q[k];
    if (!wanted_) return;
    std::vector<double> chosen;
    for (const int v : *wanted_) chosen.push_back(y[static_cast<std::size_t>(v)]);
    y = std::move(chosen);
}

} // namespace daedalus::simulation
