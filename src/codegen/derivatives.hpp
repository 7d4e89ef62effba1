// Derivatives of a vector function F (outputs) with respect to some of its leaves z (unknowns, their derivatives,
// parameters, time), as expressions to be lowered like any others:
//
//   tangent          J v          one forward sweep, at most about 3 times the operations of F
//   adjoint          wᵀ J         one reverse sweep, at most about 4 times the operations of F
//   second_tangent   d²/ds² F(z + s v) at s = 0
//   hessian_vector   (Σ_i w_i ∇²F_i) v     reverse, then forward
//   sparse_jacobian  all non-zero ∂F_i/∂z_j, by rows (reverse), by columns (forward), or whichever costs less
//
// and, where a Jacobian's own code would be too long, CompressedJacobian: columns that share no row are computed
// together by one run of the tangent kernel (Curtis, Powell & Reid 1974).
#pragma once

#include "base/sparsity_pattern.hpp"
#include "codegen/kernel.hpp"

#include <span>
#include <vector>

namespace daedalus::codegen {

/// J v, one expression per output; direction[j] belongs to leaves[j].
[[nodiscard]] std::vector<expr::NodeId> tangent(expr::Graph& graph, std::span<const expr::NodeId> outputs,
                                                std::span<const expr::NodeId> leaves,
                                                std::span<const expr::NodeId> direction);
/// wᵀ J, one expression per leaf; weights[i] belongs to outputs[i].
[[nodiscard]] std::vector<expr::NodeId> adjoint(expr::Graph& graph, std::span<const expr::NodeId> outputs,
                                                std::span<const expr::NodeId> leaves,
                                                std::span<const expr::NodeId> weights);
/// F''[v, v], one expression per output.
[[nodiscard]] std::vector<expr::NodeId> second_tangent(expr::Graph& graph, std::span<const expr::NodeId> outputs,
                                                       std::span<const expr::NodeId> leaves,
                                                       std::span<const expr::NodeId> direction);
/// (Σ w_i ∇²F_i) v, one expression per leaf.
[[nodiscard]] std::vector<expr::NodeId> hessian_vector(expr::Graph& graph, std::span<const expr::NodeId> outputs,
                                                       std::span<const expr::NodeId> leaves,
                                                       std::span<const expr::NodeId> weights,
                                                       std::span<const expr::NodeId> direction);

/// Which way a Jacobian is accumulated.
enum class Sweep { automatic, reverse, forward };

/// Operations that each way would need, estimated without doing it; calls count as several.
struct SweepCost {
    double function = 0; ///< F alone
    double reverse = 0;  ///< row by row: subexpressions that rows share are swept for each of them
    double forward = 0;  ///< every node carries its derivatives by the leaves it depends on
    [[nodiscard]] Sweep cheaper() const { return forward < reverse ? Sweep::forward : Sweep::reverse; }
    /// With `colors` runs of a tangent kernel.
    [[nodiscard]] double compressed(int colors) const { return 3.0 * colors * function; }
};
[[nodiscard]] SweepCost sweep_cost(const expr::Graph& graph, std::span<const expr::NodeId> outputs,
                                   std::span<const expr::NodeId> leaves);

struct SparseDerivative {
    SparsityPattern pattern;          ///< outputs × leaves
    std::vector<expr::NodeId> values; ///< on the pattern
    Sweep sweep = Sweep::reverse;     ///< how they were found
};
[[nodiscard]] SparseDerivative sparse_jacobian(expr::Graph& graph, std::span<const expr::NodeId> outputs,
                                               std::span<const expr::NodeId> leaves, Sweep sweep = Sweep::automatic);

/// Kernels for the above. Their inputs are the given segments and, behind them, a segment with the direction (one value
/// per leaf) or the weights (one per output), or both in that order.
[[nodiscard]] Kernel tangent_kernel(expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
                                    std::span<const expr::NodeId> leaves);
[[nodiscard]] Kernel adjoint_kernel(expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
                                    std::span<const expr::NodeId> leaves);
[[nodiscard]] Kernel hessian_vector_kernel(expr::Graph& graph, const Segments& segments,
                                           std::span<const expr::NodeId> outputs, std::span<const expr::NodeId> leaves);

/// A sparse Jacobian from few runs of one tangent kernel.
class CompressedJacobian {
public:
    /// `color[j]` of leaf j: leaves of one color share no row of the pattern.
    CompressedJacobian(expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs,
                       std::span<const expr::NodeId> leaves, SparsityPattern pattern, std::vector<int> color);
    void set_parameters(std::span<const double> values) { tangent_.set_parameters(values); }
    /// Values on the pattern. inputs as for the function itself. Returns whether all are finite.
    [[nodiscard]] bool operator()(std::span<const double* const> inputs, double* values);
    [[nodiscard]] std::size_t instructions() const {
        return tangent_.instructions() * static_cast<std::size_t>(colors_);
    }
    [[nodiscard]] std::size_t stored_instructions() const { return tangent_.stored_instructions(); }

private:
    Kernel tangent_;
    SparsityPattern pattern_;
    std::vector<int> color_;
    int colors_ = 0;
    std::vector<double> seed_, column_;
    std::vector<const double*> inputs_;
};

} // namespace daedalus::codegen
