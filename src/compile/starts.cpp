#include "compile/starts.hpp"

#include "expr/evaluate.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daedalus::compile {

namespace {

// "x", "der(x)", "der(x, 2)", "der(der(x))" → variable and order.
Expected<transform::JetEntry> parse_name(const model::Model& model, const std::string& text) {
    std::string rest = text;
    std::erase_if(rest, [](char ch) { return ch == ' '; });
    int order = 0;
    while (rest.starts_with("der(") && rest.ends_with(")")) {
        rest = rest.substr(4, rest.size() - 5);
        int times = 1;
        if (const auto comma = rest.rfind(','); comma != std::string::npos && comma + 1 < rest.size() &&
                                                rest.find_first_not_of("0123456789", comma + 1) == std::string::npos &&
                                                rest.size() - comma < 4) {
            times = std::stoi(rest.substr(comma + 1));
            rest.resize(comma);
        }
        order += times;
    }
    if (const auto id = model.find_variable(rest)) return transform::JetEntry{*id, order};
    std::vector<std::string> names;
    for (const model::Variable& v : model.variables) names.push_back(v.name);
    std::string hint;
    if (model.find_parameter(rest))
        hint = fmt::format("'{}' is a parameter; set it with --param {}=VALUE", rest, rest);
    else if (const auto close = closest(rest, names))
        hint = fmt::format("did you mean '{}'?", *close);
    return fail(make_error("unknown-variable", fmt::format("model {} has no variable '{}'", model.name, rest), hint));
}

} // namespace

Expected<std::vector<transform::GivenStart>> given_starts(const model::Model& model,
                                                          const std::vector<StartOverride>& starts) {
    std::vector<transform::GivenStart> given;
    for (const StartOverride& s : starts) {
        auto entry = parse_name(model, s.name);
        if (!entry) return Unexpected{std::move(entry.error())};
        if (!std::isfinite(s.value))
            return fail(
                make_error("start-not-finite", fmt::format("start value of '{}' is given as {}", s.name, s.value)));
        given.push_back({*entry, s.value, s.strength});
    }
    return given;
}

CompileOptions with_guesses(const model::Model& model, CompileOptions options) {
    std::erase_if(options.parameters, [&](const model::ParameterOverride& p) {
        const auto id = model.find_variable(p.name);
        if (!id || !model.variables[static_cast<std::size_t>(*id)].is_parameter) return false;
        options.starts.push_back({p.name, p.value, problem::Strength::guess});
        return true;
    });
    return options;
}

std::vector<double> quadrature_starts(const model::Model& model, const std::vector<transform::Quadrature>& list,
                                      const std::vector<double>& parameters,
                                      std::vector<transform::GivenStart>& given) {
    const expr::Graph& g = *model.graph;
    std::vector<double> result;
    for (const transform::Quadrature& q : list) {
        const expr::NodeId start = model.variables[static_cast<std::size_t>(q.variable)].start;
        double value = start == expr::no_node ? 0.0 : expr::evaluate(g, start, [&](expr::NodeId leaf) {
            return parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
        });
        for (const transform::GivenStart& s : given)
            if (s.entry == transform::JetEntry{q.variable, 0}) value = s.value;
        std::erase_if(given, [&](const transform::GivenStart& s) { return s.entry.variable == q.variable; });
        result.push_back(value);
    }
    return result;
}

} // namespace daedalus::compile
