// The certificate's second half: whether what is handed out satisfies the equations that were written. Index reduction,
// elimination and events stand between those and the rows that are integrated, which a solution satisfies by
// construction: only here a mistake in between would show.
//
// At a point of the solution all variables and derivatives that the equations mention are known. Errors that a
// tolerance explains are found by moving each of them, for index ν by
//     many · (rtol · size + atol · nominal) / min(1, h)^(ν-1) ,          size: the largest |y| so far,
// and by what two ways to find slopes differ, and looking what becomes of the residual, conditions included. Two bounds
// are demanded: a residual is not much larger than those moves explain, and where it is as large as the equation's own
// terms, they must explain all of it.
#pragma once

#include "problem/implicit_problem.hpp"
#include "problem/written_equations.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace daedalus::simulation {

/// An equation that a point does not satisfy.
struct WrittenViolation {
    int equation = 0;
    double t = 0.0, residual = 0.0, terms = 0.0;
};

class WrittenCheck {
public:
    WrittenCheck(const problem::ImplicitProblem& problem, double rtol, double atol);

    [[nodiscard]] bool empty() const { return equations_.empty(); }
    /// Whether derivatives of unknowns that F leaves open are needed.
    [[nodiscard]] bool needs_all_slopes() const { return equations_.any_slope; }
    [[nodiscard]] bool instead_of_rows() const { return equations_.instead_of_rows; }
    /// At a point of a step of size h. `other_slopes`, where slopes are not exact: x' again, found in another way,
    /// which tells how uncertain they are; null: nothing is known.
    void look(double t, double h, const double* x, const double* dx,
              const std::function<const double*()>& other_slopes = {});

    /// The largest residual at a point, relative to the terms of its equation; infinite where one has no value.
    [[nodiscard]] double largest_share(double t, const double* x, const double* dx);

    [[nodiscard]] const std::optional<WrittenViolation>& violation() const { return violation_; }
    /// With constant steps multipliers that vanish on the solution are as large as errors of the steps.
    void grant_relaxed_slopes() { relaxed_granted_ = true; }
    /// One that was found elsewhere.
    void note(const WrittenViolation& other) {
        if (!violation_) violation_ = other;
    }
    /// Everything that decides what will be found, for a checkpoint.
    [[nodiscard]] std::vector<double>& sizes() { return size_; }
    [[nodiscard]] const std::vector<double>& sizes() const { return size_; }

private:
    void find_explained(double t, double h);
    [[nodiscard]] bool is_suspicious() const;
    [[nodiscard]] bool evaluate(double t, const double* x, const double* dx);

    const problem::ImplicitProblem& problem_;
    const problem::WrittenEquations& equations_;
    double rtol_, atol_;
    std::vector<double> y_, size_, uncertain_, moved_, r_, terms_, other_, other_terms_, explained_;
    std::optional<WrittenViolation> violation_;
    bool relaxed_granted_ = false;
    double worst_ = 0.0; ///< of a violation, in units of what is explained
};

} // namespace daedalus::simulation
