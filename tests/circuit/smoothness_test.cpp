// Currents and charges of all devices: finite wherever exponentials are, and with the slopes that their derivatives
// say.
#include "device_bench.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using Numbers = std::map<std::string, double>;
using spice::ElementKind;

Device device(ElementKind kind, const std::string& letter, const std::string& type, Numbers card, Numbers values,
              std::size_t terminals) {
    return {.kind = kind,
            .letter = letter,
            .type = type,
            .card = std::move(card),
            .values = std::move(values),
            .celsius = 40.0,
            .voltages = {std::vector<double>(terminals, 0.0)}};
}

std::vector<Numbers> mosfet_cards() {
    const Numbers junctions{{"cj", 4e-4}, {"mj", 0.4}, {"cjsw", 3e-10}, {"mjsw", 0.3}, {"tox", 2e-8}, {"cgso", 3e-10}};
    std::vector<Numbers> cards{
        {{"level", 1.0}, {"vto", 0.7}, {"gamma", 0.5}, {"lambda", 0.02}},
        {{"level", 1.0}, {"vto", 0.7}, {"gamma", 0.5}, {"xqc", 0.4}},
        {{"level", 1.0}, {"vto", 0.7}, {"xqc", 0.5}},
        {{"level", 2.0}, {"vto", 0.7}, {"nsub", 2e16}, {"xj", 3e-7}, {"uexp", 0.1}, {"delta", 0.5}, {"nfs", 3e11}},
        {{"level", 2.0}, {"vto", 0.7}, {"nsub", 2e16}, {"vmax", 6e4}, {"xj", 3e-7}, {"uexp", 0.1}},
        {{"level", 2.0}, {"vto", 0.7}, {"nsub", 2e16}, {"vmax", 6e4}, {"nfs", 3e11}, {"xqc", 0.4}},
        {{"level", 2.0}, {"vto", 0.7}, {"lambda", 0.1}},
        {{"level", 3.0}, {"vto", 0.7}, {"nsub", 2e16}, {"theta", 0.05}, {"eta", 0.2}, {"kappa", 0.6}, {"delta", 0.5}},
        {{"level", 3.0}, {"vto", 0.7}, {"nsub", 2e16}, {"vmax", 1e5}, {"xj", 3e-7}, {"theta", 0.05}},
        {{"level", 3.0}, {"vto", 0.7}, {"nsub", 2e16}, {"vmax", 1e5}, {"nfs", 3e11}, {"xj", 3e-7}, {"xqc", 0.5}}};
    for (Numbers& card : cards)
        for (const auto& [name, value] : junctions) card.emplace(name, value);
    return cards;
}
const Numbers drawn{{"w", 1e-5}, {"l", 2e-6}, {"ad", 3e-11}, {"as", 3e-11}, {"pd", 2e-5}, {"ps", 2e-5}};
const Numbers diode_card{{"is", 1e-12}, {"rs", 1.0},  {"cjo", 1e-12}, {"bv", 30.0}, {"ikf", 1e-2},  {"isr", 1e-10},
                         {"nr", 2.0},   {"tt", 1e-9}, {"jsw", 1e-13}, {"ns", 1.3},  {"cjsw", 1e-13}};
const Numbers bipolar_card{
    {"is", 1e-15},  {"vaf", 50.0},  {"var", 10.0},  {"ikf", 0.02}, {"ikr", 0.01}, {"ise", 1e-13}, {"isc", 1e-12},
    {"cje", 1e-12}, {"cjc", 1e-12}, {"cjs", 1e-12}, {"mjs", 0.3},  {"tf", 3e-10}, {"tr", 1e-9},   {"xtf", 2.0},
    {"vtf", 3.0},   {"itf", 0.1},   {"rb", 50.0},   {"rbm", 5.0},  {"irb", 1e-4}, {"iss", 1e-15}, {"xcjc", 0.5}};

TEST(Smoothness, Mosfets) {
    for (const Numbers& card : mosfet_cards()) {
        SCOPED_TRACE(card.at("level") * 1000 + card.size());
        const Device n = device(ElementKind::mosfet, "m", "nmos", card, drawn, 4);
        expect_smooth(n, {-3.0, -3.0, -3.0, -4.0}, {5.0, 5.0, 5.0, 0.5}, true);
        expect_smooth(n, {-1e3, -1e3, -1e3, -2e3}, {1e3, 1e3, 1e3, -1e3}, false);
        expect_smooth(n, {-8.0, -8.0, -8.0, -8.0}, {8.0, 8.0, 8.0, 8.0}, false);
    }
}

/// Exactly at rest: every piece meets another one there.
TEST(Smoothness, NoVoltages) {
    for (const Numbers& card : mosfet_cards())
        expect_smooth(device(ElementKind::mosfet, "m", "pmos", card, drawn, 4), {0, 0, 0, 0}, {0, 0, 0, 0}, false);
    expect_smooth(device(ElementKind::diode, "d", "d", diode_card, {{"pj", 2.0}}, 2), {0, 0}, {0, 0}, false);
    expect_smooth(device(ElementKind::bipolar, "q", "pnp", bipolar_card, {}, 4), {0, 0, 0, 0}, {0, 0, 0, 0}, false);
}

TEST(Smoothness, Diodes) {
    const Device d = device(ElementKind::diode, "d", "d", diode_card, {{"pj", 2.0}}, 2);
    expect_smooth(d, {-29.0, 0.0}, {0.7, 0.0}, true);
    expect_smooth(d, {-40.0, 0.0}, {8.0, 0.0}, false);
    Device without = d;
    without.card.erase("bv");
    expect_smooth(without, {-1e3, 0.0}, {0.7, 0.0}, false);
}

TEST(Smoothness, Bipolars) {
    const Device q = device(ElementKind::bipolar, "q", "npn", bipolar_card, {}, 4);
    expect_smooth(q, {-0.5, -2.0, -0.5, -5.0}, {5.0, 0.8, 5.0, -0.4}, true);
    expect_smooth(q, {-3.0, -3.0, -3.0, -3.0}, {3.0, 3.0, 3.0, 3.0}, false);
    expect_smooth(q, {-10.0, -1e3, -10.0, -1e3}, {1e3, -10.0, 1e3, -10.0}, false);
}

TEST(Smoothness, Jfets) {
    const Device j = device(ElementKind::jfet, "j", "njf",
                            {{"b", 0.8}, {"lambda", 0.02}, {"cgs", 1e-12}, {"cgd", 1e-12}, {"rd", 10.0}}, {}, 3);
    expect_smooth(j, {-2.0, -5.0, -2.0}, {5.0, 0.5, 5.0}, true);
    expect_smooth(j, {-1e3, -2e3, -1e3}, {1e3, -1e3, 1e3}, false);
}

} // namespace
} // namespace daedalus::testing
