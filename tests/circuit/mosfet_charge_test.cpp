// Charges of a long channel in place of Meyer's capacitances (XQC up to ½).
#include "device_bench.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using Numbers = std::map<std::string, double>;
constexpr double width = 1e-5, length = 4e-6, thickness = 2e-8;
const double whole = 3.9 * 8.854214871e-12 / thickness * width * length;

Device mosfet(const Numbers& more, std::vector<std::vector<double>> voltages) {
    Numbers card{{"vto", 0.7}, {"kp", 1e-4}, {"tox", thickness}, {"xqc", 0.4}, {"phi", 1.5}};
    for (const auto& [name, value] : more) card[name] = value;
    return {.kind = spice::ElementKind::mosfet,
            .letter = "m",
            .type = "nmos",
            .card = card,
            .values = {{"w", width}, {"l", length}},
            .voltages = std::move(voltages)};
}
enum Terminal { drain, gate, source, bulk };

TEST(MosfetCharge, IsWardsAndDuttonsInSaturationAndAtRest) {
    const Measured m = measure(mosfet({}, {{5.0, 2.0, 0.0, 0.0}, {0.0, 2.0, 0.0, 0.0}, {1.0, -3.0, 0.0, 0.0}}));
    const auto c = [&](int bias, int of, int by) { // ∂Q_of/∂v_by
        return m
            .capacitance[static_cast<std::size_t>(bias)][static_cast<std::size_t>(by)][static_cast<std::size_t>(of)];
    };
    const double close = 1e-6 * whole;
    EXPECT_NEAR(c(0, gate, gate), 2.0 / 3.0 * whole, close);
    EXPECT_NEAR(c(0, gate, source), -2.0 / 3.0 * whole, close);
    EXPECT_NEAR(c(0, drain, gate), -4.0 / 15.0 * whole, close);
    EXPECT_NEAR(c(0, source, gate), -2.0 / 5.0 * whole, close);
    EXPECT_NEAR(c(0, gate, drain), 0.0, close);
    // v_ds = 0: Q = −C/6 (2 V_s + V_d), …
    EXPECT_NEAR(c(1, gate, gate), whole, close);
    EXPECT_NEAR(c(1, gate, drain), -0.5 * whole, close);
    EXPECT_NEAR(c(1, drain, drain), whole / 3.0, close);
    EXPECT_NEAR(c(1, drain, source), whole / 6.0, close);
    // accumulation
    EXPECT_NEAR(c(2, gate, gate), whole, close);
    EXPECT_NEAR(c(2, gate, bulk), -whole, close);
}

TEST(MosfetCharge, SharesAreAsAsked) {
    for (const double share : {0.0, 0.25, 0.5}) {
        const Measured m = measure(mosfet({{"xqc", share}}, {{5.0, 2.0, 0.0, 0.0}, {0.0, 2.0, 5.0, 0.0}}));
        // exchanged ends: the charge of the source terminal is that of the channel's drain
        EXPECT_NEAR(m.capacitance[0][gate][drain], -share * 2.0 / 3.0 * whole, 1e-6 * whole);
        EXPECT_NEAR(m.capacitance[1][gate][source], -share * 2.0 / 3.0 * whole, 1e-6 * whole);
    }
}

TEST(MosfetCharge, IsNeitherMadeNorLost) {
    std::vector<std::vector<double>> voltages;
    for (const double vd : {-2.0, 0.3, 4.0})
        for (const double vg : {-4.0, -0.5, 0.4, 1.5, 4.0})
            for (const double vb : {-5.0, -3.0}) voltages.push_back({vd, vg, 0.5, vb});
    for (const double level : {1.0, 2.0, 3.0}) {
        const Measured m = measure(
            mosfet({{"level", level}, {"gamma", 0.5}, {"cgso", 3e-10}, {"cj", 1e-4}, {"nsub", 2e16}}, voltages));
        for (const auto& matrix : m.capacitance)
            for (std::size_t i = 0; i < 4; ++i) {
                double row = 0.0, column = 0.0;
                for (std::size_t j = 0; j < 4; ++j) {
                    row += matrix[i][j];
                    column += matrix[j][i];
                }
                EXPECT_NEAR(row, 0.0, 1e-9 * whole);    // the sum of all charges is constant
                EXPECT_NEAR(column, 0.0, 1e-9 * whole); // only differences of voltages count
            }
    }
}

} // namespace
} // namespace daedalus::testing
