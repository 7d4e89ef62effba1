// Classes of the literature, each in several disguises: permuted and scaled equations, second derivatives or
// velocities, outputs and abbreviations besides.
#include "daedalus/analysis.hpp"
#include "daedalus/model.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace daedalus {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> classes(const std::string& declarations, const std::string& equations) {
    const auto model = Model::from_string("model M\n  " + declarations + "\nequation\n  " + equations + "\nend M;\n");
    EXPECT_TRUE(model) << equations;
    if (!model) return {};
    AnalyzeOptions structure_only;
    structure_only.derivative_arrays = structure_only.measure = structure_only.along_solution = false;
    const auto a = analyze(*model, {}, structure_only);
    EXPECT_TRUE(a) << equations;
    return a ? a->classes : std::vector<std::string>{};
}

TEST(Classes, SemiExplicitIndex1) {
    for (const auto& [d, e] : {std::pair{"Real y(start=1), z(start=1);", "der(y) = -y + z; z + z^3 = 2*y;"},
                               {"Real z(start=1), y(start=1);", "2*y = z + z^3; 3*der(y) + 3*y - 3*z = 0;"},
                               // a full, regular matrix of factors, an output, an abbreviation
                               {"Real y1(start=1), y2(start=1), z(start=1), out, f;",
                                "2*der(y1) + der(y2) = f; der(y1) + y1^2*der(y2) + der(y2) = y1; z + z^3 = y1 + y2; "
                                "out = z*y1; f = z - y1;"}})
        EXPECT_THAT(classes(d, e), Contains(HasSubstr("semi-explicit index 1 (HW (1.13))"))) << e;
    // A singular matrix of factors is not of that form.
    EXPECT_THAT(
        classes("Real y1, y2, z;", "der(y1) + der(y2) = z; 2*der(y1) + 2*der(y2) = y1 + z^2; z = sin(time)*y2;"),
        Not(Contains(HasSubstr("semi-explicit"))));
}

TEST(Classes, HessenbergIndex2) {
    for (const auto& [d, e] :
         {std::pair{"Real y1(start=1), y2(start=0), z;",
                    "der(y1) = -y2 + y1*z; der(y2) = y1 + sin(y2*z); y1^2 + y2^2 = 1;"},
          {"Real z, y2(start=0), y1(start=1), power;",
           "power = z^2; 5*y1^2 = 5 - 5*y2^2; y1 + sin(y2*z) = der(y2); 2*der(y1) = -2*y2 + 2*y1*z;"},
          {"Real y1(start=1), y2(start=0), z, r2, force;",
           "force = y1*z; r2 = y1^2 + y2^2; r2 = 1; der(y1) = -y2 + force; der(y2) = y1 + sin(y2*z);"}})
        EXPECT_THAT(classes(d, e), Contains(HasSubstr("Hessenberg form of index 2 (HW (1.14))"))) << e;
}

TEST(Classes, HessenbergIndex3) {
    // HW (1.15): y' = f(y, z), z' = k(y, z, u), 0 = g(y), with f not linear in z: not mechanics.
    for (const auto& [d, e] :
         {std::pair{"Real y(start=0), z(start=0), u;", "der(y) = z + z^3; der(z) = y*z + u + u^3; y = sin(time);"},
          {"Real u, z(start=0), y(start=0), out;",
           "3*y = 3*sin(time); out = u + y; 0 = der(y) - z - z^3; -der(z) = -y*z - u - u^3;"}}) {
        EXPECT_THAT(classes(d, e), Contains(HasSubstr("Hessenberg form of index 3 (HW (1.15))"))) << e;
        EXPECT_THAT(classes(d, e), Not(Contains(HasSubstr("mechanical")))) << e;
    }
}

