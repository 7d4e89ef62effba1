#include "facade/analysis_numbers.hpp"

#include "analysis/conditioning.hpp"
#include "analysis/pencil.hpp"
#include "analysis/tractability.hpp"
#include "linalg/singular_values.hpp"
#include "simulation/array_reduction.hpp"
#include "simulation/cancellation.hpp"
#include "simulation/perturbation.hpp"
#include "simulation/sampled_solution.hpp"
#include "simulation/start_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::facade {

using namespace simulation;

namespace {

// What is done unasked stays within about a second.
constexpr std::size_t arrays_up_to = 200, measured_up_to = 12, followed_up_to = 60;
constexpr int points_along = 41;

void take_array(Analysis& a, const ArrayAnalysis& arrays) {
    const analysis::ArrayIndex& index = arrays.index;
    a.differentiation_index = {index.differentiation, index.reason};
    a.strangeness_index = {index.strangeness, index.reason};
    if (index.strangeness) {
        a.strangeness_index.reason =
            fmt::format("derivative array of order {}: {} differential and {} algebraic equations, none vanishing",
                        *index.strangeness, index.differential, index.algebraic);
        a.array_degrees_of_freedom = index.differential;
    }
    for (std::size_t v = 0; v < a.variables.size(); ++v)
        if (index.per_unknown[v] >= 0) a.variables[v].differentiations = index.per_unknown[v];
    for (const analysis::ArrayRanks& r : index.by_order)
        a.array_evidence.push_back({r.order, r.derivatives.rows, r.derivatives.cols, r.derivatives.rank,
                                    r.derivatives.kept, r.derivatives.dropped, r.singular_values, r.one_full,
                                    r.full_row_rank, r.strangeness_free, r.decided});
    a.warnings.insert(a.warnings.end(), index.warnings.begin(), index.warnings.end());
}

bool has_class(const Analysis& a, std::string_view beginning) {
    return std::any_of(a.classes.begin(), a.classes.end(),
                       [&](const std::string& c) { return c.starts_with(beginning); });
}

// Classes for which both indices are the same number (HW VII.1: linear with constant coefficients, (1.13)–(1.16);
// W 1.3: integral form).
bool indices_must_agree(const Analysis& a) {
    return has_class(a, "linear with constant") || has_class(a, "semi-explicit index 1") ||
           has_class(a, "Hessenberg") || has_class(a, "constrained mechanical") || has_class(a, "integral form");
}

/// Of ∂F/∂x' at the point, with all values moved by `shift` in changing directions.
int leading_rank(const ArrayAnalysis& arrays, double t, double shift) {
    std::vector<double> z = arrays.index.point.z;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += shift * std::cos(1.0 + 7.0 * static_cast<double>(i));
    const int n = arrays.model.array->unknowns();
    const auto j = analysis::array_jacobian(*arrays.model.array, 0, t, z);
    if (!j) return -1;
    const linalg::SingularValues s = linalg::singular_values_only(j->columns(n, n));
    constexpr double vanishing = 1e-9; // against the largest: the point is consistent to better than that
    int rank = 0;
    for (const double sigma : s.values) rank += sigma > vanishing * std::max(1.0, s.values.front()) ? 1 : 0;
    return rank;
}

/// Classes that are solved for their derivatives do not count as such where a factor of these vanishes on the solution
/// and not beside it, as in HW (1.32).
void drop_degenerate_classes(Analysis& a, const ArrayAnalysis& arrays, double t) {
    const std::size_t n = static_cast<std::size_t>(arrays.model.array->unknowns());
    if (arrays.index.point.z.size() < 2 * n) return;
    const int on = leading_rank(arrays, t, 0.0), beside = leading_rank(arrays, t, 0.1);
    const auto& nu = a.differentiation_index.value;
    const bool contradicted = nu && *nu != a.structural_index && *nu != a.repaired_index.value_or(*nu - 1);
    if (!contradicted && (on < 0 || beside < 0 || on >= beside)) return;
    std::erase_if(a.classes, [](const std::string& name) {
        return name.starts_with("semi-explicit") || name.starts_with("Hessenberg") ||
               name.starts_with("constrained mechanical") || name.starts_with("ordinary");
    });
}

/// What the terms of each equation amount to at the point.
std::vector<double> equation_sizes(const ArrayAnalysis& arrays, double t) {
    const auto j = analysis::array_jacobian(*arrays.model.array, 0, t, arrays.index.point.z);
    std::vector<double> size(static_cast<std::size_t>(arrays.model.array->equations()), 0.0);
    if (!j) return size;
    for (int c = 0; c < j->cols(); ++c)
        for (int r = 0; r < j->rows(); ++r)
            size[static_cast<std::size_t>(r)] +=
                std::abs((*j)(r, c) * arrays.index.point.z[static_cast<std::size_t>(c)]);
    return size;
}

struct Interval {
    double begin = 0.0, end = 1.0;
    bool known = false;
};

Interval interval_of(const model::Model& model, const SolveOptions& options, double start) {
    Interval i{start, start + 1.0, false};
    if (const auto end = options.until ? options.until : model.experiment.stop_time; end && *end > start)
        i = {start, *end, true};
    return i;
}

/// ∂F/∂x' depends on nothing: a constant transformation makes the system semi-explicit.
bool constant_leading_matrix(const std::shared_ptr<const model::Model>& model, compile::CompileOptions how) {
    how.reduce = compile::Reduce::none;
    how.eliminate_aliases = false; // what vanishes on the solution need not vanish beside it
    const auto compiled = compile::compile(model, how);
    return compiled && compiled->problem.constant_leading_matrix();
}

void find_perturbation(Analysis& a, const ArrayAnalysis& arrays, const std::shared_ptr<const model::Model>& model,
                       const SolveOptions& options, const compile::CompileOptions& how, const AnalyzeOptions& what) {
    const bool by_class = a.differentiation_index.value && a.structure_reliable && indices_must_agree(a);
    if (a.differentiation_index.value == 0) {
        a.perturbation_index = {0, "an ordinary differential equation: perturbations enter through their integral",
                                true};
        if (!what.measure.value_or(false)) return;
    } else if (by_class && !what.measure.value_or(false)) {
        a.perturbation_index = {a.differentiation_index.value,
                                "of this class, perturbation and differentiation index are equal (HW VII.1, W 1.3)",
                                true};
        return;
    } else if (has_class(a, "linear with time") && a.differentiation_index.value &&
               a.tractability_index.value == a.differentiation_index.value && !what.measure.value_or(false)) {
        a.perturbation_index = {a.tractability_index.value,
                                "linear with a tractability index: the perturbation index is the same number "
                                "(Lamour, März & Tischendorf 2013)",
                                true};
        return;
    } else if (a.differentiation_index.value == 1 && !what.measure.value_or(false) &&
               constant_leading_matrix(model, how)) {
        a.perturbation_index = {
            1, "index 1 with constant factors of the derivatives: perturbations enter undifferentiated", true};
        return;
    }
    if (!what.measure.value_or(model->equations.size() <= measured_up_to)) {
        a.perturbation_index.reason = "not measured: ask for it with --measure";
        return;
    }
    const Interval i = interval_of(*model, options, how.start_time);
    const analysis::PerturbationIndex p = measure_perturbation_index(
        model, how, start_options(options), i.end - i.begin, equation_sizes(arrays, how.start_time));
    if (a.differentiation_index.value == 0 && p.index == 1) return; // growth exponents cannot tell 0 from 1
    if (by_class && !p.index) {
        a.perturbation_index = {
            a.differentiation_index.value,
            "of this class, perturbation and differentiation index are equal (HW VII.1, W 1.3); " + p.reason, true};
        return;
    }
    if (p.index && a.differentiation_index.value && *p.index < *a.differentiation_index.value) {
        // It is never smaller (HW VII.1): the frequencies that could be solved do not show the growth yet.
        a.perturbation_index.reason =
            fmt::format("undecided: {}, which is less than the differentiation index demands", p.reason);
        return;
    }
    a.perturbation_index = {p.index, p.reason};
    for (std::size_t v = 0; p.index && v < a.variables.size() && v < p.per_variable.size(); ++v)
        a.variables[v].measured_index = p.per_variable[v];
}

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

/// What the coefficients alone say at later times; they do not depend on the solution.
void find_local_index(Analysis& a, ArrayAnalysis& arrays, const Interval& i) {
    problem::DerivativeArray& array = *arrays.model.array;
    const int n = array.unknowns();
    constexpr int times = 11;
    const std::vector<double> z(static_cast<std::size_t>(array.columns(0)), 0.0);
    for (int k = 0; k < times; ++k) {
        const double t = i.begin + (i.end - i.begin) * k / (times - 1);
        const auto j = analysis::array_jacobian(array, 0, t, z);
        if (!j) continue;
        const analysis::PencilReport p =
            analysis::analyze_pencil(j->columns(n, n), j->columns(0, n), {.weierstrass = false});
        LocalIndex local{t, std::nullopt};
        if (p.decided && p.structure.regular()) local.index = p.structure.index();
        a.local_index.push_back(local);
    }
}

bool has_final_values(const model::Model& m) {
    return std::any_of(m.variables.begin(), m.variables.end(),
                       [](const model::Variable& v) { return v.final_value != expr::no_node; });
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

void follow_solution(Analysis& a, ArrayAnalysis& arrays, const std::shared_ptr<const model::Model>& model,
                     const SolveOptions& options, const compile::CompileOptions& how) {
    problem::DerivativeArray& array = *arrays.model.array;
    const Interval i = interval_of(*model, options, how.start_time);
    std::vector<double> times;
    for (int k = 0; k < points_along; ++k) times.push_back(i.begin + (i.end - i.begin) * k / (points_along - 1));
    SampledSolution s = sample_solution(model, how, start_options(options), times);
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
    const bool linear = has_class(a, "linear with");
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

/// The chain on constant matrices, or on the linearisation along the solution, for which the solution's derivatives
/// must be known up to the index: from an array of twice that order.
void find_tractability(Analysis& a, ArrayAnalysis& arrays, double t) {
    problem::DerivativeArray& array = *arrays.model.array;
    const int n = array.unknowns();
    const auto take = [&](const analysis::TractabilityIndex& found) {
        a.tractability_index = {found.index, found.reason};
    };
    if (arrays.index.point.z.size() < 2 * static_cast<std::size_t>(n)) {
        a.tractability_index.reason = "not computed: " + arrays.index.reason;
        return;
    }
    if (has_class(a, "linear with constant")) {
        const auto j = analysis::array_jacobian(array, 0, t, arrays.index.point.z);
        if (!j) return;
        take(analysis::tractability_index(j->columns(n, n), j->columns(0, n)));
        a.eigenvalues =
            analysis::analyze_pencil(j->columns(n, n), j->columns(0, n), {.weierstrass = false}).eigenvalues;
        return;
    }
    constexpr int without_knowledge = 4, most_rows = 320;
    const int order = std::max(1, arrays.index.differentiation.value_or(without_knowledge));
    if (has_class(a, "linear with time")) { // coefficients do not depend on the point
        std::vector<double> z(static_cast<std::size_t>(array.columns(order)), 0.0);
        take(analysis::tractability_index(array, order, t, z));
        return;
    }
    const int known = order + arrays.index.differentiation.value_or(without_knowledge);
    if (!arrays.index.differentiation || array.rows(known) > most_rows || !array.prepare(known)) {
        a.tractability_index.reason =
            arrays.index.differentiation
                ? fmt::format("not computed: the derivatives of the solution need an array of {} rows",
                              array.rows(known))
                : "not computed: the derivatives of the solution are not determined";
        return;
    }
    // Order by order: what one leaves open is small, and the next is linear in what it adds.
    analysis::ArrayPoint p = arrays.index.point;
    p.consistent = true;
    for (int k = *arrays.index.differentiation + 1; k <= known && p.consistent; ++k)
        p = analysis::consistent_point(array, k, t, p.z, analysis::HoldX::thoroughly);
    if (p.consistent)
        take(analysis::tractability_index(array, order, t, p.z));
    else
        a.tractability_index.reason = "not computed: " + p.why_not;
}

/// Where the structural index is not the index: the combination in which derivatives cancel.
void name_cancellation(Analysis& a, ArrayAnalysis& arrays, double t) {
    const auto& nu = a.differentiation_index.value;
    const bool misled = !a.structure_reliable || (nu && *nu != a.structural_index);
    const int n = arrays.model.array->unknowns();
    if (!misled || arrays.index.point.z.size() < 2 * static_cast<std::size_t>(n)) return;
    if (const auto j = analysis::array_jacobian(*arrays.model.array, 0, t, arrays.index.point.z))
        a.cancellation = combination_without_derivatives(j->columns(n, n), *arrays.model.array->legend);
}

std::string hiding_combinations(const Analysis& a) {
    std::string list;
    for (const AnalyzedEquation& e : a.equations)
        if (!e.replaced_by.empty() && list.size() < 300) list += (list.empty() ? "" : "; ") + e.replaced_by;
    return list.empty() ? a.cancellation : list;
}

/// "structural, differentiation and tractability", those that were computed on their own.
std::string independent(const Analysis& a) {
    std::vector<std::string> names{"structural"};
    const auto add = [&](const char* name, const IndexFinding& f) {
        if (f.value && !f.inferred) names.emplace_back(name);
    };
    add("differentiation", a.differentiation_index);
    add("tractability", a.tractability_index);
    add("perturbation", a.perturbation_index);
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
        text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    return text;
}

void compare(Analysis& a) {
    a.structural_index_reason = "signature method: the largest index of a variable";
    if (!a.structure_reliable)
        a.structural_index_reason = "signature method, but its system Jacobian is singular: not to be trusted";
    else if (a.repaired_index)
        a.structural_index_reason =
            fmt::format("signature method on the equations as written, whose system Jacobian is singular: not to be "
                        "trusted; {} when a combination of equations takes the place of one",
                        *a.repaired_index);
    const auto& nu = a.differentiation_index.value;
    if (!nu) {
        a.agreement = "structure alone: " + a.differentiation_index.reason;
        return;
    }
    std::string differ;
    const std::string combinations = hiding_combinations(a);
    if (*nu != a.structural_index)
        differ += fmt::format(
            "The structural index is {} but the differentiation index is {}: structure counts which derivatives occur, "
            "not whether they cancel.{} ",
            a.structural_index, *nu,
            combinations.empty()
                ? " No combination of equations loses them: a factor of a derivative vanishes along the "
                  "solution."
                : fmt::format(" They cancel in the combination {}.{}", combinations,
                              a.repaired_index == nu ? " With it in the place of one of them, structure agrees." : ""));
    else if (!combinations.empty())
        differ += fmt::format("The equations as written mislead structure: leading derivatives cancel in {}. With that "
                              "combination in their place all agree. ",
                              combinations);
    if (a.tractability_index.value && *a.tractability_index.value != *nu)
        differ += fmt::format("The tractability index is {}, the differentiation index {}: the chain sees the "
                              "linearisation at the start only, where terms may vanish. ",
                              *a.tractability_index.value, *nu);
    // Kunkel & Mehrmann 2006, theorem 3.50: one less for a square system with constraints.
    if (a.strangeness_index.value && *a.strangeness_index.value != std::max(0, *nu - 1))
        differ += fmt::format("The strangeness index is {}, where index {} makes one expect {}. ",
                              *a.strangeness_index.value, *nu, std::max(0, *nu - 1));
    if (a.perturbation_index.value && *a.perturbation_index.value != *nu)
        differ += fmt::format(
            "The perturbation index is {}, the differentiation index {}: a perturbation makes terms that vanish on the "
            "solution take part, and they need more derivatives of it (HW (1.31), (1.32)). ",
            *a.perturbation_index.value, *nu);
    if (a.array_degrees_of_freedom && *a.array_degrees_of_freedom != a.degrees_of_freedom)
        differ += fmt::format("Structure counts {} degrees of freedom, derivative arrays {}. ", a.degrees_of_freedom,
                              *a.array_degrees_of_freedom);
    if (!differ.empty()) differ.pop_back();
    a.agreement =
        differ.empty() ? fmt::format("{} index, each found in its own way, agree: {}", independent(a), *nu) : differ;
    if (*nu != a.structural_index) a.warnings.push_back(a.agreement);
}

void recommend(Analysis& a) {
    const int by_structure = a.repaired_index.value_or(a.structural_index);
    const int nu = a.differentiation_index.value.value_or(by_structure);
    const bool misled = a.differentiation_index.value && *a.differentiation_index.value != by_structure;
    if (!a.structure_reliable || (misled && *a.differentiation_index.value > by_structure))
        a.recommendation = "do not rely on structure here: solve with --reduce derivative-array";
    else if (misled)
        a.recommendation = fmt::format("structure differentiates more often than index {} needs; the default works, "
                                       "--reduce derivative-array is the smaller system",
                                       nu);
    else if (nu <= 1)
        a.recommendation = "integrate the equations as written (the default)";
    else
        a.recommendation =
            fmt::format("index {}: let dummy derivatives reduce it (the default); --reduce projection or ggl keep all "
                        "variables as states",
                        nu);
    if (!misled && by_structure != a.structural_index)
        a.recommendation += ". Equations are combined for that, since structure misleads as they are written; --reduce "
                            "derivative-array does without structure";
    if (!a.conditioning.advice.empty()) a.recommendation += ". " + a.conditioning.advice;
    if (a.perturbation_index.value && *a.perturbation_index.value > nu)
        a.recommendation += fmt::format(". Small fast perturbations are amplified as in index {}: keep inputs smooth",
                                        *a.perturbation_index.value);
}

} // namespace

void add_numbers(Analysis& a, const std::shared_ptr<const model::Model>& model, const SolveOptions& options,
                 const compile::CompileOptions& how, const AnalyzeOptions& what) {
    const std::size_t n = model->equations.size();
    const std::string too_large =
        fmt::format("not computed: {} equations are more than {}; ask for it with --arrays", n, arrays_up_to);
    a.differentiation_index.reason = a.strangeness_index.reason = a.tractability_index.reason =
        a.perturbation_index.reason = a.conditioning.reason = too_large;
    if (what.derivative_arrays.value_or(n <= arrays_up_to)) {
        const integrate::StartOptions start = start_options(options);
        compile::CompileOptions plain = how;
        plain.reduce = compile::Reduce::automatic;
        plain.cross_check = plain.tear = false;
        StartGuess guess;
        auto compiled = compile::compile(model, plain);
        if (compiled) {
            integrate::StartOptions quick = start;
            quick.multistart = quick.alternatives = quick.conflict_limit = 0;
            auto consistent = integrate::consistent_start(compiled->initial, quick);
            if (consistent && consistent->analysed)
                for (const int u : consistent->free_unknowns)
                    a.free_initial_values.push_back(compiled->initial.legend->variable(u));
            if (consistent)
                guess = [&, at = *std::move(consistent)](const compile::ArrayModel& array) {
                    return array_unknowns(*compiled, at, array);
                };
        }
        auto arrays = analyze_array(model, how, start, guess);
        if (!arrays) {
            a.differentiation_index.reason = a.strangeness_index.reason = a.perturbation_index.reason =
                a.conditioning.reason = "not computed: " + arrays.error().front().message;
        } else {
            take_array(a, *arrays);
            drop_degenerate_classes(a, *arrays, how.start_time);
            find_tractability(a, *arrays, how.start_time);
            a.conditioning.reason = "not computed: ask for it with --along";
            a.perturbation_index.reason = "not measured: the differentiation index is not known";
            if (arrays->index.differentiation) {
                find_perturbation(a, *arrays, model, options, how, what);
                if (has_final_values(*model))
                    a.conditioning.reason = "not computed: a boundary value problem, whose solution is not at hand";
                else if (what.along_solution.value_or(n <= followed_up_to &&
                                                      interval_of(*model, options, how.start_time).known))
                    follow_solution(a, *arrays, model, options, how);
            }
        }
        if (arrays) {
            if (has_class(a, "linear with time"))
                find_local_index(a, *arrays, interval_of(*model, options, how.start_time));
            name_cancellation(a, *arrays, how.start_time);
        } else {
            a.tractability_index.reason = "not computed: " + arrays.error().front().message;
        }
    }
    compare(a);
    recommend(a);
}

} // namespace daedalus::facade
