#include "peers/peer_form.hpp"

#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"
#include "facade/access.hpp"
#include "generated_models.hpp"
#include "integrate/consistent_start.hpp"
#include "peers/peer_code.hpp"

#include <daedalus/daedalus.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace daedalus::benchmarks {

using expr::NodeId;

namespace {

[[noreturn]] void give_up(const std::string& what) {
    std::fprintf(stderr, "benchmark peers: %s\n", what.c_str());
    std::exit(8);
}

std::vector<NodeId> variable_leaves(const expr::Graph& g, const model::Equation& e) {
    std::vector<NodeId> leaves;
    const std::array roots{e.left, e.right};
    for (const NodeId node : g.reachable(roots))
        if (g.op(node) == expr::Op::variable) leaves.push_back(node);
    return leaves;
}

void substitute(expr::Graph& g, std::vector<model::Equation>& equations,
                const std::function<NodeId(NodeId)>& replacement) {
    expr::Substitution put(g, [&](NodeId leaf) { return g.op(leaf) == expr::Op::variable ? replacement(leaf) : leaf; });
    for (model::Equation& e : equations) e = {put(e.left), put(e.right), e.description, e.span};
}

// Variables outside `kept`, each defined by "variable = expression", are replaced until none is left.
std::vector<model::Equation> inlined(const model::Model& m, const std::set<int>& kept) {
    expr::Graph& g = *m.graph;
    std::map<int, NodeId> definition;
    std::vector<model::Equation> equations;
    for (const model::Equation& e : m.equations) {
        const bool defines = g.op(e.left) == expr::Op::variable && g.derivative_order(e.left) == 0 &&
                             kept.count(g.variable_id(e.left)) == 0;
        if (defines)
            definition[g.variable_id(e.left)] = e.right;
        else
            equations.push_back(e);
    }
    for (std::size_t pass = 0; pass <= definition.size(); ++pass)
        substitute(g, equations, [&](NodeId leaf) {
            const auto it = definition.find(g.variable_id(leaf));
            return it == definition.end() ? leaf : it->second;
        });
    return equations;
}

// d/dt of the constraints among positions, with q' = v and v' = … put in where these are written so.
void differentiate_constraints(expr::Graph& g, std::vector<model::Equation>& equations, const std::set<int>& positions,
                               int times) {
    std::map<int, NodeId> rate;
    for (const model::Equation& e : equations)
        if (g.op(e.left) == expr::Op::variable && g.derivative_order(e.left) == 1)
            rate[g.variable_id(e.left)] = e.right;
    expr::Substitution put(g, [&](NodeId leaf) {
        if (g.op(leaf) != expr::Op::variable || g.derivative_order(leaf) != 1) return leaf;
        const auto it = rate.find(g.variable_id(leaf));
        return it == rate.end() ? leaf : it->second;
    });
    expr::TimeDerivative derivative(g);
    for (model::Equation& e : equations) {
        const std::vector<NodeId> leaves = variable_leaves(g, e);
        const bool constraint = std::all_of(leaves.begin(), leaves.end(), [&](NodeId leaf) {
            return g.derivative_order(leaf) == 0 && positions.count(g.variable_id(leaf)) != 0;
        });
        if (!constraint) continue;
        for (int k = 0; k < times; ++k) {
            e.left = put(derivative(e.left));
            e.right = put(derivative(e.right));
        }
    }
}

// Rows with the derivative of one unknown come where that unknown is; the others fill the gaps in their order.
std::vector<model::Equation> ordered(const expr::Graph& g, const std::vector<model::Equation>& equations,
                                     const std::map<int, int>& position) {
    std::vector<model::Equation> rows(equations.size());
    std::vector<char> taken(rows.size(), 0);
    std::vector<const model::Equation*> rest;
    for (const model::Equation& e : equations) {
        std::set<int> derivatives;
        for (const NodeId leaf : variable_leaves(g, e))
            if (g.derivative_order(leaf) == 1) derivatives.insert(position.at(g.variable_id(leaf)));
        const auto at = derivatives.size() == 1 ? static_cast<std::size_t>(*derivatives.begin()) : rows.size();
        if (at < rows.size() && !taken[at]) {
            rows[at] = e;
            taken[at] = 1;
        } else {
            rest.push_back(&e);
        }
    }
    std::size_t next = 0;
    for (const model::Equation* e : rest) {
        while (taken[next]) ++next;
        rows[next] = *e;
        taken[next] = 1;
    }
    return rows;
}

// The longest beginning of the unknowns with y'[i] = y[i + m2], a multiple of m2 long.
void find_second_order_structure(const expr::Graph& g, const std::vector<model::Equation>& rows, PeerForm& form) {
    int m1 = 0, m2 = 0;
    for (const model::Equation& e : rows) {
        if (g.op(e.left) != expr::Op::variable || g.derivative_order(e.left) != 1 || g.variable_id(e.left) != m1) break;
        if (g.op(e.right) != expr::Op::variable || g.derivative_order(e.right) != 0) break;
        const int distance = g.variable_id(e.right) - m1;
        if (m1 == 0) m2 = distance;
        if (distance != m2 || distance <= 0) break;
        ++m1;
    }
    if (m2 > 0 && m1 >= m2) {
        form.m2 = m2;
        form.m1 = m1 / m2 * m2;
    }
}

TestProblem heat(const std::string& name, int points, double longest) {
    auto loaded = Model::from_string(heat_square(points));
    if (!loaded) give_up(render(loaded.error()));
    TestProblem p;
    p.name = name;
    p.model = loaded->impl().model;
    p.t1 = 0.1;
    p.longest = longest;
    p.large = true;
    const auto size = static_cast<std::size_t>(points) * static_cast<std::size_t>(points);
    p.unknown_index.assign(size, 1);
    p.scale.assign(size, 1.0);
    p.end.assign(size, 0.0); // known where it counts
    for (int i = 0; i < points; ++i)
        for (int j = 0; j < points; ++j) p.unknowns.push_back("u_" + std::to_string(i) + "_" + std::to_string(j));
    for (int k = 1; k <= 4; ++k) {
        const int i = k * (points - 1) / 8, j = (points - 1) / 2;
        p.significant.push_back("u_" + std::to_string(i) + "_" + std::to_string(j));
        p.end[static_cast<std::size_t>(i * points + j)] = heat_square_at(points, i, j, p.t1);
    }
    return p;
}

} // namespace

