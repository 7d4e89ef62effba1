#include "transform/structural_diagnostics.hpp"

#include <fmt/format.h>

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
                    plural(n + removed, "variable"), plural(gap, m > n ? "equation" : "equation"),
                    m > n ? (gap == 1 ? "is too many" : "are too many") : (gap == 1 ? "is missing" : "are missing")),
        m > n ? "remove an equation, or make one of the quantities in it a variable"
              : "add an equation, or turn a variable into a parameter");
}

} // namespace

Diagnostics explain(const System& system, const structure::StructuralDiagnosis& diagnosis) {
    Diagnostics all;
    const Writer w{system};
    if (diagnosis.equations != diagnosis.variables) all.push_back(count_mismatch(system));

    for (const int column : diagnosis.variables_in_no_equation)
        all.push_back(w.at_variable(Severity::error, column,
                                    fmt::format("variable '{}' occurs in no equation", w.variable(column).name)));
    for (const int row : diagnosis.equations_without_variable) {
        Diagnostic d =
            w.at_equation(Severity::error, row, fmt::format("equation {} contains no unknown", system.text(row, 120)));
        d.hint = "it either holds by itself or never: every variable in it is known from other equations";
        all.push_back(std::move(d));
    }
    std::size_t shown = 0;
    for (const structure::Part& part : diagnosis.surplus_equations) {
        if (part.variables.empty() || ++shown > 3) continue;
        Diagnostic d = w.at_equation(Severity::error, part.equations.front(),
                                     fmt::format("{} determine only {} ({}): one equation too many among them",
                                                 plural(part.equations.size(), "equation"),
                                                 plural(part.variables.size(), "variable"), w.names(part.variables)));
        w.note_equations(d, part.equations);
        for (const std::vector<int>& group : diagnosis.equations_alike)
            if (group.size() > 1 &&
                std::find(part.equations.begin(), part.equations.end(), group.front()) != part.equations.end())
                d.hint = fmt::format("{} of them contain the same variables: written twice?", group.size());
        if (d.hint.empty()) d.hint = "remove one of them, or add the unknown that it was meant to determine";
        all.push_back(std::move(d));
    }
    shown = 0;
    for (const structure::Part& part : diagnosis.surplus_variables) {
        if (part.equations.empty() || ++shown > 3) continue;
        Diagnostic d = w.at_variable(Severity::error, part.variables.front(),
                                     fmt::format("{} ({}) occur in only {}: one equation is missing for them",
                                                 plural(part.variables.size(), "variable"), w.names(part.variables),
                                                 plural(part.equations.size(), "equation")));
        w.note_equations(d, part.equations);
        d.hint = "add an equation for one of them, or give one of them a value as a parameter";
        all.push_back(std::move(d));
    }
    return all;
}

} // namespace daedalus::transform
