#include "compile/problem_jacobian.hpp"

#include "codegen/derivatives.hpp"
#include "expr/functions/function.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace daedalus::compile {

namespace {

using codegen::Kernel;
using expr::NodeId;
using expr::Op;
using problem::EvalStatus;

EvalStatus status(bool finite) { return finite ? EvalStatus::ok : EvalStatus::not_finite; }

/// How values change during a run.
enum Change : char { never = 0, at_events = 1, always = 2 };

struct Changes {
    std::vector<char> of_entry; ///< modes change during a run: an entry that depends on one is not constant
    bool steep = false;         ///< exponentials are among what they depend on
};

Changes changes_of(const Compilation& c, const std::vector<NodeId>& entries) {
    const expr::Graph& g = c.system.graph();
    const std::vector<NodeId> nodes = g.reachable(entries);
    std::vector<char> change(g.size(), never);
    Changes result;
    for (const NodeId node : nodes) {
        const Op op = g.op(node);
        char& v = change[expr::index(node)];
        if (op == Op::time || op == Op::variable)
            v = always;
        else if (changes_at_events(c, node))
            v = at_events;
        for (int k = 0; k < g.arity(node); ++k) v = std::max(v, change[expr::index(g.operand(node, k))]);
        result.steep |= v == always && expr::is_function(op) && expr::function(op).steep;
    }
    result.of_entry.reserve(entries.size());
    for (const NodeId entry : entries) result.of_entry.push_back(change[expr::index(entry)]);
    return result;
}

EvalStatus linearize(const problem::Call& call, double t, const double* x, const double* dx, double* r_entries) {
    KernelSet& k = kernels_of(call, t);
    const std::array<const double*, 3> inputs{&t, x, dx};
    return status(k.linearization(inputs, r_entries) && k.constants_finite);
}

EvalStatus jacobian(const problem::Call& call, double t, const double* x, const double* dx, double* jx, double* jdx) {
    KernelSet& k = kernels_of(call, t);
    const std::vector<int>& varying = call.as<Compilation>().jacobian.varying;
    const std::array<const double*, 3> inputs{&t, x, dx};
    bool finite = true;
    if (!varying.empty()) {
        finite = k.linearization(inputs, k.latest.data());
        const double* from = k.latest.data() + (k.latest.size() - varying.size());
        // A residual that is not finite does not spoil derivatives that are.
        if (!finite) finite = std::all_of(from, from + varying.size(), [](double v) { return std::isfinite(v); });
        for (const int entry : varying) k.values[static_cast<std::size_t>(entry)] = *from++;
    }
    const std::size_t nnz = k.values.size() / 2;
    std::copy_n(k.values.data(), nnz, jx);
    std::copy_n(k.values.data() + nnz, nnz, jdx);
    return status(finite && k.constants_finite);
}

} // namespace

JacobianEntries jacobian_entries(expr::Graph& g, std::span<const NodeId> rows) {
    // Rows with little in common, the usual case, are not worth an estimate.
    constexpr std::size_t much_shared = 4;
    const std::vector<NodeId> all = g.reachable(rows);
    std::size_t swept = 0;
    for (const NodeId row : rows) swept += g.reachable(std::span(&row, 1)).size();
    if (swept <= much_shared * all.size()) return {transform::jacobian(g, rows)};
    std::vector<NodeId> leaves;
    for (const NodeId node : all)
        if (g.op(node) == Op::variable) leaves.push_back(node);
    if (codegen::sweep_cost(g, rows, leaves).cheaper() == codegen::Sweep::reverse)
        return {transform::jacobian(g, rows)};
    const codegen::SparseDerivative forward = codegen::sparse_jacobian(g, rows, leaves, codegen::Sweep::forward);
    std::vector<transform::JacobianEntry> entries;
    for (std::size_t j = 0; j < leaves.size(); ++j)
        for (int k = forward.pattern.column_start[j]; k < forward.pattern.column_start[j + 1]; ++k)
            entries.push_back({forward.pattern.row_index[static_cast<std::size_t>(k)], leaves[j],
                               forward.values[static_cast<std::size_t>(k)]});
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return std::pair(a.row, a.leaf) < std::pair(b.row, b.leaf); });
    return {std::move(entries), true};
}

void build_jacobian(Compilation& c, const codegen::Segments& segments, const std::vector<NodeId>& rows,
                    const SparsityPattern& pattern, std::vector<NodeId> entries) {
    const expr::Graph& g = c.system.graph();
    ProblemJacobian& j = c.jacobian;
    j = {};
    j.entries = std::move(entries);
    const std::size_t nnz = j.entries.size() / 2;
    const Changes changes = changes_of(c, j.entries);
    const std::vector<char>& change = changes.of_entry;
    j.linear = std::find(change.begin(), change.end(), always) == change.end();
    j.steep = changes.steep;
    std::vector<NodeId> outputs = rows;
    std::vector<NodeId> constants;
    std::vector<std::uint32_t> groups; // an equation and its row
    for (std::uint32_t i = 0; i < rows.size(); ++i) groups.push_back(i);
    for (std::size_t k = 0; k < j.entries.size(); ++k) {
        if (change[k] == never) {
            constants.push_back(j.entries[k]);
        } else {
            j.varying.push_back(static_cast<int>(k));
            outputs.push_back(j.entries[k]);
            groups.push_back(static_cast<std::uint32_t>(pattern.row_index[k % nnz]));
        }
    }
    KernelSet& kernels = c.kernels;
    kernels.values.assign(j.entries.size(), 0.0);
    kernels.latest.assign(outputs.size(), 0.0);
    kernels.linearization = Kernel(g, segments, outputs, {.groups = groups, .backend = c.backend});
    kernels.constant_entries =
        Kernel(g, {segments[0]}, constants, {.loops = false, .backend = tape::Backend::interpreter});
}

void update_constant_entries(const Compilation& c, KernelSet& kernels) {
    const std::vector<int>& varying = c.jacobian.varying;
    std::vector<double> constants(static_cast<std::size_t>(kernels.constant_entries.outputs()));
    kernels.constants_finite = kernels.constant_entries(std::span<const double* const>(), constants.data());
    std::size_t next_constant = 0, next_varying = 0;
    for (std::size_t k = 0; k < kernels.values.size(); ++k) {
        if (next_varying < varying.size() && static_cast<std::size_t>(varying[next_varying]) == k)
            ++next_varying;
        else
            kernels.values[k] = constants[next_constant++];
    }
}

void offer_jacobian(const Compilation& c, problem::Kernels& kernels) {
    kernels.jacobian = &jacobian;
    kernels.linearize = &linearize;
    kernels.varying = c.jacobian.varying;
    kernels.linear = c.jacobian.linear;
    kernels.steep = c.jacobian.steep;
}

} // namespace daedalus::compile
