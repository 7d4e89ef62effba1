// From rows and columns back to the model: texts are made when asked for.
#include "compile/compilation.hpp"
#include "expr/evaluate.hpp"

#include <fmt/format.h>

namespace daedalus::compile {

namespace {

using transform::JetEntry;

std::optional<Location> location(const SourceSpan& span) {
    return span.known() ? std::optional(span.locate()) : std::nullopt;
}

std::string row_text(const Compilation& c, int row, int order, expr::NodeId residual) {
    if (order > 0) return transform::differentiated_text(c.system, row, order, 200);
    const int origin = c.system.equations[static_cast<std::size_t>(row)].origin;
    const bool as_written = residual != c.system.residual(row); // a combination took its place
    if (as_written && origin >= 0) return c.model->text(c.model->equations[static_cast<std::size_t>(origin)], 200);
    return c.system.text(row, 200);
}

std::string domain_text(const Compilation& c, expr::NodeId residual, const std::function<double(expr::NodeId)>& leaf) {
    const expr::DomainError e = expr::find_domain_error(c.system.graph(), residual, leaf);
    if (e.node == expr::no_node) return {};
    return fmt::format("{} in {}", e.reason,
                       expr::to_string(c.system.graph(), e.node, c.system.names(), expr::Notation::plain, 120));
}

/// Where the part that has no value depends on no variable: its parameters with their values.
std::string parameters_text(const Compilation& c, const problem::Environment& environment, expr::NodeId residual,
                            const std::function<double(expr::NodeId)>& leaf) {
    const expr::Graph& g = c.system.graph();
    const expr::DomainError e = expr::find_domain_error(g, residual, leaf);
    if (e.node == expr::no_node) return {};
    const expr::NodeId roots[] = {e.node};
    std::string text;
    for (const expr::NodeId node : g.reachable(roots)) {
        if (g.op(node) == expr::Op::variable) return {};
        if (g.op(node) != expr::Op::parameter) continue;
        const auto id = static_cast<std::size_t>(g.parameter_id(node));
        if (id < c.model->parameters.size())
            text += fmt::format("{}{}, now {:.10g}", text.empty() ? "" : " or ", c.model->parameters[id].name,
                                environment[id]);
    }
    return text.empty() ? text : "the parameter " + text;
}

/// A leaf that is no variable.
double constant_leaf(const Compilation& c, const problem::Environment& environment, expr::NodeId leaf, double t) {
    const expr::Graph& g = c.system.graph();
    if (g.op(leaf) == expr::Op::time) return t;
    return environment[static_cast<std::size_t>(g.parameter_id(leaf))];
}

class RowLegend : public problem::Legend {
public:
    RowLegend(std::shared_ptr<const Compilation> c, const std::vector<transform::DifferentiatedEquation>& rows)
        : c_(std::move(c)), rows_(rows) {}

    [[nodiscard]] std::string variable(int column) const override {
        return c_->system.name(c_->formulation.unknowns[static_cast<std::size_t>(column)]);
    }
    [[nodiscard]] std::optional<Location> variable_location(int column) const override {
        const auto id = static_cast<std::size_t>(c_->formulation.unknowns[static_cast<std::size_t>(column)].variable);
        return id < c_->model->variables.size() ? location(c_->model->variables[id].span) : std::nullopt;
    }
    [[nodiscard]] std::string equation(int row) const override {
        if (is_link(row)) return "a derivative link";
        const auto& e = rows_[static_cast<std::size_t>(row)];
        const bool decays = &rows_ == &c_->formulation.rows && c_->formulation.alpha != expr::no_node && e.order > 0;
        return row_text(*c_, e.row, e.order, e.residual) + (decays ? "   with Baumgarte's terms" : "");
    }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        if (is_link(row)) return std::nullopt;
        return location(c_->system.span(rows_[static_cast<std::size_t>(row)].row));
    }
    [[nodiscard]] int differentiations(int row) const override {
        return is_link(row) ? 0 : rows_[static_cast<std::size_t>(row)].order;
    }
    [[nodiscard]] std::string domain_error(int row, double t, const double* x, const double* dx,
                                           const problem::Environment& environment) const override {
        if (is_link(row)) return {};
        const expr::Graph& g = c_->system.graph();
        return domain_text(*c_, rows_[static_cast<std::size_t>(row)].residual, [&](expr::NodeId leaf) {
            if (g.op(leaf) != expr::Op::variable) return constant_leaf(*c_, environment, leaf, t);
            const auto place = c_->formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
            return place.derivative ? dx[place.unknown] : x[place.unknown];
        });
    }

private:
    /// Plain, or with multipliers.
    [[nodiscard]] bool is_link(int row) const {
        return static_cast<std::size_t>(row) >= rows_.size() || rows_[static_cast<std::size_t>(row)].row < 0;
    }

