// From the symbolic side to the waist: kernels for residual, Jacobian, roots, hidden constraints and outputs.
#include "compile/compilation.hpp"
#include "compile/constraint_step.hpp"
#include "compile/differentiated_quantity.hpp"
#include "compile/explicit_form.hpp"
#include "compile/index_two.hpp"
#include "compile/jets.hpp"
#include "compile/leading_part.hpp"
#include "compile/least_norm.hpp"
#include "compile/mechanical_structure.hpp"
#include "compile/parameter_derivatives.hpp"
#include "compile/past.hpp"
#include "compile/problem_jacobian.hpp"
#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"
#include "problem/drift.hpp"
#include "structure/index_per_variable.hpp"
#include "transform/jacobian.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace daedalus::compile {

namespace {

using codegen::Kernel;
using codegen::Segments;
using expr::NodeId;
using expr::Op;
using problem::Call;
using problem::Environment;
using problem::EvalStatus;
using transform::JetEntry;

std::vector<NodeId> parameter_leaves(const Compilation& c) {
    std::vector<NodeId> leaves;
    for (std::size_t p = 0; p < c.parameters.size(); ++p)
        leaves.push_back(c.system.graph().parameter(static_cast<int>(p)));
    return leaves;
}

} // namespace

Segments problem_segments(const Compilation& c) {
    expr::Graph& g = c.system.graph();
    std::vector<NodeId> x, dx;
    for (const JetEntry& e : c.formulation.unknowns) {
        x.push_back(g.variable(e.variable, e.order));
        // A leaf that is an unknown itself is never the derivative of another one: links relate the two.
        const JetEntry up{e.variable, e.order + 1};
        dx.push_back(c.formulation.unknown(up) < 0
                         ? g.variable(up.variable, up.order)
                         : g.variable(transform::derivative_of_unknown, static_cast<int>(dx.size())));
    }
    return {parameter_leaves(c), {g.time()}, std::move(x), std::move(dx)};
}

namespace {

EvalStatus status(bool finite) { return finite ? EvalStatus::ok : EvalStatus::not_finite; }

template <Kernel KernelSet::*kernel>
EvalStatus evaluate(const Call& call, double t, const double* x, const double* dx, double* y) {
    const std::array<const double*, 3> inputs{&t, x, dx};
    return status((kernels_of(call, t).*kernel)(inputs, y));
}

// Of variables that the equations leave open, the values of least norm are shown.
EvalStatus least_norm_outputs(const Call& call, double t, const double* x, const double* dx, double* y) {
    const EvalStatus done = evaluate<&KernelSet::outputs>(call, t, x, dx, y);
    if (done != EvalStatus::ok) return done;
    const model::LeastNorm& open = call.as<Compilation>().model->least_norm;
    KernelSet& k = kernels_of(call, t);
    std::vector<double> matrix(static_cast<std::size_t>(k.open_matrix.outputs()));
    const std::array<const double*, 3> inputs{&t, x, dx};
    if (!k.open_matrix(inputs, matrix.data())) return EvalStatus::not_finite;
    std::vector<double> u;
    for (const int v : open.variables) u.push_back(y[v]);
    take_least_norm(matrix, open.weights, open.freedom, u);
    for (std::size_t i = 0; i < u.size(); ++i) y[open.variables[i]] = u[i];
    return EvalStatus::ok;
}

template <Kernel KernelSet::*kernel>
EvalStatus evaluate_at(const Call& call, double t, const double* x, double* y) {
    const std::array<const double*, 2> inputs{&t, x};
    return status((kernels_of(call, t).*kernel)(inputs, y));
}

template <Kernel InitialKernels::*kernel>
EvalStatus evaluate_initial(const Call& call, double t, const double* u, double* y) {
    auto& kernels = static_cast<InitialKernels&>(*call.workspace);
    const Compilation& c = call.as<Compilation>();
    if (kernels.stamp != call.environment.stamp() || (kernels.signal_time != t && asks_signals(c))) {
        const std::vector<double> parameters = parameters_at(c, call.environment, t);
        kernels.signal_time = t;
        kernels.residual.set_parameters(parameters);
        kernels.jacobian.set_parameters(parameters);
        kernels.stamp = call.environment.stamp();
    }
    const std::array<const double*, 2> inputs{&t, u};
    return status((kernels.*kernel)(inputs, y));
}

std::vector<NodeId> residuals(const std::vector<transform::DifferentiatedEquation>& rows) {
    std::vector<NodeId> list;
    list.reserve(rows.size());
    for (const auto& e : rows) list.push_back(e.residual);
    return list;
}

struct SparseJacobian {
    SparsityPattern pattern;
    std::vector<NodeId> outputs; ///< ∂F/∂x values on the pattern, then ∂F/∂x'
    bool constant_leading_matrix = true;
    std::vector<char> differential; ///< per unknown: its derivative occurs
    bool forward = false;           ///< how the entries were found
};

SparseJacobian sparse_jacobian(const Compilation& c, const std::vector<NodeId>& rows) {
    expr::Graph& g = c.system.graph();
    const auto n = static_cast<int>(c.formulation.unknowns.size());
    const JacobianEntries found = jacobian_entries(g, rows);
    const std::vector<transform::JacobianEntry>& entries = found.list;
    std::vector<std::pair<int, int>> positions;
    std::vector<transform::Formulation::Place> places;
    for (const auto& e : entries) {
        places.push_back(c.formulation.place({g.variable_id(e.leaf), g.derivative_order(e.leaf)}));
        assert(places.back().unknown >= 0);
        positions.emplace_back(e.row, places.back().unknown);
    }
    SparseJacobian j;
    j.forward = found.forward;
    j.pattern = SparsityPattern::from_entries(static_cast<int>(rows.size()), n, positions);
    const auto nnz = static_cast<std::size_t>(j.pattern.nonzeros());
    j.outputs.assign(2 * nnz, g.constant(0.0));
    j.differential.assign(static_cast<std::size_t>(n), 0);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto at = static_cast<std::size_t>(j.pattern.find(entries[k].row, places[k].unknown));
        j.outputs[at + (places[k].derivative ? nnz : 0)] = entries[k].value;
        if (!places[k].derivative) continue;
        j.differential[static_cast<std::size_t>(places[k].unknown)] = 1;
        const NodeId roots[] = {entries[k].value};
        for (const NodeId node : g.reachable(roots))
            if (g.op(node) == Op::variable || g.op(node) == Op::time || changes_at_events(c, node))
                j.constant_leading_matrix = false;
    }
    return j;
}

