#include "mechanics/description.hpp"

namespace daedalus::mechanics {

NodeId Description::quantity(const std::string& name, const SourceSpan& span) {
    for (std::size_t k = 0; k < quantities.size(); ++k)
        if (quantities[k].name == name) return graph().variable(first_quantity + static_cast<int>(k));
    quantities.push_back({name, span});
    return graph().variable(first_quantity + static_cast<int>(quantities.size()) - 1);
}

const std::string& Description::body_name(int body) const {
    static const std::string of_ground = "ground";
    return body == ground ? of_ground : bodies[static_cast<std::size_t>(body)].name;
}

std::string_view name_of(JointKind kind) {
    switch (kind) {
    case JointKind::revolute: return "revolute";
    case JointKind::prismatic: return "prismatic";
    case JointKind::spherical: return "spherical";
    case JointKind::universal: return "universal";
    case JointKind::cylindrical: return "cylindrical";
    case JointKind::planar: return "planar";
    case JointKind::screw: return "screw";
    case JointKind::fixed: return "fixed";
    case JointKind::distance: return "distance";
    case JointKind::slot: return "slot";
    case JointKind::rolling: return "rolling";
    }
    return "";
}

} // namespace daedalus::mechanics
