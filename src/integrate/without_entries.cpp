#include "integrate/without_entries.hpp"

#include "problem/linear_operations.hpp"

#include <cmath>

namespace daedalus::integrate {

namespace {

bool has_bounds(const problem::ImplicitProblem& problem) {
    for (const problem::UnknownInfo& info : problem.unknowns())
        if (std::isfinite(info.min) || std::isfinite(info.max)) return true;
    return false;
}

} // namespace

std::string unsuitable_without_entries(const problem::ImplicitProblem& problem, const Method& method) {
    if (problem.has_entries()) return {};
    if (!method.can.without_entries)
        return "the method " + method.name + " needs the entries of the Jacobian, and this problem offers none";
    // Newton's iteration makes up for the digits that differences lack.
    const bool products =
        problem.facet<problem::Products>().apply != nullptr || problem.facet<problem::OwnSolver>().make_real;
    if (method.can.linearly_implicit && !products)
        return "the method " + method.name +
               " does not iterate: it needs products with the Jacobian, not differences of the residual";
    if (problem.highest_index() > 1)
        return "unknowns of index " + std::to_string(problem.highest_index()) +
               " need the entries of the Jacobian, and this problem offers none";
    if (problem.quantity().size > 0)
        return "a differentiated quantity needs the entries of the Jacobian, and this problem offers none";
    if (problem.hybrid().roots.size > 0)
        return "consistent values at events need the entries of the Jacobian, and this problem offers none";
    if (problem.collective().present() && problem.collective().any(has_bounds(problem)))
        return "bounds of unknowns are not kept where vectors are spread over processes";
    return {};
}

} // namespace daedalus::integrate
