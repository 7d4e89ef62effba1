// Σ w_i v_i for the short vectors of small models: a few components stay in registers while all terms are added, in the
// order and with the roundings of plain loops over four terms, then two, then one.
#pragma once

#include <cstddef>
#include <span>

namespace daedalus::integrate {

struct Term {
    double weight;
    const double* vector;
};

/// sum = base + Σ w_i v_i; base may be `sum`, or null for zero.
void combine_terms(const double* base, std::span<const Term> terms, std::size_t n, double* sum);

} // namespace daedalus::integrate
