// The pipeline from model to problem: named passes, each recorded. No expression survives it except inside the
// legend, which turns rows and columns back into the user's words.
#pragma once

#include "base/expected.hpp"
#include "compile/report.hpp"
#include "daedalus/reduction.hpp"
#include "elimination/sparse_elimination.hpp"
#include "model/model.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/initial_problem.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::compile {

/// A start value from outside the model.
struct StartOverride {
    std::string name; ///< "x" or "der(x)"
    double value = 0.0;
    problem::Strength strength = problem::Strength::fixed;
};

struct CompileOptions {
    Reduction reduce = Reduction::automatic;
    bool eliminate_aliases = true;
    bool inline_definitions = false;    ///< variables that an equation defines are no unknowns of the integrator
    std::vector<std::string> kept = {}; ///< variables that are, all the same
    bool tear = false;                  ///< choose torn variables in the blocks, for the report
    bool cross_check = false;           ///< ask Pantelides' algorithm too
    double start_time = 0.0;
    std::vector<model::ParameterOverride> parameters = {};
    std::vector<StartOverride> starts = {};
    bool steady_state = false; ///< start where every derivative vanishes
    bool machine_code = true;  ///< false: kernels are interpreted
    bool needs_states = false; ///< the method integrates states alone: constraints between differential unknowns, which
                               ///< index 1 allows, are reduced too
    bool mechanics = false;    ///< the problem shall have the equations of motion as a facet, or the model is refused
    bool or_index_two = false; ///< … or, with Reduction::index2, rates of constraints (problem/index_two.hpp)
    bool parameter_derivatives = false; ///< the problem shall have ∂F/∂p as a facet (problem/parameters.hpp)
    bool jets = false;                  ///< … and Taylor series of F (problem/jets.hpp)
    bool quadratures = false;           ///< variables that nothing depends on become integrals along the solution
    /// Sets of equations (of the model) that depend on each other on solutions, though not elsewhere.
    std::vector<std::vector<int>> dependent = {};
};

struct OutputVariable {
    std::string name;
    std::string unit;
    std::string description;
    bool differential = false; ///< its derivative occurs in the model
    bool eliminated = false;
    bool discrete = false; ///< changes at events only
};

struct Compilation;

struct CompiledModel {
    std::shared_ptr<const model::Model> model;
    std::shared_ptr<const Compilation> compilation; ///< what the analyses after the start ask
    StructuralReport structure;
    std::vector<PassRecord> passes;
    Reduction reduce = Reduction::dummy; ///< what was chosen
    std::string reduce_reason;
    int definitions = 0; ///< equations that were put into others
    problem::InitialProblem initial;
    problem::ImplicitProblem problem;
    std::vector<OutputVariable> outputs; ///< of problem.outputs, in the order of the model's variables
    std::vector<double> parameters;      ///< values in use
    std::size_t residual_instructions = 0;
    std::size_t jacobian_instructions = 0; ///< with the residual
    std::size_t root_instructions = 0;     ///< of all root functions together
    bool jacobian_forward = false;         ///< all columns at once instead of row by row
    std::string_view backend;              ///< what runs the kernels: "interpreter" or an instruction set
};

/// A diagonal block of the system Jacobian ∂f_i^(c_i)/∂x_j^(d_j) at one point.
struct JacobianBlock {
    std::vector<elimination::SparseRow<double>> values; ///< by row, columns numbered within the block
    std::vector<std::vector<double>> errors; ///< of the values, from the accuracy `point_accuracy` of the point
    int number = 0;                          ///< among the blocks of the block triangular form
    [[nodiscard]] int size() const { return static_cast<int>(values.size()); }
};

/// To which values at a consistent point are known, relative to themselves: integrate::StartOptions has it so.
inline constexpr double point_accuracy = 1e-11;

/// Blocks of the system Jacobian at a point of the initial value problem, without those of one equation whose entry is
/// a constant. Where all are regular, the index, the degrees of freedom and the hidden constraints found by structure
/// hold near that point (Pryce 2001, theorem 4.2).
[[nodiscard]] std::vector<JacobianBlock> jacobian_blocks(const CompiledModel& compiled, double t,
                                                         const std::vector<double>& u);

/// Row (f_i^(c_i), as far as it can be said shortly) and column (x_j^(d_j)) of such a block in the model's words.
struct BlockEquation {
    std::string text;
    std::optional<Location> where;
    int origin = -1; ///< equation of the model
};
[[nodiscard]] BlockEquation block_equation(const CompiledModel& compiled, int block, int row);
[[nodiscard]] std::string block_variable(const CompiledModel& compiled, int block, int column);

/// Structure only: what `daedalus analyze` prints. Fails where the system is structurally singular.
struct AnalyzedModel {
    StructuralReport structure;
    std::vector<PassRecord> passes;
};
[[nodiscard]] Expected<AnalyzedModel> analyze(const model::Model& model, const CompileOptions& options = {});

[[nodiscard]] Expected<CompiledModel> compile(std::shared_ptr<const model::Model> model,
                                              const CompileOptions& options = {});

} // namespace daedalus::compile
