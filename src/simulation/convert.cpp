#include "simulation/convert.hpp"

namespace daedalus::simulation {

compile::CompileOptions compile_options(const SolveOptions& options, double start_time) {
    compile::CompileOptions c;
    c.reduce = options.reduction;
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
