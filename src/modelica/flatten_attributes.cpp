// Values of parameters; attributes and binding equations of variables; the experiment annotation.
#include "modelica/flatten.hpp"
#include "modelica/lexer.hpp"

#include <array>
#include <cmath>

namespace daedalus::modelica {

using ast::given;
using expr::NodeId;

namespace {

const std::vector<std::string> real_attributes{"start", "fixed",    "nominal",     "min",         "max",
                                               "unit",  "quantity", "displayUnit", "stateSelect", "unbounded"};
const std::vector<std::string> other_attributes{"start", "fixed", "min", "max", "quantity"};

} // namespace

// Those of the type first, so that those of the declaration win.
Flattener::Attributes Flattener::attributes(const Declared& declared) {
    Attributes result;
    const auto add = [&](const std::vector<ast::Modification>& list) {
        for (const ast::Modification& given_one : list) {
            if (given_one.element) {
                unsupported(given_one.span, "redeclare and replaceable");
                continue;
            }
            if (given_one.name.parts.empty()) continue;
            const std::string name = given_one.name.text();
            const auto& known = declared.symbol.type == Type::real ? real_attributes : other_attributes;
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                const auto best = closest(name, known);
                report_.error("unknown-attribute", given_one.name.span,
                              std::string(spelling(declared.symbol.type)) + " has no attribute '" + name + "'",
                              best ? "did you mean '" + *best + "'?" : "attributes are start, fixed, min, max, …");
                continue;
            }
            if (!given(given_one.value)) {
                report_.error("attribute-without-value", given_one.span, "the attribute '" + name + "' has no value",
                              "write " + name + " = …");
                continue;
            }
            for (const auto& [earlier, where] : result)
                if (earlier == given_one.name.parts[0].name && where >= list.data() &&
                    where < list.data() + list.size()) {
                    report_.error("attribute-twice", given_one.name.span,
                                  "the attribute '" + name + "' is given twice");
                    report_.note(where->name.span, "the first one");
                } else if (earlier == given_one.name.parts[0].name && where->final_) {
                    report_.error("final", given_one.span,
                                  "'" + name + "' of '" + std::string(declared.component->name) +
                                      "' is final and cannot be modified");
                    report_.note(where->name.span, "declared here");
                }
            result.emplace_back(given_one.name.parts[0].name, &given_one);
        }
    };
    for (const auto* list : declared.base->modifications) add(*list);
    add(declared.component->modifications);
    return result;
}

NodeId Flattener::attribute_value(const Declared& declared, std::string_view name, const ast::Modification& written) {
    const std::string context = "the attribute '" + std::string(name) + "'";
    const Value value = declared.symbol.type == Type::boolean ? lower_.boolean(written.value, context)
                                                              : lower_.numeric(written.value, context);
    if (!value.ok()) return expr::no_node;
    if (value.varies == Varies::with_time) {
        report_.error("attribute-varies", value.span, context + " may depend on parameters and constants only",
                      name == "start" ? "a relation between start values is written as an initial equation" : "");
        return expr::no_node;
    }
    return value.node;
}

void Flattener::bind_parameter(const Declared& declared) {
    const ast::Component& component = *declared.component;
    if (declared.symbol.kind != SymbolKind::parameter && declared.symbol.kind != SymbolKind::constant) return;
    const auto id = static_cast<std::size_t>(declared.symbol.id);
    const bool is_constant = declared.symbol.kind == SymbolKind::constant;
    const std::string name(component.name);
    for (const auto& [attribute, written] : attributes(declared)) {
        if (attribute == "unit") {
            if (auto text = string_attribute(attribute, *written)) model_.parameters[id].unit = std::move(*text);
        } else if (attribute == "start" && !given(component.binding)) {
            model_.parameters[id].binding = attribute_value(declared, attribute, *written);
            report_.warning("parameter-from-start", component.name_span,
                            "the parameter '" + name + "' has no value; its start value is used",
                            "write " + name + " = …");
        } else if (attribute == "displayUnit" || attribute == "quantity") {
            (void)string_attribute(attribute, *written);
        }
    }
    if (!given(component.binding)) {
        if (is_constant && model_.parameters[id].binding == expr::no_node)
            report_.error("constant-without-value", component.name_span, "the constant '" + name + "' has no value");
        return;
    }
    const std::string context = "the value of '" + name + "'";
    const Value value = declared.symbol.type == Type::boolean ? lower_.boolean(component.binding, context)
                                                              : lower_.numeric(component.binding, context);
    if (!value.ok()) return;
    if (is_constant && value.varies == Varies::with_parameters) {
        report_.error("variability", value.span, "the constant '" + name + "' depends on a parameter",
                      "a constant is known without values of parameters");
        return;
    }
    if (value.varies == Varies::with_time) {
        report_.error("parameter-varies", value.span, context + " varies in time, but it is a parameter",
                      "declare it without 'parameter', or compute it from parameters only");
        return;
    }
    if (declared.symbol.type == Type::integer && value.type == Type::real) {
        report_.error("type", value.span, context + " must be an Integer, but this is a Real", "declare it as Real");
        return;
    }
    model_.parameters[id].binding = value.node;
}

void Flattener::bind_variable(const Declared& declared) {
    const ast::Component& component = *declared.component;
    if (declared.symbol.kind == SymbolKind::text && given(component.binding)) {
        const Value value = lower_(component.binding);
        if (value.ok() && value.type != Type::string)
            report_.error("type", value.span, "the value of '" + std::string(component.name) + "' must be a String");
        return;
    }
    if (declared.symbol.kind != SymbolKind::variable) return;
    for (const auto& [name, written] : attributes(declared)) set_attribute(declared, name, *written);
    boundary_condition(declared);
    if (!given(component.binding)) return;
    const Value right = lower_.numeric(component.binding, "the value of '" + std::string(component.name) + "'");
    if (!right.ok()) return;
    Value left{Type::real, Varies::with_time, 0, model_.graph->variable(declared.symbol.id), component.name_span};
    add_equation(left, right, component.span, component.description, model_.equations);
}

