#include "simulation/given_inputs.hpp"

#include <cmath>

namespace daedalus::simulation {

std::vector<std::string> take_inputs_as_given(model::Model& model) {
    expr::Graph& g = *model.graph;
    std::vector<std::string> names;
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        model::Variable& input = model.variables[v];
        if (!input.is_input) continue;
        names.push_back(input.name);
        input.is_input = false;
        // Multiples of the golden ratio modulo 1 stay apart from each other, however many there are.
        const auto between = [&](double from, double to, double shift) {
            const double golden = 0.61803398874989485 * (static_cast<double>(names.size()) + shift);
            return 0.01 * std::round(100.0 * (from + (to - from) * (golden - std::floor(golden)))); // short in print
        };
        const expr::NodeId angle = g.add(g.mul(g.constant(between(0.5, 1.5, 0.0)), g.time()),
                                         g.constant(between(0.4, 1.1, 0.3))); // sine and cosine are not small
        const expr::NodeId value = g.add(g.constant(between(0.5, 1.5, 0.6)), g.unary(expr::Op::sin, angle));
        model.equations.push_back(
            {g.variable(static_cast<int>(v)), value, "input " + input.name + ", taken as given", input.span});
    }
    return names;
}

} // namespace daedalus::simulation
