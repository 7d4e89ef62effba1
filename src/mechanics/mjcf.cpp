#include "mechanics/mjcf.hpp"

#include "mechanics/mjcf_file.hpp"
#include "mechanics/read_mechanism.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace daedalus::mechanics {

namespace {

constexpr double friction_scale = 0.01; // rad/s or m/s: below, dry friction of a joint fades, as in urdf.cpp

class Mjcf {
public:
    Mjcf(const SourceFile& file, Description& d, Problems& problems)
        : file_(file, problems), d_(d), problems_(problems), a_(d.graph()) {}

    void run() {
        if (problems_.any()) return;
        name_model();
        judge_sections();
        for (const int world : file_.sections("worldbody")) read_bodies(world);
        for (const int section : file_.sections("equality"))
            for (const int k : file_.children(section)) equality(k);
        for (const int section : file_.sections("actuator"))
            for (const int k : file_.children(section)) actuator(k);
        if (problems_.any()) return;
        if (d_.bodies.empty()) problems_.error("no-body", file_[0].span, "the file has no body that moves");
        if (limited_) problems_.note("limits", "limits of joints are not kept ('" + limited_name_ + "' has some)");
        if (!file_.sections("equality").empty())
            problems_.note("equalities", "equalities, soft in MuJoCo, hold exactly here");
    }

private:
    static std::string identifier(const std::string& name) {
        std::string id;
        for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
        return id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) != 0 ? "model_" + id : id;
    }
    /// A dot separates a body from its marker.
    static std::string without_dots(std::string name) {
        for (char& c : name)
            if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
        return name;
    }
    void name_model() {
        if (const XmlAttribute* name = file_[0].find("model"); name != nullptr && !name->value.empty())
            d_.model.name = identifier(name->value);
    }

    void judge_sections() {
        // What nothing moves by, or what is said of it elsewhere.
        static constexpr const char* skipped[] = {"compiler", "default",   "asset",    "visual", "statistic",
                                                  "size",     "worldbody", "equality", "sensor", "keyframe",
                                                  "custom",   "actuator",  "contact",  "option"};
        for (const int k : file_.children(0))
            if (std::find(std::begin(skipped), std::end(skipped), file_[k].name) == std::end(skipped))
                file_.refuse(k, "is not read");
        for (const int k : file_.sections("option")) {
            if (const auto g = file_.triple(k, "gravity")) d_.gravity = vector(*g);
            for (const char* fluid : {"density", "viscosity", "wind"}) file_.refuse_unless_zero(k, fluid);
        }
    }

    [[nodiscard]] Vector vector(const Triple& v) const { return a_.vector(v[0], v[1], v[2]); }
    [[nodiscard]] Quaternion turn(const UnitQuaternion& q) const {
        return {a_.number(q[0]), a_.number(q[1]), a_.number(q[2]), a_.number(q[3])};
    }

    struct Placed {
        int body = ground; ///< of the description
        Pose pose;         ///< in the world, with all joints at zero
    };

    void read_bodies(int world) {
        std::vector<std::pair<int, Placed>> open{{world, {}}};
        while (!open.empty()) {
            const auto [k, own] = open.back();
            open.pop_back();
            mark_sites(k, own.body);
            std::vector<int> inner = file_.children(k);
            std::reverse(inner.begin(), inner.end()); // the first is read next
            for (const int c : inner)
                if (file_[c].name == "body") open.emplace_back(c, body(c, own));
        }
    }

    [[nodiscard]] std::string name_of(int k, const std::string& otherwise) {
        const XmlAttribute* a = file_[k].find("name");
        const std::string name = a != nullptr && !a->value.empty() ? without_dots(a->value) : otherwise;
        if (!names_.insert({name, k}).second)
            problems_.error("mjcf", file_[k].span, "'" + name + "' is the name of something else, too");
        return name;
    }

