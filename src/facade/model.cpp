#include "daedalus/model.hpp"

#include "base/printable.hpp"
#include "facade/access.hpp"
#include "facade/model_files.hpp"
#include "modelica/flat_text.hpp"
#include "modelica/read_modelica.hpp"

#include <cmath>
#include <stdexcept>

namespace daedalus {

namespace {
void refuse_unprintable(const std::string& name) {
    if (!is_printable(name))
        throw std::invalid_argument("the name '" + printable(name) + "' has control characters in it");
}
void refuse_taken(const model::Model& m, const std::string& name) {
    refuse_unprintable(name);
    if (m.find_variable(name) || m.find_parameter(name))
        throw std::invalid_argument("the model '" + m.name + "' has '" + name + "' already");
}
} // namespace

Model::Model(std::string name) : impl_(std::make_shared<Impl>()) {
    refuse_unprintable(name);
    impl_->model->name = std::move(name);
}
// A finished model: time() changes nothing in it any more, for many threads may read it.
Model::Model(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) { (void)impl_->model->graph->time(); }
Model Model::make(std::shared_ptr<Impl> impl) { return Model(std::move(impl)); }
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

const Model::Impl& Model::impl() const {
    if (!impl_) throw std::logic_error("this model was moved elsewhere");
    return *impl_;
}

Expected<Model> Model::from_library(const std::string& class_name, const std::vector<std::string>& libraries) {
    auto read = modelica::read_modelica_class(class_name, {.model = class_name, .libraries = libraries});
    if (!read) return Unexpected{std::move(read.error())};
    auto impl = std::make_shared<Impl>();
    *impl->model = *std::move(read);
    return Model(std::move(impl));
}

Expected<Model> Model::from_file(const std::string& path, const std::string& class_name,
                                 const std::vector<std::string>& libraries) {
    auto read = read_model_file(path, {.model = class_name, .libraries = libraries});
    if (!read) return Unexpected{std::move(read.error())};
    auto impl = std::make_shared<Impl>();
    *impl->model = std::move(read->model);
    impl->scene = std::move(read->scene);
    return Model(std::move(impl));
}

Expected<Model> Model::from_string(const std::string& text, const std::string& file_name, const std::string& class_name,
                                   const std::vector<std::string>& libraries) {
    auto read =
        read_model_text(std::make_shared<SourceFile>(file_name, text), {.model = class_name, .libraries = libraries});
    if (!read) return Unexpected{std::move(read.error())};
    auto impl = std::make_shared<Impl>();
    *impl->model = std::move(read->model);
    impl->scene = std::move(read->scene);
    return Model(std::move(impl));
}

Expression Model::variable(std::string name, const VariableOptions& options) {
    model::Model& m = *impl().model;
    refuse_taken(m, name);
    const auto given = [&](double value) { return std::isnan(value) ? expr::no_node : m.graph->constant(value); };
    model::Variable v;
    v.name = std::move(name);
    v.start = given(options.start);
    v.nominal = given(options.nominal);
    v.min = given(options.min);
    v.max = given(options.max);
    v.fixed = options.fixed;
    v.unit = printable(options.unit);
    v.description = printable(options.description);
    return Expression::Access::make(m.graph, m.graph->variable(m.add_variable(std::move(v))));
}

Expression Model::parameter(std::string name, double value, std::string unit, std::string description) {
    model::Model& m = *impl().model;
    refuse_taken(m, name);
    model::Parameter p;
    p.name = std::move(name);
    p.binding = m.graph->constant(value);
    p.unit = printable(unit);
    p.description = printable(description);
    return Expression::Access::make(m.graph, m.graph->parameter(m.add_parameter(std::move(p))));
}

Expression Model::time() const { return Expression::Access::make(impl().model->graph, impl().model->graph->time()); }

namespace {
model::Equation lowered(expr::Graph& g, const EquationExpression& e, const std::string& description) {
    return {Expression::Access::node(e.left, g), Expression::Access::node(e.right, g), printable(description), {}};
}
} // namespace

void Model::equation(const EquationExpression& e, std::string description) {
    model::Model& m = *impl().model;
    m.equations.push_back(lowered(*m.graph, e, description));
}
void Model::initial_equation(const EquationExpression& e) {
    model::Model& m = *impl().model;
    m.initial_equations.push_back(lowered(*m.graph, e, {}));
}

void Model::stop_when(const Expression& condition, std::string message) {
    model::WhenBranch branch;
    branch.conditions = {Expression::Access::node(condition, *impl().model->graph)};
    branch.terminates = true;
    branch.also_at_start = true;
    branch.message = printable(message);
    impl_->model->clauses.push_back({{std::move(branch)}});
}
void Model::when(const Expression& condition, const std::vector<Reinit>& reinits) {
    expr::Graph& g = *impl().model->graph;
    model::WhenBranch branch;
    branch.conditions = {Expression::Access::node(condition, g)};
    for (const Reinit& r : reinits) {
        const expr::NodeId variable = Expression::Access::node(r.variable, g);
        if (g.op(variable) != expr::Op::variable)
            throw std::invalid_argument("what takes a new value at an event must be a variable of the model");
        branch.reinits.push_back({variable, Expression::Access::node(r.value, g), {}});
    }
    impl_->model->clauses.push_back({{std::move(branch)}});
}

const std::string& Model::name() const { return impl().model->name; }
std::size_t Model::equation_count() const { return impl().model->equations.size(); }
std::size_t Model::variable_count() const { return impl().model->variables.size(); }
std::vector<std::string> Model::variable_names() const {
    std::vector<std::string> names;
    for (const model::Variable& v : impl().model->variables) names.push_back(v.name);
    return names;
}
const Diagnostics& Model::warnings() const { return impl().model->warnings; }

std::string Model::to_modelica() const {
    auto text = modelica::flat_text(*impl().model);
    if (!text) throw std::logic_error(render(text.error()));
    return *std::move(text);
}

} // namespace daedalus
