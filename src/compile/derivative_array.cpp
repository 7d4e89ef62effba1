#include "compile/derivative_array.hpp"

#include "codegen/kernel.hpp"
#include "compile/compilation.hpp"
#include "compile/starts.hpp"
#include "compile/symbolic_array.hpp"
#include "expr/substitute.hpp"
#include "transform/initialization.hpp"
#include "transform/jacobian.hpp"

#include <algorithm>
#include <array>

namespace daedalus::compile {

namespace {

using codegen::Kernel;
using codegen::Segments;
using expr::NodeId;
using expr::Op;
using problem::EvalStatus;

EvalStatus status(bool finite) { return finite ? EvalStatus::ok : EvalStatus::not_finite; }

/// What clauses and discrete variables say in the model's variables.
template <class Visit>
void for_each_event_expression(model::Model& m, const Visit& visit) {
    for (model::When& clause : m.clauses)
        for (model::WhenBranch& branch : clause.branches) {
            for (NodeId& condition : branch.conditions) visit(condition);
            for (auto& setting : branch.settings) visit(setting.value);
            for (auto& reinit : branch.reinits) {
                visit(reinit.variable);
                visit(reinit.value);
            }
            for (auto& assertion : branch.assertions) visit(assertion.holds);
        }
    for (model::Memory& memory : m.memories) visit(memory.value);
    m.visit_past(visit);
    for (model::DiscreteVariable& v : m.discrete) visit(v.value);
}

/// The model as a system of first order: der(x), … become unknowns where a higher derivative is written.
transform::System first_order(const model::Model& model, std::vector<double> parameters) {
    transform::System s = transform::make_system(model, std::move(parameters));
    expr::Graph& g = s.graph();
    std::vector<int> highest(model.variables.size(), 0);
    std::vector<NodeId> roots;
    for (const auto& e : s.equations) roots.insert(roots.end(), {e.left, e.right});
    for (const NodeId node : g.reachable(roots))
        if (g.op(node) == Op::variable) {
            int& h = highest[static_cast<std::size_t>(g.variable_id(node))];
            h = std::max(h, g.derivative_order(node));
        }
    std::vector<std::vector<int>> names(highest.size()); // of x, x', …
    for (std::size_t v = 0; v < highest.size(); ++v) {
        names[v].push_back(static_cast<int>(v));
        for (int k = 1; k < highest[v]; ++k)
            names[v].push_back(s.introduce(model.variable_name(static_cast<int>(v), k)));
    }
    if (s.introduced == 0) return s;
    expr::Substitution substitute(g, [&](NodeId leaf) {
        if (g.op(leaf) != Op::variable) return leaf;
        const auto& chain = names[static_cast<std::size_t>(g.variable_id(leaf))];
        const int order = g.derivative_order(leaf), last = static_cast<int>(chain.size()) - 1;
        return g.variable(chain[static_cast<std::size_t>(std::min(order, last))], std::max(0, order - last));
    });
    for (auto& e : s.equations) {
        e.left = substitute(e.left);
        e.right = substitute(e.right);
    }
    for_each_event_expression(*s.extended, [&](NodeId& e) { e = substitute(e); });
    for (const auto& chain : names)
        for (std::size_t k = 1; k < chain.size(); ++k)
            s.equations.push_back({g.variable(chain[k - 1], 1), g.variable(chain[k]), -1, "definition"});
    return s;
}

/// Every equation differentiated `order` times: the offsets that a structural analysis would choose, made uniform.
transform::ReducedSystem uniform(SymbolicArray& array, int order) {
    transform::ReducedSystem r;
    const auto m = static_cast<std::size_t>(array.equations());
    r.analysis.c.assign(m, order);
    r.analysis.d.assign(static_cast<std::size_t>(array.unknowns()), order + 1);
    for (std::size_t i = 0; i < m; ++i)
        for (int k = 0; k <= order; ++k) r.equations.push_back({static_cast<int>(i), k, array.residuals(k)[i]});
    return r;
}

struct StartKernels final : problem::Workspace {
    Kernel residual, jacobian;
};

struct StartContext {
    std::shared_ptr<problem::DerivativeArray> array;
    transform::InitialSystem initial;
    StartKernels kernels;
};

template <Kernel StartKernels::*kernel>
EvalStatus evaluate_start(const problem::Call& call, double t, const double* u, double* y) {
    const std::array<const double*, 2> inputs{&t, u};
    return status((static_cast<StartKernels&>(*call.workspace).*kernel)(inputs, y));
}

class StartLegend : public problem::Legend {
public:
    explicit StartLegend(std::shared_ptr<const StartContext> c) : c_(std::move(c)) {}
    [[nodiscard]] std::string variable(int column) const override {
        const transform::JetEntry& e = c_->initial.unknowns[static_cast<std::size_t>(column)];
        return system().name(e);
    }
    [[nodiscard]] std::string equation(int row) const override {
        const transform::InitialRow& r = c_->initial.rows[static_cast<std::size_t>(row)];
        if (r.row >= 0) return transform::differentiated_text(system(), r.row, r.order, 200);
        if (r.initial_equation >= 0)
            return system().model->text(system().model->initial_equations[static_cast<std::size_t>(r.initial_equation)],
                                        200);
        return "a fixed start value";
    }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        const transform::InitialRow& r = c_->initial.rows[static_cast<std::size_t>(row)];
        return r.row >= 0 ? c_->array->legend->equation_location(r.row) : std::nullopt;
    }
    [[nodiscard]] int differentiations(int row) const override {
        return c_->initial.rows[static_cast<std::size_t>(row)].order;
    }

private:
    [[nodiscard]] const transform::System& system() const {
        return static_cast<const SymbolicArray&>(*c_->array).system();
    }
    std::shared_ptr<const StartContext> c_;
};

} // namespace

