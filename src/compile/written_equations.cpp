#include "compile/written_equations.hpp"

#include "compile/compilation.hpp"
#include "compile/problem_jacobian.hpp"
#include "expr/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace daedalus::compile {

using codegen::Kernel;
using codegen::Segments;
using expr::NodeId;
using expr::Op;
using transform::derivative_of_unknown;
using transform::JetEntry;

namespace {

struct Term {
    NodeId node;
    bool negative;
};

// What is added and subtracted at the top of left - right, in any nesting.
void add_terms(const expr::Graph& g, NodeId node, bool negative, std::vector<Term>& list) {
    std::vector<Term> open{{node, negative}};
    while (!open.empty()) {
        const Term term = open.back();
        open.pop_back();
        const Op op = g.op(term.node);
        if (op == Op::neg) {
            open.push_back({g.operand(term.node, 0), !term.negative});
        } else if (op == Op::add || op == Op::sub) {
            open.push_back({g.operand(term.node, 0), term.negative});
            open.push_back({g.operand(term.node, 1), term.negative != (op == Op::sub)});
        } else {
            list.push_back(term);
        }
    }
}

/// An equation that may be checked: left - right as terms, or what a discrete variable is said to be.
struct Candidate {
    int number = 0;
    std::vector<Term> terms;
    NodeId claim = expr::no_node;
    std::vector<NodeId> leaves; ///< variables and their derivatives
};

Candidate candidate(const expr::Graph& g, int number, std::vector<Term> terms, NodeId claim) {
    Candidate c{number, std::move(terms), claim, {}};
    std::vector<NodeId> nodes;
    for (const Term& t : c.terms) nodes.push_back(t.node);
    for (const NodeId node : g.reachable(nodes))
        if (g.op(node) == Op::variable) c.leaves.push_back(node);
    return c;
}

/// Equations that the formulation lets drift are shown as hidden constraints, and not demanded.
std::vector<char> drifting_equations(const Compilation& c) {
    std::vector<char> drifts(c.model->equations.size(), 0);
    for (int k = 0; k < c.formulation.drifting; ++k) {
        const transform::DifferentiatedEquation& e = c.formulation.hidden[static_cast<std::size_t>(k)];
        const int origin = e.row < 0 ? -1 : c.system.equations[static_cast<std::size_t>(e.row)].origin;
        if (origin >= 0 && e.order == 0) drifts[static_cast<std::size_t>(origin)] = 1;
    }
    return drifts;
}

std::vector<Candidate> candidates(const Compilation& c) {
    const expr::Graph& g = c.system.graph();
    const model::Model& m = *c.model;
    const std::vector<char> drifts = drifting_equations(c);
    std::vector<Candidate> list;
    for (std::size_t i = 0; i < m.equations.size(); ++i) {
        if (drifts[i] != 0) continue;
        std::vector<Term> terms;
        add_terms(g, m.equations[i].left, false, terms);
        add_terms(g, m.equations[i].right, true, terms);
        list.push_back(candidate(g, static_cast<int>(i), std::move(terms), expr::no_node));
    }
    for (std::size_t i = 0; i < m.discrete.size(); ++i)
        list.push_back(candidate(g, static_cast<int>(m.equations.size() + i), {{m.discrete[i].value, false}},
                                 m.discrete[i].value));
    return list;
}

/// Whether a value can be had from (t, x, x'), and what it needs of x' that F does not determine. Running integrals are
/// no unknowns, and derivatives may be missing where only a definition that was taken out has them.
struct Availability {
    bool known = true, any_slope = false;
};
Availability availability(const Compilation& c, NodeId value, const std::vector<problem::UnknownInfo>& unknowns) {
    const expr::Graph& g = c.system.graph();
    Availability a;
    const NodeId roots[] = {value};
    for (const NodeId leaf : g.reachable(roots)) {
        if (g.op(leaf) != Op::variable) continue;
        const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
        if (place.unknown < 0)
            a.known = false;
        else if (place.derivative && !unknowns[static_cast<std::size_t>(place.unknown)].differential)
            a.any_slope = true;
    }
    return a;
}

/// Where multipliers stand in a link, x' and the variable that stands for it are two things: what was written about x'
/// is asked of the slope.
NodeId slope_where_relaxed(const Compilation& c, NodeId written, NodeId value) {
    expr::Graph& g = c.system.graph();
    if (c.formulation.multipliers == 0 || g.derivative_order(written) == 0 || g.op(value) != Op::variable ||
        g.derivative_order(value) == 0)
        return value;
    const JetEntry entry{g.variable_id(value), g.derivative_order(value)};
    const int below = c.formulation.unknown({entry.variable, entry.order - 1});
    const auto& links = c.formulation.permanent_links;
    const bool linked =
        std::any_of(links.begin(), links.end(), [&](const problem::Link& l) { return l.state == below; });
    if (below < 0 || linked || c.formulation.unknown(entry) < 0) return value;
    return g.variable(derivative_of_unknown, below);
}

double nominal_of(const Compilation& c, const JetEntry& entry) {
    if (const int u = c.initial.unknown(entry); u >= 0)
        return std::abs(c.initial.data[static_cast<std::size_t>(u)].nominal);
    const expr::Graph& g = c.system.graph();
    const NodeId given = c.model->variables[static_cast<std::size_t>(entry.variable)].nominal;
    if (given == expr::no_node) return 1.0;
    return std::abs(expr::evaluate(
        g, given, [&](NodeId leaf) { return c.parameters[static_cast<std::size_t>(g.parameter_id(leaf))]; }));
}

problem::EvalStatus values_of(const problem::Call& call, double t, const double* x, const double* dx, double* y) {
    const std::array<const double*, 3> inputs{&t, x, dx};
    return kernels_of(call, t).written_values(inputs, y) ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
}

problem::EvalStatus residual_of(const problem::Call& call, double t, const double* jets, double* r, double* sizes) {
    KernelSet& kernels = kernels_of(call, t);
    const WrittenTerms& terms = call.as<Compilation>().written;
    const std::array<const double*, 2> inputs{&t, jets};
    std::vector<double>& values = kernels.latest_terms;
    values.resize(terms.negative.size());
    const bool finite = kernels.written(inputs, values.data());
    std::size_t k = 0;
    for (std::size_t i = 0; i < terms.equations.size(); ++i) {
        const WrittenTerms::Equation& e = terms.equations[i];
        double sum = e.minus_jet < 0 ? 0.0 : -jets[e.minus_jet], size = std::abs(sum);
        for (; k < e.end; ++k) {
            sum += terms.negative[k] != 0 ? -values[k] : values[k];
            size += std::abs(values[k]);
        }
        r[i] = sum;
        sizes[i] = size;
    }
    return finite ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
}

class WrittenLegend final : public problem::Legend {
public:
    explicit WrittenLegend(std::shared_ptr<const Compilation> c) : c_(std::move(c)) {}
    [[nodiscard]] std::string equation(int row) const override {
        const std::size_t k = number(row), discrete = k - c_->model->equations.size();
        if (k < c_->model->equations.size()) return c_->model->text(c_->model->equations[k], 200);
        const model::DiscreteVariable& v = c_->model->discrete[discrete];
        return v.name + " = " + c_->model->text(v.value, 200);
    }
    [[nodiscard]] std::optional<Location> equation_location(int row) const override {
        const std::size_t k = number(row), discrete = k - c_->model->equations.size();
        const SourceSpan& span =
            k < c_->model->equations.size() ? c_->model->equations[k].span : c_->model->discrete[discrete].span;
        return span.known() ? std::optional(span.locate()) : std::nullopt;
    }

private:
    [[nodiscard]] std::size_t number(int row) const {
        return static_cast<std::size_t>(c_->written.equations[static_cast<std::size_t>(row)].number);
    }
    std::shared_ptr<const Compilation> c_;
};

} // namespace

