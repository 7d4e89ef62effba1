// Number of rows and step size of an extrapolation method: the strategy of SEULEX (HW IV.9, after Deuflhard 1983). A
// step aims at `rows()` rows of the table. Each row tells the step size for which its error would be at tolerance, and
// hence the work per unit of time with that many rows; the next step takes the cheapest number nearby.
#pragma once

#include "integrate/options.hpp"
#include "integrate/stepper.hpp"

#include <array>

namespace daedalus::integrate {

/// What is extrapolated: a basic method whose error has an expansion in h or, if it is symmetric, in h².
struct ExtrapolationScheme {
    int first = 2, more = 1;                                ///< substeps of the rows: 2, 3, 4, …
    int powers = 1;                                         ///< of h that one row gains
    double at_once = 5.0, per_row = 1.0, per_substep = 2.0; ///< work
    [[nodiscard]] constexpr int substeps(int row) const { return first + row * more; } ///< rows from 0
};
/// Linearly implicit Euler: a Jacobian counts 5 evaluations of F, a solve and a factorisation 1 (SEULEX).
inline constexpr ExtrapolationScheme linearly_implicit_euler{};
/// 4, 8, 12, … substeps: the middle of a step is a point of even number, whose error has the expansion of the end. At
/// points of odd number it does not vanish with the step, and dense output would lose an order.
inline constexpr ExtrapolationScheme half_explicit_midpoint{
    .first = 4, .more = 4, .powers = 2, .at_once = 1.0, .per_row = 0.0, .per_substep = 1.0};

class ExtrapolationController {
public:
    static constexpr int max_rows = 8;

    ExtrapolationController(const IntegrationOptions& options, const ExtrapolationScheme& scheme);

    /// The method begins.
    void start();
    /// A step will be attempted.
    void begin() { largest_next_error_ = 0.0; }
    /// Rows aimed at, and those that are made at most.
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int most_rows() const;

    enum class Verdict {
        next_row,
        finished,
        refused,   ///< further rows will not bring the error below the tolerance
        divergent, ///< errors do not fall from row to row: the step is far too long
    };
    /// `rows` of them are made, at least two, the last with this error.
    [[nodiscard]] Verdict judge(int rows, double h, double error);
    /// Sizes for the next attempt, and the rows to aim at.
    [[nodiscard]] double after_failure(StepStatus status, double h);
    [[nodiscard]] double after_divergence(double h);
    [[nodiscard]] double after_error(double h, int rows);
    [[nodiscard]] double after_success(double h, int rows, double error);
    void accept();

private:
    /// Work per unit of time when `rows` rows are used.
    [[nodiscard]] double work(int rows) const;
    [[nodiscard]] int choose_rows(int rows, double error) const;
    /// By how much the error of this row exceeds what the next one, and the one behind it, may bring below 1.
    [[nodiscard]] bool out_of_reach(double error, int row, bool two_rows) const;

    const ExtrapolationScheme scheme_;
    std::array<double, max_rows> work_up_to_{}; ///< of all rows up to one, in evaluations
    const bool fixed_step_;
    const double step_max_;
    int first_rows_ = 3;
    int rows_ = 3;                          ///< aimed at
    int rows_next_ = 3;                     ///< … after acceptance
    std::array<double, max_rows> wanted_{}; ///< |H| for which the error with row+1 rows is at tolerance
    double largest_next_error_ = 0.0;       ///< of a row that converges, after the one before
    bool refused_ = false;                  ///< since the last accepted step
};

} // namespace daedalus::integrate
