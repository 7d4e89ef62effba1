#include "transform/index_reduction.hpp"

namespace daedalus::transform {

ReducedSystem reduce_index(const System& system, structure::SignatureMatrix sigma,
                           structure::SignatureAnalysis analysis) {
    ReducedSystem reduced;
    reduced.blocks = structure::sorted_within_blocks(
        structure::block_triangular_form(analysis.system_jacobian, analysis.transversal));
    reduced.highest_written.assign(system.variables.size(), 0);
    for (int i = 0; i < sigma.equations(); ++i)
        for (std::size_t k = 0; k < sigma.variables_of(i).size(); ++k) {
            int& highest = reduced.highest_written[static_cast<std::size_t>(sigma.variables_of(i)[k])];
            highest = std::max(highest, sigma.orders_of(i)[k]);
        }
    expr::TimeDerivative ddt(system.graph());
    for (std::size_t i = 0; i < system.equations.size(); ++i) {
        reduced.first.push_back(static_cast<int>(reduced.equations.size()));
        NodeId residual = system.residual(static_cast<int>(i));
        for (int order = 0; order <= analysis.c[i]; ++order) {
            if (order > 0) residual = ddt(residual);
            reduced.equations.push_back({static_cast<int>(i), order, residual});
        }
    }
    reduced.sigma = std::move(sigma);
    reduced.analysis = std::move(analysis);
    return reduced;
}

std::string differentiated_text(const System& system, int row, int order, std::size_t max_length) {
    const SystemEquation& e = system.equations[static_cast<std::size_t>(row)];
    expr::TimeDerivative ddt(system.graph());
    NodeId left = e.left, right = e.right;
    for (int k = 0; k < order; ++k) {
        left = ddt(left);
        right = ddt(right);
    }
    const expr::Names names = system.names();
    return expr::to_string(system.graph(), left, names, expr::Notation::plain, max_length) + " = " +
           expr::to_string(system.graph(), right, names, expr::Notation::plain, max_length);
}

} // namespace daedalus::transform