problem::WrittenEquations
build_written_equations(const std::shared_ptr<Compilation>& compilation,
                        const std::vector<problem::UnknownInfo>& unknowns,
                        const std::function<std::vector<NodeId>(std::vector<NodeId>)>& frozen) {
    Compilation& c = *compilation;
    const expr::Graph& g = c.system.graph();
    problem::WrittenEquations result;
    const std::vector<Candidate> list = candidates(c);
    std::vector<NodeId> mentioned;
    std::unordered_map<std::uint32_t, std::size_t> place; // of a leaf among those mentioned
    for (const Candidate& e : list)
        for (const NodeId leaf : e.leaves)
            if (place.emplace(expr::index(leaf), mentioned.size()).second) mentioned.push_back(leaf);
    std::vector<NodeId> values = in_remaining_variables(c, mentioned);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = slope_where_relaxed(c, mentioned[k], values[k]);
    std::vector<Availability> available;
    available.reserve(values.size());
    for (const NodeId value : values) available.push_back(availability(c, value, unknowns));

    int highest_index = 1;
    for (const problem::UnknownInfo& u : unknowns) highest_index = std::max(highest_index, u.index);
    std::vector<NodeId> terms, jets, jet_values;
    std::vector<int> jet_of(mentioned.size(), -1);
    for (const Candidate& e : list) {
        const auto known = [&](NodeId leaf) { return available[place.at(expr::index(leaf))].known; };
        if (!std::all_of(e.leaves.begin(), e.leaves.end(), known)) continue;
        for (const NodeId leaf : e.leaves) {
            const std::size_t k = place.at(expr::index(leaf));
            if (jet_of[k] >= 0) continue;
            jet_of[k] = static_cast<int>(jets.size());
            jets.push_back(leaf);
            jet_values.push_back(values[k]);
            const JetEntry entry{g.variable_id(leaf), g.derivative_order(leaf)};
            const bool relaxed = g.op(values[k]) == Op::variable && g.variable_id(values[k]) == derivative_of_unknown;
            result.jets.push_back({entry.order, highest_index, nominal_of(c, entry), relaxed});
            result.any_slope = result.any_slope || available[k].any_slope;
        }
        for (const Term& t : e.terms) {
            terms.push_back(t.node);
            c.written.negative.push_back(t.negative ? 1 : 0);
        }
        c.written.equations.push_back({e.number, terms.size(), -1});
    }
    if (c.written.equations.empty()) return {};
    std::vector<NodeId> claims;
    for (WrittenTerms::Equation& e : c.written.equations) {
        const std::size_t discrete = static_cast<std::size_t>(e.number) - c.model->equations.size();
        if (static_cast<std::size_t>(e.number) < c.model->equations.size()) continue;
        e.minus_jet = static_cast<int>(jets.size() + claims.size());
        claims.push_back(c.model->discrete[discrete].value);
    }
    result.jets.resize(jets.size() + claims.size(), {0, 1, 0.0}); // what events decided is exact
    claims = in_remaining_variables(c, std::move(claims));
    jet_values.insert(jet_values.end(), claims.begin(), claims.end());

    const Segments segments = problem_segments(c);
    const codegen::KernelOptions interpreted{.backend = tape::Backend::interpreter}; // evaluated now and then only
    c.kernels.written_values = Kernel(g, segments, frozen(std::move(jet_values)), interpreted);
    c.kernels.written = Kernel(g, {segments[0], segments[1], jets}, terms, interpreted);
    result.values = {c.kernels.written_values.outputs(), &values_of};
    result.size = static_cast<int>(c.written.equations.size());
    result.residual = &residual_of;
    result.legend = std::make_shared<WrittenLegend>(compilation);
    return result;
}

} // namespace daedalus::compile
