#include "integrate/tableau/esdirk.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <initializer_list>

namespace daedalus::tableau {

namespace {

/// `below`: a_ij for i = 2 … s-1 and 2 ≤ j < i (counting from 1), row by row; a_i1 follows from Σ_j a_ij = c_i.
Esdirk assemble(int order, double gamma, std::initializer_list<double> c, std::initializer_list<double> below,
                std::initializer_list<double> b, std::initializer_list<double> embedded) {
    Esdirk m;
    m.order = order;
    m.stages = static_cast<int>(c.size());
    m.gamma = gamma;
    m.c = c;
    m.embedded = embedded;
    const int s = m.stages;
    m.A.assign(static_cast<std::size_t>(s) * s, 0.0);
    const double* entry = below.begin();
    for (int i = 1; i + 1 < s; ++i) {
        double sum = gamma;
        for (int j = 1; j < i; ++j) sum += m.A[i * s + j] = *entry++;
        m.A[i * s] = m.c[i] - sum;
        m.A[i * s + i] = gamma;
    }
    assert(entry == below.end());
    const double* weight = b.begin();
    for (int j = 0; j < s; ++j) m.A[(s - 1) * s + j] = *weight++;
    return m;
}

Esdirk esdirk3() {
    const double gamma = 0.4358665215084589994160194511935568425293; // root of 6γ³ - 18γ² + 9γ - 1
    return assemble(3, gamma, {0, 2 * gamma, 0.6, 1}, {-0.09351476757488624521601546747763655179361},
                    {0.1876410243467238251612921441668043913795, -0.5952974735769549480478230275858851737782,
                     0.9717899277217721234705114322255239398694, gamma},
                    {0.1088966176158644541561307380704960821824, -0.9153258118707127534816380978168183454991,
                     1.271273597302152167844715894135642876535, 0.5351555969526961314807914656106793867813});
}

Esdirk esdirk4() {
    const double r = std::sqrt(2.0), gamma = 0.25;
    const double b1 = (1181 - 987 * r) / 13782;
    const double d1 = -480923228411.0 / 4982971448372.0;
    return assemble(4, gamma, {0, 0.5, (2 - r) / 4, 5.0 / 8, 26.0 / 25, 1},
                    {(1 - r) / 8,                        //
                     (5 - 7 * r) / 64, 7 * (1 + r) / 32, //
                     -(13796 + 54539 * r) / 125000, (506605 + 132109 * r) / 437500, 166 * (-97 + 376 * r) / 109375},
                    {b1, b1, 47 * (-267 + 1783 * r) / 273343, -16 * (-22922 + 3525 * r) / 571953,
                     -15625 * (97 + 376 * r) / 90749876, gamma},
                    {d1, d1, 6709447293961.0 / 12833189095359.0, 3513175791894.0 / 6748737351361.0,
                     -498863281070.0 / 6042575550617.0, 2077005547802.0 / 8945017530137.0});
}

Esdirk esdirk5() {
    const double gamma = 23.0 / 125;
    const double b2 = -188593204321.0 / 4778616380481.0, b3 = 2809310203510.0 / 10304234040467.0,
                 b4 = 1021729336898.0 / 2364210264653.0, b5 = 870612361811.0 / 2470410392208.0,
                 b6 = -1307970675534.0 / 8059683598661.0;
    const double d2 = -582099335757.0 / 7214068459310.0, d3 = 615023338567.0 / 3362626566945.0,
                 d4 = 3192122436311.0 / 6174152374399.0, d5 = 6156034052041.0 / 14430468657929.0,
                 d6 = -1011318518279.0 / 9693750372484.0, d7 = 1914490192573.0 / 13754262428401.0;
    return assemble(5, gamma,
                    {0, 46.0 / 125, 7121331996143.0 / 11335814405378.0, 49.0 / 353, 3706679970760.0 / 5295570149437.0,
                     347.0 / 382, 1},
                    {791020047304.0 / 3561426431547.0,                                     //
                     -158159076358.0 / 11257294102345.0, -85517644447.0 / 5003708988389.0, //
                     -1653327111580.0 / 4048416487981.0, 1514767744496.0 / 9099671765375.0,
                     14283835447591.0 / 12247432691556.0, //
                     -4540011970825.0 / 8418487046959.0, -1790937573418.0 / 7393406387169.0,
                     10819093665085.0 / 7266595846747.0, 4109463131231.0 / 7386972500302.0},
                    {1 - b2 - b3 - b4 - b5 - b6 - gamma, b2, b3, b4, b5, b6, gamma},
                    {1 - d2 - d3 - d4 - d5 - d6 - d7, d2, d3, d4, d5, d6, d7});
}

} // namespace

Esdirk make_esdirk(int order) {
    assert(order >= 3 && order <= 5);
    return order == 3 ? esdirk3() : order == 4 ? esdirk4() : esdirk5();
}

} // namespace daedalus::tableau
