#include "analysis/singular_exponents.hpp"

#include "linalg/generalized_schur.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

constexpr double smallest = 0.01; // exponents below it double a difference over thirty decades only
// From one distance to the next, where these are a factor of √10 apart, an exponent stays or grows. Where M⁻¹ J can be
// integrated, as τ^(-1/2) can, it shrinks to 0.56, or faster.
constexpr double stays = 0.8;
constexpr double same = 0.02; // what is a power has settled to this

/// A e + B of the pencil, in rows of largest entry 1.
struct Pencil {
    Matrix A, B;
    bool usable = true;
};

Pencil pencil(const SingularLinearisation& at, std::span<const double> powers) {
    Pencil p{at.M, at.J};
    const int n = p.A.rows();
    for (int i = 0; i < n; ++i) {
        double size = 0.0;
        for (int j = 0; j < n; ++j) {
            p.A(i, j) /= at.tau;
            if (!powers.empty()) p.B(i, j) += p.A(i, j) * powers[static_cast<std::size_t>(j)];
            size = std::max({size, std::abs(p.A(i, j)), std::abs(p.B(i, j))});
        }
        p.usable = p.usable && size > 0.0 && std::isfinite(size);
        for (int j = 0; j < n && p.usable; ++j) {
            p.A(i, j) /= size;
            p.B(i, j) /= size;
        }
    }
    return p;
}

/// Finite eigenvalues with positive real part, largest first.
std::vector<std::complex<double>> exponents(const Pencil& p) {
    std::vector<std::complex<double>> list;
    if (!p.usable) return list;
    Matrix negative = p.B;
    negative *= -1.0;
    const linalg::GeneralizedSchur schur = linalg::generalized_schur(negative, p.A, false);
    if (!schur.converged) return list;
    constexpr double infinite = 1e-10; // what rounding leaves of the zeros of an algebraic part
    for (std::size_t k = 0; k < schur.alpha.size(); ++k) {
        if (std::abs(schur.beta[k]) <= infinite * std::abs(schur.alpha[k])) continue;
        const std::complex<double> e = schur.alpha[k] / schur.beta[k];
        if (e.real() > 0.0 && e.imag() >= 0.0) list.push_back(e); // one of a pair
    }
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.real() > b.real(); });
    return list;
}

/// Null vector of A e + B.
std::vector<double> solution(const Pencil& p, double e) {
    Matrix sum = p.A;
    sum *= e;
    sum += p.B;
    constexpr double all = 2.0; // the last one is that of the smallest singular value
    const linalg::RankDecision rank = linalg::rank_by_svd(sum.view(), all);
    return rank.right_null.empty() ? std::vector<double>() : rank.right_null.back();
}

/// The powers by which components differ, and whether they are the same between all distances. What has no derivative
/// follows the others.
bool find_powers(std::span<const SingularLinearisation> at, const std::vector<std::vector<double>>& solutions,
                 std::vector<double>& powers) {
    constexpr double settled = 0.1, tiny = 1e-9;
    const std::size_t n = solutions.front().size();
    powers.assign(n, 0.0);
    std::vector<char> differentiated(n, 0);
    for (std::size_t j = 0; j < n; ++j)
        for (int i = 0; i < at[0].M.rows(); ++i)
            if (at[0].M(i, static_cast<int>(j)) != 0.0) differentiated[j] = 1;
    std::vector<double> size(at.size(), 0.0);
    for (std::size_t k = 0; k < at.size(); ++k)
        for (std::size_t j = 0; j < n; ++j)
            if (differentiated[j] != 0) size[k] = std::max(size[k], std::abs(solutions[k][j]));
    for (std::size_t j = 0; j < n; ++j) {
        if (differentiated[j] == 0) continue;
        for (std::size_t k = 1; k < at.size(); ++k) {
            const double before = std::abs(solutions[k - 1][j]) / size[k - 1],
                         now = std::abs(solutions[k][j]) / size[k];
            const double power =
                before > tiny && now > tiny ? std::log(now / before) / std::log(at[k].tau / at[k - 1].tau) : 0.0;
            if (k > 1 && std::abs(power - powers[j]) > settled) return false;
            powers[j] = power;
        }
    }
    return true;
}

/// Of the i-th exponent of each distance.
std::optional<PartingSolutions> follow(std::span<const SingularLinearisation> at,
                                       const std::vector<std::vector<std::complex<double>>>& all, std::size_t i) {
    std::vector<std::vector<double>> solutions;
    bool power = true, real = true;
    for (std::size_t k = 0; k < at.size(); ++k) {
        const double e = all[k][i].real(), before = k > 0 ? all[k - 1][i].real() : e;
        if (e < smallest || e < stays * before) return std::nullopt;
        power = power && std::abs(e - before) <= same * e;
        real = real && all[k][i].imag() == 0.0;
        if (real) solutions.push_back(solution(pencil(at[k], {}), e));
        if (real && solutions.back().empty()) return std::nullopt;
    }
    const PartingSolutions as_is{all.back()[i].real(), power};
    std::vector<double> powers;
    if (!real) return power ? std::optional(as_is) : std::nullopt;
    if (!find_powers(at, solutions, powers)) return std::nullopt;
    const auto [least, most] = std::minmax_element(powers.begin(), powers.end());
    constexpr double none = 0.1;
    if (*most - *least < none) return as_is;
    const auto scaled = exponents(pencil(at.back(), powers));
    const double e = (scaled.empty() ? 0.0 : scaled.front().real()) + *least;
    return e >= smallest ? std::optional(PartingSolutions{e, power}) : std::nullopt;
}

} // namespace

double largest_exponent(const SingularLinearisation& at) {
    const auto list = exponents(pencil(at, {}));
    return list.empty() ? 0.0 : list.front().real();
}

std::optional<PartingSolutions> parting_solutions(std::span<const SingularLinearisation> at) {
    std::vector<std::vector<std::complex<double>>> all;
    for (const SingularLinearisation& one : at) all.push_back(exponents(pencil(one, {})));
    std::size_t count = all.empty() ? 0 : all.front().size();
    for (const auto& list : all) count = std::min(count, list.size());
    for (std::size_t i = 0; i < count; ++i)
        if (auto found = follow(at, all, i)) return found;
    return std::nullopt;
}

} // namespace daedalus::analysis
