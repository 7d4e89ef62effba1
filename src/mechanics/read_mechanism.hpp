// Mechanism files (.mech) as models, and descriptions made elsewhere.
#pragma once

#include "base/problems.hpp"
#include "mechanics/description.hpp"

#include <memory>
#include <string>

namespace daedalus::mechanics {

/// The equations of what is described. Errors carry places of the description.
[[nodiscard]] Expected<model::Model> to_model(Description description, Scene* scene = nullptr);
/// With what was found while it was made.
[[nodiscard]] Expected<model::Model> to_model(Description description, Problems& problems, Scene* scene = nullptr);

/// `scene`: told what can be seen of it.
[[nodiscard]] Expected<model::Model> read_mechanism(std::shared_ptr<const SourceFile> file, Scene* scene = nullptr);

} // namespace daedalus::mechanics