namespace {

/// Start values and attributes in the same way as any start: order 0 of the array's initial values.
ArrayModel array_model(std::shared_ptr<SymbolicArray> array, const transform::InitialSystem& initial) {
    ArrayModel result;
    result.variables = static_cast<int>(array->model()->variables.size());
    result.differential = array->differential();
    array->start.assign(static_cast<std::size_t>(array->unknowns()), 0.0);
    array->infos.resize(static_cast<std::size_t>(array->unknowns()));
    const std::vector<int> column = array->system().columns();
    for (std::size_t i = 0; i < initial.unknowns.size(); ++i) {
        if (initial.unknowns[i].order != 0) continue;
        const auto j = static_cast<std::size_t>(column[static_cast<std::size_t>(initial.unknowns[i].variable)]);
        array->start[j] = initial.data[i].start;
        array->infos[j].nominal = initial.data[i].nominal;
        array->infos[j].min = initial.data[i].min;
        array->infos[j].max = initial.data[i].max;
        array->infos[j].differential = result.differential[j] != 0;
    }
    result.array = std::move(array);
    return result;
}

std::vector<NodeId> rows_of(const transform::System& system) {
    std::vector<NodeId> rows;
    for (std::size_t i = 0; i < system.equations.size(); ++i) rows.push_back(system.residual(static_cast<int>(i)));
    return rows;
}

} // namespace

