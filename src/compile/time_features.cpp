#include "compile/time_features.hpp"

#include "compile/compilation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;
using problem::TimeWindow;

namespace {

/// A stretch of time on which the function is known.
struct Stretch {
    double begin, end;
    bool constant;
    [[nodiscard]] double length() const { return end - begin; }
};

class Search {
public:
    Search(const MovingRange& function, double t0, double t1, std::span<const double> parameters, long& work)
        : f_(function), t0_(t0), t1_(t1), parameters_(parameters), work_(work) {}

    [[nodiscard]] std::vector<Stretch> run() {
        const problem::Moving whole = range(t0_, t1_);
        const double variation = whole.value.high - whole.value.low;
        constexpr double part = 1e-6; // less of it than any usual tolerance sees; not derived
        level_ = std::isfinite(variation) ? part * variation : 0.0;
        std::vector<std::pair<double, double>> work{{t0_, t1_}};
        std::vector<Stretch> found;
        while (!work.empty()) {
            const auto [a, b] = work.back();
            work.pop_back();
            const problem::Moving r = range(a, b);
            if (r.value.high - r.value.low <= level_) {
                found.push_back({a, b, true});
                continue;
            }
            constexpr double shortest = 1e-12; // of the run: what is narrower is a jump
            if (resolved(a, b, r) || exhausted() || b - a <= shortest * (t1_ - t0_)) {
                found.push_back({a, b, false});
                continue;
            }
            const double middle = a + 0.5 * (b - a);
            work.emplace_back(middle, b);
            work.emplace_back(a, middle);
        }
        return exhausted() ? std::vector<Stretch>{} : found; // nothing can be said
    }
    [[nodiscard]] bool exhausted() const { return work_ <= 0; }
    /// Whether samples alone describe it: stretches may be short because bounds are wide, not because of the function.
    [[nodiscard]] bool described(double a, double b) { return polynomial_fits(a, b); }

private:
    [[nodiscard]] problem::Moving range(double a, double b) {
        work_ -= static_cast<long>(f_.operations());
        return f_(a, b, parameters_, nullptr);
    }
    [[nodiscard]] double value(double t) {
        work_ -= static_cast<long>(f_.operations());
        return f_.value(t, parameters_);
    }

    [[nodiscard]] bool polynomial_fits(double a, double b) {
        std::array<double, 9> v{};
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = value(a + (b - a) * static_cast<double>(i) / 8.0);
        const auto [low, high] = std::minmax_element(v.begin(), v.end());
        hull_ = *high - *low;
        if (!std::isfinite(hull_)) return false;
        constexpr double alike = 0.02; // coarse: that it is there is seen, how large it is the error test sees
        // Lagrange's weights of the even points at the odd ones.
        constexpr double weight[2][5] = {{35.0 / 128, 140.0 / 128, -70.0 / 128, 28.0 / 128, -5.0 / 128},
                                         {-5.0 / 128, 60.0 / 128, 90.0 / 128, -20.0 / 128, 3.0 / 128}};
        for (std::size_t odd = 0; odd < 4; ++odd) {
            double sum = 0.0;
            for (std::size_t k = 0; k < 5; ++k)
                sum += odd < 2 ? weight[odd][k] * v[2 * k] : weight[3 - odd][4 - k] * v[2 * k];
            if (!(std::abs(sum - v[2 * odd + 1]) <= alike * hull_ + level_)) return false;
        }
        return true;
    }
    [[nodiscard]] bool resolved(double a, double b, const problem::Moving& r) {
        if (!polynomial_fits(a, b)) return false;
        const double steepest = std::max(std::abs(r.slope.low), std::abs(r.slope.high));
        constexpr double between = 1.0 / 8.0, generous = 4.0; // the bound of a slope may be far from it
        return steepest * between * (b - a) <= generous * hull_ + level_;
    }

    const MovingRange& f_;
    double t0_, t1_;
    std::span<const double> parameters_;
    double level_ = 0.0, hull_ = 0.0;
    long& work_; ///< operations that are left
};

/// Neighbours that one polynomial describes become one.
void join(std::vector<Stretch>& list, Search& search) {
    for (bool changed = true; changed && !search.exhausted();) {
        changed = false;
        std::vector<Stretch> joined;
        for (const Stretch& s : list) {
            const bool alike = !joined.empty() && joined.back().constant == s.constant &&
                               (s.constant || (std::max(joined.back().length(), s.length()) <=
                                                   2.0 * std::min(joined.back().length(), s.length()) &&
                                               search.described(joined.back().begin, s.end)));
            if (alike) {
                joined.back().end = s.end;
                changed = true;
            } else {
                joined.push_back(s);
            }
        }
        list = std::move(joined);
    }
}

} // namespace

