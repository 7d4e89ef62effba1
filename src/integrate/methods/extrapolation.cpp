#include "integrate/methods/extrapolation.hpp"

#include "integrate/methods/extrapolation_controller.hpp"
#include "integrate/methods/growth_guard.hpp"
#include "integrate/methods/one_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr int max_rows = ExtrapolationController::max_rows;
constexpr int max_nodes = max_rows + 4; ///< of the interpolant

constexpr int substeps(int row) { return linearly_implicit_euler.substeps(row); } ///< n_j, rows from 0

class Extrapolation final : public OneStepStepper {
public:
    Extrapolation(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : OneStepStepper(problem, options,
                         tightened(options.tolerance, tightening_of_extrapolation(options.tolerance), problem)),
          tightening_(tightening_of_extrapolation(options.tolerance).constant),
          constant_leading_matrix_(problem.constant_leading_matrix()), controller_(options, linearly_implicit_euler),
          growth_(problem, options.method.watches) {
        table_.resize(max_rows * n_);
        path_.resize((substeps(max_rows - 1) + 1) * n_);
        differences_.resize(max_rows * max_rows * n_);
        newton_.resize(max_nodes * n_);
        for (auto* v : {&zero_, &slope_, &rhs_}) v->resize(n_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepStepper::start(t, x, dx, h);
        controller_.start();
        used_ = fixed_step_ ? controller_.rows() : 2;
        growth_.reset();
    }
    void links_changed() override {
        OneStepStepper::links_changed();
        growth_.reset();
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return std::max(used_, 1); }
    void interpolate(double time, double* x, double* dx) const override;

private:
    enum class Row { ok, not_finite, singular };
    [[nodiscard]] Row compute_row(int row, double h);
    void keep_differences(int row);
    void extrapolate(int row);
    [[nodiscard]] Attempt finish(double h);
    void satisfy_equations();
    void build_interpolant(int rows);
    [[nodiscard]] Attempt refused(double next_h);
    [[nodiscard]] Attempt failed(StepStatus status, double h) {
        return {status, 0.0, controller_.after_failure(status, h)};
    }
    [[nodiscard]] double* table(int row) { return table_.data() + static_cast<std::size_t>(row) * n_; }
    [[nodiscard]] double* path(int k) { return path_.data() + static_cast<std::size_t>(k) * n_; }
    [[nodiscard]] double* difference(int order, int row) {
        return differences_.data() + static_cast<std::size_t>(order * max_rows + row) * n_;
    }

    const double tightening_;
    const bool constant_leading_matrix_;
    ExtrapolationController controller_;
    int used_ = 0;     ///< rows of the last accepted step
    int computed_ = 0; ///< rows of the present attempt
    double error_norm_ = 0;
    std::vector<double> table_;       ///< last diagonal: T_{j,j}, T_{j,j-1}, … behind each other
    std::vector<double> path_;        ///< substeps of a row
    std::vector<double> differences_; ///< H^κ ∇^κ x / τ^κ at the end of each row
    struct Nodes {
        int count = 0, ahead = 0; ///< all; those before the end of the step
        std::array<double, max_nodes> at{};
        std::array<double, max_nodes> peak{}; ///< largest value of the product of (σ - node) so far, in the step
    };
    GrowthGuard growth_;
    std::array<Nodes, 2> nodes_;             ///< of the last accepted step, for algebraic and differential unknowns
    std::vector<double> newton_;             ///< coefficients, one block of n per node
    std::vector<double> zero_, slope_, rhs_; ///< zero_ stays 0
};

Extrapolation::Row Extrapolation::compute_row(int row, double h) {
    const int n = substeps(row);
    const double tau = h / n;
    shift_ = 0.0;
    const linalg::FactorStatus status = matrix_.factor(jacobian_, 1.0 / tau, counters_);
    if (status == linalg::FactorStatus::not_finite) return Row::not_finite;
    if (status != linalg::FactorStatus::ok) return Row::singular;
    if (!fixed_step_ && growth_.outruns(jacobian_, matrix_, 1.0 / tau, dx_, norm_.weights(), counters_))
        return Row::singular;
    shift_ = 1.0 / tau;
    std::copy(x_.begin(), x_.end(), path(0));
    std::copy(dx_.begin(), dx_.end(), slope_.begin());
    for (int k = 0; k < n; ++k) {
        const double t = k == n - 1 ? t_new_ : t_ + (k + 1) * tau;
        const double* x = path(k);
        const double* z = constant_leading_matrix_ ? zero_.data() : slope_.data();
        ++counters_.residuals;
        if (problem_.residual(t, x, z, rhs_.data()) != problem::EvalStatus::ok) return Row::not_finite;
        for (double& r : rhs_) r = -r;
        if (!constant_leading_matrix_) jacobian_.apply(0.0, 1.0, slope_.data(), rhs_.data());
        matrix_.solve(rhs_, counters_);
        double* next = path(k + 1);
        for (std::size_t i = 0; i < n_; ++i) {
            next[i] = x[i] + rhs_[i];
            slope_[i] = rhs_[i] / tau;
        }
    }
    std::copy_n(path(n), n_, x_new_.data());
    keep_differences(row); // overwrites the path
    return std::all_of(x_new_.begin(), x_new_.end(), [](double v) { return std::isfinite(v); }) ? Row::ok
                                                                                                : Row::not_finite;
}

/// H^κ ∇^κ x / τ^κ for κ = 1 … row + 1; the value at the start of the step, which is no value of the method, stays out.
void Extrapolation::keep_differences(int row) {
    const int n = substeps(row);
    double scale = 1.0;
    for (int order = 1; order <= row + 1 && order < max_rows; ++order) {
        scale *= n;
        for (int k = n; k >= order + 1; --k) { // differences of the order in place, from the end
            double* a = path(k);
            const double* b = path(k - 1);
            for (std::size_t i = 0; i < n_; ++i) a[i] -= b[i];
        }
        const double* last = path(n);
        double* out = difference(order, row);
        for (std::size_t i = 0; i < n_; ++i) out[i] = scale * last[i];
    }
}

/// Aitken–Neville with x_new_ = T_{row,1}: afterwards table(k) = T_{row,k+1}; the error is T_{row,row+1} - T_{row,row}.
void Extrapolation::extrapolate(int row) {
    for (std::size_t i = 0; i < n_; ++i) {
        double value = x_new_[i], lower = value;
        for (int k = 0; k < row; ++k) {
            double& before = table_[static_cast<std::size_t>(k) * n_ + i]; // T_{row-1,k+1}
            const double ratio = static_cast<double>(substeps(row)) / substeps(row - k - 1);
            const double next = value + (value - before) / (ratio - 1.0);
            before = value;
            lower = value;
            value = next;
        }
        table_[static_cast<std::size_t>(row) * n_ + i] = value;
        error_[i] = value - lower;
    }
}

/// For its error, which may be below 1 where the rows do not converge.
Attempt Extrapolation::refused(double next_h) {
    constexpr double above_tolerance = 1.0 + 1e-6;
    refuse_error(error_norm_);
    return {StepStatus::ok, std::max(error_norm_, above_tolerance), next_h};
}

Attempt Extrapolation::attempt(double h, double t_new) {
    using Verdict = ExtrapolationController::Verdict;
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    computed_ = 0;
    controller_.begin();
    if (!evaluate_jacobian()) return failed(StepStatus::not_finite, h);
    for (int row = 0;; ++row) {
        switch (compute_row(row, h)) {
        case Row::ok: break;
        case Row::not_finite: return failed(StepStatus::not_finite, h);
        case Row::singular: return failed(StepStatus::singular_matrix, h);
        }
        extrapolate(row);
        const int rows = computed_ = row + 1;
        if (rows < 2) continue;
        error_norm_ = norm_(error_.data());
        if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite, h);
        switch (controller_.judge(rows, h, error_norm_)) {
        case Verdict::next_row: break;
        case Verdict::finished: return finish(h);
        case Verdict::refused: return refused(controller_.after_error(h, rows));
        case Verdict::divergent: return refused(controller_.after_divergence(h));
        }
    }
}

/// x' and the algebraic unknowns are extrapolated and satisfy F = 0 to the accuracy of the step only. One Newton step
/// with the matrix of the last row, whose large shift moves differential unknowns by τ times the residual.
void Extrapolation::satisfy_equations() {
    ++counters_.residuals;
    if (problem_.residual(t_new_, x_new_.data(), dx_new_.data(), rhs_.data()) != problem::EvalStatus::ok) return;
    matrix_.solve(rhs_, counters_);
    if (!(norm_(rhs_.data()) <= 1.0)) return; // not a small correction: leave things as they are
    for (std::size_t i = 0; i < n_; ++i) {
        x_new_[i] -= rhs_[i];
        if (differential_[i]) dx_new_[i] -= shift_ * rhs_[i];
    }
}

Attempt Extrapolation::finish(double h) {
    const int rows = computed_;
    std::copy_n(table(rows - 1), n_, x_new_.data());
    // x' at the end: the first difference, extrapolated over all rows; interpolation uses the others (see accept).
    for (int order = 1; order < rows; ++order)
        for (int row = order; row < rows; ++row) {
            // difference(order, r) exists from r = order - 1 on; column by column in place, from the last row.
            const int column = row - order + 1;
            for (int r = rows - 1; r >= order - 1 + column; --r) {
                const double ratio = static_cast<double>(substeps(r)) / substeps(r - column);
                double* a = difference(order, r);
                const double* b = difference(order, r - 1);
                for (std::size_t i = 0; i < n_; ++i) a[i] += (a[i] - b[i]) / (ratio - 1.0);
            }
        }
    const double* first = difference(1, rows - 1);
    for (std::size_t i = 0; i < n_; ++i) dx_new_[i] = first[i] / h;
    satisfy_equations();
    return {StepStatus::ok, fixed_step_ ? 0.0 : error_norm_, controller_.after_success(h, rows, error_norm_)};
}

/// Newton's form of Hermite interpolation, nodes in σ = (t - t_{n+1})/h: the older point, the start and the end of the
/// step twice each, then the end once more for each difference kept, y_κ = h^κ x^(κ)/κ!. Differences are accurate where
/// the solution is smooth on the scale of the substeps and useless in stiff components: terms are taken as long as they
/// become smaller. Algebraic unknowns, solved for again anyway, have no slopes: one value at the start, and the end.
void Extrapolation::build_interpolant(int rows) {
    const double before = t_ - t_before_;
    const bool older = smooth_steps_ >= 1 && std::abs(h_) < 10.0 * std::abs(before) && // else extrapolation
                       std::abs(h_) > 0.05 * std::abs(before);
    for (const bool differential : {false, true}) {
        Nodes& nodes = nodes_[differential];
        nodes.count = 0;
        for (int k = 0; k < (differential && older ? 2 : 0); ++k) nodes.at[nodes.count++] = -1.0 - before / h_;
        for (int k = 0; k < (differential ? 2 : 1); ++k) nodes.at[nodes.count++] = -1.0;
        nodes.ahead = nodes.count;
        for (int k = 0; k < rows; ++k) nodes.at[nodes.count++] = 0.0;
        nodes.peak.fill(0.0);
        for (const double sigma : {-0.75, -0.5, -0.25}) {
            double product = 1.0;
            for (int k = 0; k < nodes.count; product *= sigma - nodes.at[k++])
                nodes.peak[k] = std::max(nodes.peak[k], std::abs(product));
        }
    }
    std::array<double, max_rows> y{};
    std::array<double, max_nodes> c{};
    for (std::size_t i = 0; i < n_; ++i) {
        const Nodes& nodes = nodes_[differential_[i] != 0];
        const int ahead = nodes.ahead;
        y[0] = x_new_[i];
        y[1] = h_ * dx_new_[i];
        double factorial = 1.0;
        for (int order = 2; order < rows; ++order) y[order] = difference(order, rows - 1)[i] / (factorial *= order);
        // Divided differences by columns; between equal nodes they are derivatives.
        for (int k = 0; k < nodes.count; ++k) c[k] = k >= ahead ? y[0] : ahead - k > 2 ? x_before_[i] : x_[i];
        for (int column = 1; column < nodes.count; ++column)
            for (int k = nodes.count - 1; k >= column; --k) {
                const double distance = nodes.at[k] - nodes.at[k - column];
                if (distance != 0.0)
                    c[k] = (c[k] - c[k - 1]) / distance;
                else
                    c[k] = k >= ahead ? y[column] : h_ * (ahead - k > 2 ? dx_before_[i] : dx_[i]);
            }
        int used = std::min(ahead + 2, nodes.count);
        const auto size = [&](int k) { return std::abs(c[k]) * nodes.peak[k]; };
        // One term of a smooth solution may happen to be small, hence the larger of two.
        while (used < nodes.count && (fixed_step_ || size(used) < std::max(size(used - 1), size(used - 2)))) ++used;
        for (int k = 0; k < nodes.count; ++k) newton_[static_cast<std::size_t>(k) * n_ + i] = k < used ? c[k] : 0.0;
    }
}

void Extrapolation::accept() {
    const int rows = used_ = computed_;
    build_interpolant(rows);
    advance();
    judge_between(tightening_);
    controller_.accept();
}

void Extrapolation::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    const double h = t_ - t_before_, sigma = (time - t_) / h;
    for (std::size_t i = 0; i < n_; ++i) {
        const Nodes& nodes = nodes_[differential_[i] != 0];
        double p = 0.0, dp = 0.0;
        for (int k = nodes.count - 1; k >= 0; --k) {
            dp = p + (sigma - nodes.at[k]) * dp;
            p = newton_[static_cast<std::size_t>(k) * n_ + i] + (sigma - nodes.at[k]) * p;
        }
        x[i] = p;
        dx[i] = dp / h;
    }
}

} // namespace

std::unique_ptr<Stepper> make_extrapolation(const problem::ImplicitProblem& problem,
                                            const IntegrationOptions& options) {
    return std::make_unique<Extrapolation>(problem, options);
}

} // namespace daedalus::integrate