Expected<ArrayModel> derivative_array(std::shared_ptr<const model::Model> model, const CompileOptions& options) {
    auto parameters = model::parameter_values(*model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    auto starts = given_starts(*model, options.starts);
    if (!starts) return Unexpected{std::move(starts.error())};
    transform::System system = first_order(*model, *parameters);
    std::vector<NodeId> rows = rows_of(system);
    auto array =
        std::make_shared<SymbolicArray>(std::move(system), std::move(model), std::move(rows), *std::move(parameters));
    const transform::InitialSystem initial =
        transform::initialize(array->system(), uniform(*array, 0), *starts, options.start_time);
    return array_model(std::move(array), initial);
}

Expected<SwitchedArray> switched_array(std::shared_ptr<const model::Model> model, const CompileOptions& options) {
    auto parameters = model::parameter_values(*model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    auto starts = given_starts(*model, options.starts);
    if (!starts) return Unexpected{std::move(starts.error())};
    auto c = std::make_shared<Compilation>();
    c->system = first_order(*model, *parameters);
    c->model = c->system.extended ? std::shared_ptr<const model::Model>(c->system.extended) : model;
    if (!options.machine_code) c->backend = tape::Backend::interpreter;
    c->parameters = *std::move(parameters);
    c->formulation.kind = Reduction::none;
    const std::vector<NodeId> rows = rows_of(c->system);
    for (const int v : c->system.variables) c->formulation.unknowns.push_back({v, 0});
    c->formulation.index_unknowns();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        c->formulation.rows.push_back({static_cast<int>(i), 0, rows[i]});
        c->reduced.equations.push_back({static_cast<int>(i), 0, rows[i]});
    }
    c->reduced.analysis.c.assign(rows.size(), 0);
    c->reduced.analysis.d.assign(rows.size(), 1);
    c->initial = transform::initialize(c->system, c->reduced, *starts, options.start_time);
    CompiledModel written;
    written.model = model;
    build_problem(c, options, written);
    auto array = std::make_shared<SymbolicArray>(c->system, std::move(model), c->frozen_rows, c->parameters);
    return SwitchedArray{array_model(std::move(array), c->initial), std::move(written.problem)};
}

Expected<ArrayStart> array_start(const ArrayModel& model, int order, const CompileOptions& options) {
    auto& array = static_cast<SymbolicArray&>(*model.array);
    if (!array.prepare(order)) return fail(make_error("derivative-array", array.why_not()));
    auto starts = given_starts(*array.model(), options.starts);
    if (!starts) return Unexpected{std::move(starts.error())};
    auto c = std::make_shared<StartContext>();
    c->array = model.array;
    c->initial =
        transform::initialize(array.system(), uniform(array, order), *starts, options.start_time, options.steady_state);
    expr::Graph& g = array.system().graph();
    const std::vector<int> column = array.system().columns();

    ArrayStart start;
    problem::InitialProblem& p = start.initial;
    p.t0 = options.start_time;
    std::vector<NodeId> unknowns, rows, parameters;
    for (std::size_t i = 0; i < c->initial.unknowns.size(); ++i) {
        const transform::JetEntry& e = c->initial.unknowns[i];
        unknowns.push_back(g.variable(e.variable, e.order));
        problem::InitialUnknown& u = c->initial.data[i];
        // What is nowhere differentiated follows from the rest: its start value only helps the iteration.
        const auto j = static_cast<std::size_t>(column[static_cast<std::size_t>(e.variable)]);
        if (u.strength == problem::Strength::preferred && u.origin == problem::StartOrigin::model &&
            !model.differential[j])
            u.strength = problem::Strength::guess;
    }
    for (const auto& row : c->initial.rows) rows.push_back(row.residual);
    for (std::size_t k = 0; k < array.system().parameters.size(); ++k)
        parameters.push_back(g.parameter(static_cast<int>(k)));
    const Segments segments{parameters, {g.time()}, unknowns};
    const auto entries = transform::jacobian(g, rows);
    std::vector<std::pair<int, int>> positions;
    for (const auto& e : entries)
        positions.emplace_back(e.row, c->initial.unknown({g.variable_id(e.leaf), g.derivative_order(e.leaf)}));
    p.equations = static_cast<int>(rows.size());
    p.unknowns = c->initial.data;
    p.pattern = SparsityPattern::from_entries(p.equations, static_cast<int>(unknowns.size()), positions);
    std::vector<NodeId> values(static_cast<std::size_t>(p.pattern.nonzeros()), g.constant(0.0));
    for (std::size_t k = 0; k < entries.size(); ++k)
        values[static_cast<std::size_t>(p.pattern.find(positions[k].first, positions[k].second))] = entries[k].value;
    c->kernels.residual = Kernel(g, segments, rows);
    c->kernels.jacobian = Kernel(g, segments, values);
    c->kernels.residual.set_parameters(array.system().parameters);
    c->kernels.jacobian.set_parameters(array.system().parameters);
    for (const int v : array.system().variables) {
        p.x_from.push_back(c->initial.unknown({v, 0}));
        p.dx_from.push_back(c->initial.unknown({v, 1}));
    }
    for (int k = 0; k <= order + 1; ++k)
        for (const int v : array.system().variables) start.z_from.push_back(c->initial.unknown({v, k}));
    p.binding = problem::Binding(c, [code = c.get()] { return std::make_unique<StartKernels>(code->kernels); });
    p.residual = &evaluate_start<&StartKernels::residual>;
    p.jacobian = &evaluate_start<&StartKernels::jacobian>;
    p.legend = std::make_shared<StartLegend>(c);
    return start;
}

} // namespace daedalus::compile
