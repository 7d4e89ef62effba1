// The waist: a system F(t, x, x') = 0 as the numerical half sees it. No expression survives here: only function
// pointers, a sparsity pattern, numbers per variable and a legend.
//
// F has `kernel_rows()` rows that a kernel evaluates and, below them, one row per link
//     x'[link.state] - x[link.derivative] = 0 ,
// which name the derivatives of states that are unknowns themselves (q' = v). Index reduction by dummy
// derivatives is a choice of links (Mattsson & Söderlind 1993); exchanging links exchanges the states while the
// unknowns, and so any history of them, stay what they are.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/legend.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::problem {

/// A numerical event, not an exception: the caller retries with a smaller step or reports it.
enum class EvalStatus { ok, not_finite };

struct Link {
    int state;      ///< unknown whose time derivative …
    int derivative; ///< … is this unknown
    friend bool operator==(const Link&, const Link&) = default;
};

/// Kernels are plain functions on plain memory. `context` holds code, parameters and workspace.
struct ImplicitKernels {
    void* context = nullptr;
    /// r[0 … kernel_rows) from t, x, dx
    EvalStatus (*residual)(void* context, double t, const double* x, const double* dx, double* r) = nullptr;
    /// values of ∂F/∂x and ∂F/∂x', both on the kernel pattern (zeros where only the other has an entry)
    EvalStatus (*jacobian)(void* context, double t, const double* x, const double* dx, double* jx,
                           double* jdx) = nullptr;

    // What a kernel may offer besides, to save work; callers use ImplicitProblem, which makes do without.

    /// r and behind it, with subexpressions shared, the entries of the Jacobian that vary, in the order of `varying`,
    /// which ascends: k < nnz is entry k of ∂F/∂x, k ≥ nnz entry k - nnz of ∂F/∂x' (nnz entries in the kernel pattern).
    /// Others are constant.
    EvalStatus (*linearize)(void* context, double t, const double* x, const double* dx, double* r_entries) = nullptr;
    std::vector<int> varying = {};
    bool linear = false; ///< those change at events only,
    bool steep = false;  ///< or by orders of magnitude where unknowns change a little, as exponentials do

    /// The most differentiated rows, in the order of the kernel's, and what varies of their matrix by leading unknowns,
    /// numbered as in `varying`. Leading is what no link integrates: ends of chains, x' of other differential unknowns,
    /// unknowns without derivative. Offered only where those rows are linear in them.
    EvalStatus (*leading)(void* context, double t, const double* x, const double* dx, double* r,
                          double* entries) = nullptr;
    std::vector<int> leading_entries = {};
};

/// A vector function of (t, x, dx): root functions, hidden constraints, output variables.
struct VectorFunction {
    int size = 0;
    void* context = nullptr;
    EvalStatus (*evaluate)(void* context, double t, const double* x, const double* dx, double* y) = nullptr;
    EvalStatus operator()(double t, const double* x, const double* dx, double* y) const {
        return size == 0 ? EvalStatus::ok : evaluate(context, t, x, dx, y);
    }
};

/// Constraints g(t, x) = 0 that solutions of F = 0 keep only if nothing perturbs them: the integrator returns to them
/// after each step. ∂g/∂x has full row rank.
struct Constraints {
    SparsityPattern pattern; ///< constraints × unknowns
    void* context = nullptr;
    EvalStatus (*residual)(void* context, double t, const double* x, double* g) = nullptr;
    EvalStatus (*jacobian)(void* context, double t, const double* x, double* values) = nullptr; ///< on the pattern
    [[nodiscard]] bool empty() const { return pattern.rows == 0; }
};

/// Branches of F that stay as they are during a step. Mode k belongs to root function k: it says on which side of zero
/// the function counts as being, +1 or -1, whatever its value is meanwhile. F is then as smooth as its branches, and
/// the driver alone changes sides: at events.
struct Modes {
    int size = 0; ///< 0, or one per root function
    void* context = nullptr;
    void (*set)(void* context, const signed char* side) = nullptr;
    /// Which of the functions can change F while the others keep these sides; null: all. Those that cannot (conditions
    /// inside a branch that is not taken) make no events.
    void (*activity)(void* context, const signed char* side, char* active) = nullptr;
    std::vector<signed char> at_zero; ///< the side that a function counts to where it vanishes (> and <=: -1)
    std::vector<char> known_instant;  ///< changes at one of the known instants only

    [[nodiscard]] signed char side_of(std::size_t k, double value) const {
        return value > 0.0 ? 1 : value < 0.0 ? -1 : at_zero[k];
    }
};

