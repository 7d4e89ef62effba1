#include "daedalus/compiled_model.hpp"

#include "facade/access.hpp"
#include "facade/initialize.hpp"
#include "simulation/private_copy.hpp"
#include "simulation/solve_model.hpp"

namespace daedalus {

Expected<Solution> CompiledModel::solve(const SolveOptions& options) const {
    auto record = simulation::solve_model(impl_->compilations, options);
    if (!record) return Unexpected{std::move(record.error())};
    return Solution(std::make_shared<Solution::Impl>(Solution::Impl{*std::move(record)}));
}

Expected<InitialValues> CompiledModel::start(const SolveOptions& options) const {
    return facade::initialize(impl_->compilations, options);
}

const std::string& CompiledModel::name() const { return impl_->compilations.model()->name; }

Expected<CompiledModel> Model::compile() const { return compile(SolveOptions{}); }

Expected<CompiledModel> Model::compile(const SolveOptions& options) const {
    auto compiled = std::make_shared<CompiledModel::Impl>(simulation::private_copy(*impl_->model));
    if (Diagnostics errors = simulation::compile_for(compiled->compilations, options); !errors.empty())
        return Unexpected{std::move(errors)};
    return CompiledModel(std::move(compiled));
}

} // namespace daedalus
