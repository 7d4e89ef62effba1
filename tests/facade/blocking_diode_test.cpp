// Diodes that block leave nodes all but floating: entries of the Jacobian fall by ten orders of magnitude within a step
// or two, and Newton's iteration with the matrix of before would take any value for converged.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

TEST(BlockingDiode, FloatingNodesAreFoundByMethodsThatKeepMatrices) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/wider/rectifier.mo");
    ASSERT_TRUE(model);
    // radau, bdf and rodas5 at 1e-11 agree in these digits.
    constexpr double out = 3.98293840, n1 = 0.0693742336;
    for (const char* method : {"auto", "radau5", "bdf", "esdirk3", "esdirk4", "esdirk5", "midpoint"})
        for (const double rtol : {1e-3, 3e-4, 1e-4, 1e-5}) {
            if (rtol < 1e-4 && std::string_view(method) == "midpoint") continue; // 30,000 steps
            SCOPED_TRACE(std::string(method) + " " + std::to_string(rtol));
            SolveOptions options;
            options.until = 0.1;
            options.method = method;
            options.rtol = rtol;
            const Solution s = solved(*model, options);
            EXPECT_DOUBLE_EQ(s.end_time(), 0.1);
            EXPECT_NEAR(s.final("out"), out, 10 * rtol * out);
            EXPECT_NEAR(s.final("n1"), n1, 10 * rtol);
        }
}

TEST(BlockingDiode, ShortTimesOfConductionAreNotSteppedOver) {
    const Model model = read(R"(
model Clamp
  parameter Real Is = 1e-12, VT = 0.026, C = 1e-6, RL = 1e5, Rs = 50;
  Real e, vc(start = 0, fixed = true), vo(start = 0), i;
equation
  e = 5*sin(6283.185307179586*time);
  C*der(vc) = i;
  e - vc - Rs*i = vo;
  i + Is*(exp(-vo/VT) - 1) = vo/RL;
end Clamp;
)");
    struct Diode {
        double C, RL, Rs, Is;
    };
    for (const Diode& d :
         {Diode{1e-6, 1e5, 50, 1e-12}, Diode{1.5407e-07, 11394.5, 234.693, 3.95005e-13},
          Diode{9.66244e-06, 524678, 8.72469, 9.91222e-14}, Diode{1.85664e-07, 495299, 168.469, 3.39167e-14}}) {
        SolveOptions options;
        options.until = 5.3e-3;
        options.parameters = {{"C", d.C}, {"RL", d.RL}, {"Rs", d.Rs}, {"Is", d.Is}};
        options.method = "bdf";
        options.rtol = 1e-9;
        const double exact = solved(model, options).final("vc");
        for (const char* method : {"auto", "radau5", "radau9", "radau13", "radau17"})
            for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6}) {
                if (rtol > 1e-4 && std::string_view(method) == "radau17") continue; // gives up, and says so
                options.method = method;
                options.rtol = rtol;
                EXPECT_NEAR(solved(model, options).final("vc"), exact, 20 * rtol * std::abs(exact))
                    << method << " " << rtol << " C = " << d.C;
            }
    }
}

// Steps as long as a period of the carrier end where the next pulse is over.
TEST(BlockingDiode, PeriodsAreNotSteppedOver) {
    const Model model = read(R"(
model Detector
  Real v(start = 0, fixed = true), vd(start = 0), i, am;
equation
  am = (1 + 0.5*sin(100*time))*sin(5000*time);
  i = 1e-9*(exp(vd/0.04) - 1);
  vd = am - v - 100*i;
  1e-6*der(v) = i - v/5e3;
end Detector;
)");
    constexpr double v = 0.0514974663; // radau13 and dop853 at 1e-12
    for (const char* method : {"auto", "bdf", "rodas4", "rodas4p", "rodas5", "rodas6", "esdirk4", "limex"})
        EXPECT_NEAR(solved(model, {.until = 0.05, .method = method, .rtol = 1e-6}).final("v"), v, 1e-6) << method;
}
