// Total derivatives by the expression graph. The Jacobian is not differentiated out of long expressions: with D = d/dt,
//     ∂(D F)/∂x^(i) = D(∂F/∂x^(i)) + ∂F/∂x^(i-1),     so     ∂(D^j F)/∂x^(i) = C(j,i) D^(j-i) F_x + C(j,i-1) D^(j-i+1)
//     F_x',
// it consists of the derivatives of the first Jacobian's entries.
#include "compile/derivative_array.hpp"

#include "codegen/kernel.hpp"
#include "compile/starts.hpp"
#include "expr/substitute.hpp"
#include "transform/initialization.hpp"
#include "transform/jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace daedalus::compile {

namespace {

using codegen::Kernel;
using codegen::Segments;
using expr::NodeId;
using expr::Op;
using problem::EvalStatus;

// More nodes than this are not differentiated further: kernels would take longer than what they are asked for.
constexpr std::size_t most_nodes = 4'000'000;

double binomial(int n, int k) {
    if (k < 0 || k > n) return 0.0;
    double value = 1.0;
    for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
}

EvalStatus status(bool finite) { return finite ? EvalStatus::ok : EvalStatus::not_finite; }

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
    for (const auto& chain : names)
        for (std::size_t k = 1; k < chain.size(); ++k)
            s.equations.push_back({g.variable(chain[k - 1], 1), g.variable(chain[k]), -1, "definition"});
    return s;
}

class ArrayLegend : public problem::Legend {
public:
    ArrayLegend(const transform::System& system, std::shared_ptr<const model::Model> model)
        : s_(system), keep_alive_(std::move(model)) {}
    [[nodiscard]] std::string variable(int column) const override {
        return s_.model->variables[static_cast<std::size_t>(s_.variables[static_cast<std::size_t>(column)])].name;
    }
    [[nodiscard]] std::string equation(int row) const override { return s_.text(row, 200); }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        const SourceSpan span = s_.span(row);
        return span.known() ? std::optional(span.locate()) : std::nullopt;
    }

private:
    transform::System s_; ///< a copy: the legend may outlive the array
    std::shared_ptr<const model::Model> keep_alive_;
};

class SymbolicArray : public problem::DerivativeArray {
public:
    SymbolicArray(transform::System system, std::shared_ptr<const model::Model> model)
        : DerivativeArray(static_cast<int>(system.equations.size()), static_cast<int>(system.variables.size())),
          system_(std::move(system)), model_(std::move(model)), ddt_(system_.graph()) {
        legend = std::make_shared<ArrayLegend>(system_, model_);
        std::vector<NodeId> rows;
        for (int i = 0; i < equations(); ++i) rows.push_back(system_.residual(i));
        const std::vector<int> column = system_.columns();
        const expr::Graph& g = system_.graph();
        for (const auto& e : transform::jacobian(system_.graph(), rows))
            entries_.push_back({e.row,
                                column[static_cast<std::size_t>(g.variable_id(e.leaf))],
                                g.derivative_order(e.leaf),
                                {e.value}});
        residuals_.push_back(std::move(rows));
    }

    [[nodiscard]] bool prepare(int order) override {
        while (static_cast<int>(orders_.size()) <= order) {
            if (!differentiate(static_cast<int>(orders_.size()))) return false;
        }
        return true;
    }
    [[nodiscard]] std::string why_not() const override { return why_not_; }

    [[nodiscard]] EvalStatus residual(int order, double t, const double* z, double* r) override {
        const std::array<const double*, 2> inputs{&t, z};
        return status(orders_[static_cast<std::size_t>(order)].residual(inputs, r));
    }
    [[nodiscard]] const SparsityPattern& pattern(int order) override {
        return orders_[static_cast<std::size_t>(order)].pattern;
    }
    [[nodiscard]] EvalStatus jacobian(int order, double t, const double* z, double* values) override {
        const std::array<const double*, 2> inputs{&t, z};
        return status(orders_[static_cast<std::size_t>(order)].jacobian(inputs, values));
    }

