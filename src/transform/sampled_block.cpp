#include "transform/sampled_block.hpp"

#include "expr/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

constexpr std::size_t samples = 3; // random points at which a zero must be zero
constexpr int most_tries = 20;     // a random point can lie outside the domain of an equation
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double evaluation_error = 64 * epsilon; // of an entry: a few operations, an exponential among them
constexpr double doubt = 100;                     // errors add up at random; this many of them make a zero

/// Values of all leaves at random points around the start values, reproducible: each leaf has its own seed.
class RandomPoints {
public:
    RandomPoints(const System& system, bool move_parameters)
        : system_(system), g_(system.graph()), move_parameters_(move_parameters) {}

    [[nodiscard]] std::vector<double> values(const std::vector<NodeId>& expressions, int sample) const {
        return expr::evaluate(g_, expressions, [&](NodeId node) { return leaf(node, sample); });
    }

private:
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

} // namespace

SampledBlock::SampledBlock(const System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block)
    : g_(system.graph()), size_(static_cast<std::size_t>(r.blocks.size(block))) {
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
    const auto fill = [&](std::vector<Numbers>& into, bool move_parameters) {
        const RandomPoints points(system, move_parameters);
        for (int s = 0; s < most_tries && into.size() < samples; ++s) {
            const std::vector<double> values = points.values(entry_, s);
            if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) continue;
            Numbers numbers;
            for (const double v : values) numbers.push_back({v, evaluation_error * std::abs(v)});
            into.push_back(std::move(numbers));
        }
    };
    if (size_ == 1 && g_.is_constant(entry_[0]) && !g_.is_constant(entry_[0], 0.0)) return; // the common case
    fill(sample_, false);
    if (size_ > 1 && singular()) fill(shaken_, true);
}

// a − f b and what may be wrong with it; errors are independent, so their squares add.
SampledBlock::Number SampledBlock::minus_product(Number a, Number f, Number b) {
    const double product = f.value * b.value;
    const double size = std::max(std::abs(a.value), std::abs(product));
    const double value = a.value - product;
    const double e1 = f.value * b.error, e2 = f.error * b.value, e3 = epsilon * size;
    return {value, std::sqrt(a.error * a.error + e1 * e1 + e2 * e2 + e3 * e3)};
}

bool SampledBlock::is_zero(Number a) { return std::abs(a.value) <= doubt * a.error; }

// Gaussian elimination with complete pivoting on the matrix whose rows have largest entry 1.
bool SampledBlock::singular() const {
    if (sample_.empty()) return false;
    const std::size_t n = size_;
    const auto deficient = [&](Numbers a) {
        for (std::size_t i = 0; i < n; ++i) {
            double scale = 0;
            for (std::size_t j = 0; j < n; ++j) scale = std::max(scale, std::abs(a[i * n + j].value));
            if (scale == 0) return true;
            for (std::size_t j = 0; j < n; ++j) a[i * n + j] = {a[i * n + j].value / scale, a[i * n + j].error / scale};
        }
        for (std::size_t k = 0; k < n; ++k) {
            std::size_t pr = n, pc = n;
            for (std::size_t i = k; i < n; ++i)
                for (std::size_t j = k; j < n; ++j)
                    if (!is_zero(a[i * n + j]) &&
                        (pr == n || std::abs(a[i * n + j].value) > std::abs(a[pr * n + pc].value)))
                        pr = i, pc = j;
            if (pr == n) return true;
            for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pr * n + j]);
            for (std::size_t i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + pc]);
            const Number pivot = a[k * n + k];
            for (std::size_t i = k + 1; i < n; ++i) {
                if (a[i * n + k].value == 0) continue;
                const double factor = a[i * n + k].value / pivot.value;
                const Number f{factor, std::abs(factor) * (epsilon + a[i * n + k].error / std::abs(a[i * n + k].value) +
                                                           pivot.error / std::abs(pivot.value))};
                for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] = minus_product(a[i * n + j], f, a[k * n + j]);
            }
        }
        return false;
    };
    return std::all_of(sample_.begin(), sample_.end(), deficient);
}

