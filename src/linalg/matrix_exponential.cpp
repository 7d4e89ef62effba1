#include "linalg/matrix_exponential.hpp"

#include <cmath>
#include <limits>

namespace daedalus::linalg {

Matrix matrix_exponential(const Matrix& a) {
    assert(a.square());
    const int n = a.rows();
    const Matrix identity = Matrix::identity(n);
    const double norm = norm_1(a);
    if (n == 0 || norm == 0.0) return identity;
    if (!std::isfinite(norm)) return std::numeric_limits<double>::quiet_NaN() * Matrix(n, n);
    // Up to this norm the approximant is exact to double precision (Higham 2005, Table 2.3).
    constexpr double theta_13 = 5.371920351148152;
    const int squarings = norm > theta_13 ? static_cast<int>(std::ceil(std::log2(norm / theta_13))) : 0;
    const Matrix s = std::ldexp(1.0, -squarings) * a;
    // Coefficients of the numerator: (26 - k)! 13! / (26! k! (13 - k)!), times 26!/13!.
    constexpr double b[] = {64764752532480000.,
                            32382376266240000.,
                            7771770303897600.,
                            1187353796428800.,
                            129060195264000.,
                            10559470521600.,
                            670442572800.,
                            33522128640.,
                            1323241920.,
                            40840800.,
                            960960.,
                            16380.,
                            182.,
                            1.};
    const Matrix s2 = s * s, s4 = s2 * s2, s6 = s4 * s2;
    const Matrix odd =
        s * (s6 * (b[13] * s6 + b[11] * s4 + b[9] * s2) + b[7] * s6 + b[5] * s4 + b[3] * s2 + b[1] * identity);
    const Matrix even =
        s6 * (b[12] * s6 + b[10] * s4 + b[8] * s2) + b[6] * s6 + b[4] * s4 + b[2] * s2 + b[0] * identity;
    const auto solution = solve(even - odd, even + odd);
    if (!solution) return std::numeric_limits<double>::quiet_NaN() * identity;
    Matrix result = solution->x;
    for (int k = 0; k < squarings; ++k) result = result * result;
    return result;
}

} // namespace daedalus::linalg
