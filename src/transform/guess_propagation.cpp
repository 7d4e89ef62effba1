#include "transform/guess_propagation.hpp"

#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"

#include <cmath>

namespace daedalus::transform {

namespace {

using expr::Op;
using problem::Strength;

class Propagation {
public:
    Propagation(const System& system, InitialSystem& initial, double time)
        : s_(system), g_(system.graph()), initial_(initial), time_(time), known_(initial.unknowns.size()),
          open_(initial.rows.size()), rows_of_(initial.unknowns.size()) {
        for (std::size_t i = 0; i < initial_.rows.size(); ++i)
            for (const int j : unknowns_of(initial_.rows[i].residual)) {
                rows_of_[static_cast<std::size_t>(j)].push_back(static_cast<int>(i));
                ++open_[i];
            }
    }

    void run() {
        for (std::size_t j = 0; j < known_.size(); ++j)
            if (initial_.data[j].strength != Strength::unspecified) learn(j);
        follow();
        // What may be chosen freely and is not mentioned begins at zero, and the rest follows from that.
        for (std::size_t j = 0; j < known_.size(); ++j)
            if (!known_[j] && initial_.unknowns[j].order == 0 && differentiated(j)) learn(j);
        follow();
    }

private:
    [[nodiscard]] bool differentiated(std::size_t j) const {
        return j + 1 < known_.size() && initial_.unknowns[j + 1].variable == initial_.unknowns[j].variable;
    }

    [[nodiscard]] std::vector<int> unknowns_of(NodeId residual) const {
        std::vector<int> found;
        const NodeId roots[] = {residual};
        for (const NodeId node : g_.reachable(roots))
            if (g_.op(node) == Op::variable)
                if (const int j = index_of(node); j >= 0) found.push_back(j);
        return found;
    }

    [[nodiscard]] int index_of(NodeId leaf) const {
        return initial_.unknown({g_.variable_id(leaf), g_.derivative_order(leaf)});
    }

    void learn(std::size_t j) {
        known_[j] = 1;
        for (const int i : rows_of_[j])
            if (--open_[static_cast<std::size_t>(i)] == 1) ready_.push_back(i);
    }

    void follow() {
        while (!ready_.empty()) {
            const NodeId residual = initial_.rows[static_cast<std::size_t>(ready_.back())].residual;
            ready_.pop_back();
            for (const int j : unknowns_of(residual))
                if (const auto u = static_cast<std::size_t>(j); !known_[u]) {
                    // Derivatives are not followed: a chain of them would turn a poor guess into a worse one.
                    if (initial_.unknowns[u].order > 0) break;
                    if (const double value = solve(residual, j); std::isfinite(value)) {
                        initial_.data[u].start = value;
                        learn(u);
                    }
                    break;
                }
        }
    }

    // The root of a residual that is linear in unknown j; NaN if it is not linear or has no value.
    [[nodiscard]] double solve(NodeId residual, int j) {
        const JetEntry entry = initial_.unknowns[static_cast<std::size_t>(j)];
        const NodeId slope = expr::partial(g_, residual, g_.variable(entry.variable, entry.order));
        if (slope == expr::no_node) return std::nan("");
        for (const int k : unknowns_of(slope))
            if (k == j) return std::nan("");
        initial_.data[static_cast<std::size_t>(j)].start = 0.0;
        const NodeId both[] = {residual, slope};
        const std::vector<double> value = expr::evaluate(g_, both, [this](NodeId leaf) {
            switch (g_.op(leaf)) {
            case Op::parameter: return s_.parameters[static_cast<std::size_t>(g_.parameter_id(leaf))];
            case Op::time: return time_;
            default: break;
            }
            const int k = index_of(leaf);
            return k < 0 ? 0.0 : initial_.data[static_cast<std::size_t>(k)].start;
        });
        return -value[0] / value[1];
    }

    const System& s_;
    expr::Graph& g_;
    InitialSystem& initial_;
    double time_;
    std::vector<char> known_;
    std::vector<int> open_; ///< per row: unknowns without a value
    std::vector<std::vector<int>> rows_of_;
    std::vector<int> ready_; ///< rows with one unknown left
};

} // namespace

void propagate_guesses(const System& system, InitialSystem& initial, double time) {
    Propagation(system, initial, time).run();
}

} // namespace daedalus::transform
