#include "transform/structural_repair.hpp"

#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

constexpr int samples = 3;           // random points at which a zero must be zero
constexpr double zero_level = 1e-10; // relative to the size of the terms that cancelled
constexpr int largest_block = 60;    // symbolic elimination above this size costs more than it can repair

/// Values of all leaves at random points around the start values, reproducible: each leaf has its own seed.
class RandomPoints {
public:
    explicit RandomPoints(const System& system) : system_(system), g_(system.graph()) {}

    [[nodiscard]] double value(NodeId expression, int sample) const {
        return expr::evaluate(g_, expression, [&](NodeId node) { return leaf(node, sample); });
    }

private:
    [[nodiscard]] double leaf(NodeId node, int sample) const {
        if (g_.op(node) == Op::parameter) return system_.parameters[static_cast<std::size_t>(g_.parameter_id(node))];
        const double noise = 0.05 + 0.25 * uniform(expr::index(node), sample); // not 0: too much vanishes there
        if (g_.op(node) != Op::variable || g_.derivative_order(node) > 0) return noise;
        const NodeId start = system_.model->variables[static_cast<std::size_t>(g_.variable_id(node))].start;
        const double center = start == expr::no_node ? 0.0 : value(start, sample);
        return center + noise * std::max(1.0, std::abs(center));
    }

    // In [0, 1): the output function of SplitMix64 (Steele, Lea & Flood 2014) on a counter.
    static double uniform(std::uint32_t node, int sample) {
        std::uint64_t z = 0x9E3779B97F4A7C15ULL * (64ULL * (node + 1ULL) + static_cast<std::uint64_t>(sample));
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
    }

    const System& system_;
    const Graph& g_;
};

/// A matrix of expressions with its values at the sample points, for elimination.
class SymbolicBlock {
public:
    /// `column_of`: System::columns().
    SymbolicBlock(const System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block)
        : g_(system.graph()), points_(system), size_(static_cast<std::size_t>(r.blocks.size(block))) {
        const auto rows = r.blocks.equations(block);
        const auto cols = r.blocks.variables(block);
        std::unordered_map<int, std::size_t> column;
        for (std::size_t j = 0; j < size_; ++j) column.emplace(cols[j], j);
        entry_.assign(size_ * size_, g_.constant(0.0));
        for (std::size_t i = 0; i < size_; ++i) {
            const auto row = static_cast<std::size_t>(rows[i]);
            // By Griewank's lemma ∂f_i^(c_i)/∂x_j^(d_j) = ∂f_i/∂x_j^(d_j − c_i): no differentiation in time needed.
            for (const expr::Partial& p :
                 expr::gradient(g_, r.equations[static_cast<std::size_t>(r.first[row])].residual)) {
                const int j = column_of[static_cast<std::size_t>(g_.variable_id(p.leaf))];
                const auto found = column.find(j);
                if (found == column.end()) continue;
                if (g_.derivative_order(p.leaf) == r.analysis.d[static_cast<std::size_t>(j)] - r.analysis.c[row])
                    entry_[i * size_ + found->second] = p.value;
            }
        }
        constexpr int most_tries = 20; // a random point can lie outside the domain of an equation
        for (int s = 0; s < most_tries && static_cast<int>(value_.size()) < samples; ++s) {
            std::vector<double> numbers;
            for (const NodeId e : entry_) numbers.push_back(points_.value(e, s));
            if (std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); }))
                value_.push_back(std::move(numbers));
        }
    }

    /// Cheap first look, numbers only: is the block singular at every sample?
    [[nodiscard]] bool numerically_singular() const {
        return !value_.empty() && std::all_of(value_.begin(), value_.end(),
                                              [&](std::vector<double> a) { return rank_deficient(a, size_); });
    }

    /// Multipliers of a vanishing combination of rows, or empty if the rows are generically independent.
    std::vector<NodeId> dependency() {
        std::vector<std::vector<NodeId>> multiplier(size_, std::vector<NodeId>(size_, g_.constant(0.0)));
        for (std::size_t i = 0; i < size_; ++i) multiplier[i][i] = g_.constant(1.0);
        std::vector<double> scale(size_);
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j < size_; ++j) scale[i] = std::max(scale[i], magnitude(i, j));
        std::vector<char> row_done(size_, 0);
        for (std::size_t step = 0; step < size_; ++step) {
            std::size_t pr = size_, pc = size_;
            double best = 0;
            for (std::size_t i = 0; i < size_; ++i) {
                if (row_done[i]) continue;
                bool zero_row = true;
                for (std::size_t j = 0; j < size_; ++j) {
                    const double m = magnitude(i, j) / std::max(scale[i], 1e-300);
                    if (m <= zero_level) continue;
                    zero_row = false;
                    // simple pivots keep multipliers readable: constants first, then size
                    const double merit = m * (g_.is_constant(entry_[i * size_ + j]) ? 10.0 : 1.0);
                    if (merit > best) {
                        best = merit;
                        pr = i;
                        pc = j;
                    }
                }
                if (zero_row) return multiplier[i];
            }
            if (pr == size_) break;
            eliminate(pr, pc, row_done, multiplier);
            row_done[pr] = 1;
        }
        return {};
    }

