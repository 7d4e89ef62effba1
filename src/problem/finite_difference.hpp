// Jacobians by finite differences: columns that share no row are perturbed together (Curtis, Powell & Reid 1974), so
// that a banded Jacobian of any size costs a handful of evaluations.
//
// Increments: forward differences with h = √ε·size lose half of the digits; central differences with h = ε^⅓·size
// lose a third, for twice the evaluations. Where the function is computed with a relative error η above round-off
// (tables, iterations, other people's integrators), η takes the place of ε.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <span>
#include <vector>

namespace daedalus::problem {

/// A partition of the columns such that no two columns of a group have an entry in the same row.
struct ColumnGroups {
    int count = 0;
    std::vector<int> group; ///< per column; -1 for empty columns
};

/// Greedy in order of decreasing column length; never worse than the longest row by much in practice.
[[nodiscard]] ColumnGroups group_columns(const SparsityPattern& pattern);

/// A function R^n → R^m as plain code and memory; false where it has no value.
struct PointFunction {
    void* context = nullptr;
    bool (*call)(void* context, const double* x, double* r) = nullptr;
};

enum class DifferenceScheme { forward, central };

/// Relative error to expect of the entries.
[[nodiscard]] double difference_error(DifferenceScheme scheme, double noise = 0.0);

/// Noise of f near x in units of its variation when x changes by its own size: the largest over the components. From
/// differences of high order along a line, to which smooth functions contribute nothing (Moré & Wild 2011). Round-off
/// and what cannot be told from it count as 0.
[[nodiscard]] double relative_noise(PointFunction f, std::span<const double> x, std::span<const double> size,
                                    std::size_t components);

class DifferenceJacobian {
public:
    DifferenceJacobian(SparsityPattern pattern, DifferenceScheme scheme);
    /// Increments for functions with this much noise (see relative_noise).
    void expect_noise(double noise);

    /// Values on the pattern at x, where the function has the value r0. `size`: typical magnitude per column. Where a
    /// perturbed point has no value the other side is tried; false if neither has one.
    [[nodiscard]] bool evaluate(PointFunction f, std::span<const double> x, std::span<const double> size,
                                std::span<const double> r0, std::span<double> values);
    [[nodiscard]] const SparsityPattern& pattern() const { return pattern_; }
    [[nodiscard]] const ColumnGroups& groups() const { return groups_; }
    [[nodiscard]] long evaluations() const { return evaluations_; }

private:
    [[nodiscard]] bool perturbed(PointFunction f, std::span<const double> x, int group, double sign,
                                 std::span<double> r);

    SparsityPattern pattern_;
    DifferenceScheme scheme_;
    double relative_increment_;
    ColumnGroups groups_;
    std::vector<int> member_; ///< columns sorted by group
    std::vector<int> member_start_;
    std::vector<double> x_, up_, down_, increment_;
    long evaluations_ = 0;
};

} // namespace daedalus::problem
