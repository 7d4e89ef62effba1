#include "simulation/several_solutions.hpp"

#include "analysis/singular_exponents.hpp"
#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace daedalus::simulation {

namespace {

constexpr int largest = 100; // unknowns: two dozen times all eigenvalues take half a second
// Distances from the start, in lengths of the run or in hundredths of it, and how far points are moved there, in sizes
// of the unknowns: proportional to τ⁴, as x'' = √x leaves rest; the least move still changes half of the digits of √x.
constexpr std::array<double, 2> scales{1.0, 1e-2};
constexpr std::array<double, 3> distances{1e-2, 3.1623e-3, 1e-3}, moves{1e-8, 1e-10, 1e-12};

/// A row of F with a derivative that is not finite; -1: there is none. (ImplicitProblem takes those beside it.)
int row_without_derivative(const problem::ImplicitProblem& problem, double t, const std::vector<double>& x,
                           const std::vector<double>& dx) {
    const SparsityPattern& pattern = problem.system().pattern;
    std::vector<double> jx(static_cast<std::size_t>(pattern.nonzeros())), jdx(jx.size());
    const auto& jacobian = problem.system().kernels.jacobian;
    if (jacobian(problem.call(), t, x.data(), dx.data(), jx.data(), jdx.data()) == problem::EvalStatus::ok) return -1;
    for (std::size_t k = 0; k < jx.size(); ++k)
        if (!std::isfinite(jx[k]) || !std::isfinite(jdx[k])) return pattern.row_index[k];
    return -1;
}

std::optional<analysis::SingularLinearisation> linearise(const problem::ImplicitProblem& problem, double t0, double tau,
                                                         const std::vector<double>& x, const std::vector<double>& dx) {
    const double t = t0 + tau;
    const SparsityPattern& pattern = problem.pattern();
    const int n = problem.size();
    std::vector<double> jx(static_cast<std::size_t>(pattern.nonzeros())), jdx(jx.size());
    if (problem.jacobian(t, x.data(), dx.data(), jx.data(), jdx.data()) != problem::EvalStatus::ok ||
        row_without_derivative(problem, t, x, dx) >= 0)
        return std::nullopt;
    analysis::SingularLinearisation result{tau, linalg::Matrix(n, n), linalg::Matrix(n, n)};
    for (int j = 0; j < n; ++j)
        for (int k = pattern.column_start[static_cast<std::size_t>(j)];
             k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            result.J(pattern.row_index[e], j) = jx[e];
            result.M(pattern.row_index[e], j) = jdx[e];
        }
    return result;
}

/// Consistent points beside u.
class Beside {
public:
    Beside(const compile::CompiledModel& compiled, double t0, double t1, const std::vector<double>& u,
           const integrate::StartOptions& options)
        : compiled_(compiled), problem_(compiled.problem), t0_(t0), length_(t1 - t0), u_(u), options_(options) {
        options_.multistart = options_.alternatives = options_.conflict_limit = 0;
        options_.analysis_work_limit = 0.0;
        integrate::ConsistentStart start;
        start.u = u;
        sides_ = sides(t0, start);
    }

