#include "facade/motion.hpp"

#include "expr/evaluate.hpp"
#include "study/change_points.hpp"
#include "study/motion_measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

namespace daedalus::facade {

namespace {

using expr::NodeId;
using output::Scene;

constexpr std::size_t most_frames = 600; // of a motion that is looked at for seconds: more cannot be told apart

/// Of a rotation matrix given by rows (Shepperd 1978: the largest component first).
std::array<double, 4> quaternion(const double* r) {
    const double trace = r[0] + r[4] + r[8];
    std::array<double, 4> p{};
    if (trace >= std::max({r[0], r[4], r[8]})) {
        p = {1 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    } else if (r[0] >= std::max(r[4], r[8])) {
        p = {r[7] - r[5], 1 + 2 * r[0] - trace, r[1] + r[3], r[2] + r[6]};
    } else if (r[4] >= r[8]) {
        p = {r[2] - r[6], r[1] + r[3], 1 + 2 * r[4] - trace, r[5] + r[7]};
    } else {
        p = {r[3] - r[1], r[2] + r[6], r[5] + r[7], 1 + 2 * r[8] - trace};
    }
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (double& component : p) component /= length;
    return p;
}

class Evaluation {
public:
    explicit Evaluation(const Visible& v) : v_(v), values_(v.model->variables.size()) {}

    /// Which column of the trajectory each variable is; false: one is missing.
    bool find_columns(const output::Trajectory& t, std::span<const NodeId> expressions) {
        std::map<std::string_view, std::size_t> columns;
        for (std::size_t k = 0; k < t.variables.size(); ++k) columns[t.variables[k].name] = k;
        const expr::Graph& g = *v_.scene->graph;
        for (const NodeId leaf : g.reachable(expressions)) {
            if (g.op(leaf) != expr::Op::variable) continue;
            const auto id = static_cast<std::size_t>(g.variable_id(leaf));
            const auto at =
                id < v_.model->variables.size() ? columns.find(v_.model->variables[id].name) : columns.end();
            if (at == columns.end() || g.derivative_order(leaf) > 0) return false;
            used_.emplace_back(id, at->second);
        }
        return true;
    }
    void go_to(const output::Trajectory& t, std::size_t point) {
        time_ = t.time[point];
        for (const auto& [id, column] : used_) values_[id] = t.values[column][point];
    }
    [[nodiscard]] std::vector<double> operator()(std::span<const NodeId> expressions) const {
        const expr::Graph& g = *v_.scene->graph;
        return expr::evaluate(g, expressions, [&](NodeId leaf) {
            if (g.op(leaf) == expr::Op::variable) return values_[static_cast<std::size_t>(g.variable_id(leaf))];
            if (g.op(leaf) == expr::Op::parameter) {
                const auto id = static_cast<std::size_t>(g.parameter_id(leaf));
                return id < v_.parameters.size() ? v_.parameters[id] : 0.0;
            }
            return time_;
        });
    }
    [[nodiscard]] Scene::Point point(const mechanics::Vector& v) const {
        if (v.x == expr::no_node) return {};
        const NodeId nodes[] = {v.x, v.y, v.z == expr::no_node ? v.x : v.z};
        const std::vector<double> values = (*this)(nodes);
        return {values[0], values[1], v.z == expr::no_node ? 0.0 : values[2]};
    }

private:
    const Visible& v_;
    std::vector<double> values_;
    std::vector<std::pair<std::size_t, std::size_t>> used_;
    double time_ = 0.0;
};

void describe(const mechanics::Scene& of, const Evaluation& value, Scene& scene) {
    scene.in_space = of.in_space;
    scene.gravity = value.point(of.gravity);
    for (const mechanics::Scene::Body& b : of.bodies) {
        Scene::Body body{b.name, value.point(b.size), {}};
        for (const mechanics::Vector& p : b.points) {
            const Scene::Point place = value.point(p);
            if (std::find(body.points.begin(), body.points.end(), place) == body.points.end())
                body.points.push_back(place);
        }
        scene.bodies.push_back(std::move(body));
    }
    for (const mechanics::Scene::Link& l : of.links) {
        const NodeId radius[] = {l.radius};
        scene.links.push_back({l.name, l.kind, l.a, l.b, value.point(l.at_a), value.point(l.at_b), value.point(l.axis),
                               l.radius == expr::no_node ? 0.0 : value(radius).front(), l.disc});
    }
}

/// x, y, angle, or x, y, z and a quaternion, near to those of the frame before.
void append_pose(const double* center, const double* turn, bool in_space, const double* before,
                 std::vector<double>& poses) {
    if (!in_space) {
        double angle = std::atan2(turn[3], turn[0]);
        if (before != nullptr) angle += 2 * std::numbers::pi * std::round((before[2] - angle) / (2 * std::numbers::pi));
        poses.insert(poses.end(), {center[0], center[1], angle});
        return;
    }
    std::array<double, 4> p = quaternion(turn);
    double same = 0.0;
    for (std::size_t i = 0; i < 4 && before != nullptr; ++i) same += p[i] * before[3 + i];
    if (same < 0.0)
        for (double& component : p) component = -component;
    poses.insert(poses.end(), center, center + 3);
    poses.insert(poses.end(), p.begin(), p.end());
}

/// "p.x" → ("p.", 'x', ""), "y1" → ("", 'y', "1"), "mass.x[2]" → …: a letter that stands alone.
struct Coordinate {
    std::string before, after;
    char letter;
};
std::optional<Coordinate> coordinate(const std::string& name) {
    const std::size_t dot = name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1;
    if (dot >= name.size() || name[dot] < 'x' || name[dot] > 'z') return std::nullopt;
    const std::string after = name.substr(dot + 1);
    if (!std::all_of(after.begin(), after.end(),
                     [](char c) { return (c >= '0' && c <= '9') || c == '_' || c == '[' || c == ']'; }))
        return std::nullopt;
    return Coordinate{name.substr(0, dot), after, name[dot]};
}

double distance(const double* a, const double* b, bool in_space) {
    return std::hypot(a[0] - b[0], a[1] - b[1], in_space ? a[2] - b[2] : 0.0);
}

/// Points that keep their distance from each other, or from the origin, hang on a rod.
void find_rods(Scene& scene) {
    constexpr double rigid = 1e-6;   // change of the length: far above errors of a run, far below what is seen
    constexpr std::size_t most = 60; // pairs grow with the square
    const std::size_t n = scene.bodies.size(), width = scene.numbers_per_body();
    if (n > most) return;
    constexpr double origin[3] = {0, 0, 0};
    const auto place = [&](std::size_t frame, std::size_t body) {
        return body == n ? origin : scene.poses.data() + (frame * n + body) * width;
    };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j <= n; ++j) {
            double shortest = std::numeric_limits<double>::infinity(), longest = 0.0;
            for (std::size_t f = 0; f < scene.time.size(); ++f) {
                const double length = distance(place(f, i), place(f, j), scene.in_space);
                shortest = std::min(shortest, length), longest = std::max(longest, length);
            }
            if (longest > 0.0 && longest - shortest <= rigid * longest)
                scene.links.push_back({"", "rod", static_cast<int>(i), j == n ? -1 : static_cast<int>(j)});
        }
}

/// Coordinates with names of points, where the model is a mechanism in these.
std::shared_ptr<const mechanics::Scene> recognised_points(const std::shared_ptr<const model::Model>& model,
                                                          const SolveOptions& options) {
    constexpr std::size_t large = 300; // variables: beyond them recognition takes longer than looking is worth
    std::vector<std::string> names;
    for (const model::Variable& v : model->variables) names.push_back(v.name);
    if (names.size() > large || !points_of(*model, names)) return nullptr;
    const simulation::Compilations compilations(model, simulation::Compilations::For::one_run);
    const study::MotionMeasures measures(compilations, options);
    return measures.constraints() > 0 ? points_of(*model, measures.position_names()) : nullptr;
}

} // namespace

Show show(std::shared_ptr<const mechanics::Scene> scene, std::shared_ptr<const model::Model> model,
          const SolveOptions& options) {
    return [scene = std::move(scene), model = std::move(model), parameters = options.parameters, from = options.from,
            until = options.until](const output::Trajectory& trajectory) -> Scene {
        std::vector<model::ParameterOverride> given;
        for (const auto& [name, value] : parameters) given.push_back({name, value});
        const auto values = model::parameter_values(*model, given);
        if (!values) return {};
        SolveOptions as_before;
        as_before.parameters = parameters;
        as_before.from = from;
        as_before.until = until.value_or(model->experiment.stop_time.value_or(1.0));
        const bool points = scene == nullptr;
        const Visible visible{points ? recognised_points(model, as_before) : scene, model, *values};
        if (!visible.scene) return {};
        Scene seen = motion(visible, trajectory);
        if (points && !seen.empty()) find_rods(seen);
        return seen;
    };
}

output::Scene motion(const Visible& visible, const output::Trajectory& trajectory) {
    const mechanics::Scene& of = *visible.scene;
    std::vector<NodeId> poses;
    for (const mechanics::Scene::Body& b : of.bodies)
        for (const mechanics::Vector& v : {b.center, b.turn.row0, b.turn.row1, b.turn.row2})
            poses.insert(poses.end(), {v.x, v.y, v.z});
    Scene scene;
    Evaluation value(visible);
    if (trajectory.points() == 0 || !value.find_columns(trajectory, poses)) return scene;
    value.go_to(trajectory, 0);
    describe(of, value, scene);
    const std::size_t points = trajectory.points(), stride = (points + most_frames - 1) / most_frames;
    for (std::size_t k = 0; k < points; k = k + 1 == points ? points : std::min(k + stride, points - 1)) {
        value.go_to(trajectory, k);
        const std::vector<double> numbers = value(poses);
        for (std::size_t b = 0; b < of.bodies.size(); ++b) {
            const std::size_t size = of.bodies.size() * scene.numbers_per_body();
            const double* before = scene.time.empty() ? nullptr : scene.poses.data() + scene.poses.size() - size;
            std::array<double, 7> kept{}; // the vector may move
            if (before != nullptr) std::copy(before, before + scene.numbers_per_body(), kept.begin());
            append_pose(numbers.data() + 12 * b, numbers.data() + 12 * b + 3, of.in_space,
                        before == nullptr ? nullptr : kept.data(), scene.poses);
        }
        scene.time.push_back(trajectory.time[k]);
    }
    return scene;
}

std::function<double(double t, std::span<const double> y)> energy_of(const Visible& visible) {
    if (!visible.scene || visible.scene->kinetic == expr::no_node) return {};
    return [visible](double t, std::span<const double> y) {
        const expr::Graph& g = *visible.scene->graph;
        const NodeId parts[] = {visible.scene->kinetic, visible.scene->potential};
        const std::vector<double> energies = expr::evaluate(g, parts, [&](NodeId leaf) {
            if (g.op(leaf) == expr::Op::variable) return y[static_cast<std::size_t>(g.variable_id(leaf))];
            if (g.op(leaf) == expr::Op::parameter)
                return visible.parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
            return t;
        });
        return energies[0] + energies[1];
    };
}

void look_for_change_points(const mechanics::Scene* scene, const simulation::Compilations& compilations,
                            const SolveOptions& options, simulation::Record& record) {
    if (scene == nullptr) return;
    const auto joints = static_cast<std::size_t>(std::count_if(
        scene->links.begin(), scene->links.end(), [](const mechanics::Scene::Link& l) { return l.joint; }));
    if (joints <= scene->bodies.size()) return; // a tree: its constraints are independent
    for (Diagnostic& d : study::change_points(compilations, options, record))
        record.report.diagnostics.push_back(std::move(d));
}

std::shared_ptr<const mechanics::Scene> points_of(const model::Model& model,
                                                  const std::vector<std::string>& positions) {
    struct Place {
        std::string before, after;
        std::array<NodeId, 3> leaf{expr::no_node, expr::no_node, expr::no_node};
    };
    std::vector<Place> places;                          // in the order of the model
    const auto graph = std::make_shared<expr::Graph>(); // others may read that of the model
    for (const std::string& name : positions) {
        const auto c = coordinate(name);
        const auto id = model.find_variable(name);
        if (!c || !id) continue;
        auto at = std::find_if(places.begin(), places.end(),
                               [&](const Place& p) { return p.before == c->before && p.after == c->after; });
        if (at == places.end()) at = places.insert(places.end(), {c->before, c->after});
        at->leaf[static_cast<std::size_t>(c->letter - 'x')] = graph->variable(*id);
    }
    std::erase_if(places, [](const Place& p) { return p.leaf[0] == expr::no_node || p.leaf[1] == expr::no_node; });
    if (places.empty()) return nullptr;
    auto scene = std::make_shared<mechanics::Scene>();
    scene->graph = graph;
    const mechanics::Algebra a(*graph);
    scene->gravity = a.zero();
    for (const Place& place : places) scene->in_space = scene->in_space || place.leaf[2] != expr::no_node;
    for (const Place& place : places) {
        const mechanics::Vector center{place.leaf[0], place.leaf[1],
                                       place.leaf[2] == expr::no_node ? a.number(0.0) : place.leaf[2]};
        std::string name = place.before;
        while (!name.empty() && name.back() == '.') name.pop_back();
        if (name.empty()) name = "point";
        scene->bodies.push_back({name + place.after, center, a.unit(), a.zero(), {}});
    }
    return scene;
}

} // namespace daedalus::facade
