// Facet: the vectors of this problem are parts of larger ones, spread over processes or threads. Every party runs the
// same methods on its part; each number that steers them (norms, statuses, questions about all unknowns) is made from
// all parts by these operations, and nothing else is. They must return the same bits to every party, or the parties
// would go different ways. Absent: this part is the whole.
//
// All parties call them in the same order. Rows and columns of the system are those of the part; what it needs of the
// others is the business of its residual (halos) and of its linear solver (linear_operations.hpp).
#pragma once

#include <functional>

namespace daedalus::problem {

struct Collective {
    std::function<double(double)> sum;     ///< over all parties
    std::function<double(double)> largest; ///< over all parties; NaN where one of them has NaN

    [[nodiscard]] bool present() const { return static_cast<bool>(sum); }
    [[nodiscard]] double sum_of(double part) const { return present() ? sum(part) : part; }
    [[nodiscard]] double largest_of(double part) const { return present() ? largest(part) : part; }
    /// Whether it is true for one of the parties.
    [[nodiscard]] bool any(bool part) const { return present() ? largest(part ? 1.0 : 0.0) > 0.0 : part; }
};

} // namespace daedalus::problem
