#include "mechanics/read_mechanism.hpp"

#include "mechanics/assembly.hpp"
#include "mechanics/check.hpp"
#include "mechanics/joint_coordinates.hpp"
#include "mechanics/parser.hpp"
#include "mechanics/placement.hpp"

namespace daedalus::mechanics {

Expected<model::Model> to_model(Description d, Problems& problems, Scene* scene) {
    if (!problems.any()) check(d, problems);
    if (problems.any()) return Unexpected{problems.take()};
    demand_of_parameters(d);
    const Placement placement = place_bodies(d);
    const Choice choice = choose_coordinates(d, placement);
    const bool joints =
        d.coordinates == Coordinates::joint || (d.coordinates == Coordinates::automatic && choice.joints);
    if (joints)
        assemble_joints(d, placement, problems);
    else
        assemble_absolute(d, placement, problems);
    if (d.coordinates == Coordinates::automatic)
        problems.note("coordinates",
                      joints ? "coordinates are those of joints, for " + choice.reason
                             : "coordinates are those of bodies, for " + choice.reason,
                      joints ? "'coordinates absolute' has the forces in joints as unknowns" : "");
    if (problems.any()) return Unexpected{problems.take()};
    d.model.warnings = problems.take();
    if (scene != nullptr) *scene = std::move(d.scene);
    return std::move(d.model);
}

Expected<model::Model> to_model(Description description, Scene* scene) {
    Problems problems;
    return to_model(std::move(description), problems, scene);
}

Expected<model::Model> read_mechanism(std::shared_ptr<const SourceFile> file, Scene* scene) {
    Problems problems;
    Description d = Parser(*file, problems).run();
    auto model = to_model(std::move(d), problems, scene);
    if (model) model->sources.push_back(std::move(file));
    return model;
}

} // namespace daedalus::mechanics
