// Restarted GMRES with modified Gram–Schmidt orthogonalisation (Saad & Schultz, SIAM J. Sci. Stat. Comput. 7 (1986)
// 856): solves A u = b where nothing is known of A but its products. Vectors may be parts of larger ones; the inner
// product is the caller's.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::linalg {

struct GmresLimits {
    // Directions kept before it begins anew: the customary 30 (PETSc's default); nine restarts more are tried.
    int directions = 30;
    int cycles = 10;
};

template <class Scalar>
class Gmres {
public:
    /// y = A u; false: it has no value.
    using Multiply = std::function<bool(const Scalar* u, Scalar* y)>;
    /// Σ conj(a) b
    using Inner = std::function<Scalar(const Scalar* a, const Scalar* b)>;

    Gmres(std::size_t n, Multiply multiply, Inner inner, GmresLimits limits = {})
        : n_(n), multiply_(std::move(multiply)), inner_(std::move(inner)), limits_(limits),
          basis_((static_cast<std::size_t>(limits.directions) + 1) * n), u_(n) {}

    /// u with |b - A u| ≤ wanted |b|, or where restarts do not get there, ≤ enough |b|; null: not found.
    [[nodiscard]] const Scalar* solve(std::span<const Scalar> b, double wanted, double enough) {
        std::fill(u_.begin(), u_.end(), Scalar{});
        right_.assign(b.begin(), b.end());
        const double size = norm(right_.data());
        if (size == 0.0) return u_.data();
        if (!std::isfinite(size)) return nullptr;
        double left = size, before = HUGE_VAL;
        // What the rotations say is left is checked by a product before it is believed.
        for (int cycle = 0; cycle <= limits_.cycles; ++cycle) {
            if (!begin(left)) return nullptr;
            const bool stuck = cycle == limits_.cycles || left > stagnation * before;
            if (left <= wanted * size || (left <= enough * size && stuck)) return u_.data();
            before = left;
            if (cycle < limits_.cycles && !improve(wanted * size, left)) return nullptr;
        }
        return nullptr;
    }

private:
    static constexpr double stagnation = 0.5; // a cycle that leaves more than this share is not worth another

    [[nodiscard]] Scalar* direction(int k) { return basis_.data() + static_cast<std::size_t>(k) * n_; }
    [[nodiscard]] double norm(const Scalar* v) const { return std::sqrt(std::abs(inner_(v, v))); }

    /// The first direction is what is left of the right side.
    [[nodiscard]] bool begin(double& left) {
        Scalar* const first = direction(0);
        if (!multiply_(u_.data(), first)) return false;
        for (std::size_t k = 0; k < n_; ++k) first[k] = right_[k] - first[k];
        left = norm(first);
        return std::isfinite(left);
    }
    /// One cycle: u_ becomes better.
    [[nodiscard]] bool improve(double goal, double left) {
        scale(direction(0), left);
        std::vector<Scalar> g{Scalar(left)};
        std::vector<std::vector<Scalar>> triangle; // columns of R
        std::vector<std::pair<double, Scalar>> rotations;
        while (static_cast<int>(triangle.size()) < limits_.directions && std::abs(g.back()) > goal) {
            std::vector<Scalar> column;
            if (!extend(static_cast<int>(triangle.size()), column)) return false;
            rotate(column, rotations, g);
            triangle.push_back(std::move(column));
        }
        return add_combination(triangle, g);
    }
    void scale(Scalar* v, double size) const {
        if (size == 0.0) return;
        for (std::size_t k = 0; k < n_; ++k) v[k] /= size;
    }
    /// Another direction, orthogonal to those before; its coefficients are a column of Hessenberg's matrix.
    [[nodiscard]] bool extend(int last, std::vector<Scalar>& column) {
        Scalar* const next = direction(last + 1);
        if (!multiply_(direction(last), next)) return false;
        for (int i = 0; i <= last; ++i) {
            const Scalar h = inner_(direction(i), next);
            column.push_back(h);
            for (std::size_t k = 0; k < n_; ++k) next[k] -= h * direction(i)[k];
        }
        const double size = norm(next);
        if (!std::isfinite(size)) return false;
        column.emplace_back(size);
        scale(next, size);
        return true;
    }
    static double conjugate(double a) { return a; }
    static std::complex<double> conjugate(std::complex<double> a) { return std::conj(a); }
    /// Givens rotations make the matrix triangular, and the right side follows.
    static void rotate(std::vector<Scalar>& column, std::vector<std::pair<double, Scalar>>& rotations,
                       std::vector<Scalar>& g) {
        const auto turn = [](const std::pair<double, Scalar>& r, Scalar& a, Scalar& b) {
            const Scalar old = a;
            a = r.first * old + r.second * b;
            b = r.first * b - conjugate(r.second) * old;
        };
        for (std::size_t i = 0; i < rotations.size(); ++i) turn(rotations[i], column[i], column[i + 1]);
        const Scalar a = column[column.size() - 2], b = column.back();
        const double size = std::hypot(std::abs(a), std::abs(b));
        // c real, s = (a/|a|) conj(b) / size: c a + s b = (a/|a|) size, c b - conj(s) a = 0.
        const Scalar sign = std::abs(a) > 0.0 ? a / std::abs(a) : Scalar(1.0);
        std::pair<double, Scalar> r{1.0, Scalar{}};
        if (size > 0.0) r = {std::abs(a) / size, sign * conjugate(b) / size};
        rotations.push_back(r);
        g.emplace_back();
        turn(r, column[column.size() - 2], column.back());
        turn(r, g[g.size() - 2], g.back());
    }
    [[nodiscard]] bool add_combination(const std::vector<std::vector<Scalar>>& triangle, std::vector<Scalar>& g) {
        for (std::size_t i = triangle.size(); i-- > 0;) {
            if (std::abs(triangle[i][i]) == 0.0) return false; // singular
            g[i] /= triangle[i][i];
            for (std::size_t j = 0; j < i; ++j) g[j] -= triangle[i][j] * g[i];
        }
        for (std::size_t i = 0; i < triangle.size(); ++i)
            for (std::size_t k = 0; k < n_; ++k) u_[k] += g[i] * direction(static_cast<int>(i))[k];
        return true;
    }

    const std::size_t n_;
    const Multiply multiply_;
    const Inner inner_;
    const GmresLimits limits_;
    std::vector<Scalar> basis_, u_, right_;
};

} // namespace daedalus::linalg
