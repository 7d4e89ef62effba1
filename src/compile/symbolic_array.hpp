// A derivative array by total derivatives in the expression graph. The Jacobian is not differentiated out of long
// expressions: with D = d/dt,
//     ∂(D F)/∂x^(i) = D(∂F/∂x^(i)) + ∂F/∂x^(i-1),
//     so     ∂(D^j F)/∂x^(i) = C(j,i) D^(j-i) F_x + C(j,i-1) D^(j-i+1) F_x',
// it consists of the derivatives of the first Jacobian's entries.
//
// Parameters are constants in D, and with them whatever stands for a branch or a held value: the array is that of the
// branches that hold, and adopt() exchanges them.
#pragma once

#include "codegen/kernel.hpp"
#include "problem/derivative_array.hpp"
#include "transform/system.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace daedalus::compile {

class SymbolicArray final : public problem::DerivativeArray {
public:
    /// `rows`: F, in the variables of `system` and in parameters whose first values are `parameters`.
    SymbolicArray(transform::System system, std::shared_ptr<const model::Model> model, std::vector<expr::NodeId> rows,
                  std::vector<double> parameters);

    [[nodiscard]] bool prepare(int order) override;
    [[nodiscard]] std::string why_not() const override { return why_not_; }
    [[nodiscard]] problem::EvalStatus residual(int order, double t, const double* z, double* r) override;
    [[nodiscard]] const SparsityPattern& pattern(int order) override {
        return orders_[static_cast<std::size_t>(order)].pattern;
    }
    [[nodiscard]] problem::EvalStatus jacobian(int order, double t, const double* z, double* values) override;
    void adopt(const problem::Environment& environment) override;
    [[nodiscard]] std::span<const double> circumstances() const override { return circumstances_; }

    [[nodiscard]] const transform::System& system() const { return system_; }
    [[nodiscard]] const std::vector<expr::NodeId>& residuals(int order) const {
        return residuals_[static_cast<std::size_t>(order)];
    }
    [[nodiscard]] std::shared_ptr<const model::Model> model() const { return model_; }
    /// Per unknown: its derivative occurs.
    [[nodiscard]] std::vector<char> differential() const;

private:
    /// ∂F_row/∂x_column (derivative 0) or ∂F_row/∂x'_column (1), with its total derivatives.
    struct Entry {
        int row, column, derivative;
        std::vector<expr::NodeId> value;
    };
    struct Order {
        codegen::Kernel residual, jacobian;
        SparsityPattern pattern;
    };
    [[nodiscard]] bool differentiate(int k);
    [[nodiscard]] SparsityPattern assemble(int k, std::vector<expr::NodeId>& values);

    transform::System system_;
    std::shared_ptr<const model::Model> model_;
    std::vector<double> parameters_;
    std::vector<int> mentioned_;        ///< parameters that F mentions
    std::vector<double> circumstances_; ///< their values
    std::uint64_t stamp_ = 0;           ///< of the environment adopted last
    expr::TimeDerivative ddt_;
    std::vector<Entry> entries_;
    std::vector<std::vector<expr::NodeId>> residuals_; ///< by order
    std::vector<Order> orders_;
    std::string why_not_;
};

} // namespace daedalus::compile
