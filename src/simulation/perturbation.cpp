#include "simulation/perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace daedalus::simulation {

namespace {

constexpr int sample_count = 200;
constexpr double tolerance = 1e-9;
// Periods in the interval; the last three frequencies are fitted.
constexpr double periods[] = {10, 20, 40, 80};

std::shared_ptr<const model::Model> perturbed(const model::Model& model, const std::vector<double>& amplitude,
                                              double omega) {
    auto copy = std::make_shared<model::Model>(model);
    expr::Graph& g = *copy->graph;
    std::minstd_rand random(4711);
    std::uniform_real_distribution<double> phase(0.0, 2 * std::numbers::pi), weight(0.5, 1.0);
    for (std::size_t i = 0; i < copy->equations.size(); ++i) {
        const double phi = phase(random), w = weight(random);
        const expr::NodeId angle = g.add(g.mul(g.constant(omega), g.time()), g.constant(phi));
        copy->equations[i].right =
            g.add(copy->equations[i].right, g.mul(g.constant(w * amplitude[i]), g.unary(expr::Op::sin, angle)));
    }
    return copy;
}

} // namespace

analysis::PerturbationIndex measure_perturbation_index(const std::shared_ptr<const model::Model>& model,
                                                       const compile::CompileOptions& how,
                                                       const integrate::StartOptions& start, double length,
                                                       const std::vector<double>& size) {
    analysis::PerturbationIndex none;
    const SamplingOptions sampling{tolerance, 60'000};
    std::vector<double> times;
    for (int k = 0; k <= sample_count; ++k) times.push_back(how.start_time + length * k / sample_count);
    const SampledSolution plain = sample_solution(model, how, start, times, sampling);
    if (!plain.complete) {
        none.reason = "not measured: " + plain.why_not;
        return none;
    }
    const std::size_t n = model->variables.size();
    std::vector<double> scale(n, 0.0), floor(n);
    for (const auto& y : plain.values)
        for (std::size_t v = 0; v < n; ++v) scale[v] = std::max(scale[v], std::abs(y[v]));
    for (std::size_t v = 0; v < n; ++v) floor[v] = 100 * tolerance * std::max(scale[v], 1e-3);
    // Small enough for the change to be a perturbation, large enough to be seen. Terms that vanish on the solution show
    // only in powers of ε, so that the largest amplitude that works is tried besides a small one.
    analysis::PerturbationIndex found;
    for (double epsilon : {3e-2, 1e-3, 1e-5, 1e-7}) {
        std::vector<analysis::PerturbationSample> samples;
        bool too_large = false;
        for (auto it = std::rbegin(periods); it != std::rend(periods) && !too_large; ++it) {
            analysis::PerturbationSample s;
            s.omega = 2 * std::numbers::pi * *it / length;
            std::vector<double> amplitude;
            for (const double terms : size) amplitude.push_back(epsilon * (terms > 0 ? terms : 1.0));
            const SampledSolution moved =
                sample_solution(perturbed(*model, amplitude, s.omega), how, start, times, sampling);
            if (!moved.complete) {
                too_large = true;
                none.reason = "not measured: the perturbed problem could not be solved: " + moved.why_not;
                break;
            }
            s.deviation.assign(n, 0.0);
            for (std::size_t k = 0; k < times.size(); ++k)
                for (std::size_t v = 0; v < n; ++v)
                    s.deviation[v] = std::max(s.deviation[v], std::abs(moved.values[k][v] - plain.values[k][v]));
            // Only states make a nonlinear problem another one; what is found from them may change as it likes.
            for (std::size_t v = 0; v < n; ++v)
                if (s.deviation[v] > 10.0 * std::max(scale[v], 1.0)) too_large = epsilon > 1e-7;
            samples.insert(samples.begin(), std::move(s));
        }
        if (too_large) continue;
        analysis::PerturbationIndex p = analysis::perturbation_index(samples, floor);
        const bool last = epsilon <= 1e-3;
        if ((p.index && (!found.index || *p.index > *found.index)) || (found.reason.empty() && last))
            found = std::move(p);
        if (last) break;
    }
    return found.index || !found.reason.empty() ? found : none;
}

} // namespace daedalus::simulation
