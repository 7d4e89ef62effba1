#include "study/tight_reference.hpp"

#include "base/diagnostic.hpp"
#include "expr/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace daedalus::study {

namespace {

constexpr int looks = 400; // times at which the two are compared and sizes are measured

/// Variables that have a derivative in an equation.
std::vector<std::size_t> differentiated(const model::Model& m) {
    std::vector<expr::NodeId> sides;
    for (const model::Equation& e : m.equations) sides.insert(sides.end(), {e.left, e.right});
    std::vector<char> is(m.variables.size(), 0);
    for (const expr::NodeId node : m.graph->reachable(sides))
        if (m.graph->op(node) == expr::Op::variable && m.graph->derivative_order(node) > 0)
            is[static_cast<std::size_t>(m.graph->variable_id(node))] = 1;
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < is.size(); ++k)
        if (is[k]) list.push_back(k);
    return list;
}

/// What a variable that hardly moves is measured by: absolute tolerances are a thousandth of the relative one, in units
/// of nominal values, and so are scales.
std::vector<double> smallest_scales(const model::Model& m, const SolveOptions& options) {
    std::vector<model::ParameterOverride> given;
    for (const auto& [name, value] : options.parameters) given.push_back({name, value});
    const auto parameters = model::parameter_values(m, given);
    std::vector<double> list;
    for (const model::Variable& v : m.variables) {
        double nominal = 1.0;
        if (v.nominal != expr::no_node)
            nominal = std::abs(expr::evaluate(*m.graph, v.nominal, [&](expr::NodeId leaf) {
                return parameters && m.graph->op(leaf) == expr::Op::parameter
                           ? (*parameters)[static_cast<std::size_t>(m.graph->parameter_id(leaf))]
                           : 0.0;
            }));
        list.push_back(1e-3 * (nominal > 0.0 && std::isfinite(nominal) ? nominal : 1.0));
    }
    return list;
}

struct Found {
    ReferenceWay way;
    simulation::Record record;
};

std::string name_of(const Found& f) {
    return fmt::format("{} by {}", to_string(f.way.reduction), f.record.report.method);
}

std::optional<Found> attempt(const simulation::Compilations& compilations, SolveOptions options, double rtol,
                             const ReferenceWay& way, Diagnostics& errors) {
    options.reduction = way.reduction;
    options.method = way.method;
    options.rtol = rtol;
    options.atol.reset();
    options.points = 1;
    options.dense = true;
    options.certify = Certify::none;
    options.variables = {};
    options.checkpoint = options.resume = {};
    options.progress = {};
    auto record = simulation::solve_model(compilations, options, simulation::Detail::numbers);
    if (!record) {
        if (errors.empty()) errors = std::move(record.error());
        return std::nullopt;
    }
    if (record->outcome == Outcome::success && record->dense && record->dense->empty()) {
        errors = {
            make_error("nothing-to-compare", "every variable is a known function of time: nothing is integrated")};
        return std::nullopt;
    }
    const bool complete = record->outcome == Outcome::success || record->outcome == Outcome::terminated;
    if (!complete || !record->dense || record->dense->given_up() || record->dense->empty()) {
        if (errors.empty() && !record->report.diagnostics.empty()) errors = {record->report.diagnostics.back()};
        return std::nullopt;
    }
    return Found{way, *std::move(record)};
}

} // namespace

double TightReference::distance(std::span<const double> a, std::span<const double> b) const {
    double worst = 0.0;
    for (const std::size_t k : variables) {
        const double apart = std::abs(a[k] - b[k]) / scale[k];
        if (!(apart <= worst)) worst = apart; // what is no number is worst
    }
    return worst;
}

Expected<TightReference> tight_reference(const simulation::Compilations& compilations, const SolveOptions& options,
                                         double rtol, std::span<const ReferenceWay> ways, double agreement) {
    const model::Model& m = *compilations.model();
    TightReference reference;
    reference.variables = differentiated(m);
    if (reference.variables.empty())
        return fail(make_error("nothing-to-compare", m.name + " has no derivatives: there is nothing to integrate"));
    reference.scale = smallest_scales(m, options);
    std::optional<Found> first, second;
    Diagnostics errors;
    for (const ReferenceWay& way : ways) {
        std::optional<Found> found = attempt(compilations, options, rtol, way, errors);
        if (!errors.empty() && errors.front().code == "nothing-to-compare") return Unexpected{std::move(errors)};
        if (!found) continue;
        (first ? second : first) = std::move(found);
        if (second) break;
    }
    if (options.interrupt != nullptr && options.interrupt->load())
        return fail(make_error("interrupted", "interrupted while the reference was computed"));
    if (!first || !second) {
        Diagnostic d = make_error("no-reference",
                                  first ? fmt::format("only one way gives a solution of tolerance {:g} ({}): there is "
                                                      "nothing to check it by",
                                                      rtol, name_of(*first))
                                        : fmt::format("no way gives a solution of tolerance {:g}", rtol));
        for (const Diagnostic& e : errors) d.notes.push_back({Severity::note, "", e.message, e.where, "", {}});
        return fail(std::move(d));
    }
    const simulation::DenseSolution& solution = *first->record.dense;
    reference.solution = first->record.dense;
    reference.from = solution.begin();
    reference.until = solution.end();
    reference.index = first->record.index;
    reference.mean_step =
        (reference.until - reference.from) / static_cast<double>(first->record.trajectory.steps.size());
    const auto time = [&](int k) { return reference.from + (reference.until - reference.from) * k / looks; };
    std::vector<double> y, other;
    for (int k = 0; k <= looks; ++k) {
        solution.evaluate(time(k), y);
        for (std::size_t i = 0; i < reference.scale.size(); ++i)
            reference.scale[i] = std::max(reference.scale[i], std::abs(y[i]));
    }
    double where = reference.from;
    for (int k = 0; k <= looks; ++k) {
        if (!second->record.dense->covers(time(k))) continue;
        solution.evaluate(time(k), y);
        second->record.dense->evaluate(time(k), other);
        const double apart = reference.distance(y, other);
        if (!(apart <= reference.error)) reference.error = apart, where = time(k);
    }
    if (!(reference.error <= agreement))
        return fail(make_error(
            "reference-disagrees",
            fmt::format("two solutions of tolerance {:g} do not agree: {} and {} differ by {:.2g} at t = {:.6g}", rtol,
                        name_of(*first), name_of(*second), reference.error, where),
            "the motion may be chaotic, where nothing can be compared for long: give a shorter --until"));
    reference.text = fmt::format("{} at a tolerance of {:g}; {} agrees to {:.1e}", name_of(*first), rtol,
                                 name_of(*second), reference.error);
    return reference;
}

} // namespace daedalus::study
