// Whether factors solve their system. Threshold pivoting bounds the growth of one elimination, not of thousands, and a
// factorisation that lost all digits reports success like any other: one system is solved with it and its residual
// looked at, in the componentwise measure of Oettli & Prager (1964) as in backward_error.hpp.
//
// Where digits were lost and not all, steps of iterative refinement win them back (Skeel 1980). Factors that solve one
// system need not solve others as well where pivots or growth are of very different sizes: rows whose terms are small
// are drowned by the round-off of large ones. The solutions of such factors are watched until one is found good.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace daedalus::linalg {

enum class Factors {
    accurate,
    to_be_refined, ///< each solution is
    useless
};

template <class Scalar>
class SolutionCheck {
public:
    explicit SolutionCheck(std::size_t n) : b_(n), x_(n), r_(n), size_(n) {}

    /// `solve(b)`: b := A⁻¹ b by the factors of the matrix with these values.
    template <class Solve>
    [[nodiscard]] Factors judge(const SparsityPattern& p, std::span<const Scalar> a, const Solve& solve) {
        // Signs without a pattern: a right-hand side that is orthogonal to what went wrong would show nothing.
        std::vector<Scalar>& b = b_;
        unsigned random = 12345;
        for (Scalar& v : b) {
            random = random * 1103515245U + 12345U;
            v = Scalar((random >> 16U) % 2 == 0 ? 1.0 : -1.0);
        }
        x_ = b;
        solve(std::span<Scalar>(x_));
        double error = residual(p, a, b, false);
        if (error <= acceptable) return Factors::accurate;
        for (int k = 0; k < refinements && std::isfinite(error); ++k) {
            correct(solve);
            error = residual(p, a, b, false);
        }
        return error <= acceptable ? Factors::to_be_refined : Factors::useless;
    }

    /// Of the factors that solve_watched() will be given. `growth`: of entries by elimination (reciprocal), `pivots`:
    /// the smallest over the largest.
    void watch(Factors factors, double growth, double pivots) {
        always_ = factors != Factors::accurate;
        watched_[0] = watched_[1] = always_ || !(growth * most_growth >= 1.0) || !(pivots >= least_pivot);
    }

    /// b := A⁻¹ b (or A⁻ᵀ b), with refinement where the factors are watched.
    template <class Solve>
    void solve_watched(const SparsityPattern& p, std::span<const Scalar> a, std::span<Scalar> b, const Solve& solve,
                       bool transposed) {
        if (!watched_[transposed ? 1 : 0]) return solve(b);
        const bool good = this->solve(p, a, b, solve, transposed);
        if (good && !always_) watched_[transposed ? 1 : 0] = false;
    }

    /// b := A⁻¹ b (or A⁻ᵀ b) with refinement; true if none was needed.
    template <class Solve>
    bool solve(const SparsityPattern& p, std::span<const Scalar> a, std::span<Scalar> b, const Solve& solve,
               bool transposed) {
        b_.assign(b.begin(), b.end());
        x_ = b_;
        solve(std::span<Scalar>(x_));
        double before = HUGE_VAL;
        for (int k = 0; k <= refinements; ++k) {
            const double error = residual(p, a, b_, transposed);
            if (error >= before) { // the last step was no help
                std::copy(best_.begin(), best_.end(), b.begin());
                return false;
            }
            if (error <= round_off || k == refinements) {
                std::copy(x_.begin(), x_.end(), b.begin());
                return k == 0;
            }
            best_ = x_;
            before = error;
            correct(solve);
        }
        return false;
    }

private:
    // Half of the digits: Newton's iteration converges with such a matrix as with the exact one.
    static constexpr double acceptable = 1e-8;
    static constexpr double round_off = 1e-13; // what elimination with pivoting usually leaves
    // As in straight_line_lu.cpp: what threshold pivoting makes entries grow, and a pivot of a matrix so close to a
    // singular one that a large part of the solution passes through rows it does not belong to.
    static constexpr double most_growth = 256.0, least_pivot = 1e-6;
    static constexpr int refinements = 3;

    /// r := b - A x; returns the backward error, infinite where x is not finite.
    double residual(const SparsityPattern& p, std::span<const Scalar> a, const std::vector<Scalar>& b,
                    bool transposed) {
        for (std::size_t i = 0; i < b.size(); ++i) {
            r_[i] = b[i];
            size_[i] = std::abs(b[i]);
        }
        for (std::size_t j = 0; j < b.size(); ++j)
            for (auto k = static_cast<std::size_t>(p.column_start[j]);
                 k < static_cast<std::size_t>(p.column_start[j + 1]); ++k) {
                const auto i = static_cast<std::size_t>(p.row_index[k]);
                const std::size_t to = transposed ? j : i, from = transposed ? i : j;
                const Scalar term = a[k] * x_[from];
                r_[to] -= term;
                size_[to] += std::abs(term);
            }
        double worst = 0.0;
        for (std::size_t i = 0; i < b.size(); ++i)
            if (const double r = std::abs(r_[i]); !(r <= worst * size_[i])) {
                if (!std::isfinite(r) || !std::isfinite(size_[i])) return HUGE_VAL;
                worst = r / size_[i];
            }
        return worst;
    }
    template <class Solve>
    void correct(const Solve& solve) {
        solve(std::span<Scalar>(r_));
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += r_[i];
    }

    std::vector<Scalar> b_, x_, r_;
    std::vector<Scalar> best_; ///< made where a solution is refined for the first time
    std::vector<double> size_;
    bool always_ = false;
    bool watched_[2] = {false, false}; ///< solutions of A x = b, of Aᵀ x = b
};

} // namespace daedalus::linalg
