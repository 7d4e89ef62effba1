// Everything one compilation made, kept together: the symbolic side for the legend, the kernels for the waist.
#pragma once

#include "codegen/kernel.hpp"
#include "compile/compile.hpp"
#include "compile/discrete_part.hpp"
#include "compile/mode_activity.hpp"
#include "transform/formulation.hpp"
#include "transform/initialization.hpp"
#include "transform/quadratures.hpp"

namespace daedalus::compile {

/// Values of ∂F/∂x and ∂F/∂x' on one pattern: entry k < nnz of the first, nnz + k of the second.
struct ProblemJacobian {
    std::vector<expr::NodeId> entries; ///< all 2 nnz of them
    std::vector<int> varying;          ///< those that depend on more than parameters
    codegen::Kernel linearization;     ///< the residual, then the varying entries
    codegen::Kernel constant_entries;  ///< the others: values of parameters only
    std::vector<double> values;        ///< all entries, as last computed
    std::vector<double> latest;        ///< what `linearization` gave
    bool constants_finite = true;
    bool linear = false; ///< what varies does so at events only
    bool steep = false;  ///< by exponentials
};

struct Compilation {
    std::shared_ptr<const model::Model> model;
    transform::System system;
    transform::ReducedSystem reduced;
    transform::Formulation formulation;
    std::vector<transform::Elimination> eliminations; ///< in the formulation's unknowns
    transform::InitialSystem initial;
    std::vector<transform::Quadrature> quadratures;
    std::vector<double> quadrature_start;
    /// The model's, then variables that never vary, what the formulation added, integer parts, modes.
    std::vector<double> parameters;

    tape::Backend backend = tape::Backend::automatic; ///< what runs the kernels
    codegen::Kernel residual, hidden, constraints, constraint_jacobian, roots, outputs, initial_residual,
        initial_jacobian, rates, dependents;
    ProblemJacobian jacobian;
    /// The most differentiated rows and what varies in their matrix by leading unknowns; compiled when first asked for.
    struct {
        std::vector<expr::NodeId> outputs;
        std::size_t rows = 0; ///< of the outputs
        codegen::Kernel kernel;
        std::vector<double> latest;
    } leading;
    std::vector<expr::NodeId> root_relations;   ///< relation behind each root function
    std::vector<expr::NodeId> root_expressions; ///< the functions themselves
    std::vector<Kink> kinks;                    ///< functions whose branches those relations decide
    std::vector<expr::NodeId> root_shown;       ///< and what of the model it comes from
    std::size_t first_mode = none;              ///< parameters from here on stand for the values of those relations
    std::size_t first_hold = none;              ///< and from here to there, for integer parts
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    DiscretePart discrete;
    ModeActivity activity;
};

/// A parameter that events change: the value of a relation, an integer part, a discrete variable.
[[nodiscard]] inline bool changes_at_events(const Compilation& c, expr::NodeId leaf) {
    const expr::Graph& g = c.system.graph();
    if (g.op(leaf) != expr::Op::parameter) return false;
    const auto id = static_cast<std::size_t>(g.parameter_id(leaf));
    return id >= c.first_hold || id >= c.first_mode ||
           (id < c.model->parameters.size() && c.model->parameters[id].is_held);
}

/// Hands c.parameters to all kernels of the problem.
void update_parameters(Compilation& c);

/// Builds the kernels and the waist's two problems from the symbolic side.
void build_problem(const std::shared_ptr<Compilation>& compilation, CompiledModel& compiled);
void build_initial_problem(const std::shared_ptr<Compilation>& compilation, CompiledModel& compiled, double start_time);

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
[[nodiscard]] std::vector<Block> describe_blocks(const transform::System& system,
                                                 const transform::ReducedSystem& reduced, bool tear);

} // namespace daedalus::compile
