// Formulas written with operators: the values that a C++ model is made of.
//
//   daedalus::Model m("Pendulum");
//   auto x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
//   m.equation(der(der(x)) == -lambda * x);
//
// Numbers convert to expressions by themselves. An Expression may outlive its model. What can only be a mistake throws
// where it is written: std::invalid_argument for expressions of two models in one formula or equation, for a name that
// the model has already, and for a value to be set that is no variable.
#pragma once

#include <cstdint>
#include <memory>

namespace daedalus {

class Model;
class Expression;

/// left = right
struct EquationExpression;

class Expression {
public:
    Expression() = default;                     ///< the number 0
    Expression(double value) : value_(value) {} // NOLINT(google-explicit-constructor): numbers are expressions
    Expression(int value) : value_(value) {}    // NOLINT(google-explicit-constructor)

    Expression& operator+=(const Expression& b);
    Expression& operator-=(const Expression& b);
    Expression& operator*=(const Expression& b);
    Expression& operator/=(const Expression& b);

    /// Implementation: graph and node, or a plain number.
    struct Access;

private:
    friend struct Access;
    std::shared_ptr<void> graph_; ///< shared with the model
    std::uint32_t node_ = 0;
    double value_ = 0.0;
};

struct EquationExpression {
    Expression left, right;
};

[[nodiscard]] Expression operator+(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator-(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator*(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator/(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator-(const Expression& a);
[[nodiscard]] inline Expression operator+(const Expression& a) { return a; }

[[nodiscard]] Expression pow(const Expression& a, const Expression& b);

// sqrt, exp, log, sin, …, atan2, min, max: Expression name(const Expression& a), or (a, b).
#define DAEDALUS_PARAMETERS_1 const Expression& a
#define DAEDALUS_PARAMETERS_2 const Expression &a, const Expression &b
#define DAEDALUS_FUNCTION(name, arguments) [[nodiscard]] Expression name(DAEDALUS_PARAMETERS_##arguments);
#include "daedalus/elementary_functions.inc"
#undef DAEDALUS_FUNCTION
#undef DAEDALUS_PARAMETERS_1
#undef DAEDALUS_PARAMETERS_2

/// Total time derivative; of a variable its derivative, of a formula by the chain rule.
[[nodiscard]] Expression der(const Expression& a);

// Conditions: values for if_then_else only.
[[nodiscard]] Expression operator<(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator<=(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator>(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator>=(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator&&(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator||(const Expression& a, const Expression& b);
[[nodiscard]] Expression operator!(const Expression& a);
[[nodiscard]] Expression if_then_else(const Expression& condition, const Expression& then_value,
                                      const Expression& else_value);

/// An equation, not a comparison.
[[nodiscard]] inline EquationExpression operator==(const Expression& a, const Expression& b) { return {a, b}; }

} // namespace daedalus
