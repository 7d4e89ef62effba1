#include "integrate/tableau/half_explicit.hpp"

#include <cmath>
#include <numeric>

namespace daedalus::integrate::tableau {

namespace {

double sum(const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

/// â_i = a_{i+1}, and b at the end.
HalfExplicit unpartitioned(int order, int order_of_estimate, std::vector<std::vector<double>> a, std::vector<double> b,
                           std::vector<double> embedded) {
    HalfExplicit m;
    m.stages = static_cast<int>(a.size());
    m.order = order;
    m.order_of_estimate = order_of_estimate;
    m.constraint.assign(a.begin() + 1, a.end());
    m.constraint.push_back(std::move(b));
    m.a = std::move(a);
    m.embedded = std::move(embedded);
    return m;
}

HalfExplicit with_nodes(HalfExplicit m) {
    for (const auto& row : m.a) m.c.push_back(sum(row));
    for (const auto& row : m.constraint) m.c_constraint.push_back(sum(row));
    m.c_constraint.back() = 1.0;
    return m;
}

/// S (27), and the trapezoidal rule with the acceleration at the end as its estimate.
HalfExplicit euler() { return unpartitioned(1, 1, {{}}, {1.0}, {0.5, 0.5}); }

/// Brasey & Hairer (1993), table 5: weights of Radau IIA on the last three nodes. The estimate has weights of order 3
/// on the nodes 0, c_3, c_4.
HalfExplicit hem4() {
    const double r = std::sqrt(6.0), c3 = (4 - r) / 10, c4 = (4 + r) / 10;
    // Σ b̂ c = 1/2 and Σ b̂ c² = 1/3 with b̂_2 = b̂_5 = 0.
    const double b3 = (c4 / 2 - 1.0 / 3) / (c3 * (c4 - c3)), b4 = (1.0 / 3 - c3 / 2) / (c4 * (c4 - c3));
    return unpartitioned(4, 3,
                         {{},
                          {0.3},
                          {(1 + r) / 30, (11 - 4 * r) / 30},
                          {(-79 - 31 * r) / 150, (-1 - 4 * r) / 30, (24 + 11 * r) / 25},
                          {(14 + 5 * r) / 6, (-8 + 7 * r) / 6, (-9 - 7 * r) / 4, (9 - r) / 4}},
                         {0, 0, (16 - r) / 36, (16 + r) / 36, 1.0 / 9}, {1 - b3 - b4, 0, b3, b4, 0, 0});
}

/// Brasey (1994), the coefficients of the code HEM5: eight stages, the last of which is the estimate.
HalfExplicit hem5() {
    std::vector<std::vector<double>> a{
        {},
        {0.1},
        {0.03749999999999999, 0.1125},
        {0.3222169236216038, -1.188883322987607, 1.228145134023366},
        {-0.03501123898129943, 0.3725420601086163, -0.2721053535582034, 0.01993037578575077},
        {-0.5576547055042005, 1.367307289645883, -1.732236360460725, 0.4587772007467548, 0.9638065755722880},
        {0.08654517193566155, -0.08810082847945416, 0.1981275547329404, -0.4645422679331083, 0.1615170091109488,
         0.9064533606330119},
        {0, 0, 0, 3.624477248753816, -0.4617724189181256, -3.198024628164272, 1.035319798328740}};
    std::vector<double> embedded = a.back();
    embedded.resize(9);
    return unpartitioned(
        5, 4, std::move(a),
        {0, 0, 0, 0.2467760667636791, 0.2106594087489728, 0.1769218149125021, 0.3064446444147922, 0.05919806516005373},
        std::move(embedded));
}

/// Murua (1997), the coefficients of the code PHEM56: stages and both sets of weights of Dormand & Prince 5(4).
HalfExplicit phem56() {
    HalfExplicit m;
    m.stages = 6;
    m.order = 5;
    m.order_of_estimate = 4;
    m.explicit_first = true;
    m.a = {{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};
    m.constraint = {{1.0},
                    {3.0 / 40, 9.0 / 40},
                    {21.0 / 256, 45.0 / 256, 15.0 / 128},
                    {19235.0 / 98784, -225.0 / 392, 6235.0 / 6174, 2755.0 / 32928},
                    {-293.0 / 1152, 85.0 / 48, -2275.0 / 1908, 35.0 / 32, -2835.0 / 6784},
                    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    m.embedded = {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40};
    return m;
}

} // namespace

const HalfExplicit& half_explicit(HalfExplicitName name) {
    static const HalfExplicit methods[] = {with_nodes(euler()), with_nodes(hem4()), with_nodes(hem5()),
                                           with_nodes(phem56())};
    return methods[static_cast<std::size_t>(name)];
}

} // namespace daedalus::integrate::tableau
