#include "mechanics/parser.hpp"

#include "base/printable.hpp"
#include "base/text_file.hpp"
#include "mechanics/urdf.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace daedalus::mechanics {

namespace {
const std::map<std::string_view, JointKind>& joint_words() {
    static const std::map<std::string_view, JointKind> words{{"revolute", JointKind::revolute},
                                                             {"prismatic", JointKind::prismatic},
                                                             {"spherical", JointKind::spherical},
                                                             {"universal", JointKind::universal},
                                                             {"cylindrical", JointKind::cylindrical},
                                                             {"planar", JointKind::planar},
                                                             {"screw", JointKind::screw},
                                                             {"fixed", JointKind::fixed},
                                                             {"distance", JointKind::distance},
                                                             {"slot", JointKind::slot},
                                                             {"rolling", JointKind::rolling}};
    return words;
}
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}
} // namespace

const std::vector<std::string>& statements() {
    static const std::vector<std::string> list = [] {
        std::vector<std::string> words{"mechanism", "parameter",  "gravity",  "coordinates", "until",  "tolerance",
                                       "body",      "particle",   "ground",   "spring",      "damper", "actuator",
                                       "torsion",   "motor",      "friction", "bushing",     "force",  "torque",
                                       "drive",     "constraint", "output",   "robot"};
        for (const auto& [word, kind] : joint_words()) words.emplace_back(word);
        return words;
    }();
    return list;
}
bool is_statement(std::string_view word) {
    return std::find(statements().begin(), statements().end(), word) != statements().end();
}

Parser::Parser(const SourceFile& file, Problems& problems)
    : problems_(problems), tokens_(file, lex(file, problems), problems), a_(d_.graph()) {
    d_.gravity = a_.zero();
    d_.model.name = "mechanism";
}

Description Parser::run() {
    declare_all();
    for (const bool of_bodies : {true, false}) { // markers are known before anything is connected
        tokens_.go_to(0);
        while (!tokens_.at_end()) statement(of_bodies);
    }
    if (d_.bodies.empty() && !problems_.any())
        problems_.error("no-body", SourceSpan{&tokens_.file(), 0, 0}, "the file describes no body",
                        "a mechanism looks like: mechanism m in plane  body rod { mass = 1, inertia = 0.1 }  revolute "
                        "hinge between ground and rod");
    return std::move(d_);
}

bool Parser::at_statement() const {
    if (tokens_.peek().kind != TokenKind::name || !is_statement(tokens_.peek().text)) return false;
    if (tokens_.peek(1).kind == TokenKind::sign && tokens_.peek(1).text == ".") return false; // motor.torque
    // `ground at …` and `ground.marker` are places, `ground {` is a statement.
    if (tokens_.at_word("ground")) return tokens_.peek(1).kind == TokenKind::sign && tokens_.peek(1).text == "{";
    return true;
}

bool Parser::declare_name(const Token& name, bool element) {
    const std::string text(name.text);
    if ((is_statement(text) && !element) ||
        is_one_of(text, {"ground", "time", "pi", "deg", "rpm", "between", "and", "at", "on", "about", "along", "turned",
                         "then", "if", "else", "or", "not", "in"})) {
        problems_.error("reserved-name", span(name), "'" + text + "' is a word of the language and names nothing else");
        return false;
    }
    const auto [at, is_new] = declared_.emplace(text, span(name));
    if (!is_new)
        problems_.error("declared-twice", span(name), "'" + text + "' is declared twice",
                        "the first one is in line " + std::to_string(at->second.locate().line));
    return is_new;
}

void Parser::declare_parameters() {
    do {
        if (tokens_.peek().kind != TokenKind::name || at_statement()) return; // reported in the second pass
        const Token name = tokens_.next();
        if (declare_name(name, false)) {
            model::Parameter p;
            p.name = std::string(name.text);
            p.span = span(name);
            (void)d_.model.add_parameter(std::move(p));
        }
        for (int depth = 0; !tokens_.at_end() && !(depth <= 0 && (tokens_.at_sign(",") || at_statement()));) {
            depth += tokens_.at_sign("(") ? 1 : tokens_.at_sign(")") ? -1 : 0;
            (void)tokens_.next();
        }
    } while (tokens_.accept_sign(","));
}

