// Events behind which algebraic unknowns lie far from where they were: as easy as a start there.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct Jump {
    const char* name;
    std::string text; ///< SWITCH stands for the condition that changes at `when`
    double when, until;
    std::vector<std::string> states;
    std::vector<std::string> algebraic;
    std::vector<StartValue> guesses = {}; ///< for the start behind it
};

/// The condition in place of SWITCH, and an equation more for what it depends on.
std::string with_switch(std::string text, const std::string& condition, const std::string& declaration = {},
                        const std::string& equation = {}) {
    text.replace(text.find("SWITCH"), 6, condition);
    const std::size_t at = text.find("equation\n");
    return text.substr(0, at) + declaration + "equation\n" + equation + text.substr(at + 9);
}

std::vector<Jump> jumps() {
    const char* network = R"(model network "three machines on a bus with a fault, which is cleared"
  Real d1(start=0.885,fixed=true), d2(start=1.132,fixed=true), d3(start=1.027,fixed=true);
  Real w1(start=0.0048,fixed=true), w2(start=0.003,fixed=true), w3(start=0.0042,fixed=true);
  Real VOLTAGES, a1(start=0.89), a2(start=1.1), a3(start=1), a4(start=1), P1, P2, P3, B;
equation
  B = if SWITCH then FAULT else 0;
  der(d1) = 377*w1; der(d2) = 377*w2; der(d3) = 377*w3;
  47.28*der(w1) = 0.9 - P1 - w1; 12.8*der(w2) = 1.2 - P2 - w2; 6.02*der(w3) = 0.8 - P3 - w3;
  P1 = 1.0566*V1/0.1184*sin(d1 - a1); P2 = 1.0502*V2/0.1823*sin(d2 - a2); P3 = 1.017*V3/0.2399*sin(d3 - a3);
  P1 = V1*V4/0.15*sin(a1 - a4);
  P2 = V2*V4/0.15*sin(a2 - a4);
  P3 = V3*V4/0.12*sin(a3 - a4);
  P1 + P2 + P3 = 2.9*V4^2;
  (1.0566*V1*cos(d1 - a1) - V1^2)/0.1184 = (V1^2 - V1*V4*cos(a1 - a4))/0.15;
  (1.0502*V2*cos(d2 - a2) - V2^2)/0.1823 = (V2^2 - V2*V4*cos(a2 - a4))/0.15;
  (1.017*V3*cos(d3 - a3) - V3^2)/0.2399 = (V3^2 - V3*V4*cos(a3 - a4))/0.12;
  (V1*V4*cos(a1 - a4) - V4^2)/0.15 + (V2*V4*cos(a2 - a4) - V4^2)/0.15 + (V3*V4*cos(a3 - a4) - V4^2)/0.12
    = (0.5 + B)*V4^2;
end network;)";
    const auto fault = [&](const char* size, const char* voltages) {
        std::string text = network;
        text.replace(text.find("FAULT"), 5, size);
        return text.replace(text.find("VOLTAGES"), 8, voltages);
    };
    const std::vector<StartValue> healthy = {{"V1", 1.0, StartStrength::guess},
                                             {"V2", 1.0, StartStrength::guess},
                                             {"V3", 1.0, StartStrength::guess},
                                             {"V4", 1.0, StartStrength::guess}};
    const std::vector<std::string> machines = {"d1", "d2", "d3", "w1", "w2", "w3"};
    return {
        {"diode",
         R"(model diode "blocks, then conducts"
  Real e, vd(start=0), i, v(start=0,fixed=true);
equation
  e = if SWITCH then -30 else 30;
  e - 100*i - vd = v;
  i = 1e-14*(exp(vd/0.02585) - 1);
  1e-6*der(v) = i - v/1e4;
end diode;)",
         5e-4,
         7e-4,
         {"v"},
         {"vd", "i"}},
        {"bridge",
         R"(model bridge "of four diodes, its voltage reversed"
  Real e, i(start=0), a(start=0), b(start=0), v(start=0,fixed=true), d1, d2, d3, d4;
equation
  e = if SWITCH then 12 else -12;
  e - 10*i = a - b;
  d1 = 1e-12*(exp((a - v)/0.02585) - 1);
  d2 = 1e-12*(exp((b - v)/0.02585) - 1);
  d3 = 1e-12*(exp(-a/0.02585) - 1);
  d4 = 1e-12*(exp(-b/0.02585) - 1);
  i = d1 - d3 + 1e-7*a;
  -i = d2 - d4 + 1e-7*b;
  1e-5*der(v) = d1 + d2 - v/1e3;
end bridge;)",
         5e-4,
         7e-4,
         {"v"},
         {"a", "b", "i"}},
        {"inverters",
         R"(model inverters "two transistors, Ebers and Moll's equations"
  parameter Real Is=1e-14, VT=0.02585, bF=100, bR=2, Vcc=30;
  Real vin, b1(start=0.7), c1(start=0), b2(start=0), c2(start=0,fixed=true), ib1, ic1, ib2, ic2;
equation
  vin = if SWITCH then Vcc else 0;
  ib1 = Is/bF*(exp(b1/VT) - 1) + Is/bR*(exp((b1 - c1)/VT) - 1);
  ic1 = Is*(exp(b1/VT) - exp((b1 - c1)/VT)) - Is/bR*(exp((b1 - c1)/VT) - 1);
  ib2 = Is/bF*(exp(b2/VT) - 1) + Is/bR*(exp((b2 - c2)/VT) - 1);
  ic2 = Is*(exp(b2/VT) - exp((b2 - c2)/VT)) - Is/bR*(exp((b2 - c2)/VT) - 1);
  (vin - b1)/1e4 = ib1;
  (Vcc - c1)/1e3 = ic1 + (c1 - b2)/1e4;
  (c1 - b2)/1e4 = ib2;
  1e-9*der(c2) = (Vcc - c2)/1e3 - ic2;
end inverters;)",
         1e-5,
         1.008e-5,
         {"c2"},
         {"b1", "c1", "b2"},
         {{"b1", 0.0, StartStrength::guess}, {"c1", 27.0, StartStrength::guess}, {"b2", 0.7, StartStrength::guess}}},
        {"electrode",
         R"(model electrode "Butler and Volmer's equation, its current reversed"
  Real eta(start=0), I, c(start=1,fixed=true);
equation
  I = if SWITCH then 50 else -50;
  I = 0.01*c*(exp(19.5*eta) - exp(-19.5*eta));
  der(c) = -0.0005*I;
end electrode;)",
         10,
         20,
         {"c"},
         {"eta"}},
        {"acid",
         R"(model acid "neutralised at once"
  Real pH(start=3), Ca(start=0.01,fixed=true), b, y(start=3,fixed=true);
equation
  b = if SWITCH then 0 else 0.02;
  10^(-pH) + b = 1e-14*10^pH + Ca;
  der(Ca) = 0.001*sin(time);
  0.2*der(y) = pH - y;
end acid;)",
         1,
         2,
         {"Ca", "y"},
         {"pH"}},
        {"pipes",
         R"(model pipes "a valve closes: Newton's full step has a negative difference of pressures"
  Real p(start=2e5,nominal=1e5), q1, q2, q3, k, h(start=1,fixed=true);
equation
  k = if SWITCH then 1 else 0.01;
  q1 = 1e-3*sqrt((5e5 - p)/1e5);
  q2 = k*2e-3*sqrt((p - 1e5)/1e5);
  q3 = 1e-4*sqrt((p - 9810*h)/1e5);
  q1 = q2 + q3;
  der(h) = 10*q3 - 0.001*h;
end pipes;)",
         1,
         3,
         {"h"},
         {"p", "q1"}},
        {"friction",
         R"(model friction "Colebrook's factor, where the flow grows 50-fold"
  Real f(start=0.03), Re, u, T(start=300,fixed=true);
equation
  u = if SWITCH then 0.1 else 5;
  Re = u*1e5;
  1/sqrt(f) = -2*log10(1e-4/3.7 + 2.51/(Re*sqrt(f)));
  der(T) = f*u^2 - 0.1*(T - 300);
end friction;)",
         1,
         2,
         {"T"},
         {"f"}},
        {"gas",
         R"(model gas "van der Waals' equation, pressure released"
  Real v(start=0.6,nominal=10), p, T(start=300,fixed=true);
equation
  p = if SWITCH then 40 else 1;
  (p + 1.36/v^2)*(v - 0.0386) = 0.08206*T;
  der(T) = 0.1*(300 - T) + 0.5*sin(time);
end gas;)",
         1,
         2,
         {"T"},
         {"v"}},
        {"fault",
         fault("10", "V1(start=0.81), V2(start=0.74), V3(start=0.67), V4(start=0.49)"),
         0.083,
         0.2,
         machines,
         {"V4", "a4", "P1"},
         healthy},
        // V4 = 0 solves the equations of the bus too, and determines nothing there.
        {"deep fault",
         fault("20", "V1(start=0.73), V2(start=0.65), V3(start=0.56), V4(start=0.33)"),
         0.083,
         0.2,
         machines,
         {"V4", "a4", "P1"},
         healthy},
        {"short circuit",
         fault("1000", "V1(start=0.6), V2(start=0.48), V3(start=0.35), V4(start=0.01)"),
         0.083,
         0.2,
         machines,
         {"V4", "a4", "P1"},
         healthy},
    };
}

} // namespace

