// Tapes of residual and Jacobian, as the equations are written, for comparing back ends.
#pragma once

#include "codegen/lower.hpp"
#include "tape/tape.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace daedalus::benchmarks {

struct NamedTape {
    std::string name;
    tape::Tape tape;
    std::vector<double> parameters;
};

/// From a Modelica text. Exits with a message where it cannot be read.
[[nodiscard]] NamedTape model_tape(const std::string& name, const std::string& text);
[[nodiscard]] NamedTape file_tape(const std::string& name, const std::string& path);
/// u_t = div(k(u) grad u) on an n-by-n grid with algebraic equations on the boundary and a pointwise one inside.
[[nodiscard]] NamedTape heat_tape(int n);
[[nodiscard]] std::vector<double> heat_parameters();

/// Residuals, then the entries of the Jacobian that vary, as a kernel takes them.
struct ResidualAndJacobian {
    codegen::Segments segments; ///< parameters | time | x | x'
    std::vector<expr::NodeId> outputs;
    std::vector<std::uint32_t> groups; ///< row of each output
};
/// The same equations before they are lowered.
[[nodiscard]] ResidualAndJacobian heat_equations(expr::Graph& graph, int n);

/// Nothing but the stores, in their order and to their places: what any code for these outputs has to do.
[[nodiscard]] tape::Tape stores_alone(const tape::Tape& tape);

/// The first `length` instructions of the main part.
[[nodiscard]] tape::Tape prefix(const tape::Tape& tape, std::size_t length);

} // namespace daedalus::benchmarks
