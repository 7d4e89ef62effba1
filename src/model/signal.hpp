// A known function of time in the place of an input's missing equation, as a polynomial about a moving point:
//
//     u(t) = c_0 + s (c_1 + s (c_2 + …)) ,  s = t − τ ,
//
// with τ and the c_k in held parameters. A table changes them at its knots, which are events; a function of the
// caller's is asked at every time t at which anything is evaluated, with τ = t and c_k = u^(k)(t)/k!. To the passes it
// is an expression like any other: derivatives with respect to time follow from it, exactly.
//
// A further term m s^(d+1), where d derivatives may be taken, has the coefficient zero: an expression that still
// mentions m where τ = t asks for a derivative that does not exist or that nobody gave.
#pragma once

#include "base/source.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daedalus::model {

struct Signal {
    std::string name; ///< of the input
    int variable = -1;
    int first_parameter = -1; ///< τ; the coefficients follow
    int known = 1;            ///< coefficients c_0 … c_{known−1}; behind them, m
    int differentiable = 0;   ///< d; negative: as often as one likes
    std::vector<double> knots;
    std::vector<double> pieces; ///< origin τ and coefficients, before the first knot, between knots, behind the last
    std::vector<std::function<double(double)>> functions; ///< u, u', …; empty: a table

    [[nodiscard]] int slots() const { return known + 2; } ///< parameters that it has, and one more:
    /// not zero where a run has replaced the table by what is in its parameters.
    [[nodiscard]] int replaced() const { return first_parameter + slots(); }
    [[nodiscard]] bool owns(int parameter) const {
        return parameter >= first_parameter && parameter < first_parameter + slots();
    }
    [[nodiscard]] bool is_function() const { return !functions.empty(); }
    /// Numbers of all its parameters at t, on the piece that begins there.
    void at(double t, double* slots) const;
};

/// Sets the parameters of all of them as they are at t, or of functions only. True if one has changed.
bool set_signals(const std::vector<Signal>& signals, double t, double* parameters, bool functions_only = false);

} // namespace daedalus::model
