// sum += Σ w_i v_i, four vectors at a time: for the short vectors of small models each pass over `sum` costs as much as
// the arithmetic.
#pragma once

#include <cstddef>
#include <span>

namespace daedalus::integrate {

struct Term {
    double weight;
    const double* vector;
};

inline void add_combination(std::span<const Term> terms, std::size_t n, double* __restrict sum) {
    std::size_t i = 0;
    for (; i + 4 <= terms.size(); i += 4) {
        const double a = terms[i].weight, b = terms[i + 1].weight, c = terms[i + 2].weight, d = terms[i + 3].weight;
        const double *u = terms[i].vector, *v = terms[i + 1].vector, *w = terms[i + 2].vector, *x = terms[i + 3].vector;
        for (std::size_t k = 0; k < n; ++k) sum[k] += (a * u[k] + b * v[k]) + (c * w[k] + d * x[k]);
    }
    if (i + 2 <= terms.size()) {
        const double a = terms[i].weight, b = terms[i + 1].weight;
        const double *u = terms[i].vector, *v = terms[i + 1].vector;
        for (std::size_t k = 0; k < n; ++k) sum[k] += a * u[k] + b * v[k];
        i += 2;
    }
    if (i < terms.size()) {
        const double a = terms[i].weight;
        const double* u = terms[i].vector;
        for (std::size_t k = 0; k < n; ++k) sum[k] += a * u[k];
    }
}

} // namespace daedalus::integrate
