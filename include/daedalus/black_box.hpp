// A residual F(t, x, x') = 0 that is only a function: nothing is known about it but what it returns. No index
// reduction is possible; index 1 is assumed unless `index` says otherwise for direct integration.
//
// Where derivatives are of quantities q = Q(t, x) rather than of the unknowns themselves (charges of nonlinear
// capacitors, fluxes, momenta), G(t, x, x', q') = 0 can be given with Q: methods then difference q, and what is
// conserved in it stays so.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/options.hpp"
#include "daedalus/solution.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace daedalus {

/// A function whose zeros are located.
struct EventFunction {
    enum class Direction { both, rising, falling }; ///< of zeros that count, in the direction of integration
    std::function<double(double t, std::span<const double> x, std::span<const double> dx)> function;
    Direction direction = Direction::both;
    bool terminal = false; ///< the run ends at the first zero
    std::string name = {};
    /// Called there; may change x, which is made consistent afterwards.
    std::function<void(double t, std::span<double> x, std::span<double> dx)> action = {};
};

/// Quantities q = Q(t, x) whose derivatives occur in the equations, and these equations.
struct DifferentiatedQuantity {
    int size = 0;
    std::function<void(double t, std::span<const double> x, std::span<double> q)> value;
    /// r = G(t, x, dx, dq); NaN where G is not defined.
    std::function<void(double t, std::span<const double> x, std::span<const double> dx, std::span<const double> dq,
                       std::span<double> r)>
        residual;
    /// dq = Q_t + Q_x dx; empty: by differences, where Q does not depend on time itself.
    std::function<void(double t, std::span<const double> x, std::span<const double> dx, std::span<double> dq)> slope =
        {};
    std::vector<double> nominal = {}; ///< per component; empty: 1
};

struct BlackBox {
    /// r = F(t, x, dx); NaN where F is not defined. Empty with a `quantity`, which has a residual of its own.
    std::function<void(double t, std::span<const double> x, std::span<const double> dx, std::span<double> r)> residual;
    std::vector<double> x0;
    std::vector<double> dx0 = {}; ///< empty: zeros, improved by the consistent start
    /// Values of ∂F/∂x and ∂F/∂x' on the pattern, column by column; empty: coloured finite differences.
    std::function<void(double t, std::span<const double> x, std::span<const double> dx, std::span<double> jx,
                       std::span<double> jdx)>
        jacobian = {};
    std::vector<std::pair<int, int>> pattern = {}; ///< (row, column); empty: found by probing
    std::vector<int> index = {};                   ///< per variable (1, 2, 3); empty: 1
    std::vector<std::string> names = {};
    std::vector<EventFunction> events = {};
    std::optional<DifferentiatedQuantity> quantity = {};
};

[[nodiscard]] Expected<Solution> solve(const BlackBox& problem, const SolveOptions& options);

} // namespace daedalus
