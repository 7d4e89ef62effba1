#include "mechanics/lagrange.hpp"

#include "base/printable.hpp"
#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"
#include "mechanics/expression_parser.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace daedalus::mechanics {

using expr::Graph;
using expr::no_node;
using expr::Op;

namespace {

struct Coordinate {
    std::string name;
    SourceSpan span;
    NodeId q = no_node, v = no_node, force = no_node;
};
struct Constraint {
    std::string name;
    SourceSpan span;
    NodeId left = no_node, right = no_node;
};

constexpr std::array statements{"lagrangian", "parameter", "coordinate", "kinetic", "potential",
                                "constraint", "force",     "output",     "until"};

class Reader {
public:
    Reader(const SourceFile& file, Problems& problems)
        : problems_(problems), tokens_(file, lex(file, problems), problems), g_(*model_.graph),
          parse_(tokens_, g_, [this](const std::string& n, const SourceSpan& s) { return resolve(n, s); }) {
        model_.name = "lagrangian";
        kinetic_ = potential_ = g_.constant(0.0);
    }

    model::Model run() {
        declare();
        tokens_.go_to(0);
        while (!tokens_.at_end()) statement();
        if (coordinates_.empty() && !problems_.any())
            problems_.error("no-coordinate", {&tokens_.file(), 0, 0}, "the file declares no coordinate",
                            "as in: coordinate x = 1, y = 0");
        if (!problems_.any()) check_energies();
        if (!problems_.any()) equations();
        return std::move(model_);
    }

private:
    [[nodiscard]] bool at_statement() const {
        return tokens_.peek().kind == TokenKind::name &&
               std::find(statements.begin(), statements.end(), tokens_.peek().text) != statements.end();
    }
    void recover() {
        while (!tokens_.at_end() && !at_statement()) (void)tokens_.next();
    }
    [[nodiscard]] NodeId resolve(const std::string& name, const SourceSpan& span) {
        if (const auto id = model_.find_parameter(name)) return g_.parameter(*id);
        for (const Coordinate& c : coordinates_) {
            if (name == c.name && !constant_) return c.q;
            if (name == "der(" + c.name + ")" && !constant_) return c.v;
        }
        std::vector<std::string> known;
        for (const auto& p : model_.parameters) known.push_back(p.name);
        for (const Coordinate& c : coordinates_) known.push_back(c.name), known.push_back("der(" + c.name + ")");
        problems_.error("unknown-name", span,
                        "'" + printable(name) + "' is " +
                            (constant_ ? "no parameter" : "neither a parameter nor a coordinate"),
                        suggestion(name, known));
        return no_node;
    }
    NodeId constant() {
        constant_ = true;
        const NodeId e = parse_();
        constant_ = false;
        return e;
    }

    /// Names first, so that the order of statements is free.
    void declare() {
        while (!tokens_.at_end()) {
            const std::string_view word = tokens_.next().text;
            if (word != "parameter" && word != "coordinate") continue;
            do {
                const Token name = tokens_.peek();
                if (name.kind != TokenKind::name || at_statement()) break;
                (void)tokens_.next();
                add(name, word == "parameter");
                for (int depth = 0; !tokens_.at_end() && !(depth <= 0 && (tokens_.at_sign(",") || at_statement()));
                     (void)tokens_.next())
                    depth += tokens_.at_sign("(") ? 1 : tokens_.at_sign(")") ? -1 : 0;
            } while (tokens_.accept_sign(","));
        }
    }
    void add(const Token& token, bool parameter) {
        const std::string name(token.text);
        const SourceSpan span = tokens_.span(token);
        if (name == "time" || name == "pi" || name == "der")
            problems_.error("reserved-name", span, "'" + name + "' is a word of the language");
        if (model_.find_parameter(name) || model_.find_variable(name)) {
            problems_.error("declared-twice", span, "'" + name + "' is declared twice");
        } else if (parameter) {
            model::Parameter p;
            p.name = name;
            p.span = span;
            (void)model_.add_parameter(std::move(p));
        } else {
            Coordinate c{name, span, variable(name, span, "coordinate"),
                         variable("v_" + name, span, "velocity of " + name), g_.constant(0.0)};
            coordinates_.push_back(std::move(c));
        }
    }
    NodeId variable(const std::string& name, const SourceSpan& span, const std::string& about) {
        if (model_.find_variable(name) || model_.find_parameter(name))
            problems_.error("declared-twice", span, "there is something called '" + name + "' already");
        model::Variable v;
        v.name = name;
        v.span = span;
        v.description = about;
        return g_.variable(model_.add_variable(std::move(v)));
    }

