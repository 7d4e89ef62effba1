// The model as understood, in the author's numbering and names.
#include "compile/compilation.hpp"
#include "compile/recognize_classes.hpp"
#include "expr/substitute.hpp"
#include "structure/index_per_variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace daedalus::compile {

namespace {

using expr::NodeId;
using expr::Op;

// Without the text of the line: a report has one place per equation, and all of them on one line would be too much.
std::optional<Location> location(const SourceSpan& span) {
    if (!span.known()) return std::nullopt;
    Location where = span.locate();
    where.line_text = {};
    return where;
}

bool is_leading(const transform::ReducedSystem& r, const std::vector<int>& column, const expr::Graph& g, NodeId leaf) {
    if (g.op(leaf) != Op::variable || g.derivative_order(leaf) == 0) return false;
    return g.derivative_order(leaf) >=
           r.analysis.d[static_cast<std::size_t>(column[static_cast<std::size_t>(g.variable_id(leaf))])];
}

bool mentions_leading(const transform::ReducedSystem& r, const std::vector<int>& column, const expr::Graph& g,
                      NodeId expression) {
    const NodeId roots[] = {expression};
    const auto below = g.reachable(roots);
    return std::any_of(below.begin(), below.end(), [&](NodeId n) { return is_leading(r, column, g, n); });
}

// Leading derivatives that one undifferentiated equation gives alone and linearly, m der(u) = …: written into hidden
// constraints, these then speak of the variables only.
std::unordered_map<std::uint32_t, NodeId> explicit_derivatives(const transform::System& s,
                                                               const transform::ReducedSystem& r) {
    expr::Graph& g = s.graph();
    const std::vector<int> column = s.columns();
    std::unordered_map<std::uint32_t, NodeId> known;
    for (std::size_t i = 0; i < s.equations.size(); ++i) {
        if (r.analysis.c[i] != 0) continue;
        const NodeId residual = s.residual(static_cast<int>(i));
        expr::Partial only{expr::no_node, expr::no_node};
        int leading = 0;
        for (const expr::Partial& p : expr::gradient(g, residual))
            if (is_leading(r, column, g, p.leaf)) {
                only = p;
                ++leading;
            }
        if (leading != 1 || mentions_leading(r, column, g, only.value)) continue;
        expr::Substitution without(g, [&](NodeId leaf) { return leaf == only.leaf ? g.constant(0.0) : leaf; });
        known.emplace(expr::index(only.leaf), g.neg(g.div(without(residual), only.value)));
    }
    return known;
}

// f_i', …, f_i^(c_i). The most differentiated one only fixes leading derivatives, unless these are given elsewhere or
// an algebraic variable of its block (d_j = 0) is found from it: then it is a constraint as well.
void add_hidden_constraints(const transform::System& s, const transform::ReducedSystem& r, StructuralReport& report) {
    constexpr std::size_t longest = 400;
    constexpr std::size_t most = 2000;
    expr::Graph& g = s.graph();
    const std::vector<int> column = s.columns();
    const expr::Names names = s.names();
    const auto text = [&](NodeId e) { return expr::to_string(g, e, names, expr::Notation::plain, longest); };
    for (const transform::System::Replaced& old : s.replaced) {
        if (!old.by_constraint) continue;
        report.hidden_constraints.push_back({s.text(old.row, longest),
                                             s.equations[static_cast<std::size_t>(old.row)].derived, 0,
                                             location(s.span(old.row))});
    }
    if (std::all_of(r.analysis.c.begin(), r.analysis.c.end(), [](int c) { return c == 0; })) return;
    const auto known = explicit_derivatives(s, r);
    expr::Substitution substitute(g, [&](NodeId leaf) {
        const auto it = known.find(expr::index(leaf));
        return it == known.end() ? leaf : it->second;
    });
    std::vector<char> finds_algebraic(static_cast<std::size_t>(r.blocks.count()), 0);
    for (std::size_t j = 0; j < r.analysis.d.size(); ++j)
        if (r.analysis.d[j] == 0) finds_algebraic[static_cast<std::size_t>(r.blocks.block_of_variable[j])] = 1;
    expr::TimeDerivative ddt(g);
    for (std::size_t i = 0; i < s.equations.size(); ++i) {
        NodeId left = s.equations[i].left, right = s.equations[i].right;
        for (int order = 1; order <= r.analysis.c[i]; ++order) {
            left = ddt(left);
            right = ddt(right);
            if (report.hidden_constraints.size() >= most) return;
            const NodeId shown_left = substitute(left), shown_right = substitute(right);
            const bool constrains = order < r.analysis.c[i] ||
                                    finds_algebraic[static_cast<std::size_t>(r.blocks.block_of_equation[i])] ||
                                    !mentions_leading(r, column, g, g.sub(shown_left, shown_right));
            if (!constrains) continue;
            report.hidden_constraints.push_back({text(shown_left) + " = " + text(shown_right),
                                                 s.text(static_cast<int>(i), longest), order,
                                                 location(s.span(static_cast<int>(i)))});
        }
    }
}

} // namespace

