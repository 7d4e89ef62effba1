// Taylor recurrences. For a series a(s) = a_0 + a_1 s + a_2 s² + … and v = f(a), each elementary function satisfies
// a differential equation that is linear in v' (for instance v' = v a' for exp); comparing coefficients of s^{k-1}
// gives v_k from a_0 … a_k and v_0 … v_{k-1} in O(k) operations (Griewank & Walther 2008, ch. 13). A rule is written
// once, as a template, and exists for double, for __float128 and for expressions (Symbol), from which kernels are made.
#pragma once

#include "expr/graph.hpp"

#include <type_traits>

namespace daedalus::expr {

__extension__ typedef __float128 Quad; // NOLINT(modernize-use-using): that takes no __extension__

/// An expression as a number: arithmetic on it builds nodes. A constant needs no graph until it meets one.
struct Symbol {
    Symbol() = default;
    Symbol(double c) : value(c) {} // NOLINT: numbers in formulas convert as they do for double
    Symbol(Graph& g, NodeId node) : graph(&g), id(node) {}
    [[nodiscard]] NodeId in(Graph& g) const { return graph == nullptr ? g.constant(value) : id; }

    Graph* graph = nullptr;
    NodeId id = no_node;
    double value = 0.0;
};
[[nodiscard]] Symbol operator+(const Symbol& a, const Symbol& b);
[[nodiscard]] Symbol operator-(const Symbol& a, const Symbol& b);
[[nodiscard]] Symbol operator*(const Symbol& a, const Symbol& b);
[[nodiscard]] Symbol operator/(const Symbol& a, const Symbol& b);
[[nodiscard]] Symbol operator-(const Symbol& a);
[[nodiscard]] inline Symbol square(const Symbol& a) { return a * a; }

/// What an operation gives, for each kind of number (relations give 1 or 0).
[[nodiscard]] double apply_to(Op op, double a, double b = 0.0, double c = 0.0);
[[nodiscard]] Quad apply_to(Op op, Quad a, Quad b = 0.0, Quad c = 0.0);
[[nodiscard]] Symbol apply_to(Op op, const Symbol& a, const Symbol& b = {}, const Symbol& c = {});

/// Computes v_k (k ≥ 1; v_0 is the function's value) and, where a rule needs one, the k-th coefficient of a partner
/// series u (cos beside sin); partners get their coefficient 0 by a call with k = 0.
template <class T>
using TaylorStep = void (*)(int k, const T* a, const T* b, T* v, T* u);

struct TaylorRule {
    TaylorStep<double> in_double = nullptr;
    TaylorStep<Quad> in_quad = nullptr;
    TaylorStep<Symbol> in_symbols = nullptr;
    bool partner = false;

    template <class T>
    [[nodiscard]] TaylorStep<T> step() const {
        if constexpr (std::is_same_v<T, double>)
            return in_double;
        else if constexpr (std::is_same_v<T, Quad>)
            return in_quad;
        else
            return in_symbols;
    }
};

/// A rule from a type with `static constexpr bool partner` and `template <class T> static void step(k, a, b, v, u)`.
template <class Rule>
[[nodiscard]] constexpr TaylorRule taylor_rule() {
    return {&Rule::template step<double>, &Rule::template step<Quad>, &Rule::template step<Symbol>, Rule::partner};
}

/// Σ_{j=first}^{last} x_j y_{k-j}
template <class T>
[[nodiscard]] T convolution(int k, int first, int last, const T* x, const T* y) {
    T sum = 0.0;
    for (int j = first; j <= last; ++j) sum = sum + x[j] * y[k - j];
    return sum;
}
/// (1/k) Σ_{j=first}^{last} j x_j y_{k-j}: with first = 1, last = k the coefficient of ∫ x' y.
template <class T>
[[nodiscard]] T integral(int k, int first, int last, const T* x, const T* y) {
    T sum = 0.0;
    for (int j = first; j <= last; ++j) sum = sum + T(static_cast<double>(j)) * (x[j] * y[k - j]);
    return sum / T(static_cast<double>(k));
}

/// Functions that are constant between jumps.
struct PiecewiseConstantRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* /*a*/, const T* /*b*/, T* v, T* /*u*/) {
        if (k > 0) v[k] = 0.0;
    }
};

/// Of operations that are not in the table of functions: sums, products, quotients, powers with a constant exponent
/// b_0, relations. (Powers with integer exponents are better taken as products: the recurrence divides by a_0.)
/// `select` is left to the caller, as it has three operands.
[[nodiscard]] const TaylorRule& taylor_rule_of(Op op);

} // namespace daedalus::expr
