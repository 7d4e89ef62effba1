// Pryce's Σ-method (Pryce, BIT 41, 2001): from the signature matrix σ of a square DAE
//   * a highest-value transversal (HVT): a perfect matching T that maximises Σ_{(i,j)∈T} σ_ij. The value is the number
//     of degrees of freedom of a structurally regular system;
//   * the canonical offsets: the smallest c_i ≥ 0, d_j ≥ 0 with d_j − c_i ≥ σ_ij, with equality on T. Equation i has
//     to be differentiated c_i times, and variable j then appears up to its d_j-th derivative;
//   * the structural index ν = max c_i + (1 if some d_j = 0 else 0);
//   * the structure of the system Jacobian, S0 = {(i,j): d_j − c_i = σ_ij}. If the Jacobian with this structure is
//     nonsingular at a consistent point, the results are exact there (Pryce 2001, Theorem 4.2); if not, they are not.
//
// Algorithm. T and (c, d) are primal and dual solutions of an assignment problem. Starting from c = 0, d_j = max_i
// σ_ij, alternate (a) Hopcroft–Karp on the tight entries and (b) one shortest-path search on the slacks d_j − c_i −
// σ_ij from all free rows at once, whose distances are subtracted from the duals so that each free column reached lies
// at the end of a tight path. Only complementary slackness on the perfect matching matters in the end, so in (b) every
// distance may be used, not only the shortest; few rounds suffice in practice (counted in `rounds`). The least offsets
// are longest paths from c = 0, again with nonnegative losses: one more search, instead of the fixed-point iteration
// that costs ν passes.
#pragma once

#include "structure/incidence.hpp"
#include "structure/matching.hpp"

#include <cstdint>
#include <vector>

namespace daedalus::structure {

struct SignatureAnalysis {
    bool regular = false;      ///< a transversal exists; if not, only `transversal` (of maximum size) is meaningful
    Matching transversal;      ///< rows: equations, columns: variables
    std::int64_t value = 0;    ///< Σ σ on the transversal = Σ d − Σ c = degrees of freedom
    std::vector<int> c;        ///< differentiations of each equation
    std::vector<int> d;        ///< highest derivative of each variable afterwards
    int structural_index = 0;  ///< ν
    int rounds = 0;            ///< work: alternations of matching and search
    Incidence system_jacobian; ///< S0
};

/// Analyses a square system. An empty system is regular with index 0.
[[nodiscard]] SignatureAnalysis signature_method(const SignatureMatrix& sigma);

/// S0 for given offsets.
[[nodiscard]] Incidence system_jacobian(const SignatureMatrix& sigma, const std::vector<int>& c,
                                        const std::vector<int>& d);

/// Canonical (least, nonnegative) offsets for a given highest-value transversal, by Pryce's fixed-point iteration as
/// printed (2001, Algorithm 3.1); at most `max_passes` passes, empty if that is not enough, which proves that the
/// transversal is not of highest value when max_passes ≥ n · max σ + 1. Slow where the index is high: an oracle.
struct Offsets {
    std::vector<int> c, d;
};
[[nodiscard]] Offsets fixed_point_offsets(const SignatureMatrix& sigma, const Matching& transversal, int max_passes);

} // namespace daedalus::structure
