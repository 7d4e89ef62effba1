#include "simulation/operating_point.hpp"

#include "base/diagnostic.hpp"
#include "circuit/limiting.hpp"
#include "expr/differentiate.hpp"
#include "nonlinear/newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace daedalus::simulation {

using circuit::Limited;
using expr::NodeId;

int OperatingPointResult::iterations() const {
    return std::accumulate(attempts.begin(), attempts.end(), 0,
                           [](int sum, const OperatingPointAttempt& a) { return sum + a.iterations; });
}

OperatingPoint::OperatingPoint(std::shared_ptr<const circuit::Circuit> circuit)
    : circuit_(std::move(circuit)), e_(circuit_->operating_point), n_(e_.model->variables.size()) {
    const model::Model& m = *e_.model;
    expr::Graph& g = *m.graph;
    std::vector<NodeId> outputs, entries;
    std::vector<std::pair<int, int>> places;
    std::vector<std::uint32_t> groups;
    for (std::size_t row = 0; row < m.equations.size(); ++row) {
        outputs.push_back(g.sub(m.equations[row].left, m.equations[row].right));
        groups.push_back(static_cast<std::uint32_t>(row));
    }
    for (std::size_t row = 0; row < m.equations.size(); ++row)
        for (const expr::Partial& p : expr::gradient(g, outputs[row])) {
            places.emplace_back(static_cast<int>(row), g.variable_id(p.leaf));
            entries.push_back(p.value);
            groups.push_back(static_cast<std::uint32_t>(row));
        }
    pattern_ = SparsityPattern::from_entries(static_cast<int>(n_), static_cast<int>(n_), places);
    // Entries in the order of the pattern.
    std::vector<NodeId> sorted(entries.size());
    std::vector<std::uint32_t> sorted_groups(entries.size());
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto at = static_cast<std::size_t>(pattern_.find(places[k].first, places[k].second));
        sorted[at] = entries[k];
        sorted_groups[at] = groups[n_ + k];
    }
    outputs.insert(outputs.end(), sorted.begin(), sorted.end());
    std::copy(sorted_groups.begin(), sorted_groups.end(), groups.begin() + static_cast<std::ptrdiff_t>(n_));
    codegen::Segments segments(3);
    for (std::size_t p = 0; p < m.parameters.size(); ++p) segments[0].push_back(g.parameter(static_cast<int>(p)));
    segments[1].push_back(g.time());
    for (std::size_t v = 0; v < n_; ++v) segments[2].push_back(g.variable(static_cast<int>(v)));
    kernel_ = codegen::Kernel(g, segments, outputs, {.groups = groups});
    solver_ = linalg::make_linear_solver<double>(pattern_);
    out_.resize(outputs.size());
    is_voltage_.assign(n_, 0);
    for (const int v : e_.node_voltage)
        if (v >= 0) is_voltage_[static_cast<std::size_t>(v)] = 1;
    for (const Limited& l : e_.limited) is_voltage_[static_cast<std::size_t>(l.variable)] = 1;
}

/// The equation that damped_newton() solves: whole steps, but with care for what is limited.
struct OperatingPoint::Newton {
    OperatingPoint& p;
    std::vector<double>& x;
    std::vector<double> step, size;
    bool limits = false; ///< the last step was limited
    bool moved = false;  ///< there was a step

    explicit Newton(OperatingPoint& point, std::vector<double>& at) : p(point), x(at), step(point.n_), size(point.n_) {}

