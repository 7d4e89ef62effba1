#include "simulation/measured_indices.hpp"

#include "analysis/pencil.hpp"
#include "analysis/tractability.hpp"
#include "linalg/singular_values.hpp"
#include "simulation/array_reduction.hpp"
#include "simulation/cancellation.hpp"
#include "simulation/conditioning_along.hpp"
#include "simulation/perturbation.hpp"
#include "simulation/sampled_solution.hpp"
#include "simulation/start_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

using compile::ClassKind;
using compile::SpecialClass;

// What is done unasked stays within about a second.
constexpr std::size_t arrays_up_to = 200, measured_up_to = 12, followed_up_to = 60;

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

/// ∂F/∂x' depends on nothing: a constant transformation makes the system semi-explicit.
bool constant_leading_matrix(const Compilations& model, compile::CompileOptions how) {
    how.reduce = Reduction::none;
    how.eliminate_aliases = false; // what vanishes on the solution need not vanish beside it
    const auto compiled = model.get(how);
    return compiled && compiled->problem.constant_leading_matrix();
}

bool has_final_values(const model::Model& m) {
    return std::any_of(m.variables.begin(), m.variables.end(),
                       [](const model::Variable& v) { return v.final_value != expr::no_node; });
}

struct Measurement {
    Analysis& a;
    std::vector<SpecialClass>& classes;
    const std::shared_ptr<const model::Model>& model;
    const SolveOptions& options;
    const compile::CompileOptions& how;
    const AnalyzeOptions& what;
    Compilations compilations = Compilations(model); ///< that the measurements share

    [[nodiscard]] bool is(ClassKind kind) const {
        return std::any_of(classes.begin(), classes.end(), [&](const SpecialClass& c) { return c.kind == kind; });
    }

    // Classes for which both indices are the same number (HW VII.1: linear with constant coefficients, (1.13)–(1.16);
    // W 1.3: integral form).
    [[nodiscard]] bool indices_must_agree() const {
        return is(ClassKind::linear_constant) || is(ClassKind::semi_explicit) || is(ClassKind::hessenberg) ||
               is(ClassKind::mechanical) || is(ClassKind::integral_form);
    }

    void take_array(const ArrayAnalysis& arrays) {
        const analysis::ArrayIndex& index = arrays.index;
        a.differentiation_index = {index.differentiation, index.reason};
        a.strangeness_index = {index.strangeness, index.reason};
        if (index.strangeness) {
            a.strangeness_index.reason =
                fmt::format("derivative array of order {}: {} differential and {} algebraic equations, none vanishing",
                            *index.strangeness, index.differential, index.algebraic);
            // What the initial equations give is nobody's choice.
            const auto given = std::count_if(model->variables.begin(), model->variables.end(),
                                             [](const model::Variable& v) { return v.is_parameter; });
            a.array_degrees_of_freedom = index.differential - static_cast<int>(given);
        }
        for (std::size_t v = 0; v < a.variables.size(); ++v)
            if (index.per_unknown[v] >= 0) a.variables[v].differentiations = index.per_unknown[v];
        for (const analysis::ArrayRanks& r : index.by_order)
            a.array_evidence.push_back({r.order, r.derivatives.rows, r.derivatives.cols, r.derivatives.rank,
                                        r.derivatives.kept, r.derivatives.dropped, r.singular_values, r.one_full,
                                        r.full_row_rank, r.strangeness_free, r.decided});
        a.warnings.insert(a.warnings.end(), index.warnings.begin(), index.warnings.end());
    }

    /// Classes that are solved for their derivatives do not count as such where a factor of these vanishes on the
    /// solution and not beside it, as in HW (1.32).
    void drop_degenerate_classes(const ArrayAnalysis& arrays, double t) {
        const std::size_t n = static_cast<std::size_t>(arrays.model.array->unknowns());
        if (arrays.index.point.z.size() < 2 * n) return;
        const int on = leading_rank(arrays, t, 0.0), beside = leading_rank(arrays, t, 0.1);
        const auto& nu = a.differentiation_index.value;
        const bool contradicted = nu && *nu != a.structural_index && *nu != a.repaired_index.value_or(*nu - 1);
        if (!contradicted && (on < 0 || beside < 0 || on >= beside)) return;
        std::erase_if(classes, [](const SpecialClass& found) {
            return found.kind == ClassKind::semi_explicit || found.kind == ClassKind::hessenberg ||
                   found.kind == ClassKind::mechanical || found.kind == ClassKind::ordinary;
        });
    }

