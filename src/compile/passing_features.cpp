#include "compile/passing_features.hpp"

#include "compile/compilation.hpp"
#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;
using problem::Bounded;
using problem::Course;
using problem::Moving;
using problem::TimeWindow;

namespace {

// What a look may cost: beyond, it would be more than a step. A model of many such functions is looked at in its first
// ones only.
constexpr std::size_t most_functions = 50, most_operations_of_one = 200, most_operations_of_all = 1000;
// Halvings down to a feature 1e-9 of the step wide take 30 bounds on each side.
constexpr int most_bounds = 200;
constexpr double narrowest = 1e-9;
// Stages and ends of steps meet what is wider than a quarter of them.
constexpr double seen = 0.25;
// Its core ends where a tenth of the height is left, and is gone through in eight steps at least.
constexpr double foot = 0.1, steps_inside = 8.0;

/// Bounds of a + b τ + c τ² for τ between p and q.
Bounded bounds_of(const Course& course, double p, double q) {
    const auto at = [&](double tau) { return course.value + tau * (course.slope + tau * course.bend); };
    Bounded b{std::min(at(p), at(q)), std::max(at(p), at(q))};
    if (course.bend != 0.0) {
        const double vertex = -course.slope / (2.0 * course.bend);
        if (vertex > std::min(p, q) && vertex < std::max(p, q)) {
            b.low = std::min(b.low, at(vertex));
            b.high = std::max(b.high, at(vertex));
        }
    }
    return b;
}

class Look {
public:
    Look(const MovingRange& f, double t, std::span<const double> parameters, std::span<const Course> courses)
        : f_(f), t_(t), parameters_(parameters), courses_(courses), leaves_(courses.size()) {}

    /// Of the function between t + p and t + q.
    [[nodiscard]] Bounded bounds(double p, double q) { return moving(p, q).value; }
    /// The same, narrowed by the mean value theorem: f(m) + f'([p, q]) (τ - m), m in the middle, where f is `middle`.
    /// What depends on itself several times is enclosed to second order by it.
    [[nodiscard]] Bounded bounds(double p, double q, double middle) {
        const Moving f = moving(p, q);
        const double reach = 0.5 * std::abs(q - p) * std::max(std::abs(f.slope.low), std::abs(f.slope.high));
        if (!(reach < std::numeric_limits<double>::infinity())) return f.value;
        return {std::max(f.value.low, middle - reach), std::min(f.value.high, middle + reach)};
    }
    [[nodiscard]] Moving moving(double p, double q) {
        for (std::size_t k = 0; k < leaves_.size(); ++k) {
            const Course& c = courses_[k];
            const double s = c.slope + 2.0 * c.bend * p, e = c.slope + 2.0 * c.bend * q;
            leaves_[k] = {bounds_of(c, p, q), {std::min(s, e), std::max(s, e)}};
        }
        return f_(t_ + std::min(p, q), t_ + std::max(p, q), parameters_, leaves_.data());
    }
    [[nodiscard]] double value(double tau) {
        const Bounded b = bounds(tau, tau);
        return b.low + 0.5 * (b.high - b.low);
    }

private:
    const MovingRange& f_;
    double t_;
    std::span<const double> parameters_;
    std::span<const Course> courses_;
    std::vector<Moving> leaves_;
};

struct Band {
    double low, high;
    [[nodiscard]] bool contains(const Bounded& b) const { return b.low >= low && b.high <= high; }
    [[nodiscard]] double outside(double v) const { return v > high ? v - high : v < low ? low - v : 0.0; }
};

/// A τ between 0 and h at which the function is outside of the band; nearest pieces first.
std::optional<double> point_outside(Look& look, const Band& band, double h) {
    std::vector<std::pair<double, double>> pieces{{0.0, h}};
    for (int bounds = 0; !pieces.empty() && bounds < most_bounds; ++bounds) {
        const auto [p, q] = pieces.back();
        pieces.pop_back();
        const double middle = p + 0.5 * (q - p), there = look.value(middle);
        if (band.outside(there) > 0.0) return middle;
        if (band.contains(look.bounds(p, q, there))) continue;
        if (std::abs(q - p) <= narrowest * std::abs(h)) continue;
        pieces.emplace_back(middle, q);
        pieces.emplace_back(p, middle);
    }
    return std::nullopt;
}

/// Where between `outside` and `inside` the function is at the foot.
double foot_between(Look& look, const Band& band, double inside, double outside, double height) {
    for (int halving = 0; halving < 30; ++halving) {
        const double middle = inside + 0.5 * (outside - inside);
        (band.outside(look.value(middle)) > height ? outside : inside) = middle;
    }
    return inside;
}

/// Affine in the unknowns, with coefficients that may depend on time; or does not depend on them at all.
enum class Kind : char { given, affine, other };

std::vector<Kind> kinds_of(const expr::Graph& g, const std::vector<NodeId>& nodes) {
    std::vector<Kind> kind(nodes.size(), Kind::given);
    const auto of = [&](NodeId node) {
        return kind[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin())];
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Op op = g.op(nodes[i]);
        if (op == Op::variable) kind[i] = Kind::affine;
        Kind most = Kind::given;
        for (int k = 0; k < g.arity(nodes[i]); ++k) most = std::max(most, of(g.operand(nodes[i], k)));
        if (most == Kind::given) continue;
        const auto operand = [&](int k) { return of(g.operand(nodes[i], k)); };
        const bool keeps = op == Op::neg || op == Op::add || op == Op::sub ||
                           (op == Op::mul && (operand(0) == Kind::given || operand(1) == Kind::given)) ||
                           (op == Op::div && operand(1) == Kind::given);
        kind[i] = keeps ? most : Kind::other;
    }
    return kind;
}

