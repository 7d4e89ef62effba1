#include "mechanics/urdf.hpp"

#include "mechanics/read_mechanism.hpp"
#include "mechanics/xml.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace daedalus::mechanics {

namespace {

constexpr double friction_scale = 0.01; // rad/s or m/s: below, dry friction of a joint fades

struct Origin {
    std::array<double, 3> xyz{}, rpy{};
};
struct Link {
    std::string name;
    SourceSpan span, mass_span, inertia_span;
    Origin origin; ///< of the inertial frame
    double mass = 0.0;
    std::array<double, 6> inertia{}; ///< xx, yy, zz, xy, xz, yz
    int joint = -1;                  ///< to its parent
    bool has_mass_below = false;     ///< its own or that of what hangs on it
};
struct RobotJoint {
    std::string name, type;
    SourceSpan span;
    Origin origin;
    int parent = -1, child = -1;
    std::array<double, 3> axis{1, 0, 0};
    double damping = 0.0, friction = 0.0;
    std::string mimic;
    SourceSpan mimic_span;
    double factor = 1.0, offset = 0.0;
    bool limited = false;
};

class Robot {
public:
    Robot(const SourceFile& file, Description& d, Problems& problems)
        : file_(file), d_(d), problems_(problems), a_(d.graph()), elements_(read_xml(file, problems)) {}

    void run() {
        if (problems_.any()) return;
        if (elements_[0].name != "robot")
            return problems_.error("urdf", elements_[0].span,
                                   "a robot file begins with <robot>, not <" + elements_[0].name + ">");
        if (const XmlAttribute* name = elements_[0].find("name"); name != nullptr && !name->value.empty())
            d_.model.name = identifier(name->value);
        for (std::size_t k = 1; k < elements_.size(); ++k)
            if (elements_[k].parent == 0 && elements_[k].name == "link") link(static_cast<int>(k));
        for (std::size_t k = 1; k < elements_.size(); ++k)
            if (elements_[k].parent == 0 && elements_[k].name == "joint") joint(static_cast<int>(k));
        if (links_.empty() && !problems_.any()) problems_.error("urdf", elements_[0].span, "the robot has no link");
        if (!problems_.any()) tree();
        if (!problems_.any()) describe();
    }

private:
    /// Names of models are identifiers; links and joints keep theirs.
    static std::string identifier(const std::string& name) {
        std::string id;
        for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
        return id.empty() || std::isdigit(static_cast<unsigned char>(id[0])) != 0 ? "robot_" + id : id;
    }
    [[nodiscard]] const XmlElement* child(int parent, std::string_view name) const {
        for (std::size_t k = static_cast<std::size_t>(parent) + 1; k < elements_.size(); ++k)
            if (elements_[k].parent == parent && elements_[k].name == name) return &elements_[k];
        return nullptr;
    }
    [[nodiscard]] int number_of(const XmlElement* e) const { return static_cast<int>(e - elements_.data()); }

    template <std::size_t N>
    void numbers(const XmlAttribute* a, std::array<double, N>& out) {
        if (a == nullptr) return;
        const char *at = a->value.data(), *const end = at + a->value.size();
        const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
        for (double& value : out) {
            while (at != end && blank(*at)) ++at;
            if (at != end && *at == '+') ++at;
            const auto result = std::from_chars(at, end, value);
            if (result.ec != std::errc() || !std::isfinite(value)) {
                problems_.error("urdf", a->span,
                                "'" + a->name + "' needs " + std::to_string(N) + (N == 1 ? " number" : " numbers"));
                value = 0.0;
                return;
            }
            at = result.ptr;
        }
        while (at != end && blank(*at)) ++at;
        if (at != end)
            problems_.error("urdf", a->span,
                            "'" + a->name + "' has more than " + std::to_string(N) + (N == 1 ? " number" : " numbers"));
    }
    double number(const XmlElement* e, std::string_view attribute, double otherwise) {
        std::array<double, 1> value{otherwise};
        if (e != nullptr) numbers(e->find(attribute), value);
        return value[0];
    }
    Origin origin(int parent) {
        Origin o;
        if (const XmlElement* e = child(parent, "origin")) {
            numbers(e->find("xyz"), o.xyz);
            numbers(e->find("rpy"), o.rpy);
        }
        return o;
    }
    std::string name_of_element(const XmlElement& e) {
        const XmlAttribute* name = e.find("name");
        if (name == nullptr || name->value.empty()) {
            problems_.error("urdf", e.span, "a <" + e.name + "> needs a name");
            return {};
        }
        return name->value;
    }