    /// Sites are places that outputs and forces may name.
    void mark_sites(int k, int body) {
        for (const int c : file_.children(k)) {
            if (file_[c].name != "site" || file_[c].find("name") == nullptr) continue;
            const Pose p = file_.pose(c);
            auto& markers = body == ground ? d_.ground_markers : d_.bodies[static_cast<std::size_t>(body)].markers;
            markers.push_back({without_dots(file_[c].find("name")->value), vector(p.at), turn(p.turn), file_[c].span});
        }
    }

    [[nodiscard]] MassPoint mass_of(int k) {
        const std::vector<int> inner = file_.children(k);
        if (!file_.always_from_geoms())
            for (const int c : inner)
                if (file_[c].name == "inertial") return file_.inertial(c);
        MassPoint sum;
        if (!file_.never_from_geoms())
            for (const int c : inner)
                if (file_[c].name == "geom") sum = together(sum, file_.geom(c));
        return sum;
    }

    [[nodiscard]] bool has_mass_below(int k) {
        std::vector<int> open{k};
        while (!open.empty()) {
            const int at = open.back();
            open.pop_back();
            if (mass_of(at).mass > 0.0) return true;
            for (const int c : file_.children(at))
                if (file_[c].name == "body") open.push_back(c);
        }
        return false;
    }

    int add_body(const std::string& name, const MassPoint& m, const SourceSpan& span) {
        Body b;
        b.name = name;
        b.span = b.mass_span = b.inertia_span = span;
        b.mass = a_.number(m.mass);
        b.massless = m.mass == 0.0;
        b.has_inertia = true;
        b.center = vector(m.center);
        const Tensor& J = m.inertia; // NOLINT(readability-identifier-naming): the tensor
        b.inertia = {a_.number(J[0][0]), a_.number(J[1][1]), a_.number(J[2][2]),
                     a_.number(J[0][1]), a_.number(J[0][2]), a_.number(J[1][2])};
        d_.bodies.push_back(std::move(b));
        return static_cast<int>(d_.bodies.size()) - 1;
    }

    /// The body and the joints to its parent: several of them have bodies without mass between them.
    [[nodiscard]] Placed body(int k, const Placed& parent) {
        const std::string name = name_of(k, "body_" + std::to_string(d_.bodies.size() + 1));
        for (const char* attribute : {"mocap", "gravcomp"})
            if (const std::string value = file_.text(k, attribute, "0"); value != "0" && value != "false")
                file_.refuse(k, "has '" + std::string(attribute) + "', which is not read");
        const Pose p = file_.pose(k);
        const MassPoint m = mass_of(k);
        if (!has_mass_below(k))
            problems_.error("no-mass", file_[k].span, "neither '" + name + "' nor what hangs on it has a mass");
        std::vector<int> joints;
        for (const int c : file_.children(k)) {
            const std::string& kind = file_[c].name;
            if (kind == "joint" || kind == "freejoint")
                joints.push_back(c);
            else if (kind != "inertial" && kind != "geom" && kind != "site" && kind != "camera" && kind != "light" &&
                     kind != "body")
                file_.refuse(c, "in a body is not read");
        }
        Placed own{ground, within(parent.pose, p)};
        if (joints.empty()) { // rigid with its parent
            own.body = add_body(name, m, file_[k].span);
            attach(JointKind::fixed, name + "_mount", k, parent.body, p, own.body, {}, {0, 0, 1});
        }
        int from = parent.body;
        Pose at = p; // of the body's frame in that of `from`
        for (std::size_t i = 0; i < joints.size(); ++i) {
            const bool last = i + 1 == joints.size();
            own.body =
                add_body(last ? name : name + "_" + std::to_string(i + 1), last ? m : MassPoint{}, file_[k].span);
            joint(joints[i], name, joints.size() > 1, parent.body, from, at, own.body);
            from = own.body;
            at = {};
        }
        placed_.insert({name, own});
        return own;
    }

    Joint& attach(JointKind kind, const std::string& name, int k, int from, const Pose& at, int to, const Triple& point,
                  const Triple& axis) {
        Joint j;
        j.kind = kind;
        j.name = name;
        j.span = file_[k].span;
        j.a = {from, vector(place(at, point)), turn(at.turn), j.span};
        j.b = {to, vector(point), a_.no_turn(), j.span};
        j.axis = j.second_axis = vector(axis);
        d_.joints.push_back(j);
        return d_.joints.back();
    }

