// Exact solutions of E x' + H x = c(t): c read from text, the result as text and as JSON.
#include "base/expected.hpp"
#include "daedalus/linear_system.hpp"
#include "facade/access.hpp"
#include "output/json_writer.hpp"
#include "output/number_text.hpp"
#include "output/terminal.hpp"
#include "output/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus {

Expected<ExactSolution> solve_exactly(const MatrixData& e, const MatrixData& h, const std::vector<std::string>& c,
                                      double t0, const std::vector<double>& x0, const std::vector<double>& times) {
    std::vector<std::string> formulas = c;
    if (formulas.size() == 1 && e.rows > 1 && formulas.front().find_first_not_of(" 0.") == std::string::npos)
        formulas.assign(static_cast<std::size_t>(e.rows), "0");
    if (formulas.size() != static_cast<std::size_t>(std::max(0, e.rows)))
        return fail(make_error("linear-system", fmt::format("c has {} formulas, but E has {} rows", c.size(), e.rows),
                               "one formula in time per equation; a single 0 for no forcing"));
    for (const double t : times)
        if (!std::isfinite(t) || t < t0)
            return fail(
                make_error("linear-system", fmt::format("the solution is asked for at t = {}, before t = {}", t, t0)));
    // One equation per formula, so that a message names the line of the one at fault.
    std::string text = "model c\n";
    for (std::size_t i = 0; i < formulas.size(); ++i) text += fmt::format("Real c{};", i + 1);
    text += " equation\n";
    for (std::size_t i = 0; i < formulas.size(); ++i) text += fmt::format("c{} = {};\n", i + 1, formulas[i]);
    auto model = Model::from_string(text + "end c;\n", "forcing");
    if (!model) return Unexpected{std::move(model.error())};
    const std::shared_ptr<model::Model>& parsed = model->impl().model;
    if (parsed->equations.size() != formulas.size())
        return fail(make_error("linear-system", "a formula of c contains more than one expression"));
    std::vector<Expression> list;
    for (const model::Equation& equation : parsed->equations)
        list.push_back(Expression::Access::make(parsed->graph, equation.right));
    return solve_exactly(e, h, list, t0, x0, times);
}

std::string ExactSolution::to_text(bool color) const {
    const output::Paint paint{color};
    const std::size_t n = initial.size();
    std::string out = "\n" + paint.bold("Exact solution") + "\n";
    if (inconsistency > 0.0)
        out += fmt::format("  initial values were made consistent: the largest change is {}\n",
                           output::brief_number(inconsistency, 4));
    if (!accurate) out += "  the integrals did not converge to full accuracy\n";
    constexpr std::size_t most = 8; // columns on a page; JSON has them all
    std::vector<output::TextTable::Column> head{{"t", output::Align::right}};
    for (std::size_t i = 0; i < n && i < most; ++i) head.push_back({fmt::format("x{}", i + 1), output::Align::right});
    output::TextTable table(head);
    for (std::size_t k = 0; k < times.size(); ++k) {
        std::vector<std::string> row{output::brief_number(times[k], 6)};
        for (std::size_t i = 0; i < n && i < most; ++i) row.push_back(output::brief_number(values[k][i], 10));
        table.add_row(std::move(row));
    }
    out += table.text(0, 2);
    if (n > most) out += fmt::format("  … and {} more unknowns\n", n - most);
    for (std::size_t i = 0; i < n && i < most; ++i)
        if (derivatives_of_c[i] > 0)
            out += fmt::format("  x{} contains derivatives of c up to order {}: continuous only where that is\n", i + 1,
                               derivatives_of_c[i]);
    return out;
}

std::string ExactSolution::to_json() const {
    std::string text;
    {
        output::JsonWriter json([&](std::string_view part) { text += part; });
        json.begin_object();
        json.field("index", index);
        json.key("initial");
        json.numbers(initial);
        json.field("inconsistency", inconsistency);
        json.field("accurate", accurate);
        json.key("derivatives_of_c");
        json.begin_array();
        for (const int k : derivatives_of_c) json.value(k);
        json.end_array();
        json.key("time");
        json.numbers(times);
        json.key("x");
        json.begin_array();
        for (const std::vector<double>& x : values) json.numbers(x);
        json.end_array();
        json.end_object();
    }
    return text;
}

std::string to_json(const PencilAnalysis& pencil, const ExactSolution& solution) {
    std::string text = pencil.to_json();
    text.resize(text.rfind('}'));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text + ",\n\"solution\": " + solution.to_json() + "}\n";
}

} // namespace daedalus
