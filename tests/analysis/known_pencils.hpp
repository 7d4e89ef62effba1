// Pencils with a known Kronecker structure: canonical blocks, hidden by random well-conditioned transformations.
#pragma once

#include "analysis/pencil.hpp"

#include <random>

namespace daedalus::testing {

using linalg::Matrix;

struct KnownPencil {
    Matrix e, h;
    analysis::KroneckerStructure structure;
    std::vector<double> eigenvalues; ///< ascending
};

using Random = std::mt19937_64;

inline Matrix random_matrix(int rows, int cols, Random& random) {
    std::normal_distribution<double> normal;
    Matrix a(rows, cols);
    for (double& entry : a.entries()) entry = normal(random);
    return a;
}

/// Singular values between 1/spread and 1, so that its condition number is at most `spread`.
inline Matrix well_conditioned(int n, Random& random, double spread = 5.0) {
    if (n == 0) return Matrix(0, 0);
    auto s = linalg::singular_values(random_matrix(n, n, random));
    std::uniform_real_distribution<double> uniform(1.0 / spread, 1.0);
    Matrix scaled = s.u;
    for (int j = 0; j < n; ++j) {
        const double value = uniform(random);
        for (double& entry : scaled.column(j)) entry *= value;
    }
    return scaled * s.v.transposed();
}

inline Matrix random_orthogonal(int n, Random& random) {
    return linalg::singular_values(random_matrix(n, n, random)).u;
}

/// λ E + H in canonical form: finite diag(λ - λ_i), infinite (λ N + I), L_ε, L_ηᵀ.
inline KnownPencil canonical_pencil(analysis::KroneckerStructure structure, std::vector<double> eigenvalues) {
    int rows = static_cast<int>(eigenvalues.size()), cols = rows;
    structure.finite_size = rows;
    for (const int size : structure.infinite_blocks) rows += size, cols += size;
    for (const int size : structure.right_minimal_indices) rows += size, cols += size + 1;
    for (const int size : structure.left_minimal_indices) rows += size + 1, cols += size;
    std::sort(structure.infinite_blocks.rbegin(), structure.infinite_blocks.rend());
    std::sort(structure.right_minimal_indices.begin(), structure.right_minimal_indices.end());
    std::sort(structure.left_minimal_indices.begin(), structure.left_minimal_indices.end());
    std::sort(eigenvalues.begin(), eigenvalues.end());
    KnownPencil k{Matrix(rows, cols), Matrix(rows, cols), structure, eigenvalues};
    int i = 0, j = 0;
    for (const double lambda : eigenvalues) {
        k.e(i, j) = 1.0;
        k.h(i++, j++) = -lambda;
    }
    for (const int size : structure.infinite_blocks)
        for (int b = 0; b < size; ++b) {
            k.h(i, j) = 1.0;
            if (b + 1 < size) k.e(i, j + 1) = 1.0;
            ++i, ++j;
        }
    for (const int size : structure.right_minimal_indices) {
        for (int b = 0; b < size; ++b) {
            k.e(i + b, j + b) = 1.0;
            k.h(i + b, j + b + 1) = 1.0;
        }
        i += size, j += size + 1;
    }
    for (const int size : structure.left_minimal_indices) {
        for (int b = 0; b < size; ++b) {
            k.e(i + b, j + b) = 1.0;
            k.h(i + b + 1, j + b) = 1.0;
        }
        i += size + 1, j += size;
    }
    return k;
}

inline KnownPencil hidden(KnownPencil k, Random& random, double spread = 5.0) {
    const Matrix p = well_conditioned(k.e.rows(), random, spread), q = well_conditioned(k.e.cols(), random, spread);
    k.e = p * k.e * q;
    k.h = p * k.h * q;
    return k;
}

/// Regular, of this index (0: no infinite part), with `finite` well separated eigenvalues and some more blocks.
inline KnownPencil random_regular(int index, int finite, Random& random) {
    analysis::KroneckerStructure s;
    if (index > 0) {
        s.infinite_blocks.push_back(index);
        std::uniform_int_distribution<int> size(1, index), count(0, 3);
        for (int more = count(random); more > 0; --more) s.infinite_blocks.push_back(size(random));
    }
    std::vector<double> eigenvalues;
    std::uniform_real_distribution<double> shift(-0.2, 0.2);
    for (int i = 0; i < finite; ++i) eigenvalues.push_back(-3.0 + 5.0 * i / std::max(1, finite) + shift(random));
    return hidden(canonical_pencil(std::move(s), std::move(eigenvalues)), random);
}

} // namespace daedalus::testing
