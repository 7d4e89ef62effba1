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
    campbell_moore    ///< the same by the least-squares underlying ODE in a partition of the variables
};

inline constexpr std::array all_reductions{
    Reduction::automatic,     Reduction::none, Reduction::dummy,     Reduction::underlying_ode,
    Reduction::projection,    Reduction::ggl,  Reduction::baumgarte, Reduction::derivative_array,
    Reduction::campbell_moore};

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
    }
    return "";
}

/// Built from derivative arrays at run time: compiled as written, and replaced when the start is known.
[[nodiscard]] constexpr bool by_arrays(Reduction reduction) {
    return reduction == Reduction::derivative_array || reduction == Reduction::campbell_moore;
}

} // namespace daedalus