private:
    // Gaussian elimination with complete pivoting on the row-scaled matrix.
    static bool rank_deficient(std::vector<double>& a, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            double scale = 0;
            for (std::size_t j = 0; j < n; ++j) scale = std::max(scale, std::abs(a[i * n + j]));
            if (scale == 0) return true;
            for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= scale;
        }
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t pr = k, pc = k;
            for (std::size_t i = k; i < n; ++i)
                for (std::size_t j = k; j < n; ++j)
                    if (std::abs(a[i * n + j]) > std::abs(a[pr * n + pc])) pr = i, pc = j;
            if (std::abs(a[pr * n + pc]) <= zero_level) return true;
            for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pr * n + j]);
            for (std::size_t i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + pc]);
            for (std::size_t i = k + 1; i < n; ++i) {
                const double factor = a[i * n + k] / a[k * n + k];
                for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
            }
        }
        return false;
    }

    [[nodiscard]] double magnitude(std::size_t i, std::size_t j) const {
        double m = 0;
        for (const auto& numbers : value_) m = std::max(m, std::abs(numbers[i * size_ + j]));
        return m;
    }

    void eliminate(std::size_t pr, std::size_t pc, const std::vector<char>& row_done,
                   std::vector<std::vector<NodeId>>& multiplier) {
        for (std::size_t i = 0; i < size_; ++i) {
            if (row_done[i] || i == pr || magnitude(i, pc) == 0) continue;
            const NodeId factor = g_.div(entry_[i * size_ + pc], entry_[pr * size_ + pc]);
            for (std::size_t j = 0; j < size_; ++j) {
                NodeId& e = entry_[i * size_ + j];
                double before = 0;
                for (std::size_t s = 0; s < value_.size(); ++s)
                    before = std::max(before, std::abs(value_[s][i * size_ + j]));
                e = j == pc ? g_.constant(0.0) : g_.sub(e, g_.mul(factor, entry_[pr * size_ + j]));
                double after = 0;
                for (std::size_t s = 0; s < value_.size(); ++s) {
                    auto& numbers = value_[s];
                    const double f = numbers[i * size_ + pc] / numbers[pr * size_ + pc];
                    if (j == pc) continue;
                    before = std::max(before, std::abs(f * numbers[pr * size_ + j]));
                }
                for (std::size_t s = 0; s < value_.size() && j != pc; ++s) {
                    auto& numbers = value_[s];
                    numbers[i * size_ + j] -=
                        numbers[i * size_ + pc] / numbers[pr * size_ + pc] * numbers[pr * size_ + j];
                    after = std::max(after, std::abs(numbers[i * size_ + j]));
                }
                if (j != pc && after <= zero_level * before) { // cancelled: zero by construction from here on
                    e = g_.constant(0.0);
                    for (auto& numbers : value_) numbers[i * size_ + j] = 0;
                }
            }
            for (auto& numbers : value_) numbers[i * size_ + pc] = 0;
            for (std::size_t k = 0; k < size_; ++k)
                multiplier[i][k] = g_.sub(multiplier[i][k], g_.mul(factor, multiplier[pr][k]));
        }
    }

    Graph& g_;
    RandomPoints points_;
    std::size_t size_;
    std::vector<NodeId> entry_;
    std::vector<std::vector<double>> value_; ///< per sample
};