    void joint(int k, const std::string& body, bool several, int parent, int from, const Pose& at, int to) {
        const std::string type = file_[k].name == "freejoint" ? "free" : file_.text(k, "type", "hinge");
        const std::string name = name_of(k, body + "_joint");
        for (const char* attribute : {"armature", "ref"}) file_.refuse_unless_zero(k, attribute);
        if (type == "free" || type == "ball")
            for (const char* attribute : {"damping", "stiffness", "frictionloss"})
                file_.refuse_unless_zero(k, attribute);
        const Triple point = file_.triple(k, "pos").value_or(Triple{});
        if (type == "free") {
            if (parent != ground || several) file_.refuse(k, "that is free belongs alone to a body of the world");
            Body& b = d_.bodies[static_cast<std::size_t>(to)];
            b.at = vector(at.at);
            b.turn = turn(at.turn);
            return;
        }
        if (type == "ball") {
            (void)attach(JointKind::spherical, name, k, from, at, to, point, {0, 0, 1});
            return;
        }
        if (type != "hinge" && type != "slide")
            return problems_.error("mjcf", file_[k].span, "'" + type + "' is no type of joint that is read",
                                   "there are hinge, slide, ball and free ones");
        const Triple axis = file_.triple(k, "axis").value_or(Triple{0, 0, 1});
        if (axis == Triple{}) file_.refuse(k, "has an axis of zero");
        const bool slides = type == "slide";
        (void)attach(slides ? JointKind::prismatic : JointKind::revolute, name, k, from, at, to, point, axis);
        kind_of_joint_[name] = slides;
        drive(k, name, slides);
        if (const std::string limited = file_.text(k, "limited", "auto");
            limited == "true" || (limited == "auto" && file_.find(k, "range") != nullptr)) {
            limited_ = true;
            limited_name_ = name;
        }
    }

    void drive(int k, const std::string& name, bool slides) {
        JointForce f;
        f.name = name + ".drive";
        f.span = file_[k].span;
        f.joint = static_cast<int>(d_.joints.size()) - 1;
        model::Parameter p;
        p.name = name + (slides ? ".force" : ".torque");
        p.binding = a_.number(0.0);
        p.span = f.span;
        p.description = "of the motor in joint " + name;
        f.effort = d_.graph().parameter(d_.model.add_parameter(std::move(p)));
        const auto given = [&](const char* attribute) { return file_.number(k, attribute, 0.0); };
        if (const double c = given("damping"); c != 0.0) f.damping = a_.number(c);
        if (const double c = given("stiffness"); c != 0.0) {
            f.stiffness = a_.number(c);
            f.rest = a_.number(slides ? given("springref") : file_.angle(given("springref")));
        }
        if (const double mu = given("frictionloss"); mu != 0.0) {
            f.friction = a_.number(mu);
            f.scale = a_.number(friction_scale);
        }
        d_.joint_forces.push_back(std::move(f));
    }

    [[nodiscard]] const Placed* body_named(int k, const char* attribute, bool may_be_world) {
        static const Placed world{};
        const XmlAttribute* a = file_[k].find(attribute);
        if (a == nullptr) {
            if (may_be_world) return &world;
            file_.refuse(k, "names no '" + std::string(attribute) + "'");
            return nullptr;
        }
        if (a->value == "world") return &world;
        if (const auto it = placed_.find(without_dots(a->value)); it != placed_.end()) return &it->second;
        std::vector<std::string> known;
        for (const auto& [name, own] : placed_) known.push_back(name);
        problems_.error("mjcf", a->span, "there is no body '" + a->value + "'", suggestion(a->value, known));
        return nullptr;
    }

