#include "modelica/read_expression.hpp"

#include "modelica/lower.hpp"
#include "modelica/parse.hpp"

namespace daedalus::modelica {

namespace {

/// As one message about what was given: places in a text that the user did not write help nobody.
Diagnostic refused(const std::string& text, const Diagnostics& found) {
    Diagnostic d = make_error("bad-expression", "'" + text + "' cannot be read");
    for (const Diagnostic& problem : found) {
        if (problem.severity != Severity::error) continue;
        d.message += ": " + problem.message;
        d.hint = problem.hint;
        break;
    }
    return d;
}

} // namespace

Expected<expr::NodeId> read_expression(const model::Model& model, const std::string& text, ExpressionKind kind) {
    const SourceFile file("option", "model option equation 0 = (" + text + "\n); end option;");
    ParseResult parsed = parse(file);
    const bool one = parsed.ok() && parsed.tree.classes.size() == 1 && parsed.tree.classes[0]->equations.size() == 1 &&
                     parsed.tree.classes[0]->equations[0].equations.size() == 1 &&
                     ast::given(parsed.tree.classes[0]->equations[0].equations[0].right);
    if (!one) return fail(refused(text, parsed.diagnostics));
    Report report(file);
    Scope scope(parsed.tree, {parsed.tree.classes[0].get()});
    for (std::size_t k = 0; k < model.variables.size(); ++k)
        scope.declare(model.variables[k].name, {SymbolKind::variable, Type::real, static_cast<int>(k), {}});
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
        if (!model.parameters[k].is_held)
            scope.declare(model.parameters[k].name, {SymbolKind::parameter, Type::real, static_cast<int>(k), {}});
    for (const model::DiscreteVariable& v : model.discrete) {
        const bool boolean = expr::is_boolean(model.graph->op(v.value));
        scope.declare(v.name, {SymbolKind::discrete, boolean ? Type::boolean : Type::real, -1, {}, v.value});
    }
    ExpressionLowering lower(parsed.tree, *model.graph, scope, report, [](const Symbol&) { return expr::no_node; });
    const ast::ExprId id = parsed.tree.classes[0]->equations[0].equations[0].right;
    const Value value =
        kind == ExpressionKind::condition ? lower.boolean(id, "the condition") : lower.numeric(id, "the expression");
    if (!value.ok()) return fail(refused(text, report.take()));
    return value.node;
}

} // namespace daedalus::modelica
