#include "output/scene.hpp"

#include "output/base64.hpp"
#include "output/json_writer.hpp"

namespace daedalus::output {

void write_scene(const Scene& scene, const Sink& sink) {
    JsonWriter json(sink, {.pretty = false, .script_safe = true});
    const auto point = [&](std::string_view key, const Scene::Point& p) {
        json.key(key);
        json.numbers(p);
    };
    json.begin_object();
    json.field("space", scene.in_space);
    point("gravity", scene.gravity);
    json.key("bodies");
    json.begin_array();
    for (const Scene::Body& b : scene.bodies) {
        json.begin_object();
        json.field("name", b.name);
        point("size", b.size);
        json.key("points");
        json.begin_array();
        for (const Scene::Point& p : b.points) json.numbers(p);
        json.end_array();
        json.end_object();
    }
    json.end_array();
    json.key("links");
    json.begin_array();
    for (const Scene::Link& l : scene.links) {
        json.begin_object();
        json.field("name", l.name);
        json.field("kind", l.kind);
        json.field("a", l.a);
        json.field("b", l.b);
        point("at_a", l.at_a);
        point("at_b", l.at_b);
        point("axis", l.axis);
        json.field("radius", l.radius);
        json.field("disc", l.disc);
        json.end_object();
    }
    json.end_array();
    json.field("time", base64_float64(scene.time));
    json.field("poses", base64_float32(scene.poses));
    json.end_object();
}

} // namespace daedalus::output