void Blocks::add(const Block& block) {
    const auto put = [](std::vector<int>& list, const std::vector<int>& more) {
        list.insert(list.end(), more.begin(), more.end());
        return static_cast<std::uint32_t>(list.size());
    };
    ends_.push_back({put(equations_, block.equations), put(variables_, block.variables), put(torn_, block.torn),
                     put(residual_equations_, block.residual_equations), block.differentiations, block.linearity});
}

Block Blocks::operator[](std::size_t b) const {
    const End begin = b == 0 ? End{} : ends_[b - 1], end = ends_[b];
    const auto part = [](const std::vector<int>& list, std::uint32_t from, std::uint32_t to) {
        return std::vector<int>(list.begin() + from, list.begin() + to);
    };
    return {part(equations_, begin.equations, end.equations),
            part(variables_, begin.variables, end.variables),
            end.differentiations,
            end.linearity,
            part(torn_, begin.torn, end.torn),
            part(residual_equations_, begin.residual_equations, end.residual_equations)};
}

VariableFacts variable_facts(const StructuralReport& report, const model::Model& model, std::size_t v) {
    constexpr std::size_t longest = 80;
    const model::Variable& of = model.variables[v];
    const StructuralReport::OfVariable& found = report.of_variables[v];
    return {of.name,
            of.unit,
            of.description,
            found.index,
            found.highest_derivative,
            found.eliminated_as == expr::no_node ? std::string() : model.text(found.eliminated_as, longest),
            location(of.span)};
}

EquationFacts equation_facts(const StructuralReport& report, const model::Model& model, std::size_t i) {
    constexpr std::size_t longest = 300;
    const model::Equation& of = model.equations[i];
    const auto replaced = std::lower_bound(report.replacements.begin(), report.replacements.end(), static_cast<int>(i),
                                           [](const auto& one, int wanted) { return one.first < wanted; });
    const bool found = replaced != report.replacements.end() && replaced->first == static_cast<int>(i);
    return {model.text(of, longest), report.differentiations[i], found ? replaced->second : std::string(),
            location(of.span)};
}

// Pryce's ν = max c_i + (1 if some d_j = 0) adds differentiations that need not meet: a constraint among states
// (c = 1) and an unrelated algebraic variable (d = 0) give 2 where every variable has index 1. The largest index of a
// variable does not make that mistake, and equals ν where all is connected.
int structural_index(const structure::SignatureMatrix& sigma, const structure::SignatureAnalysis& analysis) {
    if (analysis.structural_index <= 1) return analysis.structural_index;
    const std::vector<int> index = structure::index_per_variable(sigma, analysis);
    return std::max(1, index.empty() ? 0 : *std::max_element(index.begin(), index.end()));
}

int structural_index(const transform::ReducedSystem& r) { return structural_index(r.sigma, r.analysis); }

StructuralReport structural_report(const model::Model& model, const transform::System& written,
                                   const transform::ReducedSystem& w, const transform::System& system,
                                   const transform::ReducedSystem& reduced, bool tear) {
    const model::Model& m = model;
    StructuralReport report;
    report.model_name = m.name;
    report.equations = static_cast<int>(m.equations.size());
    report.variables = static_cast<int>(m.variables.size());
    report.parameters = static_cast<int>(m.parameters.size());
    // What the initial equations give is nobody's choice.
    report.degrees_of_freedom =
        static_cast<int>(w.analysis.value) -
        static_cast<int>(std::count_if(m.variables.begin(), m.variables.end(),
                                       [](const model::Variable& v) { return v.is_parameter; }));
    const std::vector<int> index = structure::index_per_variable(w.sigma, w.analysis);
    report.structural_index = structural_index(w);
    const int floor = report.structural_index == 0 ? 0 : 1;
    report.of_variables.reserve(m.variables.size());
    for (std::size_t v = 0; v < m.variables.size(); ++v)
        report.of_variables.push_back({std::max(floor, index[v]), w.highest_written[v]});
    report.differentiations.assign(w.analysis.c.begin(),
                                   w.analysis.c.begin() + static_cast<std::ptrdiff_t>(m.equations.size()));
    for (std::size_t i = 0; i < m.equations.size(); ++i)
        if (const std::string& derived = written.equations[i].derived; !derived.empty())
            report.replacements.emplace_back(static_cast<int>(i), derived);
    report.blocks = describe_blocks(written, w, tear);
    add_hidden_constraints(system, reduced, report);
    report.classes = recognize_classes(written, w, report.structural_index);
    // Aliases between states hide a form; without them it shows. Not so where a variable went because time, or nothing,
    // gives its value: what vanishes on the solution need not vanish beside it (HW (1.32)).
    const bool aliases_only =
        std::all_of(system.eliminations.begin(), system.eliminations.end(), [&](const transform::Elimination& e) {
            const NodeId roots[] = {e.value};
            const auto below = system.graph().reachable(roots);
            return std::any_of(below.begin(), below.end(),
                               [&](NodeId n) { return system.graph().op(n) == Op::variable; });
        });
    if (aliases_only && structural_index(reduced) == report.structural_index)
        for (SpecialClass& found : recognize_classes(system, reduced, report.structural_index))
            if (std::find(report.classes.begin(), report.classes.end(), found) == report.classes.end())
                report.classes.push_back(std::move(found));
    return report;
}

} // namespace daedalus::compile
