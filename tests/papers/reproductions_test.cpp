// Every reproduction against the numbers of its paper, typed here once more: neither the program's verdict nor its own
// columns of printed numbers are taken on trust.
#include "daedalus/study.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace {

using daedalus::StudyVerdict;

class Reproductions : public testing::TestWithParam<std::string> {};

TEST_P(Reproductions, Verdict) {
    const auto result = daedalus::reproduce(GetParam());
    ASSERT_TRUE(result.has_value());
    std::string remarks;
    int differences = 0;
    for (const std::string& r : result->remarks) {
        remarks += r + "\n";
        differences += r.starts_with("DIFFERS") ? 1 : 0;
    }
    EXPECT_EQ(result->verdict, StudyVerdict::agrees) << remarks;
    EXPECT_EQ(differences, 0) << remarks;
    EXPECT_FALSE(result->tables.empty());
    for (const auto& table : result->tables)
        for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
    EXPECT_NE(result->to_html().find("</html>"), std::string::npos);
}

std::vector<std::string> ids() {
    std::vector<std::string> list;
    for (const auto& r : daedalus::reproductions()) list.push_back(r.id);
    return list;
}

INSTANTIATE_TEST_SUITE_P(All, Reproductions, testing::ValuesIn(ids()), [](const auto& info) {
    std::string name = info.param;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

/// A column of numbers by name; NaN where it is empty.
std::vector<double> column(const daedalus::Reproduction& r, const std::string& name, std::size_t table = 0) {
    std::vector<double> out;
    const auto& t = r.tables.at(table);
    for (std::size_t c = 0; c < t.columns.size(); ++c)
        if (t.columns[c].name == name)
            for (const auto& row : t.rows)
                out.push_back(std::holds_alternative<double>(row[c]) ? std::get<double>(row[c]) : NAN);
    EXPECT_FALSE(out.empty()) << name;
    return out;
}

daedalus::Reproduction reproduced(const std::string& id) {
    auto r = daedalus::reproduce(id);
    EXPECT_TRUE(r.has_value()) << id;
    return *std::move(r);
}

std::string remarks_of(const daedalus::Reproduction& r) {
    std::string all;
    for (const std::string& text : r.remarks) all += text + "\n";
    return all;
}

TEST(NumericallyConsistentTables, PrintedDigits) {
    // Rows in the order of the tables: printed, half a unit of the last digit, and what is meant if it is a misprint.
    struct Row {
        double exact, exact_half, consistent, consistent_half, meant = 0.0;
    };
    const std::vector<Row> nc51{{2.0040, 5e-5, 0.004030, 5e-7, 0.004003}, {0.0040085, 5e-8, 0.0040085, 5e-8},
                                {0.0040185, 5e-8, 0.0040185, 5e-8},       {0.0040286, 5e-8, 0.0040286, 5e-8},
                                {2.0080, 5e-5, 0.0080120, 5e-8},          {0.0080341, 5e-8, 0.0080341, 5e-8}};
    const std::vector<Row> nc52{{2.3973, 5e-5, 0.0047995, 5e-8},    {0.0056125, 5e-8, 0.0056125, 5e-8},
                                {0.0055573, 5e-8, 0.0055573, 5e-8}, {0.0055028, 5e-8, 0.0055028, 5e-8},
                                {2.3917, 5e-5, 0.009586, 5e-7},     {0.011062, 5e-7, 0.011062, 5e-7}};
    for (const auto& [id, rows] : {std::pair{"NC-5.1", nc51}, {"NC-5.2", nc52}}) {
        const auto r = reproduced(id);
        const auto exact = column(r, "exact_iv"), consistent = column(r, "consistent_iv");
        ASSERT_EQ(exact.size(), rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const Row& p = rows[k];
            EXPECT_NEAR(exact[k], p.exact, p.exact_half) << id << " row " << k;
            EXPECT_NEAR(consistent[k], p.meant != 0.0 ? p.meant : p.consistent, p.consistent_half) << id << " " << k;
            EXPECT_EQ(column(r, "exact_iv_printed")[k], p.exact) << id << " " << k;
            EXPECT_EQ(column(r, "consistent_iv_printed")[k], p.consistent) << id << " " << k;
        }
    }
    EXPECT_THAT(remarks_of(reproduced("NC-5.1")), testing::HasSubstr("0.004030"));
    // Start values after the correction, as the text of section 5 prints them.
    const auto first = column(reproduced("NC-5.1"), "corrected", 1);
    const double printed[] = {1.0814, -1.6824, 1.0823, -1.6819};
    ASSERT_EQ(first.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(first[k], printed[k], 5e-5);
    const auto second = column(reproduced("NC-5.2"), "corrected", 1);
    ASSERT_EQ(second.size(), 3U);
    EXPECT_NEAR(second[0], -0.72985, 5e-6);
    EXPECT_NEAR(second[1], 0.93931, 5e-6);
    EXPECT_NEAR(second[2], 1.0, 5e-6);
}

// MW Tables 7.1, 7.2, 8.3. The paper's random errors are unknown: what does not depend on their differences is met
// within a factor 3, e_y within its bound 2·10⁻⁵/max(h, ε) and, as a median, not far below it.
TEST(NoiseTables, PrintedNumbers) {
    const double h[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    struct Printed {
        const char* id;
        double epsilon;
        double ex[6], ey[6], drift[6];
    };
    const Printed tables[] = {{"MW-7.1",
                               1e-6,
                               {0.49e-4, 0.55e-4, 0.54e-4, 0.55e-4, 0.55e-4, 0.55e-4},
                               {0.75e-1, 0.13e0, 0.14e1, 0.30e1, 0.10e0, 0.35e1},
                               {0.49e-4, 0.55e-4, 0.54e-4, 0.58e-4, 0.56e-4, 0.58e-4}},
                              {"MW-7.2",
                               0.0,
                               {0.54e-4, 0.60e-4, 0.51e-4, 0.59e-4, 0.54e-4, 0.58e-4},
                               {0.57e-2, 0.62e0, 0.44e0, 0.72e1, 0.20e3, 0.11e5},
                               {0.54e-4, 0.60e-4, 0.51e-4, 0.59e-4, 0.54e-4, 0.58e-4}}};
    for (const Printed& p : tables) {
        const auto r = reproduced(p.id);
        const auto ex = column(r, "ex"), ey = column(r, "ey"), drift = column(r, "drift");
        ASSERT_EQ(ex.size(), 6U);
        for (std::size_t k = 0; k < 6; ++k) {
            EXPECT_EQ(column(r, "ex_printed")[k], p.ex[k]);
            EXPECT_EQ(column(r, "ey_printed")[k], p.ey[k]);
            EXPECT_EQ(column(r, "drift_printed")[k], p.drift[k]);
            EXPECT_LT(std::abs(std::log(ex[k] / p.ex[k])), std::log(3.0)) << p.id << k;
            EXPECT_LT(std::abs(std::log(drift[k] / p.drift[k])), std::log(3.0)) << p.id << k;
            const double bound = 2e-5 / std::max(h[k], p.epsilon);
            EXPECT_LT(ey[k], bound) << p.id << k;
            EXPECT_GT(ey[k], 0.05 * bound) << p.id << k;
            EXPECT_LT(p.ey[k], 1.05 * bound) << p.id << k; // the printed sample obeys the same bound
        }
    }
    const auto r = reproduced("MW-8.3");
    const std::pair<const char*, std::array<double, 6>> columns[] = {
        {"ex1", {0.55e-4, 0.60e-4, 0.49e-4, 0.56e-4, 0.58e-4, 0.58e-4}},
        {"ex2", {0.99e-4, 0.11e-3, 0.90e-4, 0.11e-3, 0.11e-3, 0.12e-3}},
        {"ey1", {0.39e-8, 0.50e-7, 0.54e-7, 0.55e-7, 0.55e-7, 0.55e-7}},
        {"ey2", {0.12e-3, 0.13e-3, 0.12e-3, 0.11e-3, 0.11e-3, 0.11e-3}},
        {"drift", {0.55e-4, 0.60e-4, 0.49e-4, 0.56e-4, 0.58e-4, 0.59e-4}}};
    for (const auto& [name, printed] : columns) {
        const auto ours = column(r, name), shown = column(r, std::string(name) + "_printed");
        for (std::size_t k = 0; k < 6; ++k) {
            EXPECT_EQ(shown[k], printed[k]) << name << k;
            EXPECT_LT(std::abs(std::log(ours[k] / printed[k])), std::log(3.0)) << name << k;
        }
    }
    EXPECT_THAT(remarks_of(r), testing::HasSubstr("(2, 0)")); // the start that Example 8.1 states
}

TEST(SingularExamples, AsStated) {
    const auto powers = column(reproduced("MW-9.3"), "value"), stated = column(reproduced("MW-9.3"), "predicted");
    EXPECT_EQ(powers[0], 0.0);
    EXPECT_EQ(powers[1], 1.0);
    EXPECT_EQ(powers[2], 0.0);
    EXPECT_TRUE(std::isnan(stated[3])); // the paper speaks of even i, and of i = 1
    // MW Example 9.4's solution with x(0) = (0, 1), and with q = 1: factors (1 + 1/ε)(1 − e⁻ᵗ), (1 − e⁻ᵗ)/ε, 1/ε.
    const auto r = reproduced("MW-9.4");
    const auto eps = column(r, "epsilon");
    for (std::size_t k = 0; k < eps.size(); ++k) {
        const double decay = 1 - std::exp(-5.0);
        EXPECT_NEAR(column(r, "x_from_x0")[k] * eps[k], (eps[k] + 1) * decay, 1e-7);
        EXPECT_NEAR(column(r, "x_from_q")[k] * eps[k], decay, 1e-7);
        EXPECT_NEAR(column(r, "y_from_x0")[k] * eps[k], 1.0, 1e-9);
        EXPECT_NEAR(column(r, "y_from_q")[k] * eps[k], 1.0, 1e-9);
    }
    EXPECT_EQ(column(reproduced("W-1.1"), "index"), (std::vector<double>{1, 2, 3}));
}

TEST(Theorems, OfWijckmans) {
    const auto t = reproduced("W-T2.1");
    const auto k = column(t, "k"), nu = column(t, "nu"), first = column(t, "observed");
    ASSERT_EQ(k.size(), 24U);
    for (std::size_t i = 0; i < k.size(); ++i) EXPECT_EQ(first[i], (nu[i] - 1) * k[i] + 1);
    const auto v = reproduced("W-2.2");
    const auto order = column(v, "observed", 1);
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_NEAR(order[i], static_cast<double>(i), 0.2); // k − 3 + 2
    // W Example 1.6: x1 = g1 − g2' + g3'', x2 = g2 − g3', x3 = g3.
    const auto e = reproduced("W-1.6");
    const auto time = column(e, "t");
    for (std::size_t i = 0; i < time.size(); ++i) {
        const double s = time[i];
        EXPECT_NEAR(column(e, "x1")[i], std::exp(s) - 2 * std::cos(2 * s) - 9 * std::cos(3 * s), 1e-3);
        EXPECT_NEAR(column(e, "x2")[i], std::sin(2 * s) + 3 * std::sin(3 * s), 1e-5);
        EXPECT_NEAR(column(e, "x3")[i], std::cos(3 * s), 1e-9);
    }
}

TEST(PerturbationIndices, AsStated) {
    for (const auto& [id, sizes] : {std::pair{"HW-1.32", std::vector<double>{2, 3, 4, 5}}, {"S-47", {3}}}) {
        const auto r = reproduced(id);
        EXPECT_EQ(column(r, "m"), sizes);
        EXPECT_EQ(column(r, "perturbation_index"), sizes); // HW: "the perturbation index of (1.32) is m"
        EXPECT_EQ(column(r, "differentiation_index"), std::vector<double>(sizes.size(), 1.0));
    }
    const auto lubich = reproduced("HW-1.31"); // y1' = ε²ω
    const auto omega = column(lubich, "omega"), y1 = column(lubich, "y1");
    for (std::size_t k = 0; k < omega.size(); ++k) EXPECT_NEAR(y1[k] / (1e-6 * omega[k]), 1.0, 1e-3);
    const auto classes = reproduced("HW-1.25");
    EXPECT_EQ(column(classes, "perturbation_index"), (std::vector<double>{0, 1, 2, 3, 1, 2, 3, 4}));
    for (const auto& row : classes.tables.at(0).rows)
        EXPECT_EQ(std::get<std::string>(row[1]).find("remark"), std::string::npos);
    EXPECT_EQ(column(reproduced("HW-1.52"), "index"), (std::vector<double>{1, 3}));
}

TEST(Figures, AsStated) {
    const auto circle = reproduced("HW-1.9");
    for (const double g : column(circle, "hidden")) EXPECT_LT(std::abs(g), 1e-6);
    const auto drift = reproduced("HW-2.1"); // Theorem 2.1: quadratic and linear, over the decade from 10 to 100
    const auto t = column(drift, "t"), g = column(drift, "position"), gu = column(drift, "velocity");
    const double decades = std::log(t.back() / t.front());
    EXPECT_NEAR(std::log(g.back() / g.front()) / decades, 2.0, 0.4);
    EXPECT_NEAR(std::log(gu.back() / gu.front()) / decades, 1.0, 0.4);
}

TEST(Mechanics, AsStated) {
    const auto drift = reproduced("HW-T2.1");
    const double g[] = {1.895e-4, 7.594e-4, 3.040e-3}, Gu[] = {9.520e-6, 1.919e-5, 3.801e-5};
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(column(drift, "g")[k], g[k], 1e-3 * g[k]);
        EXPECT_NEAR(column(drift, "Gu")[k], Gu[k], 1e-3 * Gu[k]);
    }
    // HW Fig. 2.2 has no numbers; these are another implementation's of DOPRI5, whose steps differ a little.
    const auto projections = column(reproduced("HW-2.2"), "position_error");
    const double errors[] = {3.1e-2, 3.8e-2, 1.63e-3, 1.54e-3};
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(projections[k], errors[k], 0.2 * errors[k]) << k;
    const auto kepler = reproduced("HW-2.3");
    const auto energy = column(kepler, "energy"), momentum = column(kepler, "momentum");
    EXPECT_NEAR(energy[0], 0.53, 0.005);  // explicit Euler
    EXPECT_LE(energy[2], 1.5e-2);         // symplectic Euler
    EXPECT_LE(momentum[2], 1e-13);        // …
    EXPECT_NEAR(momentum[3], 0.12, 0.01); // projected onto the energy
    const auto euler = column(reproduced("S-27"), "error");
    const double of_euler[] = {3.62e-1, 1.67e-1, 7.96e-2, 3.88e-2, 1.92e-2};
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(euler[k], of_euler[k], 2e-3 * of_euler[k]);
}

TEST(ExamplesOfSimeon, AsStated) {
    const auto circuit = reproduced("S-8"); // V3 = −(L/R) V' with V = sin 3t, L = 0.5, R = 2
    const auto t = column(circuit, "t"), v3 = column(circuit, "V3");
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(v3[k], -0.25 * 3 * std::cos(3 * t[k]), 1e-4);
    EXPECT_EQ(remarks_of(circuit).find("stated"), std::string::npos); // S gives no index for it
    const auto riccati = reproduced("S-29");
    const auto s = column(riccati, "t");
    for (std::size_t k = 0; k < s.size(); ++k) {
        EXPECT_NEAR(column(riccati, "b_first")[k], 1 - (2 + 0.5 * std::sin(2 * s[k])), 1e-5);
        EXPECT_NEAR(column(riccati, "b_second")[k], 1 + (2 + 0.5 * std::sin(2 * s[k])), 1e-5);
    }
    const auto pol = reproduced("S-39");
    const auto epsilon = column(pol, "epsilon"), distance = column(pol, "distance");
    EXPECT_NEAR(std::log(distance.front() / distance.back()) / std::log(epsilon.front() / epsilon.back()), 1.0, 0.1);
}

TEST(ReproductionNames, UnknownIdIsAnError) { EXPECT_FALSE(daedalus::reproduce("NC-9.9").has_value()); }

} // namespace
