// A table of small systems of every kind, each with indices derived by hand: what `analyze` states must be these.
#include "daedalus/analysis.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace daedalus {
namespace {

/// Variables and equations separated by ";".
struct Known {
    const char* name;
    const char* variables;
    const char* equations;
    int differentiation, strangeness, tractability, perturbation, structural;
    int freedom;
};

const Known table[] = {
    // E nonsingular
    {"Ode", "x(start=1,fixed=true)", "der(x)=-x", 0, 0, 0, 0, 0, 1},
    {"ImplicitOde", "x(start=1);y", "der(x)+der(y)=1-x;der(x)-der(y)=y", 0, 0, 0, 0, 0, 2},
    {"NonlinearInTheDerivative", "x(start=1)", "der(x)^2+der(x)=x^2", 0, 0, 0, 0, 0, 1},
    // index 1
    {"Algebraic", "y", "y=sin(time)", 1, 0, 1, 1, 1, 0},
    {"AlgebraicNonlinear", "y(start=1)", "y+exp(y)=sin(time)+3", 1, 0, 1, 1, 1, 0},
    {"SemiExplicit1", "x(start=1);y", "der(x)=-x+y;0=y+x-sin(time)", 1, 0, 1, 1, 1, 1},
    {"FullyImplicit1", "x(start=1);y", "der(x)+der(y)=-x;x+2*y=sin(time)", 1, 0, 1, 1, 1, 1},
    {"ImplicitNonlinear1", "x(start=1);y(start=1)", "exp(der(x))+y=2;x+y^3=2", 1, 0, 1, 1, 1, 1},
    {"TimeVarying1", "x(start=1);y", "der(x)=-x+(1+time)*y;(2+sin(time))*y+x=1", 1, 0, 1, 1, 1, 1},
    // HW VII.1 Ex. 8: R regular, R = 0
    {"LinearQuadratic", "x(start=1);l;u", "der(x)=x+u;der(l)=-l-x;0=u+l", 1, 0, 1, 1, 1, 2},
    {"LinearQuadraticSingular", "x(start=1);l;u", "der(x)=x+u;der(l)=-l-x;0=l", 3, 2, 3, 3, 3, 0},
    // chains x_{i+1} = x_i'
    {"Chain2", "x1;x2", "x1=sin(time);x2=der(x1)", 2, 1, 2, 2, 2, 0},
    {"Chain4", "x1;x2;x3;x4", "x1=sin(time);x2=der(x1);x3=der(x2);x4=der(x3)", 4, 3, 4, 4, 4, 0},
    {"Chain6", "x1;x2;x3;x4;x5;x6", "x1=sin(time);x2=der(x1);x3=der(x2);x4=der(x3);x5=der(x4);x6=der(x5)", 6, 5, 6, 6,
     6, 0},
    {"NonlinearChain4", "x1;x2;x3;x4", "x1=sin(time);der(x1)=x2+0.1*x1^2;der(x2)=x3+0.1*x2*x1;der(x3)=x4+0.1*x3*x1", 4,
     3, 4, 4, 4, 0},
    {"NonlinearChain5", "x1;x2;x3;x4;x5",
     "x1=sin(time);der(x1)=x2+0.1*x1^2;der(x2)=x3+0.1*x2*x1;der(x3)=x4+0.1*x3*x1;der(x4)=x5+x1*x4", 5, 4, 5, 5, 5, 0},
    {"TimeVarying3", "x;y;z", "der(x)*(1+time)+y=sin(time);der(y)*exp(-time)+z=cos(time);x=time^2", 3, 2, 3, 3, 3, 0},
    {"Parts3And1", "a;b;c;z(start=1);w", "a=sin(time);b=der(a);c=der(b);der(z)=-z+w;w=cos(time)", 3, 2, 3, 3, 3, 1},
    // Hessenberg
    {"Hessenberg2", "x(start=1);y;u", "der(x)=-y+x*u;der(y)=x+y*u;x^2+y^2=1", 2, 1, 2, 2, 2, 1},
    {"LinearHessenberg2", "x(start=1);y;u", "der(x)=-y+u;der(y)=x+u;x+y=sin(time)", 2, 1, 2, 2, 2, 1},
    // structure says otherwise: derivatives cancel
    {"Cancelling", "x(start=1);y;z", "der(x)+der(y)+z=0;der(x)+der(y)-z=sin(time);y-2*x=0", 1, 0, 1, 1, 2, 1},
    // singular local pencil, yet uniquely solvable: x − t y = f, (x − t y)' + y = …
    {"SingularLocalPencil", "x;y", "x-time*y=sin(time);der(x)-time*der(y)=cos(2*time)", 2, 1, 2, 2, 1, 0},
    // Lubich, HW (1.31): a perturbation is differentiated once more than the system
    {"Lubich", "y1;y2;y3", "der(y1)-y3*der(y2)+y2*der(y3)=0;y2=0;y3=0", 1, 0, 1, 2, 1, 1},
    // x y = sin t at x = t = 0: singular there; index 1 beside it, where the chain says nothing
    {"SingularStart", "x;y", "der(x)=1;x*y=sin(time)", 1, 0, -1, 1, 1, 1},
};

Model model_of(const Known& k) {
    std::string text = "model M\n", part;
    for (std::istringstream list(k.variables); std::getline(list, part, ';');) text += "  Real " + part + ";\n";
    text += "equation\n";
    for (std::istringstream list(k.equations); std::getline(list, part, ';');) text += "  " + part + ";\n";
    auto model = Model::from_string(text + "end M;\n");
    EXPECT_TRUE(model) << text;
    return *std::move(model);
}

class KnownIndices : public testing::TestWithParam<Known> {};

TEST_P(KnownIndices, AreFound) {
    const Known& k = GetParam();
    SolveOptions options;
    options.until = 2.0;
    const auto a = analyze(model_of(k), options);
    ASSERT_TRUE(a) << render(a.error());
    const auto is = [](const IndexFinding& f, int expected) {
        EXPECT_EQ(f.value.value_or(-1), expected) << f.reason;
        EXPECT_FALSE(f.reason.empty());
    };
    is(a->differentiation_index, k.differentiation);
    is(a->strangeness_index, k.strangeness);
    is(a->tractability_index, k.tractability);
    is(a->perturbation_index, k.perturbation);
    EXPECT_EQ(a->structural_index, k.structural);
    EXPECT_EQ(a->array_degrees_of_freedom.value_or(-1), k.freedom);
    EXPECT_FALSE(a->agreement.empty());
    EXPECT_FALSE(a->recommendation.empty());
    if (k.structural != k.differentiation) {
        EXPECT_THAT(a->warnings, testing::Contains(testing::HasSubstr("The structural index is")));
    }
}

INSTANTIATE_TEST_SUITE_P(Table, KnownIndices, testing::ValuesIn(table),
                         [](const auto& one) { return std::string(one.param.name); });

// Systems without index: too many or too few equations, or equations that depend on each other.
TEST(NoIndex, IsSaidWithTheEquationsThatAreToBlame) {
    const std::pair<const char*, const char*> singular[] = {
        {"x", "der(x)=1;x=time"},                                           // over-determined
        {"x;y", "der(x)=y"},                                                // under-determined
        {"x;y", "der(x)+y=1;der(x)+y=2"},                                   // contradiction
        {"x;y", "der(x)+y=1;2*der(x)+2*y=2"},                               // redundant
        {"x;y;z", "der(x)=y;x=1;x=time"},                                   // z occurs nowhere
        {"x;y", "-time*der(x)+time^2*der(y)+x=1;-der(x)+time*der(y)+y=0"}}; // regular at each t, singular as a system
    for (const auto& [variables, equations] : singular) {
        SolveOptions options;
        options.from = 1.0;
        options.until = 2.0;
        const auto a = analyze(model_of({"", variables, equations, 0, 0, 0, 0, 0, 0}), options);
        if (a)
            EXPECT_FALSE(a->differentiation_index.value) << equations;
        else
            EXPECT_FALSE(a.error().front().message.empty()) << equations;
    }
}

} // namespace
} // namespace daedalus
