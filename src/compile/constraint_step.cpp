#include "compile/constraint_step.hpp"

#include "compile/problem_jacobian.hpp"
#include "compile/start_samples.hpp"
#include "compile/symbolic_elimination.hpp"
#include "problem/explicit_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace daedalus::compile {

using expr::NodeId;

namespace {

struct Step {
    std::vector<int> moved;      ///< unknowns that δ is told of
    std::vector<NodeId> outputs; ///< δ of those, then what is watched; empty: not offered
};

/// An entry of G.
struct Entry {
    int row, unknown;
    NodeId value;
};

// A step is taken once or twice per step of a method: what takes long to compile does not pay for itself.
constexpr std::size_t most_constraints = 60;
constexpr long most_multiplications = 1500;

/// G by rows; sorted by unknowns.
using Rows = std::vector<std::map<int, NodeId>>;

/// G S Gᵀ.
std::vector<std::map<int, NodeId>> normal_matrix(expr::Graph& g, const Rows& G, std::span<const NodeId> sizes,
                                                 long& work) {
    std::map<int, std::vector<int>> users; // rows, per unknown
    for (std::size_t i = 0; i < G.size(); ++i)
        for (const auto& [j, value] : G[i]) users[j].push_back(static_cast<int>(i));
    std::vector<std::map<int, NodeId>> matrix(G.size());
    for (const auto& [j, rows] : users) {
        const NodeId s = sizes[static_cast<std::size_t>(j)], square = g.mul(s, s);
        for (const int i : rows) {
            const NodeId scaled = g.mul(square, G[static_cast<std::size_t>(i)].at(j));
            for (const int k : rows) {
                if (k > i) break;
                const NodeId term = g.mul(scaled, G[static_cast<std::size_t>(k)].at(j));
                const auto [place, made] = matrix[static_cast<std::size_t>(i)].try_emplace(k, term);
                if (!made) place->second = g.add(place->second, term);
                ++work;
            }
        }
    }
    for (std::size_t i = 0; i < matrix.size(); ++i)
        for (const auto& [k, value] : matrix[i]) matrix[static_cast<std::size_t>(k)][static_cast<int>(i)] = value;
    return matrix;
}

/// `sizes`: leaves that stand for s, per unknown.
Step constraint_step(const Compilation& c, std::span<const NodeId> constraints, std::span<const Entry> entries,
                     std::span<const NodeId> sizes) {
    if (constraints.empty() || constraints.size() > most_constraints) return {};
    expr::Graph& g = c.system.graph();
    Rows G(constraints.size()); // NOLINT(readability-identifier-naming): the letter of the literature
    for (const Entry& e : entries) G[static_cast<std::size_t>(e.row)][e.unknown] = e.value;
    long work = 0;
    const std::vector<std::map<int, NodeId>> normal = normal_matrix(g, G, sizes, work);
    if (work > most_multiplications) return {};

    std::vector<NodeId> values;
    for (const auto& row : normal)
        for (const auto& [k, value] : row) values.push_back(value);
    std::unordered_map<std::uint32_t, double> size_of; // as weights of tolerances make them: by nominal values
    for (std::size_t j = 0; j < sizes.size(); ++j) {
        const int u = c.initial.unknown(c.formulation.unknowns[j]);
        size_of.emplace(expr::index(sizes[j]), u < 0 ? 1.0 : c.initial.data[static_cast<std::size_t>(u)].nominal);
    }
    const std::vector<std::vector<double>> samples = values_near_start(c, values, [&](NodeId leaf) {
        const auto at = size_of.find(expr::index(leaf));
        return at == size_of.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
    });
    std::vector<std::map<int, SymbolicElimination::Entry>> matrix(normal.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < normal.size(); ++i)
        for (const auto& [k, value] : normal[i]) {
            SymbolicElimination::Entry& entry = matrix[i][k];
            entry.value = value;
            for (std::size_t p = 0; p < samples.size(); ++p) entry.samples[p] = samples[p][next];
            ++next;
        }
    SymbolicElimination elimination(g, std::move(matrix), {constraints.begin(), constraints.end()}, samples.size());
    if (!elimination.run_symmetric(most_multiplications)) return {};

    // The elimination's solution is -μ.
    std::map<int, NodeId> delta;
    for (std::size_t i = 0; i < G.size(); ++i)
        for (const auto& [j, value] : G[i]) {
            const NodeId term = g.mul(value, elimination.solution()[i]);
            const auto [place, made] = delta.try_emplace(j, term);
            if (!made) place->second = g.add(place->second, term);
        }
    Step step;
    for (const auto& [j, sum] : delta) {
        const NodeId s = sizes[static_cast<std::size_t>(j)];
        step.moved.push_back(j);
        step.outputs.push_back(g.mul(g.mul(s, s), sum));
    }
    step.outputs.push_back(elimination.cancellation());
    return step;
}

/// g and G among the rows.
Step step_onto_rows(const Compilation& c, std::span<const NodeId> rows, const SparsityPattern& pattern,
                    std::span<const NodeId> entries, std::span<const NodeId> sizes) {
    enum class Part : char { moves, given, other };
    std::vector<Part> part(static_cast<std::size_t>(pattern.cols), Part::other);
    for (const problem::Link& link : c.formulation.permanent_links)
        part[static_cast<std::size_t>(link.state)] = Part::given;
    std::vector<int> constraint(static_cast<std::size_t>(pattern.rows), -1);
    std::vector<NodeId> list;
    for (const problem::ChoiceBlock& block : c.formulation.choices) {
        for (const std::vector<int>& chain : block.chain)
            for (std::size_t k = 0; k + 1 < chain.size(); ++k) part[static_cast<std::size_t>(chain[k])] = Part::moves;
        for (std::size_t i = 0; i < block.top_row.size(); ++i)
            for (int k = block.differentiations[i]; k >= 1; --k) {
                const auto row = static_cast<std::size_t>(block.top_row[i] - k);
                constraint[row] = static_cast<int>(list.size());
                list.push_back(rows[row]);
            }
    }
    const expr::Graph& g = c.system.graph();
    std::vector<Entry> own;
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[static_cast<std::size_t>(j)];
             k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const int row = constraint[static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])];
            if (row < 0 || g.is_constant(entries[static_cast<std::size_t>(k)], 0.0)) continue;
            if (part[static_cast<std::size_t>(j)] == Part::other) return {};
            if (part[static_cast<std::size_t>(j)] == Part::moves)
                own.push_back({row, j, entries[static_cast<std::size_t>(k)]});
        }
    return constraint_step(c, list, own, sizes);
}

problem::EvalStatus evaluate(const problem::Call& call, double t, const double* x, const double* sizes,
                             double* delta_watched) {
    KernelSet& kernels = kernels_of(call, t);
    if (kernels.constraint_step.outputs() == 0)
        make_kernel(call, t, call.as<Compilation>().constraint_step, kernels.constraint_step);
    const tape::InputPointers inputs{&t, x, sizes};
    return kernels.constraint_step(inputs, delta_watched) ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
}

} // namespace

void offer_constraint_step(Compilation& c, std::span<const NodeId> rows, const SparsityPattern& pattern,
                           std::span<const NodeId> entries, problem::Facets& facets) {
    const codegen::Segments segments = problem_segments(c);
    // No constraint mentions an x': their leaves stand for sizes.
    Step step = step_onto_rows(c, rows, pattern, entries, segments[3]);
    if (step.outputs.empty()) return;
    c.constraint_step.outputs = std::move(step.outputs);
    facets.set(problem::ConstraintStep{std::move(step.moved), &evaluate});
}

} // namespace daedalus::compile
