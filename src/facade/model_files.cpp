#include "facade/model_files.hpp"

#include "base/text_file.hpp"
#include "mechanics/lagrange.hpp"
#include "mechanics/read_mechanism.hpp"
#include "mechanics/urdf.hpp"

namespace daedalus {

Expected<model::Model> read_model_text(std::shared_ptr<const SourceFile> file, const modelica::ReadOptions& options) {
    if (file->name().ends_with(".mech")) return mechanics::read_mechanism(std::move(file));
    if (file->name().ends_with(".urdf")) return mechanics::read_urdf(std::move(file));
    if (file->name().ends_with(".lagrange")) return mechanics::read_lagrangian(std::move(file));
    return modelica::read_modelica(std::move(file), options);
}

Expected<model::Model> read_model_file(const std::string& path, const modelica::ReadOptions& options) {
    auto file = read_text_file(path);
    if (!file) return Unexpected{std::move(file.error())};
    return read_model_text(*std::move(file), options);
}

} // namespace daedalus
