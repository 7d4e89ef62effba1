#include "compile/symbolic_array.hpp"

#include "transform/jacobian.hpp"

#include <fmt/format.h>

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

} // namespace

SymbolicArray::SymbolicArray(transform::System system, std::shared_ptr<const model::Model> model,
                             std::vector<NodeId> rows, std::vector<double> parameters)
    : DerivativeArray(static_cast<int>(system.equations.size()), static_cast<int>(system.variables.size())),
      system_(std::move(system)), model_(std::move(model)), parameters_(std::move(parameters)), ddt_(system_.graph()) {
    legend = std::make_shared<ArrayLegend>(system_, model_);
    const std::vector<int> column = system_.columns();
    const expr::Graph& g = system_.graph();
    for (const auto& e : transform::jacobian(system_.graph(), rows))
        entries_.push_back(
            {e.row, column[static_cast<std::size_t>(g.variable_id(e.leaf))], g.derivative_order(e.leaf), {e.value}});
    for (const NodeId node : g.reachable(rows))
        if (g.op(node) == Op::parameter) mentioned_.push_back(g.parameter_id(node));
    for (const int p : mentioned_) circumstances_.push_back(parameters_[static_cast<std::size_t>(p)]);
    residuals_.push_back(std::move(rows));
}

bool SymbolicArray::prepare(int order) {
    while (static_cast<int>(orders_.size()) <= order)
        if (!differentiate(static_cast<int>(orders_.size()))) return false;
    return true;
}

EvalStatus SymbolicArray::residual(int order, double t, const double* z, double* r) {
    const std::array<const double*, 2> inputs{&t, z};
    return status(orders_[static_cast<std::size_t>(order)].residual(inputs, r));
}

EvalStatus SymbolicArray::jacobian(int order, double t, const double* z, double* values) {
    const std::array<const double*, 2> inputs{&t, z};
    return status(orders_[static_cast<std::size_t>(order)].jacobian(inputs, values));
}

void SymbolicArray::adopt(const problem::Environment& environment) {
    if (environment.stamp() == stamp_) return;
    stamp_ = environment.stamp();
    bool changed = false;
    for (std::size_t k = 0; k < mentioned_.size(); ++k) {
        const auto p = static_cast<std::size_t>(mentioned_[k]);
        changed = changed || parameters_[p] != environment[p];
        circumstances_[k] = parameters_[p] = environment[p];
    }
    if (!changed) return;
    for (Order& o : orders_) {
        o.residual.set_parameters(parameters_);
        o.jacobian.set_parameters(parameters_);
    }
}

std::vector<char> SymbolicArray::differential() const {
    std::vector<char> list(static_cast<std::size_t>(unknowns()), 0);
    for (const Entry& e : entries_)
        if (e.derivative == 1) list[static_cast<std::size_t>(e.column)] = 1;
    return list;
}

bool SymbolicArray::differentiate(int k) {
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
    for (std::size_t p = 0; p < parameters_.size(); ++p) parameters.push_back(g.parameter(static_cast<int>(p)));
    const Segments segments{parameters, {g.time()}, z};
    std::vector<NodeId> rows;
    for (const auto& block : residuals_) rows.insert(rows.end(), block.begin(), block.end());
    Order o;
    o.residual = Kernel(g, segments, rows);
    std::vector<NodeId> values;
    o.pattern = assemble(k, values);
    o.jacobian = Kernel(g, segments, values);
    o.residual.set_parameters(parameters_);
    o.jacobian.set_parameters(parameters_);
    orders_.push_back(std::move(o));
    return true;
}

SparsityPattern SymbolicArray::assemble(int k, std::vector<NodeId>& values) {
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

} // namespace daedalus::compile
