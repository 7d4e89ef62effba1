// Orders on a user's model. The reference is Radau IIA of variable order at a tolerance near round-off, whatever the
// index, on the reduced equations; it reaches the times of comparison, those of the coarsest grid in the last quarter
// of the interval, by steps of its own.
#include "daedalus/model_orders.hpp"

#include "base/expected.hpp"
#include "daedalus/analysis.hpp"
#include "daedalus/solve.hpp"
#include "output/number_text.hpp"
#include "simulation/convert.hpp"
#include "study/observed_order.hpp"
#include "study/order_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus {

namespace {

constexpr double reference_tolerance = 1e-13;
/// What the reference and Newton's iteration leave: errors below it show nothing.
constexpr double resolution = 1e-12;

struct Times {
    double begin, end;
    std::vector<double> compared;
};

/// Largest error of each variable at the times of comparison, relative where values are above 1; infinite where the run
/// ended before.
std::vector<double> errors_of(const Solution& run, const Solution& reference, const Times& times, double h) {
    std::vector<double> errors;
    const auto index_at = [h](std::span<const double> grid, double t) {
        const auto at = std::min_element(grid.begin(), grid.end(),
                                         [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); });
        const bool there = at != grid.end() && std::abs(*at - t) < 1e-6 * std::abs(h);
        return there ? static_cast<std::ptrdiff_t>(at - grid.begin()) : -1;
    };
    for (const std::string& name : reference.names()) {
        const auto values = run[name], exact = reference[name];
        double largest = 0.0;
        for (const double t : times.compared) {
            const auto i = index_at(run.time(), t), j = index_at(reference.time(), t);
            if (i < 0 || j < 0 || values.empty()) {
                largest = INFINITY;
                break;
            }
            const double e = exact[static_cast<std::size_t>(j)];
            largest = std::max(largest, std::abs(values[static_cast<std::size_t>(i)] - e) / std::max(1.0, std::abs(e)));
        }
        errors.push_back(largest);
    }
    return errors;
}

/// What the theorems say about unknowns of this index where the highest is `highest`.
study::Prediction prediction(const std::string& method, int highest, int index, bool algebraic,
                             const std::string& end_of_step) {
    study::Prediction none;
    const std::optional<study::OrderMethod> known = study::find_order_method(method);
    if (!known || highest > 3) return none;
    study::OrderClass c;
    c.kind = highest <= 0   ? study::ClassKind::ode
             : highest == 1 ? study::ClassKind::index_1
             : highest == 2 ? study::ClassKind::index_2
                            : study::ClassKind::index_3;
    c.variant = end_of_step == "direct" || highest > 1 ? study::Variant::direct : study::Variant::indirect;
    if (end_of_step == "projected") c.variant = study::Variant::projected;
    c.problem.groups = {{"x", 0, 1, 0}, {"y", 1, 1, highest == 1 ? 1 : 2}, {"z", 2, 1, 3}};
    const int group = index >= 3 ? 2 : index == 2 || (highest == 1 && algebraic) ? 1 : 0;
    return study::predict(*known, c, c.problem.groups[static_cast<std::size_t>(group)]);
}

std::string order_text(const study::Prediction& p) {
    if (!p.applicable || !p.order) return "";
    if (p.sharp) return std::to_string(*p.sharp);
    return (p.bound ? "≥ " : "") + std::to_string(*p.order);
}

Diagnostic failure(const Solution& solution, std::string what) {
    if (!solution.diagnostics().empty()) {
        for (const Diagnostic& d : solution.diagnostics())
            if (d.severity == Severity::error) return d;
    }
    return make_error("orders-failed", std::move(what) + ": " + solution.message());
}

} // namespace

