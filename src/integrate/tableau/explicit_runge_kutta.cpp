#include "integrate/tableau/explicit_runge_kutta.hpp"

#include "integrate/tableau/explicit_runge_kutta_data.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace daedalus::tableau {

namespace {

std::vector<ExplicitRungeKutta::Row> rows(std::span<const explicit_data::Entry> entries, int count) {
    std::vector<ExplicitRungeKutta::Row> result(static_cast<std::size_t>(count));
    for (const explicit_data::Entry& e : entries)
        result[static_cast<std::size_t>(e.row)].push_back({e.column, e.value});
    return result;
}

ExplicitRungeKutta written_out(ExplicitName name) {
    using namespace explicit_data;
    ExplicitRungeKutta m;
    // Boundaries of stability on the negative real axis: Hairer & Wanner 1996, IV.2.
    if (name == ExplicitName::dopri5) {
        m.order = 5;
        m.stages = 7;
        m.stability = 3.3;
        m.c.assign(std::begin(dopri5_c), std::end(dopri5_c));
        m.a = rows(dopri5_a, m.stages);
        m.error = rows(dopri5_error, 1);
        m.dense = rows(dopri5_dense, 1);
    } else if (name == ExplicitName::euler) {
        m.order = 1;
        m.stages = 2;
        m.stability = 2.0;
        m.c = {0.0, 1.0};
        m.a = {{}, {{0, 1.0}}};
    } else if (name == ExplicitName::rk4) {
        m.order = 4;
        m.stages = 5;
        m.stability = 2.785;
        m.c.assign(std::begin(rk4_c), std::end(rk4_c));
        m.a = rows(rk4_a, m.stages);
    } else {
        m.order = 8;
        m.stages = 13;
        m.extra = 3;
        m.stability = 6.1;
        m.c.assign(std::begin(dop853_c), std::end(dop853_c));
        m.a = rows(dop853_a, m.stages + m.extra);
        m.error = rows(dop853_error, 2);
        m.dense = rows(dop853_dense, 4);
    }
    return m;
}

} // namespace

const ExplicitRungeKutta& make_explicit_runge_kutta(ExplicitName name) {
    static const ExplicitRungeKutta dopri5 = written_out(ExplicitName::dopri5);
    static const ExplicitRungeKutta dop853 = written_out(ExplicitName::dop853);
    static const ExplicitRungeKutta rk4 = written_out(ExplicitName::rk4);
    static const ExplicitRungeKutta euler = written_out(ExplicitName::euler);
    switch (name) {
    case ExplicitName::euler: return euler;
    case ExplicitName::dopri5: return dopri5;
    case ExplicitName::rk4: return rk4;
    case ExplicitName::dop853: break;
    }
    return dop853;
}

} // namespace daedalus::tableau
