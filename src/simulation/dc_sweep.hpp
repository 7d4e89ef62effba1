// Operating points along a source, a resistance or a temperature, each begun where the last one was, so that circuits
// with memory show it.
#pragma once

#include "base/expected.hpp"
#include "simulation/operating_point.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace daedalus::simulation {

struct DcPoint {
    std::vector<double> swept; ///< by sweep, innermost first
    std::vector<double> values;
};
struct DcSweep {
    std::shared_ptr<const circuit::Circuit> circuit; ///< whose operating-point variables the values are
    std::vector<DcPoint> points = {};
};
/// `progress`: told the share that is done; false stops, with what was computed kept.
[[nodiscard]] Expected<DcSweep> dc_sweep(std::shared_ptr<const circuit::Circuit> circuit,
                                         const spice::Analysis& analysis,
                                         const std::vector<model::ParameterOverride>& parameters,
                                         const std::function<bool(double)>& progress = {});

} // namespace daedalus::simulation
