// Expressions at points that are random and always the same: what vanishes or is equal there is so everywhere.
#pragma once

#include "expr/evaluate.hpp"
#include "transform/system.hpp"

#include <cmath>
#include <random>

namespace daedalus::transform {

/// The same for every expression; parameters have their values, as far as they are known before the start.
[[nodiscard]] inline double at_random_point(const System& s, NodeId e, unsigned point) {
    const expr::Graph& g = s.graph();
    return expr::evaluate(g, e, [&](NodeId leaf) {
        if (g.op(leaf) == expr::Op::parameter) {
            const auto id = static_cast<std::size_t>(g.parameter_id(leaf));
            if (id < s.parameters.size() && std::isfinite(s.parameters[id])) return s.parameters[id];
        }
        std::minstd_rand random(expr::index(leaf) * 7919U + point * 104729U + 1U);
        random.discard(3);
        return std::uniform_real_distribution<double>(0.3, 1.4)(random);
    });
}

} // namespace daedalus::transform
