#include "simulation/mass_metric_start.hpp"

#include "integrate/mechanism.hpp"
#include "simulation/discrete_start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::simulation {

namespace {

/// Nearest positions on the constraints: [M L; W 0] (δ, μ) = (M (y0 - y), -g) until δ is round-off. The directions are
/// those of the point found, so that it is the nearest to all orders.
bool find_nearest(integrate::Mechanism& m, double t, const std::vector<double>& y0, std::vector<double>& y) {
    if (!m.parts().identity_kinematics) return m.project_positions(t, y.data());
    constexpr int most = 50;             // it converges linearly, at the rate of displacement over radius of curvature
    constexpr double negligible = 1e-14; // relative
    const std::size_t n = m.velocities();
    std::vector<double> right(n + m.constraints()), away(n);
    for (int iteration = 0; iteration < most; ++iteration) {
        if (!m.upper(t, y.data()) || !m.factor()) return false;
        std::fill(right.begin(), right.end(), 0.0);
        for (std::size_t k = 0; k < n; ++k) away[k] = y0[k] - y[k];
        m.times_M(away.data(), right.data());
        if (!m.position(t, y.data(), right.data() + n)) return false;
        for (std::size_t k = n; k < right.size(); ++k) right[k] = -right[k];
        m.solve(right);
        double change = 0.0, size = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            y[k] += right[k];
            change = std::max(change, std::abs(right[k]));
            size = std::max(size, std::abs(y[k]));
        }
        if (!std::isfinite(change)) return false;
        if (change <= negligible * size) return true;
    }
    return false;
}

/// Positions, and then velocities, are moved where all of them were given and none is fixed. False: nothing was, or it
/// cannot be done.
bool move(const problem::ImplicitProblem& motion, const std::vector<int>& from, problem::InitialProblem& initial) {
    integrate::Mechanism m(motion, linalg::SolverKind::automatic);
    const problem::MechanicalStructure& parts = m.parts();
    if (parts.empty() || parts.constraints == 0) return false;
    const auto unknown = [&](int k) -> problem::InitialUnknown& {
        return initial.unknowns[static_cast<std::size_t>(from[static_cast<std::size_t>(k)])];
    };
    const auto given = [&](const std::vector<int>& list) {
        return std::all_of(list.begin(), list.end(),
                           [&](int k) { return unknown(k).strength == problem::Strength::preferred; });
    };
    const auto values = [&](const std::vector<int>& list) {
        std::vector<double> v;
        for (const int k : list) v.push_back(unknown(k).start);
        return v;
    };
    if (!given(parts.y)) return false;
    const std::vector<double> y0 = values(parts.y);
    std::vector<double> y = y0;
    if (!find_nearest(m, initial.t0, y0, y)) return false;
    for (std::size_t i = 0; i < y.size(); ++i) unknown(parts.y[i]).start = y[i];
    if (!given(parts.v)) return true;
    std::vector<double> v = values(parts.v);
    if (!m.project_velocities(initial.t0, y.data(), v.data())) return true;
    for (std::size_t i = 0; i < v.size(); ++i) unknown(parts.v[i]).start = v[i];
    return true;
}

/// What changed, as seen from the values given.
void tell_changes(const problem::InitialProblem& given, const std::vector<problem::InitialUnknown>& moved,
                  integrate::ConsistentStart& start) {
    for (std::size_t k = 0; k < given.unknowns.size(); ++k) {
        const double before = given.unknowns[k].start;
        if (before == moved[k].start) continue;
        const auto known = std::find_if(start.changes.begin(), start.changes.end(),
                                        [&](const auto& change) { return change.unknown == static_cast<int>(k); });
        if (known != start.changes.end())
            known->before = before;
        else
            start.changes.push_back({static_cast<int>(k), given.names().variable(static_cast<int>(k)), before,
                                     start.u[k], given.unknowns[k].strength});
    }
    const auto size = [&](const integrate::StartChange& change) {
        return std::abs(change.after - change.before) /
               given.unknowns[static_cast<std::size_t>(change.unknown)].nominal;
    };
    std::stable_sort(start.changes.begin(), start.changes.end(),
                     [&](const auto& a, const auto& b) { return size(a) > size(b); });
}

bool changed_what_was_given(const problem::InitialProblem& p, const integrate::ConsistentStart& start) {
    constexpr double rounding = 1e-12; // of start values that were computed
    return std::any_of(start.changes.begin(), start.changes.end(), [&](const integrate::StartChange& c) {
        const double size = std::max(std::abs(c.before), p.unknowns[static_cast<std::size_t>(c.unknown)].nominal);
        return c.strength == problem::Strength::preferred && std::abs(c.after - c.before) > rounding * size;
    });
}

/// Both were made from one system, so that its unknowns are numbered alike.
bool same_unknowns(const problem::InitialProblem& a, const problem::InitialProblem& b) {
    if (a.unknowns.size() != b.unknowns.size()) return false;
    for (int k = 0; k < static_cast<int>(a.unknowns.size()); ++k)
        if (a.names().variable(k) != b.names().variable(k)) return false;
    return true;
}

} // namespace

void use_mass_metric(const Compilations& compilations, const compile::CompileOptions& how,
                     const integrate::StartOptions& options, bool forward, compile::CompiledModel& compiled,
                     integrate::ConsistentStart& start) {
    // Compiled once more for its equations of motion: beyond this many unknowns that takes seconds.
    constexpr std::size_t most = 5000;
    problem::InitialProblem& p = compiled.initial;
    if (compiled.structure.structural_index < 2 || p.unknowns.size() > most || !changed_what_was_given(p, start))
        return;
    compile::CompileOptions of_motion = how;
    of_motion.mechanics = true;
    of_motion.or_index_two = false;
    of_motion.reduce = Reduction::index2;
    auto motion = compilations.get(of_motion);
    if (!motion || !same_unknowns(p, motion->initial)) return;
    start.hold_constants(motion->initial, motion->problem);
    const std::vector<problem::InitialUnknown> given = p.unknowns;
    if (!move(motion->problem, motion->initial.x_from, p)) {
        p.unknowns = given;
        return;
    }
    auto again = consistent_start(compiled, options, forward);
    const std::vector<problem::InitialUnknown> moved = std::exchange(p.unknowns, given);
    if (!again) return;
    tell_changes(p, moved, *again);
    start = *std::move(again);
}

} // namespace daedalus::simulation
