// Bipolar transistors against ngspice and against closed forms.
#include "device_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using Numbers = std::map<std::string, double>;

Device bipolar(const std::string& type, const Numbers& card, const Numbers& values, double celsius) {
    Device d{.kind = spice::ElementKind::bipolar,
             .letter = "q",
             .type = type,
             .card = card,
             .values = values,
             .celsius = celsius};
    const double s = type == "npn" ? 1.0 : -1.0;
    // The substrate is the p side of a vertical npn and of a lateral pnp.
    const auto subs = card.find("subs");
    const double p_side = subs == card.end() ? 1.0 : s * subs->second;
    for (const double vc : {-0.3, 0.05, 0.4, 3.0, 20.0})
        for (const double vb : {-2.0, -0.3, 0.05, 0.35, 0.6, 0.68, 0.76})
            for (const double vs : {-25.0, -3.0}) d.voltages.push_back({s * vc, s * vb, 0.0, p_side * vs});
    d.voltages.push_back({s * 0.05, 0.0, 0.0, p_side * 0.3});         // the substrate forward biased
    d.voltages.push_back({s * 2.0, s * 1.7, s * 1.0, p_side * -4.0}); // nothing is at ground
    d.voltages.push_back({s * 1.0, s * 1.7, s * 2.0, p_side * -4.0}); // collector and emitter exchanged
    return d;
}
void expect_both_types_like_ngspice(const Numbers& card, const Numbers& values = {}, double conductance = 0.0) {
    for (const double celsius : {-40.0, 27.0, 125.0}) {
        SCOPED_TRACE(celsius);
        for (const std::string type : {"npn", "pnp"}) {
            Device d = bipolar(type, card, values, celsius);
            d.conductance = conductance;
            // SPICE's small-signal analysis leaves out how the base resistance changes with voltages.
            d.currents_only = card.contains("rbm");
            expect_like_ngspice(d);
        }
    }
}

TEST(Bipolar, IdealTransistorIsEbersMolls) {
    Device d = bipolar("npn", {{"is", 1e-15}, {"bf", 80.0}, {"br", 2.0}}, {}, 27.0);
    d.voltages = {{2.0, 0.65, 0.0, 0.0}, {0.05, 0.7, 0.0, 0.0}};
    const Measured m = measure(d);
    const double vt = 1.38064852e-23 * 300.15 / 1.6021766208e-19, gmin = 1e-12;
    for (std::size_t b = 0; b < 2; ++b) {
        const double vbe = d.voltages[b][1], vbc = vbe - d.voltages[b][0];
        const double f = 1e-15 * std::expm1(vbe / vt), r = vbc > -3.0 * vt ? 1e-15 * std::expm1(vbc / vt) : -1e-15;
        const double base = f / 80.0 + r / 2.0 + gmin * (vbe + vbc);
        const double collector = f - 1.5 * r - gmin * vbc + gmin * d.voltages[b][0];
        EXPECT_NEAR(m.current[b][1], base, 1e-9 * base);
        EXPECT_NEAR(m.current[b][0], collector, 1e-9 * collector);
    }
}

TEST(Bipolar, IsLikeNgspice) {
    expect_both_types_like_ngspice({});
    expect_both_types_like_ngspice({{"is", 1e-15},
                                    {"bf", 200.0},
                                    {"vaf", 70.0},
                                    {"ikf", 0.05},
                                    {"ise", 1e-13},
                                    {"ne", 1.6},
                                    {"br", 3.0},
                                    {"var", 15.0},
                                    {"ikr", 0.02},
                                    {"isc", 1e-12},
                                    {"nc", 1.8},
                                    {"nf", 1.02},
                                    {"nr", 1.01},
                                    {"xtb", 1.4},
                                    {"xti", 3.5},
                                    {"eg", 1.12}});
    expect_both_types_like_ngspice(
        {{"is", 1e-15}, {"va", 60.0}, {"vb", 20.0}, {"ik", 0.03}, {"c2", 1000.0}, {"c4", 50.0}, {"nkf", 0.6}});
}

