#include "integrate/tableau/butcher.hpp"

#include <cassert>
#include <cmath>

namespace daedalus::tableau {

namespace {

using Real = long double;
using Row = std::vector<Real>;

std::size_t at(int i, int j, int n) { return static_cast<std::size_t>(i * n + j); }

/// Legendre polynomial P_n on [0, 1] by its three-term recurrence.
Real legendre(int n, Real x) {
    Real previous = 0, current = 1;
    const Real z = 2 * x - 1;
    for (int k = 0; k < n; ++k) {
        const Real next = ((2 * k + 1) * z * current - k * previous) / (k + 1);
        previous = current;
        current = next;
    }
    return current;
}

Real node_polynomial(Family family, int s, Real x) {
    switch (family) {
    case Family::gauss: return legendre(s, x);
    case Family::radau_ia: return legendre(s, x) + legendre(s - 1, x);
    case Family::radau_iia: return legendre(s, x) - legendre(s - 1, x);
    default: return legendre(s, x) - legendre(s - 2, x); // Lobatto
    }
}

/// All zeros are real, simple and in [0, 1]; those at the ends are known exactly, the others bracketed and bisected.
Row nodes(Family family, int s) {
    const bool at_zero = family != Family::gauss && family != Family::radau_iia;
    const bool at_one = family != Family::gauss && family != Family::radau_ia;
    const auto f = [&](Real x) { return node_polynomial(family, s, x); };
    Row c;
    if (at_zero) c.push_back(0);
    constexpr int cells = 4000; // the closest zeros of degree 8 are 0.02 apart
    for (int k = 0; k < cells; ++k) {
        // Ends of the interval that are zeros themselves stay outside the open cells.
        Real low = (k + 0.25L) / cells, high = (k + 1.25L) / cells;
        if (high >= 1) high = 1 - 0.25L / cells;
        if (f(low) * f(high) > 0 || low >= high) continue;
        for (int bisection = 0; bisection < 70; ++bisection) {
            const Real middle = (low + high) / 2;
            (f(low) * f(middle) <= 0 ? high : low) = middle;
        }
        c.push_back((low + high) / 2);
    }
    if (at_one) c.push_back(1);
    assert(static_cast<int>(c.size()) == s);
    return c;
}

/// M x = r by elimination with partial pivoting; M row-major.
Row solve(Row M, Row r) {
    const int n = static_cast<int>(r.size());
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(M[at(i, k, n)]) > std::abs(M[at(pivot, k, n)])) pivot = i;
        for (int j = 0; j < n; ++j) std::swap(M[at(k, j, n)], M[at(pivot, j, n)]);
        std::swap(r[static_cast<std::size_t>(k)], r[static_cast<std::size_t>(pivot)]);
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const Real factor = M[at(i, k, n)] / M[at(k, k, n)];
            for (int j = k; j < n; ++j) M[at(i, j, n)] -= factor * M[at(k, j, n)];
            r[static_cast<std::size_t>(i)] -= factor * r[static_cast<std::size_t>(k)];
        }
    }
    for (int k = 0; k < n; ++k) r[static_cast<std::size_t>(k)] /= M[at(k, k, n)];
    return r;
}

/// Row q: c_j^q, q = 0 … m-1.
Row vandermonde(const Row& c) {
    const int n = static_cast<int>(c.size());
    Row V(c.size() * c.size());
    for (int q = 0; q < n; ++q)
        for (int j = 0; j < n; ++j) V[at(q, j, n)] = q == 0 ? 1 : V[at(q - 1, j, n)] * c[static_cast<std::size_t>(j)];
    return V;
}

Row weights(const Row& c) {
    Row r;
    for (std::size_t q = 1; q <= c.size(); ++q) r.push_back(1 / static_cast<Real>(q));
    return solve(vandermonde(c), r);
}

/// C(s): every row is a quadrature on [0, c_i].
Row matrix_from_C(const Row& c) {
    const int s = static_cast<int>(c.size());
    Row A;
    for (int i = 0; i < s; ++i) {
        Row r;
        Real p = 1;
        for (int q = 1; q <= s; ++q) r.push_back((p *= c[static_cast<std::size_t>(i)]) / q);
        for (const Real entry : solve(vandermonde(c), r)) A.push_back(entry);
    }
    return A;
}

/// D(s): unknowns b_i a_ij of one column.
Row matrix_from_D(const Row& c, const Row& b) {
    const int s = static_cast<int>(c.size());
    Row A(c.size() * c.size());
    for (int j = 0; j < s; ++j) {
        Row r;
        Real p = 1;
        for (int q = 1; q <= s; ++q)
            r.push_back(b[static_cast<std::size_t>(j)] * (1 - (p *= c[static_cast<std::size_t>(j)])) / q);
        const Row column = solve(vandermonde(c), r);
        for (int i = 0; i < s; ++i)
            A[at(i, j, s)] = column[static_cast<std::size_t>(i)] / b[static_cast<std::size_t>(i)];
    }
    return A;
}

/// Lobatto IIIC: a_i1 = b_1 and C(s-1) for the rest.
Row matrix_lobatto_iiic(const Row& c, const Row& b) {
    const int s = static_cast<int>(c.size());
    const Row rest(c.begin() + 1, c.end());
    Row A;
    for (int i = 0; i < s; ++i) {
        Row r;
        Real p = 1;
        for (int q = 1; q < s; ++q)
            r.push_back((p *= c[static_cast<std::size_t>(i)]) / q - (q == 1 ? b[0] : 0.0L)); // c_1 = 0
        A.push_back(b[0]);
        for (const Real entry : solve(vandermonde(rest), r)) A.push_back(entry);
    }
    return A;
}

constexpr struct {
    Family family;
    const char* id;
    const char* title;
    int less_than_2s; ///< order 2s - this
} names[] = {{Family::gauss, "gauss", "Gauss", 0},
             {Family::radau_ia, "radau1a", "Radau IA", 1},
             {Family::radau_iia, "radau2a", "Radau IIA", 1},
             {Family::lobatto_iiia, "lobatto3a", "Lobatto IIIA", 2},
             {Family::lobatto_iiib, "lobatto3b", "Lobatto IIIB", 2},
             {Family::lobatto_iiic, "lobatto3c", "Lobatto IIIC", 2}};

} // namespace

ButcherTableau make_family(Family family, int stages) {
    assert(stages >= 1 && stages <= 8);
    ButcherTableau m;
    for (const auto& entry : names) {
        if (entry.family != family) continue;
        m.id = entry.id + ("-" + std::to_string(stages));
        m.title = entry.title + (", " + std::to_string(stages)) + (stages == 1 ? " stage" : " stages");
        m.order = 2 * stages - entry.less_than_2s;
    }
    m.stages = stages;
    m.c = nodes(family, stages);
    m.b = weights(m.c);
    switch (family) {
    case Family::radau_ia:
    case Family::lobatto_iiib: m.A = matrix_from_D(m.c, m.b); break;
    case Family::lobatto_iiic: m.A = matrix_lobatto_iiic(m.c, m.b); break;
    default: m.A = matrix_from_C(m.c);
    }
    return m;
}

} // namespace daedalus::tableau