    std::shared_ptr<const Compilation> c_;
    const std::vector<transform::DifferentiatedEquation>& rows_;
};

class InitialLegend : public problem::Legend {
public:
    explicit InitialLegend(std::shared_ptr<const Compilation> c) : c_(std::move(c)) {}

    [[nodiscard]] std::string variable(int column) const override {
        return c_->system.name(c_->initial.unknowns[static_cast<std::size_t>(column)]);
    }
    // The alias that gave a derivative its name was declared somewhere too; that is the better place to point at.
    [[nodiscard]] std::optional<Location> variable_location(int column) const override {
        const JetEntry entry = c_->initial.unknowns[static_cast<std::size_t>(column)];
        const auto named = c_->model->find_variable(c_->system.name(entry));
        return location(c_->model->variables[static_cast<std::size_t>(named.value_or(entry.variable))].span);
    }
    [[nodiscard]] std::string equation(int row) const override {
        const auto& r = c_->initial.rows[static_cast<std::size_t>(row)];
        if (r.initial_equation >= 0)
            return c_->model->text(c_->model->initial_equations[static_cast<std::size_t>(r.initial_equation)], 200);
        if (r.fixed_variable >= 0) {
            const model::Variable& v = c_->model->variables[static_cast<std::size_t>(r.fixed_variable)];
            // Which of its two names was eliminated the author does not know: both are said.
            std::string other;
            for (const transform::Elimination& e : c_->system.eliminations)
                if (e.variable == r.fixed_variable)
                    other = expr::to_string(c_->system.graph(), e.value, c_->system.names(), expr::Notation::plain, 60);
            return fmt::format("{} = {}{}{} (fixed)", v.name, other, other.empty() ? "" : " = ",
                               v.start == expr::no_node ? "0" : c_->model->text(v.start, 80));
        }
        return row_text(*c_, r.row, r.order, r.residual);
    }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        const auto& r = c_->initial.rows[static_cast<std::size_t>(row)];
        if (r.initial_equation >= 0)
            return location(c_->model->initial_equations[static_cast<std::size_t>(r.initial_equation)].span);
        if (r.fixed_variable >= 0)
            return location(c_->model->variables[static_cast<std::size_t>(r.fixed_variable)].span);
        return location(c_->system.span(r.row));
    }
    [[nodiscard]] int differentiations(int row) const override {
        return c_->initial.rows[static_cast<std::size_t>(row)].order;
    }
    [[nodiscard]] std::string domain_error(int row, double t, const double* u, const double*,
                                           const problem::Environment& environment) const override {
        const expr::Graph& g = c_->system.graph();
        return domain_text(*c_, c_->initial.rows[static_cast<std::size_t>(row)].residual, [&](expr::NodeId leaf) {
            if (g.op(leaf) != expr::Op::variable) return constant_leaf(*c_, environment, leaf, t);
            return u[c_->initial.unknown({g.variable_id(leaf), g.derivative_order(leaf)})];
        });
    }
    [[nodiscard]] std::string domain_remedy(int row, double t, const double* u,
                                            const problem::Environment& environment) const override {
        const expr::Graph& g = c_->system.graph();
        return parameters_text(*c_, environment, c_->initial.rows[static_cast<std::size_t>(row)].residual,
                               [&](expr::NodeId leaf) {
                                   if (g.op(leaf) != expr::Op::variable)
                                       return constant_leaf(*c_, environment, leaf, t);
                                   return u[c_->initial.unknown({g.variable_id(leaf), g.derivative_order(leaf)})];
                               });
    }

private:
    std::shared_ptr<const Compilation> c_;
};

/// Conditions whose change is an event.
class RootsLegend : public problem::Legend {
public:
    explicit RootsLegend(std::shared_ptr<const Compilation> c) : c_(std::move(c)) {}
    [[nodiscard]] std::string equation(int row) const override {
        return expr::to_string(c_->system.graph(), c_->root_shown[static_cast<std::size_t>(row)], c_->system.names(),
                               expr::Notation::plain, 120);
    }

private:
    std::shared_ptr<const Compilation> c_;
};

} // namespace

std::shared_ptr<const problem::Legend> roots_legend(std::shared_ptr<const Compilation> c) {
    return std::make_shared<RootsLegend>(std::move(c));
}
std::shared_ptr<const problem::Legend> problem_legend(std::shared_ptr<const Compilation> c) {
    return std::make_shared<RowLegend>(c, c->formulation.rows);
}
std::shared_ptr<const problem::Legend> hidden_legend(std::shared_ptr<const Compilation> c) {
    return std::make_shared<RowLegend>(c, c->formulation.hidden);
}
std::shared_ptr<const problem::Legend> initial_legend(std::shared_ptr<const Compilation> c) {
    return std::make_shared<InitialLegend>(std::move(c));
}

} // namespace daedalus::compile
