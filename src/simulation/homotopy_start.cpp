#include "simulation/homotopy_start.hpp"

#include "simulation/private_copy.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

/// The equations on the way.
std::shared_ptr<const model::Model> on_the_way(const model::Model& m) {
    auto copy = private_copy(m);
    for (auto* list : {&copy->equations, &copy->initial_equations})
        for (model::Equation& e : *list)
            if (e.homotopy != expr::no_node) {
                e.left = e.homotopy;
                e.right = copy->graph->constant(0.0);
            }
    copy->parameters[static_cast<std::size_t>(m.homotopy)].is_constant = false; // set for each point of the way
    return copy;
}

/// The values as guesses, where the model or the run does not mean its own.
std::vector<compile::StartOverride> guesses(const problem::InitialProblem& p, const std::vector<double>& u) {
    std::vector<compile::StartOverride> list;
    for (std::size_t j = 0; j < u.size(); ++j)
        if (p.unknowns[j].strength < problem::Strength::preferred && std::isfinite(u[j]))
            list.push_back({p.names().variable(static_cast<int>(j)), u[j], problem::Strength::guess});
    return list;
}

} // namespace

std::vector<compile::StartOverride> homotopy_start(const Compilations& compilations, const compile::CompileOptions& how,
                                                   const integrate::StartOptions& start) {
    const model::Model& m = *compilations.model();
    if (m.homotopy < 0) return {};
    const Compilations way(on_the_way(m));
    const std::string& name = m.parameters[static_cast<std::size_t>(m.homotopy)].name;
    std::vector<compile::StartOverride> found;
    constexpr double first = 0.125, smallest = 1.0 / 1024; // steps of s
    double s = 0.0, step = first;
    for (double next = 0.0;; next = std::min(1.0, s + step)) {
        compile::CompileOptions here = how;
        here.quadratures = false;
        here.machine_code = false; // evaluated a few times only
        here.parameters.push_back({name, next});
        here.starts.insert(here.starts.end(), found.begin(), found.end());
        auto compiled = way.get(here);
        if (!compiled) return {};
        const auto values = integrate::consistent_start(compiled->initial, start);
        if (values) {
            found = guesses(compiled->initial, values->u);
            if (next == 1.0) return found;
            step = next == 0.0 ? first : 2 * step;
            s = next;
        } else {
            step /= 2;
            if (next == 0.0 || step < smallest) return {};
        }
    }
}

} // namespace daedalus::simulation
