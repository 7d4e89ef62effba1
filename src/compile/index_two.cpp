#include "compile/index_two.hpp"

#include "compile/problem_jacobian.hpp"
#include "problem/index_two.hpp"

#include <array>

namespace daedalus::compile {

namespace {

problem::EvalStatus rates(const problem::Call& call, double t, const double* x, const double* dx, double* y) {
    const std::array<const double*, 3> inputs{&t, x, dx};
    return kernels_of(call, t).constraint_rates(inputs, y) ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
}

} // namespace

// Rows are f^(c-1) where the signature method differentiates c ≥ 1 times, and f else. Unknowns x^(k) have k < d, but
// for d = 0: these stand in rows of the second kind alone, since σ ≤ d - c.
void offer_index_two(Compilation& c, const std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>& frozen,
                     problem::System& system) {
    const transform::Formulation::IndexTwo& f = c.formulation.index_two;
    if (!f.rates.empty())
        c.kernels.constraint_rates =
            codegen::Kernel(c.system.graph(), problem_segments(c), frozen(f.rates), {.backend = c.backend});
    system.facets.set(problem::IndexTwo{f.constraints, f.multipliers, {c.kernels.constraint_rates.outputs(), &rates}});
}

} // namespace daedalus::compile