// Links that the integrator replaces by a numerically sound choice before its first step: per column, the lowest.
std::vector<problem::Link> first_links(const transform::Formulation& f) {
    std::vector<problem::Link> links = f.permanent_links;
    for (const problem::ChoiceBlock& block : f.choices) {
        long dummies = 0;
        for (const int c : block.differentiations) dummies += c;
        std::vector<std::size_t> keep;
        for (const auto& chain : block.chain) keep.push_back(chain.size() - 1);
        for (std::size_t j = 0; dummies > 0; j = (j + 1) % keep.size())
            if (keep[j] > 0) {
                --keep[j];
                --dummies;
            }
        for (std::size_t j = 0; j < keep.size(); ++j)
            for (std::size_t k = 0; k < keep[j]; ++k) links.push_back({block.chain[j][k], block.chain[j][k + 1]});
    }
    return links;
}

// Index of each unknown of the system as it will be integrated, by the same structural rule as for the model.
std::vector<int> unknown_index(const transform::Formulation& f, const SparseJacobian& j, const expr::Graph& g,
                               const std::vector<problem::Link>& links) {
    const auto n = static_cast<int>(f.unknowns.size());
    std::vector<structure::SignatureEntry> entries;
    const auto nnz = static_cast<std::size_t>(j.pattern.nonzeros());
    for (int col = 0; col < n; ++col)
        for (int k = j.pattern.column_start[static_cast<std::size_t>(col)];
             k < j.pattern.column_start[static_cast<std::size_t>(col) + 1]; ++k) {
            const bool derivative = !g.is_constant(j.outputs[nnz + static_cast<std::size_t>(k)], 0.0);
            entries.push_back({j.pattern.row_index[static_cast<std::size_t>(k)], col, derivative ? 1 : 0});
        }
    for (std::size_t k = 0; k < links.size(); ++k) {
        entries.push_back({j.pattern.rows + static_cast<int>(k), links[k].state, 1});
        entries.push_back({j.pattern.rows + static_cast<int>(k), links[k].derivative, 0});
    }
    const auto sigma = structure::SignatureMatrix::from_entries(n, n, entries);
    const auto analysis = structure::signature_method(sigma);
    if (!analysis.regular) return std::vector<int>(static_cast<std::size_t>(n), 1);
    return structure::index_per_variable(sigma, analysis);
}

// Every variable of the model as an expression in unknowns and their derivatives.
std::vector<NodeId> output_expressions(const Compilation& c, std::size_t variables) {
    expr::Graph& g = c.system.graph();
    std::vector<NodeId> list;
    for (std::size_t v = 0; v < variables; ++v) list.push_back(g.variable(static_cast<int>(v)));
    for (const transform::Elimination& e : c.eliminations) list[static_cast<std::size_t>(e.variable)] = e.value;
    for (const transform::Quadrature& q : c.quadratures) list[static_cast<std::size_t>(q.variable)] = g.constant(0.0);
    return in_remaining_variables(c, std::move(list));
}