int TestProblem::position(const std::string& unknown) const {
    const auto it = std::find(unknowns.begin(), unknowns.end(), unknown);
    return it == unknowns.end() ? -1 : static_cast<int>(it - unknowns.begin());
}

double TestProblem::digits(const std::vector<double>& values) const {
    double worst = 1e-16;
    for (const std::string& s : significant) {
        const auto at = static_cast<std::size_t>(position(s));
        const double size = end[at] == 0.0 ? 1.0 : std::abs(end[at]);
        const double error = std::abs(values[at] - end[at]) / size;
        if (!(error <= worst)) worst = error; // NaN counts
    }
    return -std::log10(worst);
}

int PeerForm::highest_index() const { return *std::max_element(index.begin(), index.end()); }

std::vector<TestProblem> test_problems(const std::string& only) {
    struct Entry {
        const char* file;
        bool scaled = false;                 ///< components of very different size: absolute tolerance by end value
        std::vector<std::string> count = {}; ///< significant variables; empty: those of the reference
        double longest = 0.06;
    };
    // Of the mechanisms positions count; of the pendulum both (x alone is insensitive at the turning point).
    const std::vector<Entry> entries{{"robertson_dae", true},
                                     {"chemakzo", true},
                                     {"transamp"},
                                     {"pendulum", false, {"x", "y"}},
                                     {"caraxis", false, {"xl", "yl", "xr", "yr"}},
                                     {"andrews"},
                                     {"crank", false, {}, 0.2},
                                     {"slcrank_ida"},
                                     {"ringmod", false, {}, 0.4},
                                     {"ringmod_dae", false, {}, 0.4},
                                     {"batch_reactor", true},
                                     {"double_pendulum"},
                                     {"skate"}};
    const std::string folder = std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/";
    const nlohmann::json references = nlohmann::json::parse(std::ifstream(folder + "refs.json"));
    std::vector<TestProblem> problems;
    for (const Entry& entry : entries) {
        if (!only.empty() && only != entry.file) continue;
        if (!references.contains(entry.file)) give_up(std::string("no reference for ") + entry.file);
        auto loaded = Model::from_file(folder + entry.file + ".mo");
        if (!loaded) give_up(render(loaded.error()));
        const nlohmann::json& r = references.at(entry.file);
        TestProblem p;
        p.name = entry.file;
        p.longest = entry.longest;
        p.model = loaded->impl().model;
        p.t0 = r.at("t0");
        p.t1 = r.at("t1");
        p.index = r.at("index");
        p.unknowns = r.at("variable_order").get<std::vector<std::string>>();
        p.significant = entry.count.empty() ? r.at("significant").get<std::vector<std::string>>() : entry.count;
        for (const std::string& name : p.unknowns) {
            p.unknown_index.push_back(r.at("index_of_variable").at(name));
            p.end.push_back(r.at("variables").value(name, std::nan(""))); // not all are known; NAN would make floats
            p.scale.push_back(entry.scaled ? std::abs(p.end.back()) : 1.0);
        }
        problems.push_back(std::move(p));
    }
    for (const auto& [name, points, longest] : {std::tuple{"heat100", 100, 3.0}, {"heat300", 300, 60.0}})
        if (only == name || (only.empty() && points <= 100)) problems.push_back(heat(name, points, longest));
    if (problems.empty()) give_up("no problem '" + only + "'");
    return problems;
}

