#include "compile/parameter_derivatives.hpp"

#include "compile/problem_jacobian.hpp"
#include "expr/differentiate.hpp"
#include "problem/parameters.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace daedalus::compile {

namespace {

using expr::NodeId;
using expr::Op;
using problem::EvalStatus;

EvalStatus derivatives(const problem::Call& call, double t, const double* x, const double* dx, double* values) {
    const std::array<const double*, 3> inputs{&t, x, dx};
    return kernels_of(call, t).parameter_derivatives(inputs, values) ? EvalStatus::ok : EvalStatus::not_finite;
}

/// By the number of a free parameter.
using Slopes = std::map<std::size_t, NodeId>;

/// sum += factor · terms
void add(expr::Graph& g, Slopes& sum, NodeId factor, const Slopes& terms) {
    for (const auto& [free, slope] : terms) {
        const NodeId term = g.mul(factor, slope);
        const auto [at, is_new] = sum.emplace(free, term);
        if (!is_new) at->second = g.add(at->second, term);
    }
}

/// Which parameters are free, and how the others follow from them.
class Bindings {
public:
    Bindings(const Compilation& c, const std::vector<model::ParameterOverride>& given)
        : model_(*c.model), g_(c.system.graph()), state_(model_.parameters.size(), new_one),
          by_free_(model_.parameters.size()) {
        std::vector<char> is_given(state_.size(), 0);
        for (const model::ParameterOverride& o : given)
            if (const auto id = model_.find_parameter(o.name)) is_given[static_cast<std::size_t>(*id)] = 1;
        for (std::size_t p = 0; p < state_.size(); ++p) {
            const model::Parameter& parameter = model_.parameters[p];
            if (parameter.is_constant || parameter.is_held || belongs_to_signal(static_cast<int>(p)))
                state_[p] = done; // depends on nothing
            else if (is_given[p] != 0 || parameter.binding == expr::no_node || leaves(p).empty())
                make_free(p);
        }
        for (std::size_t p = 0; p < state_.size(); ++p) follow(p);
    }
    [[nodiscard]] const std::vector<std::size_t>& free() const { return free_; }
    /// ∂p/∂(free parameter); of a free one, 1 by itself.
    [[nodiscard]] const Slopes& of(std::size_t p) const { return by_free_[p]; }

private:
    enum State : char { new_one, waits, done };

    [[nodiscard]] bool belongs_to_signal(int p) const {
        return std::any_of(model_.signals.begin(), model_.signals.end(),
                           [&](const model::Signal& s) { return s.owns(p) || p == s.replaced(); });
    }
    [[nodiscard]] std::vector<std::size_t> leaves(std::size_t p) const {
        std::vector<std::size_t> list;
        const NodeId roots[] = {model_.parameters[p].binding};
        for (const NodeId node : g_.reachable(roots))
            if (g_.op(node) == Op::parameter) list.push_back(static_cast<std::size_t>(g_.parameter_id(node)));
        return list;
    }
    void make_free(std::size_t p) {
        state_[p] = done;
        by_free_[p].emplace(p, g_.constant(1.0));
        free_.push_back(p);
    }
    /// Those that a definition mentions first; there is no cycle, or parameters would have no values.
    void follow(std::size_t first) {
        std::vector<std::size_t> stack{first};
        while (!stack.empty()) {
            const std::size_t p = stack.back();
            if (state_[p] == new_one) {
                state_[p] = waits;
                for (const std::size_t q : leaves(p))
                    if (state_[q] == new_one) stack.push_back(q);
                continue;
            }
            stack.pop_back();
            if (state_[p] == done) continue;
            state_[p] = done;
            for (const expr::Partial& inner :
                 expr::gradient(g_, model_.parameters[p].binding, expr::Leaves::parameters))
                add(g_, by_free_[p], inner.value, by_free_[static_cast<std::size_t>(g_.parameter_id(inner.leaf))]);
        }
    }

    const model::Model& model_;
    expr::Graph& g_;
    std::vector<char> state_;
    std::vector<Slopes> by_free_;
    std::vector<std::size_t> free_;
};

} // namespace

void offer_parameter_derivatives(Compilation& c, const std::vector<NodeId>& rows,
                                 const std::vector<model::ParameterOverride>& given, problem::System& system) {
    expr::Graph& g = c.system.graph();
    const Bindings bindings(c, given);
    problem::Parameters facet;
    std::map<std::size_t, int> column_of;
    for (const std::size_t p : bindings.free()) {
        column_of.emplace(p, static_cast<int>(facet.columns.size()));
        facet.columns.push_back({c.model->parameters[p].name, static_cast<int>(p), {}});
    }
    for (std::size_t p = 0; p < c.model->parameters.size(); ++p)
        for (const auto& [free, slope] : bindings.of(p))
            if (free != p)
                facet.columns[static_cast<std::size_t>(column_of.at(free))].followers.push_back(static_cast<int>(p));
    std::vector<std::pair<int, int>> places;
    std::vector<NodeId> found;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Slopes row;
        for (const expr::Partial& p : expr::gradient(g, rows[i], expr::Leaves::parameters))
            if (const auto id = static_cast<std::size_t>(g.parameter_id(p.leaf)); id < c.model->parameters.size())
                add(g, row, p.value, bindings.of(id));
        for (const auto& [free, value] : row) {
            places.emplace_back(static_cast<int>(i), column_of.at(free));
            found.push_back(value);
        }
    }
    facet.pattern =
        SparsityPattern::from_entries(static_cast<int>(rows.size()), static_cast<int>(facet.columns.size()), places);
    std::vector<NodeId> values(found.size());
    for (std::size_t k = 0; k < found.size(); ++k)
        values[static_cast<std::size_t>(facet.pattern.find(places[k].first, places[k].second))] = found[k];
    c.kernels.parameter_derivatives = codegen::Kernel(g, problem_segments(c), values, {.backend = c.backend});
    facet.derivatives = &derivatives;
    system.facets.set(std::move(facet));
}

} // namespace daedalus::compile