std::vector<problem::UnknownInfo> unknown_infos(const Compilation& c, const SparseJacobian& j,
                                                const std::vector<problem::Link>& links,
                                                const std::vector<NodeId>& outputs) {
    std::vector<problem::UnknownInfo> infos(c.formulation.unknowns.size());
    std::vector<int> index(infos.size(), 1);
    const Reduction kind = c.formulation.kind;
    if (kind == Reduction::none || kind == Reduction::index2 || kind == Reduction::ggl || regularises(kind))
        index = unknown_index(c.formulation, j, c.system.graph(), links);
    // Multipliers of constraints on the states: index 2, everything else at most 1.
    std::fill(index.end() - c.formulation.multipliers, index.end(), 2);
    for (std::size_t i = 0; i < infos.size(); ++i) {
        infos[i].differential = j.differential[i] != 0;
        infos[i].index = std::max(1, index[i]);
        const bool multiplier = i + static_cast<std::size_t>(c.formulation.multipliers) >= infos.size();
        infos[i].auxiliary = c.formulation.unknowns[i].order > 0 || multiplier;
        if (const int u = c.initial.unknown(c.formulation.unknowns[i]); u >= 0) {
            const problem::InitialUnknown& data = c.initial.data[static_cast<std::size_t>(u)];
            infos[i].nominal = data.nominal;
            infos[i].min = data.min;
            infos[i].max = data.max;
        }
    }
    for (const problem::Link& link : links) infos[static_cast<std::size_t>(link.state)].differential = true;
    // A derivative that an eliminated variable equals (a velocity) is a variable of the model's.
    const expr::Graph& g = c.system.graph();
    for (const NodeId leaf : g.reachable(outputs))
        if (g.op(leaf) == Op::variable) {
            const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
            if (place.unknown >= 0 && !place.derivative)
                infos[static_cast<std::size_t>(place.unknown)].auxiliary = false;
        }
    return infos;
}

// Puts a parameter in the place of each relation and integer part that makes events; functions with a kink become the
// branch that such a parameter chooses.
class Freezer {
public:
    explicit Freezer(Compilation& c) : g_(c.system.graph()) {
        if (c.root_relations.empty()) return;
        for (const IntegerPart& part : c.discrete.integers)
            frozen_.emplace(expr::index(part.node), g_.parameter(part.parameter));
        c.first_mode = c.parameters.size();
        for (const NodeId relation : c.root_relations) {
            frozen_.emplace(expr::index(relation), g_.parameter(static_cast<int>(c.parameters.size())));
            c.parameters.push_back(0.0); // until the start is known
        }
        for (const Kink& kink : c.kinks) {
            const auto it = frozen_.find(expr::index(kink.relation));
            if (it != frozen_.end()) second_branch_.emplace(expr::index(kink.node), it->second);
        }
    }
    [[nodiscard]] std::vector<NodeId> operator()(std::vector<NodeId> expressions) {
        if (frozen_.empty()) return expressions;
        for (const NodeId node : g_.reachable(expressions)) {
            const Op op = g_.op(node);
            if (expr::is_leaf(op) || frozen_.contains(expr::index(node))) continue;
            if (const auto it = second_branch_.find(expr::index(node)); it != second_branch_.end())
                frozen_.emplace(expr::index(node),
                                op == Op::abs
                                    ? g_.select(it->second, g_.neg(of(g_.operand(node, 0))), of(g_.operand(node, 0)))
                                    : g_.select(it->second, of(g_.operand(node, 1)), of(g_.operand(node, 0))));
            else if (const NodeId now = g_.rebuilt(node, [&](NodeId n) { return of(n); }); now != node)
                frozen_.emplace(expr::index(node), now);
        }
        for (NodeId& e : expressions) e = of(e);
        return expressions;
    }

private:
    [[nodiscard]] NodeId of(NodeId node) const {
        const auto it = frozen_.find(expr::index(node));
        return it == frozen_.end() ? node : it->second;
    }
    expr::Graph& g_;
    std::unordered_map<std::uint32_t, NodeId> frozen_;        ///< nodes that became others
    std::unordered_map<std::uint32_t, NodeId> second_branch_; ///< kinks: what chooses their second branch
};

bool true_above(Op relation) { return relation == Op::gt || relation == Op::ge; }