PeerForm peer_form(const TestProblem& problem, int differentiations) {
    const model::Model& m = *problem.model;
    expr::Graph& g = *m.graph;
    std::set<int> kept, positions;
    std::map<int, int> position;
    auto peer = std::make_shared<model::Model>();
    peer->name = m.name;
    peer->graph = m.graph;
    peer->sources = m.sources;
    for (const model::Parameter& parameter : m.parameters) peer->add_parameter(parameter);
    for (std::size_t i = 0; i < problem.unknowns.size(); ++i) {
        const auto id = m.find_variable(problem.unknowns[i]);
        if (!id) give_up("no variable " + problem.unknowns[i]);
        kept.insert(*id);
        position[*id] = static_cast<int>(i);
        if (problem.unknown_index[i] == 1 && problem.index == 3) positions.insert(*id);
        peer->add_variable(m.variables[static_cast<std::size_t>(*id)]);
    }
    std::vector<model::Equation> equations = inlined(m, kept);
    differentiate_constraints(g, equations, positions, differentiations);
    equations = ordered(g, equations, position);
    substitute(g, equations,
               [&](NodeId leaf) { return g.variable(position.at(g.variable_id(leaf)), g.derivative_order(leaf)); });

    PeerForm form;
    form.name = "index " + std::to_string(problem.index - differentiations);
    find_second_order_structure(g, equations, form);
    for (model::Equation& e : equations) std::swap(e.left, e.right); // F = f(t, y) - M y'
    peer->equations = equations;
    compile::CompileOptions how;
    how.reduce = Reduction::none;
    how.eliminate_aliases = false;
    auto compiled = compile::compile(peer, how);
    if (!compiled) give_up(problem.name + ": " + render(compiled.error()));
    form.compiled = *std::move(compiled);
    const problem::ImplicitProblem& p = form.problem();
    if (p.size() != static_cast<int>(problem.unknowns.size()) || p.kernel_rows() != p.size())
        give_up(problem.name + ": not the expected unknowns");
    for (int i = 0; i < p.size(); ++i)
        if (p.names().variable(i) != problem.unknowns[static_cast<std::size_t>(i)])
            give_up(problem.name + ": unknowns in another order: " + p.names().variable(i));
    const auto start = integrate::consistent_start(form.compiled.initial);
    if (!start) give_up(problem.name + ": " + render(start.error()));
    start->hold_constants(form.compiled.initial, form.compiled.problem);
    form.x0 = start->x(form.compiled.initial);
    form.dx0 = start->dx(form.compiled.initial);
    for (const int index : problem.unknown_index) form.index.push_back(std::max(1, index - differentiations));
    form.differential.assign(form.x0.size(), 0);
    for (const model::Equation& e : equations)
        for (const NodeId leaf : variable_leaves(g, e))
            if (g.derivative_order(leaf) == 1) form.differential[static_cast<std::size_t>(g.variable_id(leaf))] = 1;
    form.scale = problem.scale;
    return form;
}

std::function<UnitCosts(double step)> costs_of(std::shared_ptr<PeerForm> form, double t0) {
    return [form = std::move(form), t0](double step) {
        return unit_costs(form->problem(), t0, form->x0, form->dx0, step);
    };
}

} // namespace daedalus::benchmarks
