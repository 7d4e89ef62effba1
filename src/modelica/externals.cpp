// External functions that are built in, by the names of the C functions behind them; all others are refused by name,
// for foreign code never runs here.
#include "expr/functions/function.hpp"
#include "modelica/object.hpp"
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

std::vector<Quantity> Translator::external_function(const Context& c, Instance* node, Frame& frame, Span span) {
    const ast::ClassDefinition& d = *node->definition;
    const Context at{node->unit, node, &frame, -1};
    std::string name(d.name);
    std::vector<Quantity> given;
    if (ast::given(d.external_call)) {
        const ast::Expr& e = at.at(d.external_call);
        if (e.kind == ExprKind::call) {
            const ast::Call& call = node->unit->tree.call(e);
            name = call.function.text();
            for (const ast::Argument& a : call.arguments) {
                Quantity value;
                try {
                    value = evaluate(at, a.value);
                } catch (const TranslationError&) { // an output that the function will set
                }
                given.push_back(std::move(value));
            }
        }
    } else {
        for (auto& [key, value] : frame.locals) given.push_back(value);
    }
    if (auto results = native(c, name, given, span)) return *results;
    const std::string shown = node->root->path.empty() ? std::string(d.name) : node->root->path;
    unsupported(c.unit, span, "the external function '" + name + "' (of '" + shown + "')",
                "external functions are never run; those of Modelica.Math, tables and strings are built in");
}

std::optional<std::vector<Quantity>> Translator::native(const Context& c, const std::string& name,
                                                        std::vector<Quantity>& a, Span span) {
    if (auto table = table_call(c, name, a, span)) return table;
    // The state of the impure generator is nobody's: impureRandom itself is refused.
    if (name == "ModelicaRandom_setInternalState_xorshift1024star") return std::vector<Quantity>{};
    if (auto random = random_call(c, name, a, span)) return random;
    if (auto strings = string_native(c, name, a, span)) return strings;
    const auto one = [](Quantity q) { return std::vector<Quantity>{std::move(q)}; };
    if (auto matrices = matrix_call(c, name, a, span)) return matrices;
    const expr::Function* f = expr::find_function(name);
    if (f != nullptr && a.size() == static_cast<std::size_t>(expr::arity(f->op))) {
        for (const Quantity& q : a)
            if (!is_number(q.kind) || !q.is_scalar()) return std::nullopt;
        const NodeId node = a.size() == 1 ? g_.unary(f->op, a[0].node()) : g_.binary(f->op, a[0].node(), a[1].node());
        return one(scalar(Kind::real, node));
    }
    return std::nullopt;
}

} // namespace daedalus::modelica
