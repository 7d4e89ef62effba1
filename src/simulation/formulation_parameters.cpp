#include "simulation/formulation_parameters.hpp"

#include "compile/baumgarte.hpp"
#include "integrate/mechanism.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::simulation {

namespace {

void set_baumgarte(compile::CompiledModel& compiled, const SolveOptions& options, std::span<const double> u,
                   double interval, Record& record) {
    compile::RateOfSolution choice;
    if (options.baumgarte_alpha)
        choice = {*options.baumgarte_alpha, "as asked"};
    else
        choice = compile::rate_at_start(compiled, u, interval);
    if (const double most = 1.0 / std::abs(options.fixed_step); !options.baumgarte_alpha && choice.value > most)
        choice = {most, "what steps of this size resolve"};
    compile::set_baumgarte_alpha(compiled, choice.value, options.baumgarte_beta.value_or(choice.value));
    record.report.options.push_back({"baumgarte-alpha", choice.value, "", choice.reason});
    if (options.baumgarte_beta)
        record.report.options.push_back({"baumgarte-beta", *options.baumgarte_beta, "", "as asked"});
}

/// The least of 1/(S⁻¹)_ii, S = W M⁻¹ L: how strongly the force of a constraint accelerates what it holds. 1 where it
/// cannot be told.
double least_response(const problem::ImplicitProblem& problem, const Job& job) {
    if (problem.facet<problem::MechanicalStructure>().empty()) return 1.0;
    integrate::Mechanism m(problem, linalg::SolverKind::automatic);
    const std::size_t n = m.velocities(), c = m.constraints();
    std::vector<double> y(m.positions()), v(n), a(n), lambda(c), right(n + c);
    m.gather(job.x0.data(), job.dx0.data(), y.data(), v.data(), a.data(), lambda.data());
    if (!m.upper(job.t0, y.data()) || !m.factor()) return 1.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < c; ++i) {
        std::fill(right.begin(), right.end(), 0.0);
        right[n + i] = 1.0;
        m.solve(right);
        largest = std::max(largest, std::abs(right[n + i]));
    }
    return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
}

/// So that the solution is off by about the tolerance, relative to what it does in the time 1/rate: by O(ε) where
/// springs of frequency √(S/ε) stand for constraints, by O(ε²) with Knorrenschild, where ε is a time, by O(ε) with
/// Hanke. Accelerations stand in both of the latter with ε² beside positions: round-off of positions is noise of
/// accelerations, u/(ε rate)² of them for the unit u. Newton's iteration must find them to the share κ of the
/// tolerance, or does not converge: (ε rate)² ≥ u/(κ rtol). Where that keeps ε above what the tolerance asks, the
/// solution is off by more, and regularisation_error.hpp says by how much.
void set_regularisation(compile::CompiledModel& compiled, const SolveOptions& options, std::span<const double> u,
                        const Job& job, Record& record) {
    const bool penalty = compiled.reduce == Reduction::penalty;
    double chosen = 0.0;
    if (!options.epsilon) {
        const double rate = compile::rate_at_start(compiled, u, job.t1 - job.t0).value;
        const double finest =
            std::sqrt(std::numeric_limits<double>::epsilon() / (nonlinear::NewtonOptions{}.kappa * job.rtol));
        const double wanted = compiled.reduce == Reduction::hanke ? job.rtol : std::sqrt(job.rtol);
        chosen = penalty ? job.rtol * least_response(compiled.problem, job) / (rate * rate)
                         : std::max(wanted, finest) / rate;
    }
    const double epsilon = options.epsilon.value_or(chosen), mu = options.epsilon_mu.value_or(epsilon);
    compile::set_regularisation(compiled, epsilon, mu);
    const char* reason = options.epsilon ? "as asked"
                         : penalty       ? "springs as fast as the tolerance asks, against the solution at the start"
                                         : "as small as the tolerance asks and round-off allows, in times of the "
                                           "solution at the start";
    record.report.options.push_back({"epsilon", epsilon, "", reason});
    if (!penalty)
        record.report.options.push_back({"epsilon-mu", mu, "", options.epsilon_mu ? "as asked" : "as epsilon"});
}

} // namespace

void set_formulation_parameters(compile::CompiledModel& compiled, const SolveOptions& options,
                                std::span<const double> u, const Job& job, Record& record) {
    if (compiled.reduce == Reduction::baumgarte) set_baumgarte(compiled, options, u, job.t1 - job.t0, record);
    if (regularises(compiled.reduce)) set_regularisation(compiled, options, u, job, record);
}

} // namespace daedalus::simulation
