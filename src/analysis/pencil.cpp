#include "analysis/pencil.hpp"

#include "analysis/drazin_inverse.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Attempt {
    ScaledPencil scaled;
    KroneckerStaircase staircase;
    KroneckerStructure structure;
    [[nodiscard]] bool decided() const { return !scaled.lost && staircase.decided(); }
};

Attempt attempt(ScaledPencil scaled, double noise) {
    Attempt a{std::move(scaled), {}, {}};
    a.staircase = kronecker_staircase(a.scaled.e, a.scaled.h, noise);
    a.structure = {a.staircase.right_minimal_indices(), a.staircase.left_minimal_indices(),
                   a.staircase.infinite_blocks(), a.staircase.finite_size};
    return a;
}

void explain_gaps(const Attempt& a, PencilReport& report) {
    if (a.scaled.lost)
        report.reasons.push_back("the entries span so many orders of magnitude that the small ones cannot be told from "
                                 "zero, and no scaling of rows and columns brings them together");
    for (const StaircaseGap& g : a.staircase.gaps) {
        if (g.gap.decided) continue;
        report.reasons.push_back(fmt::format(
            "the rank of a {} by {} block ({}) is not clear: {} singular values count as nonzero, the smallest {:.1e}; "
            "{}; the tolerance is {:.1e}",
            g.gap.rows, g.gap.cols, g.what, g.gap.rank, g.gap.kept,
            g.gap.dropped > 0.0 ? fmt::format("the largest that counts as zero is {:.1e}", g.gap.dropped)
                                : std::string("none counts as zero"),
            g.gap.tolerance));
    }
    if (!a.staircase.ok && report.reasons.empty()) report.reasons.push_back("the rank decisions contradict each other");
}

bool check_finite(const Matrix& a, const char* name, PencilReport& report) {
    for (int j = 0; j < a.cols(); ++j)
        for (int i = 0; i < a.rows(); ++i)
            if (!std::isfinite(a(i, j))) {
                report.reasons.push_back(
                    fmt::format("entry ({}, {}) of {} is {}, not a finite number", i + 1, j + 1, name, a(i, j)));
                return false;
            }
    return true;
}

/// The structure of (s E + H)⁻¹ E at zero is that of the pencil at infinity.
void cross_check(const Attempt& a, double noise, PencilReport& report) {
    if (report.rows != report.cols || report.rows == 0) return;
    const auto shifted = shifted_pencil(a.scaled.e, a.scaled.h);
    const double rcond = shifted ? shifted->reciprocal_condition : 0.0;
    if (!a.structure.regular()) {
        constexpr double surely_regular = 1e-6;
        report.cross_check = rcond > surely_regular ? CrossCheck::disagrees : CrossCheck::agrees;
        if (rcond > surely_regular)
            report.reasons.push_back(
                fmt::format("the ranks make it singular, yet s E + H is well conditioned at s = {}", shifted->shift));
        return;
    }
    constexpr double usable = 1e-10;
    if (rcond < usable) {
        report.remarks.push_back(fmt::format(
            "no independent check: s E + H is nearly singular at every shift tried (reciprocal condition {:.1e})",
            rcond));
        return;
    }
    const NilpotentSplit split = split_nilpotent(shifted->e_hat, std::max(noise, epsilon / rcond));
    if (split.steps == a.staircase.right_s) {
        report.cross_check = CrossCheck::agrees;
    } else if (split.decided) {
        report.cross_check = CrossCheck::disagrees;
        report.reasons.push_back(fmt::format(
            "two ways to find the index disagree: {} by the staircase form of the pencil, {} by the powers of "
            "(s E + H)⁻¹ E with s = {}",
            a.structure.index(), split.index(), shifted->shift));
    } else {
        report.remarks.push_back("no independent check: the ranks of the powers of (s E + H)⁻¹ E are not clear");
    }
}

NullPolynomial unscaled(NullPolynomial x, const std::vector<int>& exponents, int time) {
    for (std::size_t k = 0; k < x.size(); ++k)
        for (std::size_t i = 0; i < x[k].size(); ++i)
            x[k][i] = std::ldexp(x[k][i], exponents[i] + time * static_cast<int>(k));
    return x;
}

