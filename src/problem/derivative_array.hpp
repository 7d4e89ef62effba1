// The waist's form of a derivative array (HW (2.29); Campbell 1993; Kunkel & Mehrmann 1998): the equations of the model
// as written, F(t, x, x') = 0, with their total time derivatives
//     F_k(t, z) = ( F, dF/dt, …, d^k F/dt^k ) = 0,        z = (x, x', …, x^(k+1)),
// in which x and all its derivatives count as independent. Row blocks follow the order of differentiation, column
// blocks the order of the derivative: row i of block j is d^j F_i/dt^j at j · equations + i.
//
// Made on demand, order by order: an implementation differentiates when an order is first asked for.
#pragma once

#include "problem/implicit_problem.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace daedalus::problem {

class DerivativeArray {
public:
    DerivativeArray(int equations, int unknowns) : equations_(equations), unknowns_(unknowns) {}
    virtual ~DerivativeArray() = default;
    DerivativeArray(const DerivativeArray&) = delete;
    DerivativeArray& operator=(const DerivativeArray&) = delete;

    [[nodiscard]] int equations() const { return equations_; }
    [[nodiscard]] int unknowns() const { return unknowns_; }
    [[nodiscard]] int rows(int order) const { return equations_ * (order + 1); }
    [[nodiscard]] int columns(int order) const { return unknowns_ * (order + 2); }

    /// False where the derivatives of this order are too long to be written down; why_not() says so.
    [[nodiscard]] virtual bool prepare(int order) = 0;
    [[nodiscard]] virtual std::string why_not() const { return {}; }

    // The following need prepare(order) before.
    /// r[0 … rows(order)) from z[0 … columns(order)).
    [[nodiscard]] virtual EvalStatus residual(int order, double t, const double* z, double* r) = 0;
    /// rows(order) × columns(order).
    [[nodiscard]] virtual const SparsityPattern& pattern(int order) = 0;
    /// Values on pattern(order).
    [[nodiscard]] virtual EvalStatus jacobian(int order, double t, const double* z, double* values) = 0;

    /// Branches and held values as this environment of the system as written has them …
    virtual void adopt(const Environment& /*environment*/) {}
    /// … those that F mentions: where they are equal, so are the equations.
    [[nodiscard]] virtual std::span<const double> circumstances() const { return {}; }

    /// Names of x (columns) and texts of F (rows, order 0).
    std::shared_ptr<const Legend> legend = std::make_shared<Legend>();
    std::vector<UnknownInfo> infos; ///< per unknown: nominal values and bounds; empty: defaults
    std::vector<double> start;      ///< per unknown: where to look for a consistent point; empty: 0

private:
    int equations_;
    int unknowns_;
};

} // namespace daedalus::problem