TEST(FarJump, IsMadeAsByAStartBehindIt) {
    for (const Jump& jump : jumps()) {
        const std::string time = std::to_string(jump.when);
        const Model by_time = read(with_switch(jump.text, "time < " + time));
        const Model by_state = read(with_switch(jump.text, "clock < 1", "  Real clock(start=0,fixed=true);\n",
                                                "  der(clock) = 1/" + time + ";\n"));
        const Model behind = read(with_switch(jump.text, "false"));
        SolveOptions exact;
        exact.method = "radau";
        exact.rtol = 1e-10;
        exact.until = jump.when;
        const Solution before = solved(read(with_switch(jump.text, "true")), exact);
        exact.from = jump.when;
        exact.until = jump.until;
        for (const std::string& state : jump.states) exact.starts.push_back({state, before.final(state)});
        for (const StartValue& guess : jump.guesses) exact.starts.push_back(guess);
        const Solution reference = solved(behind, exact);
        for (const char* method : {"auto", "radau", "bdf", "rodas4", "esdirk4", "dop853"})
            for (const double rtol : {1e-4, 1e-8})
                for (const Model* model : {&by_time, &by_state}) {
                    SCOPED_TRACE(std::string(jump.name) + " " + method + " " + std::to_string(rtol) +
                                 (model == &by_time ? " by time" : " by state"));
                    SolveOptions options;
                    options.method = method;
                    options.rtol = rtol;
                    options.until = jump.until;
                    const Solution s = solved(*model, options);
                    ASSERT_EQ(s.end_time(), jump.until);
                    for (const auto* names : {&jump.states, &jump.algebraic})
                        for (const std::string& name : *names) {
                            const double expected = reference.final(name);
                            EXPECT_NEAR(s.final(name), expected, 30 * rtol * (std::abs(expected) + 0.1)) << name;
                        }
                }
    }
}

TEST(FarJump, ThatLeadsNowhereIsReportedWithTheEquation) {
    const Model model = read(R"(model nowhere
  Real y(start=1), z(start=0,fixed=true);
equation
  y^2 = if time < 1 then 1 else -1;
  der(z) = y;
end nowhere;)");
    for (const char* method : {"radau", "bdf", "dop853"}) {
        SolveOptions options;
        options.method = method;
        options.until = 2;
        const Solution s = run(model, options);
        EXPECT_FALSE(s.success());
        EXPECT_NEAR(s.end_time(), 1.0, 1e-12);
        EXPECT_NE(s.message().find("no consistent values were found behind the event at t = 1"), std::string::npos)
            << s.message();
        EXPECT_NE(s.message().find("y^2 = if time < 1 then 1 else -1"), std::string::npos) << s.message();
    }
}
