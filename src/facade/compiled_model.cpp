#include "daedalus/compiled_model.hpp"

#include "facade/access.hpp"
#include "facade/initialize.hpp"
#include "simulation/files_of_run.hpp"
#include "simulation/private_copy.hpp"
#include "simulation/solve_model.hpp"

#include <algorithm>

namespace daedalus {

Expected<Solution> CompiledModel::solve(const SolveOptions& options) const {
    auto record = simulation::solve_model(impl_->compilations, options);
    if (!record) return Unexpected{std::move(record.error())};
    record->files = simulation::files_of_run(impl_->compilations.model().get(), options);
    facade::look_for_change_points(impl_->scene.get(), impl_->compilations, options, *record);
    return Solution(std::make_shared<Solution::Impl>(*std::move(record),
                                                     facade::show(impl_->scene, impl_->compilations.model(), options)));
}

Expected<InitialValues> CompiledModel::start(const SolveOptions& options) const {
    return facade::initialize(impl_->compilations, options);
}

const std::string& CompiledModel::name() const { return impl_->compilations.model()->name; }

namespace {

/// Inputs that these options leave open: runs give them, and what needs them is compiled then.
bool leaves_inputs_open(const model::Model& model, const SolveOptions& options) {
    return std::any_of(model.variables.begin(), model.variables.end(), [&](const model::Variable& v) {
        const auto given = [&](const Input& input) { return input.name == v.name; };
        return v.is_input && std::none_of(options.inputs.begin(), options.inputs.end(), given);
    });
}

} // namespace

Expected<CompiledModel> Model::compile() const { return compile(SolveOptions{}); }

Expected<CompiledModel> Model::compile(const SolveOptions& options) const {
    auto compiled = std::make_shared<CompiledModel::Impl>(simulation::private_copy(*impl_->model), impl_->scene);
    if (leaves_inputs_open(*impl_->model, options)) return CompiledModel(std::move(compiled));
    if (Diagnostics errors = simulation::compile_for(compiled->compilations, options); !errors.empty())
        return Unexpected{std::move(errors)};
    return CompiledModel(std::move(compiled));
}

} // namespace daedalus
