#include "compile/jets.hpp"

#include "compile/problem_jacobian.hpp"
#include "problem/jets.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::compile {

namespace {

using codegen::Segments;
using codegen::TaylorEvaluation;
using problem::EvalStatus;

/// The workspace for series of this order, with the parameters of the call. Leaves vary in the order time, x, x'.
TaylorEvaluation<double>& evaluation_of(const problem::Call& call, double t, int order) {
    const Compilation& c = call.as<Compilation>();
    std::vector<TaylorEvaluation<double>>& kept = static_cast<KernelSet&>(*call.workspace).series;
    if (kept.empty() || kept.front().order() != order) {
        kept.clear();
        kept.emplace_back(*c.taylor, order);
    }
    TaylorEvaluation<double>& e = kept.front();
    const std::vector<double> parameters = parameters_at(c, call.environment, t);
    for (std::size_t p = 0; p < parameters.size(); ++p) e.set_held(static_cast<int>(p), parameters[p]);
    return e;
}

EvalStatus series(const problem::Call& call, double t, int order, const double* x, double* r) {
    TaylorEvaluation<double>& e = evaluation_of(call, t, order);
    const int rows = call.as<Compilation>().taylor->outputs(), n = (call.as<Compilation>().taylor->varying() - 1) / 2;
    const auto length = static_cast<std::size_t>(order) + 1;
    const std::span<double> time = e.leaf(0);
    std::fill(time.begin(), time.end(), 0.0);
    time[0] = t;
    if (order > 0) time[1] = 1.0;
    for (int i = 0; i < n; ++i) {
        const std::span<const double> jet(x + static_cast<std::size_t>(i) * (length + 1), length + 1);
        std::copy_n(jet.begin(), length, e.leaf(1 + i).begin());
        codegen::series_of_derivative(jet, 1, e.leaf(1 + n + i));
    }
    bool finite = true;
    for (int k = 0; k <= order; ++k) e.advance(k);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k <= order; ++k) {
            *r = e.output(i, k);
            finite = std::isfinite(*r++) && finite;
        }
    return finite ? EvalStatus::ok : EvalStatus::not_finite;
}

} // namespace

void offer_jets(Compilation& c, const std::vector<expr::NodeId>& rows, problem::System& system) {
    for (const expr::NodeId node : c.system.graph().reachable(rows))
        if (c.system.graph().op(node) == expr::Op::call) return; // routines have no series
    const Segments all = problem_segments(c);
    std::vector<expr::NodeId> varying = all[1];
    for (const std::size_t segment : {2U, 3U}) varying.insert(varying.end(), all[segment].begin(), all[segment].end());
    c.taylor = std::make_shared<const codegen::TaylorProgram>(c.system.graph(), std::move(varying), all[0], rows);
    problem::Jets jets;
    jets.series = &series;
    for (const model::Signal& signal : c.model->signals)
        if (signal.is_function() && signal.differentiable >= 0)
            jets.highest_order = std::min(jets.highest_order, signal.differentiable);
    system.facets.set(jets);
}

} // namespace daedalus::compile
