// Strangeness index of E(t) x' + H(t) x = c(t) from its derivative arrays (Kunkel & Mehrmann 2006, chapter 3; GELDA):
// the equations and their first ℓ derivatives, M_ℓ (x', x'', …) = N_ℓ x + g_ℓ with
//     M_ij = (i over j) E^(i-j) + (i over j+1) H^(i-j-1) ,   N_i = -H^(i) ,   g_i = c^(i) .
// Of level ℓ, with Z spanning the left null space of M_ℓ,
//     a = rank Zᵀ N_ℓ            algebraic equations Zᵀ N x + Zᵀ g = 0,
//     d = rank E T               differential ones that remain, T spanning the null space of Zᵀ N_ℓ,
//     v                          combinations that vanish on the left, new at this level: conditions on c,
//     s = rows - a - d - v       what is still hidden.
// The strangeness index is the first level with s = 0; of a regular system it is the differentiation index less one
// (0 for both if E is invertible). u = cols - a - d unknowns stay undetermined.
#pragma once

#include "analysis/time_varying.hpp"

#include <string>

namespace daedalus::analysis {

struct StrangenessLevel {
    int level = 0;
    int rank_m = 0; ///< of M_ℓ
    int a = 0, d = 0, v = 0, s = 0, u = 0;
    std::vector<linalg::RankGap> gaps; ///< of M_ℓ, Zᵀ N and E T
};

struct StrangenessAnalysis {
    double t = 0.0;
    bool decided = false;
    int index = -1; ///< strangeness index, if decided
    std::vector<StrangenessLevel> levels;
    std::string reason; ///< why undecided

    [[nodiscard]] int a() const { return levels.back().a; }
    [[nodiscard]] int d() const { return levels.back().d; }
    [[nodiscard]] int u() const { return levels.back().u; }
    [[nodiscard]] int v() const { return levels.back().v; }
    /// As many equations as unknowns, none redundant, none undetermined.
    [[nodiscard]] bool regular() const { return decided && u() == 0 && v() == 0; }
    /// Of a regular system.
    [[nodiscard]] int differentiation_index() const { return a() == 0 ? 0 : index + 1; }
};

/// M_ℓ, N_ℓ, g_ℓ.
struct InflatedSystem {
    linalg::Matrix m, n;
    std::vector<double> g;
};
[[nodiscard]] InflatedSystem inflated_system(const TimeVaryingSystem& system, double t, int level);

/// At one time; derivatives up to `max_level` are used.
[[nodiscard]] StrangenessAnalysis strangeness_index(const TimeVaryingSystem& system, double t, int max_level = 8);

/// At many times: the characteristic values must be the same, else the times where they change.
struct StrangenessAlong {
    bool constant = false;
    StrangenessAnalysis first;
    std::vector<double> changes; ///< times at which the values differ from those at the time before, or are undecided
};
[[nodiscard]] StrangenessAlong strangeness_along(const TimeVaryingSystem& system, std::span<const double> times,
                                                 int max_level = 8);

} // namespace daedalus::analysis
