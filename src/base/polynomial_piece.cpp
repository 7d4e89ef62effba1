#include "base/polynomial_piece.hpp"

#include <cmath>

namespace daedalus {

namespace {

constexpr int count = PolynomialPiece::degree + 1;

double chebyshev(int k) { return -std::cos(3.14159265358979323846 * k / PolynomialPiece::degree); }

/// Coefficients of the Lagrange polynomials of the Chebyshev points: row k belongs to point k.
const std::array<std::array<double, count>, count>& lagrange() {
    static const auto table = [] {
        std::array<std::array<double, count>, count> rows{};
        for (int k = 0; k < count; ++k) {
            auto& c = rows[static_cast<std::size_t>(k)];
            c[0] = 1.0;
            int n = 0;
            for (int j = 0; j < count; ++j) {
                if (j == k) continue;
                const double root = chebyshev(j), scale = 1.0 / (chebyshev(k) - root);
                ++n;
                for (int i = n; i >= 0; --i) {
                    const auto at = static_cast<std::size_t>(i);
                    c[at] = scale * ((i > 0 ? c[at - 1] : 0.0) - root * (i < n ? c[at] : 0.0));
                }
            }
        }
        return rows;
    }();
    return table;
}

} // namespace

double PolynomialPiece::node(double begin, double end, int k) {
    if (k == 0) return begin;
    if (k == degree) return end;
    return begin + 0.5 * (1.0 + chebyshev(k)) * (end - begin);
}

PolynomialPiece PolynomialPiece::through(double begin, double end, const std::array<double, degree + 1>& values) {
    PolynomialPiece piece{begin, end, {}};
    // From one of the values on: what does not vary is kept to the last bit, since integer parts may be taken of it.
    for (std::size_t k = 1; k < values.size(); ++k)
        for (std::size_t i = 0; i < values.size(); ++i) piece.c[i] += (values[k] - values[0]) * lagrange()[k][i];
    piece.c[0] += values[0];
    return piece;
}

double PolynomialPiece::at(double t, int order) const {
    const double half = 0.5 * (end - begin);
    if (!(half > 0.0)) return order == 0 ? c[0] : 0.0;
    const double s = (t - 0.5 * (begin + end)) / half;
    double sum = 0.0;
    for (int k = degree; k >= order; --k) {
        double factor = 1.0;
        for (int i = 0; i < order; ++i) factor *= k - i;
        sum = sum * s + factor * c[static_cast<std::size_t>(k)];
    }
    return sum / std::pow(half, order);
}

} // namespace daedalus
