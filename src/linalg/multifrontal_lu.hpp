// Sparse LU with pivots that are given, in dense pieces (multifrontal: Duff & Reid 1983, Liu 1992). Where factors are
// large, most of the work is products of dense matrices, which registers and caches like; KLU's columns are gathered
// and scattered entry by entry. Pivots are not searched for: whoever owns this looks at what became of them.
#pragma once

#include "linalg/front_tree.hpp"

#include <span>
#include <vector>

namespace daedalus::linalg {

class MultifrontalLu {
public:
    /// Not usable() if the pattern of A + Aᵀ would fill L with more than `most_entries`.
    MultifrontalLu(const SparsityPattern& pattern, PivotOrder order, double most_entries);
    [[nodiscard]] bool usable() const { return tree_.usable; }

    /// False: a pivot is zero or not finite.
    [[nodiscard]] bool factor(std::span<const double> values);
    void solve(std::span<double> b);            ///< b := A⁻¹ b
    void solve_transposed(std::span<double> b); ///< b := A⁻ᵀ b

    /// What tells good pivots from bad ones.
    struct Quality {
        double growth = 0.0; ///< least over columns of max |a_ij| / max |u_ij|, as KLU defines it
        double pivots = 0.0; ///< smallest pivot over the largest
    };
    [[nodiscard]] Quality quality(const SparsityPattern& pattern, std::span<const double> values);
    [[nodiscard]] double largest_multiplier(); ///< max |l_ik|

    [[nodiscard]] double operations() const { return tree_.operations; }
    [[nodiscard]] double entries() const { return tree_.entries; }
    [[nodiscard]] std::size_t pieces() const { return tree_.fronts.size(); }

private:
    enum class Side { lower, upper }; ///< L, or the transpose of U
    void add_child(const Front& front, const Front& child);
    [[nodiscard]] bool eliminate(const Front& front);
    void forward(const Front& front, Side side);
    void backward(const Front& front, Side side);

    FrontTree tree_;
    std::vector<double> factors_, right_;
    std::vector<double> stack_[2];
    std::vector<double> x_;           ///< in the order of the pivots
    std::vector<double> own_, below_; ///< of one front, padded
    std::vector<double> of_a_, of_u_; ///< largest entries of columns
};

} // namespace daedalus::linalg