void Parser::declare_statement(std::string_view word) {
    if (word == "parameter") return declare_parameters();
    if (word == "robot") return include_robot();
    const Token name = tokens_.peek();
    if (name.kind != TokenKind::name || word == "mechanism" || word == "gravity" || word == "coordinates") return;
    (void)tokens_.next(); // a statement word may be a name
    if (word == "body" || word == "particle") {
        if (declare_name(name, false)) {
            bodies_.emplace(name.text, static_cast<int>(d_.bodies.size()));
            Body body;
            body.name = std::string(name.text);
            body.span = span(name);
            body.particle = word == "particle";
            body.center = a_.zero();
            body.inertia.fill(a_.number(0.0));
            d_.bodies.push_back(std::move(body));
        }
    } else if (joint_words().contains(word)) {
        if (declare_name(name, false)) {
            joints_.emplace(name.text, static_cast<int>(d_.joints.size()));
            Joint joint;
            joint.kind = joint_words().at(word);
            joint.name = std::string(name.text);
            joint.span = span(name);
            joint.axis = joint.second_axis = a_.vector(0, 0, 1);
            d_.joints.push_back(std::move(joint));
        }
    } else if (word != "ground" && declare_name(name, true)) {
        elements_.emplace(name.text);
    }
}

void Parser::include_robot() {
    const Token name = tokens_.peek();
    if (name.kind != TokenKind::text) return tokens_.unexpected("the name of a URDF file in quotes");
    if (!d_.in_space)
        return problems_.error("wrong-dimension", span(name), "robots move in space",
                               "say 'mechanism NAME in space' first");
    const auto path = std::filesystem::path(tokens_.file().name()).parent_path() / std::string(name.text);
    auto file = read_text_file(path.string());
    if (!file) {
        for (const Diagnostic& d : file.error())
            problems_.error(d.code, span(name), "'" + path.string() + "' " + d.message);
        return;
    }
    const std::size_t bodies = d_.bodies.size(), joints = d_.joints.size();
    add_robot(**file, d_, problems_);
    d_.model.sources.push_back(*std::move(file));
    const auto claim = [&](const std::string& of, std::map<std::string, int, std::less<>>& names, std::size_t k) {
        if (declared_.emplace(of, span(name)).second)
            names.emplace(of, static_cast<int>(k));
        else
            problems_.error("declared-twice", span(name), "the robot has a '" + of + "', and so has something else");
    };
    for (std::size_t k = bodies; k < d_.bodies.size(); ++k) claim(d_.bodies[k].name, bodies_, k);
    for (std::size_t k = joints; k < d_.joints.size(); ++k) claim(d_.joints[k].name, joints_, k);
}

void Parser::declare_all() {
    // Whether it is in the plane must be known before any vector is read.
    for (int depth = 0; !tokens_.at_end();) {
        depth += tokens_.at_sign("{") ? 1 : tokens_.at_sign("}") ? -1 : 0;
        const bool after_dot = tokens_.at_sign(".");
        if (depth <= 0 && at_statement()) {
            const std::string_view word = tokens_.next().text;
            if (word == "mechanism" && tokens_.peek(1).text == "in" && tokens_.peek(2).text == "space")
                d_.in_space = true;
            declare_statement(word);
            continue;
        }
        (void)tokens_.next();
        if (after_dot && tokens_.peek().kind == TokenKind::name) (void)tokens_.next();
    }
}

/// Goes on at the next statement: a mistake in one says nothing about the others.
void Parser::recover() {
    for (int depth = 0; !tokens_.at_end();) {
        depth += tokens_.at_sign("{") ? 1 : tokens_.at_sign("}") ? -1 : 0;
        if (tokens_.at_sign(".")) {
            (void)tokens_.next();
        } else if (depth <= 0 && at_statement()) {
            return;
        }
        (void)tokens_.next();
    }
}

const Token* Parser::name_behind(const std::string& what) {
    if (tokens_.peek().kind == TokenKind::name) return &tokens_.next();
    tokens_.unexpected("the name of the " + what);
    return nullptr;
}

