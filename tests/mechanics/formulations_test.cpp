// Formulations of mechanisms against each other and against what theory says about drift.
#include "daedalus/analysis.hpp"
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

#include <map>

using namespace daedalus;
using namespace daedalus::testing;

TEST(MechanicalFormulations, AgreeOnThePendulum) {
    for (const char* method : {"radau5", "bdf"})
        for (const Reduction r :
             {Reduction::index2, Reduction::ggl, Reduction::stabilised_index1, Reduction::overdetermined,
              Reduction::project_position, Reduction::project_velocity, Reduction::partition, Reduction::baumgarte}) {
            const Solution s =
                solved(pendulum(), {.until = 10, .method = method, .rtol = 1e-8, .atol = 1e-8, .reduction = r});
            for (int k = 0; k < 4; ++k)
                EXPECT_NEAR(s.final(pendulum_names[k]), pendulum_at_10[static_cast<std::size_t>(k)], 1e-6)
                    << method << ' ' << to_string(r) << ' ' << pendulum_names[k];
        }
    for (const Reduction r : {Reduction::project_position, Reduction::project_velocity, Reduction::partition}) {
        const Solution s = solved(pendulum(), {.until = 10, .method = "dopri5", .rtol = 1e-8, .reduction = r});
        EXPECT_NEAR(s.final("x"), pendulum_at_10[0], 1e-6) << to_string(r);
    }
}

// HW (1.46): positions, velocities and multipliers have the indices 1, 2, 3 as written, 1, 1, 2 with constraints of
// velocities, 1, 1, 1 with those of accelerations; what stabilises is of index 2.
TEST(MechanicalFormulations, HaveTheIndicesThatTheoryGivesThem) {
    const std::map<std::string, std::array<int, 4>> expected{
        {"none", {1, 2, 3, 0}},           {"index2", {1, 1, 2, 0}},         {"ggl", {1, 1, 2, 2}},
        {"underlying-ode", {1, 1, 1, 0}}, {"overdetermined", {1, 1, 1, 2}}, {"stabilised-index1", {1, 1, 1, 2}}};
    const auto top =
        Model::from_string("mechanism t in space coordinates absolute body top { mass = 1, inertia = (1, 1, "
                           "1), center = (0, 0, 1) } spherical tip between ground and top",
                           "top.mech");
    ASSERT_TRUE(top);
    const Model plane = read(pendulum());
    for (const Model* model : {&plane, &*top}) {
        const auto a = analyze(*model);
        ASSERT_TRUE(a);
        std::size_t found = 0;
        for (const FormulationIndex& f : a->formulations) {
            const auto e = expected.find(f.formulation);
            if (e == expected.end()) continue;
            ++found;
            EXPECT_EQ((std::array<int, 4>{f.positions, f.velocities, f.multipliers, f.added}), e->second)
                << f.formulation;
        }
        EXPECT_EQ(found, expected.size());
        EXPECT_THAT(a->to_text(), ::testing::HasSubstr("Formulations (index of the unknowns)"));
    }
    EXPECT_TRUE(analyze(read("model R Real x(start = 1); equation der(x) = -x; end R;"))->formulations.empty());
}

// HW Theorem 2.1: g like t² h⁴, Gu like t h⁴.
TEST(Drift, OfRungeKuttaOfOrderFour) {
    const double g[] = {1.895e-4, 7.594e-4, 3.040e-3}, Gu[] = {9.520e-6, 1.919e-5, 3.801e-5};
    for (int k = 0; k < 3; ++k) {
        const auto drift = [&](double h) {
            return constraint_errors(solved(pendulum(), {.until = 20.0 * (1 << k),
                                                         .method = "rk4",
                                                         .reduction = Reduction::underlying_ode,
                                                         .points = 0,
                                                         .fixed_step = h}));
        };
        const ConstraintErrors whole = drift(0.05), half = drift(0.025);
        EXPECT_NEAR(whole.g, g[k], 1e-3 * g[k]);
        EXPECT_NEAR(whole.Gv, Gu[k], 1e-3 * Gu[k]);
        EXPECT_NEAR(whole.g / half.g, 16, 0.2);
        EXPECT_NEAR(whole.Gv / half.Gv, 16, 0.2);
    }
}