void set_modes(const void* code, Environment& environment, const signed char* side) {
    const Compilation& c = *static_cast<const Compilation*>(code);
    for (std::size_t k = 0; k < c.root_relations.size(); ++k) {
        const bool holds = (side[k] > 0) == true_above(c.system.graph().op(c.root_relations[k]));
        environment.set(c.first_mode + k, holds ? 1.0 : 0.0);
    }
}

void active_modes(const void* code, const signed char* side, char* active) {
    static_cast<const Compilation*>(code)->activity(side, active);
}

problem::Modes modes_of(const Compilation& c, std::vector<char> known_instant) {
    problem::Modes modes;
    modes.size = static_cast<int>(c.root_relations.size());
    modes.set = &set_modes;
    if (!c.activity.always()) modes.activity = &active_modes;
    modes.known_instant = std::move(known_instant);
    for (const NodeId relation : c.root_relations) {
        const Op op = c.system.graph().op(relation);
        modes.at_zero.push_back(op == Op::ge || op == Op::lt ? 1 : -1);
    }
    return modes;
}

// Stage of x_j^(k) is k - d_j and of f_i^(k) is k - c_i (Pryce 2001), counted from the lowest. Initial equations and
// eliminated variables that are fixed belong to the highest stage they mention; they may also ask for something of a
// lower stage (a steady state), and then the solver finds that stages do not work.
void assign_stages(const Compilation& c, problem::InitialProblem& p) {
    const expr::Graph& g = c.system.graph();
    const std::vector<int> column = c.system.columns();
    const auto& d = c.reduced.analysis.d;
    int lowest = 0;
    for (const int highest : d) lowest = std::min(lowest, -highest);
    const auto stage = [&](const JetEntry& e) {
        return e.order - d[static_cast<std::size_t>(column[static_cast<std::size_t>(e.variable)])] - lowest;
    };
    for (const JetEntry& e : c.initial.unknowns) p.unknown_stage.push_back(stage(e));
    for (const transform::InitialRow& row : c.initial.rows) {
        if (row.row >= 0) {
            p.equation_stage.push_back(row.order - c.reduced.analysis.c[static_cast<std::size_t>(row.row)] - lowest);
            continue;
        }
        int highest = 0;
        const NodeId roots[] = {row.residual};
        for (const NodeId node : g.reachable(roots))
            if (g.op(node) == Op::variable)
                highest = std::max(highest, stage({g.variable_id(node), g.derivative_order(node)}));
        p.equation_stage.push_back(highest);
    }
}

// On which unknowns each entry of the Jacobian depends. Given up where entries are so long that looking costs more than
// an iteration that turns out to be superfluous.
void record_dependencies(const Compilation& c, const std::vector<NodeId>& values, problem::InitialProblem& p) {
    constexpr std::size_t affordable = 20'000'000; // nodes visited
    const expr::Graph& g = c.system.graph();
    std::size_t visited = 0;
    p.dependency_start.push_back(0);
    for (const NodeId value : values) {
        if (!g.is_constant(value)) {
            const NodeId roots[] = {value};
            const std::vector<NodeId> nodes = g.reachable(roots);
            visited += nodes.size();
            for (const NodeId node : nodes)
                if (g.op(node) == Op::variable)
                    p.dependency.push_back(c.initial.unknown({g.variable_id(node), g.derivative_order(node)}));
        }
        p.dependency_start.push_back(static_cast<int>(p.dependency.size()));
        if (visited <= affordable) continue;
        p.dependency_start.clear();
        p.dependency.clear();
        return;
    }
}

// Variables that never vary become numbers.
void hold_at(const void* code, Environment& environment, const double* u) {
    const Compilation& c = *static_cast<const Compilation*>(code);
    for (const transform::System::Held& h : c.system.held)
        environment.set(static_cast<std::size_t>(h.parameter), u[c.initial.unknown({h.variable, 0})]);
}

template <Kernel KernelSet::*kernel>
problem::VectorFunction vector_function(const Compilation& c) {
    return {(c.kernels.*kernel).outputs(), &evaluate<kernel>};
}

problem::Quadratures quadratures_of(const Compilation& c, const std::vector<NodeId>& rates) {
    problem::Quadratures q;
    const expr::Graph& g = c.system.graph();
    for (const NodeId leaf : g.reachable(rates)) {
        if (g.op(leaf) != Op::variable) continue;
        const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
        if (place.derivative)
            q.mention_derivatives = true;
        else
            q.unknowns.push_back(place.unknown);
    }
    q.rates = vector_function<&KernelSet::rates>(c);
    q.start = c.quadrature_start;
    q.nominal = quadrature_nominals(c, c.parameters);
    for (const transform::Quadrature& one : c.quadratures) q.output.push_back(one.variable);
    return q;
}

