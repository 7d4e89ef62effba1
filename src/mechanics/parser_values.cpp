#include "base/printable.hpp"
#include "mechanics/parser.hpp"

#include <algorithm>

namespace daedalus::mechanics {

using expr::no_node;

NodeId Parser::resolve(const std::string& name, const SourceSpan& where) {
    if (const auto id = d_.model.find_parameter(name)) return d_.graph().parameter(*id);
    const std::string owner = name.substr(0, name.find('.'));
    const bool is_quantity = bodies_.contains(owner) || joints_.contains(owner) || elements_.contains(owner) ||
                             name == "kinetic_energy" || name == "potential_energy";
    if (is_quantity && !constant_only_) return d_.quantity(name, where);
    if (is_quantity) {
        problems_.error("not-constant", where,
                        "'" + name + "' changes on the way, but a constant value is wanted here");
        return no_node;
    }
    std::vector<std::string> known;
    for (const auto& [other, place] : declared_) known.push_back(other);
    std::string hint = suggestion(owner, known);
    if (hint.empty() && name == "t") hint = "time is called 'time'";
    problems_.error("unknown-name", where,
                    "'" + owner + "' is " +
                        (constant_only_ ? "no parameter" : "neither a parameter nor a part of the mechanism"),
                    hint);
    return no_node;
}

NodeId Parser::expression() {
    constant_only_ = false;
    return ExpressionParser(tokens_, d_.graph(),
                            [this](const std::string& n, const SourceSpan& s) { return resolve(n, s); })();
}

NodeId Parser::constant(bool ends_at_and) {
    const std::size_t begin = tokens_.position();
    constant_only_ = true;
    ExpressionParser parse(tokens_, d_.graph(),
                           [this](const std::string& n, const SourceSpan& s) { return resolve(n, s); });
    const NodeId value = ends_at_and ? parse.sum() : parse();
    constant_only_ = false;
    if (value == no_node) return value;
    const NodeId roots[] = {value};
    for (const NodeId n : d_.graph().reachable(roots))
        if (d_.graph().op(n) == expr::Op::time) {
            problems_.error("not-constant", tokens_.span_from(begin),
                            "a constant value is wanted here, without 'time'");
            return no_node;
        }
    return value;
}

std::optional<Vector> Parser::vector(bool is_constant) {
    const std::size_t begin = tokens_.position();
    const auto one = [&] { return is_constant ? constant() : expression(); };
    const char* const shape = d_.in_space ? "a vector (x, y, z)" : "a vector (x, y)";
    if (!tokens_.accept_sign("(")) {
        tokens_.unexpected(shape);
        return {};
    }
    Vector v = a_.zero();
    v.x = one();
    if (v.x == no_node) return {};
    if (!tokens_.accept_sign(",")) {
        tokens_.unexpected(std::string("',' of ") + shape);
        return {};
    }
    v.y = one();
    if (v.y == no_node) return {};
    const bool third = tokens_.accept_sign(",");
    if (third) {
        v.z = one();
        if (v.z == no_node) return {};
    }
    if (!tokens_.accept_sign(")")) {
        tokens_.unexpected(std::string("')' of ") + shape);
        return {};
    }
    if (third != d_.in_space) {
        problems_.error("wrong-dimension", tokens_.span_from(begin),
                        d_.in_space ? "in space a vector has three components"
                                    : "in the plane a vector has two components",
                        d_.in_space ? "" : "say 'mechanism NAME in space' for three");
        return {};
    }
    return v;
}

/// In the plane an angle; in space 30 deg about (0, 0, 1), and behind `then` further ones, about axes of the ground.
std::optional<Quaternion> Parser::turn() {
    Quaternion total = a_.no_turn();
    do {
        const NodeId angle = constant(true);
        if (angle == no_node) return {};
        Vector axis = a_.vector(0, 0, 1);
        if (d_.in_space) {
            if (!tokens_.accept_word("about")) {
                tokens_.unexpected("'about' and an axis", "as in: 30 deg about (0, 0, 1)");
                return {};
            }
            const auto given = vector(true);
            if (!given) return {};
            axis = *given;
        }
        total = a_.times(a_.turn(angle, axis), total);
    } while (d_.in_space && tokens_.accept_word("then"));
    return total;
}

std::optional<End> Parser::end() {
    const std::size_t begin = tokens_.position();
    const Token* name = name_behind("body");
    if (name == nullptr) return {};
    End e;
    e.point = a_.zero();
    e.turn = a_.no_turn();
    const std::vector<Marker>* markers = &d_.ground_markers;
    if (name->text != "ground") {
        const auto found = bodies_.find(name->text);
        if (found == bodies_.end()) {
            std::vector<std::string> known{"ground"};
            for (const auto& [other, id] : bodies_) known.push_back(other);
            problems_.error("unknown-body", span(*name), "there is no body '" + printable(name->text) + "'",
                            suggestion(name->text, known));
            return {};
        }
        e.body = found->second;
        markers = &d_.bodies[static_cast<std::size_t>(e.body)].markers;
    }
    if (tokens_.at_sign(".")) {
        (void)tokens_.next();
        const Token* marker = name_behind("marker");
        if (marker == nullptr) return {};
        const auto at =
            std::find_if(markers->begin(), markers->end(), [&](const Marker& m) { return m.name == marker->text; });
        if (at == markers->end()) {
            std::vector<std::string> known;
            for (const Marker& m : *markers) known.push_back(m.name);
            problems_.error("unknown-marker", span(*marker),
                            "'" + d_.body_name(e.body) + "' has no marker '" + printable(marker->text) + "'",
                            suggestion(marker->text, known));
            return {};
        }
        e.point = at->point;
        e.turn = at->turn;
    }
    if (tokens_.accept_word("at")) {
        const auto point = vector(true);
        if (!point) return {};
        e.point = *point;
    }
    if (tokens_.accept_word("turned")) {
        const auto turned = turn();
        if (!turned) return {};
        e.turn = *turned;
    }
    e.span = tokens_.span_from(begin);
    return e;
}

std::optional<std::pair<End, End>> Parser::both_ends() {
    if (!tokens_.accept_word("between")) {
        tokens_.unexpected("'between'", "as in: between ground at (0, 0) and rod.tip");
        return {};
    }
    const auto a = end();
    if (!a) return {};
    if (!tokens_.accept_word("and")) {
        tokens_.unexpected("'and'", "as in: between ground at (0, 0) and rod.tip");
        return {};
    }
    const auto b = end();
    if (!b) return {};
    if (a->body == b->body) {
        problems_.error("same-body", b->span, "both ends are on '" + d_.body_name(a->body) + "'");
        return {};
    }
    return std::pair(*a, *b);
}

bool Parser::equals() {
    if (tokens_.accept_sign("=")) return true;
    tokens_.unexpected("'='");
    return false;
}

void Parser::set(NodeId& target) {
    if (!equals()) return;
    const NodeId value = expression();
    if (value != no_node) target = value;
}
void Parser::set_constant(NodeId& target) {
    if (!equals()) return;
    const NodeId value = constant();
    if (value != no_node) target = value;
}
void Parser::set_vector(Vector& target, bool is_constant) {
    if (!equals()) return;
    if (const auto value = vector(is_constant)) target = *value;
}
void Parser::set_axial(Vector& target, bool is_constant) {
    if (d_.in_space) return set_vector(target, is_constant);
    if (!equals()) return;
    const NodeId value = is_constant ? constant() : expression();
    if (value != no_node) target = {a_.number(0), a_.number(0), value};
}

void Parser::attributes(const std::string& owner, const Handlers& handlers) {
    if (!tokens_.accept_sign("{")) return;
    std::set<std::string> seen;
    while (!tokens_.accept_sign("}")) {
        const Token word = tokens_.peek();
        const auto handler = word.kind == TokenKind::name ? handlers.find(word.text) : handlers.end();
        if (tokens_.at_end()) return tokens_.unexpected("'}' behind what belongs to " + owner);
        const int before = problems_.count();
        if (handler != handlers.end()) {
            (void)tokens_.next();
            if (word.text != "marker" && !seen.emplace(word.text).second)
                problems_.error("given-twice", span(word), "'" + std::string(word.text) + "' is given twice");
            handler->second();
        } else if (word.kind == TokenKind::name) {
            std::vector<std::string> known;
            std::string all;
            for (const auto& [name, action] : handlers) {
                known.push_back(name);
                all += (all.empty() ? "" : ", ") + name;
            }
            const std::string hint = suggestion(word.text, known);
            problems_.error("unknown-attribute", span(word),
                            "'" + printable(word.text) + "' is nothing that " + owner + " has",
                            hint.empty() ? "it has: " + all : hint);
            (void)tokens_.next();
        } else {
            tokens_.unexpected("a name or '}'");
            (void)tokens_.next();
        }
        if (problems_.count() > before) // go on at the next thing that is known here
            while (!tokens_.at_end() && !tokens_.at_sign("}") &&
                   !(tokens_.peek().kind == TokenKind::name && handlers.contains(tokens_.peek().text) &&
                     (tokens_.peek(1).text == "=" || tokens_.at_word("marker"))))
                (void)tokens_.next();
        while (tokens_.accept_sign(",") || tokens_.accept_sign(";")) {
        }
    }
}

} // namespace daedalus::mechanics
