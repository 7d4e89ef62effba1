// Consistent initial values: u with G(t0, u) = 0 for all equations, hidden constraints and initial equations, fixed
// values held exactly and everything else changed as little as possible (preferred ≫ guess ≫ unspecified, in units of
// the nominal values). Generalises what IDACalcIC (Brown, Hindmarsh & Petzold 1998) does for index 1.
//
// Several attempts are made, from the mildest to the most drastic, and each is logged: stage by stage; preferred values
// held; preferred values free; Levenberg–Marquardt; three continuations; a perturbed start. If all fail, the
// diagnostics name an irreducible set of equations and fixed values that contradict each other.
#pragma once

#include "base/expected.hpp"
#include "problem/initial_problem.hpp"

#include <string>
#include <vector>

namespace daedalus::integrate {

struct StartOptions {
    double tolerance = 1e-11; ///< residual of a row relative to Σ|∂G/∂u||u|
    int max_iterations = 200; ///< per attempt
    bool respect_bounds = true;
    bool tear = false;             ///< nonlinear blocks by Newton on torn unknowns first, not only as a second attempt
    int conflict_limit = 200;      ///< deletion filtering of conflicts up to this many equations
    double rank_tolerance = 1e-10; ///< of the scaled Jacobian, for degrees of freedom
    double analysis_work_limit = 1e8; ///< multiplications spent on degrees of freedom before giving up on them
    int alternatives = 0;             ///< so many other admissible sets of free unknowns are looked for
    int multistart = 0;               ///< so many other starts are tried, to find other solutions
};

struct StartAttempt {
    std::string method; ///< "Gauss-Newton, preferred values held", …
    bool success = false;
    int iterations = 0;
    double residual = 0.0; ///< relative, see StartOptions::tolerance
    std::string note;
};

struct StartChange {
    int unknown = 0;
    std::string name;
    double before = 0.0;
    double after = 0.0;
    problem::Strength strength = problem::Strength::unspecified;
};

/// One of several solutions with the same values of the free unknowns.
struct StartSolution {
    std::vector<double> u;
    double distance = 0.0; ///< from the stated start values: root of Σ (change / nominal)², preferred before guess
    int found = 0;         ///< how many of the starts led here
};

struct ConsistentStart {
    std::vector<double> u;
    double residual = 0.0;            ///< largest |G_i| relative to its row
    double largest_residual = 0.0;    ///< largest |G_i|
    bool analysed = false;            ///< the next four are known
    int rank = 0;                     ///< of ∂G/∂u at the solution
    int degrees_of_freedom = 0;       ///< unknowns - rank
    int redundant_equations = 0;      ///< equations - rank
    std::vector<int> free_unknowns;   ///< an admissible set: choosing these determines the rest
    std::vector<int> chosen_freely;   ///< those of them whose value nobody fixed
    std::vector<StartChange> changes; ///< preferred and guess values that had to give way, largest change first
    std::vector<StartAttempt> attempts;
    std::vector<std::vector<int>> alternatives; ///< other admissible sets, each with an unknown the first has not
    std::vector<StartSolution> solutions;       ///< with multistart: all distinct ones, nearest first; u is the first
    Diagnostics warnings;

    /// x and x' for the integrator.
    [[nodiscard]] std::vector<double> x(const problem::InitialProblem& p) const;
    [[nodiscard]] std::vector<double> dx(const problem::InitialProblem& p) const;
    /// Variables that never vary become parameters of this run.
    void hold_constants(const problem::InitialProblem& p, problem::ImplicitProblem& run) const {
        if (p.hold != nullptr) p.hold(p.binding.code(), run.environment(), u.data());
    }
};

[[nodiscard]] Expected<ConsistentStart> consistent_start(const problem::InitialProblem& problem,
                                                         const StartOptions& options = {});

} // namespace daedalus::integrate
