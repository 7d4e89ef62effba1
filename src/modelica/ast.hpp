// The syntax tree of a Modelica file (specification 3.5, appendix A), every node with its place in the text. Names
// are views into the file, which must outlive the tree.
//
// Expressions live in one array, operands before their users: the subtree of an expression is the contiguous range
// [first, id]. Reading an expression is therefore a loop over that range, never a recursion, so a sum of 100,000
// terms is as harmless as one of two. Everything else nests only as deep as the parser allows.
#pragma once

#include "base/rarely.hpp"
#include "modelica/report.hpp"
#include "modelica/token.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace daedalus::modelica::ast {

enum class ExprId : std::uint32_t {};
inline constexpr ExprId no_expr{0xFFFFFFFFU};
[[nodiscard]] constexpr std::uint32_t index(ExprId id) { return static_cast<std::uint32_t>(id); }
[[nodiscard]] constexpr bool given(ExprId id) { return id != no_expr; }

enum class ExprKind : std::uint8_t {
    invalid,     ///< what could not be read; already reported
    number,      ///< value
    string,      ///< span
    boolean,     ///< value 0 or 1
    reference,   ///< detail: index in Tree::references
    call,        ///< detail: index in Tree::calls
    unary,       ///< op: plus, minus, kw_not and the elementwise signs
    binary,      ///< op
    conditional, ///< operands c1, v1, c2, v2, …, v_else
    array,       ///< {a, b, …}
    matrix,      ///< [a, b; c, d]: operands are the rows
    row,         ///< one row of a matrix
    range,       ///< a:b or a:step:b
    tuple,       ///< (a, b, …), with no_expr for an omitted element
    part,        ///< (a)[i].b: of its operand what the reference says, whose first part has no name
    all,         ///< ':' as a subscript
    end_,        ///< 'end' as a subscript
};

struct Expr {
    ExprKind kind = ExprKind::invalid;
    TokenKind op = TokenKind::end_of_file;
    bool is_integer = false; ///< number written without point and exponent
    Span span;
    ExprId first{};             ///< lowest id of the subtree
    std::uint32_t operands = 0; ///< first operand in Tree::operand_list
    std::uint32_t count = 0;    ///< number of operands
    std::uint32_t detail = 0;
    double value = 0.0;
};

/// a.b[i].c
struct NamePart {
    std::string_view name;
    Span span;
    Rarely<std::vector<ExprId>> subscripts;
};

/// Of a name. Nearly all have one, which stands here itself.
class NameParts {
public:
    void push_back(NamePart part);
    [[nodiscard]] bool empty() const { return !has_first_; }
    [[nodiscard]] std::size_t size() const { return more_.empty() ? (has_first_ ? 1 : 0) : more_.size(); }
    [[nodiscard]] const NamePart* begin() const { return more_.empty() ? &first_ : more_.get().data(); }
    [[nodiscard]] const NamePart* end() const { return begin() + size(); }
    [[nodiscard]] const NamePart& operator[](std::size_t k) const { return begin()[k]; }
    [[nodiscard]] const NamePart& front() const { return *begin(); }
    [[nodiscard]] const NamePart& back() const { return end()[-1]; }
    [[nodiscard]] NamePart& edit(std::size_t k) { return more_.empty() ? first_ : more_.edit()[k]; }

private:
    NamePart first_;
    bool has_first_ = false;
    Rarely<std::vector<NamePart>> more_; ///< all of them, where there are several
};
inline void NameParts::push_back(NamePart part) {
    if (!has_first_) {
        first_ = std::move(part);
        has_first_ = true;
        return;
    }
    std::vector<NamePart>& all = more_.edit();
    if (all.empty()) all.push_back(std::move(first_));
    all.push_back(std::move(part));
}

struct Reference {
    NameParts parts;
    bool global = false; ///< begins with a dot
    Span span;

    [[nodiscard]] bool empty() const { return parts.empty(); }

    [[nodiscard]] bool is_simple() const { return parts.size() == 1 && parts[0].subscripts.empty() && !global; }
    [[nodiscard]] bool has_subscripts() const;
    [[nodiscard]] std::string text() const; ///< dotted, without subscripts
};

struct ForIndex {
    std::string_view name;
    Span span;
    ExprId range = no_expr;
};

struct Argument {
    std::string_view name; ///< empty: positional
    Span span;
    ExprId value = no_expr;
    bool is_function = false; ///< function f(a = …)
};
struct Call {
    Reference function;
    std::vector<Argument> arguments;
    std::vector<ForIndex> indices; ///< f(e for i in …), {e for i in …}
};

struct Element;
struct ClassDefinition;

/// name(…) = value, with everything that may stand around it; annotations are the same list.
struct Modification {
    Reference name;
    Span span;
    bool each = false;
    bool final_ = false;
    bool has_arguments = false;
    Rarely<std::vector<Modification>> arguments;
    ExprId value = no_expr;
    Rarely<std::string> description;
    std::shared_ptr<Element> element; ///< redeclare or replaceable element instead of a value
};

