// Bodies, joints and forces of a mechanism file.
#include "mechanics/parser.hpp"

namespace daedalus::mechanics {

using expr::no_node;

void Parser::marker(std::vector<Marker>& markers) {
    const Token* name = name_behind("marker");
    if (name == nullptr || !equals()) return;
    Marker m{std::string(name->text), a_.zero(), a_.no_turn(), span(*name)};
    const auto point = vector(true);
    if (!point) return;
    m.point = *point;
    if (tokens_.peek(1).text != "=" && tokens_.accept_word("turned")) { // `turned = …` is the body's
        const auto turned = turn();
        if (!turned) return;
        m.turn = *turned;
    }
    for (const Marker& other : markers)
        if (other.name == m.name) problems_.error("declared-twice", m.span, "there is another marker '" + m.name + "'");
    markers.push_back(std::move(m));
}

void Parser::ground_statement() {
    attributes("the ground", {{"marker", [&] { marker(d_.ground_markers); }}});
}

void Parser::body(bool particle) {
    const Token* name = name_behind(particle ? "particle" : "body");
    if (name == nullptr) return;
    const auto found = bodies_.find(name->text);
    if (found == bodies_.end()) return; // its name was refused
    body_attributes(d_.bodies[static_cast<std::size_t>(found->second)]);
}

void Parser::body_attributes(Body& b) {
    const auto place = [&](SourceSpan& where, const auto& read) {
        const std::size_t at = tokens_.position();
        read();
        where = tokens_.span_from(at + 1 <= tokens_.position() ? at + 1 : at); // behind '='
    };
    const auto vector_start = [&](std::optional<Vector>& target, bool& fixed, bool axial) {
        Vector v = a_.zero();
        axial ? set_axial(v, true) : set_vector(v, true);
        target = v;
        fixed = tokens_.accept_word("fixed");
    };
    Handlers known{
        {"mass", [&] { place(b.mass_span, [&] { set_constant(b.mass); }); }},
        {"at", [&] { vector_start(b.at, b.at_fixed, false); }},
        {"velocity", [&] { vector_start(b.velocity, b.velocity_fixed, false); }},
    };
    if (!b.particle) {
        known["inertia"] = [&] {
            place(b.inertia_span, [&] {
                if (!equals()) return;
                b.has_inertia = true;
                if (!d_.in_space) {
                    b.inertia[2] = constant();
                    return;
                }
                if (!tokens_.accept_sign("("))
                    return tokens_.unexpected("'(' of (Jxx, Jyy, Jzz) or (Jxx, Jyy, Jzz, Jxy, Jxz, Jyz)");
                for (std::size_t k = 0; k < 6; ++k) {
                    if (k > 0 && !tokens_.accept_sign(",")) {
                        if (k == 3) break;
                        return tokens_.unexpected("',': an inertia has three or six numbers");
                    }
                    b.inertia[k] = constant();
                    if (b.inertia[k] == no_node) return;
                }
                if (!tokens_.accept_sign(")")) tokens_.unexpected("')' behind three or six numbers");
            });
        };
        known["center"] = [&] { set_vector(b.center, true); };
        known["marker"] = [&] { marker(b.markers); };
        known["omega"] = [&] { vector_start(b.omega, b.omega_fixed, true); };
        if (d_.in_space)
            known["turned"] = [&] {
                if (equals()) b.turn = turn();
                b.turn_fixed = tokens_.accept_word("fixed");
            };
        else
            known["angle"] = [&] {
                set_constant(b.angle);
                b.turn_fixed = tokens_.accept_word("fixed");
            };
    }
    attributes(std::string(b.particle ? "a particle" : "a body"), known);
}

void Parser::axes(Joint& j) {
    const bool in_direction = tokens_.at_word("along"), about = tokens_.at_word("about"),
               across = tokens_.at_word("normal");
    const Token word = tokens_.peek();
    const bool sliding = j.kind == JointKind::prismatic || j.kind == JointKind::slot;
    const bool turning = j.kind == JointKind::revolute || j.kind == JointKind::universal ||
                         j.kind == JointKind::cylindrical || j.kind == JointKind::screw;
    if (in_direction || about || across) {
        (void)tokens_.next();
        const bool has_axis = sliding || j.kind == JointKind::planar || (turning && d_.in_space) ||
                              (j.kind == JointKind::rolling && d_.in_space);
        if (!has_axis) {
            problems_.error("no-axis", span(word),
                            "a " + std::string(name_of(j.kind)) + " joint has no axis" +
                                (d_.in_space ? "" : " in the plane"));
            return;
        }
        const auto axis = vector(true);
        if (!axis) return;
        j.axis = j.second_axis = *axis;
        j.axis_given = true;
        if (j.kind != JointKind::universal) return;
        if (!tokens_.accept_word("and"))
            return tokens_.unexpected("'and' with the axis on the other body", "as in: about (1, 0, 0) and (0, 1, 0)");
        if (const auto second = vector(true)) j.second_axis = *second;
        return;
    }
    if (sliding)
        tokens_.unexpected("'along' and a direction");
    else if (turning && d_.in_space)
        tokens_.unexpected("'about' and an axis", "as in: about (0, 0, 1)");
    else if (j.kind == JointKind::planar)
        tokens_.unexpected("'normal' and a direction");
}

void Parser::joint(JointKind kind) {
    const Token* name = name_behind("joint");
    if (name == nullptr) return;
    const auto found = joints_.find(name->text);
    if (found == joints_.end()) return; // its name was refused
    Joint& j = d_.joints[static_cast<std::size_t>(found->second)];
    using enum JointKind;
    if (!d_.in_space &&
        (kind == spherical || kind == universal || kind == cylindrical || kind == planar || kind == screw)) {
        problems_.error("wrong-dimension", span(*name),
                        "there is no " + std::string(name_of(kind)) + " joint in the plane",
                        "say 'mechanism NAME in space'");
        return;
    }
    if (const auto ends = both_ends()) {
        j.a = ends->first;
        j.b = ends->second;
    } else {
        return;
    }
    const int before = problems_.count();
    axes(j);
    if (problems_.count() > before) return;
    Handlers known;
    const auto own = [&](const char* word, NodeId& target) { known[word] = [&] { set_constant(target); }; };
    if (kind == distance) own("length", j.length);
    if (kind == rolling) own("radius", j.length);
    if (kind == screw) own("pitch", j.length);
    if (kind == revolute || kind == cylindrical || kind == screw) own("angle", j.angle), own("speed", j.speed);
    if (kind == prismatic || kind == cylindrical || kind == slot)
        own("position", j.position), own("velocity", j.velocity);
    attributes("a " + std::string(name_of(kind)) + " joint", known);
    if (kind == rolling && j.length == no_node)
        problems_.error("missing-value", span(*name), "the rolling joint '" + j.name + "' needs a radius",
                        "as in: { radius = 0.3 }");
    if (kind == screw && j.length == no_node)
        problems_.error("missing-value", span(*name), "the screw '" + j.name + "' needs a pitch, its advance per turn",
                        "as in: { pitch = 0.01 }");
}

void Parser::line_force() {
    LineForce f;
    const Token* name = name_behind("spring");
    if (name == nullptr) return;
    f.name = std::string(name->text);
    f.span = span(*name);
    const auto ends = both_ends();
    if (!ends) return;
    f.a = ends->first;
    f.b = ends->second;
    attributes("a spring, damper or actuator", {{"stiffness", [&] { set_constant(f.stiffness); }},
                                                {"length", [&] { set_constant(f.length); }},
                                                {"damping", [&] { set_constant(f.damping); }},
                                                {"force", [&] { set(f.force); }}});
    if (f.stiffness != no_node && f.length == no_node)
        problems_.error("missing-value", f.span, "the spring '" + f.name + "' has a stiffness but no length at rest",
                        "length = 0 for a spring that pulls from everywhere");
    d_.line_forces.push_back(std::move(f));
}

void Parser::joint_force() {
    JointForce f;
    const Token* name = name_behind("torsion spring, motor or friction");
    if (name == nullptr) return;
    f.name = std::string(name->text);
    f.span = span(*name);
    if (!tokens_.accept_word("at")) return tokens_.unexpected("'at' and a joint");
    const Token* at = name_behind("joint");
    if (at == nullptr) return;
    const auto joint = joints_.find(at->text);
    if (joint == joints_.end()) {
        std::vector<std::string> known;
        for (const auto& [other, id] : joints_) known.push_back(other);
        problems_.error("unknown-joint", span(*at), "there is no joint '" + std::string(at->text) + "'",
                        suggestion(at->text, known));
        return;
    }
    f.joint = joint->second;
    const JointKind kind = d_.joints[static_cast<std::size_t>(f.joint)].kind;
    if (kind != JointKind::revolute && kind != JointKind::prismatic && kind != JointKind::cylindrical &&
        kind != JointKind::screw) {
        problems_.error("no-freedom", span(*at),
                        "a " + std::string(name_of(kind)) +
                            " joint has no single freedom that a torque or force could act on",
                        "use 'torque' or 'force' on the body");
        return;
    }
    const bool turns = kind != JointKind::prismatic;
    attributes("a torsion spring, motor or friction", {{"stiffness", [&] { set_constant(f.stiffness); }},
                                                       {"rest", [&] { set_constant(f.rest); }},
                                                       {"damping", [&] { set_constant(f.damping); }},
                                                       {turns ? "torque" : "force", [&] { set(f.effort); }},
                                                       {"friction", [&] { set_constant(f.friction); }},
                                                       {"scale", [&] { set_constant(f.scale); }}});
    if (f.friction != no_node && f.scale == no_node)
        problems_.error("missing-value", f.span,
                        "friction '" + f.name + "' needs a scale: the speed below which it fades",
                        "as in: { friction = 0.2, scale = 0.01 }");
    d_.joint_forces.push_back(std::move(f));
}

void Parser::bushing() {
    Bushing f;
    f.stiffness = f.damping = f.turn_stiffness = f.turn_damping = a_.zero();
    const Token* name = name_behind("bushing");
    if (name == nullptr) return;
    f.name = std::string(name->text);
    f.span = span(*name);
    const auto ends = both_ends();
    if (!ends) return;
    f.a = ends->first;
    f.b = ends->second;
    attributes("a bushing", {{"stiffness", [&] { set_vector(f.stiffness, true); }},
                             {"damping", [&] { set_vector(f.damping, true); }},
                             {"turn_stiffness", [&] { set_axial(f.turn_stiffness, true); }},
                             {"turn_damping", [&] { set_axial(f.turn_damping, true); }}});
    d_.bushings.push_back(std::move(f));
}

void Parser::applied_force(bool is_torque) {
    AppliedForce f;
    f.force = f.torque = a_.zero();
    const Token* name = name_behind(is_torque ? "torque" : "force");
    if (name == nullptr) return;
    f.name = std::string(name->text);
    f.span = span(*name);
    if (!tokens_.accept_word("on")) return tokens_.unexpected("'on' and a body");
    const auto on = end();
    if (!on) return;
    f.on = *on;
    if (f.on.body == ground) {
        problems_.error("force-on-ground", f.on.span, "a force on the ground moves nothing");
        return;
    }
    if (is_torque)
        set_axial(f.torque, false);
    else
        set_vector(f.force, false);
    d_.applied_forces.push_back(std::move(f));
}

} // namespace daedalus::mechanics