Expected<Reproduction> orders(const Model& model, const ModelOrderOptions& options) {
    if (options.steps < 4 || options.runs < 3 || options.runs > 12)
        return fail(make_error("bad-orders",
                               fmt::format("{} runs from {} steps on show no order", options.runs, options.steps),
                               "at least 4 steps, and 3 to 12 runs"));
    AnalyzeOptions structure_only;
    structure_only.measure = structure_only.along_solution = false;
    const auto analysis = analyze(model, options.solve, structure_only);
    if (!analysis) return Unexpected{analysis.error()};

    SolveOptions fine = options.solve;
    fine.method = "radau";
    fine.rtol = fine.atol = reference_tolerance;
    fine.reduction = options.solve.reduction == Reduction::none ? Reduction::automatic : options.solve.reduction;
    fine.fixed_step = 0.0;
    fine.points = 0;
    fine.end_of_step = "auto";
    fine.start_up = "exact";
    fine.certify = Certify::none;
    // The interval as a run sees it: from the options or from the model.
    auto probe = solve(model, fine);
    if (!probe) return Unexpected{std::move(probe.error())};
    if (!probe->success()) return fail(failure(*probe, "the reference ended early"));
    if (!probe->events().empty())
        return fail(make_error("orders-events", "the solution has events, and no order is seen across them",
                               "end before the first one (`--until`), or begin behind the last one (`--from`)"));
    Times times{probe->time().front(), probe->time().back(), {}};
    const double length = times.end - times.begin;
    for (int i = 3 * options.steps / 4; i <= options.steps; ++i)
        times.compared.push_back(times.begin + length * i / options.steps);
    fine.stop_times = times.compared;
    const auto reference = solve(model, fine);
    if (!reference) return Unexpected{reference.error()};
    if (!reference->success()) return fail(failure(*reference, "the reference ended early"));

    const bool as_written = options.solve.reduction == Reduction::none;
    std::vector<int> index;
    std::vector<bool> algebraic;
    for (const std::string& name : reference->names()) {
        const auto at = std::find_if(analysis->variables.begin(), analysis->variables.end(),
                                     [&](const AnalyzedVariable& v) { return v.name == name; });
        const bool found = at != analysis->variables.end();
        algebraic.push_back(found && at->highest_derivative == 0 && at->eliminated_as.empty());
        index.push_back(!found ? 0 : as_written ? at->index : std::min(at->index, 1));
    }
    const bool any_algebraic = std::find(algebraic.begin(), algebraic.end(), true) != algebraic.end();
    const int structural = as_written ? analysis->structural_index : std::min(1, analysis->structural_index);
    const int highest = any_algebraic ? structural : 0;

    Reproduction result;
    result.info = {"orders", fmt::format("Orders on {}", model.name()), "constant steps against radau at 1e-13",
                   "what order a method has on this model, variable by variable"};
    StudyTable table;
    table.caption =
        fmt::format("Errors from t = {} to {} with {} to {} steps", output::brief_number(times.compared.front(), 4),
                    output::brief_number(times.end, 4), options.steps, options.steps << (options.runs - 1));
    table.columns = {{"method", "method", 0},          {"variable", "variable", 0},  {"index", "index", 1},
                     {"coarse", "error, coarsest", 2}, {"fine", "error, finest", 2}, {"observed", "observed", 3},
                     {"predicted", "theorem", 0},      {"theorem", "by", 0}};
    for (const std::string& method : options.methods) {
        std::vector<std::vector<double>> errors; // per run
        std::vector<double> sizes;
        for (int run = 0; run < options.runs; ++run) {
            SolveOptions coarse = options.solve;
            coarse.method = method;
            coarse.rtol = coarse.atol = resolution;
            coarse.points = 0;
            coarse.fixed_step = length / (options.steps << run);
            coarse.certify = Certify::none;
            coarse.dense = false;
            const auto solution = solve(model, coarse);
            if (!solution) return Unexpected{solution.error()};
            sizes.push_back(coarse.fixed_step);
            errors.push_back(errors_of(*solution, *reference, times, coarse.fixed_step));
            if (!solution->success())
                result.remarks.push_back(
                    fmt::format("{} with {} steps: {}", method, options.steps << run, solution->message()));
        }
        StudyFigure figure{fmt::format("{}: error over step size", method), "log10 h", "error", true, false, {}};
        for (std::size_t v = 0; v < reference->names().size(); ++v) {
            study::Vector seen, floors;
            StudyFigure::Curve curve{reference->names()[v], {}, {}};
            for (std::size_t run = 0; run < errors.size(); ++run) {
                seen.push_back(errors[run][v]);
                floors.push_back(resolution / 2); // counted from 20 times this on
                curve.x.push_back(std::log10(sizes[run]));
                curve.y.push_back(std::isfinite(errors[run][v]) && errors[run][v] > 0.0 ? errors[run][v] : NAN);
            }
            const study::ObservedOrder observed = study::observe_order(seen, floors);
            const study::Prediction p = prediction(method, highest, index[v], algebraic[v], options.solve.end_of_step);
            StudyValue order;
            if (observed.order)
                order = *observed.order;
            else
                order = std::string(observed.exact ? "exact" : "none");
            if (p.applicable && p.order && observed.settled && *observed.order < *p.order - 0.3) {
                result.verdict = StudyVerdict::differs;
                result.remarks.push_back(
                    fmt::format("{} of {}: {} promises order {}", method, reference->names()[v], p.theorem, *p.order));
            }
            table.rows.push_back({method, reference->names()[v], double(index[v]), errors.front()[v], errors.back()[v],
                                  order, order_text(p), p.applicable ? p.theorem : std::string()});
            figure.curves.push_back(std::move(curve));
        }
        result.figures.push_back(std::move(figure));
    }
    result.tables.push_back(std::move(table));
    return result;
}

std::string to_csv(const StudyTable& table) {
    std::string text;
    const auto cell = [](const StudyValue& value) -> std::string {
        if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.17g}", *number);
        if (const std::string* words = std::get_if<std::string>(&value)) {
            std::string quoted = "\"";
            for (const char c : *words) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
            return quoted + "\"";
        }
        return {};
    };
    for (std::size_t j = 0; j < table.columns.size(); ++j) text += (j > 0 ? "," : "") + table.columns[j].name;
    text += "\n";
    for (const auto& row : table.rows) {
        for (std::size_t j = 0; j < row.size(); ++j) text += (j > 0 ? "," : "") + cell(row[j]);
        text += "\n";
    }
    return text;
}

} // namespace daedalus