    void statement() {
        const int before = problems_.count();
        const Token word = tokens_.peek();
        if (!at_statement()) {
            tokens_.unexpected("a statement, as 'coordinate' or 'kinetic'",
                               suggestion(word.text, {statements.begin(), statements.end()}));
            (void)tokens_.next();
            return recover();
        }
        (void)tokens_.next();
        if (word.text == "lagrangian")
            heading();
        else if (word.text == "parameter" || word.text == "coordinate")
            values(word.text == "coordinate");
        else if (word.text == "kinetic")
            energy(kinetic_);
        else if (word.text == "potential")
            energy(potential_);
        else if (word.text == "until")
            until();
        else
            named(word.text);
        if (problems_.count() > before) recover();
    }
    void heading() {
        if (tokens_.peek().kind != TokenKind::name) return tokens_.unexpected("a name");
        model_.name = std::string(tokens_.next().text);
        if (tokens_.peek().kind == TokenKind::text) model_.description = printable(tokens_.next().text);
    }
    void energy(NodeId& sum) {
        const NodeId e = parse_();
        if (e != no_node) sum = g_.add(sum, e);
    }
    void until() {
        if (!tokens_.accept_sign("=")) return tokens_.unexpected("'='");
        const NodeId e = constant();
        if (e != no_node && g_.is_constant(e) && g_.constant_value(e) > 0.0)
            model_.experiment.stop_time = g_.constant_value(e);
        else if (e != no_node)
            tokens_.unexpected("a positive number before this");
    }
    /// NAME = value [speed value], …
    void values(bool coordinates) {
        do {
            const Token name = tokens_.peek();
            if (name.kind != TokenKind::name) return tokens_.unexpected("a name");
            (void)tokens_.next();
            if (!coordinates && !tokens_.at_sign("=")) return tokens_.unexpected("'=' and a value");
            if (tokens_.accept_sign("=")) {
                const NodeId value = constant();
                if (value == no_node) return;
                if (!coordinates) {
                    if (const auto id = model_.find_parameter(std::string(name.text)))
                        model_.parameters[static_cast<std::size_t>(*id)].binding = value;
                } else if (const auto id = model_.find_variable(std::string(name.text))) {
                    model_.variables[static_cast<std::size_t>(*id)].start = value;
                }
            }
            if (coordinates && tokens_.accept_word("speed")) {
                const NodeId value = constant();
                if (value == no_node) return;
                if (const auto id = model_.find_variable("v_" + std::string(name.text)))
                    model_.variables[static_cast<std::size_t>(*id)].start = value;
            }
        } while (tokens_.accept_sign(","));
    }
    /// constraint NAME: a = b, force COORDINATE = Q, output NAME = a
    void named(std::string_view word) {
        const Token name = tokens_.peek();
        if (name.kind != TokenKind::name) return tokens_.unexpected("a name");
        (void)tokens_.next();
        const bool constraint = word == "constraint";
        if (!tokens_.accept_sign(constraint ? ":" : "="))
            return tokens_.unexpected(constraint ? "':', as in: constraint rod: x^2 + y^2 = L^2" : "'='");
        const NodeId left = parse_();
        if (left == no_node) return;
        const SourceSpan span = tokens_.span(name);
        if (constraint) {
            if (!tokens_.accept_sign("=")) return tokens_.unexpected("'='");
            const NodeId right = parse_();
            if (right != no_node) constraints_.push_back({std::string(name.text), span, left, right});
        } else if (word == "output") {
            outputs_.push_back({std::string(name.text), span, left, no_node});
        } else {
            const auto at = std::find_if(coordinates_.begin(), coordinates_.end(),
                                         [&](const Coordinate& c) { return c.name == name.text; });
            if (at == coordinates_.end()) {
                problems_.error("unknown-name", span, "there is no coordinate '" + std::string(name.text) + "'",
                                "a generalised force acts on a coordinate");
                return;
            }
            at->force = g_.add(at->force, left);
        }
    }

