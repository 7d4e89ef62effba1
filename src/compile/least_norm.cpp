#include "compile/least_norm.hpp"

#include "expr/differentiate.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace daedalus::compile {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

void remove(const Vector& direction, Vector& from) {
    const double along = dot(direction, from);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= along * direction[i];
}

/// Gram–Schmidt with pivoting: `count` orthonormal vectors out of `vectors`, orthogonal to those in `basis`, which
/// takes them up. Orthogonalised twice, which is enough (Kahan).
void extend(std::vector<Vector>& basis, std::vector<Vector> vectors, std::size_t count) {
    for (Vector& v : vectors)
        for (int twice = 0; twice < 2; ++twice)
            for (const Vector& b : basis) remove(b, v);
    for (std::size_t k = 0; k < count && !vectors.empty(); ++k) {
        const auto top = std::max_element(vectors.begin(), vectors.end(),
                                          [](const Vector& a, const Vector& b) { return dot(a, a) < dot(b, b); });
        Vector v = std::move(*top);
        vectors.erase(top);
        for (const Vector& b : basis) remove(b, v);
        const double norm = std::sqrt(dot(v, v));
        if (!(norm > 0.0)) return;
        for (double& x : v) x /= norm;
        for (Vector& other : vectors) remove(v, other);
        basis.push_back(std::move(v));
    }
}

} // namespace

std::vector<expr::NodeId> open_matrix(const model::Model& model) {
    expr::Graph& g = *model.graph;
    const std::vector<int>& variables = model.least_norm.variables;
    std::unordered_map<int, std::size_t> place;
    for (std::size_t k = 0; k < variables.size(); ++k) place.emplace(variables[k], k);
    std::vector<expr::NodeId> matrix;
    for (const model::Equation& e : model.equations) {
        std::vector<expr::NodeId> row(variables.size(), g.constant(0.0));
        bool any = false;
        for (const expr::Partial& p : expr::gradient(g, g.sub(e.left, e.right))) {
            const auto found = place.find(g.variable_id(p.leaf));
            if (found == place.end()) continue;
            row[found->second] = p.value;
            any = true;
        }
        if (any) matrix.insert(matrix.end(), row.begin(), row.end());
    }
    return matrix;
}

void take_least_norm(std::span<const double> matrix, std::span<const double> weights, int freedom,
                     std::vector<double>& u) {
    const std::size_t n = u.size();
    const std::size_t rank = n - static_cast<std::size_t>(freedom);
    std::vector<Vector> rows, units;
    for (std::size_t at = 0; at + n <= matrix.size(); at += n) {
        Vector row(matrix.begin() + static_cast<std::ptrdiff_t>(at),
                   matrix.begin() + static_cast<std::ptrdiff_t>(at + n));
        const double norm = std::sqrt(dot(row, row));
        if (norm > 0.0)
            for (double& x : row) x /= norm; // the unit of an equation is nobody's choice
        rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < n; ++i) {
        units.emplace_back(n, 0.0);
        units.back()[i] = 1.0;
    }
    std::vector<Vector> basis;
    extend(basis, std::move(rows), rank);
    if (basis.size() != rank) return; // a singular position: all of the family are as good
    extend(basis, std::move(units), n - rank);
    // min ‖D (u − V s)‖ with the columns of D V made orthonormal, the same operations on V.
    std::vector<Vector> V(basis.begin() + static_cast<std::ptrdiff_t>(rank), basis.end());
    const auto weighted = [&](const Vector& v) {
        Vector result(n);
        for (std::size_t i = 0; i < n; ++i) result[i] = weights[i] * v[i];
        return result;
    };
    for (std::size_t k = 0; k < V.size(); ++k) {
        for (int twice = 0; twice < 2; ++twice)
            for (std::size_t l = 0; l < k; ++l) {
                const double along = dot(weighted(V[l]), weighted(V[k]));
                for (std::size_t i = 0; i < n; ++i) V[k][i] -= along * V[l][i];
            }
        const Vector w = weighted(V[k]);
        const double norm = std::sqrt(dot(w, w));
        if (!(norm > 0.0)) return;
        for (double& x : V[k]) x /= norm;
        const double along = dot(weighted(V[k]), weighted(u));
        for (std::size_t i = 0; i < n; ++i) u[i] -= along * V[k][i];
    }
}

} // namespace daedalus::compile
