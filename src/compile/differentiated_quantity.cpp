#include "compile/differentiated_quantity.hpp"

#include "compile/problem_jacobian.hpp"
#include "compile/stated_leading_term.hpp"
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace daedalus::compile {

namespace {

using codegen::Kernel;
using codegen::Segments;
using expr::NodeId;
using expr::Op;
using problem::Call;
using problem::EvalStatus;
using transform::Formulation;

/// Variable of a leaf that stands for q' of quantity `order`; transform::derivative_of_unknown is another such number.
constexpr int slope_of_quantity = -2;

EvalStatus status(bool finite) { return finite ? EvalStatus::ok : EvalStatus::not_finite; }

EvalStatus value(const Call& call, double t, const double* x, double* q) {
    const std::array<const double*, 2> inputs{&t, x};
    return status(kernels_of(call, t).quantity.value(inputs, q));
}
EvalStatus slope(const Call& call, double t, const double* x, const double* dx, double* dq) {
    const std::array<const double*, 3> inputs{&t, x, dx};
    return status(kernels_of(call, t).quantity.slope(inputs, dq));
}
EvalStatus residual(const Call& call, double t, const double* x, const double* dx, const double* dq, double* r) {
    const std::array<const double*, 4> inputs{&t, x, dx, dq};
    return status(kernels_of(call, t).quantity.residual(inputs, r));
}
EvalStatus jacobian(const Call& call, double t, const double* x, const double* dx, const double* dq, double* jx,
                    double* jdx) {
    KernelSet& k = kernels_of(call, t);
    const std::array<const double*, 4> inputs{&t, x, dx, dq};
    std::vector<double>& latest = k.latest_quantity;
    const bool finite = k.quantity.jacobian(inputs, latest.data());
    const auto half = static_cast<std::ptrdiff_t>(latest.size() / 2);
    std::copy(latest.begin(), latest.begin() + half, jx);
    std::copy(latest.begin() + half, latest.end(), jdx);
    return status(finite);
}

/// der(Q) as written, and what it is in the unknowns that are integrated.
struct Candidate {
    NodeId written;      ///< Q in the model's variables
    NodeId value, slope; ///< Q and S, branches frozen
    NodeId sized;        ///< Q with its branches, for numbers before a run
};

std::vector<Candidate> candidates(const Compilation& c,
                                  const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen) {
    std::vector<NodeId> written, slopes;
    for (const auto& [value, slope] : c.system.graph().written_derivatives()) {
        written.push_back(value);
        slopes.push_back(slope);
    }
    const std::vector<NodeId> plain = in_remaining_variables(c, written);
    const std::vector<NodeId> values = frozen(plain), in_rows = frozen(in_remaining_variables(c, slopes));
    std::vector<Candidate> list;
    for (std::size_t k = 0; k < written.size(); ++k)
        if (std::none_of(list.begin(), list.end(), [&](const Candidate& q) { return q.slope == in_rows[k]; }))
            list.push_back({written[k], values[k], in_rows[k], plain[k]});
    return list;
}

/// Expressions with leaves in the place of some of their parts. A part that contains another is replaced as a whole.
std::vector<NodeId> with_leaves(expr::Graph& g, const std::unordered_map<std::uint32_t, NodeId>& leaf_of,
                                std::vector<NodeId> expressions) {
    std::unordered_map<std::uint32_t, NodeId> now(leaf_of);
    const auto of = [&](NodeId node) {
        const auto it = now.find(expr::index(node));
        return it == now.end() ? node : it->second;
    };
    for (const NodeId node : g.reachable(expressions)) {
        const Op op = g.op(node);
        if (expr::is_leaf(op) || now.contains(expr::index(node))) continue;
        if (const NodeId made = g.rebuilt(node, of); made != node) now.emplace(expr::index(node), made);
    }
    for (NodeId& e : expressions) e = of(e);
    return expressions;
}

class Quantities {
public:
    Quantities(Compilation& c, const std::vector<NodeId>& rows, problem::System& system)
        : c_(c), g_(c.system.graph()), ddt_(g_), rows_(rows), system_(system), all_(problem_segments(c)) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (c.formulation.rows[i].order == 0) written_rows_.push_back(rows[i]);
    }

    void choose(const std::vector<Candidate>& list) {
        std::unordered_set<std::uint32_t> in_rows;
        for (const NodeId node : g_.reachable(rows_)) in_rows.insert(expr::index(node));
        std::unordered_set<std::uint32_t> in_written;
        for (const NodeId node : g_.reachable(written_rows_)) in_written.insert(expr::index(node));
        for (const Candidate& q : list) {
            const std::vector<expr::Partial> slopes = expr::gradient(g_, q.value);
            if (is_plain(slopes)) continue;
            std::string why_not = refusal(q);
            if (why_not.empty() && !in_written.contains(expr::index(q.slope)))
                why_not = in_rows.contains(expr::index(q.slope))
                              ? "it occurs in differentiated equations only"
                              : "the equations that are integrated have it in another form";
            if (why_not.empty()) chosen_.push_back(q);
            c_.quantity_fates.push_back({c_.model->text(q.written, 120), std::move(why_not)});
            if (c_.quantity_fates.back().why_not.empty()) fate_.push_back(c_.quantity_fates.size() - 1);
        }
    }

    void offer() {
        for (bool again = true; again && !chosen_.empty();) {
            pose();
            again = leave_out(quantities_beyond_unknowns(c_, leading_term()),
                              "it follows from others that are differentiated too, so that "
                              "errors of its own would have nowhere to go");
        }
        if (chosen_.empty()) return;
        std::vector<NodeId> entries;
        if (!find_entries(entries)) {
            (void)leave_out(std::vector<char>(chosen_.size(), 1),
                            "its matrix has entries that the equations with the chain rule have not");
            return;
        }
        std::vector<NodeId> values, slopes;
        for (const Candidate& q : chosen_) {
            values.push_back(q.value);
            slopes.push_back(ddt_(q.value));
        }
        Segments with_slopes = all_;
        with_slopes.push_back(leaves_);
        const codegen::KernelOptions options{.backend = c_.backend};
        QuantityKernels& k = c_.kernels.quantity;
        k.value = Kernel(g_, {all_[0], all_[1], all_[2]}, values, options);
        k.slope = Kernel(g_, all_, slopes, options);
        k.residual = Kernel(g_, with_slopes, stated_, options);
        k.jacobian = Kernel(g_, with_slopes, entries, options);
        c_.kernels.latest_quantity.assign(entries.size(), 0.0);
        problem::DifferentiatedQuantity facet;
        facet.size = static_cast<int>(chosen_.size());
        facet.required = c_.model->keeps_quantities;
        facet.value = &compile::value;
        facet.slope = &compile::slope;
        facet.residual = &compile::residual;
        facet.jacobian = &compile::jacobian;
        remember_sizes();
        facet.nominal = quantity_nominals(c_, c_.parameters, c_.initial.data, c_.start_time);
        system_.facets.set(std::move(facet));
    }

private:
    [[nodiscard]] Formulation::Place place(NodeId leaf) const {
        return c_.formulation.place({g_.variable_id(leaf), g_.derivative_order(leaf)});
    }

    /// Linear, with coefficients that change at events only.
    [[nodiscard]] bool is_plain(const std::vector<expr::Partial>& slopes) const {
        std::vector<NodeId> values;
        for (const expr::Partial& p : slopes) values.push_back(p.value);
        const std::vector<NodeId> below = g_.reachable(values);
        return std::none_of(below.begin(), below.end(),
                            [&](NodeId n) { return g_.op(n) == Op::variable || g_.op(n) == Op::time; });
    }

    /// Whether a choice without event joins its branches where it changes: max(a, b) as a - b > 0 decides it.
    [[nodiscard]] bool is_continuous_choice(NodeId node) {
        if (g_.op(node) != Op::select) return false;
        const NodeId condition = g_.operand(node, 0);
        if (g_.op(condition) != Op::eq && g_.op(condition) != Op::ne) return false;
        NodeId sign = g_.operand(condition, 0);
        if (g_.op(sign) != Op::sign) sign = g_.operand(condition, 1);
        if (g_.op(sign) != Op::sign) return false;
        const NodeId border = g_.operand(sign, 0), a = g_.operand(node, 1), b = g_.operand(node, 2);
        return g_.sub(a, b) == border || g_.sub(b, a) == border;
    }
    /// Nodes that Q depends on, but for the conditions of such choices.
    [[nodiscard]] std::vector<NodeId> without_continuous_choices(NodeId value) {
        std::vector<NodeId> list{value};
        std::unordered_set<std::uint32_t> seen{expr::index(value)};
        for (std::size_t k = 0; k < list.size(); ++k) {
            const NodeId node = list[k];
            for (int o = is_continuous_choice(node) ? 1 : 0; o < g_.arity(node); ++o)
                if (seen.insert(expr::index(g_.operand(node, o))).second) list.push_back(g_.operand(node, o));
        }
        return list;
    }

    /// Why Q cannot be differenced in the unknowns; empty: it can.
    [[nodiscard]] std::string refusal(const Candidate& q) {
        if (c_.formulation.multipliers > 0 || !c_.formulation.constraints.empty())
            return "the formulation returns to constraints after each step";
        if (std::any_of(system_.unknowns.begin(), system_.unknowns.end(),
                        [](const problem::UnknownInfo& info) { return info.index > 2; }))
            return "there are unknowns of index 3 or more in what is integrated";
        for (const NodeId node : without_continuous_choices(q.value)) {
            const Op op = g_.op(node);
            // What is left of branches makes no events.
            if (expr::is_boolean(op) || op == Op::sign || op == Op::floor || op == Op::ceil)
                if (depends_on_solution(node)) return "it has branches that make no events, where it may jump";
            if (op != Op::variable) continue;
            const Formulation::Place here = place(node), up = place(ddt_(node));
            if (here.unknown < 0) return c_.system.name(entry(node)) + " is no unknown of what is integrated";
            if (here.derivative) return "it contains the derivative " + c_.system.name(entry(node));
            if (!up.derivative) return "the derivative of " + c_.system.name(entry(node)) + " is an unknown of its own";
        }
        // Conditions that F does not depend on are not watched.
        const std::vector<NodeId> own = branches_of(q.value), watched = branches_of(q.slope);
        if (!std::includes(watched.begin(), watched.end(), own.begin(), own.end()))
            return "it has branches that its derivative does not have";
        const NodeId chained = ddt_(q.value);
        constexpr double close = 1e-9; // of sums that are made in another order
        for (unsigned point = 0; chained != q.slope && point < 3; ++point) {
            const double a = value_near_start(c_, chained, point);
            const double b = value_near_start(c_, q.slope, point);
            if (!(std::abs(a - b) <= close * std::max({1.0, std::abs(a), std::abs(b)})))
                return "what the equations have is not its derivative any more";
        }
        return {};
    }
    [[nodiscard]] transform::JetEntry entry(NodeId leaf) const {
        return {g_.variable_id(leaf), g_.derivative_order(leaf)};
    }
    /// Parameters that stand for conditions and integer parts, ascending.
    [[nodiscard]] std::vector<NodeId> branches_of(NodeId e) const {
        const NodeId roots[] = {e};
        std::vector<NodeId> list = g_.reachable(roots);
        std::erase_if(list, [&](NodeId n) {
            if (g_.op(n) != Op::parameter) return true;
            const auto id = static_cast<std::size_t>(g_.parameter_id(n));
            return id < c_.first_hold && id < c_.first_mode;
        });
        return list;
    }
    [[nodiscard]] bool depends_on_solution(NodeId node) const {
        const NodeId roots[] = {node};
        const std::vector<NodeId> below = g_.reachable(roots);
        return std::any_of(below.begin(), below.end(),
                           [&](NodeId n) { return g_.op(n) == Op::variable || g_.op(n) == Op::time; });
    }

    /// G and its derivatives: the rows with q' in them; rows that are differentiated keep the chain rule.
    void pose() {
        std::unordered_map<std::uint32_t, NodeId> leaf_of;
        leaves_.clear();
        by_unknown_.clear();
        for (std::size_t k = 0; k < chosen_.size(); ++k) {
            leaves_.push_back(g_.variable(slope_of_quantity, static_cast<int>(k)));
            leaf_of.emplace(expr::index(chosen_[k].slope), leaves_.back());
            by_unknown_.push_back(expr::gradient(g_, chosen_[k].value));
        }
        const std::vector<NodeId> written = with_leaves(g_, leaf_of, written_rows_);
        stated_ = rows_;
        for (std::size_t i = 0, next = 0; i < stated_.size(); ++i)
            if (c_.formulation.rows[i].order == 0) stated_[i] = written[next++];
        derivatives_ = jacobian_entries(g_, stated_).list;
    }
    [[nodiscard]] bool is_slope(NodeId leaf) const { return g_.variable_id(leaf) == slope_of_quantity; }
    [[nodiscard]] std::size_t quantity(NodeId slope) const {
        return static_cast<std::size_t>(g_.derivative_order(slope));
    }

    /// False where there is none of them.
    bool leave_out(const std::vector<char>& flags, const char* why_not) {
        std::vector<Candidate> chosen;
        std::vector<std::size_t> fate;
        for (std::size_t k = 0; k < flags.size(); ++k) {
            if (flags[k] != 0) {
                c_.quantity_fates[fate_[k]].why_not = why_not;
                continue;
            }
            chosen.push_back(chosen_[k]);
            fate.push_back(fate_[k]);
        }
        const bool some = chosen.size() < chosen_.size();
        chosen_ = std::move(chosen);
        fate_ = std::move(fate);
        return some;
    }

    [[nodiscard]] LeadingTerm leading_term() const {
        LeadingTerm term;
        term.quantities = static_cast<int>(chosen_.size());
        for (const transform::JacobianEntry& e : derivatives_)
            if (is_slope(e.leaf))
                term.by_quantities.push_back({e.row, static_cast<int>(quantity(e.leaf)), e.value});
            else if (place(e.leaf).derivative)
                term.by_unknowns.push_back({e.row, place(e.leaf).unknown, e.value});
        for (std::size_t k = 0; k < by_unknown_.size(); ++k)
            for (const expr::Partial& p : by_unknown_[k])
                term.gradients.push_back({static_cast<int>(k), place(p.leaf).unknown, p.value});
        if (!c_.model->keeps_quantities)
            return term; // at a change of structure such combinations may become constraints
        std::vector<char> differentiated(c_.formulation.unknowns.size(), 0);
        for (const auto* list : {&term.by_unknowns, &term.gradients})
            for (const LeadingTerm::Entry& e : *list) differentiated[static_cast<std::size_t>(e.column)] = 1;
        for (const transform::JacobianEntry& e : derivatives_)
            if (!is_slope(e.leaf) && !place(e.leaf).derivative &&
                differentiated[static_cast<std::size_t>(place(e.leaf).unknown)] == 0)
                term.by_algebraic.push_back({e.row, place(e.leaf).unknown, e.value});
        return term;
    }

    /// ∂G/∂x on the pattern, then ∂G/∂x' + ∂G/∂q' Q_x; false where there is an entry outside of it.
    [[nodiscard]] bool find_entries(std::vector<NodeId>& entries) {
        const SparsityPattern& pattern = system_.pattern;
        const auto nnz = static_cast<std::size_t>(pattern.nonzeros());
        entries.assign(2 * nnz, g_.constant(0.0));
        bool inside = true;
        const auto add = [&](int row, int unknown, bool derivative, NodeId term) {
            const int at = pattern.find(row, unknown);
            inside = inside && at >= 0;
            if (at < 0) return;
            NodeId& sum = entries[static_cast<std::size_t>(at) + (derivative ? nnz : 0)];
            sum = g_.add(sum, term);
        };
        for (const transform::JacobianEntry& e : derivatives_) {
            if (!is_slope(e.leaf)) {
                const Formulation::Place where = place(e.leaf);
                add(e.row, where.unknown, where.derivative, e.value);
                continue;
            }
            for (const expr::Partial& p : by_unknown_[quantity(e.leaf)])
                add(e.row, place(p.leaf).unknown, true, g_.mul(e.value, p.value));
        }
        return inside;
    }

    void remember_sizes() {
        QuantitySizes& sizes = c_.quantity_sizes;
        for (std::size_t k = 0; k < chosen_.size(); ++k) {
            sizes.values.push_back(chosen_[k].sized);
            for (const expr::Partial& p : expr::gradient(g_, chosen_[k].sized))
                if (const int i = place(p.leaf).unknown; i >= 0)
                    sizes.slopes.push_back({static_cast<int>(k), i, p.value});
        }
    }

    Compilation& c_;
    expr::Graph& g_;
    expr::TimeDerivative ddt_;
    const std::vector<NodeId>& rows_;
    problem::System& system_;
    Segments all_;
    std::vector<NodeId> written_rows_; ///< those that are not differentiated
    std::vector<Candidate> chosen_;
    std::vector<std::size_t> fate_;                      ///< of the chosen ones
    std::vector<NodeId> leaves_;                         ///< their q'
    std::vector<std::vector<expr::Partial>> by_unknown_; ///< their Q_x
    std::vector<NodeId> stated_;                         ///< G
    std::vector<transform::JacobianEntry> derivatives_;  ///< of G, by all its leaves
};

} // namespace