// HW VII.2, exercise 1.
TEST(Drift, OfExplicitEuler) {
    const auto drift = [&](double until) {
        return constraint_errors(solved(pendulum(), {.until = until,
                                                     .method = "explicit-euler",
                                                     .reduction = Reduction::underlying_ode,
                                                     .points = 0,
                                                     .fixed_step = 1e-3}));
    };
    const ConstraintErrors a = drift(20), b = drift(40);
    EXPECT_NEAR(b.g / a.g, 2, 0.2);
    EXPECT_LT(b.Gv, 1.1 * a.Gv);
}

// HW Fig. 2.2 by `solve`: of DOPRI5 with projections of one level, the order of the errors.
TEST(Projection, OfVelocitiesIsWhatCounts) {
    const SolveOptions fine{.until = 100, .method = "radau", .rtol = 1e-12, .points = 1000};
    const Solution exact = solved(pendulum(), fine);
    const auto error = [&](Reduction r) {
        const Solution s = solved(
            pendulum(), {.until = 100, .method = "dopri5", .rtol = 1e-6, .atol = 1e-6, .reduction = r, .points = 1000});
        double worst = 0;
        for (std::size_t i = 0; i < s.time().size(); ++i)
            worst = std::max(worst, std::hypot(s["x"][i] - exact["x"][i], s["y"][i] - exact["y"][i]));
        return worst;
    };
    const double none = error(Reduction::underlying_ode), position = error(Reduction::project_position),
                 velocity = error(Reduction::project_velocity), both = error(Reduction::projection);
    EXPECT_GE(position, none);
    EXPECT_LE(velocity, 1.2 * both);
    EXPECT_GE(none, 10 * both);
}

TEST(Projection, KeepsItsLevelToRoundOff) {
    const auto at = [](Reduction r) {
        return constraint_errors(
            solved(pendulum(), {.until = 20, .method = "dopri5", .rtol = 1e-6, .reduction = r, .points = 0}));
    };
    EXPECT_LT(at(Reduction::project_position).g, 1e-14);
    EXPECT_GT(at(Reduction::project_position).Gv, 1e-10);
    EXPECT_LT(at(Reduction::project_velocity).Gv, 1e-14);
    EXPECT_GT(at(Reduction::project_velocity).g, 1e-10);
}

// Multipliers of a penalty are stiff and near round-off: estimates of methods of many stages are noise there, and steps
// became shorter without end.
TEST(Regularisation, MethodsOfManyStagesDoNotCreep) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/pendulum.mo");
    ASSERT_TRUE(model) << render(model.error());
    for (const char* method : {"radau13", "radau17"}) {
        const auto s = solve(*model, {.until = 0.2, .method = method, .reduction = Reduction::penalty, .points = 0});
        ASSERT_TRUE(s) << render(s.error());
        EXPECT_TRUE(s->success()) << s->message();
        for (const auto& [name, value] : s->statistics())
            if (name == "steps") EXPECT_LT(value, 1000) << method; // 1,874 and 9,317 where they creep
    }
}