std::vector<TimeWindow> find_features(const MovingRange& function, double t0, double t1,
                                      std::span<const double> parameters, long& work) {
    Search search(function, t0, t1, parameters, work);
    std::vector<Stretch> list = search.run();
    if (list.size() < 2) return {};
    join(list, search);
    // The scale on most of the interval: half of it lies in stretches at least as long.
    std::vector<double> lengths;
    for (const Stretch& s : list) lengths.push_back(s.length());
    std::sort(lengths.begin(), lengths.end());
    double usual = t1 - t0, sum = 0.0;
    for (const double length : lengths) {
        sum += length;
        if (sum < 0.5 * (t1 - t0)) continue;
        usual = length;
        break;
    }
    constexpr double much_shorter = 0.25, short_of_run = 1.0 / 16.0; // found: first steps grow to a tenth of a run
    std::vector<TimeWindow> windows;
    for (const Stretch& s : list)
        if (!s.constant && s.length() <= much_shorter * usual && s.length() <= short_of_run * (t1 - t0))
            windows.push_back({s.begin, s.end, s.length()});
    return windows;
}

problem::TimeFeatures build_time_features(Compilation& c, const std::vector<NodeId>& rows) {
    const expr::Graph& g = c.system.graph();
    const std::vector<NodeId> nodes = g.reachable(rows);
    enum : char { neither, of_time, of_more };
    std::vector<char> depends(nodes.size(), neither), maximal(nodes.size(), 0);
    const auto place = [&](NodeId node) {
        return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Op op = g.op(nodes[i]);
        if (op == Op::variable) depends[i] = of_more;
        if (op == Op::time) depends[i] = of_time;
        for (int k = 0; k < g.arity(nodes[i]); ++k)
            depends[i] = std::max(depends[i], depends[place(g.operand(nodes[i], k))]);
        if (depends[i] != of_more) continue;
        for (int k = 0; k < g.arity(nodes[i]); ++k)
            if (const std::size_t below = place(g.operand(nodes[i], k)); depends[below] == of_time) maximal[below] = 1;
    }
    for (const NodeId row : rows)
        if (const std::size_t at = place(row); depends[at] == of_time) maximal[at] = 1;
    constexpr std::size_t most = 100; // functions; beyond, looking would cost more than the first steps; not derived
    c.time_programs = {};
    for (std::size_t i = 0; i < nodes.size() && c.time_programs.programs.size() < most; ++i) {
        if (!maximal[i] || g.op(nodes[i]) == Op::time) continue;
        const NodeId below[] = {nodes[i]};
        const std::vector<NodeId> parts = g.reachable(below);
        // What loops and other routines compute has no bounds here.
        if (std::any_of(parts.begin(), parts.end(), [&](NodeId node) { return g.op(node) == Op::call; })) continue;
        for (const NodeId node : parts)
            if (g.op(node) == Op::parameter && changes_at_events(c, node)) c.time_programs.change_at_events = true;
        c.time_programs.programs.emplace_back(g, nodes[i], [](NodeId) { return 0; });
    }
    problem::TimeFeatures facet;
    if (c.time_programs.programs.empty()) return facet;
    facet.change_at_events = c.time_programs.change_at_events;
    facet.windows = [](const void* code, const problem::Environment& e, double t0, double t1) {
        std::vector<TimeWindow> all;
        if (!(t1 > t0)) return all;
        long work = most_operations;
        for (const MovingRange& f : static_cast<const Compilation*>(code)->time_programs.programs) {
            const std::vector<TimeWindow> own = find_features(f, t0, t1, e.values(), work);
            all.insert(all.end(), own.begin(), own.end());
        }
        std::sort(all.begin(), all.end(), [](const TimeWindow& a, const TimeWindow& b) { return a.begin < b.begin; });
        return all;
    };
    return facet;
}

} // namespace daedalus::compile
