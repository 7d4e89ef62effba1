// The attempts behind consistent_start: one Gauss–Newton workspace on the problem's pattern, asked with different
// unknowns held, equations dropped and starts perturbed. Internal to integrate.
#pragma once

#include "integrate/consistent_start.hpp"
#include "nonlinear/gauss_newton.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::integrate {

struct StartGroup;
struct GroupTearing;

/// An InitialProblem as the nonlinear solver sees it.
class InitialSystem final : public nonlinear::EquationSystem {
public:
    explicit InitialSystem(const problem::InitialProblem& problem) : problem_(problem) {}
    [[nodiscard]] bool residual(std::span<const double> u, std::span<double> g) override;
    [[nodiscard]] bool jacobian(std::span<const double> u, std::span<double> values) override;

private:
    const problem::InitialProblem& problem_;
};

/// Which unknowns are held and which equations count.
struct Question {
    std::vector<char> held;   ///< per unknown
    std::vector<char> active; ///< per equation; empty: all
    bool least_change = true;
    bool bounds = true;
    std::string label; ///< appended to the name of the method in the log
};

/// Unknowns at least that firm are held.
[[nodiscard]] Question hold(const problem::InitialProblem& problem, problem::Strength at_least, std::string label);

class StartSolver {
public:
    StartSolver(const problem::InitialProblem& problem, const StartOptions& options);

    /// Each improves u from its present value and logs the attempt; true if G(u) = 0 was reached.
    bool gauss_newton(const Question& q, std::vector<double>& u);
    /// Damped Newton, block by block, where as many unknowns are free as equations count: indifferent to how the
    /// unknowns are scaled against each other, which least change is not. False at once if the system is not square.
    bool newton(const Question& q, std::vector<double>& u);
    /// The same with nonlinear blocks torn (start_tearing.hpp), each solved whole where that fails. False at once where
    /// there is nothing to tear, or `newton` tears already.
    bool torn_newton(const Question& q, std::vector<double>& u);
    /// The same on as many independent unknowns and equations as there are, all other unknowns as they are
    /// (start_continuation.cpp): where there are more unknowns than equations, or equations that say nothing new.
    bool newton_on_basis(const Question& q, std::vector<double>& u);
    bool levenberg_marquardt(const Question& q, std::vector<double>& u);
    bool homotopy(const Question& q, std::vector<double>& u);
    /// The problem itself depends on s, which `set` gives to it, and u solves it at s = 0; it is followed to s = 1.
    /// Steps to what `on_path` does not take for the next point are made shorter.
    bool continuation(const Question& q, std::vector<double>& u, const std::function<void(double)>& set,
                      const std::function<bool(const std::vector<double>&)>& on_path);
    /// s D G(u) + (1 - s)(u - u₀) = 0 from s = 0 to 1, and the flow u' = -D G(u) to its rest (start_continuation.cpp).
    bool fixed_point_homotopy(const Question& q, std::vector<double>& u);
    bool pseudo_transient(const Question& q, std::vector<double>& u);
    bool perturbed(const Question& q, std::vector<double>& u);
    /// Quietly: is there a solution? The mild attempts without least change.
    bool feasible(const Question& q, std::vector<double>& u);

    /// Residual at u with nothing moved; relative and absolute.
    const nonlinear::GaussNewtonResult& measure(const std::vector<double>& u);
    [[nodiscard]] bool satisfied(const std::vector<double>& u);
    /// A start somewhere else: reproducible, the same for the same variant.
    [[nodiscard]] std::vector<double> scattered(const std::vector<double>& u, const std::vector<char>& movable,
                                                double amount, int variant) const {
        return perturb(u, movable, amount, variant);
    }

    /// Moves unknowns off a start at which G or ∂G/∂u is not finite; false if no nearby point will do.
    bool leave_domain_error(std::vector<double>& u);
    /// Row that is not finite at u, or -1.
    [[nodiscard]] int row_not_finite(const std::vector<double>& u);

    [[nodiscard]] const std::vector<double>& start() const { return start_; }
    [[nodiscard]] const nonlinear::GaussNewtonResult& last() const { return last_; }
    [[nodiscard]] nonlinear::GaussNewton& iteration() { return iteration_; }
    [[nodiscard]] double size(int unknown) const { return size_[static_cast<std::size_t>(unknown)]; }
    std::vector<StartAttempt> log;

private:
    class GroupEquation;
    bool newton(const Question& q, std::vector<double>& u, bool tear);
    bool solve_torn(const StartGroup& group, const GroupTearing& tearing, std::vector<double>& u, int& iterations);
    bool run(const Question& q, std::vector<double>& u, const nonlinear::GaussNewtonOptions& options,
             std::span<const double> shift = {});
    template <class Shift, class OnPath>
    bool trace(const char* name, const Question& q, std::vector<double>& u, Shift shift_at, OnPath on_path);
    void record(std::string method, const Question& q, bool success, int iterations, std::string note = {});
    int rows_not_finite(const std::vector<double>& u, std::vector<char>& bad);
    bool leave_one_by_one(const std::vector<char>& movable, std::vector<double>& u);
    [[nodiscard]] std::vector<double> perturb(const std::vector<double>& u, const std::vector<char>& movable,
                                              double amount, int variant) const;

    const problem::InitialProblem& problem_;
    StartOptions options_;
    InitialSystem system_;
    nonlinear::GaussNewton iteration_;
    nonlinear::GaussNewtonResult last_;
    std::vector<double> start_, scale_, size_, min_, max_;
    std::vector<double> g_, j_;
};

/// Stage by stage (Pryce's order), each with the unknowns of lower stages held. Where an initial equation or a fixed
/// value of a higher stage determines something of a lower one, those stages are solved together.
enum class StageOutcome { failed, solved, solved_merged };
[[nodiscard]] StageOutcome by_stages(const problem::InitialProblem& problem, StartSolver& solver,
                                     std::vector<double>& u);

} // namespace daedalus::integrate
