// Model files of all kinds, told apart by how their names end: Modelica, mechanisms (.mech),
// energies (.lagrange), robots (.urdf, .mjcf) and SPICE decks (.cir, .net, .sp, .ckt).
#pragma once

#include "mechanics/scene.hpp"
#include "modelica/read_modelica.hpp"

#include <memory>
#include <string>

namespace daedalus {

struct ReadModel {
    model::Model model;
    std::shared_ptr<const mechanics::Scene> scene; ///< of a mechanism
};

/// Other kinds than Modelica have one model per file and no libraries.
[[nodiscard]] Expected<ReadModel> read_model_text(std::shared_ptr<const SourceFile> file,
                                                  const modelica::ReadOptions& options);
[[nodiscard]] Expected<ReadModel> read_model_file(const std::string& path, const modelica::ReadOptions& options);

} // namespace daedalus