    [[nodiscard]] const transform::System& system() const { return system_; }
    [[nodiscard]] const std::vector<NodeId>& residuals(int order) const {
        return residuals_[static_cast<std::size_t>(order)];
    }
    [[nodiscard]] std::shared_ptr<const model::Model> model() const { return model_; }
    [[nodiscard]] std::vector<char> differential() const {
        std::vector<char> list(static_cast<std::size_t>(unknowns()), 0);
        for (const Entry& e : entries_)
            if (e.derivative == 1) list[static_cast<std::size_t>(e.column)] = 1;
        return list;
    }

private:
    /// ∂F_row/∂x_column (derivative 0) or ∂F_row/∂x'_column (1), with its total derivatives.
    struct Entry {
        int row, column, derivative;
        std::vector<NodeId> value;
    };
    struct Order {
        Kernel residual, jacobian;
        SparsityPattern pattern;
    };

    bool differentiate(int k) {
        expr::Graph& g = system_.graph();
        if (g.size() > most_nodes) {
            why_not_ = fmt::format("the equations differentiated {} times are too long", k);
            return false;
        }
        if (k > 0) {
            std::vector<NodeId> next;
            for (const NodeId r : residuals_.back()) next.push_back(ddt_(r));
            residuals_.push_back(std::move(next));
            for (Entry& e : entries_) e.value.push_back(ddt_(e.value.back()));
        }
        std::vector<NodeId> z;
        for (int j = 0; j <= k + 1; ++j)
            for (const int v : system_.variables) z.push_back(g.variable(v, j));
        std::vector<NodeId> parameters;
        for (std::size_t p = 0; p < system_.parameters.size(); ++p)
            parameters.push_back(g.parameter(static_cast<int>(p)));
        const Segments segments{parameters, {g.time()}, z};
        std::vector<NodeId> rows;
        for (const auto& block : residuals_) rows.insert(rows.end(), block.begin(), block.end());
        Order o;
        o.residual = Kernel(g, segments, rows);
        std::vector<NodeId> values;
        o.pattern = assemble(k, values);
        o.jacobian = Kernel(g, segments, values);
        o.residual.set_parameters(system_.parameters);
        o.jacobian.set_parameters(system_.parameters);
        orders_.push_back(std::move(o));
        return true;
    }

    SparsityPattern assemble(int k, std::vector<NodeId>& values) {
        expr::Graph& g = system_.graph();
        std::vector<std::pair<int, int>> positions;
        std::vector<NodeId> terms;
        for (const Entry& e : entries_)
            for (int j = 0; j <= k; ++j)
                for (int i = e.derivative; i <= j + e.derivative; ++i) {
                    const NodeId d = e.value[static_cast<std::size_t>(j - i + e.derivative)];
                    if (g.is_constant(d, 0.0)) continue;
                    positions.emplace_back(j * equations() + e.row, i * unknowns() + e.column);
                    terms.push_back(g.mul(g.constant(binomial(j, i - e.derivative)), d));
                }
        SparsityPattern pattern = SparsityPattern::from_entries(rows(k), columns(k), positions);
        values.assign(static_cast<std::size_t>(pattern.nonzeros()), g.constant(0.0));
        for (std::size_t p = 0; p < positions.size(); ++p) {
            NodeId& sum = values[static_cast<std::size_t>(pattern.find(positions[p].first, positions[p].second))];
            sum = g.add(sum, terms[p]);
        }
        return pattern;
    }

    transform::System system_;
    std::shared_ptr<const model::Model> model_;
    expr::TimeDerivative ddt_;
    std::vector<Entry> entries_;
    std::vector<std::vector<NodeId>> residuals_; ///< by order
    std::vector<Order> orders_;
    std::string why_not_;
};

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

Expected<ArrayModel> derivative_array(std::shared_ptr<const model::Model> model, const CompileOptions& options) {
    auto parameters = model::parameter_values(*model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    auto starts = given_starts(*model, options.starts);
    if (!starts) return Unexpected{std::move(starts.error())};
    auto array = std::make_shared<SymbolicArray>(first_order(*model, *std::move(parameters)), model);
    ArrayModel result;
    result.variables = static_cast<int>(model->variables.size());
    result.differential = array->differential();
    // Start values and attributes in the same way as any start: order 0 of the array's initial values.
    const transform::InitialSystem initial =
        transform::initialize(array->system(), uniform(*array, 0), *starts, options.start_time);
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