TEST(Classes, HessenbergOfAnySize) { // W (2.12)
    for (int m = 4; m <= 6; ++m) {
        std::string declarations = "Real x1", forwards, backwards;
        for (int i = 2; i <= m; ++i) declarations += fmt::format(", x{}", i);
        std::vector<std::string> rows{fmt::format("der(x1) = sin(x1) + x2 + x{0} + x{0}^3;", m)};
        for (int i = 2; i < m; ++i)
            rows.push_back(fmt::format("{0}*der(x{0}) = {0}*(x{1} + x{1}^3) + x{0}^2 + x{2};", i, i - 1, m - 1));
        rows.push_back(fmt::format("2*x{} = sin(time);", m - 1));
        for (const std::string& row : rows) forwards += row + " ";
        for (auto row = rows.rbegin(); row != rows.rend(); ++row) backwards += *row + " ";
        const std::string expected = fmt::format("Hessenberg form of index {} (W (2.12))", m);
        EXPECT_THAT(classes(declarations + ";", forwards), Contains(HasSubstr(expected)));
        EXPECT_THAT(classes(declarations + ", out;", backwards + "out = x1*x2;"), Contains(HasSubstr(expected)));
    }
    // x1' looks past x2 to the constraint: x2 of size 3 no longer is of Hessenberg form, but of index 2 it is.
    EXPECT_THAT(classes("Real x1, x2, z;", "der(x1) = z; der(x2) = x1 + z; x2 = sin(time);"),
                Contains(HasSubstr("Hessenberg form of index 2")));
    // Constraints on different levels: no Hessenberg form.
    EXPECT_THAT(
        classes("Real x1, x2, y, z, w;", "der(x1) = z; der(x2) = x1; x2 = sin(time); der(y) = w + y; y = cos(time);"),
        Not(Contains(HasSubstr("Hessenberg"))));
}

TEST(Classes, ConstrainedMechanics) {
    const char* const mechanical = "constrained mechanical system, index 3 (HW (1.46))";
    const struct {
        const char *name, *declarations, *equations;
        bool hessenberg;
    } disguises[] = {
        {"velocities", "Real x(start=1), y(start=0), u, v, lambda;",
         "der(x) = u; der(y) = v; der(u) = -x*lambda; der(v) = -y*lambda - 9.81; x^2 + y^2 = 1;", true},
        {"second derivatives, permuted", "Real lambda, y(start=0), x(start=1);",
         "x^2 + y^2 = 1; 0 = der(der(y)) + y*lambda + 9.81; 2*der(der(x)) = -2*x*lambda;", true},
        {"scaled velocities and masses", "Real x(start=1), y(start=0), u, v, lambda, energy; parameter Real m = 3;",
         "2*u = 2*der(x); -der(y) = -v; m*der(u) + x*lambda = 0; m*der(v) = -y*lambda - m*9.81; 0 = 7*(x^2 + y^2 - 1); "
         "energy = m/2*(u^2 + v^2) + m*9.81*y;",
         true},
        {"full mass matrix", "Real a(start=0.1), b(start=0.1), u, v, lambda;",
         "der(a) = u; der(b) = v; 3*der(u) + cos(a - b)*der(v) = -v^2*sin(a - b) - cos(a)*lambda; "
         "cos(a - b)*der(u) + 2*der(v) = u^2*sin(a - b) - cos(b)*lambda; sin(a) + sin(b) = 0.2;",
         true},
        {"singular mass matrix", "Real q1(start=0), q2(start=0), u, v, lambda;",
         "der(q1) = u; der(q2) = v; der(u) + der(v) = -q1 - lambda; der(u) + der(v) = -q2 + (1 + q2)*lambda; "
         "q1 - q2 - q2^2/2 = 0;",
         false}};
    for (const auto& c : disguises) {
        const auto found = classes(c.declarations, c.equations);
        EXPECT_THAT(found, Contains(HasSubstr(mechanical))) << c.name;
        if (c.hessenberg)
            EXPECT_THAT(found, Contains(HasSubstr("Hessenberg form of index 3"))) << c.name;
        else
            EXPECT_THAT(found, Not(Contains(HasSubstr("Hessenberg")))) << c.name;
    }
    // Forces that are not normal to the constraint, or drive to it on one coordinate and away from it on the other.
    for (const char* const equations :
         {"der(der(x)) = -(2*x + y)*lambda; der(der(y)) = -2*y*lambda - 9.81; x^2 + y^2 = 1;",
          "der(der(x)) = -x*lambda; der(der(y)) = y*lambda - 9.81; x^2 + y^2 = 1;",
          "der(der(x)) = -x*lambda; der(der(y)) = -x*lambda - 9.81; x^2 + y^2 = 1;"}) {
        const auto found = classes("Real x(start=1), y(start=0), lambda;", equations);
        EXPECT_THAT(found, Contains(HasSubstr("Hessenberg form of index 3"))) << equations;
        EXPECT_THAT(found, Not(Contains(HasSubstr(mechanical)))) << equations;
    }
    // Two masses on one rod, each with its own.
    EXPECT_THAT(classes("Real x(start=1), y(start=0), a(start=0), b(start=0), lambda;",
                        "2*der(der(x)) = -(x - a)*lambda; der(der(y)) = -0.5*(y - b)*lambda - 9.81; "
                        "-5*der(der(a)) = -(x - a)*lambda; 5*der(der(b)) = (y - b)*lambda; (x - a)^2 + (y - b)^2 = 1;"),
                Contains(HasSubstr(mechanical)));
    // Velocity level, HW (1.46d): index 2.
    EXPECT_THAT(classes("Real x(start=1), y(start=0), u, v, lambda;",
                        "der(x) = u; der(y) = v; der(u) = -x*lambda; der(v) = -y*lambda - 9.81; x*u + y*v = 0;"),
                Contains(HasSubstr("Hessenberg form of index 2 (HW (1.14))")));
}

