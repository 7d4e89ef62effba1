// One diagonal block of the system Jacobian as expressions, together with its values at a few random points: enough
// to see that it is singular everywhere, and to find a combination of its rows (or columns) that vanishes. An entry
// counts as zero when it is not larger than the round-off that may be in it: errors are carried along through the
// elimination, so that bad scaling (a diode's 1e-7 beside an inductance's 1e-3) is not taken for singularity.
#pragma once

#include "transform/index_reduction.hpp"

#include <vector>

namespace daedalus::transform {

enum class Dependency { of_rows, of_columns };

class SampledBlock {
public:
    /// `column_of`: System::columns().
    SampledBlock(const System& system, const ReducedSystem& reduced, const std::vector<int>& column_of, int block);

    /// Cheap first look, numbers only: is the block singular at every sample?
    [[nodiscard]] bool singular() const;

    /// Multipliers of a combination that vanishes, one per row or column of the block, or empty if there is none.
    /// Small whole numbers and their quotients are tried first; else expressions, by symbolic elimination.
    [[nodiscard]] std::vector<NodeId> vanishing(Dependency of);

private:
    struct Number {
        double value = 0, error = 0;
    };
    using Numbers = std::vector<Number>; ///< row-major, one sample

    [[nodiscard]] std::vector<double> constant_multipliers(Dependency of) const;
    [[nodiscard]] std::vector<NodeId> symbolic_multipliers(Dependency of) const;
    [[nodiscard]] static Number minus_product(Number a, Number f, Number b);
    [[nodiscard]] static bool is_zero(Number a);

    expr::Graph& g_;
    std::size_t size_;
    std::vector<NodeId> entry_;
    std::vector<Numbers> sample_; ///< parameters as given
    std::vector<Numbers> shaken_; ///< parameters moved too: what holds there does not depend on their values
};

} // namespace daedalus::transform