// uᵀ [A(1) A(2) …] = 0 for all samples, those with moved parameters included: then u is a constant.
std::vector<double> SampledBlock::constant_multipliers(Dependency of) const {
    const std::size_t n = size_;
    std::vector<const Numbers*> all;
    for (const Numbers& s : sample_) all.push_back(&s);
    for (const Numbers& s : shaken_) all.push_back(&s);
    if (shaken_.empty()) return {};
    const std::size_t width = n * all.size();
    std::vector<Number> a(n * width);
    std::vector<double> u(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        u[i * n + i] = 1;
        for (std::size_t s = 0; s < all.size(); ++s)
            for (std::size_t j = 0; j < n; ++j)
                a[i * width + s * n + j] = of == Dependency::of_rows ? (*all[s])[i * n + j] : (*all[s])[j * n + i];
    }
    std::vector<char> done(n, 0);
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t pr = n, pc = width;
        double best = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (done[i]) continue;
            bool zero_row = true;
            for (std::size_t j = 0; j < width; ++j) {
                const Number& x = a[i * width + j];
                if (is_zero(x)) continue;
                zero_row = false;
                if (std::abs(x.value) > best) best = std::abs(x.value), pr = i, pc = j;
            }
            if (!zero_row) continue;
            std::vector<double> found(u.begin() + static_cast<std::ptrdiff_t>(i * n),
                                      u.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
            double smallest = 0, largest = 0;
            for (const double v : found) largest = std::max(largest, std::abs(v));
            for (double& v : found)
                if (std::abs(v) <= 1e-9 * largest)
                    v = 0;
                else if (smallest == 0 || std::abs(v) < std::abs(smallest))
                    smallest = v;
            for (double& v : found) v = simple_number(v / smallest);
            if (std::any_of(found.begin(), found.end(), [](double v) { return std::isnan(v); })) return {};
            return found;
        }
        if (pr == n) return {};
        done[pr] = 1;
        const Number pivot = a[pr * width + pc];
        for (std::size_t i = 0; i < n; ++i) {
            const Number lead = a[i * width + pc];
            if (done[i] || lead.value == 0) continue;
            const double factor = lead.value / pivot.value;
            const Number f{factor, std::abs(factor) * (epsilon + lead.error / std::abs(lead.value) +
                                                       pivot.error / std::abs(pivot.value))};
            for (std::size_t j = 0; j < width; ++j)
                a[i * width + j] = j == pc ? Number{} : minus_product(a[i * width + j], f, a[pr * width + j]);
            for (std::size_t k = 0; k < n; ++k) u[i * n + k] -= factor * u[pr * n + k];
        }
    }
    return {};
}

std::vector<NodeId> SampledBlock::symbolic_multipliers(Dependency of) const {
    const std::size_t n = size_;
    std::vector<NodeId> entry = entry_;
    std::vector<Numbers> value = sample_;
    if (of == Dependency::of_columns)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                std::swap(entry[i * n + j], entry[j * n + i]);
                for (Numbers& v : value) std::swap(v[i * n + j], v[j * n + i]);
            }
    const auto zero = [&](std::size_t i, std::size_t j) {
        return std::all_of(value.begin(), value.end(), [&](const Numbers& v) { return is_zero(v[i * n + j]); });
    };
    // A pivot must not vanish at any sample.
    const auto size_of = [&](std::size_t i, std::size_t j) {
        double m = std::numeric_limits<double>::infinity();
        for (const Numbers& v : value) m = std::min(m, is_zero(v[i * n + j]) ? 0.0 : std::abs(v[i * n + j].value));
        return m;
    };
    std::vector<NodeId> multiplier(n * n, g_.constant(0.0));
    std::vector<double> scale(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        multiplier[i * n + i] = g_.constant(1.0);
        for (std::size_t j = 0; j < n; ++j) scale[i] = std::max(scale[i], size_of(i, j));
    }
    std::vector<char> done(n, 0);
    for (std::size_t step = 0; step < n; ++step) {
        std::size_t pr = n, pc = n;
        double best = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (done[i]) continue;
            bool zero_row = true;
            for (std::size_t j = 0; j < n; ++j) {
                if (zero(i, j)) continue;
                zero_row = false;
                // simple pivots keep multipliers readable: constants first, then size
                const NodeId e = entry[i * n + j];
                const double merit = size_of(i, j) / std::max(scale[i], 1e-300) *
                                     (g_.is_constant(e)           ? 100.0
                                      : g_.op(e) == Op::parameter ? 10.0
                                                                  : 1.0);
                if (merit > best) best = merit, pr = i, pc = j;
            }
            if (zero_row)
                return {multiplier.begin() + static_cast<std::ptrdiff_t>(i * n),
                        multiplier.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)};
        }
        if (pr == n) return {};
        done[pr] = 1;
        for (std::size_t i = 0; i < n; ++i) {
            if (done[i] || zero(i, pc)) continue;
            const NodeId factor = g_.div(entry[i * n + pc], entry[pr * n + pc]);
            std::vector<Number> f;
            for (const Numbers& v : value) {
                const Number lead = v[i * n + pc], pivot = v[pr * n + pc];
                const double q = lead.value / pivot.value;
                f.push_back({q, epsilon * std::abs(q) + lead.error / std::abs(pivot.value) +
                                    std::abs(q) * pivot.error / std::abs(pivot.value)});
            }
            for (std::size_t j = 0; j < n; ++j) {
                if (zero(pr, j)) continue;
                for (std::size_t s = 0; s < value.size(); ++s)
                    value[s][i * n + j] = minus_product(value[s][i * n + j], f[s], value[s][pr * n + j]);
                if (j == pc || zero(i, j)) { // cancelled: zero by construction from here on
                    entry[i * n + j] = g_.constant(0.0);
                    for (Numbers& v : value) v[i * n + j] = {};
                } else {
                    entry[i * n + j] = g_.sub(entry[i * n + j], g_.mul(factor, entry[pr * n + j]));
                }
            }
            for (std::size_t k = 0; k < n; ++k)
                multiplier[i * n + k] = g_.sub(multiplier[i * n + k], g_.mul(factor, multiplier[pr * n + k]));
        }
    }
    return {};
}

std::vector<NodeId> SampledBlock::vanishing(Dependency of) {
    if (sample_.empty()) return {};
    std::vector<NodeId> nodes;
    for (const double u : constant_multipliers(of)) nodes.push_back(g_.constant(u));
    return nodes.empty() ? symbolic_multipliers(of) : nodes;
}

} // namespace daedalus::transform