void find_null_polynomials(const Attempt& a, PencilReport& report) {
    const int time = a.scaled.h_exponent - a.scaled.e_exponent;
    const auto& right = a.structure.right_minimal_indices;
    const auto& left = a.structure.left_minimal_indices;
    if (!right.empty())
        report.right_null =
            unscaled(null_polynomial(a.scaled.e, a.scaled.h, right.front()), a.scaled.col_exponent, time);
    if (!left.empty())
        report.left_null = unscaled(null_polynomial(a.scaled.e.transposed(), a.scaled.h.transposed(), left.front()),
                                    a.scaled.row_exponent, time);
}

/// Without and, where the entries differ much in size, with scaling of rows and columns.
Attempt best_attempt(const Matrix& e, const Matrix& h, double noise, PencilReport& report) {
    Attempt plain = attempt(scale_norms(e, h), noise);
    constexpr int modest_spread = 26; // 2^26 ≈ 1/√ε: no small entry can be mistaken for noise
    if (plain.decided() && exponent_spread(e, h) <= modest_spread) return plain;
    Attempt balanced = attempt(scale_rows_and_columns(e, h), noise);
    if (balanced.scaled.lost)
        if (ScaledPencil all = scale_all_entries(e, h); !all.lost) balanced = attempt(std::move(all), noise);
    if (plain.decided() && balanced.decided() && plain.structure != balanced.structure)
        report.reasons.push_back("the structure depends on the scaling of rows and columns: entries of very different "
                                 "size decide whether small ones count as zero");
    // Entries lost in the plain scaling: only the balanced one sees them.
    if (plain.decided()) return plain;
    report.balanced = balanced.decided() || plain.scaled.lost;
    return report.balanced ? balanced : plain;
}

} // namespace

NullPolynomial null_polynomial(const Matrix& e, const Matrix& h, int degree) {
    const int m = e.rows(), n = e.cols(), count = degree + 1;
    constexpr long affordable = 1000; // columns of the dense matrix whose null space is wanted
    if (static_cast<long>(count) * n > affordable || static_cast<long>(count + 1) * m > 2 * affordable) return {};
    // H x₀ = 0, E x₀ + H x₁ = 0, …, E x_k = 0
    Matrix toeplitz((count + 1) * m, count * n);
    for (int k = 0; k < count; ++k) {
        toeplitz.set_block(k * m, k * n, h);
        toeplitz.set_block((k + 1) * m, k * n, e);
    }
    const auto s = linalg::singular_values(toeplitz);
    if (!s.converged || count * n == 0) return {};
    const auto last = s.v.column(count * n - 1);
    NullPolynomial x;
    for (int k = 0; k < count; ++k) x.emplace_back(last.begin() + k * n, last.begin() + (k + 1) * n);
    return x;
}

PencilReport analyze_pencil(const Matrix& e, const Matrix& h, const PencilOptions& options) {
    assert(e.rows() == h.rows() && e.cols() == h.cols());
    PencilReport report;
    report.rows = e.rows();
    report.cols = e.cols();
    if (!check_finite(e, "E", report) || !check_finite(h, "H", report)) return report;

    const Attempt a = best_attempt(e, h, options.noise, report);
    report.structure = a.structure;
    report.gaps = a.staircase.gaps;
    report.backward_error = a.staircase.dropped;
    if (!a.decided()) explain_gaps(a, report);
    if (a.staircase.ok) {
        cross_check(a, options.noise, report);
        report.eigenvalues = finite_eigenvalues(a.staircase, a.scaled);
    }
    report.decided = report.reasons.empty();
    if (!a.structure.regular()) find_null_polynomials(a, report);
    if (report.decided && a.structure.regular() && options.weierstrass) {
        report.weierstrass = weierstrass_form(a.staircase, a.scaled, e, h);
        if (report.weierstrass)
            report.backward_error = report.weierstrass->backward_error;
        else
            report.remarks.push_back("the Weierstrass form could not be computed within the range of numbers");
    }
    if (!report.eigenvalues) report.remarks.push_back("the finite eigenvalues could not be computed");
    return report;
}

} // namespace daedalus::analysis
