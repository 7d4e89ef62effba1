// Models that differentiate an expression, der(Q(x)): methods that can difference the quantity itself, and what is
// conserved in it stays.
#include "facade/solving.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <filesystem>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

double charge(double v) { return v + v * v * v; }

/// Three nonlinear capacitors to ground, connected by resistors and a source of current: the sum of the charges stays.
std::string loop(const std::string& u, const std::string& v, const std::string& w, const std::string& more = {}) {
    return "model Loop parameter Real k = 1; parameter Real C = 1; Real u(start = 1, fixed = true), v(start = -0.5, "
           "fixed = true), w(start = 0.2, fixed = true), i; equation "
           "i = 8*sin(2*time);" +
           u + " = 5*(w - u) - 2*(u - v) + i;" + v + " = 2*(u - v) - 3*(v - w) - i;" + w + " = 3*(v - w) - 5*(w - u);" +
           more + " end Loop;";
}
std::string stated(const std::string& more = {}) {
    return loop("der(C*u*(1 + k*u^2))", "der(v + v^3)", "der(w + w^3)", more);
}
std::string chained(const std::string& more = {}) {
    return loop("C*(1 + 3*k*u^2)*der(u)", "(1 + 3*v^2)*der(v)", "(1 + 3*w^2)*der(w)", more);
}

double total(const Solution& s, std::size_t k) { return charge(s["u"][k]) + charge(s["v"][k]) + charge(s["w"][k]); }

double drift(const Solution& s) {
    double largest = 0.0;
    for (std::size_t k = 0; k < s.time().size(); ++k) largest = std::max(largest, std::abs(total(s, k) - total(s, 0)));
    return largest;
}

std::string explanation(const std::string& model, const SolveOptions& options = {}) {
    const auto text = explain(read(model), options);
    EXPECT_TRUE(text) << (text ? "" : render(text.error()));
    return text ? text->to_text() : std::string();
}

TEST(WrittenQuantity, ConservesWhatTheChainRuleLoses) {
    for (const char* method : {"bdf", "radau", "radau5", "esdirk4"}) {
        const SolveOptions options{.until = 300, .method = method, .rtol = 1e-3, .points = 0};
        const Solution charges = solved(stated(), options), plain = solved(chained(), options);
        EXPECT_LT(drift(charges), 1e-3) << method;
        EXPECT_GT(drift(plain), 10 * drift(charges)) << method;
    }
}

/// Newton's iteration to round-off, constant steps (thousands: shorter ones where an iteration needs them): roundings
/// of three charges of size 1 to 10 per step are all that is left. What the certificate says of such coarse steps does
/// not matter here.
TEST(WrittenQuantity, ConservesToRoundOff) {
    const std::pair<const char*, double> methods[] = {{"bdf", 0.5}, {"radau2a-2", 1e-3}, {"radau5", 1e-11}};
    for (const auto& [method, lost] : methods) {
        const SolveOptions options{.until = 50, .method = method, .rtol = 1e-12, .points = 0, .fixed_step = 0.25};
        const Solution charges = run(stated(), options), plain = run(chained(), options);
        EXPECT_EQ(charges.end_time(), 50) << method;
        EXPECT_EQ(plain.end_time(), 50) << method;
        const auto steps = static_cast<double>(count(charges, "steps"));
        EXPECT_LT(drift(charges), steps * 2.2e-16 * 10) << method;
        EXPECT_GT(drift(plain), lost) << method;
    }
}

TEST(WrittenQuantity, AgreesWithTheChainRule) {
    const Solution exact = solved(chained(), {.until = 5, .method = "radau", .rtol = 1e-11});
    for (const char* method :
         {"auto", "bdf", "radau", "radau5", "radau9", "esdirk3", "esdirk4", "esdirk5", "rodas4", "dop853", "limex"})
        for (const double rtol : {1e-4, 1e-7}) {
            const Solution s = solved(stated(), {.until = 5, .method = method, .rtol = rtol});
            for (const char* name : {"u", "v", "w", "i"})
                EXPECT_NEAR(s.final(name), exact.final(name), 100 * rtol) << method << ' ' << name;
        }
}

/// Who does not difference quantities takes the same steps as with the chain rule written out, and so does `auto`'s
/// choice of a method.
TEST(WrittenQuantity, OtherMethodsGoOnWithTheChainRule) {
    for (const char* method : {"rodas4", "dop853", "limex", "midpoint", "gauss-3"}) {
        const SolveOptions options{.until = 5, .method = method, .rtol = 1e-6};
        EXPECT_EQ(count(solved(stated(), options), "steps"), count(solved(chained(), options), "steps")) << method;
    }
    EXPECT_EQ(solved(stated(), {.until = 5}).method(), solved(chained(), {.until = 5}).method());
}