// W (4.3)-(4.5) from (0.6, -0.8, 0.8, 0.6) on [0, 2]; largest position errors, within a tenth of those stated.
TEST(Regularisation, ErrorsAsStated) {
    const std::string model = pendulum(0.6, -0.8, 0.8, 0.6);
    const Solution exact = solved(model, {.until = 2, .method = "radau", .rtol = 1e-12, .points = 400});
    const std::tuple<Reduction, double, double, std::array<double, 4>> rows[] = {
        {Reduction::penalty, 1e-2, 10, {6.6e-3, 7.0e-4, 6.8e-5, 5.6e-6}},
        {Reduction::knorrenschild, 0.1, 2, {6.6e-3, 1.8e-3, 4.8e-4, 1.2e-4}},
        {Reduction::hanke, 0.1, 2, {1.25e-1, 6.9e-2, 3.6e-2, 1.9e-2}}};
    for (const auto& [r, first, ratio, stated] : rows) {
        double epsilon = first;
        for (const double expected : stated) {
            const Solution s = solved(
                model,
                {.until = 2, .method = "radau", .rtol = 1e-9, .reduction = r, .epsilon = epsilon, .points = 400});
            double error = 0;
            for (std::size_t i = 0; i < s.time().size(); ++i)
                for (const char* name : {"x", "y"}) error = std::max(error, std::abs(s[name][i] - exact[name][i]));
            EXPECT_NEAR(error, expected, (r == Reduction::penalty ? 0.3 : 0.1) * expected)
                << to_string(r) << ' ' << epsilon;
            epsilon /= ratio;
        }
    }
}

// With the ε that the program chooses, success means an error that is known: against the exact solution.
TEST(Regularisation, IsNeverWrongSilently) {
    const auto andrews = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/andrews.mo");
    ASSERT_TRUE(andrews);
    const Model simple = read(pendulum(0.6, -0.8, 0.8, 0.6));
    const std::tuple<const Model*, double, std::vector<std::string>> models[] = {
        {&simple, 2, {"x", "y"}}, {&*andrews, 0.03, {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}}};
    int succeeded = 0;
    for (const auto& [model, until, names] : models) {
        const Solution exact = solved(*model, {.until = until, .method = "radau", .rtol = 1e-11, .points = 100});
        for (const Reduction r : {Reduction::penalty, Reduction::knorrenschild, Reduction::hanke})
            for (const char* method : {"radau", "bdf"})
                for (const double rtol : {1e-4, 1e-6}) {
                    const auto s = solve(*model, {.until = until,
                                                  .method = method,
                                                  .rtol = rtol,
                                                  .reduction = r,
                                                  .points = 100,
                                                  .max_steps = 20000});
                    if (!s || !s->success()) continue; // and said so
                    ++succeeded;
                    double error = 0;
                    for (const std::string& name : names) {
                        double size = 0;
                        for (const double value : exact[name]) size = std::max(size, std::abs(value));
                        for (std::size_t i = 0; i < exact.time().size(); ++i)
                            error = std::max(error, std::abs((*s)[name][i] - exact[name][i]) / size);
                    }
                    EXPECT_LT(error, 2e3 * rtol) << to_string(r) << ' ' << method << ' ' << rtol << ' ' << names[0];
                    if (error > 60 * rtol)
                        EXPECT_THAT(render(s->diagnostics()),
                                    ::testing::HasSubstr("the regularised solution is off by"))
                            << to_string(r) << error;
                }
    }
    EXPECT_GE(succeeded, 8);
}

TEST(Regularisation, SaysWhatAGivenEpsilonDoes) {
    SolveOptions o{.until = 2, .method = "radau", .rtol = 1e-6, .reduction = Reduction::hanke, .epsilon = 0.05};
    const Solution s = solved(pendulum(0.6, -0.8, 0.8, 0.6), o); // asked for, so a success; W (4.5): 6.9e-2
    EXPECT_THAT(render(s.diagnostics()), ::testing::HasSubstr("the regularised solution is off by up to 0.07"));
}

TEST(Baumgarte, TakesTwoParameters) {
    SolveOptions o{.until = 10, .method = "radau5", .rtol = 1e-8, .reduction = Reduction::baumgarte};
    o.baumgarte_alpha = 3.0;
    o.baumgarte_beta = 5.0;
    const Solution s = solved(pendulum(), o);
    EXPECT_NEAR(s.final("x"), pendulum_at_10[0], 1e-6);
    EXPECT_THAT(s.to_json(), ::testing::HasSubstr("\"baumgarte-beta\": 5"));
}