/// What F depends on besides (t, x, x') and modes, and what changes it at events: values of discrete variables,
/// samples, actions of when-clauses. All of it lives behind the functions; `state` is what a checkpoint has to keep.
struct Discrete {
    void* context = nullptr;
    struct Change {
        bool values = false;           ///< held values changed: branches and algebraic unknowns follow
        bool states = false;           ///< x was changed (reinit)
        bool ends = false;             ///< the run ends here …
        bool fails = false;            ///< … or fails, for an assertion does not hold
        std::string message;           ///< … for this reason
        std::optional<Location> where; ///< where that is written
        std::vector<int> set;          ///< unknowns that were given a value: they keep it
    };
    /// One pass of the event iteration at (t, x, x'), with modes and algebraic unknowns up to date.
    Change (*update)(void* context, double t, double* x, double* dx) = nullptr;
    /// Held values that follow from the point alone (integer parts) take their value there, seen from behind t in the
    /// direction of integration.
    void (*follow)(void* context, double t, const double* x, const double* dx, bool forward) = nullptr;
    /// Before the first event of a run: conditions that hold are no news; sampling begins, and when initial() acts.
    void (*begin)(void* context, double t, const double* x, const double* dx) = nullptr;
    /// The iteration is over: samples move on. True if held values changed; then branches follow, and note().
    bool (*end)(void* context, double t) = nullptr;
    /// The run is at its end: one more pass of the event iteration, for what waits for that. Null: nothing does.
    void (*last)(void* context) = nullptr;
    /// Conditions that hold now are no news.
    void (*note)(void* context, double t, const double* x, const double* dx) = nullptr;
    std::vector<double> (*state)(const void* context) = nullptr;
    void (*set_state)(void* context, std::span<const double> state) = nullptr;

    [[nodiscard]] bool empty() const { return update == nullptr; }
};

/// The next time at which F jumps or changes its branches, known before it is reached.
struct Instant {
    double t = std::numeric_limits<double>::infinity(); ///< none: infinite
    bool discontinuity = true; ///< false: so far was looked and nothing found; ask again from there
};
struct InstantFunction {
    void* context = nullptr;
    /// Behind `t` in the direction of `end`, which lies behind all that is asked for.
    Instant (*next)(void* context, double t, double end) = nullptr;
};

/// Unknowns that were taken out of F because nothing depends on them: q' = f(t, x, x'). The driver integrates them by
/// quadrature over each step.
struct Quadratures {
    VectorFunction rates;
    std::vector<double> start;
    std::vector<double> nominal;
    std::vector<int> output;          ///< which of the outputs each of them is
    std::vector<int> unknowns;        ///< that the rates mention …
    bool mention_derivatives = false; ///< … and whether they mention an x'
    [[nodiscard]] int size() const { return rates.size; }
};

/// Variables that F has only as expressions in its unknowns, y = f(t, x): their errors follow from those of x.
struct Dependents {
    SparsityPattern pattern; ///< variables × unknowns
    std::vector<double> nominal;
    void* context = nullptr;
    /// y, then ∂f/∂x on the pattern
    EvalStatus (*linearize)(void* context, double t, const double* x, double* values) = nullptr;
    [[nodiscard]] int size() const { return pattern.rows; }
};

/// A time behind t by more than the rounding of a known instant, and by nothing that matters.
[[nodiscard]] inline double just_after(double t, bool forward) {
    const double distance = 16 * std::numeric_limits<double>::epsilon() * std::abs(t) + 1e-290;
    return forward ? t + distance : t - distance;
}

/// One block of the system Jacobian in which states can be chosen: rows f_i^(c_i), columns x_j^(d_j).
/// The entry of row i and column j is ∂F/∂x at (top_row[i], chain[j].back()), and by Griewank's lemma it is also
/// that of every lower derivative of the row with respect to the lower derivative of the column.
struct ChoiceBlock {
    std::vector<int> top_row;            ///< kernel row of the most differentiated equation i; f_i^(c_i - k) is k above
    std::vector<int> differentiations;   ///< c_i
    std::vector<std::vector<int>> chain; ///< unknowns x_j, x_j', …, x_j^(d_j)
    std::vector<int> preference;         ///< per column: stateSelect from -2 (never) over 0 to 2 (always)
};

/// Per-unknown numbers.
struct UnknownInfo {
    double nominal = 1.0;
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    int index = 1; ///< index of this variable in this formulation (1, 2, 3, …): scales error and Newton tests
    bool differential = true; ///< its derivative occurs in F
    bool auxiliary = false;   ///< a derivative that no variable of the model equals: an error counts h-fold, as what it
                              ///< does to the variable it is the derivative of
};

class ImplicitProblem {
public:
    ImplicitProblem() = default;
    /// `kernel_pattern` has kernel_rows rows and n columns; n - kernel_rows links follow.
    ImplicitProblem(ImplicitKernels kernels, SparsityPattern kernel_pattern, std::vector<Link> links,
                    std::vector<UnknownInfo> unknowns);

    [[nodiscard]] int size() const { return kernel_pattern_.cols; }
    [[nodiscard]] int kernel_rows() const { return kernel_pattern_.rows; }
    [[nodiscard]] const SparsityPattern& pattern() const { return pattern_; }
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    [[nodiscard]] const std::vector<UnknownInfo>& unknowns() const { return unknowns_; }
    /// Of any unknown; 1 at least.
    [[nodiscard]] int highest_index() const;