    void equality(int k) {
        const std::string& kind = file_[k].name;
        if (file_.text(k, "active", "true") == "false") return;
        const std::string name = name_of(k, kind + "_" + std::to_string(d_.joints.size() + 1));
        if (kind == "joint") return couple(k, name);
        if (kind != "connect" && kind != "weld")
            return file_.refuse(k, "is no equality that is read: connect, weld and joint are");
        for (const char* attribute : {"site1", "site2", "relpose"})
            if (file_[k].find(attribute) != nullptr)
                return file_.refuse(k, "with '" + std::string(attribute) + "' is not read");
        const Placed* one = body_named(k, "body1", false);
        const Placed* two = body_named(k, "body2", true);
        if (one == nullptr || two == nullptr) return;
        const Triple anchor = file_.triple(k, "anchor").value_or(Triple{});
        if (kind == "connect" && file_[k].find("anchor") == nullptr) return file_.refuse(k, "has no anchor");
        // The anchor, in body1, is where body2 is held, as all stands with joints at zero.
        const Pose from{anchor, {1, 0, 0, 0}}, to = seen_from(two->pose, within(one->pose, from));
        Joint j;
        j.kind = kind == "connect" ? JointKind::spherical : JointKind::fixed;
        j.name = name;
        j.span = file_[k].span;
        j.a = {one->body, vector(from.at), turn(from.turn), j.span};
        j.b = {two->body, vector(to.at), turn(to.turn), j.span};
        j.axis = j.second_axis = a_.vector(0, 0, 1);
        d_.joints.push_back(std::move(j));
    }

    /// joint1 = c0 + c1 joint2 + c2 joint2² + …
    void couple(int k, const std::string& name) {
        const auto coordinate = [&](const char* attribute) -> NodeId {
            const XmlAttribute* a = file_[k].find(attribute);
            if (a == nullptr) return expr::no_node;
            const auto it = kind_of_joint_.find(without_dots(a->value));
            if (it == kind_of_joint_.end()) {
                problems_.error("mjcf", a->span, "there is no hinge or slide '" + a->value + "'");
                return expr::no_node;
            }
            return d_.quantity(it->first + (it->second ? ".position" : ".angle"), a->span);
        };
        Condition c;
        c.name = name;
        c.span = file_[k].span;
        c.left = coordinate("joint1");
        if (c.left == expr::no_node) return file_.refuse(k, "names no joint1");
        const NodeId other = coordinate("joint2");
        std::vector<double> factors = file_.numbers(k, "polycoef", 1, 5);
        if (factors.empty()) factors = {0, 1};
        Graph& g = d_.graph();
        c.right = a_.number(factors[0]);
        NodeId power = a_.number(1.0);
        for (std::size_t i = 1; i < factors.size() && other != expr::no_node; ++i) {
            power = g.mul(power, other);
            c.right = g.add(c.right, g.mul(a_.number(factors[i]), power));
        }
        d_.conditions.push_back(std::move(c));
    }

    /// Motors without control pull with nothing, and every joint has a parameter for its motor.
    void actuator(int k) {
        if (file_[k].name == "motor") {
            problems_.note("actuators", "motors stand still unless the parameter of their joint says otherwise");
            return;
        }
        file_.refuse(k, "is an actuator that is not read: without control it pulls, too");
    }

    MjcfFile file_;
    Description& d_;
    Problems& problems_;
    Algebra a_;
    std::map<std::string, int> names_;
    std::map<std::string, Placed> placed_;
    std::map<std::string, bool> kind_of_joint_; ///< whether it slides
    bool limited_ = false;
    std::string limited_name_;
};

} // namespace

Expected<model::Model> read_mjcf(std::shared_ptr<const SourceFile> file, Scene* scene) {
    Problems problems;
    Description d;
    d.in_space = true;
    d.coordinates = Coordinates::joint; // a tree, with loops closed by equalities
    d.model.name = "model";
    d.gravity = Algebra(d.graph()).vector(0, 0, -9.81);
    Mjcf(*file, d, problems).run();
    auto model = to_model(std::move(d), problems, scene);
    if (model) model->sources.push_back(std::move(file));
    return model;
}

} // namespace daedalus::mechanics
