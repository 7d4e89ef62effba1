// Why a system is structurally singular, guessed from its expressions: what people usually did.
#pragma once

#include "structure/dulmage_mendelsohn.hpp"
#include "transform/system.hpp"

#include <string>
#include <vector>

namespace daedalus::transform {

class LikelyCauses {
public:
    explicit LikelyCauses(const System& system);

    /// b says the same as a: the same expression, or `factor` times it (compared at random points).
    struct Duplicate {
        int first = 0;
        int second = 0;
        double factor = 1.0;
    };
    [[nodiscard]] std::vector<Duplicate> duplicates(const std::vector<int>& rows) const;

    /// Columns that occur in the whole system only as differences of each other (potentials without a ground): adding
    /// the same number to all of them changes no equation. One list per such group that meets `columns`.
    [[nodiscard]] std::vector<std::vector<int>> only_differences(const std::vector<int>& columns) const;

    /// Of `columns`, those that occur differentiated and never as themselves.
    [[nodiscard]] std::vector<int> only_derivatives(const std::vector<int>& columns) const;

    /// Of `columns`, those that are never differentiated but were given a start value: probably meant as parameters.
    [[nodiscard]] std::vector<int> perhaps_parameters(const std::vector<int>& columns) const;

    /// Of `columns`, those that no equation has alone on one side, as in x = … or der(x) = …
    [[nodiscard]] std::vector<int> never_given(const std::vector<int>& columns) const;

private:
    [[nodiscard]] double leaf_value(NodeId leaf, int sample) const;
    [[nodiscard]] double value(NodeId expression, int sample) const;

    const System& s_;
    std::vector<int> column_;
    std::vector<int> lowest_, highest_; ///< derivative orders met, per column; −1: none
};

} // namespace daedalus::transform
