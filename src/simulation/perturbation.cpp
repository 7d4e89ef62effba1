#include "simulation/perturbation.hpp"

#include "simulation/private_copy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace daedalus::simulation {

namespace {

constexpr int sample_count = 400;  // five in each period of the fastest oscillation below
constexpr double tolerance = 1e-9; // of the runs that are compared: differences are seen down to a hundredfold of it
constexpr double periods[] = {10, 20, 40, 80}; // in the interval; the last three frequencies are fitted
constexpr int highest_level = 12;              // more derivatives of δ are lost in the errors of the integration

constexpr double rise = 0.1, risen = 0.2; // of the interval: τ = 1, and τ = 2, where exp(−τ¹⁰) is no more

/// Sizes of the perturbation, relative to the terms of an equation: large enough for c ω to be above 1, so that terms
/// with a factor that vanishes on the solution are seen, and smaller ones where the problem breaks under those.
struct Amplitudes {
    double slow = 0.0, fast = 0.0;
};
constexpr Amplitudes trials[] = {{0.1, 3e-2}, {1e-2, 1e-3}, {1e-4, 1e-5}};

/// Names that no model has.
constexpr const char *slow_name = "perturbation: slow", *fast_name = "perturbation: fast",
                     *omega_name = "perturbation: frequency";

/// δ of each equation: ρ(t) (c cos(slow) + ε sin(ωt + φ)) where ρ rises from 0 smoothly enough for nine derivatives to
/// vanish at the start: initial values remain as they are. c, ε and ω are parameters: one compilation serves all.
std::shared_ptr<const model::Model> perturbed(const model::Model& model, double start_time, double length,
                                              const std::vector<double>& size) {
    const std::shared_ptr<model::Model> copy = private_copy(model);
    expr::Graph& g = *copy->graph;
    const auto parameter = [&](const char* name) {
        model::Parameter p;
        p.name = name;
        p.binding = g.constant(0.0);
        return g.parameter(copy->add_parameter(std::move(p)));
    };
    const expr::NodeId slow = parameter(slow_name), fast = parameter(fast_name), omega = parameter(omega_name);
    std::minstd_rand random(4711);
    std::uniform_real_distribution<double> phase(0.0, 2 * std::numbers::pi), weight(0.5, 1.0);
    const auto wave = [&](double amplitude, expr::NodeId rate) {
        const expr::NodeId angle = g.add(g.mul(rate, g.time()), g.constant(phase(random)));
        return g.mul(g.constant(weight(random) * amplitude), g.unary(expr::Op::sin, angle));
    };
    const expr::NodeId tau = g.div(g.sub(g.time(), g.constant(start_time)), g.constant(rise * length));
    const expr::NodeId ramp = g.sub(g.constant(1.0), g.unary(expr::Op::exp, g.neg(g.pow(tau, g.constant(10.0)))));
    for (std::size_t i = 0; i < copy->equations.size(); ++i) {
        const double terms = size[i] > 0 ? size[i] : 1.0;
        const expr::NodeId slow_part =
            g.mul(slow, g.add(g.constant(terms), wave(0.3 * terms, g.constant(2.0 / length))));
        const expr::NodeId fast_part = g.mul(fast, wave(terms, omega));
        copy->equations[i].right = g.add(copy->equations[i].right, g.mul(ramp, g.add(slow_part, fast_part)));
    }
    return copy;
}

/// What all experiments have in common.
struct Setting {
    Compilations perturbed;
    const compile::CompileOptions& how;
    const integrate::StartOptions& start;
    double length;
    std::vector<double> times;
};

std::vector<std::vector<double>> solved(const Setting& s, double slow, double fast, double omega,
                                        std::string& why_not) {
    const SamplingOptions sampling{tolerance, 60'000};
    compile::CompileOptions how = s.how;
    how.parameters.push_back({slow_name, slow});
    how.parameters.push_back({fast_name, fast});
    how.parameters.push_back({omega_name, omega});
    SampledSolution x = sample_solution(s.perturbed, how, s.start, s.times, sampling);
    if (!x.complete) {
        why_not = "not measured: the perturbed problem could not be solved: " + x.why_not;
        return {};
    }
    return std::move(x.values);
}

std::vector<double> largest(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>* b) {
    std::vector<double> out(a.front().size(), 0.0);
    for (std::size_t k = 0; k < a.size(); ++k)
        for (std::size_t v = 0; v < out.size(); ++v)
            out[v] = std::max(out[v], std::abs(a[k][v] - (b ? (*b)[k][v] : 0.0)));
    return out;
}

analysis::PerturbationIndex experiment(const Setting& s, const Amplitudes& amplitude) {
    analysis::PerturbationIndex none;
    const auto base = solved(s, amplitude.slow, 0.0, 1.0, none.reason);
    if (base.empty()) return none;
    std::vector<double> floor = largest(base, nullptr);
    for (double& f : floor) f = 100 * tolerance * std::max(f, 1e-3);
    std::vector<analysis::PerturbationLevel> levels;
    for (int k = 1; k <= highest_level; ++k) {
        analysis::PerturbationLevel level{k, {}};
        for (const double p : periods) {
            const double omega = 2 * std::numbers::pi * p / s.length;
            const auto moved =
                solved(s, amplitude.slow, amplitude.fast * std::pow(p / periods[0], 1 - k), omega, none.reason);
            if (moved.empty()) return none;
            level.samples.push_back({omega, largest(moved, &base)});
        }
        levels.push_back(std::move(level));
        if (analysis::response_growth(levels.back().samples, floor).system != analysis::Growth::clear) break;
    }
    return analysis::perturbation_index(levels, floor);
}

} // namespace

analysis::PerturbationIndex measure_perturbation_index(const std::shared_ptr<const model::Model>& model,
                                                       const compile::CompileOptions& how,
                                                       const integrate::StartOptions& start, double length,
                                                       const std::vector<double>& size) {
    Setting s{Compilations(perturbed(*model, how.start_time, length, size)), how, start, length, {}};
    // Fractional parts of multiples of the golden ratio: no frequency meets them always at the same phase. Where the
    // perturbation rises, its slow part has fast derivatives of its own.
    for (int k = 1; k < sample_count; ++k) {
        const double part = k * std::numbers::phi;
        s.times.push_back(how.start_time + length * (risen + (1.0 - risen) * (part - std::floor(part))));
    }
    s.times.push_back(how.start_time);
    s.times.push_back(how.start_time + length);
    std::sort(s.times.begin(), s.times.end());
    // Growth once seen is growth: of what two sizes of the perturbation say, the larger index counts, and none that is
    // refuted by a size whose growth had no end.
    analysis::PerturbationIndex found;
    std::string open_end;
    int measured = 0, at_least = 0;
    for (const Amplitudes& a : trials) {
        analysis::PerturbationIndex p = experiment(s, a);
        measured += p.index ? 1 : 0;
        if (p.levels_of_growth + 1 > at_least) {
            at_least = p.levels_of_growth + 1;
            open_end = p.reason;
        }
        if (found.reason.empty() || (p.index && (!found.index || *p.index > *found.index))) found = std::move(p);
        if (measured == 2) break;
    }
    if (found.index && *found.index < at_least) {
        found.index.reset();
        found.reason = std::move(open_end);
    }
    return found;
}

} // namespace daedalus::simulation