// Real v annotation(__Daedalus(finalValue = 0)): the value at the end of the run. Modelica leaves names that begin with
// two underscores to tools, and other tools pass over them.
void Flattener::boundary_condition(const Declared& declared) {
    model::Variable& variable = model_.variables[static_cast<std::size_t>(declared.symbol.id)];
    for (const ast::Modification& annotation : declared.component->annotation) {
        if (annotation.name.text() != "__Daedalus") continue;
        for (const ast::Modification& written : annotation.arguments) {
            const std::string name = written.name.text();
            if (name == "finalValue" && given(written.value))
                variable.final_value = attribute_value(declared, name, written);
            else
                report_.error("unknown-annotation", written.name.span,
                              "__Daedalus has no annotation '" + name + "' for a variable", "write finalValue = …");
        }
    }
}

// der(p) = 0 for parameters that the initial equations determine: unknown at the start, constant from then on.
void Flattener::constant_parameters() {
    for (std::size_t v = 0; v < model_.variables.size(); ++v)
        if (model_.variables[v].is_parameter)
            model_.equations.push_back({model_.graph->variable(static_cast<int>(v), 1), model_.graph->constant(0.0),
                                        model_.variables[v].name + " is a parameter", model_.variables[v].span});
}

void Flattener::set_attribute(const Declared& declared, std::string_view name, const ast::Modification& written) {
    model::Variable& variable = model_.variables[static_cast<std::size_t>(declared.symbol.id)];
    if (name == "start") {
        variable.start = attribute_value(declared, name, written);
    } else if (name == "nominal") {
        variable.nominal = attribute_value(declared, name, written);
    } else if (name == "min") {
        variable.min = attribute_value(declared, name, written);
    } else if (name == "max") {
        variable.max = attribute_value(declared, name, written);
    } else if (name == "fixed" || name == "unbounded") {
        const Value value = lower_.boolean(written.value, "the attribute '" + std::string(name) + "'");
        if (!value.ok()) return;
        const auto decided = evaluate_now(value, "the attribute '" + std::string(name) + "'");
        if (decided && name == "fixed") variable.fixed = *decided != 0.0;
    } else if (name == "stateSelect") {
        set_state_select(variable, written);
    } else if (auto text = string_attribute(name, written); text && name == "unit") {
        variable.unit = std::move(*text);
    }
}

std::optional<std::string> Flattener::string_attribute(std::string_view name, const ast::Modification& written) {
    const ast::Expr& e = tree_[written.value];
    if (e.kind == ast::ExprKind::string)
        return string_value(report_.file().text().substr(e.span.begin, e.span.end - e.span.begin));
    const Value value = lower_(written.value);
    if (value.ok() && value.type != Type::string)
        report_.error("type", e.span, "the attribute '" + std::string(name) + "' must be a string",
                      "write " + std::string(name) + " = \"…\"");
    else if (value.ok())
        unsupported(e.span, "computed strings");
    return std::nullopt;
}

void Flattener::set_state_select(model::Variable& variable, const ast::Modification& written) {
    using model::StateSelect;
    struct Literal {
        const char* name;
        StateSelect value;
    };
    static constexpr std::array literals{
        Literal{"StateSelect.never", StateSelect::never}, Literal{"StateSelect.avoid", StateSelect::avoid},
        Literal{"StateSelect.default", StateSelect::default_}, Literal{"StateSelect.prefer", StateSelect::prefer},
        Literal{"StateSelect.always", StateSelect::always}};
    const ast::Expr& e = tree_[written.value];
    std::vector<std::string> names;
    const std::string text = e.kind == ast::ExprKind::reference ? tree_.reference(e).text() : std::string{};
    for (const Literal& literal : literals) {
        names.emplace_back(literal.name);
        if (text == literal.name) {
            variable.state_select = literal.value;
            return;
        }
    }
    const auto best = closest(text, names);
    report_.error("state-select", e.span, "stateSelect must be StateSelect.never, avoid, default, prefer or always",
                  best ? "did you mean '" + *best + "'?" : "");
}

// annotation(experiment(StartTime = 0, StopTime = 10, Tolerance = 1e-6, Interval = 0.01))
void Flattener::experiment() {
    const auto number = [&](const ast::Modification& written) -> std::optional<double> {
        if (!given(written.value)) return std::nullopt;
        const Value value = lower_.numeric(written.value, "'" + written.name.text() + "'");
        if (!value.ok()) return std::nullopt;
        if (value.varies == Varies::with_time) {
            report_.error("experiment", value.span, "'" + written.name.text() + "' must be a number");
            return std::nullopt;
        }
        return evaluate_now(value, "the experiment");
    };
    std::optional<double> intervals;
    for (const ast::Modification& annotation : class_.annotation) {
        if (annotation.name.text() != "experiment") continue;
        for (const ast::Modification& written : annotation.arguments) {
            const std::string name = written.name.text();
            if (name == "StartTime") model_.experiment.start_time = number(written);
            if (name == "StopTime") model_.experiment.stop_time = number(written);
            if (name == "Tolerance") model_.experiment.tolerance = number(written);
            if (name == "Interval") model_.experiment.interval = number(written);
            if (name == "NumberOfIntervals") intervals = number(written);
        }
    }
    model::Experiment& e = model_.experiment;
    if (intervals && *intervals >= 1 && !e.interval && e.stop_time)
        e.interval = (*e.stop_time - e.start_time.value_or(0.0)) / *intervals;
}

} // namespace daedalus::modelica
