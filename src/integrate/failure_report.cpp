#include "integrate/failure_report.hpp"

#include "integrate/local_matrix.hpp"
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
    case FailureReason::unsuitable: return "unsuitable method";
    case FailureReason::projection: return "projection onto the constraints";
    }
    return "unknown";
}

namespace {

constexpr std::size_t listed = 5;

/// Components that carry a norm, largest first.
std::vector<Contribution> dominant(const std::vector<double>& weighted) {
    constexpr double worth_naming = 0.01; // of the squared norm: below, it is not what made the norm large
    double total = 0.0;
    for (const double v : weighted) total += std::isfinite(v) ? v * v : 0.0;
    std::vector<Contribution> result;
    for (std::size_t i = 0; i < weighted.size(); ++i) {
        if (!std::isfinite(weighted[i]))
            result.push_back({static_cast<int>(i), std::numeric_limits<double>::infinity()});
        else if (total > 0.0 && weighted[i] * weighted[i] > worth_naming * total)
            result.push_back({static_cast<int>(i), weighted[i] * weighted[i] / total});
    }
    std::sort(result.begin(), result.end(), [](auto a, auto b) { return a.share > b.share; });
    if (result.size() > listed) result.resize(listed);
    return result;
}

std::vector<Contribution> null_components(const std::vector<double>& v) {
    constexpr double carries = 0.05; // of a vector of norm 1
    std::vector<Contribution> result;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (std::abs(v[i]) > carries) result.push_back({static_cast<int>(i), v[i]});
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
    // As near as rounding lets t tell, then further: the run stopped before the border at a distance nobody knows.
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

namespace {

FailureReason reason_of(StepStatus status) {
    switch (status) {
    case StepStatus::ok: return FailureReason::error_test;
    case StepStatus::newton_failed: return FailureReason::newton;
    case StepStatus::not_finite: return FailureReason::not_finite;
    case StepStatus::singular_matrix: return FailureReason::singular_matrix;
    }
    return FailureReason::none;
}

/// Who dominates the error and which rows resist, at the last iterate.
void find_dominant(const FailureContext& context, const Trial& trial, FailureReport& report) {
    const auto n = static_cast<std::size_t>(context.problem.size());
    std::vector<double> weighted(n);
    for (std::size_t i = 0; i < n && i < trial.error.size(); ++i) weighted[i] = trial.error[i] * trial.weights[i];
    report.error_variables = dominant(weighted);
    std::vector<double> residual(n, 0.0);
    (void)context.problem.residual(trial.t, trial.x.data(), trial.dx.data(), residual.data());
    const std::vector<double> size = row_sizes(context, trial);
    for (std::size_t i = 0; i < n; ++i) residual[i] /= size[i];
    report.residual_rows = dominant(residual);
}

/// The local matrix at the last accepted point tells a singular point from a hard step. Where the solution ends in a
/// fold, an algebraic unknown behaves as √(t* - t): the method stops when the matrix has come down to about the root of
/// the tolerance or of round-off, whichever is larger. True where no algebraic unknown is undetermined.
bool find_singular_point(const FailureContext& context, const Trial& trial, FailureReport& report) {
    const Stepper& stepper = context.stepper;
    constexpr double long_before = 1e3;    // times the method's own σ: states move by that much less than in its steps
    constexpr double root_of_noise = 1e-4; // of what F tells of a fold in seven or eight digits
    const double sigma = long_before * std::abs(trial.shift);
    LocalMatrix matrix(context.problem, context.solver);
    const double healthy =
        matrix.smallest_singular_value(context.t_start, context.x_start.data(), context.dx_start.data(), sigma);
    const double here = matrix.smallest_singular_value(stepper.t(), stepper.x().data(), stepper.dx().data(), sigma);
    report.smallest_singular_value = here / healthy;
    report.near_singular = here <= std::max(root_of_noise, std::sqrt(context.tolerance)) * healthy;
    if (!report.near_singular) return false;
    // Name the algebraic unknowns: derivatives of states merely follow them.
    std::vector<double> algebraic = matrix.right();
    for (std::size_t i = 0; i < algebraic.size(); ++i)
        if (matrix.differential()[i] != 0) algebraic[i] = 0.0;
    report.null_unknowns = null_components(algebraic);
    const bool states_only = report.null_unknowns.empty();
    if (states_only) report.null_unknowns = null_components(matrix.right());
    report.null_rows = null_components(matrix.left());
    if (report.reason != FailureReason::not_finite && !report.null_unknowns.empty())
        report.reason = FailureReason::singular_point;
    return states_only;
}

/// Algebraic unknowns of a domain that ends (√x) behave like those of a fold: F itself tells them apart.
bool find_end_of_domain(const FailureContext& context, Trial trial, FailureReport& report) {
    const Ahead ahead = undefined_ahead(context);
    if (report.growing >= 0 || !ahead.found() || domain_text(context.problem, ahead).empty()) return false;
    report.domain = true;
    report.reason = FailureReason::not_finite;
    report.near_singular = false;
    report.residual_rows = dominant(ahead.residual);
    trial.t = ahead.t;
    trial.x = ahead.x;
    trial.dx = ahead.dx;
    report.cause = describe(context.problem, report, trial) + unstable_mode(context);
    return true;
}

} // namespace

FailureReport diagnose(const FailureContext& context) {
    const problem::ImplicitProblem& problem = context.problem;
    const Trial trial = context.stepper.trial();
    const bool given = context.reason != FailureReason::none;
    FailureReport report;
    report.t = context.stepper.t();
    report.h = context.h;
    report.reason = given ? context.reason : reason_of(context.last_status);
    find_dominant(context, trial, report);
    if (!problem.has_entries()) { // no matrix to look into
        const bool unsolved = report.reason == FailureReason::newton || report.reason == FailureReason::not_finite ||
                              report.reason == FailureReason::singular_matrix;
        report.cause = unsolved
                           ? "the equations of a step are not solved at t = " + number(report.t) +
                                 " even with h = " + number(report.h) +
                                 ": F has no value there, or the linear solver finds no solution (it may want a "
                                 "better preconditioner, or products in place of differences); rows that resist: " +
                                 names(problem, report.residual_rows, true)
                           : describe(problem, report, trial);
        return report;
    }
    if (!given) {
        const bool states_only = problem.highest_index() <= 1 && find_singular_point(context, trial, report);
        // Where a state runs away, a matrix scaled to where it came from looks singular along it.
        if (report.reason != FailureReason::singular_point || states_only) find_growth(context, report);
        if (report.growing >= 0 && report.residual_rows.empty())
            report.residual_rows = rows_of_derivative(context, report.growing);
        if (find_end_of_domain(context, trial, report)) return report;
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
