#include "transform/sampled_block.hpp"

#include "elimination/dependent_rows.hpp"
#include "elimination/uncertain_number.hpp"
#include "expr/round_off.hpp"
#include "expr/substitute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

namespace daedalus::transform {

namespace {

using elimination::UncertainNumber;
using expr::Graph;
using expr::Op;

constexpr std::size_t samples = 3; // random points at which a zero must be zero
constexpr int most_tries = 20;     // a random point can lie outside the domain of an equation
constexpr double evaluation_error =
    64 * elimination::epsilon; // of an entry: a few operations, an exponential among them

/// Values of all leaves at random points around the start values, reproducible: each leaf has its own seed.
class RandomPoints {
public:
    RandomPoints(const System& system, bool move_parameters)
        : system_(system), g_(system.graph()), move_parameters_(move_parameters) {}

    [[nodiscard]] std::vector<double> values(const std::vector<NodeId>& expressions, int sample) const {
        std::vector<double> list;
        for (const expr::RoundedValue& v : rounded(expressions, sample)) list.push_back(v.value);
        return list;
    }
    /// Near the start, every point has the same branches of if-expressions; what vanishes on all branches must vanish
    /// on the others too. Every second point is one with relations reversed, every third with some of them.
    [[nodiscard]] std::vector<expr::RoundedValue> rounded(const std::vector<NodeId>& expressions, int sample) const {
        return expr::evaluate_rounded(
            g_, expressions, [&](NodeId node) { return expr::RoundedValue{leaf(node, sample)}; },
            [&](NodeId relation) { return reversed(relation, sample); });
    }

private:
    [[nodiscard]] static bool reversed(NodeId relation, int sample) {
        if (sample % 3 == 0) return false;
        return sample % 3 == 1 || uniform(expr::index(relation), sample) < 0.5;
    }
    [[nodiscard]] double leaf(NodeId node, int sample) const {
        if (g_.op(node) == Op::parameter) {
            const double given = system_.parameters[static_cast<std::size_t>(g_.parameter_id(node))];
            return move_parameters_ ? given * (0.9 + 0.2 * uniform(expr::index(node), sample)) : given;
        }
        // Not at the start itself: too much vanishes there. Not far from it only: exponentials may leave all scales.
        constexpr double distance[] = {1.0, 1e-3, 1e-6};
        const double noise = distance[sample % 3] * (0.05 + 0.25 * uniform(expr::index(node), sample));
        if (g_.op(node) != Op::variable || g_.derivative_order(node) > 0) return noise;
        const NodeId start = system_.model->variables[static_cast<std::size_t>(g_.variable_id(node))].start;
        const double center = start == expr::no_node ? 0.0 : values({start}, sample)[0];
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
    bool move_parameters_;
};

// p/q with q ≤ 12 if the number is one, else NaN.
double simple_number(double value) {
    constexpr double tolerance = 1e-9;
    for (int q = 1; q <= 12; ++q) {
        const double p = std::round(value * q);
        if (std::abs(value * q - p) <= tolerance * std::max(1.0, std::abs(p)) && std::abs(p) <= 1000) return p / q;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

/// An entry as an expression, with its values at the samples: expressions cannot be told from zero, numbers can.
struct SampledEntry {
    NodeId expression = expr::no_node;
    std::vector<UncertainNumber> values;
};

struct SampledExpressions {
    using Element = SampledEntry;
    using Factor = SampledEntry;
    static constexpr int candidate_rows = 64;
    static constexpr double threshold = 0.1;

    Graph& g;

    [[nodiscard]] static bool is_zero(const Element& e) {
        return std::all_of(e.values.begin(), e.values.end(), [](const auto& v) { return v.is_zero(); });
    }
    // A pivot must not vanish at any sample; constants, then parameters keep multipliers readable.
    [[nodiscard]] double size(const Element& e) const {
        double smallest = std::numeric_limits<double>::infinity();
        for (const UncertainNumber& v : e.values) smallest = std::min(smallest, v.is_zero() ? 0.0 : std::abs(v.value));
        return smallest * (g.is_constant(e.expression) ? 100.0 : g.op(e.expression) == Op::parameter ? 10.0 : 1.0);
    }
    [[nodiscard]] Factor quotient(const Element& e, const Element& pivot) const {
        Factor f{g.div(e.expression, pivot.expression), {}};
        for (std::size_t s = 0; s < e.values.size(); ++s)
            f.values.push_back(elimination::quotient(e.values[s], pivot.values[s]));
        return f;
    }
    [[nodiscard]] Element minus_product(const Element* a, const Factor& f, const Element& b) const {
        const NodeId product = g.mul(f.expression, b.expression);
        Element e{a ? g.sub(a->expression, product) : g.neg(product), {}};
        for (std::size_t s = 0; s < b.values.size(); ++s)
            e.values.push_back(
                elimination::minus_product(a ? a->values[s] : UncertainNumber{}, f.values[s], b.values[s]));
        return e;
    }
};

/// The rows (or columns) that are wanted, numbered from 0.
template <class Element>
std::vector<elimination::SparseRow<Element>> part(const std::vector<elimination::SparseRow<Element>>& rows,
                                                  Dependency of, const std::vector<std::size_t>& members) {
    std::vector<elimination::SparseRow<Element>> result(members.size());
    if (of == Dependency::of_rows) {
        for (std::size_t k = 0; k < members.size(); ++k) result[k] = rows[members[k]];
        return result;
    }
    std::unordered_map<int, std::size_t> local;
    for (std::size_t k = 0; k < members.size(); ++k) local.emplace(static_cast<int>(members[k]), k);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& e : rows[i])
            if (const auto it = local.find(e.column); it != local.end())
                result[it->second].push_back({static_cast<int>(i), e.value});
    return result;
}

} // namespace

std::vector<char> vanish_everywhere(const System& system, const std::vector<NodeId>& expressions) {
    const RandomPoints points(system, true);
    std::vector<char> zero(expressions.size(), 1);
    std::size_t usable = 0;
    for (int sample = 0; sample < most_tries && usable < samples; ++sample) {
        const std::vector<expr::RoundedValue> values = points.rounded(expressions, sample);
        const auto finite = [](const auto& v) { return std::isfinite(v.value); };
        if (!std::all_of(values.begin(), values.end(), finite)) continue;
        ++usable;
        for (std::size_t i = 0; i < zero.size(); ++i) zero[i] = zero[i] && values[i].vanishes();
    }
    if (usable < samples) zero.assign(zero.size(), 0);
    return zero;
}

NodeId without_vanishing(const System& system, NodeId sum) {
    Graph& g = system.graph();
    std::vector<NodeId> leaves, slopes;
    for (const expr::Partial& p : expr::gradient(g, sum)) {
        leaves.push_back(p.leaf);
        slopes.push_back(p.value);
    }
    const std::vector<char> zero = vanish_everywhere(system, slopes);
    std::set<NodeId> gone;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (zero[i]) gone.insert(leaves[i]);
    // A sum of which nothing is left would be a contradiction or redundant: that is not for round-off to decide.
    if (gone.empty() || gone.size() == leaves.size()) return sum;
    expr::Substitution drop(g, [&](NodeId leaf) { return gone.contains(leaf) ? g.constant(0.0) : leaf; });
    return drop(sum);
}

SampledBlock::SampledBlock(const System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block)
    : system_(system), g_(system.graph()), size_(static_cast<std::size_t>(r.blocks.size(block))), entry_(size_) {
    const auto rows = r.blocks.equations(block);
    const auto cols = r.blocks.variables(block);
    std::unordered_map<int, int> column;
    for (std::size_t j = 0; j < size_; ++j) column.emplace(cols[j], static_cast<int>(j));
    for (std::size_t i = 0; i < size_; ++i) {
        const auto row = static_cast<std::size_t>(rows[i]);
        // By Griewank's lemma ∂f_i^(c_i)/∂x_j^(d_j) = ∂f_i/∂x_j^(d_j − c_i): no differentiation in time needed.
        for (const expr::Partial& p :
             expr::gradient(g_, r.equations[static_cast<std::size_t>(r.first[row])].residual)) {
            const int j = column_of[static_cast<std::size_t>(g_.variable_id(p.leaf))];
            const auto found = column.find(j);
            if (found == column.end() || g_.is_constant(p.value, 0.0)) continue;
            if (g_.derivative_order(p.leaf) == r.analysis.d[static_cast<std::size_t>(j)] - r.analysis.c[row])
                entry_[i].push_back({found->second, p.value});
        }
        std::sort(entry_[i].begin(), entry_[i].end(), [](const auto& a, const auto& b) { return a.column < b.column; });
    }
}

// The k-th point at which all entries have values; none if there are too few such points.
const SampledBlock::Numbers* SampledBlock::sample(std::size_t k, bool shaken) {
    Samples& samples_so_far = shaken ? shaken_ : plain_;
    std::vector<Numbers>& taken = samples_so_far.taken;
    const RandomPoints points(system_, shaken);
    std::vector<NodeId> flat;
    while (taken.size() <= k && samples_so_far.tried < most_tries) {
        if (flat.empty())
            for (const auto& row : entry_)
                for (const auto& e : row) flat.push_back(e.value);
        const std::vector<double> values = points.values(flat, samples_so_far.tried++);
        if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) continue;
        Numbers numbers(size_);
        std::size_t at = 0;
        for (std::size_t i = 0; i < size_; ++i)
            for (const auto& e : entry_[i]) numbers[i].push_back({e.column, values[at++]});
        taken.push_back(std::move(numbers));
    }
    return taken.size() > k ? &taken[k] : nullptr;
}

std::vector<std::vector<std::size_t>> SampledBlock::dependent(Dependency of) {
    if (size_ == 1 && entry_[0].size() == 1 && g_.is_constant(entry_[0][0].value)) return {}; // the common case
    const auto columns = static_cast<int>(size_);
    const Numbers* first = sample(0, false);
    if (!first) return {};
    const elimination::DependentRows d = elimination::dependent_rows(
        of == Dependency::of_rows ? *first : elimination::transposed(*first, columns), columns, evaluation_error);
    decided_ = d.decided;
    // What depends on each other at one random point does so everywhere, unless chance or round-off deceives.
    std::vector<std::vector<std::size_t>> sets;
    for (const elimination::RowDependency& found : d.found) {
        std::vector<std::size_t> members(found.rows.begin(), found.rows.end());
        bool confirmed = true;
        for (std::size_t k = 1; k < samples && confirmed; ++k)
            if (const Numbers* other = sample(k, false))
                confirmed =
                    !elimination::dependent_rows(part(*other, of, members), columns, evaluation_error).found.empty();
        if (confirmed) sets.push_back(std::move(members));
    }
    return sets;
}

// uᵀ [A(1) A(2) …] = 0 for all samples, those with moved parameters included: then u is a constant.
std::vector<double> SampledBlock::constant_multipliers(Dependency of, const std::vector<std::size_t>& members) {
    Numbers all(members.size());
    int columns = 0;
    for (const bool shaken : {false, true})
        for (std::size_t k = 0; k < samples; ++k) {
            const Numbers* numbers = sample(k, shaken);
            if (!numbers && k == 0) return {};
            if (!numbers) break;
            const Numbers here = part(*numbers, of, members);
            for (std::size_t i = 0; i < here.size(); ++i)
                for (const auto& e : here[i]) all[i].push_back({columns + e.column, e.value});
            columns += static_cast<int>(size_);
        }
    const elimination::DependentRows d = elimination::dependent_rows(all, columns, evaluation_error);
    if (d.found.empty()) return {};
    std::vector<double> u(members.size(), 0.0);
    double smallest = 0;
    for (std::size_t k = 0; k < d.found[0].rows.size(); ++k) {
        const double weight = d.found[0].weights[k];
        u[static_cast<std::size_t>(d.found[0].rows[k])] = weight;
        if (smallest == 0 || std::abs(weight) < std::abs(smallest)) smallest = weight;
    }
    for (double& v : u) v = simple_number(v / smallest);
    if (std::any_of(u.begin(), u.end(), [](double v) { return std::isnan(v); })) return {};
    return u;
}

std::vector<NodeId> SampledBlock::symbolic_multipliers(Dependency of, const std::vector<std::size_t>& members) {
    const Expressions expressions = part(entry_, of, members);
    std::vector<elimination::SparseRow<SampledEntry>> rows(members.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& e : expressions[i]) rows[i].push_back({e.column, {e.value, {}}});
    for (std::size_t k = 0; k < samples; ++k)
        if (const Numbers* numbers = sample(k, false)) {
            const Numbers here = part(*numbers, of, members);
            for (std::size_t i = 0; i < rows.size(); ++i)
                for (std::size_t at = 0; at < rows[i].size(); ++at) {
                    const double value = here[i][at].value;
                    rows[i][at].value.values.push_back({value, evaluation_error * std::abs(value)});
                }
        }
    SampledExpressions algebra{g_};
    const auto e = elimination::eliminate(algebra, std::move(rows), static_cast<int>(size_));
    if (e.dependent.empty()) return {};
    std::vector<NodeId> u(members.size(), g_.constant(0.0));
    const SampledEntry one{g_.constant(1.0), std::vector<UncertainNumber>(plain_.taken.size(), {1.0, 0.0})};
    const auto minus_product = [&](const SampledEntry* a, const SampledEntry& f, const SampledEntry& b) {
        return algebra.minus_product(a, f, b);
    };
    for (const auto& [k, weight] : elimination::combination(e, e.dependent[0], members.size(), one, minus_product))
        if (!SampledExpressions::is_zero(weight)) u[static_cast<std::size_t>(k)] = weight.expression;
    return u;
}

std::optional<Vanishing> SampledBlock::vanishing(Dependency of, const std::vector<std::size_t>& members) {
    std::vector<NodeId> nodes;
    for (const double u : constant_multipliers(of, members)) nodes.push_back(g_.constant(u));
    if (nodes.empty()) nodes = symbolic_multipliers(of, members);
    if (nodes.empty()) return std::nullopt;
    Vanishing result;
    for (std::size_t k = 0; k < members.size(); ++k)
        if (!g_.is_constant(nodes[k], 0.0)) {
            result.members.push_back(members[k]);
            result.multipliers.push_back(nodes[k]);
        }
    return result;
}

} // namespace daedalus::transform
