#include "integrate/krylov_start.hpp"

#include "integrate/krylov.hpp"
#include "linalg/gmres.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {

/// F = 0 for z, where z_k is x'_k of unknowns with derivative and x_k of the others.
class StartEquation {
public:
    StartEquation(const problem::ImplicitProblem& problem, double t, std::vector<double> x, std::vector<double> dx)
        : problem_(problem), n_(x.size()), t_(t), x_(std::move(x)), dx_(std::move(dx)), r_(n_), delta_(n_), part_(n_),
          gmres_(
              n_, [this](const double* v, double* y) { return multiply(v, y); },
              [this](const double* a, const double* b) { return krylov_inner(problem_, a, b); }) {}

    bool linearise() { return problem_.residual(t_, x_.data(), dx_.data(), r_.data()) == problem::EvalStatus::ok; }
    /// The residual, in units of what F becomes where every unknown of it changes by its own size.
    [[nodiscard]] double relative() {
        std::vector<double> z(n_), image(n_, 0.0);
        for (std::size_t k = 0; k < n_; ++k) z[k] = std::abs(value(k)) + std::abs(problem_.unknowns()[k].nominal);
        if (!multiply(z.data(), image.data())) return std::numeric_limits<double>::infinity();
        double size = 0.0;
        for (const double v : image) size = std::max(size, std::abs(v));
        size = problem_.collective().largest_of(size);
        return largest() == 0.0 ? 0.0 : largest() / size;
    }
    [[nodiscard]] bool finished() {
        constexpr double roundings = 8.0 * std::numeric_limits<double>::epsilon();
        return relative() <= roundings;
    }
    void solve() {
        const double* found = gmres_.solve(r_, accuracy, enough);
        for (std::size_t k = 0; k < n_; ++k)
            delta_[k] = found != nullptr ? -found[k] : std::numeric_limits<double>::quiet_NaN();
    }
    [[nodiscard]] double merit() const { return std::sqrt(krylov_inner(problem_, r_.data(), r_.data())); }
    [[nodiscard]] double attempt(double lambda) {
        std::vector<double> x = x_, dx = dx_, r(n_);
        move(lambda, x, dx);
        if (problem_.residual(t_, x.data(), dx.data(), r.data()) != problem::EvalStatus::ok)
            return std::numeric_limits<double>::infinity();
        const double size = std::sqrt(krylov_inner(problem_, r.data(), r.data()));
        return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
    }
    double update(double lambda) {
        double change = 0.0;
        for (std::size_t k = 0; k < n_; ++k)
            change = std::max(change, std::abs(lambda * delta_[k]) /
                                          (std::abs(value(k)) + std::abs(problem_.unknowns()[k].nominal)));
        move(lambda, x_, dx_);
        return problem_.collective().largest_of(change);
    }

    [[nodiscard]] double largest() const {
        double size = 0.0;
        for (const double v : r_) size = std::max(size, std::abs(v));
        return problem_.collective().largest_of(size);
    }
    [[nodiscard]] int worst_row() const {
        return static_cast<int>(
            std::max_element(r_.begin(), r_.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }) -
            r_.begin());
    }
    [[nodiscard]] const std::vector<double>& x() const { return x_; }
    [[nodiscard]] const std::vector<double>& dx() const { return dx_; }

private:
    // Of a correction: the next iteration removes what is left.
    static constexpr double accuracy = 1e-6, enough = 1e-2;

    [[nodiscard]] bool differential(std::size_t k) const { return problem_.unknowns()[k].differential; }
    [[nodiscard]] double value(std::size_t k) const { return differential(k) ? dx_[k] : x_[k]; }
    void move(double lambda, std::vector<double>& x, std::vector<double>& dx) const {
        for (std::size_t k = 0; k < n_; ++k) (differential(k) ? dx : x)[k] += lambda * delta_[k];
    }
    /// y = J v of unknowns without derivative + M v of the others.
    [[nodiscard]] bool multiply(const double* v, double* y) {
        std::fill_n(y, n_, 0.0);
        const problem::LinearisationPoint at{t_, x_.data(), dx_.data()};
        for (const bool wanted : {false, true}) {
            for (std::size_t k = 0; k < n_; ++k) part_[k] = differential(k) == wanted ? v[k] : 0.0;
            add_product(problem_, at, wanted ? 0.0 : 1.0, wanted ? 1.0 : 0.0, part_.data(), y);
        }
        const bool finite = std::all_of(y, y + n_, [](double a) { return std::isfinite(a); });
        return !problem_.collective().any(!finite);
    }

    const problem::ImplicitProblem& problem_;
    const std::size_t n_;
    const double t_;
    std::vector<double> x_, dx_, r_, delta_, part_;
    linalg::Gmres<double> gmres_;
};

} // namespace

KrylovStart consistent_without_entries(const problem::ImplicitProblem& problem, double t, std::vector<double>& x,
                                       std::vector<double>& dx) {
    StartEquation equation(problem, t, x, dx);
    KrylovStart start;
    nonlinear::DampingOptions damping;
    damping.round_off_level = 1e-10; // ten times the tolerance below: GMRES leaves some of it
    const nonlinear::NewtonResult newton = nonlinear::damped_newton(equation, damping);
    constexpr double tolerance = 1e-11; // as StartOptions::tolerance
    const bool evaluated = equation.linearise();
    start.largest_residual = evaluated ? equation.largest() : std::numeric_limits<double>::infinity();
    start.worst_row = equation.worst_row();
    start.moved = newton.iterations > 0;
    // Stagnation is an end only where nothing but round-off is left.
    start.found =
        evaluated && (newton.status == nonlinear::NewtonStatus::converged ||
                      (newton.status == nonlinear::NewtonStatus::stagnated && equation.relative() <= tolerance));
    if (!start.found) return start;
    x = equation.x();
    dx = equation.dx();
    return start;
}

} // namespace daedalus::integrate