/// May rise and fall along a straight course.
bool may_pass(const expr::Graph& g, NodeId node, const std::vector<NodeId>& nodes, const std::vector<Kind>& kind) {
    const auto curved = [&](int k) {
        const NodeId u = g.operand(node, k);
        return kind[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), u) - nodes.begin())] ==
               Kind::other;
    };
    switch (const Op op = g.op(node)) {
    case Op::div: return curved(1);
    case Op::pow: {
        const NodeId exponent = g.operand(node, 1);
        return curved(0) && g.is_constant(exponent) && g.constant_value(exponent) < 0.0;
    }
    default: return expr::is_function(op) && expr::function(op).steep && curved(0);
    }
}

} // namespace

std::optional<TimeWindow> find_passing(const MovingRange& function, double t, double h,
                                       std::span<const double> parameters, std::span<const Course> courses) {
    Look look(function, t, parameters, courses);
    const double first = look.value(0.0), last = look.value(h);
    const Bounded whole = look.bounds(0.0, h);
    if (!std::isfinite(first) || !std::isfinite(last) || !std::isfinite(whole.low) || !std::isfinite(whole.high))
        return std::nullopt;
    Band band{std::min(first, last), std::max(first, last)};
    // What is a quarter of the change that the ends show, or a fiftieth of what could be, is not looked for.
    const double margin =
        std::max(0.25 * (band.high - band.low), 0.02 * std::max(band.low - whole.low, whole.high - band.high));
    band = {band.low - margin, band.high + margin};
    const std::optional<double> found = point_outside(look, band, h);
    if (!found) return std::nullopt;
    const double height = foot * band.outside(look.value(*found));
    for (const double beside : {*found - seen * h, *found + seen * h}) // as wide as what steps meet by themselves
        if (beside * h > 0.0 && std::abs(beside) < std::abs(h) && band.outside(look.value(beside)) > height)
            return std::nullopt;
    const double begin = foot_between(look, band, 0.0, *found, height);
    const double end = foot_between(look, band, h, *found, height);
    const double width = std::abs(end - begin);
    if (!(width > 0.0) || width > seen * std::abs(h)) return std::nullopt;
    return TimeWindow{t + std::min(begin, end), t + std::max(begin, end), width / steps_inside};
}

problem::PassingFeatures build_passing_features(Compilation& c, const std::vector<NodeId>& rows) {
    const expr::Graph& g = c.system.graph();
    const std::vector<NodeId> nodes = g.reachable(rows);
    const std::vector<Kind> kind = kinds_of(g, nodes);
    problem::PassingFeatures facet;
    std::map<problem::RootRanges::Leaf, int> number;
    std::size_t operations = 0;
    c.passing_programs = {};
    for (const NodeId node : nodes) {
        if (c.passing_programs.programs.size() >= most_functions) break;
        if (!may_pass(g, node, nodes, kind)) continue;
        const NodeId below[] = {node};
        const std::vector<NodeId> parts = g.reachable(below);
        if (parts.size() > most_operations_of_one || operations + parts.size() > most_operations_of_all) continue;
        const bool possible = std::all_of(parts.begin(), parts.end(), [&](NodeId part) {
            const Op op = g.op(part);
            return op != Op::call && op != Op::select &&
                   (op != Op::variable ||
                    c.formulation.place({g.variable_id(part), g.derivative_order(part)}).unknown >= 0);
        });
        if (!possible) continue;
        operations += parts.size();
        c.passing_programs.programs.emplace_back(g, node, [&](NodeId leaf) {
            const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
            const auto [it, fresh] =
                number.try_emplace({place.unknown, place.derivative}, static_cast<int>(facet.leaves.size()));
            if (fresh) facet.leaves.push_back(it->first);
            return it->second;
        });
    }
    if (c.passing_programs.programs.empty()) return facet;
    facet.ahead = [](const void* code, const problem::Environment& e, double t, double h,
                     std::span<const Course> courses) {
        std::optional<TimeWindow> nearest;
        for (const MovingRange& f : static_cast<const Compilation*>(code)->passing_programs.programs) {
            const auto own = find_passing(f, t, h, e.values(), courses);
            const auto nearer = [&] { return h > 0.0 ? own->begin < nearest->begin : own->end > nearest->end; };
            if (own && (!nearest || nearer())) nearest = own;
        }
        return nearest;
    };
    return facet;
}

} // namespace daedalus::compile
