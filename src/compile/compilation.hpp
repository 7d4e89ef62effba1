// Everything one compilation made, kept together: the symbolic side for the legend, the kernels for the waist.
#pragma once

#include "codegen/kernel.hpp"
#include "codegen/taylor.hpp"
#include "compile/compile.hpp"
#include "compile/discrete_part.hpp"
#include "compile/mode_activity.hpp"
#include "compile/passing_features.hpp"
#include "compile/root_ranges.hpp"
#include "compile/time_features.hpp"
#include "compile/written_equations.hpp"
#include "transform/formulation.hpp"
#include "transform/initialization.hpp"
#include "transform/quadratures.hpp"

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>

namespace daedalus::compile {

/// ∂F/∂x and ∂F/∂x' on one pattern: entry k < nnz of the first, nnz + k of the second.
struct ProblemJacobian {
    std::vector<expr::NodeId> entries; ///< all 2 nnz of them
    std::vector<int> varying;          ///< those that depend on more than parameters
    bool linear = false;               ///< what varies does so at events only
    bool steep = false;                ///< by exponentials
};

/// Of the facet of mechanisms (mechanical_structure.hpp); without code where nobody asks for it.
struct MechanicalKernels {
    codegen::Kernel rates, position, velocity, matrices, dynamics, kinematics, slopes, mass_rate, forces, expand;
};

/// Of the facet of differentiated quantities (differentiated_quantity.hpp).
struct QuantityKernels {
    codegen::Kernel value, slope, residual, jacobian;
};

/// What became of a derivative der(Q) of an expression that the model differentiates.
struct QuantityFate {
    std::string text;    ///< Q as written
    std::string why_not; ///< methods that can difference Q itself do so where this is empty
};

/// The quantities that are differenced: numbers for their sizes, see quantity_nominals().
struct QuantitySizes {
    std::vector<expr::NodeId> values; ///< Q
    struct Slope {
        int quantity, unknown; ///< of the problem
        expr::NodeId value;    ///< ∂Q/∂x
    };
    std::vector<Slope> slopes;
};

/// The kernels of a problem with the memory they run in. A compilation holds one set that never runs; every run has a
/// copy of it, which shares the code.
struct KernelSet final : problem::Workspace {
    codegen::Kernel residual, hidden, constraints, constraint_jacobian, roots, outputs, rates, dependents, delays,
        transports;
    codegen::Kernel linearization;    ///< the residual, then the varying entries of the Jacobian
    codegen::Kernel constant_entries; ///< the others: values of parameters only
    std::vector<double> values;       ///< all entries of the Jacobian, as last computed
    std::vector<double> latest;       ///< what `linearization` gave
    bool constants_finite = true;
    codegen::Kernel open_matrix; ///< ∂F/∂u of variables that the equations leave open (least_norm.hpp)
    codegen::Kernel
        leading; ///< the most differentiated rows, then the entries of their matrix; without code until used
    std::vector<double> latest_leading;
    codegen::Kernel explicit_form, constraint_step; ///< likewise
    std::vector<double> latest_quantity;            ///< what quantity.jacobian gave
    MechanicalKernels motion;
    codegen::Kernel constraint_rates; ///< of the facet of index-2 systems (index_two.hpp)
    QuantityKernels quantity;
    codegen::Kernel written_values, written; ///< the model as written: see written_equations.hpp
    std::vector<double> latest_terms;
    codegen::Kernel parameter_derivatives;                 ///< see parameter_derivatives.hpp
    std::vector<codegen::TaylorEvaluation<double>> series; ///< of the order asked for last; see jets.hpp
    std::uint64_t stamp = 0; ///< of the environment that the kernels have their parameters from
    double signal_time = std::numeric_limits<double>::quiet_NaN(); ///< at which signals that are functions were asked
};

/// The same for the initial value problem.
struct InitialKernels final : problem::Workspace {
    codegen::Kernel residual, jacobian;
    std::uint64_t stamp = 0;
    double signal_time = std::numeric_limits<double>::quiet_NaN();
};

/// The system Jacobian of the signature method, block by block: values to be filled in, and their expressions in the
/// order of blocks, rows and columns.
struct SystemJacobian {
    std::vector<JacobianBlock> blocks;
    std::vector<expr::NodeId> entries;
};

/// Compiled when first asked for.
struct LazyKernel {
    std::vector<expr::NodeId> outputs;
    mutable std::once_flag once;
    mutable codegen::Kernel kernel;
};

/// The solved form of the leading part, found when first asked for where one run has the compilation to itself.
struct ExplicitFormCode {
    mutable std::once_flag found;
    mutable LazyKernel kernel;
    SparsityPattern pattern; ///< of the system, until then
};

struct Compilation {
    std::shared_ptr<const model::Model> model;
    transform::System system;
    transform::ReducedSystem reduced;
    transform::Formulation formulation;
    std::optional<transform::EquationsOfMotion> motion; ///< where they were asked for and found
    std::vector<transform::Elimination> eliminations;   ///< in the formulation's unknowns
    transform::InitialSystem initial;
    std::vector<transform::Quadrature> quadratures;
    std::vector<int> dependent_unknowns; ///< unknown of the initial value problem behind each of the dependents, or -1
    std::vector<double> quadrature_start;
    /// The model's, then variables that never vary, what the formulation added, integer parts, modes: what kernels are
    /// given. An environment has these and, behind them, the memory of clauses and samples (DiscretePart::memory).
    std::vector<double> parameters;