void offer_differentiated_quantity(Compilation& c, const std::vector<NodeId>& rows,
                                   const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen,
                                   problem::System& system) {
    if (c.system.graph().written_derivatives().empty()) return;
    Quantities quantities(c, rows, system);
    quantities.choose(candidates(c, frozen));
    quantities.offer();
}

std::vector<double> quantity_nominals(const Compilation& c, std::span<const double> parameters,
                                      const std::vector<problem::InitialUnknown>& data, double start_time) {
    const expr::Graph& g = c.system.graph();
    const QuantitySizes& sizes = c.quantity_sizes;
    const auto number = [&](NodeId leaf, bool at_start) {
        if (g.op(leaf) == Op::time) return start_time;
        if (g.op(leaf) == Op::parameter) return parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
        const int u = c.initial.unknown({g.variable_id(leaf), g.derivative_order(leaf)});
        if (u < 0) return 0.0;
        const problem::InitialUnknown& from = data[static_cast<std::size_t>(u)];
        return at_start ? from.start : from.nominal;
    };
    std::vector<double> result(sizes.values.size(), 0.0);
    for (const bool at_start : {true, false}) { // v³ does not change near v = 0
        std::vector<double> size(result.size(), 0.0);
        for (const auto& [quantity, unknown, slope] : sizes.slopes) {
            const int u = c.initial.unknown(c.formulation.unknowns[static_cast<std::size_t>(unknown)]);
            const double nominal = u < 0 ? 1.0 : std::abs(data[static_cast<std::size_t>(u)].nominal);
            size[static_cast<std::size_t>(quantity)] +=
                nominal * std::abs(expr::evaluate(g, slope, [&](NodeId leaf) { return number(leaf, at_start); }));
        }
        for (std::size_t k = 0; k < result.size(); ++k)
            if (result[k] == 0.0 && std::isfinite(size[k])) result[k] = size[k];
    }
    for (double& size : result)
        if (size == 0.0) size = 1.0;
    return result;
}

} // namespace daedalus::compile
