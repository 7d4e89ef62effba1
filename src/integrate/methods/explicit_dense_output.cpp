#include "integrate/methods/explicit_dense_output.hpp"

#include "integrate/methods/tightening.hpp"
#include "problem/explicit_form.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace daedalus::integrate {

namespace {

// Tolerances of the method's error test, a thirtieth to a hundredth of the user's (tightening.cpp), by which the inside
// of a step may be off. Of the steps that pass that test few leave more.
constexpr double granted_inside = 10.0;
// The error of a part is to be this share of that; and no step falls into more parts.
constexpr double share_of_part = 0.5;
constexpr int most_parts = 8;

} // namespace

LocalSystem::Given given_to_stages(const problem::ImplicitProblem& problem) {
    const bool solved = problem.linear_leading() || !problem::explicit_form(problem).empty();
    return solved ? LocalSystem::Given::chains : LocalSystem::Given::states;
}

double relative_of_stages(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return tightening_of_explicit(problem).constant * options.tolerance.relative;
}

ExplicitDenseOutput::ExplicitDenseOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                         const tableau::ExplicitRungeKutta& method,
                                         const StageExtrapolation& extrapolation)
    : method_(method), extrapolation_(extrapolation), problem_(problem), options_(options),
      stages_(problem, options, given_to_stages(problem), relative_of_stages(problem, options)),
      n_(static_cast<std::size_t>(problem.size())), x_(n_), dx_(n_) {
    // Degree of z as that of x'.
    const int inside = static_cast<int>(method_.dense.size()) + 1;
    nodes_.push_back(0.0);
    for (int m = inside; m >= 1; --m) nodes_.push_back(0.5 + 0.5 * std::cos(std::numbers::pi * m / (inside + 1)));
    nodes_.push_back(1.0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        double product = 1.0;
        for (std::size_t j = 0; j < nodes_.size(); ++j)
            if (j != i) product *= nodes_[i] - nodes_[j];
        weights_.push_back(1.0 / product);
    }
}

void ExplicitDenseOutput::links_changed() {
    stages_.links_changed();
    if (consistent_) consistent_->links_changed();
}

/// z at a time inside, as the stages of the whole step tell it.
void ExplicitDenseOutput::guess(double time, double* z) const {
    extrapolation_.interpolate((time - t_before_) / h_, z_, n_, z);
}

/// F = 0 with the states in x and z near its solution, which z becomes.
void ExplicitDenseOutput::solve_stage(double time, double* x, double* z) {
    for (std::size_t k = 0; k < n_; ++k) {
        if (differential_[k] == 0) x[k] = z[k];
        dx_[k] = differential_[k] != 0 ? z[k] : 0.0;
    }
    if (stages_.solve(time, x, z, false, counters_) == StepStatus::ok) {
        stages_.system().follow_links(x, z);
        return;
    }
    stages_.forget_matrix();
    if (!consistent_) consistent_.emplace(problem_, options_);
    for (std::size_t k = 0; k < n_; ++k)
        if (differential_[k] == 0) x[k] = z[k];
    keep_matrix_ = consistent_->follow(time, h_, x, dx_.data(), keep_matrix_);
    for (std::size_t k = 0; k < n_; ++k) z[k] = differential_[k] != 0 ? dx_[k] : x[k];
    stages_.system().follow_links(x, z);
}

/// sum += h Σ_j row_j z_j.
void ExplicitDenseOutput::add(const tableau::ExplicitRungeKutta::Row& row, const Piece& piece, double* sum) const {
    for (const auto& [stage, value] : row)
        for (std::size_t k = 0; k < n_; ++k)
            sum[k] += piece.h * value * piece.z[static_cast<std::size_t>(stage) * n_ + k];
}

/// The extra stages, and the polynomial of the states, of a piece whose stages are known and that ends in `end`.
void ExplicitDenseOutput::find_coefficients(Piece& piece, const double* end) {
    const auto stages = static_cast<std::size_t>(method_.stages), extra = static_cast<std::size_t>(method_.extra);
    for (std::size_t i = stages; i < stages + extra; ++i) {
        const double time = piece.t + method_.c[i] * piece.h;
        std::copy(piece.start.begin(), piece.start.end(), x_.begin());
        add(method_.a[i], piece, x_.data());
        guess(time, piece.z.data() + i * n_);
        solve_stage(time, x_.data(), piece.z.data() + i * n_);
    }
    piece.F.assign((3 + method_.dense.size()) * n_, 0.0);
    const double *first = piece.z.data(), *last = first + (stages - 1) * n_;
    double *F0 = piece.F.data(), *F1 = F0 + n_, *F2 = F1 + n_;
    for (std::size_t k = 0; k < n_; ++k) {
        F0[k] = end[k] - piece.start[k];
        F1[k] = piece.h * first[k] - F0[k];
        F2[k] = F0[k] - piece.h * last[k] - F1[k];
    }
    for (std::size_t r = 0; r < method_.dense.size(); ++r) add(method_.dense[r], piece, F2 + (r + 1) * n_);
    piece.between_known = false;
}

