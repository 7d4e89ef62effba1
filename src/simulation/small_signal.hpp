// Small signals around an operating point: F(x, x') with sources u + û e^{iωt} gives
//
//     (∂F/∂x + iω ∂F/∂x') x̂ = −∂F/∂u û ,
//
// responses at frequencies, and poles, the eigenvalues of the pencil.
#pragma once

#include "base/expected.hpp"
#include "circuit/circuit.hpp"
#include "simulation/operating_point.hpp"

#include <complex>
#include <vector>

namespace daedalus::simulation {

using Complex = std::complex<double>;

struct Linearised {
    circuit::Equations equations; ///< of circuit::small_signal_equations: variables are its
    SparsityPattern pattern;
    std::vector<double> at_rest, with_rates; ///< ∂F/∂x, ∂F/∂x' on the pattern
    std::vector<Complex> sources;            ///< −∂F/∂u û
    std::vector<double> values;              ///< x
};
/// û: the values "ac" and "acphase" of independent sources.
[[nodiscard]] Linearised linearise(const circuit::Circuit& circuit, const OperatingPointResult& at);

struct FrequencyResponse {
    std::vector<double> frequencies;          ///< Hz
    std::vector<std::vector<Complex>> values; ///< by frequency, then variable
};
[[nodiscard]] Expected<FrequencyResponse> frequency_response(const Linearised& system,
                                                             const std::vector<double>& frequencies);

/// As `.ac` says: per decade, per octave, or linear.
[[nodiscard]] std::vector<double> frequencies_of(const spice::Analysis& analysis);

} // namespace daedalus::simulation
