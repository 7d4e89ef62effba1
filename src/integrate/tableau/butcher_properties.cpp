#include "integrate/tableau/butcher.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::tableau {

namespace {

using Real = long double;
using Row = std::vector<Real>;
constexpr Real noise = 1e-13L; // of sums of a few terms of size one whose tables were solved for

/// A^{-1}, or nothing where a pivot is noise.
std::optional<Row> inverse(Row A, int n) {
    const auto at = [n](int i, int j) { return static_cast<std::size_t>(i * n + j); };
    Row X(A.size());
    for (int i = 0; i < n; ++i) X[at(i, i)] = 1;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(A[at(i, k)]) > std::abs(A[at(pivot, k)])) pivot = i;
        if (std::abs(A[at(pivot, k)]) < 1e-12L) return std::nullopt;
        for (int j = 0; j < n; ++j) {
            std::swap(A[at(k, j)], A[at(pivot, j)]);
            std::swap(X[at(k, j)], X[at(pivot, j)]);
        }
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const Real factor = A[at(i, k)] / A[at(k, k)];
            for (int j = 0; j < n; ++j) {
                A[at(i, j)] -= factor * A[at(k, j)];
                X[at(i, j)] -= factor * X[at(k, j)];
            }
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) X[at(i, j)] /= A[at(i, i)];
    return X;
}

Row times(const Row& v, const Row& M, int n) { // v^T M
    Row w(v.size());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            w[static_cast<std::size_t>(j)] += v[static_cast<std::size_t>(i)] * M[static_cast<std::size_t>(i * n + j)];
    return w;
}

Real dot_power(const Row& w, const Row& c, int q) {
    Real sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * (q == 0 ? 1.0L : std::pow(c[i], static_cast<Real>(q)));
    return sum;
}

Real factorial(int n) { return n <= 1 ? 1.0L : static_cast<Real>(n) * factorial(n - 1); }

/// W (3.5). The last factor of the product printed in (3.5b) must be i - ν + 2: differentiating t^i ν - 1 times at 1
/// gives i! / (i-ν+1)!, as the special cases (3.10) and (3.14) have it.
int algebraic_order(const Row& b, const Row& A_inverse, const Row& c, int n, int nu) {
    std::vector<Row> w{b}; // b^T A^{-i}
    for (int i = 1; i <= nu; ++i) w.push_back(times(w.back(), A_inverse, n));
    const Row& last = w[static_cast<std::size_t>(nu)];
    const auto equal = [](Real x, Real y) { return std::abs(x - y) < 1e-10L * (1 + std::abs(y)); };
    for (int i = 1; i < nu; ++i)
        if (!equal(dot_power(w[static_cast<std::size_t>(i)], c, 0), dot_power(last, c, nu - i) / factorial(nu - i)))
            return nu - 1;
    int k = nu - 1;
    while (k < 20 && equal(dot_power(last, c, k + 1), factorial(k + 1) / factorial(k + 2 - nu))) ++k;
    return k;
}

} // namespace

ButcherProperties properties(const ButcherTableau& m) {
    const int s = m.stages;
    ButcherProperties p;
    const auto holds = [](Real x, Real y) { return std::abs(x - y) < noise; };
    while (p.B < 2 * s + 2 && holds(dot_power(m.b, m.c, p.B), 1.0L / (p.B + 1))) ++p.B;
    const auto row = [&](int i) { return Row(m.A.begin() + i * s, m.A.begin() + (i + 1) * s); };
    for (bool good = true; good && p.C <= s; p.C += good ? 1 : 0)
        for (int i = 0; i < s; ++i)
            good = good && holds(dot_power(row(i), m.c, p.C),
                                 std::pow(m.c[static_cast<std::size_t>(i)], p.C + 1.0L) / (p.C + 1));
    for (bool good = true; good && p.D <= s; p.D += good ? 1 : 0)
        for (int j = 0; j < s; ++j) {
            Real sum = 0;
            const auto jj = static_cast<std::size_t>(j);
            for (int i = 0; i < s; ++i) {
                const auto ii = static_cast<std::size_t>(i);
                sum += m.b[ii] * (p.D == 0 ? 1.0L : std::pow(m.c[ii], static_cast<Real>(p.D))) * m.a(i, j);
            }
            good = good && holds(sum, m.b[jj] * (1 - std::pow(m.c[jj], p.D + 1.0L)) / (p.D + 1));
        }
    p.explicit_first_stage = true;
    p.stiffly_accurate = holds(m.c.back(), 1); // Radau IA with one stage has b = last row, but at the wrong time
    for (int j = 0; j < s; ++j) {
        p.stiffly_accurate = p.stiffly_accurate && holds(m.a(s - 1, j), m.b[static_cast<std::size_t>(j)]);
        p.explicit_first_stage = p.explicit_first_stage && holds(m.a(0, j), 0);
    }
    if (const auto A_inverse = inverse(m.A, s)) {
        p.invertible = true;
        p.R_infinity = 1 - dot_power(times(m.b, *A_inverse, s), m.c, 0);
        if (std::abs(*p.R_infinity) < noise) p.R_infinity = 0;
        for (int nu = 1; nu <= 4; ++nu) p.algebraic_order.push_back(algebraic_order(m.b, *A_inverse, m.c, s, nu));
    }
    return p;
}

int order_by_trees(const ButcherTableau& m) {
    const int s = m.stages;
    const auto apply = [&](const Row& v) { // A v
        Row w(v.size());
        for (int i = 0; i < s; ++i)
            for (int j = 0; j < s; ++j) w[static_cast<std::size_t>(i)] += m.a(i, j) * v[static_cast<std::size_t>(j)];
        return w;
    };
    const auto product = [](const Row& v, const Row& w) {
        Row u(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) u[i] = v[i] * w[i];
        return u;
    };
    // Φ of a tree is 1 for the root alone; branches multiply, each branch is A Φ(subtree).
    const Row one(static_cast<std::size_t>(s), 1.0L);
    const Row c = apply(one), c2 = product(c, c), Ac = apply(c), Ac2 = apply(c2), AAc = apply(Ac);
    struct Condition {
        int order;
        Row phi;
        Real gamma;
    };
    const std::vector<Condition> conditions{{1, one, 1},
                                            {2, c, 2},
                                            {3, c2, 3},
                                            {3, Ac, 6},
                                            {4, product(c2, c), 4},
                                            {4, product(c, Ac), 8},
                                            {4, Ac2, 12},
                                            {4, AAc, 24},
                                            {5, product(c2, c2), 5},
                                            {5, product(c2, Ac), 10},
                                            {5, product(c, Ac2), 15},
                                            {5, product(c, AAc), 30},
                                            {5, product(Ac, Ac), 20},
                                            {5, apply(product(c2, c)), 20},
                                            {5, apply(product(c, Ac)), 40},
                                            {5, apply(Ac2), 60},
                                            {5, apply(AAc), 120}};
    int order = 5;
    for (const Condition& t : conditions) {
        Real sum = 0;
        for (std::size_t i = 0; i < m.b.size(); ++i) sum += m.b[i] * t.phi[i];
        if (std::abs(sum - 1 / t.gamma) > noise) order = std::min(order, t.order - 1);
    }
    return order;
}

} // namespace daedalus::tableau