void ExplicitDenseOutput::prepare(const ExplicitStep& step, std::span<const double> weights, double round_off) {
    t_before_ = step.t_before;
    h_ = step.t - step.t_before;
    z_ = step.z;
    keep_matrix_ = false;
    (void)stages_.learn(step.t_before, step.x_before.data(), step.z.data(), counters_);
    differential_ = stages_.system().differential();
    all_states_ = std::find(differential_.begin(), differential_.end(), 0) == differential_.end();
    stages_.begin(weights, h_, round_off);
    stages_.forget_matrix(); // the same whatever steps were asked before
    pieces_.resize(1);
    Piece& whole = pieces_.front();
    whole.t = step.t_before;
    whole.h = h_;
    whole.start.assign(step.x_before.begin(), step.x_before.end());
    whole.z.assign(step.z.begin(), step.z.end());
    whole.z.resize(static_cast<std::size_t>(method_.stages + method_.extra) * n_);
    find_coefficients(whole, step.x.data());
    if (options_.method.fixed_step) return; // for experiments with the polynomial's order
    const double error = polynomial_error(weights);
    if (!(error > granted_inside) || !std::isfinite(error)) return;
    const double order = static_cast<double>(3 + method_.dense.size() + 1);
    const double parts = std::ceil(std::pow(error / (share_of_part * granted_inside), 1.0 / order));
    stages_.begin(weights, h_ / parts, round_off);
    divide(static_cast<int>(std::clamp(parts, 2.0, static_cast<double>(most_parts))), step.x);
}

/// What the polynomial leaves out, if its terms go on to shrink as the last ones do: the next one after the last, or
/// after the last but one. Of oscillations, terms of even and of odd degree belong to different phases, and one kind
/// may nearly vanish in a step: how terms shrink is told by those of a kind, two degrees apart. The term of F_r is
/// largest at p/(p + q), where it is F_r θ^p (1-θ)^q there.
double ExplicitDenseOutput::polynomial_error(std::span<const double> weights) {
    const auto norm_of_term = [&](std::size_t r) {
        const std::size_t left = (r + 2) / 2, right = (r + 1) / 2;
        const auto p = static_cast<double>(left), q = static_cast<double>(right), at = p / (p + q);
        const double largest = std::pow(at, p) * std::pow(1.0 - at, q);
        double sum = 0.0;
        std::size_t count = 0;
        for (std::size_t k = 0; k < n_; ++k) {
            if (differential_[k] == 0) continue;
            const double value = largest * weights[k] * pieces_.front().F[r * n_ + k];
            sum += value * value;
            ++count;
        }
        return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
    };
    const std::size_t last = 2 + method_.dense.size();
    std::array<double, 4> term{}; // the last ones
    for (std::size_t k = 0; k < term.size(); ++k) term[k] = norm_of_term(last + 1 + k - term.size());
    const auto shrink = [&](std::size_t k) { return term[k] < term[k - 2] ? term[k] / term[k - 2] : 1.0; };
    const double by_two = std::max(shrink(2), shrink(3));
    return std::max(term[2] * by_two, term[3] * std::sqrt(by_two));
}

/// The step again in `parts` shorter ones. What they end beside its end, which is at most what both may be wrong, is
/// distributed over them, so that nothing leaps where the next step begins.
void ExplicitDenseOutput::divide(int parts, std::span<const double> end) {
    const auto stages = static_cast<std::size_t>(method_.stages);
    std::vector<Piece> pieces(static_cast<std::size_t>(parts));
    std::vector<double> reached(pieces_.front().start), z(z_.begin(), z_.begin() + static_cast<std::ptrdiff_t>(n_));
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        Piece& piece = pieces[p];
        piece.h = h_ / parts;
        piece.t = t_before_ + static_cast<double>(p) * piece.h;
        piece.start = reached;
        piece.z.resize(static_cast<std::size_t>(method_.stages + method_.extra) * n_);
        std::copy(z.begin(), z.end(), piece.z.begin());
        for (std::size_t i = 1; i < stages; ++i) {
            const double time = piece.t + method_.c[i] * piece.h;
            std::copy(piece.start.begin(), piece.start.end(), x_.begin());
            add(method_.a[i], piece, x_.data());
            guess(time, piece.z.data() + i * n_);
            if (i + 1 == stages) std::copy(x_.begin(), x_.end(), reached.begin());
            solve_stage(time, x_.data(), piece.z.data() + i * n_);
        }
        std::copy_n(piece.z.end() - static_cast<std::ptrdiff_t>((static_cast<std::size_t>(method_.extra) + 1) * n_), n_,
                    z.begin());
        find_coefficients(piece, reached.data());
    }
    for (std::size_t k = 0; k < n_; ++k) {
        const double beside = (end[k] - reached[k]) / parts;
        if (!std::isfinite(beside)) return; // shorter steps lead out of the domain: the polynomial is what there is
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            pieces[p].start[k] += static_cast<double>(p) * beside;
            pieces[p].F[k] += beside;
        }
    }
    pieces_ = std::move(pieces);
}

