// Values behind an event that lie far from those before it. Newton's iteration next to a solution (ConsistentOutput) is
// far cheaper and comes first; where it fails, what the states do not tell is found by the attempts that
// consistent_start makes, with the states held, and by a continuation from the equations before the event to those
// behind it,
//     (1 - s) F_before(t, x, x') + s F_behind(t, x, x') = 0 ,   states (1 - s) x_before + s x_behind ,
// which the values before the event solve at s = 0.
//
// F may have roots at which it determines nothing (a voltage that multiplies all equations of a node vanishes), and
// Newton's iteration is drawn to them. Where the matrix has become all but singular on the way, another way is tried,
// and what is regular is preferred.
#pragma once

#include "integrate/local_matrix.hpp"
#include "integrate/options.hpp"
#include "integrate/statistics.hpp"
#include "problem/implicit_problem.hpp"

#include <optional>
#include <vector>

namespace daedalus::integrate {

/// What F depends on besides (t, x, x'), and what changes at events only.
struct Branches {
    std::vector<signed char> sides;   ///< of the modes
    problem::Environment environment; ///< with these sides
};
[[nodiscard]] Branches branches_of(const problem::ImplicitProblem& problem, const std::vector<signed char>& sides);
void set_branches(problem::ImplicitProblem& problem, const Branches& branches);

struct BranchPoint {
    std::vector<double> x, dx;
    Branches branches;
};

class ConsistentJump {
public:
    ConsistentJump(problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : problem_(problem), options_(options) {}

    /// Moves x' of the states and x of all others onto F = 0 at t, on its branches. `time_scale` as in
    /// ConsistentOutput. False: no attempt succeeds, and the point is left alone.
    [[nodiscard]] bool find(double t, double time_scale, const BranchPoint& before, BranchPoint& behind);
    /// A consistent point behind the event is replaced where it is nearly singular and another way leads to one that is
    /// not. True: that is so.
    [[nodiscard]] bool doubt(double t, double time_scale, const BranchPoint& before, BranchPoint& behind);

    /// Rows of F that could not be satisfied, the worst first.
    [[nodiscard]] const std::vector<int>& resisting() const { return resisting_; }
    void links_changed() { matrix_.reset(); }
    [[nodiscard]] const Counters& counters() const { return counters_; }

private:
    class Equations;
    class Search;
    struct Root {
        BranchPoint point;
        double regularity;
    };

    [[nodiscard]] bool search(Equations& equations, double t, double time_scale, double healthy, bool from_newton,
                              std::optional<Root>& best);
    [[nodiscard]] bool apart(const BranchPoint& a, const BranchPoint& b, double by, double nominal) const;
    [[nodiscard]] double regularity(double t, double time_scale, const BranchPoint& at);
    [[nodiscard]] double regularity_before(double t, double time_scale, const BranchPoint& before,
                                           const BranchPoint& behind);

    problem::ImplicitProblem& problem_;
    const IntegrationOptions& options_;
    std::optional<LocalMatrix> matrix_;
    std::vector<int> resisting_;
    Counters counters_;
};

} // namespace daedalus::integrate