/// Of each hidden constraint the one that is its derivative (problem/drift.hpp). Empty where the formulation moves
/// solutions off constraints by itself, or keeps them.
std::vector<int> derivatives_among_hidden(const transform::Formulation& f) {
    const bool by_errors_alone = f.kind == Reduction::underlying_ode || f.kind == Reduction::index2 ||
                                 f.kind == Reduction::project_position || f.kind == Reduction::project_velocity;
    if (!by_errors_alone || f.drifting == 0) return {};
    std::vector<int> above(f.hidden.size(), -1);
    for (std::size_t k = 0; k < f.hidden.size(); ++k)
        for (std::size_t l = 0; l < f.hidden.size(); ++l)
            if (f.hidden[l].row == f.hidden[k].row && f.hidden[l].order == f.hidden[k].order + 1)
                above[k] = static_cast<int>(l);
    return above;
}

// What the loop projects onto, as functions of (t, x) alone.
problem::Constraints build_constraints(Compilation& c, const Segments& all, const std::vector<NodeId>& rows) {
    problem::Constraints result;
    if (rows.empty()) return result;
    const expr::Graph& g = c.system.graph();
    const Segments segments{all[0], all[1], all[2]};
    const SparseJacobian j = sparse_jacobian(c, rows);
    const auto nnz = static_cast<std::ptrdiff_t>(j.pattern.nonzeros());
    c.kernels.constraints = Kernel(g, segments, rows, {.backend = c.backend});
    c.kernels.constraint_jacobian =
        Kernel(g, segments, std::vector<NodeId>(j.outputs.begin(), j.outputs.begin() + nnz), {.backend = c.backend});
    result.pattern = j.pattern;
    result.residual = &evaluate_at<&KernelSet::constraints>;
    result.jacobian = &evaluate_at<&KernelSet::constraint_jacobian>;
    return result;
}

EvalStatus leading_part(const Call& call, double t, const double* x, const double* dx, double* r, double* entries) {
    const Compilation& c = call.as<Compilation>();
    KernelSet& kernels = kernels_of(call, t);
    if (kernels.leading.outputs() == 0) {
        make_kernel(call, t, c.leading, kernels.leading);
        kernels.latest_leading.resize(c.leading.outputs.size());
    }
    std::vector<double>& latest = kernels.latest_leading;
    const std::array<const double*, 3> inputs{&t, x, dx};
    const bool finite = kernels.leading(inputs, latest.data());
    std::copy_n(latest.data(), c.leading_rows, r);
    std::copy(latest.begin() + static_cast<std::ptrdiff_t>(c.leading_rows), latest.end(), entries);
    return status(finite && kernels.constants_finite);
}

void offer_leading_part(Compilation& c, const LeadingPart& part, const std::vector<NodeId>& rows,
                        problem::Kernels& kernels) {
    for (const int i : part.rows) c.leading.outputs.push_back(rows[static_cast<std::size_t>(i)]);
    for (const int k : part.entries)
        if (std::binary_search(c.jacobian.varying.begin(), c.jacobian.varying.end(), k)) {
            c.leading.outputs.push_back(c.jacobian.entries[static_cast<std::size_t>(k)]);
            kernels.leading_entries.push_back(k);
        }
    c.leading_rows = part.rows.size();
    kernels.leading = &leading_part;
}

// Variables of the model's that became expressions, unless they are another name of an unknown.
problem::Dependents build_dependents(Compilation& c, const Segments& all,
                                     const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen) {
    problem::Dependents result;
    const expr::Graph& g = c.system.graph();
    std::vector<NodeId> values;
    for (const auto& [entry, value] : c.formulation.inlined) {
        const NodeId bare = g.op(value) == Op::neg ? g.operand(value, 0) : value;
        if (entry.order > 0 || g.op(bare) == Op::variable) continue;
        values.push_back(value);
        const int u = c.initial.unknown(entry);
        c.dependent_unknowns.push_back(u);
        result.nominal.push_back(u < 0 ? 1.0 : std::abs(c.initial.data[static_cast<std::size_t>(u)].nominal));
    }
    if (values.empty()) return result;
    values = frozen(std::move(values));
    const SparseJacobian j = sparse_jacobian(c, values);
    values.insert(values.end(), j.outputs.begin(),
                  j.outputs.begin() + static_cast<std::ptrdiff_t>(j.pattern.nonzeros()));
    c.kernels.dependents = Kernel(g, {all[0], all[1], all[2]}, values, {.backend = c.backend});
    result.pattern = j.pattern;
    result.linearize = &evaluate_at<&KernelSet::dependents>;
    return result;
}