    [[nodiscard]] EvalStatus residual(double t, const double* x, const double* dx, double* r) const;
    /// jx, jdx: values of ∂F/∂x and ∂F/∂x' on pattern(). Where F has a value and they have none, those beside it.
    [[nodiscard]] EvalStatus jacobian(double t, const double* x, const double* dx, double* jx, double* jdx) const;
    /// Residual and Jacobian at one point. jx and jdx must hold values of this revision() from an earlier call of
    /// jacobian(): entries that are constant are not written again.
    [[nodiscard]] EvalStatus linearize(double t, const double* x, const double* dx, double* r, double* jx,
                                       double* jdx) const;

    /// flags[k] of entry k of pattern(): its value can change from point to point, in ∂F/∂x and in ∂F/∂x'. Others have
    /// the same value everywhere. False: nobody knows, and nothing is written.
    [[nodiscard]] bool mark_varying(std::vector<char>& jx, std::vector<char>& jdx) const;
    [[nodiscard]] bool lists_varying() const { return kernels_.linearize != nullptr; }
    /// Between events the Jacobian is the same everywhere. False: it is not, or nobody knows.
    [[nodiscard]] bool linear() const { return kernels_.linear; }
    /// It may change by orders of magnitude where unknowns change a little. False: it does not, or nobody knows.
    [[nodiscard]] bool steep() const { return kernels_.steep; }

    /// The most differentiated rows are linear in the leading unknowns (ImplicitKernels::leading) …
    [[nodiscard]] bool linear_leading() const { return kernels_.leading != nullptr; }
    [[nodiscard]] EvalStatus leading(double t, const double* x, const double* dx, double* r, double* entries) const {
        return kernels_.leading(kernels_.context, t, x, dx, r, entries);
    }
    /// … and where the entries are: k of ∂F/∂x on pattern(), or nonzeros + k of ∂F/∂x'.
    [[nodiscard]] std::vector<int> leading_entries() const;

    /// Sides of the root functions at a point, as the relations have them there, behind known instants in the direction
    /// of integration; handed to F. Nested conditions may depend on each other.
    void set_modes_at(double t, const double* x, const double* dx, bool forward, std::vector<signed char>& side) const;

    /// Exchanges the links (the same number of them); pattern() changes and revision() grows.
    void set_links(std::vector<Link> links);
    [[nodiscard]] int revision() const { return revision_; }

    // What the driver, the certificate and the output need besides F.
    std::vector<ChoiceBlock> choices;        ///< empty: nothing to choose
    std::vector<Link> permanent_links;       ///< links that every choice contains
    Constraints constraints;                 ///< to be projected onto after each step; empty: none
    VectorFunction hidden;                   ///< constraints that are not rows of F
    int drifting = 0;                        ///< so many of them, the first ones, hold through their derivatives only
    VectorFunction roots;                    ///< zero-crossing functions of events
    std::vector<signed char> root_direction; ///< only rising (+1) or falling (-1) zeros count, 0: all; empty: all
    Modes modes;                             ///< branches that root functions decide
    Discrete discrete;                       ///< what changes at events besides
    Quadratures quadratures;                 ///< integrals along the solution
    Dependents dependents;                   ///< what F has as expressions
    VectorFunction outputs;                  ///< the model's own variables
    std::vector<double> time_events;         ///< known discontinuities in time, ascending
    InstantFunction instants;                ///< those that are found on the way
    bool constant_leading_matrix = false;    ///< ∂F/∂x' depends on nothing
    std::shared_ptr<const Legend> legend = std::make_shared<Legend>();
    std::shared_ptr<const Legend> hidden_legend = std::make_shared<Legend>(); ///< equation(i) = hidden row i
    std::shared_ptr<const Legend> roots_legend = std::make_shared<Legend>();  ///< equation(i) = condition i
    std::shared_ptr<void> keep_alive;                                         ///< owns kernels' context

private:
    void build_pattern();
    void link_residual(const double* x, const double* dx, double* r) const;

    ImplicitKernels kernels_;
    SparsityPattern kernel_pattern_;
    SparsityPattern pattern_;
    std::vector<Link> links_;
    std::vector<UnknownInfo> unknowns_;
    std::vector<int> scatter_;               ///< kernel entry → position in pattern_
    std::vector<int> varying_place_;         ///< kernel's varying entries → positions in pattern_ …
    std::size_t varying_of_x_ = 0;           ///< … so many of them in ∂F/∂x, the rest in ∂F/∂x'
    std::vector<int> next_;                  ///< per column, while the pattern is built
    std::vector<int> link_state_entry_;      ///< position of (link row, state): jdx = 1
    std::vector<int> link_derivative_entry_; ///< position of (link row, derivative): jx = -1
    mutable std::vector<double> scratch_;
    int revision_ = 0;
};

} // namespace daedalus::problem
