// One diagonal block of the system Jacobian as expressions, together with its values at a few random points: enough
// to see that it is singular everywhere, and to find the combinations of its rows (or columns) that vanish. Numbers
// point out which rows depend on each other; only those are then combined symbolically, however large the block is.
#pragma once

#include "elimination/sparse_elimination.hpp"
#include "transform/index_reduction.hpp"

#include <optional>
#include <vector>

namespace daedalus::transform {

enum class Dependency { of_rows, of_columns };

/// Σ multiplier_k · (row or column member_k of the block) = 0, and no subset of the members is dependent.
struct Vanishing {
    std::vector<std::size_t> members;
    std::vector<NodeId> multipliers;
};

/// Which expressions are nothing but round-off at every sample, on other branches and with other parameters too:
/// symbols that cancel only after a common denominator was found look like any others.
[[nodiscard]] std::vector<char> vanish_everywhere(const System& system, const std::vector<NodeId>& expressions);

/// The expression without the variables on which it does not depend. More may cancel than can be seen: a variable that
/// has no influence must not be one that structure solves it for.
[[nodiscard]] NodeId without_vanishing(const System& system, NodeId sum);

class SampledBlock {
public:
    /// `column_of`: System::columns().
    SampledBlock(const System& system, const ReducedSystem& reduced, const std::vector<int>& column_of, int block);

    /// Rows (or columns) that depend on each other at every sample, by numbers only.
    [[nodiscard]] std::vector<std::vector<std::size_t>> dependent(Dependency of);
    [[nodiscard]] bool decided() const { return decided_; } ///< false: the block fills in too much to tell

    /// Multipliers for one such set, if any were found. Small whole numbers and their quotients are tried first; else
    /// expressions, by symbolic elimination.
    [[nodiscard]] std::optional<Vanishing> vanishing(Dependency of, const std::vector<std::size_t>& members);

private:
    using Expressions = std::vector<elimination::SparseRow<NodeId>>;
    using Numbers = std::vector<elimination::SparseRow<double>>; ///< one sample

    [[nodiscard]] const Numbers* sample(std::size_t k, bool shaken);
    [[nodiscard]] std::vector<double> constant_multipliers(Dependency of, const std::vector<std::size_t>& members);
    [[nodiscard]] std::vector<NodeId> symbolic_multipliers(Dependency of, const std::vector<std::size_t>& members);

    const System& system_;
    expr::Graph& g_;
    std::size_t size_;
    bool decided_ = true;
    Expressions entry_;
    struct Samples {
        std::vector<Numbers> taken;
        int tried = 0;
    };
    Samples plain_;  ///< parameters as given
    Samples shaken_; ///< parameters moved too: what holds there does not depend on their values
};

} // namespace daedalus::transform