TEST(WrittenQuantity, IsTheSameInCpp) {
    Model m("Loop");
    const Expression u = m.variable("u", {.start = 1, .fixed = true}),
                     v = m.variable("v", {.start = -0.5, .fixed = true}),
                     w = m.variable("w", {.start = 0.2, .fixed = true}), i = m.variable("i");
    const Expression k = m.parameter("k", 1), C = m.parameter("C", 1);
    m.equation(i == 8 * sin(2 * m.time()));
    m.equation(der(C * u * (1 + k * pow(u, 2))) == 5 * (w - u) - 2 * (u - v) + i);
    m.equation(der(v + pow(v, 3)) == 2 * (u - v) - 3 * (v - w) - i);
    m.equation(der(w + pow(w, 3)) == 3 * (v - w) - 5 * (w - u));
    const SolveOptions options{.until = 50, .method = "bdf", .rtol = 1e-5, .points = 0};
    const Solution a = solved(m, options), b = solved(stated(), options);
    ASSERT_EQ(a.time().size(), b.time().size());
    EXPECT_EQ(a.final("u"), b.final("u"));
    EXPECT_LT(drift(a), 1e-5);
}

/// An event takes charge away, and the rest stays.
TEST(WrittenQuantity, EventsMoveTheQuantity) {
    std::string model = stated("when sin(time) < 0 then reinit(u, 0.5*u); taken = pre(taken) + 0.5*pre(u) + "
                               "0.875*pre(u)^3; n = pre(n) + 1; end when;");
    model.insert(model.find("Real u"), "discrete Real taken(start = 0, fixed = true); Integer n(start = 0); ");
    for (const char* method : {"bdf", "radau5", "esdirk4"}) {
        const Solution s = solved(model, {.until = 40, .method = method, .rtol = 1e-5, .points = 0});
        EXPECT_EQ(s.final("n"), 6) << method; // π, 3π, …, 11π
        for (std::size_t k = 0; k < s.time().size(); ++k)
            EXPECT_NEAR(total(s, k) + s["taken"][k], total(s, 0), 1e-5) << method << ' ' << s.time()[k];
    }
}

TEST(WrittenQuantity, BranchesWithEvents) {
    const std::string model =
        "model B Real u(start = 1, fixed = true), v(start = -0.5, fixed = true); equation "
        "der(if u > 0 then u + u^3 else 2*u) = -3*(u - v) + 4*sin(2*time); der(v + v^3) = 3*(u - v) - 4*sin(2*time);"
        "end B;";
    for (const char* method : {"bdf", "radau5", "esdirk4"}) {
        const Solution s = solved(model, {.until = 100, .method = method, .rtol = 1e-4, .points = 0});
        double largest = 0.0;
        for (std::size_t k = 0; k < s.time().size(); ++k) {
            const double u = s["u"][k], q = (u > 0 ? charge(u) : 2 * u) + charge(s["v"][k]);
            largest = std::max(largest, std::abs(q - (2.0 + charge(-0.5))));
        }
        EXPECT_LT(largest, 1e-3) << method;
    }
}

/// q = (2 + sin t) x, q' = -q: x = exp(-t) 2 / (2 + sin t). And a flux of an input.
TEST(WrittenQuantity, QuantitiesOfTime) {
    const std::string model =
        "model T Real x(start = 1, fixed = true); equation der((2 + sin(time))*x) = -(2 + sin(time))*x; end T;";
    for (const char* method : {"auto", "bdf", "radau", "esdirk5", "dop853"}) {
        const Solution s = solved(model, {.until = 3, .method = method, .rtol = 1e-8});
        EXPECT_NEAR(s.final("x"), std::exp(-3.0) * 2.0 / (2.0 + std::sin(3.0)), 1e-7) << method;
    }
    EXPECT_NE(explanation(model).find("differences of the quantity itself"), std::string::npos);
}

TEST(WrittenQuantity, ExplainsWhatIsDifferenced) {
    const std::string text = explanation(stated());
    EXPECT_NE(text.find("der(v + v^3): differences of the quantity itself"), std::string::npos) << text;
    const auto none = [](const std::string& model) {
        const std::string explained = explanation(model);
        EXPECT_EQ(explained.find("differentiated quantities"), std::string::npos) << explained;
    };
    none(chained());
    none("model A parameter Real C = 2; Real v(start = 1); equation der(C*v) = -v; end A;"); // linear
    const auto because = [](const std::string& model, const std::string& reason) {
        const std::string explained = explanation(model);
        EXPECT_NE(explained.find("by the chain rule, since " + reason), std::string::npos) << explained;
        EXPECT_EQ(explained.find("differences of the quantity itself"), std::string::npos) << explained;
    };
    // Capacitors in a loop with a source: their voltages depend on each other.
    because("model L Real u(start = 1), v, i; equation der(u + u^3) = i - u; der(v + v^3) = -i; "
            "u + v = 2 + sin(time); end L;",
            "the derivative of ");
    because("model N Real u(start = 1); equation der(noEvent(if u > 0.5 then u^2 else u)) = -u; end N;",
            "it has branches that make no events");
    // Constants of integration that differ between branches: nobody watches for a condition that F does not have.
    because("model O Real u(start = 1), y; equation der(y) = if u > 0.5 then 1 else u; der(if u > 0.5 then u^2 + 1 "
            "else u^2) = -u; end O;",
            "it has branches that its derivative does not have");
}