TEST(Bipolar, ChargesAreLikeNgspice) {
    const Numbers charges{{"is", 1e-15}, {"cje", 1.5e-12}, {"vje", 0.8},   {"mje", 0.4},  {"cjc", 1e-12},
                          {"vjc", 0.7},  {"mjc", 0.35},    {"cjs", 2e-12}, {"vjs", 0.6},  {"mjs", 0.3},
                          {"fc", 0.6},   {"tf", 3e-10},    {"tr", 1e-8},   {"vaf", 70.0}, {"ikf", 0.05}};
    expect_both_types_like_ngspice(charges);
    Numbers bias = charges;
    for (const auto& [name, value] : Numbers{{"xtf", 3.0}, {"vtf", 4.0}, {"itf", 0.1}}) bias[name] = value;
    expect_both_types_like_ngspice(bias);
    bias.erase("itf");
    expect_both_types_like_ngspice(bias);
    bias.erase("vtf");
    expect_both_types_like_ngspice(bias, {{"m", 3.0}});
    // With an area ngspice 39 scales the collector's saturation current twice, unless it has one of its own.
    bias["ibe"] = bias["ibc"] = 1e-15;
    expect_both_types_like_ngspice(bias, {{"area", 2.0}, {"m", 3.0}});
    bias["iss"] = 1e-14;
    expect_both_types_like_ngspice(bias, {{"area", 2.0}, {"areab", 3.0}, {"areac", 4.0}});
}

TEST(Bipolar, ResistancesAreLikeNgspice) {
    const Numbers card{{"is", 1e-15}, {"bf", 50.0}, {"cje", 1.5e-12}, {"cjc", 1e-12}, {"tf", 3e-10}, {"ikf", 0.02},
                       {"rb", 100.0}, {"re", 1.0},  {"rc", 5.0},      {"xcjc", 0.4},  {"cjs", 1e-12}};
    expect_both_types_like_ngspice(card, {}, 2.0);
    Numbers modulated = card;
    modulated["rbm"] = 10.0;
    expect_both_types_like_ngspice(modulated, {}, 2.0);
    modulated["irb"] = 1e-3; // far below, ngspice, which leaves out slopes of the resistance, does not converge
    expect_both_types_like_ngspice(modulated, {}, 2.0);
    modulated["trb1"] = 1e-3;
    modulated["trc1"] = 2e-3;
    modulated["tre2"] = 1e-5;
    expect_both_types_like_ngspice(modulated, {{"m", 6.0}}, 12.0);
}

TEST(Bipolar, AnAreaIsTransistorsSideBySide) {
    const Numbers card{{"is", 1e-15},  {"bf", 50.0},  {"ikf", 0.02},  {"ikr", 0.01}, {"ise", 1e-13}, {"isc", 1e-13},
                       {"rb", 100.0},  {"rbm", 10.0}, {"irb", 1e-4},  {"re", 1.0},   {"rc", 5.0},    {"cje", 1e-12},
                       {"cjc", 1e-12}, {"xcjc", 0.4}, {"cjs", 1e-12}, {"tf", 3e-10}, {"xtf", 2.0},   {"itf", 0.1}};
    const Measured two = measure(bipolar("npn", card, {{"m", 2.0}}, 60.0));
    const Measured twice = measure(bipolar("npn", card, {{"area", 2.0}}, 60.0));
    for (std::size_t b = 0; b < two.current.size(); ++b) {
        for (std::size_t t = 0; t < 4; ++t) {
            // gmin is that of each transistor, at three junctions of up to 50 V
            EXPECT_NEAR(two.current[b][t], twice.current[b][t], 1e-10 * std::abs(two.current[b][t]) + 2e-10);
            EXPECT_NEAR(two.capacitance[b][t][t], twice.capacitance[b][t][t],
                        1e-6 * std::abs(two.capacitance[b][t][t]));
        }
    }
}

TEST(Bipolar, SubstrateIsLikeNgspice) {
    for (const double subs : {1.0, -1.0})
        expect_both_types_like_ngspice(
            {{"is", 1e-15}, {"iss", 1e-14}, {"ns", 1.1}, {"cjs", 2e-12}, {"mjs", 0.4}, {"subs", subs}});
}

} // namespace
} // namespace daedalus::testing
