#include "transform/coordinate_rows.hpp"

#include "transform/random_point.hpp"

#include <cmath>

namespace daedalus::transform {

std::vector<int> rows_of_coordinates(const System& system, const EquationsOfMotion& motion) {
    const std::size_t n = motion.v.size();
    std::vector<double> size;
    for (const auto& e : motion.M) size.push_back(std::abs(at_random_point(system, e.value, 1)));
    std::vector<int> row(n, -1);
    std::vector<char> taken(n, 0);
    for (std::size_t found = 0; found < n; ++found) {
        std::size_t best = motion.M.size();
        for (std::size_t k = 0; k < motion.M.size(); ++k) {
            const auto& e = motion.M[k];
            if (row[static_cast<std::size_t>(e.column)] >= 0 || taken[static_cast<std::size_t>(e.row)] != 0) continue;
            if (size[k] > 0.0 && (best == motion.M.size() || size[k] > size[best])) best = k;
        }
        if (best == motion.M.size()) return {};
        row[static_cast<std::size_t>(motion.M[best].column)] = motion.M[best].row;
        taken[static_cast<std::size_t>(motion.M[best].row)] = 1;
    }
    return row;
}

} // namespace daedalus::transform