// Where the constraints are on velocities or the model is no mechanism, the message says so.
TEST(MechanicalFormulations, AreRefusedWhereTheyDoNotApply) {
    const auto refusal = [](const std::string& model, Reduction r) {
        auto s = solve(read(model), {.until = 1, .reduction = r});
        return s ? std::string("not refused") : render(s.error());
    };
    EXPECT_THAT(refusal("model R Real x(start = 1); equation der(x) = -x; end R;", Reduction::penalty),
                ::testing::HasSubstr("needs equations of motion"));
    EXPECT_THAT(refusal("model O Real x(start = 1), u; equation der(x) = u; der(u) = -x; end O;", Reduction::penalty),
                ::testing::HasSubstr("there is no constraint"));
    EXPECT_THAT(
        refusal("model S Real x(start = 0), y(start = 0), p(start = 0), u, v, w(start = 1), l; equation der(x) = u; "
                "der(y) = v; der(p) = w; der(u) = 0.5 + l*sin(p); der(v) = -l*cos(p); der(w) = 0; "
                "u*sin(p) - v*cos(p) = 0; end S;",
                Reduction::knorrenschild),
        ::testing::HasSubstr("non-holonomic"));
}

TEST(TangentSpace, HasTheOrderOfTheMethodAndKeepsBothConstraints) {
    const Solution exact = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 51});
    const std::tuple<const char*, int, double> methods[] = {
        {"explicit-euler", 1, 0.001}, {"rk4", 4, 0.05}, {"dopri5", 5, 0.05}};
    for (const auto& [method, order, h] : methods) {
        const auto run = [&, name = method](double step) {
            return solved(
                pendulum(),
                {.until = 10, .method = name, .reduction = Reduction::tangent, .points = 51, .fixed_step = step});
        };
        const auto error = [&](const Solution& s) { // along the way: at the end terms of the expansion may cancel
            double worst = 0;
            for (std::size_t i = 0; i < s.time().size(); ++i)
                for (const char* name : pendulum_names) worst = std::max(worst, std::abs(s[name][i] - exact[name][i]));
            return worst;
        };
        const Solution whole = run(h);
        // At least: the first terms of the expansion are small for dopri5 here, and it seems to be of order 6.
        EXPECT_GT(std::log2(error(whole) / error(run(h / 2))), order - 0.25) << method;
        const ConstraintErrors c = constraint_errors(whole);
        EXPECT_LT(c.g, 1e-14) << method;
        EXPECT_LT(c.Gv, 1e-14) << method;
    }
}

// A skate: velocities have one freedom less than positions.
TEST(TangentSpace, HasTheOrderOnANonHolonomicConstraint) {
    const std::string skate =
        "model Skate Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = 0, fixed = true), "
        "u(start = 0), v(start = 0), w(start = 1, fixed = true), l; equation der(x) = u; der(y) = v; der(phi) = w; "
        "der(u) = 0.5 + l*sin(phi); der(v) = -l*cos(phi); der(w) = 0; u*sin(phi) - v*cos(phi) = 0; end Skate;";
    const Solution exact = solved(skate, {.until = 6, .method = "radau", .rtol = 1e-12, .points = 1});
    const auto error = [&](double h) {
        const Solution s =
            solved(skate, {.until = 6, .method = "rk4", .reduction = Reduction::tangent, .points = 0, .fixed_step = h});
        double worst = 0;
        for (const char* name : {"x", "y", "u", "v"})
            worst = std::max(worst, std::abs(s.final(name) - exact.final(name)));
        return worst;
    };
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 4, 0.3);
}

