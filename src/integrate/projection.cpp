#include "integrate/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::integrate {

namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
}

/// g(t, x) = 0 as Newton sees it.
struct Projection::Equation {
    Projection& p;
    double t;
    double* x;

    [[nodiscard]] bool residual() {
        ++p.counters_.residuals;
        return p.equations_->residual(t, x, p.g_.data()) == problem::EvalStatus::ok;
    }
    void solve() {
        ++p.counters_.solves;
        for (std::size_t i = 0; i < p.g_.size(); ++i) p.g_[i] *= -p.row_scale_[i];
        p.matrix_->solve(p.zero_, p.g_, p.delta_);
    }
    [[nodiscard]] double update() {
        for (std::size_t j = 0; j < p.delta_.size(); ++j) {
            p.delta_[j] *= p.scale_[j];
            x[j] += p.delta_[j];
        }
        return p.norm_(p.delta_.data());
    }
};

Projection::Projection(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind norm)
    : Projection(problem, tolerance, norm, constraints_besides(problem)) {
    if (problem.facet<problem::MechanicalStructure>().projected_level > 0)
        mechanism_ = std::make_unique<Mechanism>(problem, linalg::SolverKind::automatic);
}

Projection::Projection(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind norm,
                       std::unique_ptr<ConstraintEquations> equations)
    : norm_(problem, tolerance, norm), equations_(std::move(equations)), problem_(problem),
      relative_(tolerance.relative > 0.0 ? tolerance.relative : 1.0) {
    if (!equations_) return;
    const SparsityPattern& pattern = equations_->pattern();
    matrix_ = std::make_unique<nonlinear::SaddlePoint>(pattern);
    for (auto* v : {&scale_, &zero_, &delta_, &x_start_}) v->resize(static_cast<std::size_t>(pattern.cols));
    g_.resize(static_cast<std::size_t>(pattern.rows));
    row_scale_.resize(g_.size());
    jacobian_.resize(static_cast<std::size_t>(pattern.nonzeros()));
    if (const problem::ConstraintStep& code = problem.facet<problem::ConstraintStep>();
        equations_->among_rows() && !code.empty()) {
        code_ = code;
        sizes_.resize(scale_.size());
        step_.resize(code.moved.size() + 1);
    }
}

bool Projection::prepare(double t, const double* x) {
    factored_ = false;
    const SparsityPattern& pattern = equations_->pattern();
    ++counters_.jacobians;
    if (equations_->jacobian(t, x, jacobian_.data()) != problem::EvalStatus::ok) return false;
    for (std::size_t j = 0; j < scale_.size(); ++j) scale_[j] = 1.0 / norm_.weights()[j];
    std::fill(row_scale_.begin(), row_scale_.end(), 0.0);
    for (std::size_t j = 0; j < scale_.size(); ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            double& row = row_scale_[static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])];
            row = std::max(row, std::abs(jacobian_[static_cast<std::size_t>(k)] * scale_[j]));
        }
    for (double& row : row_scale_) row = row > 0.0 ? 1.0 / row : 1.0;
    ++counters_.factorizations;
    factored_ = matrix_->factor(jacobian_, row_scale_, scale_, 0.0) == linalg::FactorStatus::ok;
    monitor_.forget_rate();
    return factored_;
}

/// To round-off as project() means it, each correction with a matrix of its own. False: not there, x is left alone.
bool Projection::project_by_code(double t, double* x, double roundoff) {
    constexpr int most = 5;
    constexpr double largest_cancellation = 1e8; // a correction of half the digits is one for Newton's iteration
    constexpr double quick = 0.25;               // what shrinks less does not converge quadratically
    for (std::size_t k = 0; k < sizes_.size(); ++k) sizes_[k] = 1.0 / (norm_.weights()[k] * relative_);
    std::fill(delta_.begin(), delta_.end(), 0.0);
    const std::vector<int>& moved = code_.moved;
    double before = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most; ++iteration) {
        ++counters_.residuals;
        if (code_.evaluate(problem_.call(), t, x, sizes_.data(), step_.data()) != problem::EvalStatus::ok ||
            !(step_[moved.size()] <= largest_cancellation))
            break;
        for (std::size_t k = 0; k < moved.size(); ++k) {
            delta_[static_cast<std::size_t>(moved[k])] = step_[k];
            x[moved[k]] += step_[k];
        }
        const double size = norm_(delta_.data()), ratio = size / before;
        // The next correction would be ratio² times as large: below round-off, or as small as this one already is.
        if (size <= roundoff || (iteration > 0 && ratio * ratio * size <= roundoff)) return true;
        if (iteration > 0 && !(ratio <= quick)) break;
        before = size;
    }
    std::copy_n(x_start_.data(), x_start_.size(), x);
    return false;
}

bool Projection::project_mechanism(double t, double* x) {
    const problem::MechanicalStructure& parts = mechanism_->parts();
    std::vector<double> y, v; // small, and once per step
    for (const int i : parts.y) y.push_back(x[i]);
    for (const int i : parts.v) v.push_back(x[i]);
    const bool done = (parts.projected_level == 2 || mechanism_->project_positions(t, y.data())) &&
                      (parts.projected_level == 1 || mechanism_->project_velocities(t, y.data(), v.data()));
    counters_.add_work(mechanism_->take_counters());
    if (!done) return false;
    for (std::size_t i = 0; i < y.size(); ++i) x[parts.y[i]] = y[i];
    for (std::size_t i = 0; i < v.size(); ++i) x[parts.v[i]] = v[i];
    return true;
}

bool Projection::project(double t, double* x) {
    if (mechanism_) return project_mechanism(t, x);
    norm_.set_weights(x, 1.0);
    std::copy_n(x, x_start_.size(), x_start_.data());
    const double roundoff = 0.5 * eps * norm_(x);
    if (!code_.empty() && project_by_code(t, x, roundoff)) return true;
    bool fresh = false;
    if (!factored_) {
        if (!prepare(t, x)) return false;
        fresh = true;
    }
    // To round-off: a correction of a few units in the last place ends the iteration, and so does one that no longer
    // shrinks while it is far below the tolerance.
    nonlinear::NewtonOptions options;
    options.max_iterations = 10;
    options.kappa = roundoff;
    options.smallest_eta = 1.0;    // no trust in remembered rates: the second correction is cheap, noise is not
    options.divergence_rate = 0.5; // slower: a fresh matrix is cheaper
    options.stagnation_level = std::max(1e-3, 100 * roundoff);
    for (;;) {
        Equation equation{*this, t, x};
        const nonlinear::NewtonResult result = nonlinear::newton(equation, monitor_, options, roundoff);
        // Two corrections that do not shrink and are a millionth of the tolerance: x was there already, and this is the
        // round-off of the constraints times what the matrix makes of it.
        constexpr double noise = 1e-6;
        // Slow with an old matrix may look like round-off; a new one tells.
        const bool doubtful = !fresh && result.status == nonlinear::NewtonStatus::stagnated && result.last_norm > noise;
        if ((result.usable() && !doubtful) ||
            (result.status == nonlinear::NewtonStatus::diverged && result.last_norm <= noise))
            return true;
        std::copy_n(x_start_.data(), x_start_.size(), x);
        if (fresh || !prepare(t, x)) {
            factored_ = false;
            return false;
        }
        fresh = true;
    }
}

} // namespace daedalus::integrate