    [[nodiscard]] bool evaluate() const {
        const double t = 0.0;
        const std::array<const double*, 2> inputs{&t, x.data()};
        return p.kernel_(inputs, p.out_.data());
    }
    [[nodiscard]] std::span<const double> entries() const { return {p.out_.data() + p.n_, p.out_.size() - p.n_}; }
    /// Outside of the domain of a logarithm or a root a step goes back half of the way, as often as it takes.
    [[nodiscard]] bool linearise() {
        constexpr int most_halvings = 40;
        for (int k = 0; !evaluate(); ++k) {
            if (k == most_halvings || !moved) return false;
            for (std::size_t v = 0; v < p.n_; ++v) x[v] -= (step[v] *= 0.5);
        }
        if (p.solver_->factor(entries()) == linalg::FactorStatus::ok) return true;
        p.singular_ = p.solver_->singular_column();
        return false;
    }
    void solve() {
        for (std::size_t i = 0; i < p.n_; ++i) step[i] = -p.out_[i];
        p.solver_->solve(step);
    }
    /// What counts as zero beside an unknown: a microvolt, a picoampere (vntol and abstol of SPICE).
    [[nodiscard]] double zero(std::size_t unknown) const {
        constexpr double no_voltage = 1e-6, no_current = 1e-12;
        return p.is_voltage_[unknown] != 0 ? no_voltage : no_current;
    }
    /// Largest change relative to the value, or to what counts as zero.
    [[nodiscard]] double update(double /*whole*/) {
        moved = true;
        for (const Limited& l : p.e_.limited) {
            const auto v = static_cast<std::size_t>(l.variable);
            const double wanted = x[v] + step[v], taken = circuit::limited_value(l, wanted, x[v]);
            // What is left of the step is found by the next iteration, since u − (e_a − e_b) = 0 no longer holds.
            if (taken != wanted) step[v] = taken - x[v], limits = true;
        }
        double change = 0.0;
        for (std::size_t v = 0; v < p.n_; ++v) {
            x[v] += step[v];
            change = std::max(change, std::abs(step[v]) / (std::abs(x[v]) + zero(v)));
            if (!std::isfinite(step[v])) return std::numeric_limits<double>::infinity();
        }
        const bool limited = std::exchange(limits, false);
        return limited ? std::max(change, 1.0) : change;
    }
    /// Σ |∂F/∂x| (|x| + zero) per row: residuals are small where a small change of x explains them.
    void find_sizes() {
        std::fill(size.begin(), size.end(), 0.0);
        const auto values = entries();
        for (int c = 0; c < p.pattern_.cols; ++c)
            for (int k = p.pattern_.column_start[static_cast<std::size_t>(c)];
                 k < p.pattern_.column_start[static_cast<std::size_t>(c) + 1]; ++k)
                size[static_cast<std::size_t>(p.pattern_.row_index[static_cast<std::size_t>(k)])] +=
                    std::abs(values[static_cast<std::size_t>(k)]) *
                    (std::abs(x[static_cast<std::size_t>(c)]) + zero(static_cast<std::size_t>(c)));
    }
    /// Largest residual over the size of its terms.
    [[nodiscard]] double residual() {
        if (!evaluate()) return std::numeric_limits<double>::infinity();
        find_sizes();
        double largest = 0.0;
        constexpr double no_current = 1e-12; // A: abstol of SPICE
        for (std::size_t i = 0; i < p.n_; ++i) {
            const double relative = std::abs(p.out_[i]) / (size[i] + no_current);
            if (relative > largest) largest = relative, p.worst_ = static_cast<int>(i);
        }
        return largest;
    }
};

namespace {
/// Residuals of a point that counts as found, over the size of their terms: round-off of the exponentials' arguments,
/// e^(x(1 + ε)) with x up to 40/0.026.
constexpr double accepted_residual = 1e-9;
constexpr int usual_iterations = 100; // ITL1 of SPICE
constexpr int stepping_iterations = 50;
} // namespace

bool OperatingPoint::iterate(std::vector<double>& x, const std::vector<double>& parameters, int most,
                             OperatingPointAttempt& attempt) {
    kernel_.set_parameters(parameters);
    std::vector<double> trial = x;
    Newton newton(*this, trial);
    const auto result = nonlinear::damped_newton(newton, {.max_iterations = most,
                                                          .negligible = 1e-13, // a few units of round-off
                                                          .round_off_level = 1e-7});
    attempt.iterations += result.iterations;
    if (!result.usable() || newton.residual() > accepted_residual) return false;
    x = std::move(trial);
    return true;
}

