// Parameter bindings are expressions in other parameters: evaluated in dependency order (Kahn), cycles named.
#include "expr/evaluate.hpp"
#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::model {

namespace {

std::vector<std::string> parameter_names(const Model& model) {
    std::vector<std::string> names;
    for (const Parameter& p : model.parameters) names.push_back(p.name);
    return names;
}

Diagnostic unknown_parameter(const Model& model, const std::string& name) {
    std::string hint;
    if (const auto id = model.find_variable(name))
        hint = fmt::format("'{}' is a variable; its start value is set with --start {}=VALUE", name, name);
    else if (const auto close = closest(name, parameter_names(model)))
        hint = fmt::format("did you mean '{}'?", *close);
    else if (model.parameters.empty())
        hint = "the model has no parameters";
    return make_error("unknown-parameter", fmt::format("model {} has no parameter '{}'", model.name, name), hint);
}

// Overridden value per parameter, if any.
Expected<std::vector<std::optional<double>>> overridden(const Model& model,
                                                        const std::vector<ParameterOverride>& overrides) {
    std::vector<std::optional<double>> value(model.parameters.size());
    for (const ParameterOverride& o : overrides) {
        const auto id = model.find_parameter(o.name);
        if (!id) return fail(unknown_parameter(model, o.name));
        const Parameter& p = model.parameters[static_cast<std::size_t>(*id)];
        if (p.is_constant || p.is_final)
            return fail(make_error(
                "parameter-not-changeable",
                fmt::format("'{}' is {} and cannot be changed", p.name, p.is_constant ? "a constant" : "final"),
                p.span));
        if (!std::isfinite(o.value))
            return fail(make_error("parameter-not-finite",
                                   fmt::format("parameter '{}' is given as {}", p.name, o.value), p.span,
                                   "a parameter must be a finite number"));
        value[static_cast<std::size_t>(*id)] = o.value;
    }
    return value;
}

} // namespace

Expected<std::vector<double>> parameter_values(const Model& model, const std::vector<ParameterOverride>& overrides) {
    const expr::Graph& g = *model.graph;
    auto given = overridden(model, overrides);
    if (!given) return Unexpected{given.error()};
    const std::size_t n = model.parameters.size();
    std::vector<double> value(n, 0.0);
    std::vector<std::vector<int>> users(n);
    std::vector<int> waiting(n, 0);
    std::vector<int> ready;
    Diagnostics problems;
    for (std::size_t i = 0; i < n; ++i) {
        const Parameter& p = model.parameters[i];
        if ((*given)[i]) {
            ready.push_back(static_cast<int>(i));
            continue;
        }
        if (p.binding == expr::no_node) {
            problems.push_back(make_error("parameter-without-value", fmt::format("parameter '{}' has no value", p.name),
                                          p.span, fmt::format("give it one: --param {}=VALUE", p.name)));
            continue;
        }
        for (const NodeId leaf : g.reachable(std::span(&p.binding, 1)))
            if (g.op(leaf) == expr::Op::parameter) {
                users[static_cast<std::size_t>(g.parameter_id(leaf))].push_back(static_cast<int>(i));
                ++waiting[i];
            }
        if (waiting[i] == 0) ready.push_back(static_cast<int>(i));
    }
    if (!problems.empty()) return Unexpected{problems};

    std::size_t done = 0;
    for (; done < ready.size(); ++done) {
        const auto i = static_cast<std::size_t>(ready[done]);
        const Parameter& p = model.parameters[i];
        const auto leaf = [&](NodeId id) {
            return g.op(id) == expr::Op::parameter ? value[static_cast<std::size_t>(g.parameter_id(id))]
                                                   : std::numeric_limits<double>::quiet_NaN();
        };
        value[i] = (*given)[i] ? *(*given)[i] : expr::evaluate(g, p.binding, leaf);
        if (!std::isfinite(value[i])) {
            const expr::DomainError why = expr::find_domain_error(g, p.binding, leaf);
            problems.push_back(make_error(
                "parameter-not-finite",
                fmt::format("parameter '{}' = {} is not a finite number", p.name, model.text(p.binding)), p.span,
                why.reason.empty() ? "" : fmt::format("{} in {}", why.reason, model.text(why.node))));
        }
        for (const int user : users[i])
            if (--waiting[static_cast<std::size_t>(user)] == 0) ready.push_back(user);
    }
    if (!problems.empty()) return Unexpected{problems};
    if (done < n) {
        std::string cycle;
        const Parameter* first = nullptr;
        for (std::size_t i = 0; i < n; ++i)
            if (waiting[i] > 0) {
                if (!first) first = &model.parameters[i];
                cycle += (cycle.empty() ? "" : ", ") + model.parameters[i].name;
            }
        return fail(make_error("cyclic-parameters",
                               fmt::format("parameters depend on each other in a circle: {}", cycle), first->span,
                               "give one of them a number"));
    }
    return value;
}

} // namespace daedalus::model
