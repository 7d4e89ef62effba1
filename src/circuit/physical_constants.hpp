// Numbers of nature as ngspice has them (its user's manual and constants of CODATA 1986 to 2018 differ in the seventh
// digit), so that operating points can be compared digit by digit.
#pragma once

namespace daedalus::circuit {

inline constexpr double charge = 1.6021766208e-19;             ///< of an electron, C (CODATA 2014)
inline constexpr double boltzmann = 1.38064852e-23;            ///< J/K (CODATA 2014)
inline constexpr double zero_celsius = 273.15;                 ///< K
inline constexpr double vacuum_permittivity = 8.854214871e-12; ///< F/m, with the digits of SPICE3
inline constexpr double oxide_permittivity = 3.9 * vacuum_permittivity;
inline constexpr double silicon_permittivity = 11.7 * vacuum_permittivity;

/// kT/q at a temperature in kelvin.
[[nodiscard]] constexpr double thermal_voltage(double kelvin) { return boltzmann * kelvin / charge; }

} // namespace daedalus::circuit
