#include "mechanics/read_mechanism.hpp"

#include "mechanics/assembly.hpp"
#include "mechanics/check.hpp"
#include "mechanics/parser.hpp"
#include "mechanics/placement.hpp"

namespace daedalus::mechanics {

namespace {
Expected<model::Model> made(Description d, Problems& problems) {
    if (!problems.any()) check(d, problems);
    if (problems.any()) return Unexpected{problems.take()};
    const Placement placement = place_bodies(d);
    assemble_absolute(d, placement, problems);
    if (problems.any()) return Unexpected{problems.take()};
    return std::move(d.model);
}
} // namespace

Expected<model::Model> to_model(Description description) {
    Problems problems;
    return made(std::move(description), problems);
}

Expected<model::Model> read_mechanism(std::shared_ptr<const SourceFile> file) {
    Problems problems;
    Description d = Parser(*file, problems).run();
    auto model = made(std::move(d), problems);
    if (!model) return model;
    model->warnings = problems.take();
    model->sources.push_back(std::move(file));
    return model;
}

} // namespace daedalus::mechanics