    tape::Backend backend = tape::Backend::automatic; ///< what runs the kernels
    KernelSet kernels;
    InitialKernels initial_kernels;
    ProblemJacobian jacobian;
    SystemJacobian system_jacobian;
    /// The most differentiated rows and what varies in their matrix by leading unknowns; compiled when first asked for.
    LazyKernel leading;
    std::size_t leading_rows = 0;               ///< of its outputs
    ExplicitFormCode explicit_form;             ///< the same, solved (explicit_form.hpp)
    LazyKernel constraint_step;                 ///< (constraint_step.hpp)
    std::vector<expr::NodeId> frozen_rows;      ///< rows of the formulation, as the kernels evaluate them
    std::vector<expr::NodeId> root_relations;   ///< relation behind each root function
    std::vector<expr::NodeId> root_expressions; ///< the functions themselves
    RootPrograms root_programs;                 ///< and their bounds
    TimePrograms time_programs;                 ///< functions of time alone that F depends on
    PassingPrograms passing_programs;           ///< functions of unknowns that steps could pass over
    std::vector<Kink> kinks;                    ///< functions whose branches those relations decide
    std::vector<expr::NodeId> root_shown;       ///< and what of the model it comes from
    std::size_t first_mode = none;              ///< parameters from here on stand for the values of those relations
    std::size_t first_hold = none;              ///< and from here to there, for integer parts
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    DiscretePart discrete;
    ModeActivity activity;
    WrittenTerms written;
    std::shared_ptr<const codegen::TaylorProgram> taylor; ///< where Jets were asked for
    double start_time = 0.0;
    bool quantities_wanted = false; ///< what is integrated may difference quantities
    std::vector<QuantityFate> quantity_fates;
    QuantitySizes quantity_sizes;
};

/// A parameter that events change: the value of a relation, an integer part, a discrete variable.
[[nodiscard]] inline bool changes_at_events(const Compilation& c, expr::NodeId leaf) {
    const expr::Graph& g = c.system.graph();
    if (g.op(leaf) != expr::Op::parameter) return false;
    const auto id = static_cast<std::size_t>(g.parameter_id(leaf));
    return id >= c.first_hold || id >= c.first_mode ||
           (id < c.model->parameters.size() && c.model->parameters[id].is_held);
}

/// Signals that are asked at every time: functions of the caller's, and tables where nothing is integrated and nobody
/// would follow their knots.
[[nodiscard]] inline bool asks_signals(const Compilation& c) {
    for (const model::Signal& signal : c.model->signals)
        if (signal.is_function() || c.formulation.unknowns.empty()) return true;
    return false;
}
/// What kernels are given at a time: the parameters of the environment, with such signals asked at t.
[[nodiscard]] inline std::vector<double> parameters_at(const Compilation& c, const problem::Environment& e, double t) {
    const auto own = e.values().first(c.parameters.size());
    std::vector<double> values(own.begin(), own.end());
    model::set_signals(c.model->signals, t, values.data(), !c.formulation.unknowns.empty());
    return values;
}

/// Builds the kernels and the waist's two problems from the symbolic side.
void build_problem(const std::shared_ptr<Compilation>& compilation, const CompileOptions& options,
                   CompiledModel& compiled);
void build_initial_problem(const std::shared_ptr<Compilation>& compilation, CompiledModel& compiled, double start_time);

/// How large each differentiated quantity is: what unknowns of their nominal sizes change it by, near their start
/// values.
[[nodiscard]] std::vector<double> quantity_nominals(const Compilation& c, std::span<const double> parameters,
                                                    const std::vector<problem::InitialUnknown>& data,
                                                    double start_time);
[[nodiscard]] std::vector<double> quadrature_nominals(const Compilation& c, std::span<const double> parameters);
[[nodiscard]] SystemJacobian system_jacobian(const Compilation& c);

/// Legends that speak of `compilation`'s rows.
[[nodiscard]] std::shared_ptr<const problem::Legend> problem_legend(std::shared_ptr<const Compilation> compilation);
[[nodiscard]] std::shared_ptr<const problem::Legend> hidden_legend(std::shared_ptr<const Compilation> compilation);
[[nodiscard]] std::shared_ptr<const problem::Legend> roots_legend(std::shared_ptr<const Compilation> compilation);
[[nodiscard]] std::shared_ptr<const problem::Legend> initial_legend(std::shared_ptr<const Compilation> compilation);

/// Largest index of a variable; 0 for an ODE.
[[nodiscard]] int structural_index(const transform::ReducedSystem& reduced);
[[nodiscard]] int structural_index(const structure::SignatureMatrix& sigma,
                                   const structure::SignatureAnalysis& analysis);

/// Facts for people about the model as written (`written`, `analysis`) and as reduced.
[[nodiscard]] StructuralReport structural_report(const model::Model& model, const transform::System& written,
                                                 const transform::ReducedSystem& written_reduced,
                                                 const transform::System& reduced_from,
                                                 const transform::ReducedSystem& reduced, bool tear);

/// The diagonal blocks with what can be said about solving them. What a repair introduced is left out.
[[nodiscard]] Blocks describe_blocks(const transform::System& system, const transform::ReducedSystem& reduced,
                                     bool tear);

} // namespace daedalus::compile
