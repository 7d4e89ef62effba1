#include "integrate/failure_report.hpp"

#include "integrate/unstable_mode.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace daedalus::integrate {

std::string_view to_string(FailureReason reason) {
    switch (reason) {
    case FailureReason::none: return "none";
    case FailureReason::too_many_steps: return "too many steps";
    case FailureReason::error_test: return "error test";
    case FailureReason::newton: return "Newton iteration";
    case FailureReason::not_finite: return "not finite";
    case FailureReason::singular_matrix: return "singular iteration matrix";
    case FailureReason::singular_point: return "singular point";
    case FailureReason::escape: return "finite escape time";
    case FailureReason::pole: return "pole";
    case FailureReason::no_state_choice: return "no state choice";
    case FailureReason::inconsistent_start: return "inconsistent start";
    case FailureReason::inconsistent_event: return "inconsistent event";
    case FailureReason::chattering: return "chattering";
    case FailureReason::accumulation: return "events accumulate";
    case FailureReason::assertion: return "assertion";
    case FailureReason::bound: return "bound";
    case FailureReason::projection: return "projection onto the constraints";
    }
    return "unknown";
}

LocalMatrix::LocalMatrix(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), solver_(linalg::make_linear_solver<double>(problem.pattern(), kind)) {
    const auto nonzeros = static_cast<std::size_t>(problem.pattern().nonzeros());
    for (auto* v : {&jx_, &jdx_, &values_}) v->resize(nonzeros);
    row_size_.resize(static_cast<std::size_t>(problem.size()));
    differential_.resize(row_size_.size());
}

double LocalMatrix::smallest_singular_value(double t, const double* x, const double* dx, double shift) {
    right_.clear();
    left_.clear();
    if (problem_.jacobian(t, x, dx, jx_.data(), jdx_.data()) != problem::EvalStatus::ok)
        return std::numeric_limits<double>::quiet_NaN();
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(row_size_.begin(), row_size_.end(), 0.0);
    for (int j = 0; j < pattern.cols; ++j) {
        const double nominal = std::abs(problem_.unknowns()[j].nominal);
        const double size = std::max(std::abs(x[j]), nominal);
        bool differential = false;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) differential |= jdx_[k] != 0.0;
        differential_[static_cast<std::size_t>(j)] = differential ? 1 : 0;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            const double direct = jx_[k] * size, slope = jdx_[k] * nominal;
            values_[k] = differential ? slope + direct / shift : direct;
            double& row = row_size_[pattern.row_index[k]];
            row = std::max({row, std::abs(direct), std::abs(slope)});
        }
    }
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (row_size_[pattern.row_index[k]] > 0.0) values_[k] /= row_size_[pattern.row_index[k]];
    const linalg::FactorStatus status = solver_->factor(values_);
    if (status == linalg::FactorStatus::not_finite) return std::numeric_limits<double>::quiet_NaN();
    if (status != linalg::FactorStatus::ok) {
        if (solver_->singular_column() >= 0) {
            right_.assign(row_size_.size(), 0.0);
            right_[static_cast<std::size_t>(solver_->singular_column())] = 1.0;
        }
        return 0.0;
    }
    return inverse_iteration();
}

/// v ← A^{-1} A^{-T} v tends to the right singular vector of the smallest singular value, A^{-T} A^{-1} to the left.
double LocalMatrix::inverse_iteration() {
    const std::size_t n = row_size_.size();
    right_.resize(n);
    for (std::size_t i = 0; i < n; ++i) right_[i] = 1.0 + 0.3 * std::sin(1.0 + static_cast<double>(i));
    left_ = right_;
    const auto normalise = [](std::vector<double>& v) {
        double sum = 0.0;
        for (const double c : v) sum += c * c;
        const double length = std::sqrt(sum);
        if (length > 0.0)
            for (double& c : v) c /= length;
        return length;
    };
    normalise(right_);
    normalise(left_);
    double growth = 1.0;
    for (int iteration = 0; iteration < 4; ++iteration) {
        solver_->solve_transposed(right_);
        normalise(right_);
        solver_->solve(right_);
        growth = normalise(right_);
        solver_->solve(left_);
        normalise(left_);
        solver_->solve_transposed(left_);
        normalise(left_);
    }
    return 1.0 / growth;
}