/// Variables that are not unknowns because an expression tells them, and whose derivatives the model mentions.
std::vector<int> known_and_differentiated(const Compilation& c, std::size_t variables) {
    const expr::Graph& g = c.system.graph();
    std::vector<NodeId> sides;
    for (const model::Equation& e : c.model->equations) sides.insert(sides.end(), {e.left, e.right});
    std::vector<char> differentiated(c.model->variables.size(), 0);
    for (const NodeId leaf : g.reachable(sides))
        if (g.op(leaf) == Op::variable && g.derivative_order(leaf) > 0)
            differentiated[static_cast<std::size_t>(g.variable_id(leaf))] = 1;
    std::vector<int> list;
    for (const transform::Elimination& e : c.eliminations)
        if (static_cast<std::size_t>(e.variable) < variables &&
            differentiated[static_cast<std::size_t>(e.variable)] != 0)
            list.push_back(e.variable);
    return list;
}

// What a run begins with: parameters as compiled, and nothing remembered.
Environment first_environment(const Compilation& c) {
    std::vector<double> values = c.parameters;
    values.resize(values.size() + c.discrete.memory, 0.0);
    return Environment(std::move(values));
}

} // namespace

std::vector<double> quadrature_nominals(const Compilation& c, std::span<const double> parameters) {
    const expr::Graph& g = c.system.graph();
    std::vector<double> list;
    for (const transform::Quadrature& q : c.quadratures) {
        const NodeId nominal = c.model->variables[static_cast<std::size_t>(q.variable)].nominal;
        list.push_back(nominal == expr::no_node ? 1.0 : std::abs(expr::evaluate(g, nominal, [&](NodeId leaf) {
            return parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
        })));
    }
    return list;
}

void make_kernel(const Call& call, double t, const LazyKernel& lazy, Kernel& own) {
    const Compilation& c = call.as<Compilation>();
    std::call_once(lazy.once, [&] {
        lazy.kernel = Kernel(c.system.graph(), problem_segments(c), lazy.outputs, {.backend = c.backend});
    });
    own = lazy.kernel;
    own.set_parameters(parameters_at(c, call.environment, t));
}

namespace {

template <class Do>
void for_each_kernel(KernelSet& k, const Do& act) {
    for (Kernel* kernel : {&k.residual,
                           &k.hidden,
                           &k.outputs,
                           &k.roots,
                           &k.rates,
                           &k.constraints,
                           &k.constraint_jacobian,
                           &k.dependents,
                           &k.delays,
                           &k.transports,
                           &k.linearization,
                           &k.constant_entries,
                           &k.leading,
                           &k.explicit_form,
                           &k.constraint_step,
                           &k.written_values,
                           &k.written,
                           &k.open_matrix,
                           &k.motion.rates,
                           &k.motion.position,
                           &k.motion.velocity,
                           &k.motion.matrices,
                           &k.motion.dynamics,
                           &k.motion.kinematics,
                           &k.motion.slopes,
                           &k.motion.mass_rate,
                           &k.motion.forces,
                           &k.motion.expand,
                           &k.constraint_rates,
                           &k.quantity.value,
                           &k.quantity.slope,
                           &k.quantity.residual,
                           &k.quantity.jacobian,
                           &k.parameter_derivatives})
        act(*kernel);
}

} // namespace

KernelSet& kernels_of(const Call& call, double t) {
    auto& k = static_cast<KernelSet&>(*call.workspace);
    const Compilation& c = call.as<Compilation>();
    if (k.stamp == call.environment.stamp() && (c.model->signals.empty() || k.signal_time == t || !asks_signals(c)))
        return k;
    const std::vector<double> parameters = parameters_at(c, call.environment, t);
    k.signal_time = t;
    for_each_kernel(k, [&](Kernel& kernel) {
        if (kernel.outputs() > 0) kernel.set_parameters(parameters);
    });
    update_constant_entries(c, k);
    k.stamp = call.environment.stamp();
    return k;
}

