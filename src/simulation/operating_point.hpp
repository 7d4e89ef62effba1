// Operating points of circuits: F(x) = 0 at rest, found by Newton's method in which junction voltages, unknowns of
// their own there, move with care (Nagel 1975). Where that fails, conductances to ground are taken away bit by bit,
// sources are turned up bit by bit, and last a pseudo-transient holds every node to where it was.
#pragma once

#include "base/expected.hpp"
#include "circuit/circuit.hpp"
#include "codegen/kernel.hpp"
#include "linalg/linear_solver.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::simulation {

/// What was tried, for reports: "Newton's method: 12 iterations".
struct OperatingPointAttempt {
    std::string name;
    int iterations = 0;
    bool found = false;
};

struct OperatingPointResult {
    std::vector<double> values;     ///< of the variables of Equations::model
    std::vector<double> parameters; ///< with which it was found
    std::vector<OperatingPointAttempt> attempts;
    double residual = 0.0; ///< largest |F_i| over the size of its terms
    [[nodiscard]] int iterations() const;
};

/// Compiled once, for many points.
class OperatingPoint {
public:
    explicit OperatingPoint(std::shared_ptr<const circuit::Circuit> circuit);

    struct Request {
        std::vector<model::ParameterOverride> parameters = {};
        bool initial_conditions = false;                  ///< nodes of .ic have those voltages
        bool time_begins = false;                         ///< sources at u(0), not at their DC values
        std::vector<double> guess = {};                   ///< values of all variables; empty: where the devices begin
        std::vector<std::pair<int, double>> numbers = {}; ///< parameters by their place
    };
    [[nodiscard]] Expected<OperatingPointResult> find(const Request& request);

    [[nodiscard]] const circuit::Circuit& circuit() const { return *circuit_; }

private:
    struct Newton;
    friend struct Newton;
    [[nodiscard]] bool iterate(std::vector<double>& x, const std::vector<double>& parameters, int most,
                               OperatingPointAttempt& attempt);
    [[nodiscard]] bool with_less_conductance(std::vector<double>& x, std::vector<double> parameters,
                                             OperatingPointAttempt& attempt);
    [[nodiscard]] bool with_growing_sources(std::vector<double>& x, std::vector<double> parameters,
                                            OperatingPointAttempt& attempt);
    [[nodiscard]] bool pseudo_transient(std::vector<double>& x, std::vector<double> parameters,
                                        OperatingPointAttempt& attempt);
    [[nodiscard]] std::vector<double> first_guess(const Request& request) const;
    [[nodiscard]] std::optional<Diagnostic> charged_without_end(const std::vector<double>& x) const;
    [[nodiscard]] Unexpected<Diagnostics> failure(const std::vector<double>& x,
                                                  const std::vector<OperatingPointAttempt>& attempts) const;

    std::shared_ptr<const circuit::Circuit> circuit_;
    const circuit::Equations& e_;
    SparsityPattern pattern_;
    codegen::Kernel kernel_; ///< residuals, then entries of the Jacobian
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    std::size_t n_ = 0;
    std::vector<double> out_;
    std::vector<char> is_voltage_; ///< by variable
    int singular_ = -1;            ///< unknown at which the last matrix broke down
    int worst_ = -1;               ///< row with the largest residual
};

} // namespace daedalus::simulation