const ExplicitDenseOutput::Piece& ExplicitDenseOutput::piece_at(double time) const {
    const auto count = static_cast<double>(pieces_.size());
    return pieces_[static_cast<std::size_t>(std::clamp((time - t_before_) / h_ * count, 0.0, count - 1.0))];
}

/// At the Chebyshev points.
void ExplicitDenseOutput::solve_between(Piece& piece) {
    piece.between_known = true;
    piece.z_nodes.resize(nodes_.size() * n_);
    for (std::size_t m = 1; m + 1 < nodes_.size(); ++m) {
        const double time = piece.t + nodes_[m] * piece.h;
        double* z = piece.z_nodes.data() + m * n_;
        guess(time, z);
        states(piece, nodes_[m], x_.data(), dx_.data());
        solve_stage(time, x_.data(), z);
    }
    std::copy_n(piece.z.data(), n_, piece.z_nodes.begin());
    std::copy_n(piece.z.data() + static_cast<std::size_t>(method_.stages - 1) * n_, n_,
                piece.z_nodes.end() - static_cast<std::ptrdiff_t>(n_));
}

void ExplicitDenseOutput::evaluate_states(double time, double* x, double* dx) const {
    const Piece& piece = piece_at(time);
    states(piece, (time - piece.t) / piece.h, x, dx);
    if (all_states_) return;
    std::vector<double> z(n_);
    guess(time, z.data());
    for (std::size_t k = 0; k < n_; ++k) {
        if (differential_[k] != 0) continue;
        x[k] = z[k];
        dx[k] = 0.0;
    }
}

/// The nested form and its derivative, from the innermost bracket outwards.
void ExplicitDenseOutput::states(const Piece& piece, double theta, double* x, double* dx) const {
    const std::size_t rows = piece.F.size() / n_;
    for (std::size_t k = 0; k < n_; ++k) {
        double value = 0.0, slope = 0.0;
        for (std::size_t r = rows; r-- > 0;) {
            const double factor = r % 2 == 0 ? theta : 1.0 - theta, sign = r % 2 == 0 ? 1.0 : -1.0;
            const double sum = piece.F[r * n_ + k] + value;
            slope = sign * sum + factor * slope;
            value = factor * sum;
        }
        x[k] = piece.start[k] + value;
        dx[k] = slope / piece.h;
    }
}

void ExplicitDenseOutput::evaluate(double time, double* x, double* dx) const {
    const Piece& piece = piece_at(time);
    const double theta = (time - piece.t) / piece.h;
    // What is found on demand is kept.
    if (!all_states_ && !piece.between_known)
        const_cast<ExplicitDenseOutput&>(*this).solve_between(const_cast<Piece&>(piece));
    states(piece, theta, x, dx);
    if (all_states_) return;
    // Lagrange's basis and its derivatives from products of what stands left and right of each node.
    constexpr std::size_t most = 16; // nodes: the degree of a tableau's dense output and two
    const std::size_t count = nodes_.size();
    std::array<double, most> weight{}, slope{}, left{}, left_slope{};
    double product = 1.0, derivative = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        left[i] = product;
        left_slope[i] = derivative;
        derivative = derivative * (theta - nodes_[i]) + product;
        product *= theta - nodes_[i];
    }
    product = 1.0;
    derivative = 0.0;
    for (std::size_t i = count; i-- > 0;) {
        weight[i] = weights_[i] * left[i] * product;
        slope[i] = weights_[i] * (left_slope[i] * product + left[i] * derivative) / piece.h;
        derivative = derivative * (theta - nodes_[i]) + product;
        product *= theta - nodes_[i];
    }
    for (std::size_t k = 0; k < n_; ++k) {
        double z = 0.0, rate = 0.0;
        const bool integrated = differential_[k] != 0;
        for (std::size_t i = 0; i < count; ++i) z += weight[i] * piece.z_nodes[i * n_ + k];
        for (std::size_t i = 0; i < count && !integrated; ++i) rate += slope[i] * piece.z_nodes[i * n_ + k];
        if (integrated) {
            dx[k] = z;
        } else {
            x[k] = z;
            dx[k] = rate;
        }
    }
}

} // namespace daedalus::integrate
