#include "analysis/derivative_array_point.hpp"

#include "analysis/array_elimination.hpp"
#include "analysis/derivative_array_ranks.hpp"
#include "nonlinear/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;

constexpr double converged = 1e-16;        // residual relative to the terms of its row: until rounding stops it, …
constexpr double good_enough = 1e-9;       // … since a rank can hang on a value being zero
constexpr double nearly_consistent = 1e-3; // perhaps rounding in rows of very different units
constexpr int most_iterations = 60;
constexpr double negligible = 1e-12; // singular values of an order: steps along smaller ones go nowhere
constexpr double x_weight = 1e-3;    // where x must move: a thousandth of what the derivatives may

enum class Rows { equilibrated, by_size };

/// Gauss–Newton for F_k(t, z) = 0, as `nonlinear::damped_newton` wants it: minimal corrections in scaled unknowns.
class Search {
public:
    Search(problem::DerivativeArray& array, int order, double t, std::span<const int> ranks, ArrayPoint& point,
           bool hold_x, Rows weights)
        : array_(array), order_(order), t_(t), ranks_(ranks), point_(point), first_(hold_x ? array.unknowns() : 0),
          weights_(weights) {}

    void run() {
        if (!measure(point_.z, r_)) {
            point_.why_not = "the equations have no finite value at the start values";
            point_.residual = INFINITY;
            return;
        }
        nonlinear::DampingOptions options;
        options.max_iterations = most_iterations;
        options.smallest_step = std::ldexp(1.0, -12);
        options.sufficient = 0.02;
        options.negligible = 0.0; // the residual decides
        options.equal_full_steps = true;
        (void)nonlinear::damped_newton(*this, options);
        point_.consistent = point_.residual <= good_enough;
        if (!point_.consistent && point_.why_not.empty())
            point_.why_not = fmt::format("no point of the derivative array of order {} was found near the start "
                                         "(relative residual {:.2g})",
                                         order_, point_.residual);
    }

    bool linearise() {
        auto jacobian = array_jacobian(array_, order_, t_, point_.z);
        if (!jacobian) return false;
        drop_rounding(*jacobian);
        jacobian_ = *std::move(jacobian);
        point_.residual = relative(jacobian_, point_.z, r_);
        return true;
    }

    bool finished() {
        const double now = point_.residual;
        if (now <= converged || (now <= good_enough && now > 0.3 * previous_)) return true;
        // A least-squares solution with a residual of its own (x off the constraints) is reached linearly.
        stagnant_ = now > 0.95 * previous_ ? stagnant_ + 1 : 0;
        previous_ = now;
        return stagnant_ >= 3;
    }

    void solve() {
        ++point_.iterations;
        const int n = array_.unknowns(), rows = array_.rows(order_), cols = array_.columns(order_) - first_;
        const bool hold_x = first_ > 0;
        e_ = weights_ == Rows::by_size ? by_size(jacobian_.columns(first_, cols), sizes(jacobian_, point_.z))
                                       : equilibrated(jacobian_.columns(first_, cols));
        if (!hold_x) measure_x(e_, point_.z);
        eliminated_ = eliminate(e_.a, array_.equations(), n, n - first_,
                                {hold_x ? ranks_ : std::span<const int>{}, negligible, false});
        step_.clear();
        if (!eliminated_.ok) return;
        Matrix r(rows, 1);
        for (int i = 0; i < rows; ++i) r(i, 0) = -e_.row[static_cast<std::size_t>(i)] * r_[static_cast<std::size_t>(i)];
        const Matrix solved = eliminated_.solve(r);
        step_.assign(solved.entries().begin(), solved.entries().end());
    }

    // The scaled residual. Where x is held and ranks are given, only U₁ᵀ r can be made zero: the rest measures how far
    // x is off.
    [[nodiscard]] double merit() const { return norm(r_); }

    double attempt(double lambda) {
        if (step_.empty()) return INFINITY;
        trial_ = point_.z;
        for (std::size_t j = 0; j < step_.size(); ++j)
            trial_[static_cast<std::size_t>(first_) + j] += lambda * step_[j] * e_.col[j];
        return measure(trial_, r_there_) ? norm(r_there_) : INFINITY;
    }

    double update(double lambda) { // where the last attempt was
        std::swap(point_.z, trial_);
        std::swap(r_, r_there_);
        return lambda;
    }

private:
    bool measure(const std::vector<double>& z, std::vector<double>& r) {
        r.resize(static_cast<std::size_t>(array_.rows(order_)));
        return array_.residual(order_, t_, z.data(), r.data()) == problem::EvalStatus::ok;
    }