void build_problem(const std::shared_ptr<Compilation>& compilation, const CompileOptions& options,
                   CompiledModel& compiled) {
    Compilation& c = *compilation;
    const expr::Graph& g = c.system.graph();
    std::vector<NodeId> rows = residuals(c.formulation.rows);
    std::vector<NodeId> outputs = output_expressions(c, compiled.model->variables.size());
    for (const model::DiscreteVariable& v : c.model->discrete) outputs.push_back(in_remaining_variables(c, v.value));
    std::vector<NodeId> with_events = discrete_expressions(c);
    with_events.insert(with_events.end(), rows.begin(), rows.end());
    std::vector<NodeId> rates;
    for (const transform::Quadrature& q : c.quadratures) rates.push_back(q.rate);
    rates = in_remaining_variables(c, std::move(rates));
    with_events.insert(with_events.end(), rates.begin(), rates.end());
    // Differentiated branch by branch, a step leaves no trace in F; that it jumps must be seen all the same.
    // Where nothing is integrated nobody would follow the branches.
    for (const int v :
         known_and_differentiated(c, c.formulation.unknowns.empty() ? 0 : compiled.model->variables.size()))
        with_events.push_back(outputs[static_cast<std::size_t>(v)]);
    Events events = collect_events(c, with_events);
    c.activity = ModeActivity(c, with_events);
    Freezer frozen(c);
    build_discrete_part(c, [&](std::vector<NodeId> list) { return frozen(std::move(list)); });
    rows = frozen(std::move(rows));
    c.frozen_rows = rows;
    const Segments segments = problem_segments(c);
    SparseJacobian j = sparse_jacobian(c, rows);
    const codegen::KernelOptions compiled_by{.backend = c.backend};
    c.kernels.residual = Kernel(g, segments, rows, compiled_by);
    build_jacobian(c, segments, rows, j.pattern, j.outputs);
    c.kernels.hidden = Kernel(g, segments, frozen(residuals(c.formulation.hidden)), compiled_by);
    outputs = frozen(std::move(outputs));
    c.kernels.outputs = Kernel(g, segments, outputs, compiled_by);
    const bool least_norm = compiled.model->least_norm.varies;
    if (least_norm) {
        std::vector<NodeId> matrix = in_remaining_variables(c, open_matrix(*c.model));
        c.kernels.open_matrix = Kernel(g, segments, frozen(std::move(matrix)), compiled_by);
    }
    c.root_expressions = frozen(events.roots);
    c.kernels.roots = Kernel(g, segments, c.root_expressions, compiled_by);
    if (!rates.empty()) c.kernels.rates = Kernel(g, segments, frozen(rates), compiled_by);
    problem::Constraints constraints = build_constraints(c, segments, frozen(residuals(c.formulation.constraints)));
    problem::Dependents dependents =
        build_dependents(c, segments, [&](std::vector<NodeId> list) { return frozen(std::move(list)); });

    problem::System system;
    system.links = first_links(c.formulation);
    system.unknowns = unknown_infos(c, j, system.links, outputs);
    const LeadingPart leading = find_leading_part(g, c.formulation, j.pattern, j.outputs, segments[2], segments[3]);
    system.kernels.residual = &evaluate<&KernelSet::residual>;
    system.kernels.constant_leading_matrix = j.constant_leading_matrix;
    offer_jacobian(c, system.kernels);
    if (leading.linear) offer_leading_part(c, leading, rows, system.kernels);
    offer_explicit_form(c, leading, rows, j.pattern, j.outputs, options.for_one_run, system.facets);
    if (leading.linear) offer_constraint_step(c, rows, j.pattern, j.outputs, system.facets);
    system.pattern = std::move(j.pattern);
    if (c.quantities_wanted)
        offer_differentiated_quantity(
            c, rows, [&](std::vector<NodeId> list) { return frozen(std::move(list)); }, system);
    if (options.jets) offer_jets(c, rows, system);
    if (options.parameter_derivatives) offer_parameter_derivatives(c, rows, options.parameters, system);
    system.code = compilation;
    system.make_workspace = [code = &c] { return std::make_unique<KernelSet>(code->kernels); };
    system.environment = first_environment(c);
    system.facets.set(problem::Names{problem_legend(compilation)});
    system.facets.set(problem::StateChoice{c.formulation.choices, c.formulation.permanent_links});
    system.facets.set(problem::HiddenConstraints{vector_function<&KernelSet::hidden>(c), c.formulation.drifting,
                                                 hidden_legend(compilation)});
    if (std::vector<int> above = derivatives_among_hidden(c.formulation); !above.empty())
        system.facets.set(problem::Drift{std::move(above)});
    system.facets.set(problem::Outputs{least_norm
                                           ? problem::VectorFunction{c.kernels.outputs.outputs(), &least_norm_outputs}
                                           : vector_function<&KernelSet::outputs>(c)});
    if (!constraints.empty()) system.facets.set(std::move(constraints));
    if (c.motion)
        offer_mechanics(
            c, [&](std::vector<NodeId> list) { return frozen(std::move(list)); }, system);
    else if (options.or_index_two && c.formulation.kind == Reduction::index2)
        offer_index_two(
            c, [&](std::vector<NodeId> list) { return frozen(std::move(list)); }, system);
    if (dependents.size() > 0) system.facets.set(std::move(dependents));
    const auto present = [&](std::vector<NodeId> list) { return frozen(std::move(list)); };
    if (!c.model->delays.empty()) {
        problem::Delays delays = build_delays(c, segments, present);
        delays.values = vector_function<&KernelSet::delays>(c);
        system.facets.set(std::move(delays));
    }
    if (!c.model->transports.empty()) {
        problem::Transports transports = build_transports(c, segments, present);
        transports.values = vector_function<&KernelSet::transports>(c);
        system.facets.set(std::move(transports));
    }
    if (!rates.empty()) system.facets.set(quadratures_of(c, rates));
    problem::Hybrid hybrid;
    hybrid.roots = vector_function<&KernelSet::roots>(c);
    hybrid.legend = roots_legend(compilation);
    hybrid.modes = modes_of(c, std::move(events.known_instant));
    hybrid.discrete = discrete_of(c);
    hybrid.time_events = fixed_instants(c, c.parameters);
    hybrid.next_instant = instants_of(c);
    system.facets.set(std::move(hybrid));
    std::vector<NodeId> forced = rows;
    forced.insert(forced.end(), rates.begin(), rates.end());
    if (problem::TimeFeatures features = build_time_features(c, forced); !features.empty()) system.facets.set(features);
    if (problem::PassingFeatures features = build_passing_features(c, forced); !features.empty())
        system.facets.set(std::move(features));
    if (problem::RootRanges ranges = build_root_ranges(c, rows); !ranges.empty()) system.facets.set(std::move(ranges));
    if (problem::WrittenEquations written = build_written_equations(
            compilation, system.unknowns, [&](std::vector<NodeId> list) { return frozen(std::move(list)); });
        !written.empty())
        system.facets.set(std::move(written));
    for_each_kernel(c.kernels, [](Kernel& kernel) { kernel.rest(); }); // every run has copies
    compiled.problem = problem::ImplicitProblem(std::move(system));
    compiled.residual_instructions = c.kernels.residual.instructions();
    compiled.jacobian_instructions = c.kernels.linearization.instructions();
    compiled.root_instructions = c.kernels.roots.instructions();
    compiled.jacobian_forward = j.forward;
    compiled.backend = c.kernels.residual.backend();
}