void Parser::statement(bool of_bodies) {
    const Token word = tokens_.peek();
    const int before = problems_.count();
    if (at_statement() &&
        of_bodies != is_one_of(word.text, {"mechanism", "parameter", "body", "particle", "ground", "robot"})) {
        (void)tokens_.next();
        if (tokens_.peek().kind == TokenKind::name) (void)tokens_.next();
        return recover();
    }
    if (!at_statement()) {
        if (!unknown_.insert(tokens_.position()).second) {
        } else if (word.kind == TokenKind::name)
            problems_.error("unknown-statement", span(word), "'" + printable(word.text) + "' begins no statement",
                            suggestion(word.text, statements()));
        else
            tokens_.unexpected("a statement, as 'body' or 'revolute'");
        (void)tokens_.next();
        return recover();
    }
    (void)tokens_.next();
    const auto joint_kind = joint_words().find(word.text);
    if (word.text == "mechanism")
        heading();
    else if (word.text == "robot")
        (void)tokens_.next(); // read in the first pass
    else if (word.text == "parameter")
        parameters();
    else if (word.text == "body" || word.text == "particle")
        body(word.text == "particle");
    else if (word.text == "ground")
        ground_statement();
    else if (joint_kind != joint_words().end())
        joint(joint_kind->second);
    else if (is_one_of(word.text, {"spring", "damper", "actuator"}))
        line_force();
    else if (is_one_of(word.text, {"torsion", "motor", "friction"}))
        joint_force();
    else if (word.text == "bushing")
        bushing();
    else if (word.text == "force" || word.text == "torque")
        applied_force(word.text == "torque");
    else if (word.text == "drive" || word.text == "constraint")
        condition();
    else if (word.text == "output")
        output();
    else
        setting(word.text);
    if (problems_.count() > before && !at_statement()) recover();
}

void Parser::heading() {
    const Token* name = name_behind("mechanism");
    if (name == nullptr) return;
    if (heading_seen_) problems_.error("declared-twice", span(*name), "a file describes one mechanism");
    heading_seen_ = true;
    d_.model.name = std::string(name->text);
    if (tokens_.accept_word("in") && !tokens_.accept_word("plane") && !tokens_.accept_word("space"))
        tokens_.unexpected("'plane' or 'space'");
    if (tokens_.peek().kind == TokenKind::text) d_.model.description = printable(tokens_.next().text);
}

void Parser::parameters() {
    do {
        const Token* name = name_behind("parameter");
        if (name == nullptr || !equals()) return;
        const NodeId value = constant();
        if (value == expr::no_node) return;
        const auto id = d_.model.find_parameter(std::string(name->text));
        if (!id) continue; // reported
        model::Parameter& p = d_.model.parameters[static_cast<std::size_t>(*id)];
        p.binding = value;
        if (tokens_.peek().kind == TokenKind::text) p.description = printable(tokens_.next().text);
    } while (tokens_.accept_sign(","));
}

void Parser::setting(std::string_view word) {
    if (word == "gravity") return set_vector(d_.gravity, true);
    if (word == "coordinates") {
        if (tokens_.accept_word("absolute"))
            d_.coordinates = Coordinates::absolute;
        else if (tokens_.accept_word("joint"))
            d_.coordinates = Coordinates::joint;
        else if (tokens_.accept_word("automatic"))
            d_.coordinates = Coordinates::automatic;
        else
            tokens_.unexpected("'absolute', 'joint' or 'automatic'");
        return;
    }
    if (!equals()) return;
    const std::size_t at = tokens_.position();
    const NodeId value = constant();
    if (value == expr::no_node) return;
    if (!d_.graph().is_constant(value)) {
        problems_.error("not-a-number", tokens_.span_from(at), "'" + std::string(word) + "' needs a number");
        return;
    }
    const double number = d_.graph().constant_value(value);
    if (!(number > 0.0)) {
        problems_.error("not-positive", tokens_.span_from(at), "'" + std::string(word) + "' must be positive");
        return;
    }
    (word == "until" ? d_.model.experiment.stop_time : d_.model.experiment.tolerance) = number;
}

void Parser::condition() {
    Condition c;
    const Token* name = name_behind("constraint");
    if (name == nullptr) return;
    c.name = std::string(name->text);
    if (!tokens_.accept_sign(":")) return tokens_.unexpected("':'", "as in: drive motor: hinge.angle = 2*pi*time");
    const std::size_t at = tokens_.position();
    c.left = expression();
    if (c.left == expr::no_node || !equals()) return;
    c.right = expression();
    if (c.right == expr::no_node) return;
    c.span = tokens_.span_from(at);
    d_.conditions.push_back(std::move(c));
}

void Parser::output() {
    do {
        Output o;
        const Token* name = name_behind("output");
        if (name == nullptr || !equals()) return;
        o.name = std::string(name->text);
        o.span = span(*name);
        o.value = expression();
        if (o.value == expr::no_node) return;
        d_.outputs.push_back(std::move(o));
    } while (tokens_.accept_sign(","));
}

} // namespace daedalus::mechanics