// Closing equations of a ring in coordinates of its joints, which all start at zero: what "small" means there.
TEST(TangentSpace, AndPartitionOnARingWithARedundantConstraint) {
    auto ring = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/bricard.mech");
    ASSERT_TRUE(ring);
    const Solution exact = solved(*ring, {.until = 3, .rtol = 1e-9, .points = 1});
    for (const Reduction r : {Reduction::tangent, Reduction::partition, Reduction::project_position}) {
        const Solution s = solved(*ring, {.until = 3, .method = "dop853", .rtol = 1e-8, .reduction = r, .points = 1});
        for (const char* name : {"b3.x", "b3.y", "b5.z"})
            EXPECT_NEAR(s.final(name), exact.final(name), 1e-7) << to_string(r) << name;
    }
}

TEST(TangentSpace, FollowsTheTolerance) {
    const Solution exact = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 77});
    for (const char* method : {"dopri5", "dop853"})
        for (const double rtol : {1e-5, 1e-8}) {
            const Solution s = solved(pendulum(), {.until = 10,
                                                   .method = method,
                                                   .rtol = rtol,
                                                   .atol = rtol,
                                                   .reduction = Reduction::tangent,
                                                   .points = 77});
            for (std::size_t i = 0; i < s.time().size(); ++i)
                for (const char* name : pendulum_names)
                    EXPECT_NEAR(s[name][i], exact[name][i], 10 * rtol) << method << ' ' << rtol << ' ' << s.time()[i];
        }
}

// A pendulum that turns over: 1,000 turns of some 0.8 s with gravity 9.81, as in tests/facade.
TEST(LocalCoordinates, ThousandTurns) {
    const std::string model =
        "model P Real x(start = 0), y(start = 1, fixed = true), u(start = 7), v(start = 0, fixed = true), lambda; "
        "equation "
        "der(x) = u; der(y) = v; der(u) = -x*lambda; der(v) = -9.81 - y*lambda; x^2 + y^2 = 1; end P;";
    for (const Reduction r : {Reduction::tangent, Reduction::partition}) {
        const Solution s = solved(
            model, {.until = 800, .method = "dopri5", .rtol = 1e-6, .reduction = r, .points = 0, .dense = false});
        const ConstraintErrors c = constraint_errors(s);
        EXPECT_LT(c.g, 1e-14) << to_string(r);
        EXPECT_LT(c.Gv, 2e-13) << to_string(r); // of velocities up to 9
        int turns = 0;
        for (std::size_t i = 1; i < s.time().size(); ++i) turns += s["y"][i] > 0 && s["x"][i - 1] < 0 && s["x"][i] >= 0;
        EXPECT_GE(turns, 999) << to_string(r);
        if (r == Reduction::partition) EXPECT_GE(count(s, "state_switches"), 2 * turns);
    }
}

// The race of 1993 and others: models as they are published, by methods and formulations of mechanisms; references of
// the Test Set for IVP Solvers, release 2.4.
TEST(PublishedMechanisms, ByMechanicalMethods) {
    const std::tuple<const char*, const char*, double, double> problems[] = {
        {"andrews", "beta", 0.03, 0.1581077119629904e2}, {"caraxis", "xl", 3, 0.4934557842755629e-1}};
    const std::pair<const char*, Reduction> ways[] = {
        {"hem4", Reduction::automatic},          {"hem5", Reduction::automatic},
        {"phem56", Reduction::automatic},        {"dopri5", Reduction::tangent},
        {"dop853", Reduction::tangent},          {"dopri5", Reduction::project_velocity},
        {"dopri5", Reduction::project_position}, {"radau5", Reduction::overdetermined},
        {"radau5", Reduction::stabilised_index1}};
    for (const auto& [problem, name, until, value] : problems) {
        auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/tests/problems/" + problem + ".mo");
        ASSERT_TRUE(model);
        for (const auto& [method, reduction] : ways) {
            const bool coarse = reduction == Reduction::project_velocity || reduction == Reduction::project_position;
            const Solution s = solved(
                *model,
                {.until = until, .method = method, .rtol = coarse ? 1e-7 : 1e-9, .reduction = reduction, .points = 10});
            EXPECT_NEAR(s.final(name), value, 1e-5 * std::abs(value))
                << problem << ' ' << method << ' ' << to_string(reduction);
        }
    }
}
