#include "facade/model_files.hpp"

#include "base/text_file.hpp"
#include "mechanics/lagrange.hpp"
#include "mechanics/mjcf.hpp"
#include "mechanics/read_mechanism.hpp"
#include "mechanics/urdf.hpp"
#include "simulation/circuit_start.hpp"

namespace daedalus {

namespace {
Expected<ReadModel> read(Expected<model::Model> model, std::shared_ptr<const mechanics::Scene> scene = nullptr) {
    if (!model) return Unexpected{std::move(model.error())};
    return ReadModel{*std::move(model), std::move(scene)};
}
Expected<ReadModel> read_deck(std::shared_ptr<const SourceFile> file) {
    auto netlist = spice::read_netlist(std::move(file));
    if (!netlist) return Unexpected{std::move(netlist.error())};
    auto made = circuit::make_circuit(std::make_shared<const spice::Netlist>(*std::move(netlist)));
    if (!made) return Unexpected{std::move(made.error())};
    const auto whole = std::make_shared<const circuit::Circuit>(*std::move(made));
    return ReadModel{*simulation::transient_model(whole), nullptr};
}
} // namespace

Expected<ReadModel> read_model_text(std::shared_ptr<const SourceFile> file, const modelica::ReadOptions& options) {
    const auto scene = std::make_shared<mechanics::Scene>();
    if (file->name().ends_with(".mech")) return read(mechanics::read_mechanism(std::move(file), scene.get()), scene);
    if (file->name().ends_with(".urdf")) return read(mechanics::read_urdf(std::move(file), scene.get()), scene);
    if (file->name().ends_with(".mjcf") || file->name().ends_with(".xml"))
        return read(mechanics::read_mjcf(std::move(file), scene.get()), scene);
    if (file->name().ends_with(".lagrange")) return read(mechanics::read_lagrangian(std::move(file)));
    if (spice::is_deck(file->name())) return read_deck(std::move(file));
    return read(modelica::read_modelica(std::move(file), options));
}

Expected<ReadModel> read_model_file(const std::string& path, const modelica::ReadOptions& options) {
    auto file = read_text_file(path);
    if (!file) return Unexpected{std::move(file.error())};
    return read_model_text(*std::move(file), options);
}

} // namespace daedalus