TEST(Classes, IntegralForm) { // W 1.3
    const char* const integral = "integral form";
    EXPECT_THAT(classes("Real x(start=1), y;", "x*der(x) + y*der(y) = -x; x + y = 2;"), Contains(HasSubstr(integral)));
    EXPECT_THAT(
        classes("Real x(start=1), y(start=1), z;", "y*cos(x*y)*der(x) + x*cos(x*y)*der(y) = z; z = x; 3*x + y = time;"),
        Contains(HasSubstr(integral)));
    // HW (1.31) and (1.32) are not of that form, which is why their indices may differ.
    EXPECT_THAT(classes("Real y1, y2, y3;", "der(y1) - y3*der(y2) + y2*der(y3) = 0; y2 = 0; y3 = 0;"),
                Not(Contains(HasSubstr(integral))));
    const auto gear = classes("Real y1, y2, y3;", "y3*der(y2) + y1 = 0; y3*der(y3) + y2 = 0; y3 = 0;");
    EXPECT_THAT(gear, Not(Contains(HasSubstr(integral))));
    EXPECT_THAT(gear, Not(Contains(HasSubstr("semi-explicit")))); // although y3 = 0 makes it so on the solution
    EXPECT_THAT(gear, Not(Contains(HasSubstr("linear with"))));
}

TEST(Classes, OrdinaryAndLinear) {
    EXPECT_THAT(classes("Real x;", "der(x) = -x^3;"), Contains(HasSubstr("ordinary differential equation")));
    EXPECT_THAT(classes("Real x, y;", "der(x) + 2*y = 1; x = sin(time);"), Contains(HasSubstr("linear with constant")));
    EXPECT_THAT(classes("Real x, y;", "der(x) + time*y = 1; x = y;"),
                Contains(HasSubstr("linear with time-dependent")));
    EXPECT_THAT(classes("Real x, y;", "x + y = 1; x - y = 0;"), Contains(HasSubstr("purely algebraic")));
}

} // namespace
} // namespace daedalus