namespace {

constexpr std::size_t listed = 5;

/// Components that carry a norm, largest first.
std::vector<Contribution> dominant(const std::vector<double>& weighted) {
    double total = 0.0;
    for (const double v : weighted) total += std::isfinite(v) ? v * v : 0.0;
    std::vector<Contribution> result;
    for (std::size_t i = 0; i < weighted.size(); ++i) {
        if (!std::isfinite(weighted[i]))
            result.push_back({static_cast<int>(i), std::numeric_limits<double>::infinity()});
        else if (total > 0.0 && weighted[i] * weighted[i] > 0.01 * total)
            result.push_back({static_cast<int>(i), weighted[i] * weighted[i] / total});
    }
    std::sort(result.begin(), result.end(), [](auto a, auto b) { return a.share > b.share; });
    if (result.size() > listed) result.resize(listed);
    return result;
}

std::vector<Contribution> null_components(const std::vector<double>& v) {
    std::vector<Contribution> result;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (std::abs(v[i]) > 0.05) result.push_back({static_cast<int>(i), v[i]});
    std::sort(result.begin(), result.end(), [](auto a, auto b) { return std::abs(a.share) > std::abs(b.share); });
    if (result.size() > listed) result.resize(listed);
    return result;
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string names(const problem::ImplicitProblem& problem, const std::vector<Contribution>& list, bool rows) {
    std::string text;
    for (const Contribution& c : list) {
        if (!text.empty()) text += ", ";
        text += rows ? problem.names().equation(c.index) : problem.names().variable(c.index);
    }
    return text;
}

std::string describe(const problem::ImplicitProblem& problem, const FailureReport& report, const Trial& trial) {
    const std::string at = " at t = " + number(report.t);
    const std::string unknowns = names(problem, report.null_unknowns, false);
    const std::string rows = names(problem, report.null_rows, true);
    switch (report.reason) {
    case FailureReason::singular_point:
        return "the solution ends here: dF/d(" + unknowns + ") is singular" + at +
               (rows.empty() ? "" : "; the equations that no longer determine it: " + rows);
    case FailureReason::singular_matrix:
        return "the iteration matrix is singular" + at + (unknowns.empty() ? "" : " along " + unknowns) +
               (rows.empty() ? "" : "; rows: " + rows);
    case FailureReason::not_finite: {
        for (const Contribution& c : report.residual_rows) {
            const std::string why =
                problem.names().domain_error(c.index, trial.t, trial.x.data(), trial.dx.data(), problem.environment());
            if (!why.empty()) return why + at + " in " + problem.names().equation(c.index);
        }
        return "the equations are not defined just beyond t = " + number(report.t) +
               (report.residual_rows.empty() ? "" : "; look at " + names(problem, report.residual_rows, true));
    }
    case FailureReason::escape:
        return problem.names().variable(report.growing) + " grows beyond all bounds" + at + ": it is " +
               number(report.value) + " there, and multiplies in ever shorter times";
    case FailureReason::pole:
        return "the derivative of " + problem.names().variable(report.growing) + " grows beyond all bounds" + at +
               ": it is " + number(report.value) + " there" +
               (report.residual_rows.empty() ? "" : "; look at " + names(problem, report.residual_rows, true));
    case FailureReason::newton:
        return "the nonlinear equations of a step cannot be solved" + at + " even with h = " + number(report.h) +
               "; rows that resist: " + names(problem, report.residual_rows, true) +
               (report.near_singular ? "; nearly singular along " + unknowns : "; a discontinuity is likely");
    case FailureReason::error_test:
        return "the error stays above tolerance" + at + " even with h = " + number(report.h) + " in " +
               names(problem, report.error_variables, false) +
               (report.near_singular ? "; nearly singular along " + unknowns
                                     : "; a discontinuity, or a tolerance below round-off, is likely");
    case FailureReason::too_many_steps:
        return "the limit of steps was reached" + at + "; the last step was " + number(report.h);
    case FailureReason::projection:
        return "no point that satisfies the hidden constraints was found next to the end of the step" + at +
               "; they are nearly dependent there, or the tolerance is too loose";
    default: return std::string(to_string(report.reason)) + at;
    }
}

/// An unknown that has grown by far and whose growth accelerates, or a derivative that has, against the sizes at the
/// start: what looks like a step that cannot be made is then the end of the solution.
void find_growth(const FailureContext& context, FailureReport& report) {
    constexpr double far = 1e5;     // times the size at the start
    constexpr double moment = 1e-4; // of the time since the start: in so short a time it multiplies
    constexpr double steep = 1e6;   // times what would change an unknown by its own size since the start
    const problem::ImplicitProblem& problem = context.problem;
    const Stepper& stepper = context.stepper;
    const double elapsed = std::abs(stepper.t() - context.t_start);
    double worst_escape = 0.0, worst_pole = 0.0;
    int escaping = -1, steepest = -1;
    for (int i = 0; i < problem.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const problem::UnknownInfo& info = problem.unknowns()[k];
        const double x = stepper.x()[k], dx = stepper.dx()[k];
        const double size = std::max(std::abs(context.x_start[k]), std::abs(info.nominal));
        if (!info.differential || info.index > 1 || !std::isfinite(dx)) continue;
        if (std::abs(x) > far * size && std::abs(x) < moment * elapsed * std::abs(dx) &&
            std::abs(x) / size > worst_escape) {
            worst_escape = std::abs(x) / size;
            escaping = i;
        }
        const double rate = std::abs(dx) * elapsed / (std::abs(x) + size);
        if (rate > steep && rate > worst_pole) {
            worst_pole = rate;
            steepest = i;
        }
    }
    if (escaping < 0 && steepest < 0) return;
    report.reason = escaping >= 0 ? FailureReason::escape : FailureReason::pole;
    report.growing = escaping >= 0 ? escaping : steepest;
    const auto k = static_cast<std::size_t>(report.growing);
    report.value = escaping >= 0 ? stepper.x()[k] : stepper.dx()[k];
    report.near_singular = false;
}

/// Rows of the model that have the derivative of this unknown. Explicit methods leave none that resists.
std::vector<Contribution> rows_of_derivative(const FailureContext& context, int unknown) {
    const problem::ImplicitProblem& problem = context.problem;
    const Stepper& stepper = context.stepper;
    const SparsityPattern& pattern = problem.pattern();
    std::vector<double> jx(static_cast<std::size_t>(pattern.nonzeros())), jdx(jx.size());
    std::vector<Contribution> rows;
    if (problem.jacobian(stepper.t(), stepper.x().data(), stepper.dx().data(), jx.data(), jdx.data()) !=
        problem::EvalStatus::ok)
        return rows;
    const auto collect = [&](int column, const std::vector<double>& values) {
        for (int k = pattern.column_start[static_cast<std::size_t>(column)];
             k < pattern.column_start[static_cast<std::size_t>(column) + 1]; ++k)
            if (const int row = pattern.row_index[static_cast<std::size_t>(k)];
                values[static_cast<std::size_t>(k)] != 0.0 && row < problem.kernel_rows())
                rows.push_back({row, 1.0});
    };
    collect(unknown, jdx);
    for (const problem::Link& link : problem.links())
        if (link.state == unknown) collect(link.derivative, jx);
    return rows;
}

/// What errors of the size of the tolerance make of each row: max_j |∂F_i/∂x_j + σ ∂F_i/∂x'_j| / w_j. Rows are compared
/// in these units: F may be written in any.
std::vector<double> row_sizes(const FailureContext& context, const Trial& trial) {
    const problem::ImplicitProblem& problem = context.problem;
    const Stepper& stepper = context.stepper;
    const SparsityPattern& pattern = problem.pattern();
    const auto n = static_cast<std::size_t>(problem.size());
    std::vector<double> jx(static_cast<std::size_t>(pattern.nonzeros())), jdx(jx.size()), size(n, 0.0);
    const auto finite = [](const std::vector<double>& v) {
        return std::all_of(v.begin(), v.end(), [](double a) { return std::isfinite(a); });
    };
    // Where F has no derivatives at the last iterate, those at the last accepted point.
    const bool there =
        problem.jacobian(trial.t, trial.x.data(), trial.dx.data(), jx.data(), jdx.data()) == problem::EvalStatus::ok &&
        finite(jx) && finite(jdx);
    if (!there) (void)problem.jacobian(stepper.t(), stepper.x().data(), stepper.dx().data(), jx.data(), jdx.data());
    for (std::size_t j = 0; j < n; ++j) {
        const double weight = j < trial.weights.size() ? trial.weights[j] : 0.0;
        const double unit =
            weight > 0.0 ? 1.0 / weight : std::max(std::abs(stepper.x()[j]), std::abs(problem.unknowns()[j].nominal));
        for (auto k = static_cast<std::size_t>(pattern.column_start[j]);
             k < static_cast<std::size_t>(pattern.column_start[j + 1]); ++k) {
            double& row = size[static_cast<std::size_t>(pattern.row_index[k])];
            const double change = std::abs(jx[k] + trial.shift * jdx[k]) * unit;
            if (std::isfinite(change)) row = std::max(row, change);
        }
    }
    for (double& row : size)
        if (!(row > 0.0)) row = 1.0;
    return size;
}

/// A point just ahead on the tangent at which F has no value.
struct Ahead {
    double t = 0.0;
    std::vector<double> x, dx, residual;
    [[nodiscard]] bool found() const { return !x.empty(); }
};
Ahead undefined_ahead(const FailureContext& context) {
    const problem::ImplicitProblem& problem = context.problem;
    const Stepper& stepper = context.stepper;
    const double elapsed = stepper.t() - context.t_start;
    Ahead ahead;
    std::vector<double> x(stepper.x().begin(), stepper.x().end()), r(x.size());
    for (const double share : {1e-13, 1e-11, 1e-9, 1e-7}) {
        const double delta = std::copysign(share * std::max(std::abs(elapsed), std::abs(context.h)), context.h);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = stepper.x()[i] + delta * stepper.dx()[i];
        if (problem.residual(stepper.t() + delta, x.data(), stepper.dx().data(), r.data()) == problem::EvalStatus::ok)
            continue;
        ahead = {stepper.t() + delta, std::move(x), {stepper.dx().begin(), stepper.dx().end()}, std::move(r)};
        break;
    }
    return ahead;
}

std::string domain_text(const problem::ImplicitProblem& problem, const Ahead& ahead) {
    for (const Contribution& c : dominant(ahead.residual))
        if (std::string why =
                problem.names().domain_error(c.index, ahead.t, ahead.x.data(), ahead.dx.data(), problem.environment());
            !why.empty() && why.find("overflow") == std::string::npos)
            return why;
    return {};
}

} // namespace

std::string unstable_mode(const FailureContext& context) {
    const Stepper& stepper = context.stepper;
    const double elapsed = std::abs(stepper.t() - context.t_begin);
    auto mode = find_unstable_mode(context.problem, stepper.t(), stepper.x(), stepper.dx(), elapsed, context.solver);
    if (!mode) // the last point may lie at the border of a domain
        mode = find_unstable_mode(context.problem, context.t_start, context.x_start, context.dx_start, elapsed,
                                  context.solver);
    if (!mode) return {};
    return "; an oscillation with period " + number(2.0 * std::numbers::pi / mode->frequency) +
           " grows there, tenfold in " + number(std::numbers::ln10 / mode->growth) + " (eigenvalue " +
           number(mode->growth) + " ± " + number(mode->frequency) + "i, mostly in " +
           context.problem.names().variable(mode->unknown) + "): the equations themselves are unstable";
}

FailureReport diagnose(const FailureContext& context) {
    const problem::ImplicitProblem& problem = context.problem;
    const Stepper& stepper = context.stepper;
    const auto n = static_cast<std::size_t>(problem.size());
    const Trial trial = stepper.trial();
    FailureReport report;
    bool states_only = false; // no algebraic unknown is undetermined
    report.t = stepper.t();
    report.h = context.h;
    report.reason = context.reason;
    if (context.reason == FailureReason::none) switch (context.last_status) {
        case StepStatus::ok: report.reason = FailureReason::error_test; break;
        case StepStatus::newton_failed: report.reason = FailureReason::newton; break;
        case StepStatus::not_finite: report.reason = FailureReason::not_finite; break;
        case StepStatus::singular_matrix: report.reason = FailureReason::singular_matrix; break;
        }

    std::vector<double> weighted(n);
    for (std::size_t i = 0; i < n && i < trial.error.size(); ++i) weighted[i] = trial.error[i] * trial.weights[i];
    report.error_variables = dominant(weighted);

    std::vector<double> residual(n, 0.0);
    (void)problem.residual(trial.t, trial.x.data(), trial.dx.data(), residual.data());
    const std::vector<double> size = row_sizes(context, trial);
    for (std::size_t i = 0; i < n; ++i) residual[i] /= size[i];
    report.residual_rows = dominant(residual);

    // The local matrix at the last accepted point tells a singular point from a hard step. Where the solution ends in
    // a fold, an algebraic unknown behaves as √(t* - t): the method stops when the matrix has come down to about the
    // root of the tolerance or of round-off, whichever is larger.
    if (problem.highest_index() <= 1 && context.reason == FailureReason::none) {
        const double shift = 1e3 * std::abs(trial.shift);
        LocalMatrix matrix(problem, context.solver);
        const double healthy =
            matrix.smallest_singular_value(context.t_start, context.x_start.data(), context.dx_start.data(), shift);
        const double here = matrix.smallest_singular_value(stepper.t(), stepper.x().data(), stepper.dx().data(), shift);
        report.smallest_singular_value = here / healthy;
        report.near_singular = here <= std::max(1e-4, std::sqrt(context.tolerance)) * healthy;
        if (report.near_singular) {
            // Name the algebraic unknowns: derivatives of states merely follow them.
            std::vector<double> algebraic = matrix.right();
            for (std::size_t i = 0; i < algebraic.size(); ++i)
                if (matrix.differential()[i] != 0) algebraic[i] = 0.0;
            report.null_unknowns = null_components(algebraic);
            states_only = report.null_unknowns.empty();
            if (states_only) report.null_unknowns = null_components(matrix.right());
            report.null_rows = null_components(matrix.left());
            if (report.reason != FailureReason::not_finite && !report.null_unknowns.empty())
                report.reason = FailureReason::singular_point;
        }
    }
    if (context.reason == FailureReason::none) {
        // Algebraic unknowns of a domain that ends (√x) behave like those of a fold: F itself tells them apart.
        const Ahead ahead = undefined_ahead(context);
        // Where a state runs away, a matrix scaled to where it came from looks singular along it.
        if (report.reason != FailureReason::singular_point || states_only) find_growth(context, report);
        if (report.growing >= 0 && report.residual_rows.empty())
            report.residual_rows = rows_of_derivative(context, report.growing);
        if (report.growing < 0 && ahead.found() && !domain_text(problem, ahead).empty()) {
            report.domain = true;
            report.reason = FailureReason::not_finite;
            report.near_singular = false;
            report.residual_rows = dominant(ahead.residual);
            Trial there = trial;
            there.t = ahead.t;
            there.x = ahead.x;
            there.dx = ahead.dx;
            report.cause = describe(problem, report, there);
            report.cause += unstable_mode(context);
            return report;
        }
    }
    if (report.reason == FailureReason::not_finite)
        for (const Contribution& c : report.residual_rows)
            report.domain = report.domain ||
                            !problem.names()
                                 .domain_error(c.index, trial.t, trial.x.data(), trial.dx.data(), problem.environment())
                                 .empty();
    report.cause = describe(problem, report, trial);
    if (report.growing < 0 && report.reason != FailureReason::singular_point) report.cause += unstable_mode(context);
    return report;
}

} // namespace daedalus::integrate
