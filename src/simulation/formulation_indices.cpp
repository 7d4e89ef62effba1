#include "simulation/formulation_indices.hpp"

#include "compile/compilation.hpp"
#include "simulation/private_copy.hpp"

#include <algorithm>
#include <utility>

namespace daedalus::simulation {

namespace {

constexpr std::size_t most_equations = 100; // ten compilations of half a second and more say little that fewer do not

/// The highest of those that are unknowns of the integrator, as x or, one differentiation up, as x'.
int highest(const compile::CompiledModel& c, const std::vector<transform::JetEntry>& entries) {
    int index = 0;
    for (const transform::JetEntry& e : entries)
        if (const int i = c.compilation->formulation.unknown(e); i >= 0)
            index = std::max(index, c.problem.unknowns()[static_cast<std::size_t>(i)].index);
    return index;
}

} // namespace

std::vector<FormulationIndex> formulation_indices(const std::shared_ptr<const model::Model>& model,
                                                  compile::CompileOptions how) {
    if (model->equations.size() > most_equations) return {};
    how.mechanics = true;
    how.cross_check = how.tear = false;
    std::vector<FormulationIndex> list;
    for (const Reduction r : {Reduction::none, Reduction::index2, Reduction::ggl, Reduction::stabilised_index1,
                              Reduction::overdetermined, Reduction::underlying_ode, Reduction::dummy,
                              Reduction::penalty, Reduction::knorrenschild, Reduction::hanke}) {
        how.reduce = r;
        const auto compiled = compile::compile(private_copy(*model), how);
        if (!compiled && r == Reduction::none) return {}; // no mechanism
        if (!compiled) continue;
        const transform::EquationsOfMotion& motion = *compiled->compilation->motion;
        if (motion.w.empty()) return {};
        FormulationIndex found;
        found.formulation = to_string(r);
        found.positions = highest(*compiled, motion.y);
        found.velocities = highest(*compiled, motion.v);
        found.multipliers = highest(*compiled, motion.lambda);
        if (compiled->compilation->formulation.multipliers > 0) found.added = compiled->problem.unknowns().back().index;
        found.index = std::max({found.positions, found.velocities, found.multipliers, found.added});
        list.push_back(std::move(found));
    }
    return list;
}

} // namespace daedalus::simulation
