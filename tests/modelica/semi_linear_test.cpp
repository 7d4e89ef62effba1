// What a flow carries past several places, where it comes to rest and turns round.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// A pipe between two reservoirs, as components that know each other by a connector only: h between them is that from
// where the flow comes, and at rest that of the left (specification 3.7.2.5).
std::string pipes(int count, const std::string& flow) {
    std::string text = "package P connector Port Real p; flow Real m; Real h; flow Real H; end Port; "
                       "model End parameter Real h0; Port port; equation port.p = 0; "
                       "port.H = semiLinear(port.m, port.h, h0); end End; "
                       "model Source parameter Real h0; Port port; equation port.m = -(" +
                       flow +
                       "); "
                       "port.H = semiLinear(port.m, port.h, h0); end Source; "
                       "model Pipe Port a, b; equation a.H = semiLinear(a.m, a.h, b.h); a.H + b.H = 0; a.m + b.m = 0; "
                       "a.p - b.p = a.m; end Pipe; model M Source s(h0 = 3); End e(h0 = 7); ";
    for (int k = 1; k <= count; ++k) text += "Pipe p" + std::to_string(k) + "; ";
    text += "equation connect(s.port, p1.a); ";
    for (int k = 1; k < count; ++k) text += "connect(p" + std::to_string(k) + ".b, p" + std::to_string(k + 1) + ".a); ";
    return text + "connect(p" + std::to_string(count) + ".b, e.port); end M; end P;";
}

TEST(SemiLinear, FlowsThatTurnRound) {
    for (const int count : {1, 3}) {
        const Solution s = solved(pipes(count, "sin(2*time)"), {.until = 5.0, .points = 100});
        const auto t = s.time(), H = s["s.port.H"];
        for (const std::string& h : {"p1.a.h", "e.port.h"}) {
            const auto value = s[h];
            for (std::size_t k = 0; k < t.size(); ++k) {
                const double flow = std::sin(2 * t[k]);
                if (std::abs(flow) > 1e-9) EXPECT_NEAR(value[k], flow > 0 ? 3 : 7, 1e-9) << count << " " << t[k];
                EXPECT_NEAR(H[k], -flow * (flow > 0 ? 3 : 7), 1e-9) << count << " " << t[k];
            }
        }
    }
}

TEST(SemiLinear, AtRest) {
    const Solution s = solved(pipes(2, "if time < 1 then 0 else time - 1"), {.until = 2.0, .points = 20});
    for (const std::string& h : {"p1.a.h", "p1.b.h", "e.port.h"}) {
        const auto value = s[h];
        for (const double v : value) EXPECT_TRUE(v == 3 || v == 7) << h << " " << v;
        EXPECT_EQ(value.back(), 3) << h;
    }
}

} // namespace
