#include "integrate/start_conflict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace daedalus::integrate {

using problem::InitialProblem;
using problem::Strength;

namespace {

// More than this many names in one sentence help nobody.
constexpr std::size_t names_in_a_sentence = 6;

std::string number(double value, int digits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    return text;
}

std::string join(const std::vector<std::string>& parts) {
    std::string text;
    const std::size_t shown = parts.size() > names_in_a_sentence ? names_in_a_sentence - 1 : parts.size();
    for (std::size_t k = 0; k < shown; ++k) {
        if (k > 0) text += k + 1 == parts.size() ? " and " : ", ";
        text += parts[k];
    }
    if (shown < parts.size()) text += " and " + std::to_string(parts.size() - shown) + " more";
    return text;
}

/// An equation (held = false) or the fixed value of an unknown (held = true).
struct Item {
    bool fixed;
    int index;
};

class ConflictSearch {
public:
    ConflictSearch(const InitialProblem& problem, StartSolver& solver) : problem_(problem), solver_(solver) {}

    [[nodiscard]] bool contradictory(const std::vector<Item>& items) {
        std::vector<double> u = solver_.start();
        return !solver_.feasible(question(items), u);
    }

    /// Leaves out ever smaller parts as long as the contradiction remains.
    void reduce(std::vector<Item>& items) {
        for (std::size_t part = std::max<std::size_t>(1, items.size() / 2);; part /= 2) {
            for (std::size_t at = 0; at < items.size();) {
                const std::size_t end = std::min(at + part, items.size());
                std::vector<Item> rest(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(at));
                rest.insert(rest.end(), items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
                if (contradictory(rest))
                    items = std::move(rest);
                else
                    at = end;
            }
            if (part == 1) return;
        }
    }

    [[nodiscard]] Question question(const std::vector<Item>& items) const {
        Question q;
        q.held.assign(problem_.unknowns.size(), 0);
        q.active.assign(static_cast<std::size_t>(problem_.equations), 0);
        for (const Item& item : items) (item.fixed ? q.held : q.active)[static_cast<std::size_t>(item.index)] = 1;
        q.least_change = false;
        return q;
    }

private:
    const InitialProblem& problem_;
    StartSolver& solver_;
};

/// Rows with a residual at the point of least residual, and the fixed values they depend on: the others have no
/// multiplier and take no part in the contradiction.
std::vector<Item> suspects(const InitialProblem& problem, nonlinear::GaussNewton& at) {
    std::vector<char> suspicious(static_cast<std::size_t>(problem.equations), 0);
    std::vector<Item> items;
    for (std::size_t i = 0; i < suspicious.size(); ++i) {
        suspicious[i] = std::abs(at.residual()[i]) > 1e-9 * at.row_size()[i];
        if (suspicious[i]) items.push_back({false, static_cast<int>(i)});
    }
    for (std::size_t j = 0; j < problem.unknowns.size(); ++j) {
        if (problem.unknowns[j].strength != Strength::fixed) continue;
        bool involved = false;
        for (int k = problem.pattern.column_start[j]; k < problem.pattern.column_start[j + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            involved |= suspicious[static_cast<std::size_t>(problem.pattern.row_index[e])] && at.jacobian()[e] != 0.0;
        }
        if (involved) items.push_back({true, static_cast<int>(j)});
    }
    return items;
}

std::vector<Item> everything(const InitialProblem& problem) {
    std::vector<Item> items;
    for (int i = 0; i < problem.equations; ++i) items.push_back({false, i});
    for (std::size_t j = 0; j < problem.unknowns.size(); ++j)
        if (problem.unknowns[j].strength == Strength::fixed) items.push_back({true, static_cast<int>(j)});
    return items;
}

Diagnostic equation_note(const InitialProblem& problem, int row) {
    Diagnostic note{.severity = Severity::note,
                    .code = "equation",
                    .message = "equation " + problem.names().equation(row),
                    .where = problem.names().equation_location(row),
                    .hint = {},
                    .notes = {}};
    if (const int times = problem.names().differentiations(row); times > 0)
        note.message += " (differentiated " + (times == 1 ? "once)" : std::to_string(times) + " times)");
    return note;
}

/// One line that names the methods tried; stages and variants of a method are one entry.
void add_log(Diagnostic& error, const StartSolver& solver) {
    std::vector<std::string> methods;
    for (const StartAttempt& attempt : solver.log) {
        std::string method = attempt.method.substr(0, attempt.method.find(','));
        if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(std::move(method));
    }
    if (methods.empty()) return;
    std::string list;
    for (const std::string& method : methods) list += (list.empty() ? "" : ", ") + method;
    error.notes.push_back({.severity = Severity::note,
                           .code = "attempts",
                           .message = std::to_string(solver.log.size()) + " attempts failed: " + list,
                           .where = std::nullopt,
                           .hint = {},
                           .notes = {}});
}

std::string line(const std::optional<Location>& where) {
    return where && where->line > 0 ? "line " + std::to_string(where->line) : std::string();
}

/// "x = 1 (fixed, line 7)"
std::string fixed_value(const InitialProblem& problem, int index) {
    const auto& unknown = problem.unknowns[static_cast<std::size_t>(index)];
    const std::string value = problem.names().variable(index) + " = " + number(unknown.start, 10);
    switch (unknown.origin) {
    case problem::StartOrigin::option: return value + " (fixed for this run)";
    case problem::StartOrigin::steady_state: return value + " (steady state)";
    case problem::StartOrigin::model: break;
    }
    const std::string place = line(problem.names().variable_location(index));
    return value + (place.empty() ? " (fixed)" : " (fixed, " + place + ")");
}

/// "x^2 + y^2 = 1 (line 12)"
std::string placed_equation(const InitialProblem& problem, int row) {
    std::string text = problem.names().equation(row);
    const std::string place = line(problem.names().equation_location(row));
    if (place.empty()) return text;
    if (text.ends_with(" (fixed)")) return text.substr(0, text.size() - 1) + ", " + place + ")";
    return text + " (" + place + ")";
}

/// A value of the unknown with which q has a solution: of those found from a few starts, the nearest to the value
/// given. None if even that is so far away that it helps nobody.
std::optional<double> nearest_fit(StartSolver& solver, const Question& q, int unknown) {
    constexpr double far = 1e3; // in units of the value
    const auto j = static_cast<std::size_t>(unknown);
    const double given = solver.start()[j], size = std::max(solver.size(unknown), std::abs(given));
    std::vector<char> movable(q.held.size());
    for (std::size_t k = 0; k < movable.size(); ++k) movable[k] = !q.held[k];
    std::optional<double> nearest;
    for (const double amount : {0.0, 0.1, 0.5, 1.0})
        for (const int variant : {0, 1, 2}) {
            if (amount == 0.0 && variant > 0) continue;
            std::vector<double> u = solver.scattered(solver.start(), movable, amount, variant);
            if (!solver.feasible(q, u) || std::abs(u[j] - given) > far * size) continue;
            if (!nearest || std::abs(u[j] - given) < std::abs(*nearest - given)) nearest = u[j];
            if (amount == 0.0 && std::abs(u[j] - given) <= size) return nearest; // near enough
        }
    return nearest;
}

/// What of a conflict is a fixed value and what an equation, in words.
struct Parties {
    std::vector<std::string> values, names, equations;
    std::vector<Item> fixed, rows;

    Parties(const InitialProblem& problem, const std::vector<Item>& items) {
        for (const Item& item : items) {
            if (item.fixed) {
                names.push_back(problem.names().variable(item.index));
                values.push_back(fixed_value(problem, item.index));
                fixed.push_back(item);
            } else {
                equations.push_back(placed_equation(problem, item.index));
                rows.push_back(item);
            }
        }
    }
    [[nodiscard]] std::string message(double residual) const {
        std::string text;
        if (!fixed.empty()) {
            const char* const all = fixed.size() == 1 ? "" : fixed.size() == 2 ? "both " : "all ";
            text = join(values) + " cannot " + all + "satisfy " + join(equations);
        } else if (rows.size() > 1) {
            text = "the equations " + join(equations) + " cannot hold together";
        } else {
            text = "no values were found that satisfy " + join(equations);
        }
        return text + (rows.size() == 1 ? ": residual " : ": smallest residual found ") + number(residual, 6);
    }
};

std::string hint_for(const InitialProblem& problem, StartSolver& solver, ConflictSearch& search,
                     const std::vector<Item>& items, const Parties& parties) {
    const auto& [values, names, equations, fixed, rows] = parties;
    if (fixed.empty()) return "give start values nearer to a solution, or check the equations";
    const bool of_model = std::any_of(fixed.begin(), fixed.end(), [&](const Item& item) {
        return problem.unknowns[static_cast<std::size_t>(item.index)].origin == problem::StartOrigin::model;
    });
    std::string hint;
    if (of_model)
        hint = fixed.size() == 1 ? "change the value of " + names[0] + " or set fixed = false"
                                 : "set fixed = false for one of " + join(names) + ", or change its value";
    else
        hint = "free or change one of " + join(names);
    // What would the last of them have to be if the others stay?
    std::vector<Item> rest;
    for (const Item& item : items)
        if (!(item.fixed && item.index == fixed.back().index)) rest.push_back(item);
    if (const auto found = nearest_fit(solver, search.question(rest), fixed.back().index)) {
        const double fits = *found;
        hint += "; " + names.back() + " = " + number(std::abs(fits) < 1e-6 ? 0.0 : fits, 6) + " would fit";
    }
    return hint;
}

/// "x = 1 (fixed, line 7) and y = 0.5 (fixed, line 8) cannot both satisfy x^2 + y^2 = 1 (line 12): residual 0.25"
Diagnostic describe(const InitialProblem& problem, StartSolver& solver, ConflictSearch& search,
                    const std::vector<Item>& items) {
    const Parties parties(problem, items);
    std::vector<double> u = solver.start();
    (void)solver.levenberg_marquardt(search.question(items), u);
    solver.log.pop_back(); // a measurement, not an attempt
    const std::string message = parties.message(solver.last().largest);
    Diagnostic error =
        make_error("inconsistent-initial-values", message, hint_for(problem, solver, search, items, parties));
    if (!parties.rows.empty()) error.where = problem.names().equation_location(parties.rows.front().index);
    for (const Item& item : parties.rows) error.notes.push_back(equation_note(problem, item.index));
    for (std::size_t k = 0; k < parties.fixed.size(); ++k)
        error.notes.push_back({.severity = Severity::note,
                               .code = "fixed-value",
                               .message = parties.values[k],
                               .where = problem.names().variable_location(parties.fixed[k].index),
                               .hint = {},
                               .notes = {}});
    return error;
}

Diagnostic describe_largest(const InitialProblem& problem, nonlinear::GaussNewton& at) {
    std::vector<int> rows(static_cast<std::size_t>(problem.equations));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
    const auto relative = [&at](int i) {
        const auto k = static_cast<std::size_t>(i);
        return at.row_size()[k] > 0.0 ? std::abs(at.residual()[k]) / at.row_size()[k] : std::abs(at.residual()[k]);
    };
    const std::size_t shown = std::min<std::size_t>(5, rows.size());
    std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end(),
                      [&](int a, int b) { return relative(a) > relative(b); });
    Diagnostic error =
        make_error("initialization-failed",
                   "no consistent initial values were found; " + problem.names().equation(rows[0]) +
                       " keeps the residual " + number(std::abs(at.residual()[static_cast<std::size_t>(rows[0])]), 6),
                   "give start values nearer to a solution, or free some fixed values");
    error.where = problem.names().equation_location(rows[0]);
    for (std::size_t k = 0; k < shown; ++k) {
        Diagnostic note = equation_note(problem, rows[k]);
        note.message += ": residual " + number(std::abs(at.residual()[static_cast<std::size_t>(rows[k])]), 6);
        error.notes.push_back(std::move(note));
    }
    return error;
}

} // namespace

Diagnostics explain_conflict(const InitialProblem& problem, const StartOptions& options, StartSolver& solver,
                             std::vector<double> u) {
    ConflictSearch search(problem, solver);
    // The point of least residual with all fixed values held.
    const std::vector<Item> all = everything(problem);
    (void)solver.levenberg_marquardt(search.question(all), u);
    const auto limit = static_cast<std::size_t>(options.conflict_limit);
    std::vector<Item> items = suspects(problem, solver.iteration());
    Diagnostic largest = describe_largest(problem, solver.iteration());
    if (items.empty() || items.size() > 2 * limit || !search.contradictory(items)) items = all;
    const auto rows = static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [](const Item& item) { return !item.fixed; }));
    Diagnostics diagnostics;
    if (rows > limit) {
        diagnostics.push_back(std::move(largest));
    } else {
        search.reduce(items);
        diagnostics.push_back(describe(problem, solver, search, items));
    }
    add_log(diagnostics.back(), solver);
    return diagnostics;
}

Diagnostics explain_domain_error(const InitialProblem& problem, int row, const std::vector<double>& u) {
    const auto& legend = *problem.legend;
    std::string message = "equation " + legend.equation(row) + " has no value at the start";
    if (const std::string why = legend.domain_error(row, problem.t0, u.data(), nullptr, problem.binding.environment());
        !why.empty())
        message += ": " + why;
    std::vector<std::string> values;
    for (std::size_t j = 0; j < u.size(); ++j)
        if (problem.pattern.find(row, static_cast<int>(j)) >= 0)
            values.push_back(legend.variable(static_cast<int>(j)) + " = " + number(u[j], 10) +
                             (problem.unknowns[j].strength == Strength::fixed ? " (fixed)" : ""));
    const std::string remedy = legend.domain_remedy(row, problem.t0, u.data(), problem.binding.environment());
    Diagnostic error = make_error("domain-error", std::move(message),
                                  !remedy.empty()  ? "change " + remedy
                                  : values.empty() ? "check the parameters in it"
                                                   : "give other start values; now " + join(values));
    error.where = legend.equation_location(row);
    return {std::move(error)};
}

} // namespace daedalus::integrate
