#include "simulation/extend_model.hpp"

#include "base/diagnostic.hpp"
#include "modelica/read_expression.hpp"
#include "simulation/input_signals.hpp"
#include "simulation/private_copy.hpp"

#include <fmt/format.h>

namespace daedalus::simulation {

Expected<std::shared_ptr<model::Model>> extend_model(const model::Model& model, const SolveOptions& options) {
    auto extended = private_copy(model);
    expr::Graph& g = *extended->graph;
    if (auto trouble = add_signals(*extended, options.inputs)) return fail(*std::move(trouble));
    for (const auto& [name, text] : options.integrals) {
        if (extended->find_variable(name) || extended->find_parameter(name))
            return fail(make_error("name-taken", fmt::format("the model has '{}' already", name),
                                   "give the integral another name"));
        auto rate = modelica::read_expression(*extended, text, modelica::ExpressionKind::number);
        if (!rate) return Unexpected{std::move(rate.error())};
        model::Variable integral;
        integral.name = name;
        integral.start = g.constant(0.0);
        integral.fixed = true;
        integral.description = "integral of " + text;
        const int id = extended->add_variable(std::move(integral));
        extended->equations.push_back({g.variable(id, 1), *rate, "running integral", {}});
    }
    for (const std::string& text : options.stop_when) {
        auto condition = modelica::read_expression(*extended, text, modelica::ExpressionKind::condition);
        if (!condition) return Unexpected{std::move(condition.error())};
        model::WhenBranch branch;
        branch.conditions = {*condition};
        branch.terminates = true;
        branch.also_at_start = true;
        branch.message = text;
        extended->clauses.push_back({{std::move(branch)}});
    }
    return extended;
}

} // namespace daedalus::simulation