/// Components with connectors, a function, and a variable that is decided at events, whose places are filled in last.
TEST(WrittenQuantity, InClassesOfModelica) {
    const std::string model =
        "package P connector Pin Real v; flow Real i; end Pin;"
        "function charge input Real v; input Real k; output Real q; algorithm q := v + k*v^3; end charge;"
        "model Ground Pin p; equation p.v = 0; end Ground;"
        "model TwoPin Pin p, n; Real v, i; equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end TwoPin;"
        "model Capacitor extends TwoPin; parameter Real k = 1; equation der(charge(v, k)) = i; end Capacitor;"
        "model Resistor extends TwoPin; parameter Real R = 1; Boolean closed; discrete Real s; equation "
        "closed = sin(2*time) > -0.5; s = if closed then 1 else 3; v = s*R*i; end Resistor;"
        "model Net Capacitor a(v(start = 1, fixed = true)), b(v(start = -0.5, fixed = true), k = 0.5); Resistor r; "
        "Ground "
        "g; equation connect(a.p, r.p); connect(r.n, b.p); connect(a.n, g.p); connect(b.n, g.p); end Net; end P;";
    const std::string text = explanation(model);
    EXPECT_NE(text.find("2 of 2 derivatives of expressions by differences"), std::string::npos) << text;
    for (const char* method : {"bdf", "radau"}) {
        const Solution s = solved(model, {.until = 30, .method = method, .rtol = 1e-3, .points = 0});
        for (std::size_t k = 0; k < s.time().size(); ++k) {
            const double a = s["a.v"][k], b = s["b.v"][k];
            EXPECT_NEAR(a + a * a * a + b + 0.5 * b * b * b, 2.0 - 0.5 - 0.5 * 0.125, 1e-4) << method;
        }
    }
}

/// A switch that puts two capacitors in parallel and lets them go: there the current is what their charges, of one
/// voltage, leave to it, and in that mode the chain rule serves.
TEST(WrittenQuantity, ChangesOfStructure) {
    const std::string model =
        "model Sw Real v(start = 1, fixed = true), w(start = 0, fixed = true), i; Boolean closed; "
        "equation closed = time > 1 and time < 2; {v} = -i - 0.2*v; {w} = i - 0.1*w; "
        "if closed then v = w; else i = 0; end if; end Sw;";
    const auto with = [&](const std::string& v, const std::string& w) {
        std::string text = model;
        text.replace(text.find("{v}"), 3, v);
        text.replace(text.find("{w}"), 3, w);
        return text;
    };
    const Solution exact =
        solved(with("(1 + 0.9*v^2)*der(v)", "(1 + 0.2*w)*der(w)"), {.until = 3, .method = "radau", .rtol = 1e-10});
    for (const char* method : {"auto", "bdf", "radau", "esdirk4"}) {
        const Solution s =
            solved(with("der(v + 0.3*v^3)", "der(w + 0.1*w^2)"), {.until = 3, .method = method, .rtol = 1e-7});
        for (const char* name : {"v", "w"})
            EXPECT_NEAR(s.final(name), exact.final(name), 1e-5) << method << ' ' << name;
    }
}

/// Compiled once, with other parameters; interrupted and resumed.
TEST(WrittenQuantity, ManyRuns) {
    const Model model = read(stated());
    const SolveOptions options{.until = 30, .method = "bdf", .rtol = 1e-6, .parameters = {{"k", 0.5}}};
    const auto compiled = model.compile();
    ASSERT_TRUE(compiled);
    const auto again = compiled->solve(options);
    ASSERT_TRUE(again && again->success());
    EXPECT_EQ(again->final("u"), solved(model, options).final("u"));
}

TEST(WrittenQuantity, ResumedEqualsUninterrupted) {
    for (const char* method : {"bdf", "radau5"}) {
        const auto at = [&](const char* name) {
            return (std::filesystem::path(::testing::TempDir()) / ("written_" + std::string(method) + name)).string();
        };
        SolveOptions options{.until = 600, .method = method, .rtol = 1e-4, .points = 20};
        options.checkpoint = at("_whole.chk");
        const Solution whole = solved(stated(), options);
        options.checkpoint = at("_part.chk");
        std::atomic<bool> interrupt = false;
        SolveOptions first = options;
        first.interrupt = &interrupt;
        first.progress = [&](double t, double) { interrupt = t > 500; };
        EXPECT_EQ(run(stated(), first).outcome(), Outcome::interrupted) << method;
        options.resume = at("_part.chk");
        options.checkpoint.clear();
        const Solution resumed = solved(stated(), options);
        for (const char* name : {"u", "v", "w"})
            EXPECT_EQ(std::bit_cast<std::uint64_t>(resumed.final(name)),
                      std::bit_cast<std::uint64_t>(whole.final(name)))
                << method << ' ' << name;
        for (const char* name : {"_whole.chk", "_part.chk"}) std::filesystem::remove(at(name));
    }
}

} // namespace
