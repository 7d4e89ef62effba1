#include "study/model_run.hpp"

#include "modelica/read_modelica.hpp"
#include "simulation/record.hpp"
#include "simulation/solve_model.hpp"

namespace daedalus::study {

const std::vector<double>& ModelRun::operator[](const std::string& name) const {
    static const std::vector<double> nothing{0.0};
    for (std::size_t k = 0; k < trajectory.variables.size(); ++k)
        if (trajectory.variables[k].name == name && !trajectory.values[k].empty()) return trajectory.values[k];
    return nothing;
}

ModelRun run_model(const std::string& modelica, const SolveOptions& options) {
    ModelRun run;
    auto model = modelica::read_modelica(std::make_shared<SourceFile>("study.mo", modelica));
    if (!model) {
        run.message = model.error().front().message;
        return run;
    }
    const simulation::Compilations compilations(std::make_shared<const model::Model>(*std::move(model)),
                                                simulation::Compilations::For::one_run);
    auto record = simulation::solve_model(compilations, options, simulation::Detail::numbers);
    if (!record) {
        run.message = record.error().front().message;
        return run;
    }
    simulation::deliver_points(*record);
    run.solved = record->outcome == Outcome::success;
    run.message = record->message;
    run.trajectory = std::move(record->trajectory);
    return run;
}

} // namespace daedalus::study
