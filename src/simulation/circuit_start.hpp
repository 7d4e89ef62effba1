// A transient analysis begins at the operating point: node voltages and currents of inductors hold what charges and
// fluxes are made of, so they change as little as possible; other currents follow.
#pragma once

#include "circuit/circuit.hpp"
#include "simulation/operating_point.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace daedalus::simulation {

class CircuitStart final : public model::StartSource {
public:
    explicit CircuitStart(std::shared_ptr<const circuit::Circuit> circuit) : circuit_(std::move(circuit)) {}
    [[nodiscard]] Expected<std::vector<Start>>
    find(const std::vector<model::ParameterOverride>& parameters) const override;

private:
    std::shared_ptr<const circuit::Circuit> circuit_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<OperatingPoint> solver_; ///< made when first asked
};

/// The transient model of a circuit, with its start.
[[nodiscard]] std::shared_ptr<model::Model> transient_model(const std::shared_ptr<const circuit::Circuit>& circuit);

} // namespace daedalus::simulation
