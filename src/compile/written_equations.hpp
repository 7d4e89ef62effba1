// The model as written, for the certificate: W(t, y, y', …) = 0, beside what compilation made of it.
#pragma once

#include "expr/graph.hpp"
#include "problem/system.hpp"
#include "problem/written_equations.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace daedalus::compile {

struct Compilation;

/// How the terms that the kernel `written` evaluates add up to equations.
struct WrittenTerms {
    struct Equation {
        int number = 0;      ///< of the model's equations, or behind them of its discrete variables
        std::size_t end = 0; ///< its terms end here; they begin where those of the last one end
        int minus_jet = -1;  ///< this value is subtracted: what a discrete variable is said to be
    };
    std::vector<Equation> equations;
    std::vector<char> negative; ///< per term
};

/// Fills the kernels `written` and `written_values`. `frozen` puts what events decide in the place of conditions: with
/// it the values are those that are handed out, whatever the conditions of the equations say themselves.
[[nodiscard]] problem::WrittenEquations
build_written_equations(const std::shared_ptr<Compilation>& compilation,
                        const std::vector<problem::UnknownInfo>& unknowns,
                        const std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>& frozen);

} // namespace daedalus::compile
