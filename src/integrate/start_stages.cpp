// Initial values in the order of Pryce's stages (Pryce 2001): positions from positions, then velocities, then
// accelerations and multipliers, so that nothing is bent to suit what follows from it. An initial equation such as
// der(x) = 0 asks for the reverse; then the stage fails and is joined with the one below.
#include "integrate/start_solver.hpp"

#include <algorithm>

namespace daedalus::integrate {

using problem::InitialProblem;
using problem::Strength;

namespace {

struct Group {
    int first, last;
    std::vector<double> before;
};

class Stages {
public:
    Stages(const InitialProblem& problem, StartSolver& solver)
        : problem_(problem), solver_(solver),
          highest_(*std::max_element(problem.unknown_stage.begin(), problem.unknown_stage.end())) {}

    [[nodiscard]] int highest() const { return highest_; }
    [[nodiscard]] bool has_equations(int stage) const {
        return std::find(problem_.equation_stage.begin(), problem_.equation_stage.end(), stage) !=
               problem_.equation_stage.end();
    }

    bool solve(const Group& group, std::vector<double>& u) {
        const std::string label = name(group);
        Question held = hold(problem_, Strength::preferred, label + ", preferred values held");
        Question free = hold(problem_, Strength::fixed, label);
        long equations = 0, unknowns = 0;
        for (const int e : problem_.equation_stage) {
            held.active.push_back(group.first <= e && e <= group.last);
            equations += held.active.back();
        }
        free.active = held.active;
        for (std::size_t j = 0; j < u.size(); ++j) {
            const int s = problem_.unknown_stage[j];
            if (s < group.first || s > group.last) held.held[j] = free.held[j] = 1;
            unknowns += !free.held[j];
        }
        const auto attempt = [&](bool (StartSolver::*method)(const Question&, std::vector<double>&),
                                 const Question& q) {
            u = group.before;
            if (!(solver_.*method)(q, u)) return false;
            if (solver_.last().residual > round_off) sharpen(q, u);
            return true;
        };
        const bool same = held.held == free.held; // nothing is preferred: one question, not two
        const auto both = [&](bool (StartSolver::*method)(const Question&, std::vector<double>&)) {
            return attempt(method, free) || (!same && attempt(method, held));
        };
        if (both(&StartSolver::newton) || both(&StartSolver::torn_newton)) return true;
        // As many unknowns as equations, and they do not determine each other: an equation says nothing new.
        const bool square = equations == unknowns;
        if (square && attempt(&StartSolver::newton_on_basis, free)) return true;
        if (!same && attempt(&StartSolver::gauss_newton, held)) return true;
        if (attempt(&StartSolver::gauss_newton, free)) return true;
        // Which the saddle point's conditions, squares of those of the equations, can keep from an end.
        const bool contradictory = solver_.last().stationary;
        if (!square && attempt(&StartSolver::newton_on_basis, free)) return true;
        // More equations than unknowns, or a contradiction: it is for the stages below to give way.
        if (group.first > 0 && (equations > unknowns || contradictory)) return false;
        return attempt(&StartSolver::levenberg_marquardt, free) || attempt(&StartSolver::homotopy, free) ||
               attempt(&StartSolver::fixed_point_homotopy, free) || attempt(&StartSolver::pseudo_transient, free) ||
               attempt(&StartSolver::perturbed, free);
    }

private:
    static constexpr double round_off = 1e-14; // relative residual that needs no improvement

    // Damped least-change iterations end where the tolerance is met; from there Newton's steps are the better ones.
    void sharpen(const Question& q, std::vector<double>& u) {
        const double before = solver_.last().residual;
        const std::size_t logged = solver_.log.size();
        std::vector<double> trial = u;
        if (solver_.newton(q, trial) && solver_.last().residual < before)
            u = std::move(trial);
        else
            solver_.log.resize(logged); // an improvement, not an attempt
    }

    [[nodiscard]] std::string name(const Group& group) const {
        const std::string of = " of " + std::to_string(highest_ + 1);
        if (group.first == group.last) return "stage " + std::to_string(group.last + 1) + of;
        return "stages " + std::to_string(group.first + 1) + " to " + std::to_string(group.last + 1) + of + " together";
    }

    const InitialProblem& problem_;
    StartSolver& solver_;
    int highest_;
};

} // namespace

StageOutcome by_stages(const InitialProblem& problem, StartSolver& solver, std::vector<double>& u) {
    if (problem.unknown_stage.empty()) return StageOutcome::failed;
    const std::vector<double> start = u;
    Stages stages(problem, solver);
    std::vector<Group> solved;
    bool merged = false;
    for (int s = 0; s <= stages.highest(); ++s) {
        if (!stages.has_equations(s)) continue;
        Group group{s, s, u};
        while (!stages.solve(group, u)) {
            if (group.first == 0) {
                u = start;
                return StageOutcome::failed;
            }
            merged = true;
            if (solved.empty()) {
                group = {0, s, start};
            } else {
                group = {solved.back().first, s, std::move(solved.back().before)};
                solved.pop_back();
            }
        }
        solved.push_back(std::move(group));
    }
    if (solver.gauss_newton(hold(problem, Strength::unspecified, "all stages together"), u))
        return merged ? StageOutcome::solved_merged : StageOutcome::solved;
    u = start;
    return StageOutcome::failed;
}

} // namespace daedalus::integrate