// Replaces one equation by the combination; false where the method does not apply.
bool combine(System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block,
             const std::vector<NodeId>& u, RepairOutcome& outcome) {
    Graph& g = system.graph();
    const auto rows = r.blocks.equations(block);
    std::vector<std::size_t> used;
    int c_min = -1;
    for (std::size_t i = 0; i < u.size(); ++i) {
        if (g.is_constant(u[i], 0.0)) continue;
        used.push_back(i);
        const int c = r.analysis.c[static_cast<std::size_t>(rows[i])];
        c_min = c_min < 0 ? c : std::min(c_min, c);
    }
    // Leading derivatives, d_j − c_min, must occur in the equations linearly and not in u: then they cancel.
    // Only columns of the block cancel; what the rows take from other blocks stays.
    const auto leading = [&](NodeId leaf) {
        if (g.op(leaf) != Op::variable) return false;
        const int j = column_of[static_cast<std::size_t>(g.variable_id(leaf))];
        return r.blocks.block_of_variable[static_cast<std::size_t>(j)] == block &&
               g.derivative_order(leaf) >= r.analysis.d[static_cast<std::size_t>(j)] - c_min;
    };
    for (const std::size_t i : used) {
        const NodeId roots[] = {u[i]};
        for (const NodeId node : g.reachable(roots))
            if (leading(node)) {
                outcome.why_not = "the multipliers of the dependent equations contain leading derivatives";
                return false;
            }
    }
    NodeId sum = g.constant(0.0);
    std::string text;
    Repair repair;
    for (const std::size_t i : used) {
        const auto row = static_cast<std::size_t>(rows[i]);
        const int order = r.analysis.c[row] - c_min;
        const NodeId f = r.equations[static_cast<std::size_t>(r.first[row] + order)].residual;
        // f is affine in its leading derivatives unless a coefficient depends on them.
        for (const expr::Partial& p : expr::gradient(g, f)) {
            if (!leading(p.leaf)) continue;
            const NodeId roots[] = {p.value};
            for (const NodeId node : g.reachable(roots))
                if (leading(node)) {
                    outcome.why_not =
                        "a leading derivative occurs nonlinearly in " + system.text(static_cast<int>(row), 80);
                    return false;
                }
        }
        expr::Substitution drop(g, [&](NodeId leaf) { return leading(leaf) ? g.constant(0.0) : leaf; });
        sum = g.add(sum, g.mul(u[i], drop(f)));
        repair.combined.push_back(static_cast<int>(row));
        const std::string weight = expr::to_string(g, u[i], system.names(), expr::Notation::plain, 40);
        text += fmt::format("{}{}({}{})", text.empty() ? "" : " + ", weight == "1" ? "" : weight + "*",
                            order > 0 ? fmt::format("d{}/dt{} ", order, order) : "",
                            system.text(static_cast<int>(row), 60));
    }
    for (const std::size_t i : used)
        if (r.analysis.c[static_cast<std::size_t>(rows[i])] == c_min) repair.row = rows[i];
    repair.text = text;
    SystemEquation& replaced = system.equations[static_cast<std::size_t>(repair.row)];
    system.replaced.push_back({repair.row, system.residual(repair.row)});
    replaced.left = sum;
    replaced.right = g.constant(0.0);
    replaced.derived = text;
    outcome.repairs.push_back(std::move(repair));
    return true;
}

} // namespace

RepairOutcome repair_structure(System& system) {
    RepairOutcome outcome;
    // Each repair lowers the value of the transversal, so it ends.
    for (;;) {
        structure::SignatureMatrix sigma = system.signature();
        structure::SignatureAnalysis analysis = structure::signature_method(sigma);
        if (!analysis.regular) {
            outcome.regular = false;
            outcome.why_not = "after combining equations the system is structurally singular";
            return outcome;
        }
        const ReducedSystem r = reduce_index(system, std::move(sigma), std::move(analysis));
        const std::vector<int> column_of = system.columns();
        bool repaired = false;
        // Blocks share no equations: all of them are repaired before the structure is analysed again.
        for (int b = 0; b < r.blocks.count(); ++b) {
            if (r.blocks.size(b) < 2 || r.blocks.size(b) > largest_block) continue;
            SymbolicBlock jacobian(system, r, column_of, b);
            if (!jacobian.numerically_singular()) continue;
            const std::vector<NodeId> u = jacobian.dependency();
            if (u.empty()) continue;
            if (!combine(system, r, column_of, b, u, outcome)) {
                outcome.regular = false;
                outcome.singular_rows.assign(r.blocks.equations(b).begin(), r.blocks.equations(b).end());
                return outcome;
            }
            repaired = true;
        }
        if (!repaired) return outcome;
    }
}

} // namespace daedalus::transform
