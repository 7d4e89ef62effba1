// Differentiates the equations as the offsets of the signature method ask: f_i, f_i', …, f_i^(c_i) together determine
// the jets x_j, x_j', …, x_j^(d_j) up to the degrees of freedom (Pryce 2001; Mattsson & Söderlind 1993). What was
// differentiated less than c_i times is a constraint, hidden or written.
#pragma once

#include "structure/block_triangular_form.hpp"
#include "structure/signature_method.hpp"
#include "transform/system.hpp"

namespace daedalus::transform {

/// f_row^(order) = 0.
struct DifferentiatedEquation {
    int row = 0;
    int order = 0;
    NodeId residual = expr::no_node;
};

struct ReducedSystem {
    structure::SignatureMatrix sigma;
    structure::SignatureAnalysis analysis;
    structure::BlockTriangularForm blocks;         ///< of the system Jacobian
    std::vector<DifferentiatedEquation> equations; ///< by row, then order 0 … c_row
    std::vector<int> first;                        ///< position of f_row^(0) in `equations`
    std::vector<int> highest_written;              ///< per column: highest derivative in the equations as written
};

/// The system must be structurally regular.
[[nodiscard]] ReducedSystem reduce_index(const System& system, structure::SignatureMatrix sigma,
                                         structure::SignatureAnalysis analysis);

/// d^order/dt^order (left = right), both sides differentiated, as text in the model's names.
[[nodiscard]] std::string differentiated_text(const System& system, int row, int order, std::size_t max_length = 400);

} // namespace daedalus::transform
