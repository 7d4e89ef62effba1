// The walk through all expressions of a model that compares units (unit_check.cpp).
#pragma once

#include "modelica/translator.hpp"
#include "modelica/units.hpp"

namespace daedalus::modelica {

class Translator::UnitCheck {
public:
    explicit UnitCheck(Translator& translator) : t_(translator) {}
    /// What does not fit, as warnings.
    [[nodiscard]] Diagnostics run();

private:
    struct Of {
        enum class Kind { unknown, number, known } kind = Kind::unknown;
        Units units;
    };
    struct Part { ///< an expression, with its words
        Of of;
        std::string text;
    };

    [[nodiscard]] std::string text(const Context& c, ast::ExprId id) const;
    void report(const Context& c, Span span, const std::string& message);
    Of same(const Context& c, const Part& a, const Part& b, Span span, const std::string& how);
    [[nodiscard]] Component* component(const Context& c, const ast::Reference& name) const;
    [[nodiscard]] Of of(Component* c) const;
    Of reference(const Context& c, const ast::Reference& name);
    [[nodiscard]] Of product(const Of& a, const Of& b, bool divided) const;
    Of binary(const Context& c, ast::ExprId id);
    Of power(const Context& c, const Part& base, const Part& exponent, ast::ExprId second);
    Of call(const Context& c, const ast::Expr& e);
    Of function(const Context& c, const ast::Call& call, const std::vector<Part>& parts);
    Of expression(const Context& c, ast::ExprId id);
    void equal(const Context& c, ast::ExprId left, ast::ExprId right);
    void equations(const Context& c, const std::vector<ast::Equation>& list);
    void statements(const Context& c, const std::vector<ast::Statement>& list);
    void binding(Component* c);
    void connections();
    /// What cannot be looked up has been reported elsewhere, or does not matter.
    template <class Look>
    void quietly(const Look& look) {
        const std::size_t locals = locals_.size();
        try {
            look();
        } catch (const TranslationError&) {
            locals_.resize(locals);
        } catch (const NoNumber&) {
            locals_.resize(locals);
        }
    }

    Translator& t_;
    Diagnostics found_;
    std::vector<std::string_view> locals_; ///< indices of loops around
};

} // namespace daedalus::modelica
