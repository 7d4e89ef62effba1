// Differentiation index and strangeness index from derivative arrays, order by order: ν is the smallest k for which F_k
// = 0 determines x' (HW Def. 1.2 with A1–A3), μ the smallest k for which F_k contains a strangeness-free system (Kunkel
// & Mehrmann 1998, Hypothesis 3.2), with d differential and a algebraic equations and v redundant ones. Where the
// ranks at the point differ from those beside it (A2), the point is singular, and the generic index is given.
#pragma once

#include "analysis/derivative_array_point.hpp"
#include "analysis/derivative_array_ranks.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::analysis {

struct IndexOptions {
    int max_order = 12; ///< differentiations tried
    int max_rows = 900; ///< of an array: an SVD takes cubic time
    int neighbours = 2; ///< points beside the given one at which ranks are compared
    unsigned seed = 1;  ///< of the directions in which they lie
};

struct ArrayIndex {
    std::optional<int> differentiation; ///< ν
    std::optional<int> strangeness;     ///< μ
    std::string reason;                 ///< how found, or why it is not known
    int differential = 0;               ///< d: degrees of freedom
    int algebraic = 0;                  ///< a
    int vanishing = 0;                  ///< v: redundant equations; the solution is then not unique
    std::vector<int> per_unknown;       ///< differentiations after which x_i' is determined; -1: never
    std::vector<ArrayRanks> by_order;   ///< evidence, order 0 … the last one looked at
    bool constant_rank = true;          ///< A2, as far as neighbours show
    bool full_row_rank = true;          ///< A3, at every order
    bool decided = true;
    ArrayPoint point; ///< of the last order
    std::vector<std::string> warnings;
};

/// A consistent point of the given order; nothing, with a reason, where there is none.
struct PointSource {
    std::function<std::optional<std::vector<double>>(int order, std::string& why_not)> at;
};

/// At a point that `source` gives per order (consistent initial values, usually).
[[nodiscard]] ArrayIndex array_index(problem::DerivativeArray& array, double t, const PointSource& source,
                                     const IndexOptions& options = {});
/// From a guess of x (and derivatives), by Gauss–Newton.
[[nodiscard]] ArrayIndex array_index(problem::DerivativeArray& array, double t, std::span<const double> guess,
                                     const IndexOptions& options = {});

/// One sample of a trajectory and what its array says.
struct ArraySample {
    double t = 0.0;
    bool evaluated = false;
    bool same = true;      ///< ranks as at the start
    double smallest = 0.0; ///< smallest singular value that counts, relative to the largest
    double leak = 0.0;
};
struct ArrayMonitor {
    std::vector<ArraySample> samples;
    std::vector<std::string> events; ///< "the index changes near t = …"
    std::optional<double> change;    ///< the first time of one
};
/// What the Jacobians of an array depend on; of linear systems on time alone.
enum class Coefficients { of_solution, of_time };
/// Ranks along a trajectory x(t), compared with `index` (found at its start). An index that is another one from some
/// time on is told from a singular point, where ranks drop for an instant; both with their time.
[[nodiscard]] ArrayMonitor monitor_index(problem::DerivativeArray& array, const ArrayIndex& index,
                                         std::span<const double> times,
                                         const std::function<std::vector<double>(double t)>& x,
                                         Coefficients coefficients = Coefficients::of_solution);

} // namespace daedalus::analysis
