// Taylor series of expressions along a curve: given the coefficients of every leaf, leaf(s) = Σ_k c_k s^k, those of the
// outputs to any order, by one recurrence per operation (expr/functions). With the series of x, x', x'', … this gives
// derivative arrays and the Taylor method; with a line x + s v it gives directional derivatives of any order.
//
// Three ways to use it: TaylorEvaluation<double> or <Quad> computes numbers, order after order, so that a coefficient
// of a leaf may depend on lower ones of outputs; taylor_expressions builds expressions; taylor_kernel compiles them.
#pragma once

#include "codegen/kernel.hpp"
#include "expr/functions/taylor_rule.hpp"

#include <span>
#include <vector>

namespace daedalus::codegen {

/// The operations of some expressions in order, ready for recurrences.
class TaylorProgram {
public:
    /// `varying`: leaves with a series. `held`: leaves that are constant along the curve (parameters). Every leaf below
    /// the outputs is in one of the lists, or a constant.
    TaylorProgram(const expr::Graph& graph, std::vector<expr::NodeId> varying, std::vector<expr::NodeId> held,
                  std::span<const expr::NodeId> outputs);

    [[nodiscard]] int varying() const { return varying_; }
    [[nodiscard]] int held() const { return held_; }
    [[nodiscard]] int outputs() const { return static_cast<int>(outputs_.size()); }

private:
    template <class T>
    friend class TaylorEvaluation;

    static constexpr std::uint32_t nothing = 0xFFFFFFFFU;
    struct Step {
        expr::Op op;
        const expr::TaylorRule* rule;                                                  ///< none: select
        std::uint32_t a = nothing, b = nothing, c = nothing, v = nothing, u = nothing; ///< series
    };
    [[nodiscard]] std::uint32_t new_series() { return series_++; }
    std::uint32_t push(expr::Op op, std::uint32_t a, std::uint32_t b = nothing, std::uint32_t c = nothing);
    std::uint32_t push_power(std::uint32_t a, int n);

    int varying_ = 0, held_ = 0;
    std::uint32_t series_ = 0; ///< series 0 … varying + held - 1 are the leaves
    std::vector<std::pair<std::uint32_t, double>> constants_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> outputs_;
};

/// Numbers (or expressions) for a program: coefficients 0 … order of every series.
template <class T>
class TaylorEvaluation {
public:
    TaylorEvaluation(const TaylorProgram& program, int order);

    [[nodiscard]] int order() const { return order_; }
    /// Coefficients of a varying leaf: coefficient k must be there before advance(k).
    [[nodiscard]] std::span<T> leaf(int i) { return {at(static_cast<std::uint32_t>(i)), length()}; }
    void set_held(int i, T value) { *at(static_cast<std::uint32_t>(program_->varying_ + i)) = value; }
    /// Coefficient k of everything; called with k = 0, 1, 2, …
    void advance(int k);
    [[nodiscard]] const T& output(int i, int k) { return at(program_->outputs_[static_cast<std::size_t>(i)])[k]; }

private:
    [[nodiscard]] std::size_t length() const { return static_cast<std::size_t>(order_) + 1; }
    [[nodiscard]] T* at(std::uint32_t series) { return values_.data() + series * length(); }

    const TaylorProgram* program_;
    int order_;
    std::vector<T> values_;
};

extern template class TaylorEvaluation<double>;
extern template class TaylorEvaluation<expr::Quad>;
extern template class TaylorEvaluation<expr::Symbol>;

/// The coefficients of x^(m) from those of x: c_k = (k+m)!/k! x_{k+m}; `jet` has m more coefficients than `series`.
void series_of_derivative(std::span<const double> jet, int m, std::span<double> series);

/// Coefficients 0 … order of the outputs (output by output) as expressions in `coefficients`: those of the varying
/// leaves, leaf by leaf, order + 1 each.
[[nodiscard]] std::vector<expr::NodeId> taylor_expressions(expr::Graph& graph, const TaylorProgram& program,
                                                           std::span<const expr::NodeId> coefficients,
                                                           std::span<const expr::NodeId> held, int order);

/// Inputs: held leaves as parameters, then coefficients leaf by leaf; outputs: coefficients output by output.
[[nodiscard]] Kernel taylor_kernel(const TaylorProgram& program, int order);

} // namespace daedalus::codegen
