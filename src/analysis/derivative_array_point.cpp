#include "analysis/derivative_array_point.hpp"

#include "analysis/array_elimination.hpp"
#include "analysis/derivative_array_ranks.hpp"

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

struct Measured {
    std::vector<double> r;
    double relative = 0.0;
    bool finite = false;
};

class Search {
public:
    Search(problem::DerivativeArray& array, int order, double t, std::span<const int> ranks)
        : array_(array), order_(order), t_(t), ranks_(ranks) {}

    enum class Rows { equilibrated, by_size };

    void run(ArrayPoint& point, bool hold_x, Rows weights = Rows::equilibrated) {
        const int n = array_.unknowns(), first = hold_x ? n : 0, rows = array_.rows(order_);
        const int cols = array_.columns(order_) - first;
        Measured now = measure(point.z);
        if (!now.finite) {
            point.why_not = "the equations have no finite value at the start values";
            point.residual = INFINITY;
            return;
        }
        double previous = INFINITY;
        int stagnant = 0;
        for (int it = 0; it < most_iterations; ++it) {
            auto jacobian = array_jacobian(array_, order_, t_, point.z);
            if (!jacobian) break;
            drop_rounding(*jacobian);
            now.relative = relative(*jacobian, point.z, now.r);
            point.residual = now.relative;
            if (now.relative <= converged || (now.relative <= good_enough && now.relative > 0.3 * previous)) break;
            // A least-squares solution with a residual of its own (x off the constraints) is reached linearly.
            stagnant = now.relative > 0.95 * previous ? stagnant + 1 : 0;
            if (stagnant >= 3) break;
            previous = now.relative;
            ++point.iterations;
            Equilibrated e = weights == Rows::by_size
                                 ? by_size(jacobian->columns(first, cols), sizes(*jacobian, point.z))
                                 : equilibrated(jacobian->columns(first, cols));
            if (!hold_x) measure_x(e, point.z);
            const ArrayElimination eliminated = eliminate(
                e.a, array_.equations(), n, n - first, {hold_x ? ranks_ : std::span<const int>{}, negligible, false});
            if (!eliminated.ok) break;
            Matrix r(rows, 1);
            for (int i = 0; i < rows; ++i)
                r(i, 0) = -e.row[static_cast<std::size_t>(i)] * now.r[static_cast<std::size_t>(i)];
            const Matrix solved = eliminated.solve(r);
            const std::vector<double> step(solved.entries().begin(), solved.entries().end());
            if (!advance(point, first, step, e, eliminated.rows, now)) break;
        }
        point.consistent = point.residual <= good_enough;
        if (!point.consistent && point.why_not.empty())
            point.why_not = fmt::format("no point of the derivative array of order {} was found near the start "
                                        "(relative residual {:.2g})",
                                        order_, point.residual);
    }

private:
    [[nodiscard]] Measured measure(const std::vector<double>& z) {
        Measured m;
        m.r.resize(static_cast<std::size_t>(array_.rows(order_)));
        m.finite = array_.residual(order_, t_, z.data(), m.r.data()) == problem::EvalStatus::ok;
        return m;
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

    // Full step unless the scaled residual grows: then half of it, a few times. Where x is held and ranks are given,
    // only U₁ᵀ r can be made zero: the rest measures how far x is off.
    bool advance(ArrayPoint& point, int first, const std::vector<double>& step, const Equilibrated& e,
                 const Matrix& rows, Measured& now) {
        const bool solvable_part = first > 0 && !ranks_.empty();
        const auto norm = [&](const std::vector<double>& r) {
            std::vector<double> scaled(r);
            for (std::size_t i = 0; i < r.size(); ++i) scaled[i] *= e.row[i];
            double sum = 0.0;
            for (int k = 0; solvable_part && k < rows.cols(); ++k) {
                const auto u = rows.column(k);
                sum += std::pow(std::inner_product(u.begin(), u.end(), scaled.begin(), 0.0), 2);
            }
            if (!solvable_part) sum = std::inner_product(scaled.begin(), scaled.end(), scaled.begin(), 0.0);
            return std::sqrt(sum);
        };
        const double before = norm(now.r);
        double alpha = 1.0;
        for (int half = 0; half < 12; ++half, alpha *= 0.5) {
            std::vector<double> trial = point.z;
            for (std::size_t j = 0; j < step.size(); ++j)
                trial[static_cast<std::size_t>(first) + j] += alpha * step[j] * e.col[j];
            Measured there = measure(trial);
            if (!there.finite || !(norm(there.r) <= (half == 0 ? 1.0 : 0.99) * before + 1e-300)) continue;
            point.z = std::move(trial);
            now = std::move(there);
            return true;
        }
        return false;
    }

    problem::DerivativeArray& array_;
    int order_;
    double t_;
    std::span<const int> ranks_;
};

} // namespace

ArrayPoint consistent_point(problem::DerivativeArray& array, int order, double t, std::span<const double> guess,
                            HoldX hold, std::span<const int> ranks) {
    ArrayPoint point;
    point.order = order;
    point.t = t;
    point.z.assign(static_cast<std::size_t>(array.columns(order)), 0.0);
    std::copy_n(guess.begin(), std::min(guess.size(), point.z.size()), point.z.begin());
    Search search(array, order, t, ranks);
    const std::vector<double> begin = point.z;
    if (hold != HoldX::no) {
        search.run(point, true);
        if (hold == HoldX::thoroughly && !point.consistent && point.residual <= nearly_consistent) {
            point.why_not.clear();
            search.run(point, true, Search::Rows::by_size);
        }
        if (point.consistent || hold != HoldX::if_possible) return point;
    }
    ArrayPoint other = point;
    other.z = begin;
    other.why_not.clear();
    search.run(other, false);
    other.moved_x = true;
    return other;
}

} // namespace daedalus::analysis