    void link(int k) {
        Link l;
        l.name = name_of_element(elements_[static_cast<std::size_t>(k)]);
        l.span = l.mass_span = l.inertia_span = elements_[static_cast<std::size_t>(k)].span;
        if (!names_.emplace(l.name, static_cast<int>(links_.size())).second)
            problems_.error("urdf", l.span, "there are two links '" + l.name + "'");
        if (const XmlElement* inertial = child(k, "inertial")) {
            l.origin = origin(number_of(inertial));
            if (const XmlElement* mass = child(number_of(inertial), "mass")) {
                l.mass = number(mass, "value", 0.0);
                l.mass_span = mass->span;
            }
            if (const XmlElement* inertia = child(number_of(inertial), "inertia")) {
                static constexpr const char* entries[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
                for (std::size_t i = 0; i < 6; ++i) l.inertia[i] = number(inertia, entries[i], 0.0);
                l.inertia_span = inertia->span;
            }
            if (l.mass < 0.0)
                problems_.error("impossible-mass", l.mass_span, "the mass of '" + l.name + "' is negative");
        }
        links_.push_back(std::move(l));
    }

    int link_of(int k, std::string_view role, const std::string& joint) {
        const XmlElement* e = child(k, role);
        const XmlAttribute* name = e == nullptr ? nullptr : e->find("link");
        if (name == nullptr) {
            problems_.error("urdf", elements_[static_cast<std::size_t>(k)].span,
                            "the joint '" + joint + "' names no " + std::string(role) + " link");
            return -1;
        }
        const auto at = names_.find(name->value);
        if (at != names_.end()) return at->second;
        std::vector<std::string> known;
        for (const auto& [other, id] : names_) known.push_back(other);
        problems_.error("unknown-link", name->span, "there is no link '" + name->value + "'",
                        suggestion(name->value, known));
        return -1;
    }
    void joint(int k) {
        RobotJoint j;
        const XmlElement& e = elements_[static_cast<std::size_t>(k)];
        j.name = name_of_element(e);
        j.span = e.span;
        if (const XmlAttribute* type = e.find("type")) j.type = type->value;
        static const std::vector<std::string> types{"revolute", "continuous", "prismatic", "fixed", "floating"};
        if (std::find(types.begin(), types.end(), j.type) == types.end())
            problems_.error("urdf", j.span, "'" + j.type + "' is no type of joint that is read",
                            "there are revolute, continuous, prismatic, fixed and floating ones");
        for (const RobotJoint& other : joints_)
            if (other.name == j.name) problems_.error("urdf", j.span, "there are two joints '" + j.name + "'");
        if (names_.contains(j.name)) j.name += "_joint"; // a link has the name
        j.origin = origin(k);
        j.parent = link_of(k, "parent", j.name);
        j.child = link_of(k, "child", j.name);
        if (const XmlElement* axis = child(k, "axis")) numbers(axis->find("xyz"), j.axis);
        const XmlElement* dynamics = child(k, "dynamics");
        j.damping = number(dynamics, "damping", 0.0);
        j.friction = number(dynamics, "friction", 0.0);
        j.limited = (j.type == "revolute" || j.type == "prismatic") && child(k, "limit") != nullptr;
        if (const XmlElement* mimic = child(k, "mimic"); mimic != nullptr && mimic->find("joint") != nullptr) {
            j.mimic = mimic->find("joint")->value;
            j.mimic_span = mimic->span;
            j.factor = number(mimic, "multiplier", 1.0);
            j.offset = number(mimic, "offset", 0.0);
        }
        joints_.push_back(std::move(j));
    }

    /// Every link but one has one parent, and none is its own ancestor.
    void tree() {
        for (std::size_t k = 0; k < joints_.size(); ++k) {
            Link& l = links_[static_cast<std::size_t>(joints_[k].child)];
            if (l.joint >= 0)
                problems_.error("urdf", joints_[k].span,
                                "the link '" + l.name + "' has two parents, by '" +
                                    joints_[static_cast<std::size_t>(l.joint)].name + "' and '" + joints_[k].name +
                                    "'");
            l.joint = static_cast<int>(k);
        }
        for (Link& start : links_) {
            std::size_t steps = 0;
            for (const Link* l = &start; l->joint >= 0;) {
                l = &links_[static_cast<std::size_t>(joints_[static_cast<std::size_t>(l->joint)].parent)];
                if (++steps > links_.size())
                    return problems_.error("cyclic", start.span, "the link '" + start.name + "' hangs on itself");
            }
        }
        std::vector<std::string> roots;
        for (const Link& l : links_)
            if (l.joint < 0) roots.push_back(l.name);
        if (roots.size() > 1)
            problems_.error("urdf", links_[static_cast<std::size_t>(names_.at(roots[1]))].span,
                            "the robot has two roots, '" + roots[0] + "' and '" + roots[1] + "'",
                            "a joint connects every link but one to its parent");
        for (Link& l : links_) {
            if (l.mass == 0.0) continue;
            for (Link* at = &l;;) {
                at->has_mass_below = true;
                if (at->joint < 0) break;
                at = &links_[static_cast<std::size_t>(joints_[static_cast<std::size_t>(at->joint)].parent)];
            }
        }
    }

    [[nodiscard]] Vector vector(const std::array<double, 3>& v) const { return a_.vector(v[0], v[1], v[2]); }
    /// Roll, pitch and yaw about the axes x, y, z of the parent, in this order.
    [[nodiscard]] Quaternion turn(const std::array<double, 3>& rpy) const {
        const Quaternion x = a_.turn(a_.number(rpy[0]), a_.vector(1, 0, 0)),
                         y = a_.turn(a_.number(rpy[1]), a_.vector(0, 1, 0)),
                         z = a_.turn(a_.number(rpy[2]), a_.vector(0, 0, 1));
        return a_.times(z, a_.times(y, x));
    }

    void describe() {
        std::vector<int> body(links_.size(), ground); // the root is the ground's
        for (std::size_t k = 0; k < links_.size(); ++k) {
            const Link& l = links_[k];
            if (l.joint < 0 || !l.has_mass_below) continue;
            body[k] = static_cast<int>(d_.bodies.size());
            d_.bodies.push_back(body_of(l));
        }
        for (const RobotJoint& j : joints_) {
            const Link& l = links_[static_cast<std::size_t>(j.child)];
            if (!l.has_mass_below) {
                if (j.type != "fixed")
                    problems_.warning("moves-nothing", j.span,
                                      "the joint '" + j.name + "' moves nothing that has a mass: it is left out");
                continue;
            }
            connect(j, body[static_cast<std::size_t>(j.parent)], body[static_cast<std::size_t>(j.child)]);
        }
        for (std::size_t k = 0; k < links_.size(); ++k) mark(static_cast<int>(k), body);
        if (d_.bodies.empty())
            return problems_.error("no-body", elements_[0].span, "no link of the robot has a mass and moves");
        for (const RobotJoint& j : joints_) mimic(j);
        const auto limited = std::find_if(joints_.begin(), joints_.end(), [](const auto& j) { return j.limited; });
        if (limited != joints_.end())
            problems_.note("limits", "limits of joints are not kept ('" + limited->name + "' has some)");
    }

    /// A frame that is fixed to a body and has no mass, such as that of a tool, becomes a marker of the body.
    void mark(int link, const std::vector<int>& body) {
        const Link& own = links_[static_cast<std::size_t>(link)];
        if (own.joint < 0 || own.has_mass_below) return;
        Vector point = a_.zero();
        Quaternion axes = a_.no_turn();
        int at = link;
        while (body[static_cast<std::size_t>(at)] == ground && links_[static_cast<std::size_t>(at)].joint >= 0) {
            const RobotJoint& j = joints_[static_cast<std::size_t>(links_[static_cast<std::size_t>(at)].joint)];
            if (j.type != "fixed") return;
            const Quaternion q = turn(j.origin.rpy);
            point = a_.add(vector(j.origin.xyz), a_.times(a_.rotation_of_unit(q), point));
            axes = a_.times(q, axes);
            at = j.parent;
        }
        const int to = body[static_cast<std::size_t>(at)];
        std::vector<Marker>& markers =
            to == ground ? d_.ground_markers : d_.bodies[static_cast<std::size_t>(to)].markers;
        markers.push_back({own.name, point, axes, own.span});
    }

    Body body_of(const Link& l) const {
        Body b;
        b.name = l.name;
        b.span = l.span;
        b.mass_span = l.mass_span;
        b.inertia_span = l.inertia_span;
        b.mass = a_.number(l.mass);
        b.massless = l.mass == 0.0;
        b.has_inertia = true;
        b.center = vector(l.origin.xyz);
        const auto& J = l.inertia; // NOLINT(readability-identifier-naming): the tensor
        const Matrix own{a_.vector(J[0], J[3], J[4]), a_.vector(J[3], J[1], J[5]), a_.vector(J[4], J[5], J[2])};
        const Matrix R = a_.rotation_of_unit(turn(l.origin.rpy)); // NOLINT: of the inertial frame
        const Matrix m = a_.times(R, a_.times(own, a_.transposed(R)));
        b.inertia = {m.row0.x, m.row1.y, m.row2.z, m.row0.y, m.row0.z, m.row1.z};
        return b;
    }

    void connect(const RobotJoint& r, int parent, int child) {
        if (r.type == "floating") {
            Body& b = d_.bodies[static_cast<std::size_t>(child)];
            b.at = vector(r.origin.xyz);
            b.turn = turn(r.origin.rpy);
            return;
        }
        Joint j;
        j.kind = r.type == "prismatic" ? JointKind::prismatic
                 : r.type == "fixed"   ? JointKind::fixed
                                       : JointKind::revolute;
        j.name = r.name;
        j.span = r.span;
        j.a = {parent, vector(r.origin.xyz), turn(r.origin.rpy), r.span};
        j.b = {child, a_.zero(), a_.no_turn(), r.span};
        j.axis = j.second_axis = j.kind == JointKind::fixed ? a_.vector(0, 0, 1) : vector(r.axis);
        const int number = static_cast<int>(d_.joints.size());
        d_.joints.push_back(j);
        if (j.kind == JointKind::fixed) return;
        JointForce f;
        f.name = r.name + ".drive";
        f.span = r.span;
        f.joint = number;
        model::Parameter p;
        p.name = r.name + (j.kind == JointKind::prismatic ? ".force" : ".torque");
        p.binding = a_.number(0.0);
        p.span = r.span;
        p.description = "of the motor in joint " + r.name;
        f.effort = d_.graph().parameter(d_.model.add_parameter(std::move(p)));
        if (r.damping != 0.0) f.damping = a_.number(r.damping);
        if (r.friction != 0.0) {
            f.friction = a_.number(r.friction);
            f.scale = a_.number(friction_scale);
        }
        d_.joint_forces.push_back(std::move(f));
    }

    void mimic(const RobotJoint& j) {
        if (j.mimic.empty()) return;
        const auto other =
            std::find_if(joints_.begin(), joints_.end(), [&](const auto& k) { return k.name == j.mimic; });
        if (other == joints_.end())
            return problems_.error("unknown-joint", j.mimic_span, "there is no joint '" + j.mimic + "' to follow");
        const auto coordinate = [&](const RobotJoint& k) {
            return d_.quantity(k.name + (k.type == "prismatic" ? ".position" : ".angle"), j.mimic_span);
        };
        Graph& g = d_.graph();
        Condition c;
        c.name = j.name + ".mimic";
        c.span = j.mimic_span;
        c.left = coordinate(j);
        c.right = g.add(g.mul(a_.number(j.factor), coordinate(*other)), a_.number(j.offset));
        d_.conditions.push_back(std::move(c));
    }

    const SourceFile& file_;
    Description& d_;
    Problems& problems_;
    Algebra a_;
    std::vector<XmlElement> elements_;
    std::vector<Link> links_;
    std::vector<RobotJoint> joints_;
    std::map<std::string, int> names_;
};

} // namespace

void add_robot(const SourceFile& file, Description& description, Problems& problems) {
    if (problems.any()) return; // a tree is judged as a whole
    Robot(file, description, problems).run();
}

Expected<model::Model> read_urdf(std::shared_ptr<const SourceFile> file, Scene* scene) {
    Problems problems;
    Description d;
    d.in_space = true;
    d.coordinates = Coordinates::joint; // a robot is a tree
    d.model.name = "robot";
    model::Parameter g;
    g.name = "gravity";
    g.binding = d.graph().constant(9.81);
    g.description = "along -z";
    const Algebra a(d.graph());
    d.gravity = {a.number(0.0), a.number(0.0), d.graph().neg(d.graph().parameter(d.model.add_parameter(std::move(g))))};
    add_robot(*file, d, problems);
    auto model = to_model(std::move(d), problems, scene);
    if (model) model->sources.push_back(std::move(file));
    return model;
}

} // namespace daedalus::mechanics