    [[nodiscard]] bool mentions(NodeId e, NodeId leaf) const {
        const NodeId roots[] = {e};
        const auto below = g_.reachable(roots);
        return std::find(below.begin(), below.end(), leaf) != below.end();
    }
    void check_energies() {
        auto parameters = model::parameter_values(model_);
        if (!parameters)
            for (const Diagnostic& d : parameters.error()) problems_.add(d);
        for (const Coordinate& c : coordinates_) {
            if (mentions(potential_, c.v))
                problems_.error("velocity-in-potential", c.span, "the potential energy mentions der(" + c.name + ")",
                                "what depends on velocities belongs to the kinetic energy, or to a force");
            if (!mentions(kinetic_, c.v))
                problems_.warning("no-inertia", c.span, "the kinetic energy does not mention der(" + c.name + ")",
                                  "unless constraints determine it, it has no acceleration");
        }
    }

    void equations() {
        expr::TimeDerivative ddt(g_);
        std::map<NodeId, NodeId> rates;
        for (const Coordinate& c : coordinates_) {
            const NodeId rate = g_.variable(g_.variable_id(c.q), 1);
            rates[rate] = c.v;
            model_.equations.push_back({rate, c.v, "velocity of " + c.name, c.span});
        }
        expr::Substitution in_velocities(g_, [&](NodeId leaf) {
            const auto at = rates.find(leaf);
            return at == rates.end() ? leaf : at->second;
        });
        std::map<NodeId, NodeId> pull; // by velocity
        std::vector<model::Equation> rows;
        for (const Constraint& c : constraints_) {
            const NodeId lambda = variable("lambda_" + c.name, c.span, "multiplier of " + c.name);
            const NodeId g = g_.sub(c.left, c.right);
            const bool of_velocity = std::any_of(coordinates_.begin(), coordinates_.end(),
                                                 [&](const Coordinate& k) { return mentions(g, k.v); });
            for (const Coordinate& k : coordinates_) {
                const NodeId slope = expr::partial(g_, g, of_velocity ? k.v : k.q);
                if (slope == no_node) continue;
                const NodeId force = g_.mul(slope, lambda);
                const auto at = pull.find(k.v);
                pull[k.v] = at == pull.end() ? force : g_.add(at->second, force);
            }
            rows.push_back({c.left, c.right, "constraint " + c.name, c.span});
        }
        const auto slope = [&](NodeId e, NodeId leaf) {
            const NodeId d = expr::partial(g_, e, leaf);
            return d == no_node ? g_.constant(0.0) : d;
        };
        for (const Coordinate& c : coordinates_) {
            const NodeId momentum = slope(kinetic_, c.v), change = in_velocities(ddt(momentum));
            NodeId right = g_.add(g_.sub(slope(kinetic_, c.q), slope(potential_, c.q)), c.force);
            if (const auto at = pull.find(c.v); at != pull.end()) right = g_.sub(right, at->second);
            model_.equations.push_back({change, right, "motion of " + c.name, c.span});
        }
        for (model::Equation& e : rows) model_.equations.push_back(std::move(e));
        for (const Constraint& o : outputs_)
            model_.equations.push_back({variable(o.name, o.span, "output"), o.left, "output " + o.name, o.span});
    }

    Problems& problems_;
    TokenStream tokens_;
    model::Model model_;
    Graph& g_;
    ExpressionParser parse_;
    std::vector<Coordinate> coordinates_;
    std::vector<Constraint> constraints_, outputs_;
    NodeId kinetic_, potential_;
    bool constant_ = false;
};

} // namespace

Expected<model::Model> read_lagrangian(std::shared_ptr<const SourceFile> file) {
    Problems problems;
    model::Model model = Reader(*file, problems).run();
    if (problems.any()) return Unexpected{problems.take()};
    model.warnings = problems.take();
    model.sources.push_back(std::move(file));
    return model;
}

} // namespace daedalus::mechanics