    /// The equations at that one of some points in directions of random signs, of which some may lie where equations
    /// have no value, where differences grow fastest.
    [[nodiscard]] std::optional<analysis::SingularLinearisation> look(double distance, double move) {
        constexpr int points = 4;
        const double tau = distance * length_;
        std::optional<analysis::SingularLinearisation> found;
        double most = 0.0;
        for (int k = 0; k < points; ++k) {
            const auto point = integrate::consistent_start(guess(tau, move), options_);
            if (!point || sides(t0_ + tau, *point) != sides_) continue; // other equations hold there
            auto at = linearise(compiled_.problem, t0_, tau, point->x(compiled_.initial), point->dx(compiled_.initial));
            if (!at) continue;
            const double exponent = analysis::largest_exponent(*at);
            if (!(exponent > most)) continue;
            most = exponent;
            found = std::move(at);
        }
        return found;
    }

private:
    /// Of conditions.
    [[nodiscard]] std::vector<signed char> sides(double t, const integrate::ConsistentStart& at) {
        std::vector<signed char> side;
        problem_.set_modes_at(t, at.x(compiled_.initial).data(), at.dx(compiled_.initial).data(), length_ >= 0.0, side);
        return side;
    }
    [[nodiscard]] problem::InitialProblem guess(double tau, double move) {
        problem::InitialProblem p = compiled_.initial;
        p.t0 = t0_ + tau;
        std::vector<double> slope(p.unknowns.size(), 0.0);
        for (std::size_t i = 0; i < p.x_from.size(); ++i)
            if (p.x_from[i] >= 0 && p.dx_from[i] >= 0)
                slope[static_cast<std::size_t>(p.x_from[i])] = u_[static_cast<std::size_t>(p.dx_from[i])];
        for (std::size_t i = 0; i < p.unknowns.size(); ++i) {
            problem::InitialUnknown& v = p.unknowns[i];
            const double size = std::max(std::abs(u_[i]), std::abs(v.nominal));
            v.start = u_[i] + tau * slope[i] + ((random_() >> 16U & 1U) != 0 ? 1.0 : -1.0) * move * size;
            v.strength = problem::Strength::guess; // what is fixed is so at the start only
        }
        return p;
    }

    const compile::CompiledModel& compiled_;
    problem::ImplicitProblem problem_; ///< a copy, whose conditions are looked at
    std::vector<signed char> sides_;   ///< at the start
    double t0_, length_;
    const std::vector<double>& u_;
    integrate::StartOptions options_;
    std::minstd_rand random_{7}; // any seed: signs
};

std::optional<analysis::PartingSolutions> parting_of(Beside& beside) {
    for (const double scale : scales) {
        std::vector<analysis::SingularLinearisation> at;
        for (std::size_t k = 0; k < distances.size() && at.size() == k; ++k)
            if (auto here = beside.look(scale * distances[k], moves[k])) at.push_back(*std::move(here));
        if (at.size() < distances.size()) continue;
        if (const auto parting = analysis::parting_solutions(at)) return parting;
    }
    return std::nullopt;
}

} // namespace

std::optional<Diagnostic> several_solutions(const compile::CompiledModel& compiled, double t0, double t1,
                                            const std::vector<double>& u, const Diagnostics& singular,
                                            const integrate::StartOptions& options) {
    const problem::ImplicitProblem& problem = compiled.problem;
    if (!problem.has_entries() || problem.size() == 0 || problem.size() > largest || t1 == t0 ||
        problem.highest_index() > 1)
        return std::nullopt;
    integrate::ConsistentStart start;
    start.u = u;
    std::string why;
    std::optional<Location> where;
    if (!singular.empty()) {
        why = singular.front().message;
        where = singular.front().where;
    } else {
        const int row = row_without_derivative(problem, t0, start.x(compiled.initial), start.dx(compiled.initial));
        if (row < 0) return std::nullopt;
        why = fmt::format("at the start, {} has no finite derivative with respect to its variables",
                          problem.names().equation(row));
        where = problem.names().equation_location(row);
    }
    Beside beside(compiled, t0, t1, u, options);
    const auto parting = parting_of(beside);
    if (!parting) return std::nullopt;
    const std::string distance = t0 == 0.0 ? "time" : fmt::format("(time - {:.6g})", t0);
    // Where a derivative is infinite, exponents are those of the distance that points were moved by.
    const std::string growth =
        parting->power && !singular.empty() ? fmt::format(", as {}^{:.3g} does", distance, parting->exponent) : "";
    Diagnostic d = make_error(
        "several-solutions",
        fmt::format("{}; several solutions leave this point, whose differences grow from nothing{}", why, growth),
        "start a little beside this point, with values of the solution that is meant");
    d.where = where;
    return d;
}

} // namespace daedalus::simulation
