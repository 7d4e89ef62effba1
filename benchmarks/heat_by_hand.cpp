#include "heat_by_hand.hpp"

#include <cstddef>

namespace daedalus::benchmarks {

void heat_by_hand(int n, const double* parameters, const double* __restrict u, const double* __restrict du,
                  double* __restrict r, double* __restrict j) {
    const double k = parameters[0], source = parameters[1], edge = parameters[2];
    const auto size = static_cast<std::size_t>(n);
    for (std::size_t c = 0; c < size; ++c) {
        r[c] = u[c] - edge;
        r[(size - 1) * size + c] = u[(size - 1) * size + c] - edge;
    }
    for (std::size_t row = 1; row + 1 < size; ++row) {
        const std::size_t first = row * size, last = first + size - 1;
        r[first] = u[first] - edge;
        r[last] = u[last] - edge;
        for (std::size_t p = first + 1; p < last; ++p, j += 5) {
            const double a = u[p];
            const std::size_t at[4] = {p - size, p + size, p - 1, p + 1};
            double sum = 0.0, own = 0.0;
            for (int side = 0; side < 4; ++side) {
                const double b = u[at[side]], c = 1.0 + k * (0.5 * (a + b)), slope = 0.5 * k * (b - a);
                sum += c * (b - a);
                j[side + 1] = -(slope + c);
                own += slope - c;
            }
            j[0] = -own;
            r[p] = du[p] - (sum + source);
        }
    }
}

} // namespace daedalus::benchmarks
