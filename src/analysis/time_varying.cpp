#include "analysis/time_varying.hpp"

namespace daedalus::analysis {

linalg::MatrixSeries taylor_series(const std::function<linalg::Matrix(double, int)>& a, double t, int order) {
    std::vector<linalg::Matrix> coefficients;
    double factorial = 1.0;
    for (int k = 0; k <= order; ++k) {
        if (k > 1) factorial *= k;
        coefficients.push_back((1.0 / factorial) * a(t, k));
    }
    return linalg::MatrixSeries(std::move(coefficients));
}

std::vector<LocalPencil> local_pencils(const TimeVaryingSystem& system, std::span<const double> times) {
    std::vector<LocalPencil> result;
    for (const double t : times) {
        const PencilReport r = analyze_pencil(system.e(t, 0), system.h(t, 0), {.weierstrass = false});
        const bool regular = r.decided && r.structure.regular();
        result.push_back({t, r.decided, regular, regular ? r.structure.index() : -1});
    }
    return result;
}

} // namespace daedalus::analysis
