#include "simulation/conditioning_along.hpp"

#include "analysis/conditioning.hpp"
#include "simulation/sampled_solution.hpp"
#include "simulation/start_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

constexpr int points_along = 41; // 40 equal parts of the interval

/// "1 × (x = y) - 0.5 × (…)", the largest factor 1.
std::string combination_text(const problem::DerivativeArray& array, const std::vector<double>& factors) {
    double largest = 0.0;
    for (const double f : factors)
        if (std::abs(f) > std::abs(largest)) largest = f;
    std::string text;
    for (std::size_t i = 0; i < factors.size(); ++i)
        if (std::abs(factors[i]) > 1e-6 * std::abs(largest)) {
            const double share = factors[i] / largest;
            text += fmt::format("{}{}({})", text.empty() ? (share < 0 ? "-" : "") : (share < 0 ? " - " : " + "),
                                std::abs(std::abs(share) - 1.0) < 1e-9 ? "" : fmt::format("{:.4g} × ", std::abs(share)),
                                array.legend->equation(static_cast<int>(i)));
        }
    return text;
}

/// MW Property 5.1 and Theorems 5.2, 6.1 with their numbers.
std::string estimates_text(const analysis::NearIndex2& e, bool index_2) {
    const auto bound = [](char name, const analysis::BoundFactors& f, const char* q) {
        return fmt::format("‖{0}‖ ≤ {1:.2g} ‖{0}(0)‖ + {2:.2g} ‖p‖ + {3:.2g} ‖{5}‖ + {4:.2g} ‖{5}'‖", name, f.start,
                           f.p, f.q, f.dq, q);
    };
    if (index_2)
        return fmt::format(
            "CB is of size ε = {:.2g}: nearly index 3, κ₂/ε = {:.3g} of the fast part x = B w; perturbed "
            "by p, and the constraints by q in units of ε (CB)⁻¹, with r = C p + q': {}, {} (MW Theorem "
            "6.1)",
            e.epsilon, e.scaled_kappa2, bound('w', e.x, "r"), bound('y', e.y, "r"));
    return fmt::format("D is of size ε = {:.2g}: κ₂/ε = {:.3g} (MW Property 5.1); perturbed by p, and the constraints "
                       "by q in units of ε D⁻¹: {}, {} (MW Theorem 5.2)",
                       e.epsilon, e.scaled_kappa2, bound('x', e.x, "q"), bound('y', e.y, "q"));
}

} // namespace

Interval interval_of(const model::Model& model, const SolveOptions& options, double start) {
    Interval i{start, start + 1.0, false};
    if (const auto end = options.until ? options.until : model.experiment.stop_time; end && *end > start)
        i = {start, *end, true};
    return i;
}

void follow_solution(Analysis& a, ArrayAnalysis& arrays, const Compilations& compilations, const SolveOptions& options,
                     const compile::CompileOptions& how, bool linear) {
    problem::DerivativeArray& array = *arrays.model.array;
    const Interval i = interval_of(*compilations.model(), options, how.start_time);
    std::vector<double> times;
    for (int k = 0; k < points_along; ++k) times.push_back(i.begin + (i.end - i.begin) * k / (points_along - 1));
    SampledSolution s = sample_solution(compilations, how, start_options(options), times);
    if (s.values.empty() || array.unknowns() != arrays.model.variables) {
        a.conditioning.reason =
            "not computed: " + (s.values.empty() ? s.why_not : "derivatives are among the unknowns");
        return;
    }
    std::vector<analysis::LinearisedPoint> along;
    const int n = array.unknowns();
    for (std::size_t k = 0; k < s.values.size(); ++k) {
        const analysis::ArrayPoint p =
            analysis::consistent_point(array, 0, times[k], s.values[k], analysis::HoldX::yes);
        const auto j = analysis::array_jacobian(array, 0, times[k], p.z);
        if (j) along.push_back({times[k], j->columns(n, n), j->columns(0, n)});
    }
    const analysis::Conditioning c = analysis::conditioning(along, a.differentiation_index.value.value_or(0));
    ConditioningFacts& facts = a.conditioning;
    facts.kappa1 = c.kappa1;
    facts.kappa2 = c.kappa2;
    facts.reason = c.reason;
    if (c.near_index_2) facts.estimates = estimates_text(*c.near_index_2, false);
    if (c.near_index_3) facts.estimates = estimates_text(*c.near_index_3, true);
    facts.predicted_power = c.predicted_power;
    facts.observed_power = c.observed_power;
    facts.advice = c.advice;
    for (const auto& x : c.at_noise) facts.at_noise.push_back({x.noise, x.index});
    if (!c.at_noise.empty()) facts.distance_to_singular = c.distance_to_singular;
    if (c.nearly_singular) facts.singular_combination = combination_text(array, c.singular_combination);
    for (const analysis::IterationSample& x : c.iteration)
        a.conditioning.steps.push_back({x.h, x.condition, static_cast<int>(std::lround(x.power))});
    if (!c.advice.empty()) a.warnings.push_back(c.advice);
    if (!s.complete)
        a.warnings.push_back(
            fmt::format("the solution was followed up to t = {:.6g} only: {}", times[s.values.size() - 1], s.why_not));
    if (!arrays.index.differentiation || n > 30 || s.values.size() < 2) return;
    if (!linear) times.resize(s.values.size());
    const analysis::ArrayMonitor m = analysis::monitor_index(
        array, arrays.index, times,
        [&](double t) {
            const auto at = std::upper_bound(times.begin(), times.end(), t) - times.begin();
            const auto k = std::clamp<std::size_t>(static_cast<std::size_t>(at), 1, s.values.size() - 1);
            const double share = (t - times[k - 1]) / (times[k] - times[k - 1]);
            std::vector<double> x = s.values[k - 1];
            for (std::size_t v = 0; v < x.size(); ++v) x[v] += share * (s.values[k][v] - s.values[k - 1][v]);
            return x;
        },
        linear ? analysis::Coefficients::of_time : analysis::Coefficients::of_solution);
    a.warnings.insert(a.warnings.end(), m.events.begin(), m.events.end());
}

} // namespace daedalus::simulation