    void find_perturbation(const ArrayAnalysis& arrays) {
        const bool by_class = a.differentiation_index.value && a.structure_reliable && indices_must_agree();
        if (a.differentiation_index.value == 0) {
            a.perturbation_index = {0, "an ordinary differential equation: perturbations enter through their integral",
                                    true};
            if (!what.measure.value_or(false)) return;
        } else if (by_class && !what.measure.value_or(false)) {
            a.perturbation_index = {a.differentiation_index.value,
                                    "of this class, perturbation and differentiation index are equal (HW VII.1, W 1.3)",
                                    true};
            return;
        } else if (is(ClassKind::linear_in_time) && a.differentiation_index.value &&
                   a.tractability_index.value == a.differentiation_index.value && !what.measure.value_or(false)) {
            a.perturbation_index = {a.tractability_index.value,
                                    "linear with a tractability index: the perturbation index is the same number "
                                    "(Lamour, März & Tischendorf 2013)",
                                    true};
            return;
        } else if (a.differentiation_index.value == 1 && !what.measure.value_or(false) &&
                   constant_leading_matrix(compilations, how)) {
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

    /// What the coefficients alone say at later times; they do not depend on the solution.
    void find_local_index(ArrayAnalysis& arrays, const Interval& i) {
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

    /// The chain on constant matrices, or on the linearisation along the solution, for which the solution's derivatives
    /// must be known up to the index: from an array of twice that order.
    void find_tractability(ArrayAnalysis& arrays, double t) {
        problem::DerivativeArray& array = *arrays.model.array;
        const int n = array.unknowns();
        const auto take = [&](const analysis::TractabilityIndex& found) {
            a.tractability_index = {found.index, found.reason};
        };
        if (arrays.index.point.z.size() < 2 * static_cast<std::size_t>(n)) {
            a.tractability_index.reason = "not computed: " + arrays.index.reason;
            return;
        }
        if (is(ClassKind::linear_constant)) {
            const auto j = analysis::array_jacobian(array, 0, t, arrays.index.point.z);
            if (!j) return;
            take(analysis::tractability_index(j->columns(n, n), j->columns(0, n)));
            a.eigenvalues =
                analysis::analyze_pencil(j->columns(n, n), j->columns(0, n), {.weierstrass = false}).eigenvalues;
            return;
        }
        constexpr int without_knowledge = 4, most_rows = 320;
        const int order = std::max(1, arrays.index.differentiation.value_or(without_knowledge));
        if (is(ClassKind::linear_in_time)) { // coefficients do not depend on the point
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
    void name_cancellation(ArrayAnalysis& arrays, double t) {
        const auto& nu = a.differentiation_index.value;
        const bool misled = !a.structure_reliable || (nu && *nu != a.structural_index);
        const int n = arrays.model.array->unknowns();
        if (!misled || arrays.index.point.z.size() < 2 * static_cast<std::size_t>(n)) return;
        if (const auto j = analysis::array_jacobian(*arrays.model.array, 0, t, arrays.index.point.z))
            a.cancellation = combination_without_derivatives(j->columns(n, n), *arrays.model.array->legend);
    }

    void run() {
        const std::size_t n = model->equations.size();
        const std::string too_large =
            fmt::format("not computed: {} equations are more than {}; ask for it with --arrays", n, arrays_up_to);
        a.differentiation_index.reason = a.strangeness_index.reason = a.tractability_index.reason =
            a.perturbation_index.reason = a.conditioning.reason = too_large;
        if (what.derivative_arrays.value_or(n <= arrays_up_to)) {
            const integrate::StartOptions start = start_options(options);
            StartGuess guess;
            auto compiled = compilations.get(quietly(how));
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
                take_array(*arrays);
                drop_degenerate_classes(*arrays, how.start_time);
                find_tractability(*arrays, how.start_time);
                a.conditioning.reason = "not computed: ask for it with --along";
                a.perturbation_index.reason = "not measured: the differentiation index is not known";
                if (arrays->index.differentiation) {
                    find_perturbation(*arrays);
                    if (has_final_values(*model))
                        a.conditioning.reason = "not computed: a boundary value problem, whose solution is not at hand";
                    else if (what.along_solution.value_or(n <= followed_up_to &&
                                                          interval_of(*model, options, how.start_time).known))
                        follow_solution(a, *arrays, compilations, options, how,
                                        is(ClassKind::linear_constant) || is(ClassKind::linear_in_time));
                }
            }
            if (arrays) {
                if (is(ClassKind::linear_in_time))
                    find_local_index(*arrays, interval_of(*model, options, how.start_time));
                name_cancellation(*arrays, how.start_time);
            } else {
                a.tractability_index.reason = "not computed: " + arrays.error().front().message;
            }
        }
    }
};

} // namespace

void measure_indices(Analysis& a, std::vector<SpecialClass>& classes, const std::shared_ptr<const model::Model>& model,
                     const SolveOptions& options, const compile::CompileOptions& how, const AnalyzeOptions& what) {
    Measurement{a, classes, model, options, how, what}.run();
}

} // namespace daedalus::simulation
