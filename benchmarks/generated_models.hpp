// Modelica texts of any size, for scaling runs.
#pragma once

#include <string>

namespace daedalus::benchmarks {

/// RC ladder with a voltage source at its head and current sources along it, written as a component-wise tool would:
/// node voltages, resistor voltages and currents, capacitor currents; each component has its own parameter.
/// 4·sections + 1 equations, index 1, one degree of freedom per section.
[[nodiscard]] std::string circuit_ladder(int sections);
/// Sections that make about that many equations.
[[nodiscard]] constexpr int ladder_sections(int equations) { return equations / 4; }

/// `links` point masses joined by rigid rods, the first rod to a fixed point, in Cartesian coordinates: index 3 with
/// all constraints in one block. 5·links equations; let go at rest, stretched at 30 degrees below the horizontal.
[[nodiscard]] std::string pendulum_chain(int links);

/// Two bits plus two bits: a half and a full adder of fourteen NAND gates, each of two n-channel transistors in series
/// below a depletion load (Shichman & Hodges 1968), with junctions to the bulk. Per gate the voltages of the output and
/// between the transistors, three drain currents, two junction currents and capacities; inputs are trapezoidal pulses.
[[nodiscard]] std::string two_bit_adder();

/// Heat equation on the unit square, `points` by `points` with the boundary among them as algebraic equations, from
/// 16 x (1-x) y (1-y); unknowns u_i_j. Semi-discretised by central differences; index 1.
[[nodiscard]] std::string heat_square(int points);
/// Its solution u_i_j(t), to round-off: the start is a product and stays one, each factor is a sum of discrete sines.
[[nodiscard]] double heat_square_at(int points, int i, int j, double t);

} // namespace daedalus::benchmarks
