#include "analysis/strangeness_free.hpp"

#include "integrate/methods/registry.hpp"
#include "linalg/norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

Matrix column_of(std::span<const double> x) {
    Matrix a(static_cast<int>(x.size()), 1);
    std::copy(x.begin(), x.end(), a.data());
    return a;
}

std::vector<double> entries_of(const Matrix& a) { return {a.entries().begin(), a.entries().end()}; }

/// The left null space of A, given its rank: whatever the tolerance says.
Matrix left_null_space(const Matrix& a, int rank, bool& ok) {
    const auto s = linalg::singular_values(a);
    ok = ok && s.converged;
    // The rank of the reference time must still be there.
    const auto rule = linalg::rank_rule(a.rows(), a.cols(), frobenius_norm(a));
    const auto r = static_cast<std::size_t>(rank);
    if (rank > 0 && s.values[r - 1] <= rule.tolerance) ok = false;
    if (r < s.values.size() && s.values[r] > rule.doubtful) ok = false;
    return s.u.columns(rank, a.rows() - rank);
}

} // namespace

StrangenessFreeSystem::StrangenessFreeSystem(TimeVaryingSystem system, StrangenessAnalysis analysis)
    : system_(std::move(system)), analysis_(std::move(analysis)) {
    assert(analysis_.decided);
    const InflatedSystem inflated = inflated_system(system_, analysis_.t, analysis_.index);
    bool ok = true;
    const Matrix z = left_null_space(inflated.m, analysis_.levels.back().rank_m, ok);
    const auto algebraic = linalg::singular_values(transposed_times(z, inflated.n));
    const int a = analysis_.a(), d = analysis_.d(), n = system_.cols;
    z2_ = z * algebraic.u.columns(0, a);
    const Matrix free = algebraic.v.columns(a, n - a);
    const Matrix e = system_.e(analysis_.t, 0);
    const auto differential = linalg::singular_values(e * free);
    z1_ = differential.u.columns(0, d);
    // Unknowns that neither Ê₁ T nor Ĥ₂ sees.
    undetermined_ = free * differential.v.columns(d, n - a - d);
}

StrangenessFreeRows StrangenessFreeSystem::rows(double t) const {
    const InflatedSystem inflated = inflated_system(system_, t, analysis_.index);
    StrangenessFreeRows r;
    if (!all_finite(inflated.m) || !all_finite(inflated.n)) {
        r.ok = false;
        return r;
    }
    const Matrix z = left_null_space(inflated.m, analysis_.levels.back().rank_m, r.ok);
    const Matrix overlap = transposed_times(z, z2_); // cosines of the angles between the spaces
    const Matrix z2 = z * overlap;
    const Matrix e = system_.e(t, 0), h = system_.h(t, 0), g = column_of(inflated.g);
    r.e1 = transposed_times(z1_, e);
    r.h1 = transposed_times(z1_, h);
    r.h2 = -1.0 * transposed_times(z2, inflated.n);
    r.c1 = entries_of(transposed_times(z1_, column_of(system_.forcing(t, 0))));
    r.c2 = entries_of(transposed_times(z2, g));
    if (z.cols() > analysis_.a()) {
        const auto algebraic = linalg::singular_values(transposed_times(z, inflated.n));
        const Matrix z3 = z * algebraic.u.columns(analysis_.a(), z.cols() - analysis_.a());
        r.condition_residual = frobenius_norm(transposed_times(z3, g));
    }
    const auto smallest = [](const Matrix& a) {
        if (a.empty()) return 1.0;
        const auto values = linalg::singular_values_only(a).values;
        return values.front() > 0.0 ? values.back() / values.front() : 0.0;
    };
    if (z2_.cols() > 0) {
        const auto cosines = linalg::singular_values_only(overlap).values;
        r.alignment = std::min(r.alignment, cosines.back());
    }
    // [Ê₁; Ĥ₂] must keep its full row rank with the constant Z₁.
    r.alignment = std::min(r.alignment, 10.0 * smallest(above(r.e1, r.h2)));
    return r;
}

std::vector<double> StrangenessFreeSystem::consistent(std::span<const double> x) const {
    const StrangenessFreeRows r = rows(analysis_.t);
    std::vector<double> result(x.begin(), x.end());
    if (r.h2.rows() == 0) return result;
    std::vector<double> residual = r.h2 * x;
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = r.c2[i] - residual[i];
    const Matrix inverse = pseudo_inverse(r.h2, linalg::rank_rule(r.h2.rows(), r.h2.cols(), frobenius_norm(r.h2)));
    const std::vector<double> correction = inverse * residual;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += correction[i];
    return result;
}

std::vector<double> StrangenessFreeSystem::derivative(std::span<const double> x) const {
    const InflatedSystem inflated = inflated_system(system_, analysis_.t, analysis_.index + 1);
    std::vector<double> right = inflated.n * x;
    for (std::size_t i = 0; i < right.size(); ++i) right[i] += inflated.g[i];
    const Matrix inverse =
        pseudo_inverse(inflated.m, linalg::rank_rule(inflated.m.rows(), inflated.m.cols(), frobenius_norm(inflated.m)));
    std::vector<double> all = inverse * right;
    all.resize(static_cast<std::size_t>(system_.cols));
    return all;
}

namespace {

constexpr double usable_alignment = 0.3; // angles up to 70 degrees; the rows are still well conditioned

/// F = (Ê₁ x' + Ĥ₁ x - ĉ₁ ; Ĥ₂ x - ĉ₂ ; Uᵀ x), the last for undetermined directions.
struct Kernel {
    const StrangenessFreeSystem* system;