void build_initial_problem(const std::shared_ptr<Compilation>& compilation, CompiledModel& compiled,
                           double start_time) {
    Compilation& c = *compilation;
    expr::Graph& g = c.system.graph();
    std::vector<NodeId> unknowns;
    for (const JetEntry& e : c.initial.unknowns) unknowns.push_back(g.variable(e.variable, e.order));
    const Segments segments{parameter_leaves(c), {g.time()}, unknowns};
    std::vector<NodeId> rows;
    for (const auto& row : c.initial.rows) rows.push_back(row.residual);

    std::vector<std::pair<int, int>> positions;
    const auto entries = transform::jacobian(g, rows);
    positions.reserve(entries.size());
    for (const auto& e : entries)
        positions.emplace_back(e.row, c.initial.unknown({g.variable_id(e.leaf), g.derivative_order(e.leaf)}));
    problem::InitialProblem& p = compiled.initial;
    p.t0 = start_time;
    p.equations = static_cast<int>(rows.size());
    p.unknowns = c.initial.data;
    p.pattern = SparsityPattern::from_entries(p.equations, static_cast<int>(unknowns.size()), positions);
    std::vector<NodeId> values(static_cast<std::size_t>(p.pattern.nonzeros()), g.constant(0.0));
    for (std::size_t k = 0; k < entries.size(); ++k)
        values[static_cast<std::size_t>(p.pattern.find(positions[k].first, positions[k].second))] = entries[k].value;

    assign_stages(c, p);
    record_dependencies(c, values, p);
    // Evaluated a few times only: machine code would cost more than it saves.
    c.initial_kernels.residual = Kernel(g, segments, rows, {.backend = tape::Backend::interpreter});
    c.initial_kernels.jacobian = Kernel(g, segments, values, {.backend = tape::Backend::interpreter});
    for (Kernel* kernel : {&c.initial_kernels.residual, &c.initial_kernels.jacobian}) kernel->rest(); // likewise
    p.binding = problem::Binding(
        compilation, [code = &c] { return std::make_unique<InitialKernels>(code->initial_kernels); },
        first_environment(c));
    p.residual = &evaluate_initial<&InitialKernels::residual>;
    p.jacobian = &evaluate_initial<&InitialKernels::jacobian>;
    if (!c.system.held.empty()) p.hold = &hold_at;
    p.legend = initial_legend(compilation);
    for (const JetEntry& e : c.formulation.unknowns) {
        p.x_from.push_back(c.initial.unknown(e));
        p.dx_from.push_back(c.initial.unknown({e.variable, e.order + 1}));
    }
}

} // namespace daedalus::compile
