#include "compile/written_equations.hpp"

#include "codegen/kernel.hpp"
#include "expr/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::compile {

namespace {

using expr::NodeId;
using expr::Op;

constexpr std::size_t largest = 2000; // equations: the check costs a few evaluations of all of them per point

// Summands of an expression: what is added and subtracted at its top, in any nesting.
std::vector<NodeId> summands(const expr::Graph& g, std::vector<NodeId> open) {
    std::vector<NodeId> list;
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        const Op op = g.op(node);
        if (op == Op::add || op == Op::sub || op == Op::neg)
            for (int k = 0; k < expr::arity(op); ++k) open.push_back(g.operand(node, k));
        else
            list.push_back(node);
    }
    return list;
}

class Written final : public WrittenEquations {
public:
    explicit Written(const CompiledModel& compiled) : model_(compiled.model) {
        expr::Graph& g = *model_->graph;
        std::vector<NodeId> parameters, y, dy, rows, sizes;
        for (std::size_t p = 0; p < compiled.parameters.size(); ++p)
            parameters.push_back(g.parameter(static_cast<int>(p)));
        for (std::size_t v = 0; v < model_->variables.size(); ++v) {
            y.push_back(g.variable(static_cast<int>(v)));
            dy.push_back(g.variable(static_cast<int>(v), 1));
        }
        for (const model::Equation& e : model_->equations) {
            rows.push_back(g.sub(e.left, e.right));
            NodeId size = g.constant(0.0);
            for (const NodeId term : summands(g, {e.left, e.right})) size = g.add(size, g.unary(Op::abs, term));
            sizes.push_back(size);
        }
        differentiated.assign(y.size(), 0);
        for (const NodeId leaf : g.reachable(rows))
            if (g.op(leaf) == Op::variable && g.derivative_order(leaf) > 0)
                differentiated[static_cast<std::size_t>(g.variable_id(leaf))] = 1;
        for (const model::Variable& v : model_->variables)
            nominal.push_back(v.nominal == expr::no_node ? 1.0
                                                         : std::abs(expr::evaluate(g, v.nominal, [&](NodeId leaf) {
                                                               const auto id = g.parameter_id(leaf);
                                                               return compiled.parameters[static_cast<std::size_t>(id)];
                                                           })));
        rows.insert(rows.end(), sizes.begin(), sizes.end());
        kernel_ = codegen::Kernel(g, {parameters, {g.time()}, y, dy}, rows, {.backend = tape::Backend::interpreter});
        kernel_.set_parameters(compiled.parameters);
        values_.resize(rows.size());
    }

    [[nodiscard]] int equations() const override { return static_cast<int>(values_.size() / 2); }
    [[nodiscard]] bool evaluate(double t, const double* y, const double* dy, double* r, double* terms) override {
        const std::array<const double*, 3> inputs{&t, y, dy};
        const bool finite = kernel_(inputs, values_.data());
        const auto n = static_cast<std::ptrdiff_t>(values_.size() / 2);
        std::copy_n(values_.begin(), n, r);
        std::copy_n(values_.begin() + n, n, terms);
        return finite;
    }
    [[nodiscard]] std::string text(int equation) const override {
        return model_->text(model_->equations[static_cast<std::size_t>(equation)], 200);
    }
    [[nodiscard]] std::optional<Location> where(int equation) const override {
        const SourceSpan& span = model_->equations[static_cast<std::size_t>(equation)].span;
        return span.known() ? std::optional(span.locate()) : std::nullopt;
    }

private:
    std::shared_ptr<const model::Model> model_;
    codegen::Kernel kernel_;
    std::vector<double> values_;
};

} // namespace

std::unique_ptr<WrittenEquations> written_equations(const CompiledModel& compiled) {
    const model::Model& m = *compiled.model;
    if (m.equations.empty() || m.equations.size() > largest || changes_at_events(m) || !m.samples.empty() ||
        !m.memories.empty() || compiled.parameters.size() < m.parameters.size())
        return nullptr;
    std::vector<NodeId> sides;
    for (const model::Equation& e : m.equations) sides.insert(sides.end(), {e.left, e.right});
    for (const NodeId leaf : m.graph->reachable(sides)) {
        if (m.graph->op(leaf) == Op::variable && m.graph->derivative_order(leaf) > 1) return nullptr;
        if (m.graph->op(leaf) == Op::parameter &&
            static_cast<std::size_t>(m.graph->parameter_id(leaf)) >= compiled.parameters.size())
            return nullptr;
    }
    return std::make_unique<Written>(compiled);
}

} // namespace daedalus::compile