    static bool stacked(const Kernel& k, double t, Matrix& jx, Matrix& jdx, std::vector<double>& c) {
        const StrangenessFreeRows r = k.system->rows(t);
        if (!r.ok) return false;
        const int n = k.system->system().cols;
        const Matrix& u = k.system->undetermined();
        jx = above(above(r.h1, r.h2), u.transposed());
        jdx = above(r.e1, Matrix(n - r.e1.rows(), n));
        c = r.c1;
        c.insert(c.end(), r.c2.begin(), r.c2.end());
        c.resize(static_cast<std::size_t>(n), 0.0);
        return true;
    }
    static problem::EvalStatus residual(const problem::Call& call, double t, const double* x, const double* dx,
                                        double* r) {
        Matrix jx, jdx;
        std::vector<double> c;
        if (!stacked(call.as<Kernel>(), t, jx, jdx, c)) return problem::EvalStatus::not_finite;
        const auto n = c.size();
        const auto of_x = jx * std::span(x, n), of_dx = jdx * std::span(dx, n);
        bool finite = true;
        for (std::size_t i = 0; i < n; ++i) {
            r[i] = of_x[i] + of_dx[i] - c[i];
            finite = finite && std::isfinite(r[i]);
        }
        return finite ? problem::EvalStatus::ok : problem::EvalStatus::not_finite;
    }
    static problem::EvalStatus jacobian(const problem::Call& call, double t, const double*, const double*, double* jx,
                                        double* jdx) {
        Matrix of_x, of_dx;
        std::vector<double> c;
        if (!stacked(call.as<Kernel>(), t, of_x, of_dx, c)) return problem::EvalStatus::not_finite;
        std::copy(of_x.entries().begin(), of_x.entries().end(), jx); // the dense pattern is by columns too
        std::copy(of_dx.entries().begin(), of_dx.entries().end(), jdx);
        return problem::EvalStatus::ok;
    }
};

/// The end of the stretch from the reference time toward t1 on which its rows serve.
double serves_until(const StrangenessFreeSystem& system, double t1, TimeVaryingSolution& solution) {
    constexpr int samples = 32;
    const double t0 = system.analysis().t;
    double until = t0;
    for (int k = 1; k <= samples; ++k) {
        const double t = k == samples ? t1 : t0 + (t1 - t0) * k / samples;
        const StrangenessFreeRows r = system.rows(t);
        if (!r.ok || r.alignment < usable_alignment) break;
        solution.largest_condition_residual = std::max(solution.largest_condition_residual, r.condition_residual);
        until = t;
    }
    return until;
}

} // namespace

TimeVaryingSolution integrate_time_varying(const TimeVaryingSystem& system, double t0, double t1,
                                           std::span<const double> x0, const std::string& method,
                                           const integrate::IntegrationOptions& options, LeastSquares least_squares,
                                           int max_level) {
    using Outcome = TimeVaryingSolution::Outcome;
    TimeVaryingSolution solution;
    solution.t = t0;
    solution.x.assign(x0.begin(), x0.end());
    const auto ended = [&](Outcome outcome, std::string reason) {
        solution.outcome = outcome;
        solution.reason = std::move(reason);
        return solution;
    };
    const integrate::Method* chosen = integrate::find_method(method);
    if (chosen == nullptr) return ended(Outcome::failed, fmt::format("there is no method '{}'", method));
    solution.analysis = strangeness_index(system, t0, max_level);
    if (!solution.analysis.decided) return ended(Outcome::undecided, solution.analysis.reason);
    if (solution.analysis.u() > 0 && least_squares == LeastSquares::no)
        return ended(Outcome::under_determined,
                     fmt::format("{} of the unknowns or their combinations are determined by no equation",
                                 solution.analysis.u()));
    const int n = system.cols;
    const StrangenessAnalysis first = solution.analysis;
    while (solution.t != t1) {
        const StrangenessAnalysis here = solution.t == t0 ? first : strangeness_index(system, solution.t, max_level);
        if (!here.decided || here.index != first.index || here.a() != first.a() || here.d() != first.d())
            return ended(Outcome::changed, fmt::format("the characteristic values change at t = {}", solution.t));
        const StrangenessFreeSystem reduced(system, here);
        ++solution.references;
        const double until = serves_until(reduced, t1, solution);
        constexpr double violated = 1e-8; // of conditions on c, absolute: c is given exactly
        if (solution.largest_condition_residual > violated && least_squares == LeastSquares::no)
            return ended(Outcome::contradictory, fmt::format("the equations contradict each other: conditions on c are "
                                                             "violated by {:.1e}",
                                                             solution.largest_condition_residual));
        if (until == solution.t)
            return ended(Outcome::changed,
                         fmt::format("the ranks change, or the equations turn too fast, after t = {}", solution.t));
        std::vector<double> x = solution.references == 1 ? reduced.consistent(solution.x) : solution.x;
        if (here.u() > 0) { // no part in undetermined directions
            const Matrix& u = reduced.undetermined();
            const Matrix part = u * transposed_times(u, column_of(x));
            for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] -= part(i, 0);
        }
        Kernel kernel{&reduced};
        problem::System form;
        form.code = std::shared_ptr<const void>(std::shared_ptr<void>(), &kernel);
        form.kernels.residual = &Kernel::residual;
        form.kernels.jacobian = &Kernel::jacobian;
        form.pattern = SparsityPattern::dense(n, n);
        form.unknowns.resize(static_cast<std::size_t>(n));
        problem::ImplicitProblem problem(std::move(form));
        integrate::Observer observer;
        const auto result =
            integrate::integrate(problem, *chosen, solution.t, until, x, reduced.derivative(x), options, observer);
        solution.t = result.t;
        solution.x = result.x;
        if (!result.finished()) return ended(Outcome::failed, result.failure.cause);
    }
    solution.outcome = Outcome::finished;
    return solution;
}

} // namespace daedalus::analysis
