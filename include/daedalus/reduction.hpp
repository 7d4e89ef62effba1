// How the index of a model is reduced before integration: the names of the formulations, for all layers.
#pragma once

#include <array>
#include <string_view>

namespace daedalus {

/// What each of them is: docs/formulations.md.
enum class Reduction {
    automatic,        ///< chosen by analysis, and the reason is reported
    none,             ///< the equations as written
    dummy,            ///< dummy derivatives; states are exchanged during the run where needed
    underlying_ode,   ///< only the most differentiated equations: constraints drift, and the report shows how far
    projection,       ///< the same, returned to all constraints after each step
    ggl,              ///< all constraints with multipliers that vanish on the solution: index 2
    baumgarte,        ///< the most differentiated equations with terms that let constraints decay
    derivative_array, ///< an index-1 system from derivative arrays, whatever structure says (Kunkel & Mehrmann)
    campbell_moore,   ///< the same by the least-squares underlying ODE in a partition of the variables
    // For recognised mechanisms M v' = f - L λ, q' = Z v, 0 = g(q, t):
    index2,            ///< constraints on velocities in the place of those on positions
    stabilised_index1, ///< constraints of all three levels with two more multipliers, as W (4.13)
    overdetermined,    ///< the same in the metric of the masses: the ssf solution of HW (2.25), by (2.27)
    project_position,  ///< index 1, returned to the constraints on positions after each step: HW (2.10)
    project_velocity,  ///< index 1, returned to the constraints on velocities after each step: HW (2.11)
    partition,         ///< generalised coordinate partitioning: independent coordinates are integrated, HW (2.22)
    minimal,           ///< minimal coordinates: what constraints define is eliminated, of the rest as partition
    tangent,           ///< coordinates of the tangent space at the beginning of each step: HW (2.23), (2.24)
    penalty,           ///< stiff springs in the place of constraints: W (4.3)
    knorrenschild,     ///< constraints a little ahead in time: W (4.4)
    hanke,             ///< the same with filtered velocities: W (4.5)
};

inline constexpr std::array all_reductions{Reduction::automatic,
                                           Reduction::none,
                                           Reduction::dummy,
                                           Reduction::underlying_ode,
                                           Reduction::projection,
                                           Reduction::ggl,
                                           Reduction::baumgarte,
                                           Reduction::derivative_array,
                                           Reduction::campbell_moore,
                                           Reduction::index2,
                                           Reduction::stabilised_index1,
                                           Reduction::overdetermined,
                                           Reduction::project_position,
                                           Reduction::project_velocity,
                                           Reduction::partition,
                                           Reduction::minimal,
                                           Reduction::tangent,
                                           Reduction::penalty,
                                           Reduction::knorrenschild,
                                           Reduction::hanke};

/// As users write it: "underlying-ode".
[[nodiscard]] constexpr std::string_view to_string(Reduction reduction) {
    switch (reduction) {
    case Reduction::automatic: return "auto";
    case Reduction::none: return "none";
    case Reduction::dummy: return "dummy";
    case Reduction::underlying_ode: return "underlying-ode";
    case Reduction::projection: return "projection";
    case Reduction::ggl: return "ggl";
    case Reduction::baumgarte: return "baumgarte";
    case Reduction::derivative_array: return "derivative-array";
    case Reduction::campbell_moore: return "campbell-moore";
    case Reduction::index2: return "index2";
    case Reduction::stabilised_index1: return "stabilised-index1";
    case Reduction::overdetermined: return "overdetermined";
    case Reduction::project_position: return "project-position";
    case Reduction::project_velocity: return "project-velocity";
    case Reduction::partition: return "partition";
    case Reduction::minimal: return "minimal";
    case Reduction::tangent: return "tangent";
    case Reduction::penalty: return "penalty";
    case Reduction::knorrenschild: return "knorrenschild";
    case Reduction::hanke: return "hanke";
    }
    return "";
}

/// Built from derivative arrays at run time: compiled as written, and replaced when the start is known.
[[nodiscard]] constexpr bool by_arrays(Reduction reduction) {
    return reduction == Reduction::derivative_array || reduction == Reduction::campbell_moore;
}

/// Made from the equations of motion, M v' = f - L λ: other models are refused.
[[nodiscard]] constexpr bool of_mechanisms(Reduction reduction) {
    switch (reduction) {
    case Reduction::overdetermined:
    case Reduction::project_position:
    case Reduction::project_velocity:
    case Reduction::partition:
    case Reduction::minimal:
    case Reduction::tangent:
    case Reduction::penalty:
    case Reduction::knorrenschild:
    case Reduction::hanke: return true;
    default: return false;
    }
}

/// Has the small parameter ε in the place of constraints: its solution is another one, near to that of the model.
[[nodiscard]] constexpr bool regularises(Reduction reduction) {
    return reduction == Reduction::penalty || reduction == Reduction::knorrenschild || reduction == Reduction::hanke;
}

} // namespace daedalus
