// Diodes against ngspice and against closed forms.
#include "circuit/physical_constants.hpp"
#include "device_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

Device diode(const std::map<std::string, double>& card, double celsius, const std::vector<double>& voltages) {
    Device d{.kind = spice::ElementKind::diode, .letter = "d", .type = "d", .card = card, .celsius = celsius};
    if (const auto rs = card.find("rs"); rs != card.end()) d.conductance = 2.0 / rs->second;
    d.voltages = grid({voltages, {0.0}});
    return d;
}
const std::vector<double> usual = {-30.0, -3.0, -0.5, -0.1, -0.05, 0.0, 0.1, 0.3, 0.45, 0.49, 0.51, 0.6, 0.75, 0.9};

TEST(Diode, IsShockleysLaw) {
    const Device d = diode({{"is", 2e-14}, {"n", 1.3}}, 27.0, {0.2, 0.5, 0.7});
    const Measured m = measure(d);
    const double scale = 1.3 * 1.38064852e-23 * 300.15 / 1.6021766208e-19;
    for (std::size_t b = 0; b < 3; ++b) {
        const double v = d.voltages[b][0], i = 2e-14 * std::expm1(v / scale) + 1e-12 * v;
        EXPECT_NEAR(m.current[b][0], i, 1e-13 * i);
        EXPECT_EQ(m.current[b][0], -m.current[b][1]);
    }
}

TEST(Diode, CapacitanceIsThatOfADepletionLayer) {
    const Device d = diode({{"cjo", 3e-12}, {"vj", 0.8}, {"m", 0.4}}, 27.0, {-5.0, -1.0, 0.0, 0.3});
    const Measured m = measure(d);
    for (std::size_t b = 0; b < 4; ++b) {
        const double c = 3e-12 * std::pow(1.0 - d.voltages[b][0] / 0.8, -0.4);
        EXPECT_NEAR(m.capacitance[b][0][0], c, 1e-12 * c);
    }
}

TEST(Diode, IsLikeNgspice) {
    for (const double celsius : {-40.0, 27.0, 125.0}) {
        SCOPED_TRACE(celsius);
        expect_like_ngspice(diode({}, celsius, usual));
        expect_like_ngspice(diode({{"is", 2.5e-9},
                                   {"n", 1.75},
                                   {"rs", 0.6},
                                   {"cjo", 4e-12},
                                   {"m", 0.33},
                                   {"vj", 0.7},
                                   {"tt", 1e-8},
                                   {"xti", 2.0},
                                   {"eg", 1.05},
                                   {"fc", 0.45}},
                                  celsius, usual));
        expect_like_ngspice(diode({{"is", 1e-12}, {"bv", 20.0}, {"ibv", 1e-4}, {"cjo", 1e-12}}, celsius,
                                  {-20.2, -20.1, -20.0, -19.9, -19.0, -1.0, 0.5, 0.7}));
        expect_like_ngspice(diode({{"is", 1e-12}, {"bv", 5.0}, {"ibv", 1e-9}, {"nbv", 2.0}, {"tcv", 1e-3}}, celsius,
                                  {-5.2, -5.1, -5.0, -4.0, 0.6}));
        expect_like_ngspice(diode(
            {{"is", 1e-14}, {"ikf", 1e-3}, {"rs", 2.0}, {"tt", 1e-9}, {"ttt1", 1e-3}, {"trs1", 2e-3}, {"trs2", 1e-5}},
            celsius, usual));
        expect_like_ngspice(
            diode({{"is", 1e-14}, {"isr", 1e-11}, {"nr", 2.0}, {"cjo", 1e-12}}, celsius, {-0.05, 0.0, 0.3, 0.6, 0.8}));
        expect_like_ngspice(diode({{"is", 1e-14}, {"tnom", 50.0}, {"cjo", 1e-12}, {"tm1", 1e-4}}, celsius, usual));
    }
}

TEST(Diode, AreaPerimeterAndMultiplicityAreLikeNgspice) {
    Device d = diode({{"is", 1e-12},
                      {"rs", 3.0},
                      {"cjo", 1e-12},
                      {"bv", 7.0},
                      {"jsw", 1e-13},
                      {"cjsw", 2e-13},
                      {"php", 0.7},
                      {"mjsw", 0.3},
                      {"ikf", 1e-2}},
                     60.0, {-7.5, -7.0, -2.0, 0.3, 0.7, 0.9});
    d.conductance = 5.0;
    d.values = {{"area", 2.5}, {"m", 3.0}, {"pj", 4.0}};
    expect_like_ngspice(d);
    d.card["ns"] = 1.4;
    expect_like_ngspice(d);
    d.values["temp"] = 80.0;
    expect_like_ngspice(d);
    d.values.erase("temp");
    d.values["dtemp"] = -30.0;
    expect_like_ngspice(d);
}

} // namespace
} // namespace daedalus::testing
