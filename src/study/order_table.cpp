#include "study/order_table.hpp"

#include "study/observed_order.hpp"
#include "study/product_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::study {

namespace {

constexpr double tolerance = 0.2; // of an order; what the runs below resolve in every cell
constexpr int fewest_runs = 4;
constexpr int most_runs = 9;

/// Steps of the coarsest run: the initial phase of W Thm 2.1, (ν-1)k + 1 steps, lies before the last quarter.
int coarsest(const OrderMethod& method, const OrderClass& c) {
    const auto* m = std::get_if<tableau::MultistepMethod>(&method.method);
    if (m == nullptr) return 12;
    if (c.kind == ClassKind::linear) return std::max(20, 2 * ((c.nu - 1) * m->steps() + 1));
    return m->steps() <= 3 ? 20 : 28;
}

/// The steps that users get, in double precision; or, where its round-off hides what a theorem speaks of, those of the
/// reference in extended precision.
struct Arithmetic {
    bool extended;
    Real round_off;
};
constexpr Arithmetic product{false, std::numeric_limits<double>::epsilon()};
constexpr Arithmetic reference{true, std::numeric_limits<Real>::epsilon()};

DiscreteSolution run(const OrderMethod& method, const OrderClass& c, int n, const Arithmetic& arithmetic) {
    const Vector grid = equidistant(c.problem.t0, c.problem.t1, n);
    if (!arithmetic.extended) return run_method(c.problem, method.id(), grid, c.variant);
    return std::visit([&](const auto& m) { return reference_integrate(c.problem, m, grid, c.variant); }, method.method);
}

/// Newton leaves a unit or two in the last place, steps add them up, and every level of index beyond the first is a
/// difference quotient with coefficients α / h.
Real round_off_floor(const OrderMethod& method, int n, Real h, int index, const Arithmetic& arithmetic) {
    Real coefficients = 4;
    if (const auto* m = std::get_if<tableau::MultistepMethod>(&method.method)) {
        coefficients = 0;
        for (const Real a : m->alpha) coefficients += std::abs(a);
    }
    return arithmetic.round_off *
           (2 * static_cast<Real>(n) + std::pow(coefficients / h, static_cast<Real>(std::max(0, index - 1))) / 2);
}

/// Errors of all groups under step halving.
struct Measurement {
    Vector steps;
    std::vector<Vector> errors, floors;
    std::vector<ObservedOrder> seen;
};

Measurement measure(const OrderMethod& method, const OrderClass& c, const Arithmetic& arithmetic) {
    const std::vector<ComponentGroup>& groups = c.problem.groups;
    Measurement m{{}, std::vector<Vector>(groups.size()), std::vector<Vector>(groups.size()), {}};
    int n = coarsest(method, c);
    const auto observe = [&] {
        m.seen.clear();
        for (std::size_t g = 0; g < groups.size(); ++g) m.seen.push_back(observe_order(m.errors[g], m.floors[g]));
        return std::all_of(m.seen.begin(), m.seen.end(),
                           [](const ObservedOrder& seen) { return seen.exact || seen.settled || seen.at_round_off; });
    };
    for (int i = 0; i < most_runs; ++i, n *= 2) {
        if (i >= fewest_runs && observe()) break;
        const DiscreteSolution solution = run(method, c, n, arithmetic);
        const Real h = (c.problem.t1 - c.problem.t0) / static_cast<Real>(n);
        m.steps.push_back(h);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            m.errors[g].push_back(solution.solved ? solution.error(c.problem, groups[g]) : INFINITY);
            m.floors[g].push_back(round_off_floor(method, n, h, groups[g].index, arithmetic));
        }
    }
    (void)observe();
    return m;
}

/// Two slopes that agree, or errors that are round-off from the start.
bool tells_the_order(const ObservedOrder& seen) { return seen.exact || seen.settled; }

OrderVerdict judge(const Prediction& p, const ObservedOrder& seen) {
    if (!p.order) return OrderVerdict::no_theorem;
    if (*p.order == exact_order) return seen.exact ? OrderVerdict::agrees : OrderVerdict::differs;
    if (seen.exact) return p.bound ? OrderVerdict::exceeds : OrderVerdict::differs;
    if (!seen.order) return OrderVerdict::differs;
    const double difference = *seen.order - *p.order;
    if (p.sharp && std::abs(*seen.order - *p.sharp) > tolerance && *seen.order < *p.sharp) return OrderVerdict::differs;
    if (std::abs(difference) <= tolerance) return OrderVerdict::agrees;
    // "Order 0" of W Thm 3.1 is its way to say that nothing is promised.
    return p.bound && difference > 0 ? OrderVerdict::exceeds : OrderVerdict::differs;
}

} // namespace

std::vector<OrderCell> order_cells(const OrderMethod& method, const OrderClass& c) {
    std::vector<OrderCell> cells;
    std::vector<Prediction> predictions;
    for (const ComponentGroup& group : c.problem.groups) predictions.push_back(predict(method, c, group));
    const auto blank = [&](const std::string& component, const Prediction& p) {
        OrderCell cell;
        cell.method = method.id();
        cell.problem_class = c.id;
        cell.component = component;
        cell.predicted = p.order;
        cell.bound = p.bound;
        cell.sharp = p.sharp;
        cell.theorem = p.theorem;
        cell.note = p.note;
        return cell;
    };
    // A class is out of reach if it is for its hardest component.
    if (!predictions.back().applicable) {
        cells.push_back(blank({}, predictions.back()));
        cells.back().verdict = OrderVerdict::inapplicable;
        return cells;
    }
    const Measurement by_product = measure(method, c, product);
    std::optional<Measurement> by_reference;
    for (std::size_t g = 0; g < predictions.size(); ++g) {
        const bool hidden = !tells_the_order(by_product.seen[g]);
        if (hidden && !by_reference) by_reference = measure(method, c, reference);
        const Measurement& m = hidden ? *by_reference : by_product;
        OrderCell cell = blank(c.problem.groups[g].name, predictions[g]);
        const ObservedOrder& seen = m.seen[g];
        cell.observed = seen.order;
        for (const Real h : m.steps) cell.steps.push_back(static_cast<double>(h));
        for (const Real e : m.errors[g]) cell.errors.push_back(static_cast<double>(e));
        cell.verdict = judge(predictions[g], seen);
        if (seen.exact) cell.note = "exact up to round-off";
        if (cell.predicted == exact_order) cell.predicted.reset();
        if (!std::isfinite(m.errors[g].back())) cell.note = "no solution: the equations of a step became singular";
        if (hidden) cell.note += std::string(cell.note.empty() ? "" : "; ") + "by the reference in extended precision";
        cells.push_back(std::move(cell));
    }
    return cells;
}

} // namespace daedalus::study
