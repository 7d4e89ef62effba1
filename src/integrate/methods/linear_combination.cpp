#include "integrate/methods/linear_combination.hpp"

#include "linalg/wide.hpp"

#include <cstring>

namespace daedalus::integrate {

namespace {

using Pair = double __attribute__((vector_size(16)));
using Quad = double __attribute__((vector_size(32)));

template <class Lane>
[[gnu::always_inline]] inline void load(const double* from, Lane& lane) {
    std::memcpy(&lane, from, sizeof lane);
}

/// As many components as a lane has.
template <class Lane>
[[gnu::always_inline]] inline void combine_at(const double* base, const Term* term, std::size_t terms, std::size_t k,
                                              double* sum) {
    Lane total{}, u, v, w, x;
    if (base != nullptr) load(base + k, total);
    const Term* const end = term + terms;
    for (; term + 4 <= end; term += 4) {
        load(term[0].vector + k, u);
        load(term[1].vector + k, v);
        load(term[2].vector + k, w);
        load(term[3].vector + k, x);
        total += (term[0].weight * u + term[1].weight * v) + (term[2].weight * w + term[3].weight * x);
    }
    if (term + 2 <= end) {
        load(term[0].vector + k, u);
        load(term[1].vector + k, v);
        total += term[0].weight * u + term[1].weight * v;
        term += 2;
    }
    if (term < end) {
        load(term[0].vector + k, u);
        total += term[0].weight * u;
    }
    std::memcpy(sum + k, &total, sizeof total);
}

} // namespace

DAEDALUS_WIDE void combine_terms(const double* base, std::span<const Term> terms, std::size_t n, double* sum) {
    const Term* const first = terms.data();
    const std::size_t count = terms.size();
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4) combine_at<Quad>(base, first, count, k, sum);
    if (k + 2 <= n) {
        combine_at<Pair>(base, first, count, k, sum);
        k += 2;
    }
    if (k < n) combine_at<double>(base, first, count, k, sum);
}

} // namespace daedalus::integrate
