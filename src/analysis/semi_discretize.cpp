#include "analysis/semi_discretize.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::analysis {

using linalg::Matrix;

SemiDiscretePencil semi_discretize(const Matrix& e, const Matrix& h, const Matrix& c, int points, double length) {
    const int n = e.rows(), size = n * points;
    const double step = length / (points + 1), rate = 1.0 / (step * step);
    SemiDiscretePencil p{{size, size, {}}, {size, size, {}}};
    const auto put = [&](MarketMatrix& into, int row, int col, const Matrix& block, double factor) {
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                if (block(i, j) != 0.0) into.entries.push_back({row * n + i, col * n + j, factor * block(i, j)});
    };
    for (int k = 0; k < points; ++k) {
        put(p.e, k, k, e, 1.0);
        put(p.h, k, k, c, 1.0);
        put(p.h, k, k, h, -2.0 * rate);
        if (k > 0) put(p.h, k, k - 1, h, rate);
        if (k + 1 < points) put(p.h, k, k + 1, h, rate);
    }
    return p;
}

std::vector<double> difference_eigenvalues(int points, double length) {
    std::vector<double> mu;
    const double step = length / (points + 1);
    for (int k = 1; k <= points; ++k)
        mu.push_back(-4.0 / (step * step) * std::pow(std::sin(0.5 * k * std::numbers::pi / (points + 1)), 2));
    return mu;
}

} // namespace daedalus::analysis