bool OperatingPoint::with_less_conductance(std::vector<double>& x, std::vector<double> parameters,
                                           OperatingPointAttempt& attempt) {
    double& shunt = parameters[static_cast<std::size_t>(e_.shunt)];
    constexpr double first = 0.01, last = 1e-13, most_factor = 10.0, least_factor = 1.00005;
    double factor = most_factor, reached = 0.0;
    std::vector<double> here = x;
    for (shunt = first; shunt > last;) {
        if (iterate(here, parameters, stepping_iterations, attempt)) {
            reached = shunt;
            factor = std::min(factor * std::sqrt(factor), most_factor);
        } else {
            if (reached == 0.0) return false;
            factor = std::pow(factor, 0.25);
            if (factor < least_factor) return false;
        }
        shunt = reached / factor;
    }
    shunt = 0.0;
    if (!iterate(here, parameters, usual_iterations, attempt)) return false;
    x = std::move(here);
    return true;
}

bool OperatingPoint::with_growing_sources(std::vector<double>& x, std::vector<double> parameters,
                                          OperatingPointAttempt& attempt) {
    double& scale = parameters[static_cast<std::size_t>(e_.source_scale)];
    std::vector<double> here = x;
    std::fill(here.begin(), here.end(), 0.0);
    scale = 0.0;
    if (!iterate(here, parameters, usual_iterations, attempt)) return false;
    constexpr double first = 0.01, least = 1e-7;
    double reached = 0.0, raise = first;
    while (reached < 1.0) {
        scale = std::min(1.0, reached + raise);
        std::vector<double> trial = here;
        if (iterate(trial, parameters, stepping_iterations, attempt)) {
            here = std::move(trial);
            reached = scale;
            raise *= 2.0;
        } else {
            raise *= 0.25;
            if (raise < least) return false;
        }
    }
    x = std::move(here);
    return true;
}

bool OperatingPoint::pseudo_transient(std::vector<double>& x, std::vector<double> parameters,
                                      OperatingPointAttempt& attempt) {
    double& hold = parameters[static_cast<std::size_t>(e_.hold)];
    const auto hold_here = [&](const std::vector<double>& at) {
        for (std::size_t n = 1; n < e_.node_voltage.size(); ++n)
            parameters[static_cast<std::size_t>(e_.held[n - 1])] = at[static_cast<std::size_t>(e_.node_voltage[n])];
    };
    // Implicit Euler with unit capacitances; the step grows as it succeeds (Kelley & Keyes 1998).
    std::vector<double> here(x.size(), 0.0);
    constexpr double first = 1.0, strongest = 1e6, weakest = 1e-13;
    constexpr int most_steps = 2000;
    hold = first;
    for (int k = 0; k < most_steps; ++k) {
        hold_here(here);
        std::vector<double> trial = here;
        if (iterate(trial, parameters, stepping_iterations, attempt)) {
            here = std::move(trial);
            hold *= 0.5;
            if (hold > weakest) continue;
            hold = 0.0;
            if (!iterate(here, parameters, usual_iterations, attempt)) return false;
            x = std::move(here);
            return true;
        }
        hold *= 8.0;
        if (hold > strongest) return false;
    }
    return false;
}

std::vector<double> OperatingPoint::first_guess(const Request& request) const {
    if (!request.guess.empty()) return request.guess;
    std::vector<double> x(n_, 0.0);
    for (const Limited& l : e_.limited) x[static_cast<std::size_t>(l.variable)] = l.first;
    for (const auto* list : {&circuit_->netlist->node_set, &circuit_->netlist->initial})
        for (const spice::NodeValue& given : *list)
            if (given.reference == 0 && given.node > 0)
                x[static_cast<std::size_t>(e_.node_voltage[static_cast<std::size_t>(given.node)])] = given.value.number;
    return x;
}

