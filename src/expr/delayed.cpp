#include "expr/delayed.hpp"

#include <cmath>
#include <limits>

namespace daedalus::expr {

void Delayed::run(const double* in, double* out) const {
    const long which = std::isfinite(in[stretch]) ? std::lround(in[stretch]) : -1;
    out[1] = which == 0 && order_ == 0 ? 1.0 : 0.0;
    if (which == 0) {
        out[0] = order_ == 0 ? in[before_start] : order_ == 1 ? in[slope_before] : 0.0;
        return;
    }
    const History* const past = History::find(in[history]);
    out[0] = past == nullptr ? std::numeric_limits<double>::quiet_NaN()
                             : past->value(past_, static_cast<int>(which), in[argument], order_);
}

NodeId Delayed::partial(Graph& graph, NodeId self, int k) const {
    const Graph::Call call = graph.call_of(self);
    if (call.output != 0) return no_node;
    if (k == before_start) return order_ == 0 ? graph.call(call.routine, 1, call.operands) : no_node;
    if (k != argument) return no_node;
    const std::lock_guard lock(mutex_);
    if (!slope_) slope_ = std::make_shared<const Delayed>(past_, order_ + 1);
    return graph.call(slope_, 0, call.operands);
}

const Delayed* delayed(const Graph& graph, NodeId node) {
    if (graph.op(node) != Op::call) return nullptr;
    return dynamic_cast<const Delayed*>(graph.call_of(node).routine.get());
}

} // namespace daedalus::expr
