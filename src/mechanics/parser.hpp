// A mechanism file → its description. Statements begin with a word; what belongs to a body or a joint stands in braces:
//
//   mechanism pendulum in plane
//   parameter L = 1
//   gravity = (0, -9.81)
//   body rod { mass = 1, inertia = L^2/12, center = (L/2, 0), angle = -30 deg }
//   revolute hinge between ground and rod
//
// The order of statements is free: what is declared is found in a first pass, values are read in a second one.
// docs/mechanics.md lists all statements.
#pragma once

#include "mechanics/description.hpp"
#include "mechanics/expression_parser.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>

namespace daedalus::mechanics {

class Parser {
public:
    Parser(const SourceFile& file, Problems& problems);

    /// Meaningful only if no error was reported.
    [[nodiscard]] Description run();

private:
    // what is declared (parser.cpp)
    void declare_all();
    void declare_statement(std::string_view word);
    void declare_parameters();
    /// Elements are only mentioned with what they have, as in motor.torque: statement words may name them.
    bool declare_name(const Token& name, bool element);
    /// Of one of the two passes: those of bodies and parameters, or the others.
    void statement(bool of_bodies);
    /// robot "arm.urdf": its links and joints belong to the mechanism.
    void include_robot();
    void recover();
    [[nodiscard]] bool at_statement() const;
    void heading();
    void parameters();
    void setting(std::string_view word);
    void condition();
    void output();

    // values (parser_values.cpp)
    [[nodiscard]] NodeId resolve(const std::string& name, const SourceSpan& span);
    /// Of time and quantities, too.
    [[nodiscard]] NodeId expression();
    /// Of parameters only.
    [[nodiscard]] NodeId constant(bool ends_at_and = false);
    [[nodiscard]] std::optional<Vector> vector(bool constant);
    [[nodiscard]] std::optional<Quaternion> turn();
    [[nodiscard]] std::optional<End> end();
    [[nodiscard]] std::optional<std::pair<End, End>> both_ends();
    [[nodiscard]] bool equals();
    void set(NodeId& target);
    void set_constant(NodeId& target);
    void set_vector(Vector& target, bool constant);
    /// A number, or in space a vector: about the third axis in the plane.
    void set_axial(Vector& target, bool constant);
    using Handlers = std::map<std::string, std::function<void()>, std::less<>>;
    /// { name = value, … }; the braces may be missing.
    void attributes(const std::string& owner, const Handlers& handlers);

    // statements (parser_statements.cpp)
    void body(bool particle);
    void body_attributes(Body& body);
    void ground_statement();
    void marker(std::vector<Marker>& markers);
    void joint(JointKind kind);
    void axes(Joint& joint);
    void line_force();
    void joint_force();
    void bushing();
    void applied_force(bool is_torque);

    [[nodiscard]] SourceSpan span(const Token& t) const { return tokens_.span(t); }
    [[nodiscard]] const Token* name_behind(const std::string& what);

    Problems& problems_;
    TokenStream tokens_;
    Description d_;
    Algebra a_;
    std::map<std::string, SourceSpan, std::less<>> declared_;
    std::map<std::string, int, std::less<>> bodies_, joints_;
    std::set<std::string, std::less<>> elements_; ///< forces and conditions: of them there are quantities, too
    bool constant_only_ = false;
    bool heading_seen_ = false;
    std::set<std::size_t> unknown_; ///< places where no statement begins, each reported once
};

/// The words that begin statements.
[[nodiscard]] bool is_statement(std::string_view word);
[[nodiscard]] const std::vector<std::string>& statements();

} // namespace daedalus::mechanics