Expected<OperatingPointResult> OperatingPoint::find(const Request& request) {
    auto parameters = model::parameter_values(*e_.model, request.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    if (request.time_begins)
        for (const auto& [place, value] : e_.first_values) (*parameters)[static_cast<std::size_t>(place)] = value;
    if (request.initial_conditions) (*parameters)[static_cast<std::size_t>(e_.initial)] = 1.0;
    for (const auto& [place, value] : request.numbers) (*parameters)[static_cast<std::size_t>(place)] = value;
    OperatingPointResult result;
    result.values = first_guess(request);
    const auto attempt = [&](const char* name, const auto& how) {
        result.attempts.push_back({.name = name});
        return result.attempts.back().found = how(result.attempts.back());
    };
    std::vector<double>& x = result.values;
    const auto by_any_way = [&] {
        kernel_.set_parameters(*parameters);
        if (Newton begin(*this, x); !begin.evaluate()) { // log(0), 1/0: somewhere near it there is a value
            constexpr double somewhere = 0.1;
            for (std::size_t v = 0; v < n_; ++v)
                if (x[v] == 0.0) x[v] = is_voltage_[v] != 0 ? somewhere : 0.0;
        }
        return attempt("Newton's method", [&](auto& a) { return iterate(x, *parameters, usual_iterations, a); }) ||
               attempt("conductances to ground taken away",
                       [&](auto& a) { return with_less_conductance(x, *parameters, a); }) ||
               attempt("sources turned up", [&](auto& a) { return with_growing_sources(x, *parameters, a); }) ||
               attempt("pseudo-transient", [&](auto& a) { return pseudo_transient(x, *parameters, a); });
    };
    bool found = by_any_way();
    if (!found && singular_ >= 0 && !e_.pinned.empty()) { // voltages that only charges decide: none are there
        (*parameters)[static_cast<std::size_t>(e_.pin)] = 1.0;
        found = by_any_way();
        if (found)
            if (auto trouble = charged_without_end(x)) return fail(*std::move(trouble));
    }
    if (!found) return failure(x, result.attempts);
    kernel_.set_parameters(*parameters);
    result.residual = Newton(*this, x).residual();
    result.parameters = *std::move(parameters);
    return result;
}

/// What flows through a pin has nowhere else to go.
std::optional<Diagnostic> OperatingPoint::charged_without_end(const std::vector<double>& x) const {
    constexpr double no_current = 1e-12; // abstol of SPICE; pins have 1 S
    const spice::Netlist& netlist = *circuit_->netlist;
    for (const int v : e_.pinned) {
        const auto node = static_cast<std::size_t>(std::find(e_.node_voltage.begin(), e_.node_voltage.end(), v) -
                                                   e_.node_voltage.begin());
        double wanted = 0.0;
        for (const spice::NodeValue& given : netlist.initial)
            if (given.reference == 0 && given.node == static_cast<int>(node)) wanted = given.value.number;
        const double current = x[static_cast<std::size_t>(v)] - wanted;
        if (std::abs(current) <= no_current) continue;
        return make_error("no-operating-point",
                          fmt::format("a current of {:.3g} A flows into node {}, from where only capacitors lead on: "
                                      "there is no operating point",
                                      current, netlist.nodes[node].name),
                          netlist.nodes[node].span, "a resistance to ground lets it flow");
    }
    return std::nullopt;
}

Unexpected<Diagnostics> OperatingPoint::failure(const std::vector<double>& /*x*/,
                                                const std::vector<OperatingPointAttempt>& attempts) const {
    const model::Model& m = *e_.model;
    std::string tried;
    for (const OperatingPointAttempt& a : attempts)
        tried += fmt::format("{}{} ({} iterations)", tried.empty() ? "" : ", ", a.name, a.iterations);
    Diagnostic d = make_error("no-operating-point", "no operating point was found",
                              "tried: " + tried + "; .nodeset gives the iteration voltages to begin with");
    if (singular_ >= 0) {
        const model::Variable& v = m.variables[static_cast<std::size_t>(singular_)];
        d.message += ": the equations do not determine " + v.name;
        if (v.span.known()) d.where = v.span.locate();
    } else if (worst_ >= 0) {
        const model::Equation& row = m.equations[static_cast<std::size_t>(worst_)];
        d.message += "; furthest from zero: " + row.description;
        if (row.span.known()) d.where = row.span.locate();
    }
    return fail(std::move(d));
}

} // namespace daedalus::simulation
