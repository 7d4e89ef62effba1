#include "compile/start_samples.hpp"

#include "expr/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

std::vector<std::vector<double>> values_near_start(const Compilation& c, std::span<const NodeId> expressions,
                                                   const std::function<double(NodeId leaf)>& given) {
    constexpr int points = 3;
    constexpr double distance = 0.1; // of the size of an unknown
    const expr::Graph& g = c.system.graph();
    std::vector<std::vector<double>> values;
    for (int p = 0; p < points; ++p) {
        const auto leaf = [&](NodeId node) {
            if (g.op(node) == Op::time) return c.start_time;
            if (g.op(node) == Op::parameter) return c.parameters[static_cast<std::size_t>(g.parameter_id(node))];
            if (given)
                if (const double value = given(node); !std::isnan(value)) return value;
            const int u =
                g.variable_id(node) < 0 ? -1 : c.initial.unknown({g.variable_id(node), g.derivative_order(node)});
            if (u < 0) return 0.0;
            const problem::InitialUnknown& data = c.initial.data[static_cast<std::size_t>(u)];
            const double size = std::max(std::abs(data.start), std::abs(data.nominal));
            return data.start + (p == 0 ? 0.0 : distance * size * std::cos(2.4 * u + p));
        };
        std::vector<double> at = expr::evaluate(g, expressions, leaf);
        if (p == 0 || std::all_of(at.begin(), at.end(), [](double v) { return std::isfinite(v); }))
            values.push_back(std::move(at));
    }
    return values;
}

} // namespace daedalus::compile
