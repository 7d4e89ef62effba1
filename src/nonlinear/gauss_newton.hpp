// Least change under nonlinear equations: minimise ½‖W (u - anchor)‖² subject to G(u) = 0, where G may have fewer
// rows than unknowns, redundant rows, or no solution at all.
//
// Each iteration solves the saddle-point system of the linearised equations (Gauss–Newton SQP; Nocedal & Wright,
// ch. 18) and searches along the step on the merit ½‖W (u - anchor)‖² + ν ‖D G‖₂, whose row scales D make G
// independent of how an equation is multiplied. Levenberg–Marquardt damping enters as the regularisation μ of the
// saddle point. At the end a few undamped steps polish the residual to round-off.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "nonlinear/saddle_point.hpp"

#include <span>
#include <vector>

namespace daedalus::nonlinear {

/// G and its Jacobian. Both return false when a value is not finite.
class EquationSystem {
public:
    virtual ~EquationSystem() = default;
    [[nodiscard]] virtual bool residual(std::span<const double> u, std::span<double> g) = 0;
    [[nodiscard]] virtual bool jacobian(std::span<const double> u, std::span<double> values) = 0;
};

/// What is asked of G in one solve; spans stay the caller's.
struct LeastChange {
    std::span<const double> anchor; ///< what u should stay close to
    std::span<const double> scale;  ///< 1/W per unknown: large = may change freely, 0 = held
    std::span<const double> size;   ///< typical magnitude per unknown, for the meaning of "zero residual"
    std::span<const double> min, max;
    std::span<const char> active = {};  ///< per equation; empty: all
    std::span<const double> shift = {}; ///< solve G(u) = shift (homotopy); empty: 0
};

struct GaussNewtonOptions {
    double tolerance = 1e-11; ///< residual relative to Σ|∂G/∂u||u| of its row
    int max_iterations = 200;
    bool least_change = true; ///< false: any solution near the start will do
    bool damping = false;     ///< Levenberg–Marquardt: raise μ instead of giving up
    bool bounds = true;       ///< keep iterates within min and max
    bool polish = true;
};

enum class GaussNewtonStatus {
    converged,
    stuck, ///< no step lowers the residual: infeasible here, or a singular point
    max_iterations,
    not_finite, ///< at the start itself
    out_of_memory
};

struct GaussNewtonResult {
    GaussNewtonStatus status = GaussNewtonStatus::not_finite;
    int iterations = 0;
    double residual = 0.0;   ///< largest |G_i| relative to its row's size
    double largest = 0.0;    ///< largest |G_i|
    int worst_row = -1;      ///< where `residual` is attained
    bool stationary = false; ///< stuck because the linearised equations are contradictory
};

class GaussNewton {
public:
    explicit GaussNewton(const SparsityPattern& pattern);

    /// Improves u in place.
    [[nodiscard]] GaussNewtonResult solve(EquationSystem& system, const LeastChange& task, std::span<double> u,
                                          const GaussNewtonOptions& options = {});
    /// Residual and Jacobian at the last accepted u.
    [[nodiscard]] std::span<const double> residual() const { return g_; }
    [[nodiscard]] std::span<const double> jacobian() const { return j_; }
    /// Σ|∂G/∂u| max(|u|, size) per row at the last accepted u.
    [[nodiscard]] std::span<const double> row_size() const { return row_size_; }
    [[nodiscard]] const SparsityPattern& pattern() const { return pattern_; }
    [[nodiscard]] long factorisations() const { return saddle_.factorisations(); }

private:
    enum class StepOutcome { accepted, failed };
    struct Model {
        double objective;  ///< ½‖W (u - anchor)‖²
        double infeasible; ///< ‖D G‖
        double linearised; ///< ‖D G + Ĵ v‖
    };

    [[nodiscard]] bool evaluate(EquationSystem& system, std::span<const double> u, std::span<double> g) const;
    [[nodiscard]] bool linearise(EquationSystem& system, std::span<const double> u);
    void measure(GaussNewtonResult& result) const;
    [[nodiscard]] bool factor(double& mu);
    [[nodiscard]] bool compute_step(std::span<const double> u, double& mu, Model& model);
    void linearised_residual();
    [[nodiscard]] StepOutcome search(EquationSystem& system, std::span<double> u, const Model& model);
    void polish(EquationSystem& system, std::span<double> u, GaussNewtonResult& result);
    void move(std::span<const double> u, double alpha);
    [[nodiscard]] double scaled_norm(std::span<const double> g) const;
    [[nodiscard]] double objective(std::span<const double> u) const;

    SparsityPattern pattern_;
    std::size_t n_, m_;
    SaddlePoint saddle_;
    const LeastChange* task_ = nullptr;
    const GaussNewtonOptions* options_ = nullptr;
    std::vector<double> g_, g_trial_, j_, row_scale_, row_size_, free_scale_;
    std::vector<double> pull_, rhs_, v_, correction_, u_trial_;
};

} // namespace daedalus::nonlinear