enum class Variability : std::uint8_t { continuous, discrete, parameter, constant };
enum class Causality : std::uint8_t { none, input, output };

struct Prefixes {
    Variability variability = Variability::continuous;
    Causality causality = Causality::none;
    bool flow = false;
    bool stream = false;
    bool final_ = false;
    bool inner = false;
    bool outer = false;
    bool redeclare = false;
    bool replaceable = false;
    bool is_protected = false;
};

struct Component {
    std::string_view name;
    Span name_span;
    Span span;
    Rarely<std::vector<ExprId>> dimensions;
    std::vector<Modification> modifications;
    ExprId binding = no_expr;
    ExprId condition = no_expr;
    Rarely<std::string> description;
    Rarely<std::vector<Modification>> annotation;
};

/// parameter Real a = 1, b[3];
struct ComponentClause {
    Reference type;
    Rarely<std::vector<ExprId>> dimensions;
    std::vector<Component> components;
};

struct ExtendsClause {
    Reference base;
    std::vector<Modification> modifications;
};

struct ImportClause {
    Reference name;
    std::string_view alias;
    bool all = false;                     ///< import A.B.*;
    std::vector<std::string_view> chosen; ///< import A.B.{C, D};
};

struct Element {
    Prefixes prefixes;
    Span span;
    std::variant<ComponentClause, ExtendsClause, ImportClause, std::unique_ptr<ClassDefinition>> what;
    Rarely<Reference> constrained_by;
    Rarely<std::vector<Modification>> constraint; ///< modifications behind constrainedby
};

enum class EquationKind : std::uint8_t { equality, if_, for_, when, connect, call, invalid };

struct Equation;
struct Branch {
    ExprId condition = no_expr; ///< no_expr: else
    std::vector<Equation> equations;
};
struct Equation {
    EquationKind kind = EquationKind::invalid;
    Span span;
    ExprId left = no_expr;  ///< equality; connect: first connector; call: the call
    ExprId right = no_expr; ///< equality; connect: second connector
    Rarely<std::vector<Branch>> branches;
    Rarely<std::vector<ForIndex>> indices;
    Rarely<std::string> description;
};

enum class StatementKind : std::uint8_t { assign, call, if_, for_, while_, when, break_, return_, invalid };

struct Statement;
struct StatementBranch {
    ExprId condition = no_expr;
    std::vector<Statement> statements;
};
struct Statement {
    StatementKind kind = StatementKind::invalid;
    Span span;
    ExprId left = no_expr;
    ExprId right = no_expr;
    std::vector<StatementBranch> branches;
    std::vector<ForIndex> indices;
    Rarely<std::string> description;
};

struct EquationSection {
    bool initial = false;
    Span span; ///< of the keyword
    std::vector<Equation> equations;
};
struct AlgorithmSection {
    bool initial = false;
    Span span;
    std::vector<Statement> statements;
};

enum class ClassKind : std::uint8_t {
    class_,
    model,
    block,
    record,
    operator_record,
    connector,
    expandable_connector,
    type,
    package,
    function,
    operator_function,
    operator_
};
[[nodiscard]] std::string_view spelling(ClassKind kind);

enum class ClassForm : std::uint8_t { composition, alias, enumeration, partial_derivative };

struct ClassDefinition {
    ClassKind kind = ClassKind::model;
    ClassForm form = ClassForm::composition;
    Prefixes prefixes;
    bool is_partial = false;
    bool is_encapsulated = false;
    bool extends_inherited = false; ///< class extends Name
    std::string_view name;
    Span name_span;
    Span span;
    Rarely<std::string> description;
    std::vector<Element> elements;
    std::vector<EquationSection> equations;
    std::vector<AlgorithmSection> algorithms;
    Rarely<std::vector<Modification>> annotation;
    bool is_external = false;
    Span external_span;
    std::string_view external_language; ///< with its quotes; empty: C
    ExprId external_output = no_expr;   ///< y = f(…)
    ExprId external_call = no_expr;
    // type Name = base[dimensions](modifications); enumeration: literals; der(base, names): variables
    Reference base;
    Prefixes base_prefixes; ///< connector Input = input Real;
    std::vector<ExprId> dimensions;
    std::vector<Modification> modifications;
    std::vector<Component> literals;
    bool open_enumeration = false; ///< enumeration(:)
};

/// One file.
struct Tree {
    std::vector<Expr> expressions;
    std::vector<ExprId> operand_list;
    std::vector<Reference> references;
    std::vector<Call> calls;
    Reference within;
    std::vector<std::unique_ptr<ClassDefinition>> classes;

    [[nodiscard]] const Expr& operator[](ExprId id) const { return expressions[index(id)]; }
    [[nodiscard]] ExprId operand(const Expr& e, std::uint32_t k) const { return operand_list[e.operands + k]; }
    [[nodiscard]] const Reference& reference(const Expr& e) const { return references[e.detail]; }
    [[nodiscard]] const Call& call(const Expr& e) const { return calls[e.detail]; }
};

} // namespace daedalus::modelica::ast
