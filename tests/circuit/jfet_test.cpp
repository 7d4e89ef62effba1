// Junction field-effect transistors against ngspice and against the square law.
#include "device_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using Numbers = std::map<std::string, double>;

Device jfet(const std::string& type, const Numbers& card, const Numbers& values, double celsius) {
    Device d{.kind = spice::ElementKind::jfet,
             .letter = "j",
             .type = type,
             .card = card,
             .values = values,
             .celsius = celsius};
    const double s = type == "njf" ? 1.0 : -1.0;
    for (const double vd : {-2.0, -0.02, 0.02, 0.5, 2.0, 15.0})
        for (const double vg : {-5.0, -2.2, -1.4, -0.6, 0.0, 0.45})
            d.voltages.push_back({s * vd, s * (std::min(vd, 0.0) + vg), 0.0});
    d.voltages.push_back({s * 3.0, s * 0.5, s * 1.0});
    return d;
}

TEST(Jfet, IsASquareLaw) {
    Device d = jfet("njf", {{"vto", -2.0}, {"beta", 1e-3}, {"lambda", 0.01}}, {}, 27.0);
    d.voltages = {{5.0, -0.5, 0.0}, {0.5, -0.5, 0.0}, {-0.5, -1.0, 0.0}, {5.0, -2.5, 0.0}};
    const Measured m = measure(d);
    EXPECT_NEAR(m.current[0][0], 1e-3 * 1.5 * 1.5 * 1.05, 1e-10);
    EXPECT_NEAR(m.current[1][0], 1e-3 * (2.0 * 1.5 - 0.5) * 0.5 * 1.005, 1e-10);
    EXPECT_NEAR(m.current[2][0], -1e-3 * (2.0 * 1.5 - 0.5) * 0.5 * 1.005, 1e-10);
    EXPECT_NEAR(m.current[3][0], 0.0, 1e-10);
}

TEST(Jfet, IsLikeNgspice) {
    const Numbers card{{"vto", -1.8},  {"beta", 8e-4}, {"lambda", 0.02}, {"is", 2e-13},
                       {"cgs", 2e-12}, {"cgd", 3e-12}, {"pb", 0.9},      {"fc", 0.45}};
    Numbers more = card, warm = card;
    for (const auto& [name, value] : Numbers{{"rd", 20.0}, {"rs", 15.0}, {"b", 0.7}}) more[name] = value;
    for (const auto& [name, value] :
         Numbers{{"tcv", 2e-3}, {"bex", -1.5}, {"xti", 2.0}, {"eg", 1.05}, {"tnom", 40.0}, {"b", 1.2}})
        warm[name] = value;
    for (const double celsius : {-40.0, 27.0, 125.0})
        for (const std::string type : {"njf", "pjf"}) {
            SCOPED_TRACE(type + " " + std::to_string(celsius));
            expect_like_ngspice(jfet(type, {}, {}, celsius));
            expect_like_ngspice(jfet(type, card, {}, celsius));
            expect_like_ngspice(jfet(type, warm, {{"area", 2.5}, {"m", 2.0}}, celsius));
            Device d = jfet(type, more, {{"area", 2.0}}, celsius);
            d.conductance = 0.3;
            expect_like_ngspice(d);
        }
}

} // namespace
} // namespace daedalus::testing
