#include "simulation/convert.hpp"

namespace daedalus::simulation {

compile::CompileOptions compile_options(const SolveOptions& options, double start_time) {
    compile::CompileOptions c;
    switch (options.reduction) {
    case Reduction::automatic: c.reduce = compile::Reduce::automatic; break;
    case Reduction::none: c.reduce = compile::Reduce::none; break;
    case Reduction::dummy: c.reduce = compile::Reduce::dummy; break;
    case Reduction::underlying_ode: c.reduce = compile::Reduce::underlying_ode; break;
    case Reduction::projection: c.reduce = compile::Reduce::projection; break;
    case Reduction::ggl: c.reduce = compile::Reduce::ggl; break;
    case Reduction::baumgarte: c.reduce = compile::Reduce::baumgarte; break;
    case Reduction::derivative_array: c.reduce = compile::Reduce::derivative_array; break;
    case Reduction::campbell_moore: c.reduce = compile::Reduce::campbell_moore; break;
    }
    c.eliminate_aliases = options.eliminate_aliases;
    c.tear = options.tear;
    c.machine_code = options.machine_code;
    c.start_time = start_time;
    c.steady_state = options.initial.steady_state;
    for (const auto& [name, value] : options.parameters) c.parameters.push_back({name, value});
    for (const StartValue& s : options.starts) {
        problem::Strength strength = problem::Strength::fixed;
        if (s.strength == StartStrength::guess) strength = problem::Strength::guess;
        if (s.strength == StartStrength::preferred) strength = problem::Strength::preferred;
        c.starts.push_back({s.name, s.value, strength});
    }
    return c;
}

} // namespace daedalus::simulation
