#include "transform/structural_diagnostics.hpp"

#include "expr/evaluate.hpp"
#include "transform/likely_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::transform {

namespace {

constexpr std::size_t most_listed = 6;

struct Writer {
    const System& s;

    [[nodiscard]] const model::Variable& variable(int column) const {
        return s.model->variables[static_cast<std::size_t>(s.variables[static_cast<std::size_t>(column)])];
    }
    [[nodiscard]] std::string names(const std::vector<int>& columns) const {
        std::string list;
        for (std::size_t k = 0; k < columns.size() && k < most_listed; ++k)
            list += fmt::format("{}'{}'",
                                k == 0                    ? ""
                                : k + 1 == columns.size() ? " and "
                                                          : ", ",
                                variable(columns[k]).name);
        if (columns.size() > most_listed) list += fmt::format(" and {} more", columns.size() - most_listed);
        return list;
    }
    [[nodiscard]] Diagnostic at_equation(Severity severity, int row, std::string message) const {
        Diagnostic d = make_error("structurally-singular", std::move(message), s.span(row));
        d.severity = severity;
        return d;
    }
    [[nodiscard]] Diagnostic at_variable(Severity severity, int column, std::string message) const {
        Diagnostic d = make_error("structurally-singular", std::move(message), variable(column).span);
        d.severity = severity;
        return d;
    }
    void note_equations(Diagnostic& d, const std::vector<int>& rows, std::size_t from = 0) const {
        for (std::size_t k = from; k < rows.size() && k < most_listed; ++k)
            d.notes.push_back(at_equation(Severity::note, rows[k], s.text(rows[k], 120)));
        if (rows.size() > most_listed)
            d.notes.push_back(
                {Severity::note, "", fmt::format("… and {} more equations", rows.size() - most_listed), {}, "", {}});
    }
};

std::string plural(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

Diagnostic count_mismatch(const System& s) {
    const std::size_t m = s.equations.size(), n = s.variables.size();
    const std::size_t gap = m > n ? m - n : n - m;
    const std::size_t removed = s.eliminations.size(); // counts as the author sees them
    return make_error(
        "equation-count",
        fmt::format("model {} has {} for {}: {} {}", s.model->name, plural(m + removed, "equation"),
                    plural(n + removed, "variable"), plural(gap, "equation"),
                    m > n ? (gap == 1 ? "is too many" : "are too many") : (gap == 1 ? "is missing" : "are missing")),
        ""); // what follows says where to look
}

std::string verb(std::size_t n, const char* one, const char* many) { return n == 1 ? one : many; }

// What people usually did when equations are too many.
void add_causes_of_surplus(const Writer& w, const LikelyCauses& causes, const structure::Part& part, Diagnostic& d) {
    for (const LikelyCauses::Duplicate& twin : causes.duplicates(part.equations)) {
        d.hint = twin.factor == 1.0 || twin.factor == -1.0
                     ? fmt::format("{} is written twice: remove one", w.s.text(twin.first, 80))
                     : fmt::format("{} is {:.6g} times {}: remove one of the two", w.s.text(twin.second, 80),
                                   twin.factor, w.s.text(twin.first, 80));
        return;
    }
    d.hint = "remove one of them, or add the unknown that it was meant to determine";
}

// What people usually did when an equation is missing.
void add_causes_of_lack(const Writer& w, const LikelyCauses& causes, const structure::Part& part, Diagnostic& d) {
    if (const auto groups = causes.only_differences(part.variables); !groups.empty()) {
        d.hint =
            fmt::format("only differences of {} occur, so their common level is open: a ground is missing; add, for "
                        "example, {} = 0",
                        w.names(groups.front()), w.variable(groups.front().front()).name);
        return;
    }
    if (const auto constants = causes.perhaps_parameters(part.variables); !constants.empty()) {
        const std::string& name = w.variable(constants.front()).name;
        d.hint = fmt::format("'{}' has a start value but nothing determines it later: if it is a constant, write "
                             "'parameter Real {} = …'; else add an equation for one of them",
                             name, name);
        return;
    }
    if (const auto derivatives = causes.only_derivatives(part.variables); !derivatives.empty()) {
        d.hint = fmt::format("'{}' occurs only as der({}): is it meant to occur itself in an equation that is missing?",
                             w.variable(derivatives.front()).name, w.variable(derivatives.front()).name);
        return;
    }
    const std::vector<int> open = causes.never_given(part.variables);
    const std::string& name = w.variable(open.empty() ? part.variables.back() : open.front()).name;
    d.hint = fmt::format("add an equation, perhaps for '{}', or give it a value: 'parameter Real {} = …'", name, name);
}

} // namespace

Diagnostics explain(const System& system, const structure::StructuralDiagnosis& diagnosis) {
    Diagnostics all;
    const Writer w{system};
    const LikelyCauses causes(system);
    if (diagnosis.equations != diagnosis.variables) {
        all.push_back(count_mismatch(system));
    } else {
        const std::size_t n = system.equations.size() + system.eliminations.size();
        all.push_back(make_error(
            "structurally-singular",
            fmt::format("model {} has {} for {}, but they do not fit: some variables are determined twice and others "
                        "not at all",
                        system.model->name, plural(n, "equation"), plural(n, "variable")),
            ""));
    }
    for (const int column : diagnosis.variables_in_no_equation) {
        Diagnostic d = w.at_variable(Severity::error, column,
                                     fmt::format("variable '{}' occurs in no equation", w.variable(column).name));
        if (causes.perhaps_parameters({column}).empty())
            d.hint = "remove it, or write the equation that determines it";
        else
            d.hint = fmt::format("if it is a constant, write 'parameter Real {} = …'", w.variable(column).name);
        all.push_back(std::move(d));
    }
    for (const int row : diagnosis.equations_without_variable) {
        Diagnostic d =
            w.at_equation(Severity::error, row, fmt::format("equation {} contains no unknown", system.text(row, 120)));
        d.hint = "it holds by itself or never: only parameters, constants and time are in it";
        all.push_back(std::move(d));
    }
    constexpr std::size_t most_parts = 3;
    std::size_t shown = 0;
    for (const structure::Part& part : diagnosis.surplus_equations) {
        if (part.variables.empty()) continue;
        if (++shown > most_parts) continue;
        const std::size_t n = part.equations.size();
        Diagnostic d =
            w.at_equation(Severity::error, part.equations.front(),
                          fmt::format("these {} determine only {} ({}): one of them is too many", plural(n, "equation"),
                                      plural(part.variables.size(), "variable"), w.names(part.variables)));
        w.note_equations(d, part.equations, 1);
        add_causes_of_surplus(w, causes, part, d);
        all.push_back(std::move(d));
    }
    if (shown > most_parts)
        all.push_back({Severity::note,
                       "",
                       fmt::format("and {} more sets with an equation too many", shown - most_parts),
                       {},
                       "",
                       {}});
    shown = 0;
    for (const structure::Part& part : diagnosis.surplus_variables) {
        if (part.equations.empty()) continue;
        if (++shown > most_parts) continue;
        const std::size_t n = part.variables.size();
        Diagnostic d = w.at_variable(Severity::error, part.variables.front(),
                                     fmt::format("{} {} only in {}: one equation is missing for {}",
                                                 w.names(part.variables), verb(n, "occurs", "occur"),
                                                 plural(part.equations.size(), "equation"), n == 1 ? "it" : "them"));
        w.note_equations(d, part.equations);
        add_causes_of_lack(w, causes, part, d);
        all.push_back(std::move(d));
    }
    if (shown > most_parts)
        all.push_back({Severity::note,
                       "",
                       fmt::format("and {} more sets with an equation missing", shown - most_parts),
                       {},
                       "",
                       {}});
    return all;
}

Diagnostics explain(const System& system, const RepairOutcome& outcome) {
    const Writer w{system};
    const LikelyCauses causes(system);
    const expr::Graph& g = system.graph();
    Diagnostics all;
    for (const Repair& repair : outcome.repairs) {
        if (repair.method != RepairMethod::linear_combination) continue;
        const NodeId left = system.residual(repair.row);
        const NodeId roots[] = {left};
        const std::vector<NodeId> below = g.reachable(roots);
        if (std::any_of(below.begin(), below.end(), [&](NodeId n) { return g.op(n) == expr::Op::variable; })) continue;
        // What is left of the combination speaks of time and parameters only.
        const auto at = [&](double t) {
            return expr::evaluate(g, left, [&](NodeId leaf) {
                return g.op(leaf) == expr::Op::parameter
                           ? system.parameters[static_cast<std::size_t>(g.parameter_id(leaf))]
                           : t;
            });
        };
        const bool vacuous = std::abs(at(0.37)) <= 1e-12 && std::abs(at(1.91)) <= 1e-12;
        const auto author = [&](int row) {
            return system.model->text(
                system.model
                    ->equations[static_cast<std::size_t>(system.equations[static_cast<std::size_t>(row)].origin)],
                120);
        };
        Diagnostic d = w.at_equation(
            Severity::error, repair.row,
            vacuous ? fmt::format("{} says nothing new: it follows from the other equations below", author(repair.row))
                    : fmt::format(
                          "{} contradicts the other equations below: together they ask for {} = 0", author(repair.row),
                          g.is_constant(left) ? expr::number_text(std::abs(g.constant_value(left)))
                                              : expr::to_string(g, left, system.names(), expr::Notation::plain, 120)));
        d.code = vacuous ? "redundant-equation" : "contradicting-equations";
        for (const int row : repair.combined)
            if (row != repair.row) d.notes.push_back(w.at_equation(Severity::note, row, author(row)));
        std::vector<int> everything(system.variables.size());
        std::iota(everything.begin(), everything.end(), 0);
        const auto groups = vacuous ? causes.only_differences(everything) : std::vector<std::vector<int>>{};
        if (!groups.empty())
            d.hint = fmt::format("only differences of {} occur, so their common level is open: replace it by a ground, "
                                 "for example {} = 0",
                                 w.names(groups.front()), w.variable(groups.front().front()).name);
        else
            d.hint = vacuous
                         ? "replace it by the equation that is missing: as it stands, some variables are not determined"
                         : "one of these equations must go or change";
        all.push_back(std::move(d));
    }
    if (!all.empty()) return all;
    for (const LikelyCauses::Duplicate& twin : causes.duplicates(outcome.singular_rows)) {
        Diagnostic d =
            w.at_equation(Severity::error, twin.second,
                          fmt::format("{} says the same as another equation", system.text(twin.second, 120)));
        d.code = "redundant-equation";
        d.notes.push_back(w.at_equation(Severity::note, twin.first, system.text(twin.first, 120)));
        d.hint = "replace it by the equation that is missing: as it stands, some variables are not determined";
        all.push_back(std::move(d));
    }
    if (!all.empty() || !outcome.singular_rows.empty()) return all;
    // Combining made it structurally singular: what the combined equations lack, the author's lack.
    const structure::StructuralDiagnosis diagnosis = structure::diagnose(system.signature());
    if (diagnosis.regular()) return all;
    all = explain(system, diagnosis);
    all.front().message =
        fmt::format("the equations of model {} depend on each other: written so that this shows, some "
                    "variables are determined twice and others not at all",
                    system.model->name);
    return all;
}

} // namespace daedalus::transform
