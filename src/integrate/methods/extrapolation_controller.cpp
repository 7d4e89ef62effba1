#include "integrate/methods/extrapolation_controller.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr int max_rows = ExtrapolationController::max_rows;

// Constants of SEULEX (HW IV.9; its SAFE1, SAFE2, FAC1, FAC2, FAC3, FAC4). The size for the error ε of k rows is
//     h · 0.93 (0.6/ε)^(1/k) ,   within 0.1^(1/k) … 4/0.1^(1/k) .
constexpr double safety_of_error = 0.6, safety_of_step = 0.93, least = 0.1, most = 4.0;
constexpr double fewer_rows_pay = 0.7, more_rows_pay = 0.9;
// About as many rows as digits are wanted (SEULEX: -log10(rtol) 0.6 + 1.5); two are left for growth.
constexpr double rows_per_digit = 0.6, rows_at_first = 1.5, smallest_tolerance = 1e-16;
constexpr int least_rows_at_first = 3;
constexpr double convergent = 4.0; // SEULEX: an error may be so much larger than that of the row before, or 1
constexpr double shortened = 0.9;  // the most that is left of a refused step
constexpr double tiny = 1e-30;     // keeps powers finite

// Beside SEULEX. Algebraic unknowns have in T_{j,j-1} an error of order j-1 only, as have those of the row before: the
// first rows seem to gain nothing by the next one, which is therefore tried already when it is not clearly worse: one
// order less in ε^(1/k) is a factor of up to (10³)^(1/4 - 1/5) = 1.4 for errors within three digits of the tolerance.
constexpr double try_next = 1.3;
constexpr int first_rows = 4;
// Errors so far below the tolerance (the first steps) say nothing about orders: sizes grow by their limit with any row.
constexpr double far_below = 1e-3;

constexpr double outside_domain = 0.25, half = 0.5; // as controller.cpp

} // namespace

ExtrapolationController::ExtrapolationController(const IntegrationOptions& options, const ExtrapolationScheme& scheme)
    : scheme_(scheme), fixed_step_(options.method.fixed_step), step_max_(options.step.max) {
    const double digits = -std::log10(std::max(options.tolerance.relative, smallest_tolerance));
    first_rows_ = fixed_step_ ? std::clamp(options.method.max_order, 2, max_rows)
                              : std::clamp(static_cast<int>(digits * rows_per_digit + rows_at_first),
                                           least_rows_at_first, max_rows - 2);
    rows_ = first_rows_;
    double sum = scheme.at_once;
    for (int row = 0; row < max_rows; ++row)
        work_up_to_[row] = sum += scheme.per_substep * scheme.substeps(row) + scheme.per_row;
}

void ExtrapolationController::start() {
    rows_ = first_rows_;
    refused_ = false;
}

int ExtrapolationController::most_rows() const { return fixed_step_ ? rows_ : std::min(rows_ + 1, max_rows); }

double ExtrapolationController::work(int rows) const { return work_up_to_[rows - 1] / wanted_[rows - 1]; }

ExtrapolationController::Verdict ExtrapolationController::judge(int rows, double h, double error) {
    if (fixed_step_) return rows < rows_ ? Verdict::next_row : Verdict::finished;
    const int row = rows - 1;
    // Of the error T_{k,k} - T_{k,k-1} with k rows: h^k, or h^(2k-1).
    const double exponent = 1.0 / (scheme_.powers * (rows - 1) + 1), limit = std::pow(least, exponent);
    const double inverse = std::clamp(std::pow(std::max(error, tiny) / safety_of_error, exponent) / safety_of_step,
                                      limit / most, 1.0 / limit);
    wanted_[row] = std::min(std::abs(h) / inverse, step_max_);
    if (row == 1) wanted_[0] = wanted_[1];
    const bool enough = error <= 1.0 && rows >= rows_ - 1;
    if (rows > 2 && error >= largest_next_error_) return enough ? Verdict::finished : Verdict::divergent;
    largest_next_error_ = std::max(convergent * error, 1.0);
    if (enough) return Verdict::finished;
    // Will the rows that are left bring it below 1?
    if (rows == rows_ - 1 && rows_ > 2 && !refused_ && out_of_reach(error, row, true)) return Verdict::refused;
    if (rows == rows_ && out_of_reach(error, row, false)) return Verdict::refused;
    return rows < most_rows() ? Verdict::next_row : Verdict::refused;
}

/// SEULEX in h; ODEX in h².
bool ExtrapolationController::out_of_reach(double error, int row, bool two_rows) const {
    const double n = scheme_.substeps(row), next = scheme_.substeps(row + 1);
    if (scheme_.powers == 1) return error > (two_rows ? 4.0 * next * n : 2.0 * n);
    const double gain = (two_rows ? next / scheme_.first : 1.0) * n / scheme_.first;
    return error > gain * gain;
}

double ExtrapolationController::after_failure(StepStatus status, double h) {
    refused_ = true;
    return (status == StepStatus::not_finite ? outside_domain : half) * h;
}

double ExtrapolationController::after_divergence(double h) {
    refused_ = true;
    return half * h;
}

double ExtrapolationController::after_error(double h, int rows) {
    refused_ = true;
    int next = std::clamp(std::min(rows_, rows), 2, max_rows - 1);
    if (next > 2 && work(next - 1) < fewer_rows_pay * work(next)) --next;
    rows_ = next;
    return std::copysign(std::min(wanted_[next - 1], shortened * std::abs(h)), h);
}

int ExtrapolationController::choose_rows(int rows, double error) const {
    constexpr int most_next = max_rows - 1;
    if (error < far_below) return std::max(rows, rows_);
    if (rows == 2) return refused_ ? 2 : std::min(3, most_next);
    if (rows <= rows_) {
        if (work(rows - 1) < fewer_rows_pay * work(rows)) return rows - 1;
        const double share = rows <= first_rows ? try_next : more_rows_pay;
        return work(rows) < share * work(rows - 1) ? std::min(rows + 1, most_next) : rows;
    }
    int next = rows - 1;
    if (rows > 3 && work(rows - 2) < fewer_rows_pay * work(rows - 1)) next = rows - 2;
    return work(rows) < more_rows_pay * work(next) ? std::min(rows, most_next) : next;
}

double ExtrapolationController::after_success(double h, int rows, double error) {
    if (fixed_step_) return h;
    const int next = choose_rows(rows, error);
    rows_next_ = refused_ ? std::min(next, rows) : next;
    double step = 0.0;
    if (refused_)
        step = std::min(std::abs(h), wanted_[rows_next_ - 1]);
    else if (next <= rows)
        step = wanted_[next - 1];
    else if (rows < rows_ && work(rows) < more_rows_pay * work(rows - 1))
        step = wanted_[rows - 1] * work_up_to_[next] / work_up_to_[rows - 1];
    else
        step = wanted_[rows - 1] * work_up_to_[next - 1] / work_up_to_[rows - 1];
    return std::copysign(step, h);
}

void ExtrapolationController::accept() {
    refused_ = false;
    if (!fixed_step_) rows_ = rows_next_;
}

} // namespace daedalus::integrate
