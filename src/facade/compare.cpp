#include "daedalus/compare.hpp"

#include "facade/access.hpp"
#include "study/comparison.hpp"

namespace daedalus {

Expected<CompareResult> compare(const CompiledModel& model, const CompareOptions& options) {
    const CompiledModel::Impl& impl = model.impl();
    std::vector<model::ParameterOverride> given;
    for (const auto& [name, value] : options.solve.parameters) given.push_back({name, value});
    const auto parameters = model::parameter_values(*impl.compilations.model(), given);
    const facade::Visible visible{impl.scene, impl.compilations.model(),
                                  parameters ? *parameters : std::vector<double>()};
    return study::run_comparison(impl.compilations, options,
                                 parameters ? facade::energy_of(visible) : study::EnergyFunction());
}

} // namespace daedalus