    [[nodiscard]] double norm(const std::vector<double>& r) const {
        std::vector<double> scaled(r);
        for (std::size_t i = 0; i < r.size(); ++i) scaled[i] *= e_.row[i];
        double sum = 0.0;
        const bool solvable_part = first_ > 0 && !ranks_.empty();
        for (int k = 0; solvable_part && k < eliminated_.rows.cols(); ++k) {
            const auto u = eliminated_.rows.column(k);
            sum += std::pow(std::inner_product(u.begin(), u.end(), scaled.begin(), 0.0), 2);
        }
        if (!solvable_part) sum = std::inner_product(scaled.begin(), scaled.end(), scaled.begin(), 0.0);
        return std::sqrt(sum);
    }

    /// Σ|∂F_i/∂z||z| of each row.
    static std::vector<double> sizes(const Matrix& jacobian, const std::vector<double>& z) {
        std::vector<double> size(static_cast<std::size_t>(jacobian.rows()), 0.0);
        for (int j = 0; j < jacobian.cols(); ++j)
            for (int i = 0; i < jacobian.rows(); ++i)
                size[static_cast<std::size_t>(i)] +=
                    std::abs(jacobian(i, j)) * std::max(1e-3, std::abs(z[static_cast<std::size_t>(j)]));
        return size;
    }

    /// x moves as little as it can by its own measure: a coefficient that nearly vanishes is no reason to go far.
    void measure_x(Equilibrated& e, const std::vector<double>& z) const {
        for (int j = 0; j < array_.unknowns(); ++j) {
            const auto at = static_cast<std::size_t>(j);
            const double nominal = array_.infos.empty() ? 1.0 : array_.infos[at].nominal;
            const double unit = x_weight * std::max(std::abs(z[at]), 0.1 * nominal), factor = unit / e.col[at];
            for (double& v : e.a.column(j)) v *= factor;
            e.col[at] = unit;
        }
    }

    /// Rows in units of their size, columns to largest entry 1: what rounding leaves over is spread as `relative`
    /// measures it, not to rows that happen to have small factors.
    static Equilibrated by_size(Matrix a, const std::vector<double>& size) {
        Equilibrated e;
        for (const double s : size) e.row.push_back(s > 0.0 ? 1.0 / s : 1.0);
        for (int j = 0; j < a.cols(); ++j) {
            double largest = 0.0;
            for (int i = 0; i < a.rows(); ++i) {
                a(i, j) *= e.row[static_cast<std::size_t>(i)];
                largest = std::max(largest, std::abs(a(i, j)));
            }
            e.col.push_back(largest > 0.0 ? 1.0 / largest : 1.0);
            for (double& v : a.column(j)) v *= e.col.back();
        }
        e.a = std::move(a);
        return e;
    }

    static double relative(const Matrix& jacobian, const std::vector<double>& z, const std::vector<double>& r) {
        double worst = 0.0;
        const std::vector<double> size = sizes(jacobian, z);
        for (std::size_t i = 0; i < r.size(); ++i)
            if (r[i] != 0.0) worst = std::max(worst, std::abs(r[i]) / std::max(size[i], std::abs(r[i]) * 1e-3));
        return worst;
    }

    problem::DerivativeArray& array_;
    int order_;
    double t_;
    std::span<const int> ranks_;
    ArrayPoint& point_;
    int first_; ///< unknown that may move: x is held if it is the first derivative
    Rows weights_;
    std::vector<double> r_, r_there_, trial_, step_;
    Matrix jacobian_;
    Equilibrated e_;
    ArrayElimination eliminated_;
    double previous_ = INFINITY;
    int stagnant_ = 0;
};

} // namespace

ArrayPoint consistent_point(problem::DerivativeArray& array, int order, double t, std::span<const double> guess,
                            HoldX hold, std::span<const int> ranks) {
    ArrayPoint point;
    point.order = order;
    point.t = t;
    point.z.assign(static_cast<std::size_t>(array.columns(order)), 0.0);
    std::copy_n(guess.begin(), std::min(guess.size(), point.z.size()), point.z.begin());
    const auto search = [&](ArrayPoint& from, bool hold_x, Rows weights = Rows::equilibrated) {
        Search(array, order, t, ranks, from, hold_x, weights).run();
    };
    const std::vector<double> begin = point.z;
    if (hold != HoldX::no) {
        search(point, true);
        if (hold == HoldX::thoroughly && !point.consistent && point.residual <= nearly_consistent) {
            point.why_not.clear();
            search(point, true, Rows::by_size);
        }
        if (point.consistent || hold != HoldX::if_possible) return point;
    }
    ArrayPoint other = point;
    other.z = begin;
    other.why_not.clear();
    search(other, false);
    other.moved_x = true;
    return other;
}

} // namespace daedalus::analysis
